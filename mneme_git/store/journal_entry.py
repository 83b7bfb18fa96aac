"""What one journal commit says of itself: its subject, its trailers, and back.

A journal commit reads well in ``git log refs/mneme/journal``::

    mneme: add use-sqlite

    Mneme-Sequence: 12
    Mneme-Plan: 0123456789abcdef
    Mneme-Branch: main
    Mneme-Head: <commit>
    Mneme-Worktree: main
    Mneme-State: <digest> "use-sqlite"
    Mneme-Wrote: versions/ab/dver-....json
    Mneme-File: <sha256> ".mneme/project_memory.json"
    Mneme-Settled: <name of a memory>
    Mneme-Pending: record <name of a memory>

``Mneme-State`` names a decision and the state it was given, ``Mneme-Wrote`` another record,
``Mneme-Removed`` a path that was taken from the branch, ``Mneme-File`` a file of the work tree that
is no record and the bytes it was given. ``Mneme-Pending`` says what waits to be committed on the
entry's branch, in the order of its making: ``record``, or a mark such as ``forget``; ``Mneme-Settled``
a memory of which nothing waits any more, but for what the same entry says is pending. Names that a
person chose are JSON strings, a branch only if its name is no plain line.
"""

import json

from msgspec import Struct

from mneme_git.model.ids import Digest, ObjectId
from mneme_git.store.backend import CommitInfo

_PREFIX = "mneme: "
_FIELDS = ("Plan", "Branch", "Head", "Worktree", "Agent")


class StateWritten(Struct, frozen=True, order=True):
    """A decision and the digest of the state that it was given."""

    decision_id: str
    digest: Digest


class FileWritten(Struct, frozen=True, order=True):
    """A file of the work tree, by its path in the repository, and the sha256 of what was written."""

    path: str
    sha256: Digest


class Note(Struct, frozen=True, kw_only=True):
    """What the writer of an entry states.

    ``branch`` is empty when HEAD is detached, ``head`` before the first commit. ``worktree`` is
    ``main`` or ``worktrees/<name>``. ``wrote`` holds paths in the journal, ``removed`` paths of
    the branch. ``pending`` are pairs of a word (``record`` or an action) and the name of a memory;
    what is ``settled`` got into files of the branch before.
    """

    verb: str
    subject: str
    plan: str = ""
    branch: str = ""
    head: str = ""
    worktree: str = ""
    agent: str = ""
    states: tuple[StateWritten, ...] = ()
    wrote: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    files: tuple[FileWritten, ...] = ()
    pending: tuple[tuple[str, str], ...] = ()
    settled: tuple[str, ...] = ()


class JournalEntry(Struct, frozen=True, kw_only=True):
    """One commit of the journal; ``time`` is unix seconds, ``sequence`` counts from 1."""

    oid: ObjectId
    sequence: int
    time: int
    author: str
    note: Note


def message_of(note: Note, sequence: int) -> str:
    """Return the commit message of an entry."""
    values = {
        "Plan": note.plan,
        "Branch": _exactly(note.branch),
        "Head": note.head,
        "Worktree": note.worktree,
    }
    values["Agent"] = note.agent
    lines = [f"Mneme-Sequence: {sequence}"]
    lines += [f"Mneme-{name}: {_one_line(values[name])}" for name in _FIELDS if values[name]]
    lines += [f"Mneme-State: {s.digest} {json.dumps(s.decision_id)}" for s in sorted(note.states)]
    lines += [f"Mneme-Wrote: {path}" for path in sorted(note.wrote)]
    lines += [f"Mneme-Removed: {json.dumps(path)}" for path in sorted(note.removed)]
    lines += [f"Mneme-File: {file.sha256} {json.dumps(file.path)}" for file in note.files]
    lines += [f"Mneme-Settled: {name}" for name in sorted(note.settled)]
    lines += [f"Mneme-Pending: {word} {name}" for word, name in note.pending]
    subject = _one_line(f"{_PREFIX}{'-'.join(note.verb.split())} {note.subject}".rstrip())
    return subject + "\n\n" + "\n".join(lines) + "\n"


def entry_of(commit: CommitInfo) -> JournalEntry:
    """Return what a journal commit says; what is not said is empty, as in a commit of another hand."""
    subject, _, body = commit.message.partition("\n")
    verb, _, rest = subject.removeprefix(_PREFIX).partition(" ")
    found: dict[str, list[str]] = {}
    for line in body.split("\n"):
        name, colon, value = line.partition(": ")
        if colon and name.startswith("Mneme-"):
            found.setdefault(name.removeprefix("Mneme-"), []).append(value)
    first = {name: values[0] for name, values in found.items()}
    note = Note(
        verb=verb,
        subject=rest,
        plan=first.get("Plan", ""),
        branch=_as_it_was(first.get("Branch", "")),
        head=first.get("Head", ""),
        worktree=first.get("Worktree", ""),
        agent=first.get("Agent", ""),
        states=tuple(state for value in found.get("State", []) if (state := _state(value)) is not None),
        wrote=tuple(found.get("Wrote", [])),
        removed=tuple(text for value in found.get("Removed", []) if (text := _text(value))),
        files=tuple(file for value in found.get("File", []) if (file := _file(value)) is not None),
        pending=tuple(pair for value in found.get("Pending", []) if (pair := _pending(value)) is not None),
        settled=tuple(found.get("Settled", [])),
    )
    return JournalEntry(
        oid=commit.oid,
        sequence=sequence_of(commit.message),
        time=commit.author_time,
        author=f"{commit.author.name} <{commit.author.email}>",
        note=note,
    )


def sequence_of(message: str) -> int:
    """Return the number of a journal entry; 0 if the message states none."""
    for line in message.split("\n"):
        if line.startswith("Mneme-Sequence: ") and line[16:].isascii() and line[16:].isdecimal():
            return int(line[16:])
    return 0


def _state(value: str) -> StateWritten | None:
    digest, _, name = value.partition(" ")
    decision_id = _text(name)
    return StateWritten(decision_id, Digest(digest)) if decision_id else None


def _file(value: str) -> FileWritten | None:
    sha256, _, name = value.partition(" ")
    path = _text(name)
    return FileWritten(path, Digest(sha256)) if path else None


def _pending(value: str) -> tuple[str, str] | None:
    word, _, name = value.partition(" ")
    return (word, name) if word and name else None


def _text(value: str) -> str:
    try:
        decoded = json.loads(value)
    except ValueError:
        return ""
    return decoded if isinstance(decoded, str) else ""


def _exactly(text: str) -> str:
    """Return a name that is compared later, as a JSON string if it could not be told apart as it stands."""
    plain = text == _one_line(text) and text.isprintable() and not text.startswith('"')
    return text if plain else json.dumps(text)


def _as_it_was(value: str) -> str:
    return (_text(value) or value) if value.startswith('"') else value


def _one_line(text: str) -> str:
    """Keep a chosen name from opening a line of its own; what it was stands in the records."""
    return " ".join(text.split())
