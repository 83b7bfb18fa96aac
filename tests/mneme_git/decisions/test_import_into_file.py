"""The plan of an import into a memory file, in the order and the words of the format."""

import pytest

from mneme_git.decisions.import_file import Target, preview_file
from mneme_git.decisions.import_into_file import Incoming, plan_into_file
from mneme_git.errors import Refused
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import (
    AdrEvidence,
    Authority,
    Lifecycle,
    active_evidence,
    active_rules,
    id_of,
    rule_id_of,
)
from mneme_git.model.plan import ABSENT, PutState, PutVersion, Read
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import blob_id, rules, source, strict
from tests.support.make import make_rule, make_snapshot, make_state, make_version

PLAIN = ImportOptions()
UPDATE = ImportOptions(update_existing=True)


def plan(files, snapshot=None, options=PLAIN, items=frozenset()):
    snapshot = snapshot or Snapshot()
    sources = [source(name, text) for name, text in files.items()]
    found = preview_file(sources, "docs/adr", Target(snapshot=snapshot, items=items, has_index=True))
    assert not found.problems, found.problems
    incoming = Incoming(
        folder="docs/adr",
        rows=found.rows,
        links=found.links,
        ties=found.ties,
        locators={row.adr.path: f"../{row.adr.path}" for row in found.rows},
        blobs={row.adr.path: blob_id(row.adr.data) for row in found.rows},
    )
    return plan_into_file(incoming, snapshot, items, options)


def after(files, snapshot=None, options=PLAIN, **more):
    """Return the snapshot with the plan carried out."""
    snapshot = snapshot or Snapshot()
    states = {state.decision_id: state for state in snapshot.decisions}
    versions = dict(snapshot.versions)
    for operation in plan(files, snapshot, options, **more).operations:
        if isinstance(operation, PutVersion):
            versions[id_of(operation.version)] = operation.version
        else:
            states[operation.state.decision_id] = operation.state
    return Snapshot(decisions=tuple(states.values()), versions=versions)


def lifecycles(snapshot):
    return {state.decision_id: state.lifecycle_status.value for state in snapshot.decisions}


def refusal(*args, **more):
    with pytest.raises(Refused) as raised:
        plan(*args, **more)
    return raised.value.message


ONE = {"ADR-001-a.md": strict(1, body="Body.\n" + rules("redis"))}


def test_a_new_decision_has_the_date_of_its_adr_and_its_place_seen_from_the_file():
    made = plan(ONE)
    version, state = made.operations
    assert (version.created_at, state.updated_at) == ("2025-01-01", "2025-01-01")
    [row] = active_evidence(state.state)
    assert row == AdrEvidence(source_locator="../docs/adr/ADR-001-a.md", sha256=version.version.occurrence[1])
    assert [(rule.value, rule.authority) for rule in state.state.rules] == [("redis", Authority.VERSION)]
    assert made.reads == (
        Read("adr", "../docs/adr/ADR-001-a.md", blob_id(ONE["ADR-001-a.md"].encode())),
        Read("decision", "ADR-001", ABSENT),
    )


def test_new_decisions_of_every_lifecycle_come_in_text_order_of_id():
    made = plan(
        {
            "ADR-2-b.md": strict("ADR-2", scope="b", status="proposed"),
            "ADR-10-a.md": strict("ADR-10", scope="a", supersedes="[ADR-3]"),
            "ADR-3-c.md": strict("ADR-3", scope="c"),
            "ADR-4-d.md": strict("ADR-4", scope="a", priority="exception"),
        }
    )
    states = [op.state for op in made.operations if isinstance(op, PutState)]
    assert [(s.decision_id, s.lifecycle_status.value) for s in states] == [
        ("ADR-10", "active"),
        ("ADR-2", "inactive"),
        ("ADR-3", "superseded"),
        ("ADR-4", "inactive"),
    ]
    assert [link.target_decision_id for link in states[0].relationships] == ["ADR-3"]


