"""The ``activation`` record of a memory file: how far a project is with being protected.

Only a memory file has it; the git store keeps no such state. The check and the hooks never read it.
"""

from collections.abc import Sequence
from typing import Any

from mneme_git.errors import Refused
from mneme_git.text.quoting import quoted

SCHEMA = "mneme.setup/v1"
STATES = ("not_installed", "setup", "active")
# The release of the existing format that records are written for, whatever our own version is.
FORMAT_VERSION = "0.10.0"


def activated(record: Any, *, present: bool, path: str, now: str) -> dict[str, Any] | None:
    """Return the record as it is once a protection is in force; None if it is so already.

    ``record`` is the value of the key, ``present`` whether the file has the key at all; null is no
    record. ``now`` is UTC, ``YYYY-MM-DDTHH:MM:SSZ``; ``path`` names the file in messages. Unknown
    keys and the order of the keys are kept.

    Raises:
        Refused: the record is not one that may become active.
    """
    if not present or record is None:
        return new_record(state="active", activated_at=now)
    state = _known_state(record, path)
    if state == "active":
        return None
    if state != "setup":
        move = f"{quoted(state)} -> 'active'"
        raise Refused(
            f"activation record in {path} cannot transition from {quoted(state)} to 'active': "
            f"invalid activation transition {move}"
        )
    return {**record, "state": "active", "activated_at": now}


def set_up(
    record: Any, *, present: bool, path: str, now: str, detected: Sequence[str]
) -> dict[str, Any] | None:
    """Return the record as setting up a project leaves it; None if it is so already.

    ``detected`` are the coding agents that were found. A project that is active stays as it is.
    The other arguments are as for ``activated``; keys that are not there are added at the end.

    Raises:
        Refused: the record is not one that we know.
    """
    fresh = new_record(state="setup", setup_started_at=now, setup_completed_at=now, detected=detected)
    if not present or record is None:
        return fresh
    if _known_state(record, path) == "active":
        return None
    made = {**record, "state": "setup", "integrations_detected": list(detected)}
    made |= {key: value for key, value in fresh.items() if key not in made}
    return None if made == record else made


def new_record(
    *,
    state: str,
    setup_started_at: str = "",
    setup_completed_at: str = "",
    activated_at: str | None = None,
    detected: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a fresh record; its keys stand in the order of the format."""
    return {
        "schema": SCHEMA,
        "state": state,
        "mneme_version": FORMAT_VERSION,
        "setup_started_at": setup_started_at,
        "setup_completed_at": setup_completed_at,
        "activated_at": activated_at,
        "audit_ref": "",
        "baseline": None,
        "integrations_detected": list(detected),
        "integrations_configured": [],
        "enforcement": "not_enabled",
    }


def _known_state(record: Any, path: str) -> str:
    if not isinstance(record, dict):
        raise Refused(f"activation record in {path} is not an object; refusing to modify it")
    if record.get("schema") not in (None, SCHEMA):
        raise Refused(
            f"activation record in {path} uses unsupported schema {quoted(record.get('schema'))}; "
            "refusing to modify it"
        )
    state = record.get("state")
    if not isinstance(state, str) or state not in STATES:
        raise Refused(
            f"existing activation record in {path} is invalid: unknown activation state {quoted(state)} "
            f"(expected one of {list(STATES)})"
        )
    return state
