"""The text of an import for people: the preview, and what applying it did."""

from collections.abc import Iterable, Sequence

from mneme_git.decisions.directives import NOT_ENFORCED
from mneme_git.decisions.import_listing import is_in_force, listing, many, rule_lines
from mneme_git.decisions.precedence import active_order
from mneme_git.model.adr import Problem, Remark
from mneme_git.model.adr_import import BoundRule, ImportOptions, ImportPlan, Row
from mneme_git.text.printable import text_of
from mneme_git.text.quoting import quoted

TITLE = "ADR import preview"
RULE = "=" * 60
_FEW = 3
_NO_DIRECTIVES = "      (no supported ## Constraints directives)"
_RETRIEVAL = "Retrieval-only ADR warnings:"
_ADVICE = (
    "Add an enforceable directive such as FORBID_LITERAL under ## Constraints to make enforcement explicit."
)
_APPROVE = (
    "  To import the active set above and skip the conflicting scope(s), re-run with --approve-conflicts."
)


def preview(plan: ImportPlan, options: ImportOptions) -> str:
    """Return the preview: sections that end with an empty line, then the id of the plan."""
    sections = (
        listing(plan.rows),
        tie_section(plan),
        _retrieval(plan.rows),
        _needs_update(plan.rows, options),
        obligation_section(plan),
        effect_section(plan),
        section("Other decisions that change:", [f"{each.id}: {each.because}" for each in plan.partners]),
        _losers(plan.rows),
        section("Gone ADR files (their decisions stay as they are):", _gone(plan)),
        section("Skipped files:", [f"{each.path}: {each.reason}" for each in plan.skipped]),
        _remarks(plan),
        section("Problems:", [located(each, each.hint) for each in plan.problems]),
    )
    return text_of([TITLE, RULE, "", *[line for part in sections for line in part], *_closing(plan)])


def applied(plan: ImportPlan, staged: bool, *, where: str) -> str:
    """Return what was written, in one line for the whole and one for each scope left out."""
    counted = counts(plan)
    if not plan.plan.operations:
        lines = [
            f"Nothing to write: {where} has {many(len(plan.rows), 'ADR')} of {plan.folder} as they stand."
        ]
    else:
        total = sum(counted.values()) - counted["unchanged"]
        kept = f", {counted['unchanged']} unchanged" if counted["unchanged"] else ""
        parts = ", ".join(f"{counted[name]} {label}" for name, label in _COUNTED if counted[name])
        end = " and staged" if staged else ""
        lines = [f"Wrote {many(total, 'decision')} to {where}{end} ({parts}{kept})."]
    lines += [f"Skipped conflicting scope {quoted(tie.scope)}: {', '.join(tie.top)}" for tie in plan.ties]
    return text_of(lines)


def next_command(plan: ImportPlan, options: ImportOptions, folder: str) -> str:
    """Return what to do after a preview."""
    if not plan.plan.operations:
        return "Nothing to write."
    if any(not refusal.by_design for refusal in plan.refusals):
        return "Nothing was written. Mend what is listed above, then preview again."
    wanted = {
        "--update-existing": options.update_existing or any(row.needs_update for row in plan.rows),
        "--partial": bool(plan.problems),
        "--approve-conflicts": bool(plan.ties),
    }
    flags = " ".join(
        ["--apply", "--plan", plan.plan_id, *(flag for flag, is_wanted in wanted.items() if is_wanted)]
    )
    return f"Preview only; nothing was written. To write exactly this: mneme adr import {folder} {flags}"


def counts(plan: ImportPlan) -> dict[str, int]:
    """Return how many decisions are new, get a new version, change otherwise, or stay."""
    found = dict.fromkeys(("new", "changed", "state", "unchanged", "tied"), 0)
    for row in plan.rows:
        found[row.change] += 1
    found["state"] += len(plan.partners)
    del found["tied"]
    return found


_COUNTED = (("new", "new"), ("changed", "with a new version"), ("state", "changed otherwise"))


def has_findings(plan: ImportPlan, options: ImportOptions) -> bool:
    """Tell whether the preview holds anything that somebody should look at."""
    fresh = [row for row in plan.rows if row.change != "unchanged"]
    return bool(
        plan.ties
        or plan.obligations
        or plan.effects
        or plan.gone
        or plan.problems
        or shown_remarks(plan)
        or any(row.loses_to for row in fresh)
        or any(is_retrieval_only(row) for row in fresh)
        or (not options.update_existing and any(row.needs_update for row in fresh))
    )


def is_retrieval_only(row: Row) -> bool:
    """Tell whether the ADR is in force without a rule or constraint that a check can act on."""
    return (
        is_in_force(row) and not row.adr.rules and not any(c.startswith("no ") for c in row.adr.constraints)
    )


def shown_remarks(plan: ImportPlan) -> list[Remark]:
    """Return the remarks but those on ADRs that are recorded as they stand."""
    known = {row.adr.path for row in plan.rows if row.change == "unchanged"}
    return [remark for remark in plan.remarks if remark.path not in known]


def section(title: str, items: Iterable[str], closing: Sequence[str] = ()) -> list[str]:
    """Return a titled list with an empty line after it; nothing if there are no items."""
    lines = [f"  - {item}" for item in items]
    return [title, *lines, *closing, ""] if lines else []


