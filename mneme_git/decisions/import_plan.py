"""ADR files against a store: what an import would do, and what stands against it. Pure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.adr_graph import Graph, Links, build_graph
from mneme_git.decisions.adr_ids import Identified, Recorded, identify, recorded_in
from mneme_git.decisions.import_refusals import refusals_of
from mneme_git.decisions.import_state import (
    Step,
    evidence_of,
    first_step,
    holds_already,
    pin_problem,
    relocated,
    retry_problem,
    settled,
    successor_step,
)
from mneme_git.decisions.precedence import Precedence, decide
from mneme_git.model.adr import Adr, AdrFolder, Problem
from mneme_git.model.adr_import import (
    BoundRule,
    Change,
    Effect,
    Gone,
    ImportOptions,
    ImportPlan,
    Obligation,
    Partner,
    Row,
    TiedScope,
)
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import (
    Authority,
    DecisionState,
    Lifecycle,
    RuleBinding,
    active_rules,
    rule_id_of,
)
from mneme_git.model.ids import DecisionId, Digest
from mneme_git.model.plan import ABSENT, Operation, Plan, PutEvidence, PutState, PutVersion, Read, plan_id
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.order import natural_key

NOTHING_ALLOWED = ImportOptions()


class _Planned(Struct, frozen=True, kw_only=True):
    """One row, and the step that carries it out; no step if nothing is to be done."""

    row: Row
    step: Step | None = None
    refused: tuple[str, ...] = ()
    unresolved: tuple[RuleBinding, ...] = ()


def plan_import(
    folder: AdrFolder,
    snapshot: Snapshot,
    options: ImportOptions = NOTHING_ALLOWED,
    *,
    elsewhere: frozenset[str] = frozenset(),
    around: tuple[Read, ...] = (),
) -> ImportPlan:
    """Return what importing ``folder`` into the store would do.

    ``elsewhere`` holds the recorded ADR paths outside the folder that still are files (a renamed
    ADR is told from a copied one by that). ``around`` is what else the plan rests on: the configuration
    and the names in the folder, looked at before its files were read. The plan itself does not depend
    on what ``options`` allow, so a previewed plan id stands when the flags it asks for are added.
    """
    context = _Context(folder, snapshot, options, elsewhere)
    planned = [context.plan_row(adr) for adr in context.adrs]
    partners = context.partners(planned)
    plan = context.plan(planned, partners, around)
    rows = tuple(each.row for each in planned)
    result = ImportPlan(
        folder=folder.path,
        plan=plan,
        plan_id=plan_id(plan),
        rows=rows,
        partners=tuple(Partner(id=state.decision_id, because=why) for state, why in partners),
        gone=context.gone(),
        ties=tuple(TiedScope(tie.scope, tie.top, tie.group) for tie in context.precedence.ties),
        obligations=tuple(
            Obligation(each.row.adr.id, _bound(each.row.adr.id, each.unresolved))
            for each in planned
            if each.unresolved
        ),
        effects=context.effects(rows),
        problems=context.problems,
        remarks=tuple(sorted([*folder.remarks, *context.identified.remarks, *context.graph.remarks])),
        skipped=folder.skipped,
    )
    requests = tuple(text for each in planned for text in each.refused)
    return replace(result, refusals=refusals_of(result, requests, options, context.states))


class _Context:
    """What all rows share: ids, relations, precedence, and the decisions of the store."""

    def __init__(
        self, folder: AdrFolder, snapshot: Snapshot, options: ImportOptions, elsewhere: frozenset[str]
    ) -> None:
        self._folder = folder
        self._snapshot = snapshot
        self._options = options
        self._elsewhere = elsewhere
        self._pins = dict(options.pins)
        self.states = {state.decision_id: state for state in snapshot.decisions}
        self.recorded: tuple[Recorded, ...] = recorded_in(snapshot)
        self.identified: Identified = identify(folder, self.recorded, elsewhere)
        unread = tuple(sorted({problem.path for problem in (*folder.problems, *self.identified.problems)}))
        self.graph: Graph = build_graph(self.identified.adrs, self.states, self.recorded, unread)
        self.problems: tuple[Problem, ...] = tuple(
            sorted(
                [*folder.problems, *self.identified.problems, *self.graph.problems, *self._not_plannable()]
            )
        )
        bad = {problem.path for problem in self.problems}
        self.adrs = tuple(adr for adr in self.identified.adrs if adr.path not in bad)
        self.precedence: Precedence = decide(self.adrs, self.graph.links)
        self._tied = {member for tie in self.precedence.ties for member in tie.group}
        self._by_id = {adr.id: adr for adr in self.adrs}
        self._held = self._held_scopes()

    def _held_scopes(self) -> dict[str, DecisionId]:
        """Return the scopes of active decisions whose ADR in this folder is gone or cannot be read.

        They are in force still: an ADR that gave way to one of them does not come back because of that.
        """
        held: dict[str, DecisionId] = {}
        for row in self.recorded:
            state = self.states.get(row.id)
            is_silent = row.id not in self._by_id and row.path not in self._elsewhere
            if state is None or not is_silent or state.lifecycle_status is not Lifecycle.ACTIVE:
                continue
            version = self._snapshot.versions.get(state.active_version_id)
            if version is not None and len(version.scope) == 1 and version.scope[0]:
                held[version.scope[0]] = row.id
        return held

    def _not_plannable(self) -> list[Problem]:
        """Report the ADRs whose decision cannot be changed as it lies in the store."""
        damaged = {
            fault.decision_id: fault for fault in self._snapshot.faults if fault.blocks and fault.decision_id
        }
        contested = {contest.decision_id for contest in self._snapshot.contested}
        problems: list[Problem] = []
        for adr in self.identified.adrs:
            if adr.id in contested:
                message = f"decision '{adr.id}' is contested: branches disagree on it"
                hint = f"settle it with `mneme decision resolve {adr.id}`"
                problems.append(Problem(adr.path, 0, "CONTESTED", message, hint))
            elif adr.id in damaged:
                message = f"decision '{adr.id}' cannot be trusted as it is stored: {damaged[adr.id].message}"
                hint = damaged[adr.id].hint or "`mneme verify` tells what is wrong"
                problems.append(Problem(adr.path, 0, "DAMAGED", message, hint))
        return problems

    def plan_row(self, adr: Adr) -> _Planned:
        """Return what becomes of one ADR."""
        links = self.graph.links[adr.id]
        state = self.states.get(adr.id)
        loses_to = self._loses_to(adr, links)
        lifecycle = Lifecycle.INACTIVE if loses_to else links.lifecycle
        row = Row(
            adr=adr,
            lifecycle=lifecycle,
            change="new",
            superseded_by=links.superseded_by,
            loses_to=loses_to,
            before=state.lifecycle_status if state is not None else None,
            current=state.active_version_id if state is not None else None,
        )
        if adr.id in self._tied:
            return _Planned(row=replace(row, change="tied"))
        if state is None:
            return _Planned(row=row, step=first_step(adr, links, lifecycle))
        return self._existing(row, state, links)

    def _loses_to(self, adr: Adr, links: Links) -> str:
        if adr.id in self.precedence.loses_to:
            return self.precedence.loses_to[adr.id]
        state = self.states.get(adr.id)
        gave_way = state is not None and state.lifecycle_status is Lifecycle.INACTIVE
        if adr.dialect == "front-matter" and gave_way and links.lifecycle is Lifecycle.ACTIVE:
            return self._held.get(adr.scope or "", "")
        return ""

    def _existing(self, row: Row, state: DecisionState, links: Links) -> _Planned:
        adr = row.adr
        active = self._snapshot.versions.get(state.active_version_id)
        was_done, refused = False, ""
        if adr.id in self._pins:
            was_done, refused = pin_problem(state, adr, self._pins[adr.id])
        same = was_done or (active is not None and holds_already(adr, state, active))
        moved = self.identified.renamed.get(adr.id, "")
        preserve, release = _of(adr.id, self._options.preserve), _of(adr.id, self._options.release)
        if same:
            step = Step(state=relocated(state, adr.path) if moved else state)
            refused = refused or (retry_problem(adr, state, preserve, release) if preserve or release else "")
        else:
            planned = replace(state, lifecycle_status=row.lifecycle)
            step = successor_step(adr, planned, preserve=preserve, release=release)
        supersedes = self._supersedes(links, state)
        step = replace(step, state=settled(step.state, row.lifecycle, supersedes))
        change: Change = "changed" if step.version else "unchanged" if step.state == state else "state"
        because = _because(row, state, step.state, moved)
        done = replace(
            row,
            change=change,
            renamed_from=moved,
            because=because,
            needs_update=self._needs_update(row, change, state, step.state),
        )
        return _Planned(
            row=done,
            step=step if change != "unchanged" else None,
            refused=tuple(filter(None, (refused, *(step.carried.refused if step.carried else ())))),
            unresolved=step.carried.unresolved if step.carried else (),
        )

    def _supersedes(self, links: Links, state: DecisionState) -> list[DecisionId]:
        """Return the relations: those stated, and stored ones to ADRs that are not read here.

        Such a relation may have been stated by the other file, which cannot speak now.
        """
        stored = [relation.target_decision_id for relation in state.relationships]
        silent = [target for target in stored if target not in self._by_id and target not in links.supersedes]
        return [*links.supersedes, *silent]

    def _needs_update(self, row: Row, change: Change, before: DecisionState, after: DecisionState) -> bool:
        """Tell whether the change needs a word of the person, beside that of the files.

        An accepted ADR that supersedes another one is that word for the other one.
        """
        if row.lifecycle is Lifecycle.SUPERSEDED and self._is_active(row.superseded_by):
            return False
        dropped = set(before.relationships) - set(after.relationships)
        return change == "changed" or before.lifecycle_status is not after.lifecycle_status or bool(dropped)

    def _is_active(self, decision_id: str) -> bool:
        adr = self._by_id.get(DecisionId(decision_id))
        if adr is not None:
            links = self.graph.links[adr.id]
            return not self._loses_to(adr, links) and links.lifecycle is Lifecycle.ACTIVE
        state = self.states.get(DecisionId(decision_id))
        return state is not None and state.lifecycle_status is Lifecycle.ACTIVE

    def partners(self, planned: Sequence[_Planned]) -> list[tuple[DecisionState, str]]:
        """Return the new states of decisions without a file here that an ADR here changes."""
        here = {each.row.adr.id for each in planned}
        changed: dict[DecisionId, DecisionState] = {}
        why: dict[DecisionId, str] = {}
        for each in planned:
            row = each.row
            if row.lifecycle is not Lifecycle.ACTIVE or row.change == "tied":
                continue
            for target in self.graph.links[row.adr.id].supersedes:
                state = changed.get(target) or self.states.get(target)
                if target in here or state is None or state.lifecycle_status is Lifecycle.SUPERSEDED:
                    continue
                changed[target] = replace(state, lifecycle_status=Lifecycle.SUPERSEDED)
                why[target] = f"superseded by {row.adr.id}"
        for newer, targets in self.graph.outside.items():
            state = changed.get(newer) or self.states.get(newer)
            if state is None:
                continue
            stored = [relation.target_decision_id for relation in state.relationships]
            added = [target for target in targets if target not in stored and target in here]
            if added:
                changed[newer] = settled(state, state.lifecycle_status, [*stored, *added])
                why[newer] = f"supersedes {', '.join(added)}"
        return [(changed[each], why[each]) for each in sorted(changed, key=natural_key)]

    def plan(
        self,
        planned: Sequence[_Planned],
        partners: Sequence[tuple[DecisionState, str]],
        around: Sequence[Read],
    ) -> Plan:
        """Return the operations in order of id, and everything they rest on."""
        operations: list[Operation] = []
        for each in planned:
            if each.step is not None:
                operations.extend(_operations(each.row.adr, each.step))
        operations.extend(PutState(state) for state, _ in partners)
        touched = [*(each.row.adr.id for each in planned), *(state.decision_id for state, _ in partners)]
        return Plan(
            verb="adr import",
            subject=self._folder.path,
            operations=tuple(operations),
            reads=tuple(sorted({*self._reads(touched), *around})),
        )

    def _reads(self, touched: Sequence[DecisionId]) -> tuple[Read, ...]:
        named = {target for each in self.adrs for target in self.graph.links[each.id].supersedes}
        ids = {*touched, *(target for target in named if target in self.states)}
        reads = {Read("decision", each, self._digest(each)) for each in ids}
        reads |= {Read("adr", path, blob) for path, blob in self._folder.seen if blob}
        here = {path for path, _ in self._folder.seen}
        moved = set(self.identified.renamed.values()) - here - self._elsewhere
        return tuple(sorted(reads | {Read("adr", path, ABSENT) for path in moved}))

    def _digest(self, decision_id: DecisionId) -> str:
        state = self.states.get(decision_id)
        return state_digest(state) if state is not None else ABSENT

    def gone(self) -> tuple[Gone, ...]:
        """Return the settled decisions read from a file of this folder that is not there any more."""
        here = {path for path, _ in self._folder.seen}
        known = {adr.id for adr in self.identified.adrs}
        return tuple(
            Gone(row.id, row.path, self.states[row.id].lifecycle_status.value)
            for row in sorted(self.recorded, key=lambda row: natural_key(row.id))
            if row.id in self.states
            and row.id not in known
            and row.path not in here
            and (row.path.rpartition("/")[0] or ".") == self._folder.path
        )

    def effects(self, rows: Sequence[Row]) -> tuple[Effect, ...]:
        """Return the bound rules that stop being enforced because a decision gives way to another."""
        found: list[Effect] = []
        for row in rows:
            state = self.states.get(row.adr.id)
            is_retired = row.lifecycle is Lifecycle.SUPERSEDED and row.before is Lifecycle.ACTIVE
            if state is None or not is_retired:
                continue
            bound = [rule for rule in active_rules(state) if rule.authority is not Authority.VERSION]
            if bound:
                found.append(Effect(row.adr.id, row.superseded_by, _bound(row.adr.id, bound)))
        return tuple(found)


def _of(decision_id: DecisionId, rule_ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(rule_id for rule_id in rule_ids if rule_id.rsplit(":", 2)[0] == decision_id)


def _bound(decision_id: DecisionId, rules: Sequence[RuleBinding]) -> tuple[BoundRule, ...]:
    return tuple(BoundRule(rule_id_of(decision_id, rule), rule.authority.value) for rule in rules)


def _because(row: Row, before: DecisionState, after: DecisionState, moved: str) -> tuple[str, ...]:
    """Return why the decision changes, for people."""
    reasons: list[str] = []
    if moved:
        reasons.append(f"renamed: {moved} -> {row.adr.path}")
    if before.active_version_id != after.active_version_id:
        reasons.append("the text has changed")
    if before.lifecycle_status is not after.lifecycle_status:
        change = f"{before.lifecycle_status.value} -> {after.lifecycle_status.value}"
        cause = (
            f" (superseded by {row.superseded_by})"
            if row.superseded_by
            else f" ({row.loses_to} takes precedence)"
            if row.loses_to
            else ""
        )
        reasons.append(change + cause)
    old = [relation.target_decision_id for relation in before.relationships]
    new = [relation.target_decision_id for relation in after.relationships]
    reasons += [f"now supersedes {target}" for target in new if target not in old]
    reasons += [f"no longer supersedes {target}" for target in old if target not in new]
    if sorted(old) == sorted(new) and old != new:
        reasons.append("the order of what it supersedes has changed")
    return tuple(reasons)


def _operations(adr: Adr, step: Step) -> list[Operation]:
    if step.version is None:
        return [PutState(step.state)]
    row = evidence_of(adr)
    evidence = PutEvidence(locator=row.source_locator, sha256=Digest(row.sha256), data=adr.data)
    return [PutVersion(step.version), PutState(step.state), evidence]
