"""What a person means by a name, a date or an entry of the journal."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from mneme_git.errors import AmbiguousId, InvalidInput, NotFound
from mneme_git.model.ids import PROPOSAL_PREFIX, VERSION_PREFIX, ObjectId
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.instants import utc_text
from mneme_git.store.journal_entry import JournalEntry
from mneme_git.store.lost import Kind, record_at

_PREFIX = re.compile(r"[0-9a-f]{4,64}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_LISTED = "`mneme restore` lists what the journal has; --at REV takes it from a commit"


class Found(Struct, frozen=True, kw_only=True):
    """One record of the journal; ``digest`` is a decision's state, ``entry`` what wrote it, if known."""

    kind: Kind
    name: str
    digest: str = ""
    blob: ObjectId
    entry: JournalEntry | None = None


class View(Struct, frozen=True, kw_only=True):
    """The journal as one command sees it: its entries, newest first, its records, and this branch."""

    entries: tuple[JournalEntry, ...]
    records: dict[str, ObjectId]
    branch: str


def view(backend: GitBackend) -> View:
    """Read the journal."""
    return View(
        entries=tuple(journal.entries(backend)),
        records=journal.contents(backend),
        branch=backend.head().branch or "",
    )


def find(seen: View, given: str, present: str | None) -> Found:
    """Return the record that ``given`` means.

    It is a decision id, or the beginning (4 characters or more) of a version id, of a state's
    digest, of the name of a proposal or memory, or of the proposal id of a verdict. ``present`` is
    the digest of the decision file that is here for ``given``, None if there is none.

    Raises:
        NotFound: the journal has no such record.
        AmbiguousId: it means several.
    """
    states = states_of(seen, given)
    if states:
        return _state(seen, given, states, present)
    fitting = [*_by_place(seen, given), *_by_digest(seen, given)]
    if not fitting:
        raise NotFound("record of the journal", given, hint=_LISTED)
    if len(fitting) > 1:
        raise AmbiguousId("record", given, sorted(found.digest or found.name for found in fitting))
    return fitting[0]


def states_of(seen: View, decision_id: str) -> list[Found]:
    """Return the states that were written of a decision, on any branch, newest first."""
    return [
        Found(kind="decision", name=decision_id, digest=state.digest, blob=blob, entry=entry)
        for entry in seen.entries
        for state in entry.note.states
        if state.decision_id == decision_id and (blob := _blob(seen, state.digest)) is not None
    ]


def states_at(seen: View, newest: JournalEntry) -> tuple[Found, ...]:
    """Return the states that the decisions of this branch had right after an entry, by decision id."""
    past = seen.entries[seen.entries.index(newest) :]
    last = journal.last_states(past)
    return tuple(
        Found(kind="decision", name=row.decision_id, digest=row.digest, blob=blob, entry=row.entry)
        for (branch, _), row in sorted(last.items())
        if branch == seen.branch and row.digest and (blob := _blob(seen, row.digest)) is not None
    )


def entry_as_of(seen: View, given: str) -> JournalEntry:
    """Return the newest entry that counts for ``--as-of``.

    ``given`` is the number of an entry, the beginning of its commit id, or a time in ISO 8601. A day
    counts to its end, and a time without an offset is UTC.

    Raises:
        NotFound: there is no such entry, or none that old.
        InvalidInput: ``given`` is none of these.
    """
    if given.isascii() and given.isdecimal():
        fitting = [entry for entry in seen.entries if entry.sequence == int(given)]
        if fitting:
            return fitting[0]
    if re.fullmatch(r"[0-9a-f]{7,64}", given):
        fitting = [entry for entry in seen.entries if entry.oid.startswith(given)]
        if len(fitting) > 1:
            raise AmbiguousId("journal entry", given, sorted(entry.oid for entry in fitting))
        if fitting:
            return fitting[0]
    end = _seconds(given)
    for entry in seen.entries:
        if entry.time <= end:
            return entry
    raise NotFound(
        "journal entry", given, hint="nothing was written by then; `mneme restore` lists what is lost"
    )


def written(entry: JournalEntry | None) -> str:
    """Return the time of an entry, UTC, as ``YYYY-MM-DDTHH:MM:SSZ``; empty text for None."""
    if entry is None:
        return ""
    return utc_text(entry.time)


def _seconds(given: str) -> float:
    try:
        when = datetime.fromisoformat(given)
    except ValueError:
        raise InvalidInput(
            f"'{given}' is neither a date nor an entry of the journal",
            hint="give 2024-05-31, 2024-05-31T12:00Z, or the number of an entry from `mneme restore`",
        ) from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    whole_day = timedelta(days=1, seconds=-1) if _DAY.fullmatch(given) else timedelta()
    return (when + whole_day).timestamp()


def _state(seen: View, given: str, states: Sequence[Found], present: str | None) -> Found:
    here = [found for found in states if _branch(found) == seen.branch]
    if here:
        return here[0]
    newest: dict[str, Found] = {}
    for found in states:
        newest.setdefault(_branch(found), found)
    digests = {found.digest for found in newest.values()}
    if present is None and len(digests) == 1:
        return states[0]
    raise AmbiguousId("state", given, _told(newest.values()))


def _told(states: Iterable[Found]) -> list[str]:
    return sorted(f"{found.digest[:12]} (branch {_branch(found) or 'detached'})" for found in states)


def _branch(found: Found) -> str:
    return found.entry.note.branch if found.entry is not None else ""


def _by_place(seen: View, given: str) -> Iterable[Found]:
    wrote = {place: entry for entry in reversed(seen.entries) for place in entry.note.wrote}
    if not _PREFIX.fullmatch(_bare(given)):
        return
    for place, blob in seen.records.items():
        found = record_at(place)
        if found is None:
            continue
        kind, name = found
        begins = VERSION_PREFIX + given.removeprefix(VERSION_PREFIX) if kind == "version" else given
        if name.startswith(begins):
            yield Found(kind=kind, name=name, blob=blob, entry=wrote.get(place))


def _bare(name: str) -> str:
    return name.removeprefix(VERSION_PREFIX).removeprefix(PROPOSAL_PREFIX)


def _by_digest(seen: View, given: str) -> Iterable[Found]:
    if not _PREFIX.fullmatch(given):
        return
    told: dict[str, Found] = {}
    for entry in seen.entries:
        for state in entry.note.states:
            if state.digest.startswith(given) and state.digest not in told:
                blob = _blob(seen, state.digest)
                if blob is not None:
                    told[state.digest] = Found(
                        kind="decision", name=state.decision_id, digest=state.digest, blob=blob, entry=entry
                    )
    yield from told.values()


def _blob(seen: View, digest: str) -> ObjectId | None:
    return seen.records.get(journal.state_name(digest))
