from __future__ import annotations

import pytest

from mneme_git.errors import Refused
from mneme_git.model.activation import activated, new_record, set_up

NOW = "2025-01-02T03:04:05Z"


def turn(record, *, present=True):
    return activated(record, present=present, path="m.json", now=NOW)


def test_a_file_without_the_record_gets_one_in_the_order_of_the_format():
    made = turn(None, present=False)
    assert list(made) == [
        "schema", "state", "mneme_version", "setup_started_at", "setup_completed_at", "activated_at",
        "audit_ref", "baseline", "integrations_detected", "integrations_configured", "enforcement",
    ]  # fmt: skip
    assert (made["state"], made["activated_at"], made["enforcement"]) == ("active", NOW, "not_enabled")


def test_a_project_that_is_set_up_becomes_active_and_keeps_everything_else():
    record = {**new_record(state="setup", setup_started_at="then"), "mneme_version": "0.9.2", "extra": [1]}
    made = turn(record)
    assert made == {**record, "state": "active", "activated_at": NOW}
    assert list(made) == list(record)
    assert record["state"] == "setup"


def test_an_active_record_is_left_alone():
    assert turn(new_record(state="active", activated_at="then")) is None


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"schema": "x"}, "activation record in m.json uses unsupported schema 'x'; refusing to modify it"),
        (
            {"schema": "mneme.setup/v1", "state": "zzz"},
            """existing activation record in m.json is invalid: unknown activation state 'zzz' \
(expected one of ['not_installed', 'setup', 'active'])""",
        ),
        (
            {"schema": "mneme.setup/v1", "state": "not_installed"},
            """activation record in m.json cannot transition from 'not_installed' to 'active': \
invalid activation transition 'not_installed' -> 'active'""",
        ),
        ("on", "activation record in m.json is not an object; refusing to modify it"),
        ({"schema": "mneme.setup/v1", "state": []}, "unknown activation state []"),
    ],
)
def test_a_record_that_may_not_become_active_is_refused_in_the_words_of_the_format(record, text):
    with pytest.raises(Refused) as raised:
        turn(record)
    assert text in raised.value.message


def test_null_is_no_record_and_a_record_without_a_schema_is_one_of_ours():
    assert turn(None) == turn(None, present=False)
    assert turn({"state": "setup"}) == {"state": "setup", "activated_at": NOW} | {"state": "active"}


def ready(record, *, present=True, detected=("kiro",)):
    return set_up(record, present=present, path="m.json", now=NOW, detected=detected)


def test_setting_up_records_when_and_what_was_found_once():
    made = ready(None, present=False)
    assert (made["state"], made["setup_started_at"], made["activated_at"]) == ("setup", NOW, None)
    assert made["integrations_detected"] == ["kiro"]
    assert ready(made) is None
    assert ready(made, detected=("codex_cli",)) == {**made, "integrations_detected": ["codex_cli"]}


def test_setting_up_keeps_what_the_record_says_beside_and_adds_what_is_missing():
    record = {"mine": 1, "state": "not_installed", "setup_started_at": "then"}
    made = ready(record)
    assert list(made)[:4] == ["mine", "state", "setup_started_at", "integrations_detected"]
    assert (made["mine"], made["setup_started_at"], made["setup_completed_at"]) == (1, "then", NOW)
    assert ready({"state": "active"}) is None


@pytest.mark.parametrize("record", [{"schema": "x"}, "on", {"state": "zzz"}, {}])
def test_setting_up_leaves_a_record_that_it_does_not_know(record):
    with pytest.raises(Refused):
        ready(record)
