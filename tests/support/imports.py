"""Planned imports of a folder of ADRs, and what tests ask of such a plan."""

from __future__ import annotations

from typing import Any

from mneme_git.decisions.import_plan import plan_import
from mneme_git.model.adr_import import ImportOptions, ImportPlan, Row
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import folder

PLAIN = ImportOptions()


def plan(
    files: dict[str, str | bytes],
    snapshot: Snapshot | None = None,
    options: ImportOptions = PLAIN,
    **more: Any,
) -> ImportPlan:
    return plan_import(folder(files), snapshot or Snapshot(), options, **more)


def row(planned: ImportPlan, given: str) -> Row:
    return next(each for each in planned.rows if each.adr.id == given)


def codes(planned: ImportPlan) -> list[str]:
    return [refusal.code for refusal in planned.refusals]
