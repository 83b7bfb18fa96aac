"""The preview of an import into a memory file, by the rules and in the words of that format.

Section 6.2 of the decision-index format fixes the text. What differs from the git store: only
``ADR-*.md`` counts, ids are in text order, an ADR without a scope competes for the global one,
and every id that exists already is a conflict, changed or not.
"""

from collections.abc import Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions import import_report as report
from mneme_git.decisions.adr_frontmatter import read_fields, with_directives
from mneme_git.decisions.adr_graph import Links, build_graph
from mneme_git.decisions.adr_ids import identify
from mneme_git.decisions.adr_text import read_text
from mneme_git.decisions.directives import read_directives
from mneme_git.decisions.import_listing import is_in_force
from mneme_git.decisions.import_state import version_of
from mneme_git.decisions.precedence import decide
from mneme_git.decisions.rule_carry import carry_rules
from mneme_git.model.adr import Adr, AdrFolder, Problem
from mneme_git.model.adr_import import BoundRule, Effect, ImportPlan, Obligation, Row, TiedScope
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import (
    Authority,
    DecisionState,
    Lifecycle,
    RuleBinding,
    active_rules,
    digest_of,
    id_of,
    rule_id_of,
)
from mneme_git.model.ids import DecisionId
from mneme_git.model.plan import Plan
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.canonical import sha256_hex

_OBLIGATIONS = "Protection continuity obligations (ADR-030 §9a):"


class FilePreview(Struct, frozen=True, kw_only=True):
    """The preview text and whether it holds a diagnostic; if there are problems, only these.

    ``rows`` (text order of id) and ``links`` are what an import is planned from. ``held_back`` are
    problems of ADRs that are not in force: the format reports them only when it writes.
    """

    text: str = ""
    has_findings: bool = False
    problems: tuple[Problem, ...] = ()
    ties: tuple[TiedScope, ...] = ()
    rows: tuple[Row, ...] = ()
    links: Mapping[DecisionId, Links] = {}
    held_back: tuple[Problem, ...] = ()


class Target(Struct, frozen=True, kw_only=True):
    """What the memory file holds: its decisions, the ids under ``items``, and whether it has an index."""

    snapshot: Snapshot
    items: Set[str]
    has_index: bool


def preview_file(sources: Sequence[AdrSource], folder: str, target: Target) -> FilePreview:
    """Return the preview of importing ``sources`` (the ``ADR-*.md`` of a folder) into ``target``."""
    read = [_read(source) for source in sorted(sources, key=lambda source: source.path)]
    problems = [problem for _, found, _ in read for problem in found]
    bad_directives = {adr.path: bad for adr, _, bad in read if adr is not None and bad}
    adrs = AdrFolder(path=folder, adrs=tuple(adr for adr, _, _ in read if adr is not None))
    identified = identify(adrs, (), frozenset())
    by_id = sorted(identified.adrs, key=lambda adr: adr.id)
    unread = [problem.path for problem in (*problems, *identified.problems)]
    graph = build_graph(by_id, {}, (), unread)
    problems += [*identified.problems, *graph.problems]
    plan = _plan(folder, by_id, graph.links, target)
    active = [row for row in plan.rows if is_in_force(row)]
    problems += [problem for row in active for problem in bad_directives.get(row.adr.path, ())]
    if problems:
        return FilePreview(problems=tuple(sorted(problems)))
    conflicts = _conflicts(active, target)
    sections = _sections(plan, active, conflicts)
    findings = [*conflicts, *plan.ties, *plan.obligations, *plan.effects]
    return FilePreview(
        text="\n".join([report.TITLE, report.RULE, "", *(line for part in sections for line in part)]),
        has_findings=bool(findings) or any(report.is_retrieval_only(row) for row in active),
        ties=plan.ties,
        rows=plan.rows,
        links=graph.links,
        held_back=tuple(sorted(problem for bad in bad_directives.values() for problem in bad)),
    )


def _read(source: AdrSource) -> tuple[Adr | None, list[Problem], tuple[Problem, ...]]:
    """Return the ADR, what is wrong with its front matter, and what is wrong with its directives."""
    if source.problem:
        return None, [Problem(source.path, 0, "UNREADABLE", source.problem)], ()
    text, unreadable = read_text(source.path, source.data)
    if text is None:
        return None, list(unreadable), ()
    if text.fields is None:
        message = "missing YAML frontmatter (expected file to start with '---')"
        hint = "add the front matter, or rename the file"
        return None, [Problem(source.path, 1, "FRONT_MATTER", message, hint)], ()
    adr, problems = read_fields(text, words="format")
    if adr is None:
        return None, problems, ()
    directives = read_directives(text.document, text.path)
    adr = replace(adr, data=source.data, sha256=sha256_hex(source.data), superseded_by=())
    return with_directives(adr, directives), [], directives.problems