def test_importing_again_plans_nothing_and_needs_to_be_allowed():
    first = after(ONE)
    assert plan(ONE, first, UPDATE).operations == ()
    assert refusal(ONE, first) == (
        "ADR import refused: id 'ADR-001' already exists in canonical decision authority. Pass --update-existing to "
        "create or reuse an immutable version occurrence, or rename the incoming ADR."
    )


def test_any_other_byte_makes_a_successor_with_the_rules_of_the_new_text():
    first = after(ONE)
    text = strict(1, "Use SQLite 3", body="Body.\n" + rules("mongo"), date="2025-02-02")
    made = plan({"ADR-001-a.md": text}, first, UPDATE)
    version, state = made.operations
    old = first.state("ADR-001")
    assert version.version.predecessor == old.active_version_id
    assert (version.created_at, state.updated_at) == ("2025-02-02", "2025-02-02")
    assert [rule.value for rule in active_rules(state.state)] == ["mongo"]
    assert state.state.rules[0] == old.rules[0]
    assert Read("decision", "ADR-001", state_digest(old)) in made.reads


def test_successors_come_narrow_scopes_first_and_after_all_new_ones():
    files = {
        "ADR-001-a.md": strict(1),
        "ADR-002-b.md": strict(2, scope="a.b"),
        "ADR-003-c.md": strict(3, scope="a", priority="foundational"),
        "ADR-004-d.md": strict(4, scope="c"),
    }
    first = after(files)
    changed = {name: text.replace("Body.", "Other.") for name, text in files.items()}
    changed["ADR-009-z.md"] = strict(9, scope="z")
    made = plan(changed, first, UPDATE)
    order = [op.state.decision_id for op in made.operations if isinstance(op, PutState)]
    assert order == ["ADR-009", "ADR-002", "ADR-003", "ADR-004", "ADR-001"]


def test_ids_of_older_items_are_never_taken_over():
    items = frozenset({"ADR-001"})
    assert refusal(ONE, options=UPDATE, items=items) == (
        "ADR import refused: id 'ADR-001' exists in items[]; --update-existing cannot migrate identity across sections."
    )
    proposed = {"ADR-001-a.md": strict(1, status="proposed")}
    assert refusal(proposed, items=items) == (
        "ADR import refused: id 'ADR-001' exists in items[]; canonical ADR identity cannot replace it."
    )


TIED = {
    "ADR-001-a.md": strict(1, scope="x"),
    "ADR-002-b.md": strict(2, scope="x"),
    "ADR-003-c.md": strict(3, scope="x", status="deprecated"),
    "ADR-004-d.md": strict(4, scope="y"),
}


def test_a_scope_without_a_winner_is_refused_or_left_out_whole():
    assert refusal(TIED).startswith(
        "ADR import refused: active-active contradiction in corpus. Pass approve_conflicts=True"
    )
    assert lifecycles(after(TIED, options=ImportOptions(approve_conflicts=True))) == {"ADR-004": "active"}


def test_an_adr_in_force_retires_what_it_supersedes_on_its_own_date():
    first = after({"ADR-001-a.md": strict(1, scope="x")})
    files = {
        "ADR-001-a.md": strict(1, scope="x"),
        "ADR-002-b.md": strict(2, scope="x", date="2025-03-03", supersedes="[ADR-001]"),
    }
    made = plan(files, first)
    by_id = {op.state.decision_id: op for op in made.operations if isinstance(op, PutState)}
    assert by_id["ADR-001"].state.lifecycle_status is Lifecycle.SUPERSEDED
    assert by_id["ADR-001"].updated_at == "2025-03-03"
    assert [link.target_decision_id for link in by_id["ADR-002"].state.relationships] == ["ADR-001"]


