"""Questions about history: which commits touched a path, which blobs are kept by something."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mneme_git.errors import MissingObject
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import CommitInfo, TreeEntry
from mneme_git.store.location import Location
from mneme_git.store.objects import decode_commit, is_object_id
from mneme_git.store.process import Git
from mneme_git.store.refs import OUR_REFS
from mneme_git.store.trees import Objects, entry_at

# Where git writes down commits that it is in the middle of bringing in.
_UNDER_WAY = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "ORIG_HEAD",
    "AUTO_MERGE",
    "MERGE_AUTOSTASH",
    "rebase-merge/autostash",
    "rebase-apply/autostash",
)
_CHUNK = 256


def history(
    git: Git, objects: Objects, revisions: Sequence[ObjectId], paths: Sequence[str], limit: int | None
) -> Iterator[CommitInfo]:
    """Yield the commits reachable from ``revisions`` that touch ``paths``, newest first.

    A child always comes before its parents, no side branch is passed over, renames are not
    followed, and a merge counts only where what it has at ``paths`` differs from every parent's.
    """
    if not revisions or limit == 0:
        return
    given = "".join(f"{oid}\n" for oid in revisions).encode("ascii")
    options = ("--full-history", "--date-order", "--stdin")
    listed = git.ask("rev-list", *options, *(("--", *paths) if paths else ()), stdin=given)
    oids = [ObjectId(word) for word in listed.decode("ascii").split()]
    left = limit
    for start in range(0, len(oids), _CHUNK):
        part = oids[start : start + _CHUNK]
        for oid, found in zip(part, objects.read_many(part), strict=True):
            commit = decode_commit(oid, found.data)
            if len(commit.parents) > 1 and paths and not _differs(objects, commit, paths):
                continue
            yield commit
            left = None if left is None else left - 1
            if left == 0:
                return


def _differs(objects: Objects, commit: CommitInfo, paths: Sequence[str]) -> bool:
    mine = _at(objects, commit.oid, paths)
    return all(_at(objects, parent, paths) != mine for parent in commit.parents)


def _at(objects: Objects, oid: ObjectId, paths: Sequence[str]) -> tuple[TreeEntry | None, ...] | None:
    try:
        return tuple(entry_at(objects, oid, path) for path in paths)
    except MissingObject:
        return None  # beyond the edge of a shallow clone


def reachable_blobs(location: Location, prefix: str) -> frozenset[ObjectId]:
    """Return the blobs at or below ``prefix`` (all for ``""``) that something but ``refs/mneme`` keeps.

    That is: refs, reflogs, HEADs and indexes of every work tree of this clone, what a merge, rebase or
    cherry-pick is bringing in, and autostashes. Ids of the folders on the way may be among them.
    """
    told = _journal_is_logged(location)
    started = [*_under_way(location), *(_logged(location) if told else ())]
    listed = location.git.ask(
        "rev-list",
        "--objects",
        "--full-history",
        "--missing=print",  # in a partial clone what is not here is listed, and not fetched
        "--ignore-missing",
        "--exclude=refs/mneme/*",
        "--all",
        *(() if told else ("--reflog",)),
        "--indexed-objects",
        "--stdin",
        *(("--", prefix) if prefix else ()),
        stdin="".join(f"{oid}\n" for oid in sorted(set(started))).encode("ascii"),
    )
    rows = (row.partition(" ") for row in listed.decode("utf-8", "surrogateescape").split("\n"))
    below = prefix.rstrip("/") + "/" if prefix else ""
    # "?<id>" is an object that is not here; its path is not told, and it counts as kept
    return frozenset(
        ObjectId(oid.removeprefix("?"))
        for oid, _, path in rows
        if oid.startswith("?") or (path and f"{path}/".startswith(below))
    )


def _git_dirs(location: Location) -> list[Path]:
    """Return git's folder of every work tree of this clone."""
    linked = location.common_dir / "worktrees"
    return [location.common_dir, *(sorted(linked.iterdir()) if linked.is_dir() else ())]


def _under_way(location: Location) -> list[ObjectId]:
    return [
        oid for folder in _git_dirs(location) for name in _UNDER_WAY for oid in _ids(folder / name, location)
    ]


def _journal_is_logged(location: Location) -> bool:
    # With core.logAllRefUpdates=always other programs may have logged what the journal was; then
    # `--reflog`, which knows no exceptions, would count all of it as kept.
    if location.ref_format == "files":
        return (location.common_dir / "logs" / "refs" / "mneme").exists()
    return any(name.startswith(OUR_REFS) for name in _names_of_reflogs(location))


def _logged(location: Location) -> Iterable[ObjectId]:
    """Return the ids in the reflogs of all refs but ours."""
    if location.ref_format == "files":
        return _logged_in_files(location)
    names = [name for name in _names_of_reflogs(location) if not name.startswith(OUR_REFS)]
    return (
        [ObjectId(oid) for oid in location.git.ask("rev-list", "-g", *names).decode().split()]
        if names
        else []
    )


def _names_of_reflogs(location: Location) -> list[str]:
    # Every git that knows reftables has `reflog list`.
    return location.git.ask("reflog", "list").decode("utf-8", "surrogateescape").split()


def _logged_in_files(location: Location) -> Iterator[ObjectId]:
    for folder in _git_dirs(location):
        for place, _, names in os.walk(folder / "logs"):
            if Path(place).is_relative_to(folder / "logs" / "refs" / "mneme"):
                continue
            for name in names:
                yield from _ids(Path(place) / name, location)


def _ids(file: Path, location: Location) -> list[ObjectId]:
    """Return the object ids among the first two words of each line of a file of git's own."""
    try:
        lines = file.read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    words = (word for line in lines for word in line.split(" ")[:2])
    return [
        ObjectId(word) for word in words if is_object_id(word, location.object_format) and word.strip("0")
    ]
