"""What the code index reads of a repository: its work tree as it is now, or one revision.

Both satisfy ``mneme_indexer.sources.SourceTree``. Nothing in the repository is changed but the files
in ``<git dir>/mneme``. Contents are git's own (line ends and filters as ``git add`` would apply them):
so one content has one id, whoever has checked it out how.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from mneme_git.errors import MissingObject, NotFound, Refused
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import ROOT
from mneme_git.store import ignore_rules
from mneme_git.store.backend import GitObject
from mneme_git.store.blob_reader import BlobReader
from mneme_git.store.code_status import UNTRACKED, Difference, Look, looking
from mneme_git.store.content_ids import READ_AT_MOST, ContentIds, Found
from mneme_git.store.dependency_folders import dependency_folder
from mneme_git.store.ignore_rules import IgnoreRules
from mneme_git.store.index_copy import IndexCopy
from mneme_git.store.location import Location
from mneme_git.store.objects import BLOB_MODE, LINK_MODE, commit_tree, object_id
from mneme_git.store.patched_tree import ChangingTree, Leaf
from mneme_git.store.tree_files import LINK, TreeFiles, is_own, listed_at
from mneme_git.text.path_names import as_text, is_text
from mneme_indexer.sources import Listed, Listing

_ATTRIBUTES = ".gitattributes"
_NOT_READ = {"other": "not a regular file", "unreadable": "cannot be read"}
_LARGE = f"larger than {READ_AT_MOST >> 20} MiB"


class _Source:
    """What both have in common: objects, committed trees, rules."""

    def __init__(self, location: Location, root: Path | None, ignore: Sequence[str]) -> None:
        self._location = location
        self._ignore = ignore
        self._blobs = BlobReader(location, root)
        self._tree = ChangingTree(self._object, location.object_format)
        self._committed = TreeFiles(location)
        self._rules = IgnoreRules(location)
        self._nothing: Leaf = (BLOB_MODE, object_id(GitObject("blob", b""), location.object_format))
        self._odd: Mapping[str, str] = {}
        self._top: tuple[str, ObjectId | None] = ("", None)

    def read(self, files: Sequence[Listed]) -> Iterator[bytes]:
        """Yield the content of each file, in order; what changed or vanished meanwhile yields ``b""``."""
        odd = self._odd
        return self._blobs.read(
            [replace(row, path=odd[row.path]) if row.path in odd else row for row in files] if odd else files
        )

    def close(self) -> None:
        """End what runs in the background."""
        self._blobs.close()

    def _by_text(self, files: Mapping[str, Listed]) -> Mapping[str, Listed]:
        r"""Return the files by names that are text: a byte that is none stands as ``\xNN``.

        Where another file really has that name, it stays, and the odd one is left out.
        """
        named = {path: as_text(path) for path in files if not is_text(path)}
        self._odd = {told: path for path, told in named.items() if told not in files}
        if not named:
            return files
        told = {told: replace(files[path], path=told) for told, path in self._odd.items()}
        return {path: row for path, row in files.items() if path not in named} | told

    def _object(self, oid: ObjectId) -> GitObject:
        found = self._blobs.object(oid)
        if found is None:
            raise MissingObject(
                f"object {oid} is not in this repository",
                hint="in a shallow or partial clone, fetch it; else run `git fsck`",
            )
        return found

    def _tree_of(self, commit: str) -> ObjectId | None:
        if not commit:  # before the first commit, perhaps of an orphan branch that was just begun
            return None
        if commit != self._top[0]:
            self._top = (commit, commit_tree(self._object(ObjectId(commit)).data))
        return self._top[1]

    def _listing(
        self, base: ObjectId | None, files: Mapping[str, Listed], leaves: Mapping[str, Leaf | None],
        rules: Mapping[str, bytes], commit: str,
    ) -> Listing:  # fmt: skip
        """Return the listing of ``files``, which are those of ``base`` with ``leaves`` changed."""
        hidden = self._rules.hidden(files, ignore_rules.with_more(rules, self._ignore))
        if hidden:
            files = {path: row for path, row in files.items() if path not in hidden}
            leaves = {**leaves, **dict.fromkeys(hidden)}
        committed = self._committed.files(base)
        tree = self._tree.patched(base, leaves, committed.__contains__, without=ROOT)
        if self._committed.missing:
            tree = ObjectId(f"{tree}-{self._committed.missing}")
        files = self._by_text(files)
        return Listing(tree=tree, files=files, commit=commit, is_dirty=bool(leaves))


class WorkTreeSource(_Source):
    """The work tree as it is at each call: tracked files, and untracked ones that git does not ignore."""

    def __init__(self, location: Location, *, ignore: Sequence[str] = ()) -> None:
        """Raise Refused for a bare repository; ``ignore`` are rules of the user's own."""
        if location.work_tree is None:
            raise Refused("a bare repository has no files to look at", hint="name a revision: --at HEAD")
        super().__init__(location, location.work_tree, ignore)
        self._copy = IndexCopy(location)
        self._ids = ContentIds(location, location.work_tree)
        self._told: Look | None = None
        self._differences: Mapping[str, Difference] = {}
        self._seen: object = None
        self._to_read: dict[str, int] = {}
        self._found: Mapping[str, Found] = {}
        self._composed: Mapping[str, Listed] = {}
        self._files: dict[str, Listed] = {}
        self._leaves: dict[str, Leaf | None] = {}
        self._searched: Mapping[str, Listed] = {}
        self._rules_committed: frozenset[str] = frozenset()
        self._attributes_committed: list[str] = []
        self._last = Listing(tree="", files={})

    def tree_id(self) -> str:
        """Return the id of the tree as it is now: what ``git add -A`` would make, less what is hidden.

        Of an untracked file in a dependency folder only the name counts.
        """
        return self.listing().tree

    def listing(self) -> Listing:
        """Return the files as they are now; the very same object while nothing has changed."""
        with self.looking() as seen:
            return seen()

    @contextmanager
    def looking(self) -> Iterator[Callable[[], Listing]]:
        """Let git look while the block does something else; what is given returns the listing."""
        with looking(self._copy) as told:
            yield lambda: self._listed(told())

    def _listed(self, told: Look) -> Listing:
        if self._told is None or told.told != self._told.told:
            rows = {path: row for path, row in told.differences().items() if not is_own(path)}
            self._differences = rows
            self._to_read = {path: row.mode for path, row in rows.items() if _to_be_read(path, row)}
            self._found = {}
        self._told = told
        base = self._tree_of(told.head)
        committed = self._committed.files(base)
        self._search(committed)
        found = self._ids.look(self._to_read, self._attributes(committed))
        rules = self._rule_files(committed)
        seen = (told, found, rules, self._committed.missing)
        if seen != self._seen:
            self._compose(committed, found)
            self._last = self._listing(base, self._files, self._leaves, rules, told.head)
            self._seen = seen
        return self._last

    def _compose(self, committed: Mapping[str, Listed], found: Mapping[str, Found]) -> None:
        """Bring files and leaves to what was found, from the last ones where they will do."""
        changed: Iterable[str] = self._differences
        if self._found and committed is self._composed:
            changed = [path for path, row in found.items() if row is not self._found.get(path)]
            self._files, self._leaves = dict(self._files), dict(self._leaves)
        else:
            self._files, self._leaves = dict(committed), {}
        for path in changed:
            difference = self._differences[path]
            leaf = self._leaf(path, difference, found.get(path))
            row = _listed(path, difference, found.get(path), leaf)
            if row is None:
                self._files.pop(path, None)
            else:
                self._files[path] = row
            self._leaves[path] = leaf
        self._found, self._composed = found, committed

    def _leaf(self, path: str, difference: Difference, found: Found | None) -> Leaf | None:
        if difference.oid is not None:
            return (difference.mode, difference.oid)
        if found is not None and found.kind not in _NOT_READ:
            return found.leaf
        # in a dependency folder, or no file that can be read: known by name alone
        return self._nothing if found is not None or difference == UNTRACKED else None

    def _rule_files(self, committed: Mapping[str, Listed]) -> dict[str, bytes]:
        """Return the rules in force: of listed files, and of one at the top that git ignores."""
        named = self._rules_committed.union(filter(ignore_rules.is_rules, self._differences))
        rows = [committed.get(path) or Listed(path, "") for path in sorted(named | {ignore_rules.NAME})]
        contents = {row.path: self._rule_file(row) for row in rows}
        return {path: content for path, content in contents.items() if content}

    def _rule_file(self, row: Listed) -> bytes:
        try:
            return Path(os.fsdecode(self._ids.place(row.path))).read_bytes()
        except OSError:
            gone = row.path in self._differences or not row.blob
            return b"" if gone else next(iter(self._blobs.read([row])))  # outside of a sparse checkout

    def _search(self, committed: Mapping[str, Listed]) -> None:
        if committed is not self._searched:
            self._searched = committed
            self._rules_committed = frozenset(filter(ignore_rules.is_rules, committed))
            self._attributes_committed = sorted(filter(_is_attributes, committed))

    def _attributes(self, committed: Mapping[str, Listed]) -> str:
        """Return a name for all that decides how git stores files."""
        own = sorted(filter(_is_attributes, self._differences))
        common = self._location.common_dir
        places = [self._ids.place(path) for path in own]
        places += [os.fsencode(common / "info" / "attributes"), os.fsencode(common / "config")]
        stored = [(path, committed[path].blob) for path in self._attributes_committed]
        return repr((stored, own, [_stamp(place) for place in places]))