def active_section(rows: Sequence[Row]) -> list[str]:
    """Return the ADRs in force, in the given order, with their rules."""
    lines = [f"Active set ({len(rows)} ADRs):"]
    if not rows:
        lines.append("  (none -- see diagnostics below)")
    for row in rows:
        lines += [f"  [{row.adr.id}] status=active", *(rule_lines(row.adr) or [_NO_DIRECTIVES])]
    return [*lines, ""]


def status_line(row: Row) -> str:
    """Return the line of an ADR that is not in force."""
    successor = f" (superseded_by {row.superseded_by})" if row.superseded_by else ""
    return f"  [{row.adr.id}] status={row.lifecycle.value}{successor}"


def tie_section(plan: ImportPlan) -> list[str]:
    """Return the scopes without a winner."""
    items = [
        f"Active-active contradiction at scope {quoted(tie.scope)} between: {', '.join(tie.top)}. Resolve by "
        "editing the ADRs (mark one superseded, change priority, or change date) or pass "
        "--approve-conflicts to import the rest of the corpus and skip this scope."
        for tie in plan.ties
    ]
    return section("Active-active contradiction diagnostics:", items, ("", _APPROVE))


def retrieval_section(rows: Sequence[Row]) -> list[str]:
    """Return a warning for each ADR in force that no check can act on, the most specific first."""
    found = [row.adr for row in rows if is_retrieval_only(row)]
    items = [
        f"{adr.id} yields 0 mechanically enforceable rules; it will be imported for retrieval only. {_ADVICE}"
        for adr in sorted(found, key=active_order)
    ]
    return section(_RETRIEVAL, items)


def _retrieval(rows: Sequence[Row]) -> list[str]:
    """Return the same for the ADRs that are news, many of them in one line."""
    fresh = [row for row in rows if row.change != "unchanged" and is_retrieval_only(row)]
    if len(fresh) <= _FEW:
        return retrieval_section(fresh)
    item = (
        f"{len(fresh)} ADRs (those with no rule and no `no X` below them) yield 0 mechanically enforceable "
        f"rules; they will be imported for retrieval only. {_ADVICE}"
    )
    return section(_RETRIEVAL, [item])


def _remarks(plan: ImportPlan) -> list[str]:
    """Return the remarks, those of many files that say the same in one line."""
    by_message: dict[str, list[Remark]] = {}
    for remark in shown_remarks(plan):
        by_message.setdefault(remark.message, []).append(remark)
    items: list[str] = []
    for message, remarks in by_message.items():
        if len(remarks) <= (1 if remarks[0].code == NOT_ENFORCED else _FEW):
            items += [located(remark) for remark in remarks]
        else:
            places = ", ".join(_place(remark) for remark in remarks)
            items.append(f"{message} ({len(remarks)} files): {places}")
    return section("Remarks:", items)


def _needs_update(rows: Sequence[Row], options: ImportOptions) -> list[str]:
    if options.update_existing:
        return []
    items = [
        f"{row.adr.id} already exists in canonical decision authority and would change "
        f"({'; '.join(row.because)}). Pass --update-existing to record it. "
        f"current predecessor: {row.current}"
        for row in rows
        if row.needs_update
    ]
    closing = ("", "  To record these changes, re-run with --update-existing.")
    return section("Conflicts vs existing memory:", items, closing)


def obligation_section(plan: ImportPlan, title: str = "Protection continuity obligations:") -> list[str]:
    """Return the bound rules that a new text would drop."""
    items = [
        f"{each.decision_id} version evolution would drop protection/legacy_unknown bindings: "
        f"{_bound(each.rules)}. Pass --preserve-protection <rule_id> or --release-protection <rule_id> for "
        "each."
        for each in plan.obligations
    ]
    return section(title, items)


def effect_section(plan: ImportPlan) -> list[str]:
    """Return the bound rules that stop being enforced."""
    items = [
        f"{each.decision_id} will become superseded by {each.superseded_by}; enforcement leaving Layer 1: "
        f"{_bound(each.rules)}"
        for each in plan.effects
    ]
    return section("Supersession enforcement effects:", items)


def _bound(rules: Sequence[BoundRule]) -> str:
    return ", ".join(f"{rule.id} ({rule.authority})" for rule in rules)


def _losers(rows: Sequence[Row]) -> list[str]:
    items = [
        f"{row.adr.id} gives way to {row.loses_to} in scope {quoted(row.adr.scope)} (higher priority, then "
        "later date) and is not in force. Add an explicit supersedes link, or retire one of the two."
        for row in rows
        if row.loses_to and row.change != "unchanged"
    ]
    return section("Precedence losers:", items)


def _gone(plan: ImportPlan) -> list[str]:
    return [f"{each.id} ({each.lifecycle}): {each.path}" for each in plan.gone]


def located(each: Problem | Remark, hint: str = "") -> str:
    """Return ``path:line: message`` with the hint, if any, in brackets behind it."""
    return f"{_place(each)}: {each.message}" + (f" ({hint})" if hint else "")


def _place(each: Problem | Remark) -> str:
    return f"{each.path}:{each.line}" if each.line else each.path


def _closing(plan: ImportPlan) -> list[str]:
    unchanged = counts(plan)["unchanged"]
    lines = [f"Unchanged: {unchanged}"] if unchanged else []
    return [*lines, f"Plan: {plan.plan_id}", ""]
