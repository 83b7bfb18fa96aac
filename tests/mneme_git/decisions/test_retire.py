from __future__ import annotations

import pytest

from mneme_git.decisions.adr_read import read_file
from mneme_git.decisions.retire import FileWord, adr_path_of, plan_deprecate, plan_supersede
from mneme_git.errors import NotFound, Refused
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import Lifecycle
from mneme_git.model.snapshot import Contested
from tests.support.make import make_rule, make_snapshot, make_state, make_version

A, B, C = (make_version(name) for name in ("use-a", "use-b", "use-c"))
PATH = "docs/adr/0001-a.md"


def snapshot(*states, **but):
    return make_snapshot(*states, versions=(A, B, C), **but)


def word(status, more=""):
    text = f"# A\n\n## Status\n\n{status}\n{more}\n\n## Context\n\nx\n"
    adr = read_file(AdrSource(path=PATH, data=text.encode())).adr
    return FileWord(path=PATH, blob="b" * 40, adr=adr)


def test_deprecating_changes_the_status_and_nothing_else():
    state = make_state(A, rules=(make_rule(A),), supersedes=("use-c",))
    plan = plan_deprecate(snapshot(state), "use-a", word=None, now="2024-01-01T00:00:00Z")
    (operation,) = plan.operations
    assert operation.state.lifecycle_status is Lifecycle.DEPRECATED
    assert (operation.state.rules, operation.state.relationships) == (state.rules, state.relationships)
    assert operation.updated_at == "2024-01-01T00:00:00Z"
    assert [(read.name, read.value) for read in plan.reads] == [("use-a", state_digest(state))]


def test_deprecating_twice_writes_nothing():
    state = make_state(A, status=Lifecycle.DEPRECATED)
    assert plan_deprecate(snapshot(state), "use-a", word=None).operations == ()


def test_a_superseded_decision_is_not_deprecated():
    with pytest.raises(Refused, match="superseded already"):
        plan_deprecate(snapshot(make_state(A, status=Lifecycle.SUPERSEDED)), "use-a", word=None)


def test_superseding_writes_both_decisions_so_that_git_sees_a_race():
    old, new = make_state(A), make_state(B, supersedes=("use-c",))
    plan = plan_supersede(snapshot(old, new), "use-a", "use-b", old_word=None, new_word=None)
    first, second = (operation.state for operation in plan.operations)
    assert (first.decision_id, first.lifecycle_status) == ("use-a", Lifecycle.SUPERSEDED)
    assert [link.target_decision_id for link in second.relationships] == ["use-c", "use-a"]
    assert second.lifecycle_status is Lifecycle.ACTIVE
    assert {read.name for read in plan.reads} == {"use-a", "use-b"}


def test_superseding_twice_writes_nothing():
    old, new = make_state(A, status=Lifecycle.SUPERSEDED), make_state(B, supersedes=("use-a",))
    assert plan_supersede(snapshot(old, new), "use-a", "use-b", old_word=None, new_word=None).operations == ()


def test_a_relation_that_is_stored_without_effect_gets_it():
    old, new = make_state(A), make_state(B, supersedes=("use-a", "use-c"))
    plan = plan_supersede(snapshot(old, new), "use-a", "use-b", old_word=None, new_word=None)
    assert plan.operations[0].state.lifecycle_status is Lifecycle.SUPERSEDED
    assert [link.target_decision_id for link in plan.operations[1].state.relationships] == ["use-c", "use-a"]


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ((make_state(A), make_state(B, status=Lifecycle.DEPRECATED)), "succeeds nothing"),
        ((make_state(A, status=Lifecycle.SUPERSEDED), make_state(B)), "superseded already"),
        ((make_state(A, supersedes=("use-b",)), make_state(B)), "circle"),
        (
            (make_state(A, supersedes=("use-c",)), make_state(C, supersedes=("use-b",)), make_state(B)),
            "circle",
        ),
    ],
)
def test_what_would_not_fit_together_is_refused(states, message):
    with pytest.raises(Refused, match=message):
        plan_supersede(snapshot(*states), "use-a", "use-b", old_word=None, new_word=None)


def test_a_decision_does_not_supersede_itself_and_must_be_there_and_settled():
    with pytest.raises(Refused, match="itself"):
        plan_supersede(snapshot(make_state(A)), "use-a", "use-a", old_word=None, new_word=None)
    with pytest.raises(NotFound):
        plan_supersede(snapshot(make_state(A)), "use-a", "use", old_word=None, new_word=None)
    contested = snapshot(contested=(Contested(decision_id="use-a", sides=(), why="both edited"),))
    with pytest.raises(Refused, match="contested"):
        plan_deprecate(contested, "use-a", word=None)


def test_where_there_is_an_adr_the_file_must_say_it_first():
    state = make_state(A, source=PATH)
    assert adr_path_of(snapshot(state), "use-a") == PATH
    with pytest.raises(Refused) as raised:
        plan_deprecate(snapshot(state), "use-a", word=word("Accepted"))
    assert "says 'Accepted'" in raised.value.message
    assert "change its status to deprecated" in raised.value.hint
    said = plan_deprecate(snapshot(state), "use-a", word=word("Deprecated"))
    assert ("adr", PATH, "b" * 40) in {(read.what, read.name, read.value) for read in said.reads}
    assert len(said.operations) == 1


def test_an_adr_that_is_gone_says_nothing_any_more():
    state = make_state(A, source=PATH)
    plan = plan_deprecate(snapshot(state), "use-a", word=FileWord(path=PATH))
    assert ("adr", PATH, "absent") in {(read.what, read.name, read.value) for read in plan.reads}


def test_an_adr_that_cannot_be_read_is_no_yes():
    with pytest.raises(Refused, match="cannot be read"):
        plan_deprecate(snapshot(make_state(A)), "use-a", word=FileWord(path=PATH, blob="b" * 40))


def test_a_relation_is_not_stored_against_the_adr_of_the_newer_decision():
    states = snapshot(make_state(A), make_state(B, source=PATH))
    with pytest.raises(Refused) as raised:
        plan_supersede(states, "use-a", "use-b", old_word=None, new_word=word("Accepted"))
    assert "mneme adr supersede use-a --by use-b" in raised.value.hint
    stated = word("Accepted", "\nSupersedes use-a")
    assert plan_supersede(states, "use-a", "use-b", old_word=None, new_word=stated).operations
