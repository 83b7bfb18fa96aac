"""Plans for a store on a memory file, at one fixed time."""

from __future__ import annotations

import json
from typing import Any

from mneme_git.decisions.record import Draft, plan_add
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.plan import Plan, PutState, PutVersion, Read
from mneme_git.store.memory_file import MemoryFile

NOW = 1_700_000_000
STAMP = "2023-11-14T22:13:20Z"


def add_plan(store: MemoryFile, decision_id: str = "d9", statement: str = "Use X", **more: Any) -> Plan:
    return plan_add(store.load(), Draft(decision_id=decision_id, statement=statement, **more), at=STAMP)


def put(
    store: MemoryFile,
    state: DecisionState,
    *versions: Version,
    verb: str = "change",
    updated_at: str = "",
    **more: Any,
) -> Plan:
    """Plan another state of a decision that is there."""
    old = store.load().state(state.decision_id)
    assert old is not None
    return Plan(
        verb=verb,
        subject=state.decision_id,
        operations=(*(PutVersion(each, STAMP) for each in versions), PutState(state, updated_at)),
        reads=(Read("decision", state.decision_id, state_digest(old)),),
        **more,
    )


def document_of(store: MemoryFile) -> dict[str, Any]:
    return json.loads(store.path.read_bytes())