def _plan(folder: str, adrs: Sequence[Adr], links: Mapping[DecisionId, Links], target: Target) -> ImportPlan:
    precedence = decide(adrs, links, with_global=True)
    tied = {member for tie in precedence.ties for member in tie.group}
    rows = [_row(adr, links[adr.id], precedence.loses_to.get(adr.id, ""), adr.id in tied) for adr in adrs]
    states = {state.decision_id: state for state in target.snapshot.decisions}
    return ImportPlan(
        folder=folder,
        plan=Plan(verb="adr import", subject=folder),
        plan_id="",
        rows=tuple(rows),
        ties=tuple(TiedScope(tie.scope, tie.top, tie.group) for tie in precedence.ties),
        obligations=tuple(_obligations(rows, states, target)),
        effects=tuple(_effects(rows, states)),
    )


def _row(adr: Adr, links: Links, loses_to: str, is_tied: bool) -> Row:
    return Row(
        adr=adr,
        lifecycle=Lifecycle.INACTIVE if loses_to else links.lifecycle,
        change="tied" if is_tied else "new",
        superseded_by=links.superseded_by,
        loses_to=loses_to,
    )


def _obligations(
    rows: Sequence[Row], states: Mapping[DecisionId, DecisionState], target: Target
) -> list[Obligation]:
    found: list[Obligation] = []
    for row in rows:
        state = states.get(row.adr.id)
        if state is None or not is_in_force(row) or not target.has_index:
            continue
        active = target.snapshot.versions[state.active_version_id]
        version = version_of(row.adr, state.active_version_id)
        if digest_of(version) == digest_of(active) and version.occurrence == active.occurrence:
            continue
        carried = carry_rules(row.adr.id, id_of(version), row.adr.rules, active_rules(state))
        if carried.unresolved:
            found.append(Obligation(row.adr.id, _bound(row.adr.id, carried.unresolved)))
    return found


def _effects(rows: Sequence[Row], states: Mapping[DecisionId, DecisionState]) -> list[Effect]:
    found: list[Effect] = []
    for row in rows:
        state = states.get(row.adr.id)
        if state is None or row.lifecycle is not Lifecycle.SUPERSEDED or not row.superseded_by:
            continue
        bound = [rule for rule in active_rules(state) if rule.authority is not Authority.VERSION]
        if bound and state.lifecycle_status is Lifecycle.ACTIVE:
            found.append(Effect(row.adr.id, row.superseded_by, _bound(row.adr.id, bound)))
    return found


def _bound(decision_id: DecisionId, rules: Sequence[RuleBinding]) -> tuple[BoundRule, ...]:
    return tuple(BoundRule(rule_id_of(decision_id, rule), rule.authority.value) for rule in rules)


def _conflicts(active: Sequence[Row], target: Target) -> list[str]:
    states = {state.decision_id: state for state in target.snapshot.decisions}
    found: list[str] = []
    for row in active:
        state = states.get(row.adr.id)
        if row.adr.id in target.items:
            found.append(
                f"{row.adr.id} already exists in target memory under items[]. ADR authority must not "
                "silently replace a legacy item identity."
            )
        elif state is not None:
            known = f" current predecessor: {state.active_version_id}" if target.has_index else ""
            found.append(
                f"{row.adr.id} already exists in canonical decision authority. Pass --update-existing to "
                "create or reuse an immutable version occurrence, or rename the incoming ADR." + known
            )
    return found


def _sections(plan: ImportPlan, active: Sequence[Row], conflicts: Sequence[str]) -> list[list[str]]:
    out = [row for row in plan.rows if not is_in_force(row) and row.change != "tied" and not row.loses_to]
    overwrite = ("", "  To overwrite existing decisions[] entries, re-run with --update-existing.")
    return [
        report.active_section(active),
        [f"Non-active ADRs ({len(out)}):", *(report.status_line(row) for row in out), ""] if out else [],
        report.tie_section(plan),
        report.retrieval_section(plan.rows),
        report.section("Conflicts vs existing memory:", conflicts, overwrite),
        report.obligation_section(plan, _OBLIGATIONS),
        report.effect_section(plan),
    ]
