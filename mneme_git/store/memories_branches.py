"""The memories that the tips of branches have, local ones and those of remotes.

Refs are looked at again only where a folder of refs changed; trees are read once, for they never change,
and a folder of memories that several branches share is read once for all of them.
"""

import os
import time
from collections.abc import Iterator

from msgspec import Struct

from mneme_git.errors import CorruptRecord, MissingObject
from mneme_git.model.ids import ObjectId
from mneme_git.store import trees
from mneme_git.store.backend import GitBackend, IndexEntry
from mneme_git.store.memories_here import FOLDER, flags_of_entries
from mneme_git.store.memories_standing import BODY, Tip
from mneme_git.store.objects import TREE_MODE
from mneme_git.store.projection import SETTLED_NS
from mneme_git.store.through_git import ThroughGit
from mneme_git.text.canonical import sha256_hex

_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"
_KEPT_FOLDERS = 20_000
_Stamps = tuple[tuple[str, int, int], ...]


class Tips(Struct, frozen=True):
    """Which branch has a memory, by name, and a token that is equal only for equal tips."""

    by_name: dict[str, Tip]
    token: str


class Branches:
    """The branches of one clone, as memories see them."""

    def __init__(self, backend: GitBackend) -> None:
        self._backend = backend
        self._stamps: _Stamps | None = None
        self._refs: tuple[tuple[str, ObjectId], ...] = ()
        self._shards: dict[ObjectId, tuple[ObjectId, ...]] = {}
        self._flags: dict[ObjectId, dict[str, int]] = {}
        self._last: tuple[tuple[tuple[str, ObjectId], ...], str, Tips] | None = None

    def now(self, own: str) -> Tips:
        """Return what all branches but ``own`` have; of several, the one of that name on a remote counts."""
        refs = self._listed()
        if self._last is None or self._last[0] != refs or self._last[1] != own:
            tips, told = self._joined(refs, own)
            self._last = (refs, own, Tips(tips, sha256_hex(repr(told).encode())))
        return self._last[2]

    def _listed(self) -> tuple[tuple[str, ObjectId], ...]:
        stamps = self._stamps_now()
        if stamps is not None and stamps == self._stamps:
            return self._refs
        looked = time.time_ns()
        self._refs = tuple(_refs(self._backend))
        is_settled = stamps is not None and all(row[1] + SETTLED_NS < looked for row in stamps)
        self._stamps = stamps if is_settled else None
        return self._refs

    def _stamps_now(self) -> _Stamps | None:
        """Return the times of everything that changes with a ref; None if that cannot be told.

        Refs are replaced by renaming, which changes the folder that they are in.
        """
        top = self._backend.common_dir
        if isinstance(self._backend, ThroughGit) and self._backend.location.ref_format != "files":
            return _stamps([f"{top}/reftable/tables.list"])
        known = [row[0] for row in self._stamps or ()]
        if known and (now := _stamps(known)) == self._stamps:
            return now
        starts = [f"{top}/{start.rstrip('/')}" for start in (_HEADS, _REMOTES)]  # a remote may come later
        folders = [place for start in starts for place, _, _ in os.walk(start)]
        return _stamps(list(dict.fromkeys((f"{top}/packed-refs", *starts, *folders))))

    def _joined(
        self, refs: tuple[tuple[str, ObjectId], ...], own: str
    ) -> tuple[dict[str, Tip], list[tuple[str, ObjectId]]]:
        found: dict[str, Tip] = {}
        told: list[tuple[str, ObjectId]] = []
        met: set[ObjectId] = set()
        rows = [(ref, oid) for ref, oid in refs if ref != f"{_HEADS}{own}"]
        for ref, oid in sorted(rows, key=lambda row: (not _is_namesake(row[0], own), _label(row[0]), row)):
            for shard in self._shards_of(oid):
                if shard not in met:
                    met.add(shard)
                    told.append((_label(ref), shard))
        for label, shard in told:
            for name, flags in self._flags_of(shard).items():
                if flags & BODY:  # a marker alone tells of its own branch only
                    found.setdefault(name, Tip(label, flags))
        return found, told

    def _shards_of(self, commit: ObjectId) -> tuple[ObjectId, ...]:
        """Return the folders directly below that of memories in the tree of a commit."""
        if commit not in self._shards:
            if len(self._shards) > _KEPT_FOLDERS:
                self._shards.clear()
            try:
                top = trees.entry_at(self._backend, commit, FOLDER)
                inside = self._backend.tree(top.oid) if top is not None and top.mode == TREE_MODE else ()
            except (MissingObject, CorruptRecord):
                inside = ()
            self._shards[commit] = tuple(entry.oid for entry in inside if entry.mode == TREE_MODE)
        return self._shards[commit]

    def _flags_of(self, shard: ObjectId) -> dict[str, int]:
        if shard not in self._flags:
            if len(self._flags) > _KEPT_FOLDERS:
                self._flags.clear()
            try:
                rows = self._backend.tree(shard)
            except (MissingObject, CorruptRecord):
                rows = ()
            entries = [IndexEntry(path=row.name, mode=row.mode, oid=row.oid) for row in rows]
            self._flags[shard] = flags_of_entries(self._backend, entries)
        return self._flags[shard]


def branch_tips(backend: GitBackend) -> tuple[ObjectId, ...]:
    """Return the commits at the tips of all branches, without repeats."""
    return tuple(dict.fromkeys(oid for _, oid in _refs(backend)))


def _refs(backend: GitBackend) -> Iterator[tuple[str, ObjectId]]:
    """Yield the branches with their commits; symbolic ones, such as a remote's HEAD, are left out."""
    if not isinstance(backend, ThroughGit):
        return
    asked = ("--format=%(refname) %(objectname) %(symref)", _HEADS, _REMOTES)
    for line in backend.git.ask("for-each-ref", *asked).decode("utf-8", "surrogateescape").split("\n"):
        ref, _, rest = line.partition(" ")
        oid, _, symbolic = rest.partition(" ")
        if ref and not symbolic:
            yield ref, ObjectId(oid)


def _is_namesake(ref: str, own: str) -> bool:
    """Tell whether ``ref`` is the branch ``own`` (empty for none) on a remote."""
    remote, _, name = ref.removeprefix(_REMOTES).partition("/")
    return bool(own and remote) and ref.startswith(_REMOTES) and name == own


def _label(ref: str) -> str:
    return ref.removeprefix(_HEADS).removeprefix(_REMOTES)


def _stamps(places: list[str]) -> _Stamps:
    rows: list[tuple[str, int, int]] = []
    for place in places:
        try:
            found = os.stat(place)  # noqa: PTH116 - as text: a thousand folders at every look
            rows.append((place, found.st_mtime_ns, found.st_ino))
        except OSError:
            rows.append((place, 0, 0))
    return tuple(rows)
