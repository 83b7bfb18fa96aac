"""What a store holds at one moment, good and bad, as both stores give it."""

from msgspec import Struct

from mneme_git.model.decision import DecisionState, Version
from mneme_git.model.ids import DecisionId, VersionId


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
    """

    decision_id: DecisionId
    sides: tuple[Side, ...]
    why: str
    continued_by: str = ""


class Snapshot(Struct, frozen=True, kw_only=True):
    """Everything a store holds.

    ``decisions`` are the settled ones: natural order of their ids in a git store (``ADR-2`` before
    ``ADR-10``), the order of the file in a memory file. ``versions`` holds every version that was
    found good, by id. ``origin`` says in words where it was read from.
    """

    decisions: tuple[DecisionState, ...] = ()
    versions: dict[VersionId, Version] = {}
    contested: tuple[Contested, ...] = ()
    faults: tuple[Fault, ...] = ()
    origin: str = ""

    def state(self, decision_id: str) -> DecisionState | None:
        """Return the settled state of ``decision_id``, or None."""
        return next((state for state in self.decisions if state.decision_id == decision_id), None)

    def contest(self, decision_id: str) -> Contested | None:
        """Return what is contested about ``decision_id``, or None."""
        return next((found for found in self.contested if found.decision_id == decision_id), None)
