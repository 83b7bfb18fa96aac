import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.record import Draft, plan_add, plan_append
from mneme_git.errors import Refused, Taken
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.plan import ABSENT, PutState, PutVersion, Read, plan_id
from mneme_git.model.snapshot import Contested, Snapshot
from tests.support.make import make_snapshot, make_state, make_version


def draft(**but):
    return Draft(**{"decision_id": "use-x", "statement": "Use X", **but})


def test_a_new_decision_is_one_version_and_one_active_state():
    plan = plan_add(Snapshot(), draft(rationale="why", anti_patterns=("y",)))
    version, state = plan.operations
    assert isinstance(version, PutVersion)
    assert version.version.occurrence == ("cli-add", "use-x")
    assert isinstance(state, PutState)
    assert state.state.active_version_id == id_of(version.version)
    assert state.state.lifecycle_status is Lifecycle.ACTIVE
    assert plan.reads == (Read("decision", "use-x", ABSENT),)


@settings(deadline=None)
@given(st.text(min_size=1), st.text(), st.lists(st.text(), max_size=3))
def test_the_plan_is_a_function_of_what_was_typed(decision_id, statement, scope):
    if decision_id.startswith("dprop-"):
        return
    typed = Draft(decision_id=decision_id, statement=statement, scope=tuple(scope))
    other = make_version("other")
    busy = make_snapshot(make_state(other), versions=(other,))
    if decision_id != "other":
        assert plan_id(plan_add(Snapshot(), typed)) == plan_id(plan_add(busy, typed))


def test_adding_exactly_what_is_there_plans_nothing():
    version = make_version("use-x", "Use X")
    snapshot = make_snapshot(make_state(version), versions=(version,))
    assert plan_add(snapshot, draft()).operations == ()


def test_adding_what_an_older_version_said_plans_nothing():
    first = make_version("use-x", "Use X")
    second = make_version("use-x", "Use X, but newer", predecessor=id_of(first))
    snapshot = make_snapshot(make_state(first, second, status=Lifecycle.DEPRECATED), versions=(first, second))
    assert plan_add(snapshot, draft()).operations == ()


def test_another_content_under_a_known_id_is_refused():
    version = make_version("use-x", "Use X")
    snapshot = make_snapshot(make_state(version), versions=(version,))
    with pytest.raises(Refused, match=r"^cannot add canonical decision 'use-x': .*Nothing was written\.$"):
        plan_add(snapshot, draft(statement="Use Z"))


def test_a_contested_id_is_taken():
    snapshot = Snapshot(contested=(Contested(decision_id="use-x", sides=(), why="two sides"),))
    with pytest.raises(Refused):
        plan_add(snapshot, draft())


@pytest.mark.parametrize(("bad", "why"), [("", "non-empty"), ("dprop-1", "reserved")])
def test_ids_that_cannot_be(bad, why):
    with pytest.raises(Refused, match=why):
        plan_add(Snapshot(), draft(decision_id=bad))


def test_a_time_goes_into_the_operations_for_the_store_that_has_a_place_for_it():
    version, state = plan_add(Snapshot(), draft(), at="2025-01-01T00:00:00Z").operations
    assert (version.created_at, state.updated_at) == ("2025-01-01T00:00:00Z",) * 2
    version, state = plan_add(Snapshot(), draft()).operations
    assert (version.created_at, state.updated_at) == ("", "")


def test_a_row_more_is_refused_for_any_id_in_use_and_for_no_other_reason():
    known = make_version("use-x")
    busy = make_snapshot(make_state(known), versions=(known,))
    with pytest.raises(Taken, match=r"^decision id 'use-x' already exists$"):
        plan_append(busy, draft(), at="now")
    assert plan_append(busy, draft(decision_id="dprop-1"), at="now").operations
