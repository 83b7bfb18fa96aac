"""A copy of the index with an object folder of its own, in which git can be let loose.

What git would do to the user's index and object store can so be asked without doing it.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from mneme_git.errors import Refused
from mneme_git.model.ids import ObjectId
from mneme_git.store.batch import ObjectReader
from mneme_git.store.location import Location
from mneme_git.store.objects import decode_tree, encode_tree, object_id
from mneme_git.store.process import Git, accepted

_QUIETLY = (
    "core.safecrlf=false",  # only asked, nothing is stored: no reason to refuse
    "core.splitIndex=false",  # or git would leave a shared half in the user's git folder
    "core.fsmonitor=false",
    "advice.addEmbeddedRepo=false",
)


@contextlib.contextmanager
def private_index(location: Location) -> Iterator[Git]:
    """Give git aimed at a copy of the index; what it writes is gone afterwards.

    Raises:
        Refused: the repository has no work tree.
    """
    if location.work_tree is None:
        raise Refused("a bare repository has no work tree", hint="run this in a work tree")
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        index, objects = Path(folder) / "index", Path(folder) / "objects"
        objects.mkdir()
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(location.index_file, index)  # with its time, by which git sees racy entries
        others = [str(location.objects_dir), location.variables.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")]
        yield location.git.with_variables(
            GIT_INDEX_FILE=str(index),
            GIT_OBJECT_DIRECTORY=str(objects),
            GIT_ALTERNATE_OBJECT_DIRECTORIES=os.pathsep.join(_quoted(path) for path in others if path),
        )


def bytes_as_added(location: Location, paths: Sequence[str]) -> dict[str, bytes]:
    """Return what ``git add`` would store for these files, ignored ones too."""
    with private_index(location) as git:
        ids = _added(git, paths)
        reader = ObjectReader(git)
        try:
            found = reader.read_many([ids[path] for path in paths])
            return {path: answer.item.data for path, answer in zip(paths, found, strict=True) if answer}
        finally:
            reader.close()


def ids_as_added(location: Location, paths: Sequence[str]) -> dict[str, ObjectId]:
    """Return the ids of what ``git add`` would store for these files, ignored ones too."""
    with private_index(location) as git:
        return _added(git, paths)


def dirty_tree_id(location: Location, exclude: Sequence[str]) -> ObjectId:
    """Return the id of the tree that ``git add -A`` would make, without the top entries ``exclude``."""
    with private_index(location) as git:
        # Files that cannot be read and repositories inside that have no commit are left out.
        added = git.run_as_user("add", "--all", "--ignore-errors", settings=_QUIETLY)
        if added.code not in {0, 1}:
            accepted("add", added)
        whole = ObjectId(git.ask("write-tree", "--missing-ok", settings=_QUIETLY).decode("ascii").strip())
        if not exclude:
            return whole
        top = git.ask("cat-file", "tree", whole)
    kept = [row for row in decode_tree(top, location.object_format) if row.name not in set(exclude)]
    return object_id(encode_tree(kept), location.object_format)


def _added(git: Git, paths: Sequence[str]) -> dict[str, ObjectId]:
    listed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    ran = git.run_as_user(
        "update-index", "--add", "--replace", "-z", "--stdin", stdin=listed, settings=_QUIETLY
    )
    accepted("update-index", ran)
    return _ids(git.ask("ls-files", "--stage", "-z"), set(paths))


def _ids(listed: bytes, wanted: set[str]) -> dict[str, ObjectId]:
    rows = (row.partition("\t") for row in listed.decode("utf-8", "surrogateescape").split("\0") if row)
    return {path: ObjectId(told.split(" ")[1]) for told, _, path in rows if path in wanted}


def _quoted(path: str) -> str:
    """Quote a path as git expects it in a list of folders, where it holds what would end it."""
    if not path.startswith('"') and os.pathsep not in path:
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
