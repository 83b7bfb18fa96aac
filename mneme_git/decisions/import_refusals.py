"""What stands against carrying out an import, all of it at once."""

from collections.abc import Mapping, Sequence

from mneme_git.model.adr_import import ImportOptions, ImportPlan, Refusal
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import DecisionId
from mneme_git.text.quoting import quoted


def refusals_of(
    plan: ImportPlan,
    requests: Sequence[str],
    options: ImportOptions,
    states: Mapping[DecisionId, DecisionState],
) -> tuple[Refusal, ...]:
    """Return every reason not to carry out ``plan``; ``requests`` are those found while planning."""
    found = [_request(text) for text in (*_pins(plan, options, states), *_names(plan, options), *requests)]
    if plan.problems and not options.partial:
        files = len({problem.path for problem in plan.problems})
        found.append(
            Refusal(
                code="PROBLEMS",
                message=f"{files} file{'s' if files > 1 else ''} of {plan.folder} cannot be imported",
                hint="mend what is listed, or pass --partial to import the others",
                by_design=True,
            )
        )
    if plan.ties and not options.approve_conflicts:
        found.append(
            Refusal(
                code="CONTRADICTION",
                message="active-active contradiction in corpus",
                hint="fix the contradicting ADRs, or pass --approve-conflicts to leave those scopes out",
                by_design=True,
            )
        )
    if not options.update_existing:
        found += [_needs_update(row.adr.id) for row in plan.rows if row.needs_update]
    found += [_unresolved(each.decision_id, [rule.id for rule in each.rules]) for each in plan.obligations]
    return tuple(found)


def _request(text: str) -> Refusal:
    return Refusal(code="BAD_REQUEST", message=text, hint="correct or leave out the option")


def _needs_update(decision_id: str) -> Refusal:
    return Refusal(
        code="EXISTS",
        message=f"{quoted(decision_id)} is recorded and would change",
        hint="pass --update-existing",
        by_design=True,
    )


def _unresolved(decision_id: str, rule_ids: Sequence[str]) -> Refusal:
    return Refusal(
        code="CONTINUITY",
        message=(
            f"decision {quoted(decision_id)}: version evolution would drop protection/legacy_unknown "
            f"bindings {quoted(list(rule_ids))}"
        ),
        hint="pass --preserve-protection or --release-protection for each",
        by_design=True,
    )


def _pins(plan: ImportPlan, options: ImportOptions, states: Mapping[DecisionId, DecisionState]) -> list[str]:
    incoming = {row.adr.id for row in plan.rows}
    found: list[str] = []
    for decision_id, _ in sorted(options.pins):
        if decision_id not in incoming:
            found.append(
                f"expected predecessor names {quoted(decision_id)}, which is not an incoming active ADR."
            )
        elif DecisionId(decision_id) not in states:
            found.append(
                f"expected predecessor names {quoted(decision_id)}, which is not yet canonical; "
                "a new decision has no predecessor to pin."
            )
    return found


def _names(plan: ImportPlan, options: ImportOptions) -> list[str]:
    """Report requests for rules of decisions that are not both here and recorded."""
    rows = {row.adr.id: row for row in plan.rows}
    found: list[str] = []
    for verb, rule_ids in (("preserve", options.preserve), ("release", options.release)):
        for rule_id in rule_ids:
            row = rows.get(DecisionId(rule_id.rsplit(":", 2)[0]))
            if row is None or row.before is None:
                found.append(
                    f"{verb} request {quoted(rule_id)} does not name a rule of an incoming, "
                    "already-canonical decision."
                )
    return found
