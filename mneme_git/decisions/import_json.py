"""The result of an import for programs: one object, keys in a fixed order."""

from typing import Any

from mneme_git.decisions.import_listing import is_in_force
from mneme_git.decisions.import_report import counts, has_findings, is_retrieval_only, shown_remarks
from mneme_git.model.adr import Problem, Remark
from mneme_git.model.adr_import import ImportOptions, ImportPlan, Row
from mneme_git.model.plan import Receipt


def as_object(plan: ImportPlan, *, code: str, receipt: Receipt | None = None) -> dict[str, Any]:
    """Return everything about ``plan``; ``receipt`` is given if it was carried out."""
    return {
        "schema": "mneme.adr-import/v1",
        "code": code,
        "folder": plan.folder,
        "plan": plan.plan_id,
        "applied": receipt is not None,
        "counts": counts(plan),
        "adrs": [_row(row) for row in plan.rows],
        "partners": [{"id": each.id, "because": each.because} for each in plan.partners],
        "ties": [
            {"scope": tie.scope, "ids": list(tie.top), "left_out": list(tie.group)} for tie in plan.ties
        ],
        "losers": [{"id": row.adr.id, "to": row.loses_to} for row in plan.rows if row.loses_to],
        "retrieval_only": [row.adr.id for row in plan.rows if is_retrieval_only(row)],
        "obligations": [
            {"id": each.decision_id, "rules": [rule.id for rule in each.rules]} for each in plan.obligations
        ],
        "effects": [
            {"id": each.decision_id, "by": each.superseded_by, "rules": [rule.id for rule in each.rules]}
            for each in plan.effects
        ],
        "gone": [{"id": each.id, "path": each.path, "status": each.lifecycle} for each in plan.gone],
        "skipped": [{"path": each.path, "reason": each.reason} for each in plan.skipped],
        "remarks": [_located(each) for each in shown_remarks(plan)],
        "problems": [{**_located(each), "hint": each.hint} for each in plan.problems],
        "refusals": [
            {"code": each.code, "message": each.message, "hint": each.hint} for each in plan.refusals
        ],
        "journal": receipt.journal if receipt is not None else "",
        "paths": list(receipt.paths) if receipt is not None else [],
        "staged": receipt is not None and receipt.staged,
    }


def outcome(plan: ImportPlan, options: ImportOptions, *, apply: bool) -> tuple[str, int]:
    """Return the stable word and the exit status of an import.

    A preview gives 0 where there is nothing to look at, 1 where there is, and 2 where something must
    be mended before any of it can be written. Applying gives 0 or 2.
    """
    must_mend = any(not each.by_design for each in plan.refusals)
    if apply:
        return ("REFUSED", 2) if plan.refusals else ("APPLIED" if plan.plan.operations else "UNCHANGED", 0)
    if must_mend or (plan.problems and not options.partial):
        return "PROBLEMS", 2
    return ("DIAGNOSTICS", 1) if has_findings(plan, options) else ("OK", 0)


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.adr.id,
        "path": row.adr.path,
        "dialect": row.adr.dialect,
        "title": row.adr.title,
        "change": row.change,
        "status": row.lifecycle.value,
        "in_force": is_in_force(row),
        "before": row.before.value if row.before is not None else None,
        "superseded_by": row.superseded_by or None,
        "renamed_from": row.renamed_from or None,
        "needs_update": row.needs_update,
        "because": list(row.because),
        "rules": [_rule(rule.type, rule.value, rule.applicability, rule.line) for rule in row.adr.rules],
        "constraints": list(row.adr.constraints),
    }


def _rule(kind: str, value: str, applies: Any, line: int) -> dict[str, Any]:
    return {
        "type": kind,
        "value": value,
        "include_paths": list(applies.include_paths) if applies.include_paths else None,
        "exclude_paths": list(applies.exclude_paths or ()),
        "line": line,
    }


def _located(each: Problem | Remark) -> dict[str, Any]:
    return {"path": each.path, "line": each.line, "code": each.code, "message": each.message}