def test_relations_may_grow_and_change_order_but_not_shrink():
    files = {
        "ADR-001-a.md": strict(1, scope="x"),
        "ADR-002-b.md": strict(2, scope="y"),
        "ADR-003-c.md": strict(3, scope="z", supersedes="[ADR-001]"),
    }
    first = after(files)
    files["ADR-003-c.md"] = strict(3, scope="z", supersedes="[ADR-002, ADR-001]")
    second = after(files, first, UPDATE)
    links = [link.target_decision_id for link in second.state("ADR-003").relationships]
    assert links == ["ADR-002", "ADR-001"]
    files["ADR-003-c.md"] = strict(3, scope="z", supersedes="[ADR-002]")
    files["ADR-001-a.md"] = strict(1, scope="x", status="superseded")
    assert refusal(files, second, UPDATE) == (
        "ADR import refused while applying supersession from 'ADR-003': decision 'ADR-003' cannot remove persisted "
        "supersedes relationships in D1D: ['ADR-001']"
    )


def test_a_target_named_twice_or_left_out_is_refused():
    twice = {
        "ADR-001-a.md": strict(1, scope="x"),
        "ADR-002-b.md": strict(2, scope="y", supersedes="[ADR-001, ADR-001]"),
    }
    assert refusal(twice).endswith("decision 'ADR-002' declares duplicate supersedes targets")
    gone = TIED | {"ADR-004-d.md": strict(4, scope="y", supersedes="[ADR-003]")}
    assert refusal(gone, options=ImportOptions(approve_conflicts=True)).endswith(
        "decision 'ADR-004' supersedes target 'ADR-003' does not exist canonically"
    )


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        ("proposed", "accepted", "inactive", "active"),
        ("accepted", "deprecated", "active", "deprecated"),
        ("accepted", "superseded", "active", "superseded"),
        ("deprecated", "accepted", "deprecated", "active"),
    ],
)
def test_a_lifecycle_follows_its_adr_where_that_is_allowed(before, now, old, new):
    first = after({"ADR-001-a.md": strict(1, status=before)})
    files = {"ADR-001-a.md": strict(1, status=now, date="2025-04-04")}
    if now != "accepted":  # else the id alone is reason enough
        assert refusal(files, first) == (
            f"ADR import refused: decision 'ADR-001' would change lifecycle from '{old}' to '{new}' without an explicit "
            "active supersedes relationship. General lifecycle editing is D1E."
        )
    made = plan(files, first, UPDATE)
    put = made.operations[-1]
    assert (put.state.lifecycle_status.value, put.updated_at) == (new, "2025-04-04")


def test_a_precedence_loser_wins_when_the_winner_gives_way():
    files = {"ADR-001-a.md": strict(1, scope="x"), "ADR-002-b.md": strict(2, scope="x", date="2025-02-02")}
    first = after(files)
    assert lifecycles(first) == {"ADR-001": "inactive", "ADR-002": "active"}
    files["ADR-002-b.md"] = strict(2, scope="x", date="2025-02-02", status="deprecated")
    assert lifecycles(after(files, first, UPDATE)) == {"ADR-001": "active", "ADR-002": "deprecated"}


def test_a_text_that_is_not_in_force_is_recorded_with_every_rule_when_it_says_something_else():
    first = after({"ADR-001-a.md": strict(1, status="deprecated", body="Body.\n" + rules("redis"))})
    touched = {"ADR-001-a.md": strict(1, status="deprecated", body="Body.\n" + rules("redis"), owner="me")}
    assert plan(touched, first, UPDATE).operations == ()
    changed = {"ADR-001-a.md": strict(1, status="deprecated", body="Other.\n" + rules("redis"))}
    assert plan(changed, first).operations == ()
    second = after(changed, first, UPDATE)
    assert len(second.state("ADR-001").versions) == 2
    assert [rule.value for rule in active_rules(second.state("ADR-001"))] == ["redis"]


