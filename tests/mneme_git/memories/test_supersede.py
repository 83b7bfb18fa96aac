import pytest
from msgspec.structs import replace

from mneme_git.errors import NotFound, Refused
from mneme_git.memories.promote import plan_promote, promoted
from mneme_git.memories.record import Draft, memory_of
from mneme_git.memories.supersede import check_replaced, draft_after, plan_supersede
from mneme_git.model.memory import FileAnchor, MemoryKind, MemoryScope, SymbolAnchor
from tests.support.memories import NOON, global_memory, here, memory, named, view

OLD = memory(
    "old text",
    kind=MemoryKind.GOTCHA,
    task="t",
    files=(FileAnchor(path="a.py", blob="1" * 40),),
    identifiers=(SymbolAnchor(name="f", text_sha256="2" * 64),),
    tags=("db",),
)
((NAME, _),) = named(OLD).items()
LATER = "2027-01-01T00:00:00Z"


def test_what_takes_its_place_is_about_the_same():
    assert draft_after(NAME, OLD, "new text") == Draft(
        kind=MemoryKind.GOTCHA, body="new text", task="t", files=("a.py",), identifiers=("f",), tags=("db",),
        supersedes=(NAME,),
    )  # fmt: skip


def test_a_memory_that_supersedes_is_recorded_and_says_so():
    draft = draft_after(NAME, OLD, "new text")
    check_replaced(draft, {NAME: OLD}, view(NAME))
    new = memory_of(draft, created_at=NOON, author="", branch="main")
    made = plan_supersede(new, view(NAME), {})
    assert (made.plan.verb, made.plan.subject, made.plan.memories) == ("supersede", NAME, (new,))
    assert new.supersedes == (NAME,)


def test_superseding_twice_in_the_same_words_changes_nothing():
    new = memory_of(draft_after(NAME, OLD, "new text"), created_at=NOON, author="", branch="main")
    again = replace(new, created_at=LATER)
    made = plan_supersede(again, view(NAME, *named(new)), named(new))
    assert (made.plan, made.memory, made.existed) == (None, new, True)


def test_a_memory_is_not_replaced_by_what_it_says_itself():
    with pytest.raises(Refused, match="says the same already"):
        check_replaced(draft_after(NAME, OLD, "old text"), {NAME: OLD}, view(NAME))


def test_what_is_forgotten_or_unknown_is_not_replaced():
    with pytest.raises(Refused, match="is forgotten: there is nothing to replace"):
        check_replaced(draft_after(NAME, OLD, "new"), {NAME: OLD}, view(here(NAME, forgotten=True)))
    with pytest.raises(NotFound):
        check_replaced(draft_after(NAME, OLD, "new"), {}, view(NAME))
    with pytest.raises(NotFound):
        check_replaced(draft_after(NAME, OLD, "new"), {NAME: OLD}, view())


def test_a_promoted_memory_says_the_same_for_all_projects():
    wide = promoted(NAME, replace(OLD, supersedes=("0" * 32,)), created_at=LATER, author="me")
    assert (wide.scope, wide.source, wide.created_at, wide.author) == (
        MemoryScope.GLOBAL,
        "promoted",
        LATER,
        "me",
    )
    assert (wide.kind, wide.body, wide.task, wide.tags) == (OLD.kind, OLD.body, OLD.task, OLD.tags)
    assert (wide.files, wide.identifiers) == ((FileAnchor(path="a.py"),), (SymbolAnchor(name="f"),))
    assert (wide.branch, wide.supersedes) == ("", ())


def test_promoting_twice_changes_nothing():
    wide = promoted(NAME, OLD, created_at=NOON, author="me")
    first = plan_promote(wide, view(branch=""), {})
    assert first.plan.verb == "promote"
    later = promoted(NAME, OLD, created_at=LATER, author="you")
    again = plan_promote(later, view(first.name, branch=""), {first.name: wide})
    assert (again.name, again.plan) == (first.name, None)


def test_what_is_global_is_not_promoted():
    with pytest.raises(Refused, match="is already global scope"):
        promoted("x", global_memory(), created_at=NOON, author="")
