"""Taking a decision out of force that no ADR file speaks for: deprecated, or superseded by another.

Where a decision has an ADR, the file is the word that counts: the change is refused until the file
says it, unless the file is gone. Both files of a supersession are written, so that git sees two
branches that decide differently.
"""

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.settled import settled
from mneme_git.errors import Refused
from mneme_git.model.adr import Adr
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import AdrEvidence, DecisionState, Lifecycle, Relationship, active_evidence
from mneme_git.model.ids import DecisionId
from mneme_git.model.plan import ABSENT, Plan, PutState, Read
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted


class FileWord(Struct, frozen=True, kw_only=True):
    """What the ADR file of a decision says now.

    ``blob`` is ``absent`` where the file is gone; ``adr`` is None where it is gone or not understood.
    """

    path: str
    blob: str = ABSENT
    adr: Adr | None = None

    @property
    def is_gone(self) -> bool:
        """Tell whether there is no such file any more."""
        return self.blob == ABSENT


def adr_path_of(snapshot: Snapshot, decision_id: str) -> str:
    """Return the locator of the ADR that the active version of a decision came from, or empty text."""
    state = snapshot.state(decision_id)
    rows = active_evidence(state) if state is not None else ()
    return next((row.source_locator for row in rows if isinstance(row, AdrEvidence)), "")


def plan_deprecate(snapshot: Snapshot, decision_id: str, *, word: FileWord | None, now: str = "") -> Plan:
    """Plan that a decision is in force no more and nothing takes its place; no operations if it is so.

    ``now`` is for a memory file, which keeps the time of a change.

    Raises:
        NotFound: there is no such decision.
        Refused: branches disagree on it, another superseded it, or its ADR says otherwise.
    """
    state = settled(snapshot, decision_id)
    if state.lifecycle_status is Lifecycle.DEPRECATED:
        return Plan(verb="deprecate", subject=decision_id)
    if state.lifecycle_status is Lifecycle.SUPERSEDED:
        raise Refused(
            f"decision {quoted(decision_id)} is superseded already", hint=f"mneme decision show {decision_id}"
        )
    _require_word(decision_id, word, Lifecycle.DEPRECATED)
    return Plan(
        verb="deprecate",
        subject=decision_id,
        operations=(PutState(replace(state, lifecycle_status=Lifecycle.DEPRECATED), now),),
        reads=(_read(state), *_read_word(word)),
    )


def plan_supersede(
    snapshot: Snapshot,
    old: str,
    new: str,
    *,
    old_word: FileWord | None,
    new_word: FileWord | None,
    now: str = "",
) -> Plan:
    """Plan that ``new`` takes the place of ``old``; no operations if it is so.

    Raises:
        NotFound: there is no such decision.
        Refused: branches disagree on one of them, ``new`` is not in force, the two would go round in
            a circle, or an ADR says otherwise.
    """
    older, newer = settled(snapshot, old), settled(snapshot, new)
    links = [link.target_decision_id for link in newer.relationships]
    if older.lifecycle_status is Lifecycle.SUPERSEDED and older.decision_id in links:
        return Plan(verb="supersede", subject=old)
    _require_successor(snapshot, older, newer)
    _require_word(old, old_word, Lifecycle.SUPERSEDED)
    _require_link(old, new, new_word, is_stored=older.decision_id in links)
    link = Relationship(target_decision_id=older.decision_id)
    kept = tuple(link for link in newer.relationships if link.target_decision_id != older.decision_id)
    return Plan(
        verb="supersede",
        subject=old,
        operations=(
            PutState(replace(older, lifecycle_status=Lifecycle.SUPERSEDED), now),
            PutState(replace(newer, relationships=(*kept, link)), now),
        ),
        reads=(_read(older), _read(newer), *_read_word(old_word), *_read_word(new_word)),
    )


def _require_successor(snapshot: Snapshot, older: DecisionState, newer: DecisionState) -> None:
    if older.decision_id == newer.decision_id:
        raise Refused(
            f"decision {quoted(older.decision_id)} cannot supersede itself", hint="name two decisions"
        )
    if newer.lifecycle_status is not Lifecycle.ACTIVE:
        raise Refused(
            f"decision {quoted(newer.decision_id)} is {newer.lifecycle_status.value}, so it succeeds nothing",
            hint="name a decision that is in force",
        )
    if older.lifecycle_status is Lifecycle.SUPERSEDED:
        raise Refused(
            f"decision {quoted(older.decision_id)} is superseded already",
            hint=f"mneme decision show {older.decision_id}",
        )
    if newer.decision_id in _reached(snapshot, older.decision_id):
        old, new = quoted(older.decision_id), quoted(newer.decision_id)
        raise Refused(
            f"decision {old} supersedes {new}; both at once would be a circle",
            hint="settle which of the two holds",
        )


def _reached(snapshot: Snapshot, start: DecisionId) -> set[DecisionId]:
    """Return every decision that ``start`` supersedes, directly or through others."""
    links = {
        state.decision_id: [link.target_decision_id for link in state.relationships]
        for state in snapshot.decisions
    }
    found: set[DecisionId] = set()
    open_ids = [start]
    while open_ids:
        for target in links.get(open_ids.pop(), ()):
            if target not in found:
                found.add(target)
                open_ids.append(target)
    return found


def _require_word(decision_id: str, word: FileWord | None, wanted: Lifecycle) -> None:
    """Refuse what the ADR of a decision does not say."""
    if word is None or word.is_gone:
        return
    if word.adr is None:
        raise Refused(
            f"decision {quoted(decision_id)} has an ADR that cannot be read: {word.path}",
            hint="run `mneme adr import` on its folder to see why",
        )
    if word.adr.status.lifecycle is wanted:
        return
    how = (
        f"run `mneme adr supersede {decision_id} --by NEW`"
        if wanted is Lifecycle.SUPERSEDED
        else f"change its status to {wanted.value}"
    )
    folder = word.path.rpartition("/")[0] or "."
    said = word.adr.status.text or "accepted"
    raise Refused(
        f"decision {quoted(decision_id)} has an ADR that says '{said}': {word.path}",
        hint=f"{how}, then `mneme adr import {folder} --apply --update-existing`",
    )


def _require_link(old: str, new: str, word: FileWord | None, *, is_stored: bool) -> None:
    """Refuse a relation that the ADR of the newer decision does not state: the next import would undo it."""
    if word is None or word.is_gone or is_stored:
        return
    if word.adr is not None and any(mention.text == old for mention in word.adr.supersedes):
        return
    folder = word.path.rpartition("/")[0] or "."
    raise Refused(
        f"decision {quoted(new)} has an ADR that does not say it supersedes {quoted(old)}: {word.path}",
        hint=f"run `mneme adr supersede {old} --by {new}`, then `mneme adr import {folder} --apply "
        "--update-existing`",
    )


def _read(state: DecisionState) -> Read:
    return Read("decision", state.decision_id, state_digest(state))


def _read_word(word: FileWord | None) -> tuple[Read, ...]:
    return (Read("adr", word.path, word.blob),) if word is not None else ()
