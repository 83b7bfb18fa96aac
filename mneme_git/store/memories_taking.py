"""What of the pending memories and marks of a branch gets into files, and what stays in the journal.

A mark decides only what it is about: a pin leaves ``.forgotten`` as it is. How a memory stands does not
change by a commit; what could not be so waits on. What a path is to hold is
compared with HEAD, so what is there already (pulled, picked, or left by a command that was cut short)
needs no file, and what is in the work tree alone is still to be committed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.model.codec import encode_memory
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import Action
from mneme_git.model.paths import marker_path, memory_path
from mneme_git.store.memories_standing import BODY, FORGOTTEN, PINNED, PURGED, Sources, Tip, is_live, marked

Read = Callable[[Iterable[str]], Mapping[str, Memory]]
PURGED_TEXT = b"purged\n"
_ALL = BODY | FORGOTTEN | PURGED | PINNED


class Taken(Struct, frozen=True, kw_only=True):
    """What is taken of one memory.

    ``record`` tells that the memory itself waits, ``marks`` are what was done to it, in order. ``files``
    are the bytes of the paths that HEAD or this checkout has otherwise, None for one to be removed;
    ``committed`` are those of them that HEAD has otherwise.
    """

    name: str
    record: bool
    marks: tuple[Action, ...] = ()
    files: dict[str, bytes | None] = {}
    committed: tuple[str, ...] = ()


class Taking(Struct, frozen=True, kw_only=True):
    """What a commit of the pending memories of ``branch`` takes, in the order of their coming.

    Of ``there`` the branch has all already; they are only settled. ``left`` wait on: forgotten before
    they were ever committed, marks on what waits for another branch, and what no file could say here.
    ``unreadable`` have no body.
    ``layout`` are the files of ``mneme init`` that are made along, ``memories`` the bodies by name.
    """

    branch: str
    onto: str
    taken: tuple[Taken, ...] = ()
    there: tuple[Taken, ...] = ()
    left: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    layout: dict[str, bytes] = {}
    memories: dict[str, Memory] = {}

    @property
    def files(self) -> dict[str, bytes | None]:
        """The files of all together, those of the layout first."""
        found: dict[str, bytes | None] = {**self.layout}
        for row in self.taken:
            found.update(row.files)
        return found

    @property
    def settled(self) -> tuple[Taken, ...]:
        """All of which nothing waits any more when this is committed."""
        return (*self.taken, *self.there)


class Waiting(Struct, frozen=True, kw_only=True):
    """What waits for one branch (empty for a detached HEAD) and is not in this checkout yet.

    ``marks`` counts the memories that something is to be done to, ``forgotten`` those that were
    forgotten before they were committed, which stay in the journal. ``gone``: there is no such branch.
    """

    branch: str
    memories: int
    marks: int
    forgotten: int
    gone: bool = False


def take(
    sources: Sources, head: Mapping[str, int], branch: str, read: Read, *, only: Iterable[str] | None = None
) -> Taking:
    """Return what is taken of the pending of ``branch``; ``head`` is what the files of HEAD say, by name.

    ``only`` limits it to some memories. Nothing is made along here.
    """
    rows, left = due(sources, head, branch, only=only)
    memories = dict(read([row.name for row in rows]))
    lacking = {row.name for row in rows if _needs_body(row) and row.name not in memories}
    rows = [_with_body(row, memories) for row in rows if row.name not in lacking]
    return Taking(
        branch=branch,
        onto=sources.branch,
        taken=tuple(row for row in rows if row.files),
        there=tuple(row for row in rows if not row.files),
        left=left,
        unreadable=tuple(sorted(lacking)),
        memories=memories,
    )


def due(
    sources: Sources, head: Mapping[str, int], branch: str, *, only: Iterable[str] | None = None
) -> tuple[list[Taken], tuple[str, ...]]:
    """Return what ``take`` takes or finds there, and what is left, without reading a body.

    In ``files`` a body that is to be written is empty.
    """
    names = sources.pending.names(branch) if only is None else tuple(only)
    rows: list[Taken] = []
    left: list[str] = []
    for name in names:
        row = _row(name, sources, head.get(name, 0), branch)
        if row is None:
            left.append(name)
        else:
            rows.append(row)
    return rows, tuple(left)


def _row(name: str, sources: Sources, there: int, branch: str) -> Taken | None:
    """Return what is taken of one memory, None if it must wait; ``there`` is what the files of HEAD say."""
    pending, here, tip = sources.pending, sources.here.get(name, 0), sources.tips.get(name)
    waits, is_known = pending.waits(name, branch), bool(here & BODY or tip)
    if not waits and not is_known and name in pending.records:
        return None
    # Of what is in no file yet, every mark counts, wherever it was made.
    marks = pending.marks_of(name, None if waits and not is_known else branch)
    wanted = marked(_seen(here, tip), marks)
    about = _decided(marks)
    if wanted & PURGED:
        wanted, about = wanted & ~BODY, about | BODY
    elif here & BODY and waits:
        wanted, about = wanted | BODY, about | BODY
    elif not here & BODY and ((waits and is_live(wanted)) or _comes_here(here, tip, marks)):
        # With a body that is new here comes what other branches say of it.
        wanted, about = wanted | BODY, _ALL if not here else about | BODY
    after = here & ~about | wanted & about
    if (waits and not (after | there) & BODY and not wanted & PURGED) or _stands(
        _seen(after, tip)
    ) != _stands(wanted):
        return None
    return Taken(
        name=name,
        record=waits,
        marks=pending.marks_of(name, branch),
        files=dict(_files(name, wanted, about & ((wanted ^ here) | (wanted ^ there)))),
        committed=tuple(path for path, _ in _files(name, wanted, about & (wanted ^ there))),
    )


def _seen(here: int, tip: Tip | None) -> int:
    """Return the files that count: those of another branch only where this one has none."""
    return tip.flags & ~BODY if tip is not None and not here else here


def _stands(flags: int) -> tuple[bool, bool, bool]:
    """Return what a reader knows of a memory: whether it is live, purged, pinned."""
    return is_live(flags), bool(flags & PURGED), is_live(flags) and bool(flags & PINNED)


def _comes_here(here: int, tip: Tip | None, marks: tuple[Action, ...]) -> bool:
    """Tell whether a memory that only other branches have, forgotten, was made live again for this one.

    No marker could say so, only its own file here.
    """
    if tip is None or here or is_live(tip.flags) or "unforget" not in marks:
        return False
    return is_live(marked(tip.flags, marks))


def _decided(marks: Iterable[Action]) -> int:
    """Return what these marks decide, whatever was before."""
    rows = tuple(marks)
    return ~(marked(0, rows) ^ marked(_ALL, rows)) & _ALL & ~BODY


def _files(name: str, wanted: int, changed: int) -> Iterator[tuple[str, bytes | None]]:
    """Yield the paths that differ, with what they are to hold; a body is put in later."""
    if changed & BODY:
        yield memory_path(name), b"" if wanted & BODY else None
    if changed & (FORGOTTEN | PURGED):
        text = PURGED_TEXT if wanted & PURGED else b""
        yield marker_path(name, "forgotten"), text if wanted & FORGOTTEN else None
    if changed & PINNED:
        yield marker_path(name, "pinned"), b"" if wanted & PINNED else None


def _needs_body(row: Taken) -> bool:
    return row.files.get(memory_path(row.name)) == b""


def _with_body(row: Taken, memories: Mapping[str, Memory]) -> Taken:
    if not _needs_body(row):
        return row
    return replace(row, files={**row.files, memory_path(row.name): encode_memory(memories[row.name])})
