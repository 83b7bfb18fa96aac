import pytest
from msgspec.structs import replace

from mneme_git.decisions.adr_read import read_folder
from mneme_git.decisions.import_plan import plan_import
from mneme_git.decisions.resolve_import import adr_path, base_side, plan_resolve_as_merged
from mneme_git.errors import Refused
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.codec import encode_state
from mneme_git.model.decision import Authority, Lifecycle, id_of
from mneme_git.model.plan import PutEvidence, PutState, PutVersion, Read
from mneme_git.model.snapshot import Contested, Side, Snapshot
from mneme_git.text.canonical import sha256_hex
from tests.support.make import make_rule

PATH = "docs/adr/ADR-001-x.md"
TEXT = "---\nid: ADR-001\ntitle: T\nstatus: accepted\npriority: normal\ndate: 2024-01-01\n---\n\n## Decision\n\n{}\n"


def folder_of(text):
    data = TEXT.format(text).encode()
    digest = sha256_hex(data)
    source = AdrSource(path=PATH, data=data, blob=digest[:40], object_format="sha1", raw_sha256=digest)
    return read_folder([source], "docs/adr")


def imported(text, on=None):
    """Return the state and the versions after importing ``text``, on top of a snapshot."""
    before = on or Snapshot()
    plan = plan_import(folder_of(text), before).plan
    (state,) = (op.state for op in plan.operations if isinstance(op, PutState))
    added = {id_of(op.version): op.version for op in plan.operations if isinstance(op, PutVersion)}
    return state, {**before.versions, **added}


FIRST, V1 = imported("base")
BASE = Snapshot(decisions=(FIRST,), versions=V1)
OURS, OURS_VERSIONS = imported("ours", BASE)
THEIRS, THEIRS_VERSIONS = imported("theirs", BASE)


def contested(ours=OURS, theirs=THEIRS, **but):
    sides = tuple(
        Side(label=label, state=state, data=encode_state(state) if state else b"")
        for label, state in (("ours", ours), ("theirs", theirs))
    )
    found = Contested(
        decision_id="ADR-001", sides=sides, why="merge", paths=(".mneme/decisions/adr-001.json",), **but
    )
    return Snapshot(contested=(found,), versions={**OURS_VERSIONS, **THEIRS_VERSIONS})


def test_the_merged_text_becomes_a_version_after_those_of_the_side():
    resolution = plan_resolve_as_merged(contested(), "ADR-001", "theirs", folder_of("both"))
    (state,) = (op.state for op in resolution.plan.operations if isinstance(op, PutState))
    assert [entry.version_id for entry in state.versions[:2]] == [
        entry.version_id for entry in THEIRS.versions
    ]
    assert state.versions[2].predecessor == THEIRS.active_version_id
    written = {id_of(op.version) for op in resolution.plan.operations if isinstance(op, PutVersion)}
    assert written == {entry.version_id for entry in state.versions}
    assert [op.locator for op in resolution.plan.operations if isinstance(op, PutEvidence)] == [PATH]
    assert Read("decision", "ADR-001", "contested") in resolution.plan.reads
    assert [read.name for read in resolution.plan.reads if read.what == "adr"] == [PATH]


def test_text_that_the_side_has_already_adds_nothing():
    resolution = plan_resolve_as_merged(contested(), "ADR-001", "ours", folder_of("ours"))
    assert PutState(OURS) in resolution.plan.operations


def test_protected_rules_that_the_text_no_longer_has_stop_it():
    version = OURS_VERSIONS[OURS.active_version_id]
    rule = make_rule(version, "redis", authority=Authority.PROTECTION)
    protected = replace(OURS, rules=(rule,))
    with pytest.raises(Refused, match="protected rules"):
        plan_resolve_as_merged(contested(protected), "ADR-001", "ours", folder_of("both"))


def test_an_adr_that_cannot_be_read_or_is_another_one_stops_it():
    data = b"not an ADR"
    broken = read_folder([AdrSource(path=PATH, data=data, raw_sha256=sha256_hex(data))], "docs/adr")
    with pytest.raises(Refused, match="cannot be imported"):
        plan_resolve_as_merged(contested(), "ADR-001", "ours", broken)


def test_a_side_without_an_adr_has_none_to_import():
    gone = contested(ours=None)
    with pytest.raises(Refused, match="not read from an ADR"):
        adr_path(gone, "ADR-001", "ours")
    assert adr_path(gone, "ADR-001", "theirs") == PATH


def test_the_side_to_build_on_is_the_one_that_goes_on_then_ours_then_what_there_is():
    (found,) = contested(continued_by="theirs").contested
    assert base_side(found) == "theirs"
    assert base_side(contested().contested[0]) == "ours"
    assert base_side(contested(ours=None).contested[0]) == "theirs"


def test_a_side_that_was_retired_is_active_again_only_by_the_word_of_the_adr():
    retired = replace(THEIRS, lifecycle_status=Lifecycle.SUPERSEDED)
    resolution = plan_resolve_as_merged(contested(theirs=retired), "ADR-001", "theirs", folder_of("both"))
    (state,) = (op.state for op in resolution.plan.operations if isinstance(op, PutState))
    assert state.lifecycle_status is Lifecycle.ACTIVE
