"""Bringing back what the journal or a commit has and this checkout has not.

Restoring is an ordinary plan: it rests on what is here now, it is carried out through the journal,
and what it takes the place of stays in the journal.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app import restore_find as finding
from mneme_git.app.restore_find import Found
from mneme_git.app.restore_plan import Restoration, Skipped, Wanted, present_digest, restoration
from mneme_git.decisions.showing import find_id, find_version
from mneme_git.errors import InvalidInput, MnemeError, NotFound
from mneme_git.model.codec import (
    decode_memory,
    decode_proposal,
    decode_state,
    decode_verdict,
    decode_version,
    encode_memory,
    encode_proposal,
    encode_state,
    encode_verdict,
    encode_version,
)
from mneme_git.model.decision import id_of
from mneme_git.model.ids import ObjectId, ProposalId
from mneme_git.model.snapshot import Snapshot
from mneme_git.store import journal
from mneme_git.store.git_store import GitStore
from mneme_git.store.guard import contested
from mneme_git.store.lost import Kept, Kind, kept
from mneme_git.store.verdict_files import read_signature

_ABOUT_LIMIT = 72


class Row(Struct, frozen=True, kw_only=True):
    """One record that is not here; ``entry`` is the number of its journal entry, 0 if unknown.

    ``versions`` is the lineage of a decision: restoring it brings these back too.
    """

    kind: Kind
    id: str
    digest: str = ""
    about: str = ""
    branch: str = ""
    written: str = ""
    entry: int = 0
    replaced: bool = False
    versions: tuple[str, ...] = ()


class Listing(Struct, frozen=True, kw_only=True):
    """What the journal has and this checkout has not: lost, or kept by something else of this clone."""

    lost: tuple[Row, ...]
    elsewhere: tuple[Row, ...]


def listing(store: GitStore) -> Listing:
    """Return what is lost and what is kept elsewhere, by kind, id and branch."""
    rows = kept(store.backend)
    records = journal.contents(store.backend) if rows else {}
    return Listing(
        lost=tuple(_row(store, records, row) for row in rows if row.lost),
        elsewhere=tuple(_row(store, records, row) for row in rows if not row.lost),
    )


def plan_named(store: GitStore, names: Sequence[str]) -> Restoration:
    """Plan to bring back the records that ``names`` mean, over what is here.

    Raises:
        NotFound: the journal has no such record.
        AmbiguousId: a name means several.
        Refused: a decision is contested, or a version of it is nowhere.
    """
    seen = finding.view(store.backend)
    found = [finding.find(seen, name, present_digest(store, name)) for name in dict.fromkeys(names)]
    return restoration(store, [_from_journal(store, one) for one in found], named=True)


def plan_all(store: GitStore) -> Restoration:
    """Plan to bring back everything that is lost and takes the place of nothing."""
    rows = [row for row in kept(store.backend) if row.lost]
    branch = store.backend.head().branch or ""
    chosen, skipped = _choose([row for row in rows if row.kind == "decision"], branch)
    passed_over = {name for row in rows if row.kind == "decision" for name in _lineage(store, row)}
    plain = [row for row in rows if row.kind != "decision" and row.name not in passed_over]
    wanted = [_from_journal(store, _found(row)) for row in (*chosen, *plain)]
    made = restoration(store, wanted, named=False)
    return replace(made, skipped=(*skipped, *made.skipped))


def plan_as_of(store: GitStore, when: str, names: Sequence[str]) -> Restoration:
    """Plan to bring back the decisions of this branch as the journal had them then.

    Without names only decisions that are not here are brought back.

    Raises:
        NotFound: there is no such entry, or a name had no state then.
        InvalidInput: ``when`` is neither a date nor an entry.
    """
    seen = finding.view(store.backend)
    entry = finding.entry_as_of(seen, when)
    states = {found.name: found for found in finding.states_at(seen, entry)}
    for name in names:
        if name not in states:
            raise NotFound(
                "decision state of that time", name, hint="give the id of a decision of this branch"
            )
    wanted = [states[name] for name in (dict.fromkeys(names) if names else states)]
    made = restoration(store, [_from_journal(store, found) for found in wanted], named=bool(names))
    return replace(made, as_of=f"entry {entry.sequence} of {finding.written(entry)}")


def plan_at(store: GitStore, past: GitStore, names: Sequence[str]) -> Restoration:
    """Plan to bring back records as the revision of ``past`` has them.

    Raises:
        NotFound: it has no such record.
        Refused: it has the decision only in a form that cannot be trusted.
    """
    if not names:
        raise InvalidInput("--at needs the ids of what to bring back", hint="mneme restore --at REV ID")
    snapshot = past.load()
    versions = {name: encode_version(version) for name, version in snapshot.versions.items()}
    wanted = [_from_snapshot(past, snapshot, name) for name in dict.fromkeys(names)]
    return restoration(store, wanted, named=True, versions=versions.get)


def apply(store: GitStore, made: Restoration) -> Restoration:
    """Carry out a restoration. Raises as ``GitStore.commit``."""
    return replace(made, receipt=store.commit(made.plan, stage=True))


def _choose(rows: Sequence[Kept], branch: str) -> tuple[list[Kept], list[Skipped]]:
    """Take one state of each decision: that of this branch, or the only one there is."""
    by_id: dict[str, list[Kept]] = {}
    for row in rows:
        by_id.setdefault(row.name, []).append(row)
    chosen: list[Kept] = []
    skipped: list[Skipped] = []
    for name, states in by_id.items():
        mine = [row for row in states if row.branch == branch]
        if mine or len({row.digest for row in states}) == 1:
            chosen.append((mine or states)[0])
        else:
            skipped.append(
                Skipped("decision", name, "branches wrote different states; name one by its digest")
            )
    return chosen, skipped


def _lineage(store: GitStore, row: Kept) -> list[str]:
    try:
        state, _ = decode_state(store.backend.read(row.blob).data)
    except MnemeError:
        return []
    return [entry.version_id for entry in state.versions]


def _found(row: Kept) -> Found:
    return Found(kind=row.kind, name=row.name, digest=row.digest, blob=row.blob, entry=row.entry)


def _from_journal(store: GitStore, found: Found) -> Wanted:
    return Wanted(
        kind=found.kind,
        name=found.name,
        data=store.backend.read(found.blob).data,
        signature=_signature_with(store, found),
        branch=found.entry.note.branch if found.entry is not None else "",
        written=finding.written(found.entry),
    )


def _signature_with(store: GitStore, found: Found) -> bytes:
    """Return the signature that was written together with a verdict."""
    if found.kind != "verdict" or found.entry is None:
        return b""
    records = journal.contents(store.backend)
    signatures = (
        place
        for place in found.entry.note.wrote
        if place.rpartition("/")[2].startswith(f"{found.name}.") and place.endswith(".sig")
    )
    blob = next((records[place] for place in signatures if place in records), None)
    return store.backend.read(blob).data if blob is not None else b""


def _from_snapshot(past: GitStore, snapshot: Snapshot, given: str) -> Wanted:
    """Return the record that ``given`` means in a past state: a file, else a version, else a decision."""
    for kind, name, data in _named_files(snapshot, given):
        signature = read_signature(past.backend, ProposalId(name), past.revision)
        return Wanted(kind=kind, name=name, data=data, signature=signature or b"")
    try:
        version = find_version(snapshot, given)
    except NotFound:
        name = find_id(snapshot, given)
    else:
        return Wanted(kind="version", name=id_of(version), data=encode_version(version))
    if snapshot.contest(name) is not None:
        raise contested(name)
    state = snapshot.state(name)
    assert state is not None
    return Wanted(kind="decision", name=name, data=encode_state(state))


def _named_files(snapshot: Snapshot, given: str) -> Iterable[tuple[Kind, str, bytes]]:
    memory, proposal = snapshot.memories.get(given), snapshot.proposals.get(given)
    verdict = snapshot.verdicts.get(ProposalId(given))
    if verdict is not None:
        yield "verdict", given, encode_verdict(verdict)
    if memory is not None:
        yield "memory", given, encode_memory(memory)
    if proposal is not None:
        yield "proposal", given, encode_proposal(proposal)


def _row(store: GitStore, records: Mapping[str, ObjectId], row: Kept) -> Row:
    return Row(
        kind=row.kind,
        id=row.name,
        digest=row.digest,
        about=_about(store, records, row),
        branch=row.branch,
        written=finding.written(row.entry),
        entry=row.entry.sequence if row.entry is not None else 0,
        replaced=row.replaced,
        versions=tuple(_lineage(store, row)) if row.kind == "decision" else (),
    )


def _about(store: GitStore, records: Mapping[str, ObjectId], row: Kept) -> str:
    """Return the first line of what a record says, cut short; empty if that cannot be read."""
    try:
        text = _text(store, records, row.kind, store.backend.read(row.blob).data)
    except MnemeError:
        return ""
    line = text.split("\n", 1)[0].strip()
    return line if len(line) <= _ABOUT_LIMIT else line[: _ABOUT_LIMIT - 3].rstrip() + "..."


def _text(store: GitStore, records: Mapping[str, ObjectId], kind: Kind, data: bytes) -> str:
    match kind:
        case "decision":
            active = records.get(journal.version_name(decode_state(data)[0].active_version_id))
            return decode_version(store.backend.read(active).data)[0].statement if active else ""
        case "version":
            return decode_version(data)[0].statement
        case "proposal":
            return decode_proposal(data)[0].title
        case "verdict":
            verdict = decode_verdict(data)[0]
            return f"{verdict.verdict} by {verdict.by}"
        case "memory":
            return decode_memory(data)[0].body
