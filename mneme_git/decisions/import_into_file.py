"""The plan of an import into a memory file: decision-index format, sections 6.3 to 6.6.

The checks come in the order of the format and in its words. What it has no way for is allowed with
``update_existing``, and leaves a file that is valid for it: a lifecycle that follows what the ADR
says, and another text of an ADR that is not in force.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.adr_graph import Links
from mneme_git.decisions.import_file_checks import Asked, check_before, gives_way, refused
from mneme_git.decisions.import_listing import is_in_force
from mneme_git.decisions.import_state import (
    Step,
    first_step,
    pin_problem,
    settled,
    successor_step,
    version_of,
)
from mneme_git.decisions.precedence import active_order
from mneme_git.decisions.rule_carry import carry_rules
from mneme_git.errors import Refused
from mneme_git.model.adr import Adr
from mneme_git.model.adr_import import ImportOptions, Row, TiedScope
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import (
    DecisionState,
    Lifecycle,
    RuleBinding,
    Version,
    digest_of,
    id_of,
    rule_id_of,
)
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.plan import ABSENT, Operation, Plan, PutState, PutVersion, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted


class Incoming(Struct, frozen=True, kw_only=True):
    """The ADRs of a folder, in text order of id, and where each stands seen from the memory file.

    ``links`` are their relations, ``ties`` the scopes without a winner. ``locators`` and ``blobs``
    go by the path of the ADR.
    """

    folder: str
    rows: tuple[Row, ...]
    links: Mapping[DecisionId, Links]
    ties: tuple[TiedScope, ...]
    locators: Mapping[str, str]
    blobs: Mapping[str, str]


def plan_into_file(
    incoming: Incoming, snapshot: Snapshot, items: frozenset[str], options: ImportOptions
) -> Plan:
    """Plan the import; ``items`` are ids that older free-form notes of the file have.

    Raises:
        Refused: the first reason of the format not to import; nothing of it may then be written.
    """
    planner = _Planner(incoming, snapshot, items, options)
    planner.add_new()
    planner.evolve()
    planner.follow_lifecycles()
    planner.supersede()
    return planner.plan()


class _Planner:
    """Collects the new states of decisions, each under the time it was last changed."""

    def __init__(
        self, incoming: Incoming, snapshot: Snapshot, items: frozenset[str], options: ImportOptions
    ) -> None:
        tied = {tie.scope for tie in incoming.ties}
        self._incoming = incoming
        self._rows = [
            _located(row, incoming.locators) for row in incoming.rows if (row.adr.scope or "") not in tied
        ]
        self._active = [row for row in self._rows if is_in_force(row)]
        self._snapshot = snapshot
        self._before = {state.decision_id: state for state in snapshot.decisions}
        self._items = items
        self._options = options
        self._after: dict[DecisionId, DecisionState] = {}
        self._times: dict[DecisionId, str] = {}
        self._versions: dict[DecisionId, PutVersion] = {}
        self._superseded = frozenset(
            target for row in self._active for target in incoming.links[row.adr.id].supersedes
        )
        asked = Asked(
            rows=tuple(self._rows),
            active=tuple(self._active),
            ties=incoming.ties,
            superseded=self._superseded,
        )
        check_before(asked, self._before, items, options)

    def add_new(self) -> None:
        """Add the decisions that are not there yet, whatever their lifecycle."""
        for row in self._rows:
            if row.adr.id in self._before:
                continue
            if row.adr.id in self._items:
                raise refused(
                    f"id {quoted(row.adr.id)} exists in items[]; canonical ADR identity cannot replace it."
                )
            self._put(row.adr, first_step(row.adr, self._incoming.links[row.adr.id], row.lifecycle))

    def evolve(self) -> None:
        """Give a successor version to each decision in force whose ADR says something else now."""
        pins = dict(self._options.pins)
        for row in sorted(self._active, key=lambda row: active_order(row.adr)):
            state = self._before.get(row.adr.id)
            if state is None:
                continue
            pin = VersionId(pins.get(row.adr.id, state.active_version_id))
            if pin != state.active_version_id:
                self._repeat(row.adr, state, pin)
            elif _is_same(row.adr, self._snapshot.versions[pin]):
                self._confirm(row.adr, state)
            else:
                self._succeed(row.adr, replace(state, lifecycle_status=row.lifecycle))

    def _repeat(self, adr: Adr, state: DecisionState, pin: VersionId) -> None:
        """Check that a pinned import was carried out before; an older version has no other successor."""
        _, problem = pin_problem(state, adr, pin)
        if problem:
            raise _evolving(adr, problem)
        self._require_same_rules(adr, state, id_of(version_of(adr, pin)), pin)

    def _confirm(self, adr: Adr, state: DecisionState) -> None:
        """Check that requests about an unchanged ADR are those its version was made with."""
        if not self._requests(adr, self._options.preserve) and not self._requests(adr, self._options.release):
            return
        entry = next(each for each in state.versions if each.version_id == state.active_version_id)
        if entry.predecessor is None:
            raise refused(
                f"{quoted(adr.id)} is not evolving (unchanged content and source, no predecessor), so "
                "preserve/release requests for it would have no effect."
            )
        self._require_same_rules(adr, state, entry.version_id, entry.predecessor)

    def _require_same_rules(
        self, adr: Adr, state: DecisionState, version_id: VersionId, predecessor: VersionId
    ) -> None:
        again = carry_rules(
            adr.id,
            version_id,
            adr.rules,
            _rules_of(state, predecessor),
            preserve=self._requests(adr, self._options.preserve),
            release=self._requests(adr, self._options.release),
        )
        if again.refused:
            raise _evolving(adr, again.refused[0])
        if again.bindings != _rules_of(state, version_id):
            raise _evolving(
                adr,
                f"version occurrence {quoted(version_id)} rule bindings differ from the persisted immutable "
                "occurrence",
            )

    def _succeed(self, adr: Adr, state: DecisionState) -> None:
        step = successor_step(
            adr,
            state,
            preserve=self._requests(adr, self._options.preserve),
            release=self._requests(adr, self._options.release),
        )
        carried = step.carried
        if carried is not None and carried.refused:
            raise _evolving(adr, carried.refused[0])
        if carried is not None and carried.unresolved:
            names = [rule_id_of(adr.id, rule) for rule in carried.unresolved]
            raise _evolving(
                adr,
                f"decision {quoted(adr.id)}: version evolution would drop protection/legacy_unknown bindings "
                f"{quoted(names)}; pass --preserve-protection or --release-protection for each (ADR-030 §9a)",
            )
        self._put(adr, step)

    def _requests(self, adr: Adr, rule_ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(rule_id for rule_id in rule_ids if rule_id.rsplit(":", 2)[0] == adr.id)

    def follow_lifecycles(self) -> None:
        """Let decisions follow their ADRs where the format stands still, if that is allowed.

        One that an ADR in force supersedes is not meant: that has its own rule. A text that is not
        in force is recorded when it says something else, with all rules that were bound.
        """
        if not self._options.update_existing:
            return
        for row in self._rows:
            state = self._before.get(row.adr.id)
            if state is None or gives_way(row, self._superseded):
                continue
            if not is_in_force(row) and state.lifecycle_status is row.lifecycle:
                active = self._snapshot.versions[state.active_version_id]
                if digest_of(version_of(row.adr, None)) != digest_of(active):
                    self._put(row.adr, successor_step(row.adr, state))
            elif state.lifecycle_status is not row.lifecycle:
                present = self._after.get(row.adr.id, state)
                self._change(row.adr, replace(present, lifecycle_status=row.lifecycle))

    def supersede(self) -> None:
        """Record what each ADR in force supersedes, and retire what it names."""
        for row in self._active:
            adr = row.adr
            targets = [DecisionId(mention.text) for mention in adr.supersedes]
            self._check_targets(adr, targets)
            state = self._state(adr.id)
            if state is not None and _targets(state) != targets:
                self._change(adr, settled(state, state.lifecycle_status, targets))
            for target in targets:
                older = self._state(target)
                if older is not None and older.lifecycle_status is not Lifecycle.SUPERSEDED:
                    retired = replace(older, lifecycle_status=Lifecycle.SUPERSEDED)
                    self._change(adr, retired)

    def _check_targets(self, adr: Adr, targets: Sequence[DecisionId]) -> None:
        if len(set(targets)) < len(targets):
            raise _superseding(adr, "declares duplicate supersedes targets")
        for target in targets:
            if self._state(target) is None:
                raise _superseding(adr, f"supersedes target {quoted(target)} does not exist canonically")
        stored = _targets(self._before[adr.id]) if adr.id in self._before else []
        dropped = [target for target in stored if target not in targets]
        if dropped:
            raise _superseding(adr, f"cannot remove persisted supersedes relationships in D1D: {dropped}")

    def plan(self) -> Plan:
        """Return the operations, new decisions first, and everything they rest on."""
        operations: list[Operation] = []
        for decision_id, state in self._after.items():
            if decision_id in self._versions:
                operations.append(self._versions[decision_id])
            operations.append(PutState(state, self._times[decision_id]))
        ids = {*self._after, *(row.adr.id for row in self._rows)}
        reads = {Read("decision", each, self._digest(each)) for each in ids}
        locators, blobs = self._incoming.locators, self._incoming.blobs
        reads |= {Read("adr", locators[path], blobs[path]) for path in locators}
        return Plan(
            verb="adr import",
            subject=self._incoming.folder,
            operations=tuple(operations),
            reads=tuple(sorted(reads)),
        )

    def _digest(self, decision_id: DecisionId) -> str:
        state = self._before.get(decision_id)
        return ABSENT if state is None else state_digest(state)

    def _state(self, decision_id: DecisionId) -> DecisionState | None:
        return self._after.get(decision_id) or self._before.get(decision_id)

    def _put(self, adr: Adr, step: Step) -> None:
        if step.version is not None:
            self._versions[adr.id] = PutVersion(step.version, adr.date)
        self._change(adr, step.state)

    def _change(self, adr: Adr, state: DecisionState) -> None:
        """Take a new state, changed by ``adr``: its own, or one that it supersedes."""
        self._after[state.decision_id] = state
        self._times[state.decision_id] = adr.date


def _evolving(adr: Adr, text: str) -> Refused:
    return Refused(f"ADR import refused while evolving {quoted(adr.id)}: {text}")


def _superseding(adr: Adr, text: str) -> Refused:
    name = quoted(adr.id)
    return Refused(f"ADR import refused while applying supersession from {name}: decision {name} {text}")


def _located(row: Row, locators: Mapping[str, str]) -> Row:
    return replace(row, adr=replace(row.adr, path=locators[row.adr.path]))


def _is_same(adr: Adr, active: Version) -> bool:
    wanted = version_of(adr, None)
    return digest_of(wanted) == digest_of(active) and wanted.occurrence == active.occurrence


def _rules_of(state: DecisionState, version_id: VersionId) -> tuple[RuleBinding, ...]:
    bound = (rule for rule in state.rules if rule.version_id == version_id)
    return tuple(sorted(bound, key=lambda rule: rule.sequence))


def _targets(state: DecisionState) -> list[DecisionId]:
    return [relation.target_decision_id for relation in state.relationships]
