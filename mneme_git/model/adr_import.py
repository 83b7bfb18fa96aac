"""An import of ADRs as a value: what was asked, what would be done, what stands against it."""

from typing import Literal

from msgspec import Struct

from mneme_git.model.adr import Adr, Problem, Remark, Skipped
from mneme_git.model.decision import Lifecycle
from mneme_git.model.ids import DecisionId, RuleId, VersionId
from mneme_git.model.plan import Plan

Change = Literal["new", "changed", "state", "unchanged", "tied"]


class ImportOptions(Struct, frozen=True, kw_only=True):
    """What the person allows; only the last three change what is planned.

    ``preserve`` and ``release`` name rules that a new text no longer states. ``pins`` are pairs of
    an ADR id and the version that its successor is expected to replace.
    """

    update_existing: bool = False
    partial: bool = False
    approve_conflicts: bool = False
    preserve: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    pins: tuple[tuple[str, str], ...] = ()


class Row(Struct, frozen=True, kw_only=True):
    """One ADR of the folder: what the decision becomes, and how that differs from now.

    ``change`` is ``new``, ``changed`` (a new version), ``state`` (the same version, something else
    about the decision), ``unchanged``, or ``tied`` (left out: its scope has no winner). ``before``
    and ``current`` are the present lifecycle and active version, None for a new decision.
    ``needs_update`` tells that ``--update-existing`` is needed, ``because`` why something changes.
    """

    adr: Adr
    lifecycle: Lifecycle
    change: Change
    superseded_by: str = ""
    loses_to: str = ""
    before: Lifecycle | None = None
    current: VersionId | None = None
    renamed_from: str = ""
    needs_update: bool = False
    because: tuple[str, ...] = ()


class Partner(Struct, frozen=True, kw_only=True):
    """A decision without a file in the folder that changes because of one that has."""

    id: DecisionId
    because: str


class Gone(Struct, frozen=True, order=True):
    """A decision whose ADR file is no longer there; it stays as it is."""

    id: DecisionId
    path: str
    lifecycle: str


class TiedScope(Struct, frozen=True):
    """A scope whose ADRs contradict each other: the ids that tie, and all that are left out."""

    scope: str
    top: tuple[str, ...]
    group: tuple[str, ...]


class BoundRule(Struct, frozen=True):
    """A rule by id, with the authority it is bound by."""

    id: RuleId
    authority: str


class Obligation(Struct, frozen=True):
    """Rules that people or a migration bound to a decision and that its new text does not state."""

    decision_id: DecisionId
    rules: tuple[BoundRule, ...]


class Effect(Struct, frozen=True):
    """Bound rules that are no longer enforced because their decision is superseded."""

    decision_id: DecisionId
    superseded_by: str
    rules: tuple[BoundRule, ...]


class Refusal(Struct, frozen=True, kw_only=True):
    """A reason why the plan must not be carried out with these options.

    ``by_design`` is true where another flag would allow it; else something must be mended first.
    """

    code: str
    message: str
    hint: str
    by_design: bool = False


class ImportPlan(Struct, frozen=True, kw_only=True):
    """Everything about one import; ``rows`` are in natural order of id.

    ``plan`` does not depend on what is allowed: ``refusals`` says what stands against carrying it
    out, and is empty if nothing does.
    """

    folder: str
    plan: Plan
    plan_id: str
    rows: tuple[Row, ...]
    partners: tuple[Partner, ...] = ()
    gone: tuple[Gone, ...] = ()
    ties: tuple[TiedScope, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    effects: tuple[Effect, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    refusals: tuple[Refusal, ...] = ()