class RevisionSource(_Source):
    """The files of one commit, whose id is ``commit``; the work tree is not looked at."""

    def __init__(self, location: Location, revision: str, *, ignore: Sequence[str] = ()) -> None:
        """Raise NotFound if ``revision`` names no commit; ``ignore`` are rules of the user's own."""
        super().__init__(location, None, ignore)
        found = self._blobs.oid(f"{revision}^{{commit}}") if revision else None
        if found is None:
            raise NotFound("commit", revision, hint="see `git log` for the commits there are")
        self.commit = found
        self._made: Listing | None = None

    def tree_id(self) -> str:
        """Return the id of the commit's tree, less what is hidden."""
        return self.listing().tree

    def listing(self) -> Listing:
        """Return the files of the commit."""
        return self._listed()

    @contextmanager
    def looking(self) -> Iterator[Callable[[], Listing]]:
        """Give what returns the listing; a commit does not change."""
        yield self._listed

    def _listed(self) -> Listing:
        if self._made is None:
            tree = self._tree_of(self.commit)
            files = self._committed.files(tree)
            rows = [row for path, row in files.items() if ignore_rules.is_rules(path)]
            rules = dict(zip((row.path for row in rows), self._blobs.read(rows), strict=True))
            self._made = self._listing(tree, files, {}, rules, self.commit)
        return self._made


def _to_be_read(path: str, difference: Difference) -> bool:
    if difference.oid is not None or difference.mode == 0:
        return False
    return difference.tracked or not dependency_folder(path)


def _listed(path: str, difference: Difference, found: Found | None, leaf: Leaf | None) -> Listed | None:
    if leaf is None:
        return None
    if difference.oid is not None:
        return listed_at(path, *leaf)
    reason = _reason(path, difference, found, leaf[0])
    return Listed(path, leaf[1], found.size if found else -1, difference.tracked, reason)


def _reason(path: str, difference: Difference, found: Found | None, mode: int) -> str:
    if found is not None and found.kind in _NOT_READ:
        return _NOT_READ[found.kind]
    if found is None:
        return f"untracked, in {dependency_folder(path)}"
    if mode == LINK_MODE:
        return LINK
    return _LARGE if found.size > READ_AT_MOST else ""


def _is_attributes(path: str) -> bool:
    return path.rpartition("/")[2] == _ATTRIBUTES


def _stamp(place: bytes) -> Iterable[int]:
    try:
        seen = os.stat(place)  # noqa: PTH116 - bytes
    except OSError:
        return ()
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