def protected(*rows):
    """A decision from an ADR whose rules have these (value, authority)."""
    version = make_version("ADR-001", "By hand")
    bound = tuple(
        make_rule(version, value, at, authority=authority) for at, (value, authority) in enumerate(rows)
    )
    state = make_state(version, rules=bound)
    return make_snapshot(state, versions=(version,)), [rule_id_of("ADR-001", rule) for rule in bound]


def test_bound_rules_are_never_dropped_without_a_word():
    first, (kept, gone) = protected(("a", Authority.PROTECTION), ("b", Authority.LEGACY_UNKNOWN))
    files = {"ADR-001-a.md": strict(1, body=rules("c"))}
    assert refusal(files, first, UPDATE) == (
        "ADR import refused while evolving 'ADR-001': decision 'ADR-001': version evolution would drop "
        f"protection/legacy_unknown bindings ['{kept}', '{gone}']; pass --preserve-protection or --release-protection for "
        "each (ADR-030 §9a)"
    )
    options = ImportOptions(update_existing=True, preserve=(kept,), release=(gone,))
    second = after(files, first, options)
    rows = [(rule.value, rule.authority, rule.sequence) for rule in active_rules(second.state("ADR-001"))]
    assert rows == [("c", Authority.VERSION, 0), ("a", Authority.PROTECTION, 1)]
    assert plan(files, second, options).operations == ()
    other = ImportOptions(update_existing=True, release=(kept, gone))
    assert "rule bindings differ from the persisted immutable occurrence" in refusal(files, second, other)


def test_requests_must_be_about_something():
    first, (kept,) = protected(("a", Authority.PROTECTION))
    files = {"ADR-001-a.md": strict(1, body=rules("a"))}
    other = ImportOptions(update_existing=True, preserve=("ADR-009:FORBID_LITERAL:" + "0" * 32,))
    assert "does not name a rule of an incoming, already-canonical decision." in refusal(files, first, other)
    needless = ImportOptions(update_existing=True, preserve=(kept,))
    assert "are still derived by the new source; preserving them is meaningless" in refusal(
        files, first, needless
    )
    idle = after(ONE)
    name = rule_id_of("ADR-001", active_rules(idle.state("ADR-001"))[0])
    assert refusal(ONE, idle, ImportOptions(update_existing=True, release=(name,))) == (
        "ADR import refused: 'ADR-001' is not evolving (unchanged content and source, no predecessor), so "
        "preserve/release requests for it would have no effect."
    )


def test_a_pin_allows_one_successor_and_its_repetition():
    first = after(ONE)
    pin = first.state("ADR-001").active_version_id
    options = ImportOptions(update_existing=True, pins=(("ADR-001", pin),))
    files = {"ADR-001-a.md": strict(1, "Two", body=rules("redis"))}
    second = after(files, first, options)
    assert plan(files, second, options).operations == ()
    assert plan(ONE, second, UPDATE).operations != ()
    third = {"ADR-001-a.md": strict(1, "Three")}
    assert refusal(third, second, options) == (
        f"ADR import refused while evolving 'ADR-001': stale version evolution for 'ADR-001': expected active "
        f"predecessor '{pin}', found '{second.state('ADR-001').active_version_id}'"
    )


@pytest.mark.parametrize(
    ("pin", "text"),
    [
        (
            ("ADR-009", "dver-" + "0" * 32),
            "expected predecessor names 'ADR-009', which is not an incoming active ADR.",
        ),
        (("ADR-001", "dver-" + "0" * 32), "is not a persisted version of 'ADR-001'."),
    ],
)
def test_a_pin_must_name_a_version_of_an_adr_that_comes_in(pin, text):
    assert refusal(ONE, after(ONE), ImportOptions(update_existing=True, pins=(pin,))).endswith(text)


def test_a_new_decision_cannot_be_pinned():
    options = ImportOptions(update_existing=True, pins=(("ADR-001", "dver-" + "0" * 32),))
    assert refusal(ONE, options=options).endswith("a new decision has no predecessor to pin.")
