"""What a store holds at one moment, good and bad, as both stores give it."""

from collections.abc import Sequence

from msgspec import Struct

from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.ids import DecisionId, ProposalId, VersionId
from mneme_git.model.memory import Memory
from mneme_git.model.proposal import Proposal, Verdict


class Fault(Struct, frozen=True, kw_only=True):
    """Something in the store that is not as it should be, and what was done about it.

    ``code`` is a stable word (the list is in ``docs/reference/faults.md``). ``blocks`` is true
    where enforcement cannot be complete because of it: ``check`` is then INCOMPLETE.
    """

    code: str
    message: str
    path: str = ""
    decision_id: str = ""
    hint: str = ""
    blocks: bool = False


def severity(fault: Fault) -> str:
    """Return the word that people read before a fault, padded to one width."""
    return "ERROR" if fault.blocks else "WARN "


def told(fault: Fault) -> str:
    """Return the message of ``fault``, with its path in front where the message does not name it."""
    if fault.path and fault.path not in fault.message:
        return f"{fault.path}: {fault.message}"
    return fault.message


class Side(Struct, frozen=True, kw_only=True):
    """One of the states that a contested decision may have.

    ``label`` is ``ours``, ``theirs`` or the name of the commit the state comes from. ``state`` is
    None where that side deleted the decision. ``data`` is the exact bytes of the side's file.
    """

    label: str
    state: DecisionState | None
    data: bytes = b""


class Contested(Struct, frozen=True, kw_only=True):
    """A decision on which branches disagree; the union of its sides is enforced until resolved.

    ``continued_by`` is the label of the side whose lineage continues the other's, if one does.
    ``paths`` are the files below ``.mneme/`` over which it is contested: usually the decision's own,
    but rename detection can put its sides into the file of another decision.
    """

    decision_id: DecisionId
    sides: tuple[Side, ...]
    why: str
    continued_by: str = ""
    paths: tuple[str, ...] = ()


def continuing(sides: Sequence[Side]) -> str:
    """Return the label of the side whose lineage begins with that of every other side and goes on.

    Empty if there is none. So it is after a squash merge: the branch goes on from what was merged.
    """
    lineages = {
        side.label: tuple(entry.version_id for entry in side.state.versions) for side in sides if side.state
    }
    if len(lineages) < len(sides):
        return ""
    for label, lineage in lineages.items():
        others = [other for name, other in lineages.items() if name != label]
        if all(len(lineage) > len(other) and lineage[: len(other)] == other for other in others):
            return label
    return ""


class Snapshot(Struct, frozen=True, kw_only=True):
    """Everything a store holds.

    ``decisions`` are the settled ones: natural order of their ids in a git store (``ADR-2`` before
    ``ADR-10``), the order of the file in a memory file. ``versions`` holds every version that was
    found good, by id. ``proposals`` and ``memories`` go by the name of their file, ``verdicts`` by
    proposal; ``forgotten``, ``purged`` and ``pinned`` are the memories that have such a marker (a
    purged one is forgotten too). ``unmerged`` are paths of immutable records that a merge left open.
    ``origin`` says in words where it was read from.
    """

    decisions: tuple[DecisionState, ...] = ()
    versions: dict[VersionId, Version] = {}
    contested: tuple[Contested, ...] = ()
    faults: tuple[Fault, ...] = ()
    proposals: dict[str, Proposal] = {}
    verdicts: dict[ProposalId, Verdict] = {}
    memories: dict[str, Memory] = {}
    forgotten: frozenset[str] = frozenset()
    purged: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    unmerged: tuple[str, ...] = ()
    origin: str = ""

    def state(self, decision_id: str) -> DecisionState | None:
        """Return the settled state of ``decision_id``, or None."""
        return next((state for state in self.decisions if state.decision_id == decision_id), None)

    def contest(self, decision_id: str) -> Contested | None:
        """Return what is contested about ``decision_id``, or None."""
        return next((found for found in self.contested if found.decision_id == decision_id), None)
