"""The decisions of a store as the index tools see them."""

from __future__ import annotations

from typing import Any

from mneme_git.decisions.index_records import CanonicalIndex
from mneme_git.model.decision import DecisionState, Lifecycle, Version
from mneme_git.model.recorded import Recorded
from tests.support.make import make_snapshot, make_state, make_version


def index_of(
    *states: DecisionState, versions: tuple[Version, ...] = (), recorded: Recorded | None = None, **but: Any
) -> CanonicalIndex:
    return CanonicalIndex(make_snapshot(*states, versions=versions, **but), recorded or Recorded())


def one(decision_id: str = "d1", **but: Any) -> CanonicalIndex:
    """Return an index with one decision of one version."""
    status = but.pop("status", Lifecycle.ACTIVE)
    version = make_version(decision_id, **but)
    return index_of(make_state(version, status=status), versions=(version,))
