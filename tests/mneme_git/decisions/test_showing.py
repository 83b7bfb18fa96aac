import pytest

from mneme_git.decisions import changes, showing
from mneme_git.decisions.in_force import in_force
from mneme_git.decisions.listing import listing_rows, listing_text
from mneme_git.errors import AmbiguousId, NotFound
from mneme_git.model.decision import Authority, Lifecycle, id_of
from mneme_git.model.snapshot import Contested, Fault, Side
from tests.support.make import make_rule, make_snapshot, make_state, make_version

OLD = make_version(
    "ADR-2", "Use X", rationale="because\nof y", scope=("storage", "io"), constraints=("no z",)
)
NEW = make_version(
    "ADR-2", "Use X 2", rationale="because\nof w", anti_patterns=("orm",), predecessor=id_of(OLD)
)
OTHER = make_version("ADR-10", "Use Y")
STATE = make_state(
    OLD,
    NEW,
    rules=(make_rule(OLD, "old"), make_rule(NEW, "import x", include=("src/**",))),
    supersedes=("ADR-1",),
    source="docs/adr/ADR-2-x.md",
)
SNAPSHOT = make_snapshot(STATE, make_state(OTHER, supersedes=("ADR-2",)), versions=(OLD, NEW, OTHER))


def test_a_decision_is_told_in_full():
    assert showing.shown_text(SNAPSHOT, STATE) == "\n".join(
        [
            "[ADR-2] Use X 2",
            "    status: active",
            f"    version: {id_of(NEW)} (2 of 2)",
            "    supersedes: ADR-1",
            "    superseded by: ADR-10",
            "    avoid: orm",
            "    rule: FORBID_LITERAL import x  (version)",
            "      applies to: src/**",
            "    rationale:",
            "      because",
            "      of w",
            "    history:",
            f"      * {id_of(NEW)}  ADR docs/adr/ADR-2-x.md (sha256 000000000000)",
            f"        {id_of(OLD)}  ADR docs/adr/ADR-2-x.md (sha256 000000000000)",
        ]
    )


def test_the_same_facts_are_there_for_programs():
    row = showing.shown(SNAPSHOT, STATE)
    assert row.statement == "Use X 2"
    assert row.superseded_by == ("ADR-10",)
    assert [version["active"] for version in row.versions] == [False, True]
    assert str(row.rules[1]["rule_id"]).startswith("ADR-2:FORBID_LITERAL:")


def test_an_id_may_be_shortened_and_a_wrong_one_says_what_is_near():
    assert showing.find_id(SNAPSHOT, "ADR-2") == "ADR-2"
    assert showing.find_id(SNAPSHOT, "ADR-1") == "ADR-10"
    with pytest.raises(AmbiguousId):
        showing.find_id(SNAPSHOT, "ADR-")
    with pytest.raises(NotFound) as raised:
        showing.find_id(SNAPSHOT, "adr-2")
    assert raised.value.hint == "did you mean 'ADR-2'?"


def test_a_version_is_found_by_its_first_digits():
    assert showing.find_version(SNAPSHOT, id_of(OLD)) == OLD
    assert showing.find_version(SNAPSHOT, id_of(NEW)[:12]) == NEW
    assert showing.find_version(SNAPSHOT, id_of(NEW)[5:12]) == NEW
    with pytest.raises(NotFound):
        showing.find_version(SNAPSHOT, "dver-")
    with pytest.raises(NotFound):
        showing.find_version(SNAPSHOT, "")


def test_a_diff_shows_what_was_said_before_and_after():
    text = changes.version_diff(OLD, NEW, old_rules=STATE.rules[:1], new_rules=STATE.rules[1:])
    assert text.startswith(f"--- ADR-2 {id_of(OLD)}\n+++ ADR-2 {id_of(NEW)}\n")
    for line in [
        "-  Use X",
        "+  Use X 2",
        "-  of y",
        "+  of w",
        "-  - no z",
        "+  - orm",
        "+      only src/**",
    ]:
        assert f"\n{line}" in text
    assert changes.version_diff(OLD, OLD) == ""


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (None, make_state(OLD), ("recorded as active", f"version {id_of(OLD)}, no evidence")),
        (make_state(OLD), None, ("removed from the branch",)),
        (make_state(OLD), make_state(OLD), ()),
        (make_state(OLD), make_state(OLD, status=Lifecycle.DEPRECATED), ("active -> deprecated",)),
        (make_state(OLD), make_state(OLD, NEW), (f"version {id_of(NEW)}, no evidence",)),
        (
            make_state(OLD, NEW),
            make_state(OLD, NEW, active=id_of(OLD)),
            (f"active version is {id_of(OLD)} again",),
        ),
        (make_state(OLD), make_state(OLD, supersedes=("ADR-1",)), ("supersedes ADR-1",)),
        (make_state(OLD, supersedes=("ADR-1",)), make_state(OLD), ("no longer supersedes ADR-1",)),
        (
            make_state(OLD),
            make_state(OLD, rules=(make_rule(OLD, "q", authority=Authority.PROTECTION),)),
            ("rule added: FORBID_LITERAL q (protection)",),
        ),
        (
            make_state(OLD, rules=(make_rule(OLD, "q"),)),
            make_state(OLD),
            ("rule removed: FORBID_LITERAL q (version)",),
        ),
        (
            make_state(OLD),
            make_state(OLD, source="a.md"),
            ("evidence changed: ADR a.md (sha256 000000000000)",),
        ),
    ],
)
def test_a_change_of_state_is_told_in_words(before, after, told):
    assert changes.state_changes(before, after) == told


def test_only_active_decisions_are_in_force_and_each_side_of_a_contest_is():
    ours = make_state(OLD, rules=(make_rule(OLD, "a"),))
    theirs = make_state(OLD, NEW, rules=(make_rule(NEW, "b"),))
    contest = Contested(
        decision_id="ADR-2",
        sides=(
            Side(label="ours", state=ours),
            Side(label="theirs", state=theirs),
            Side(label="gone", state=None),
        ),
        why="both changed it",
    )
    snapshot = make_snapshot(
        make_state(OTHER, status=Lifecycle.SUPERSEDED), versions=(OLD, NEW, OTHER), contested=(contest,)
    )
    found = in_force(snapshot, root="/r")
    assert [(row.id, row.side, [rule.value for rule in row.rules]) for row in found] == [
        ("ADR-2", "ours", ["a"]),
        ("ADR-2", "theirs", ["b"]),
    ]
    told = showing.contested_text(snapshot, contest)
    assert "ours: active, Use X" in told
    assert "gone: deleted" in told
    assert "contested: this is the side of theirs" in listing_text(found)


def test_a_state_without_its_version_is_not_served():
    snapshot = make_snapshot(
        make_state(OLD), versions=(), faults=(Fault(code="X", message="missing", decision_id="ADR-2"),)
    )
    assert in_force(snapshot, root="/r") == ()
    assert "fault: missing" in showing.shown_text(snapshot, snapshot.decisions[0])


def test_the_list_has_the_form_that_programs_know():
    text = listing_text(in_force(SNAPSHOT, root="/r"))
    assert text == "\n".join(
        [
            "[ADR-2] Use X 2",
            "    avoid: orm",
            "    rule: FORBID_LITERAL import x",
            "      applies to: src/**",
            "[ADR-10] Use Y",
        ]
    )
    assert listing_text(()) == "(no decisions)"
    rows = listing_rows(in_force(SNAPSHOT, root="/r"))
    assert rows[0].source == "docs/adr/ADR-2-x.md"
    assert rows[0].rules[0].include_paths == ("src/**",)
