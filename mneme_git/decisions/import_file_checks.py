"""What stands against an import into a memory file before anything of it is planned: format, section 6.3."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from mneme_git.errors import Refused
from mneme_git.model.adr_import import ImportOptions, Row, TiedScope
from mneme_git.model.decision import DecisionState, Lifecycle
from mneme_git.model.ids import DecisionId
from mneme_git.text.quoting import quoted


class Asked(Struct, frozen=True, kw_only=True):
    """The ADRs that take part, in text order of id.

    ``active`` are those in force, ``superseded`` the decisions that these name.
    """

    rows: tuple[Row, ...]
    active: tuple[Row, ...]
    ties: tuple[TiedScope, ...]
    superseded: frozenset[DecisionId]


def check_before(
    asked: Asked,
    before: Mapping[DecisionId, DecisionState],
    items: frozenset[str],
    options: ImportOptions,
) -> None:
    """Make the checks in the order of the format. Raises Refused for the first that fails."""
    check_ties(asked.ties, options)
    incoming = {row.adr.id for row in asked.active}
    _check_pins(options.pins, incoming, before)
    for verb, rule_ids in (("preserve", options.preserve), ("release", options.release)):
        _check_requests(verb, rule_ids, incoming & before.keys())
    for row in asked.active:
        _check_existing(row.adr.id, before, items, options)
    if not options.update_existing:
        for row in asked.rows:
            _check_lifecycle(row, before, asked.superseded)


def check_ties(ties: Sequence[TiedScope], options: ImportOptions) -> None:
    """Refuse scopes without a winner, unless they are to be left out."""
    if ties and not options.approve_conflicts:
        raise refused(
            "active-active contradiction in corpus. Pass approve_conflicts=True (or --approve-conflicts on "
            "the CLI) to import the non-conflicting scopes and skip the conflicting ones, or fix the "
            "contradicting ADRs."
        )


def refused(text: str, *, hint: str = "") -> Refused:
    """Return the refusal of an import in the words of the format."""
    return Refused(f"ADR import refused: {text}", hint=hint)


def gives_way(row: Row, superseded: frozenset[DecisionId]) -> bool:
    """Tell whether an ADR in force supersedes this one."""
    return row.lifecycle is Lifecycle.SUPERSEDED and row.adr.id in superseded


def _check_pins(
    pins: Sequence[tuple[str, str]], incoming: set[DecisionId], before: Mapping[DecisionId, DecisionState]
) -> None:
    for name, pin in sorted(pins):
        state = before.get(DecisionId(name))
        if name not in incoming:
            raise refused(f"expected predecessor names {quoted(name)}, which is not an incoming active ADR.")
        if state is None:
            raise refused(
                f"expected predecessor names {quoted(name)}, which is not yet canonical; "
                "a new decision has no predecessor to pin."
            )
        if pin not in {entry.version_id for entry in state.versions}:
            raise refused(f"expected predecessor {quoted(pin)} is not a persisted version of {quoted(name)}.")


def _check_requests(verb: str, rule_ids: Sequence[str], known: set[DecisionId]) -> None:
    for rule_id in rule_ids:
        if rule_id.rsplit(":", 2)[0] not in known:
            raise refused(
                f"{verb} request {quoted(rule_id)} does not name a rule of an incoming, "
                "already-canonical decision."
            )


def _check_existing(
    decision_id: DecisionId,
    before: Mapping[DecisionId, DecisionState],
    items: frozenset[str],
    options: ImportOptions,
) -> None:
    if decision_id in items:
        raise refused(
            f"id {quoted(decision_id)} exists in items[]; --update-existing cannot migrate identity across "
            "sections."
        )
    if decision_id in before and not options.update_existing:
        raise refused(
            f"id {quoted(decision_id)} already exists in canonical decision authority. Pass "
            "--update-existing to create or reuse an immutable version occurrence, or rename the "
            "incoming ADR."
        )


def _check_lifecycle(
    row: Row, before: Mapping[DecisionId, DecisionState], superseded: frozenset[DecisionId]
) -> None:
    state = before.get(row.adr.id)
    if state is None or state.lifecycle_status is row.lifecycle or gives_way(row, superseded):
        return
    old, new = state.lifecycle_status.value, row.lifecycle.value
    raise refused(
        f"decision {quoted(row.adr.id)} would change lifecycle from {quoted(old)} to {quoted(new)} "
        "without an explicit active supersedes relationship. General lifecycle editing is D1E.",
        hint="pass --update-existing to let its lifecycle follow what the ADRs say now",
    )
