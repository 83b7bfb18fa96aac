"""``.mnemeignore``: which files are not for the index, by git's own reading of the rules.

The files have the syntax of ``.gitignore`` and may stand in any folder. They hide tracked files too.
git matches: it is given an index of its own that holds the paths, and a folder that holds the rules.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mneme_git.model.ids import ObjectId
from mneme_git.store.location import Location
from mneme_git.store.objects import zero_id

NAME = ".mnemeignore"


class IgnoreRules:
    """Remembers what git said of each path, for as long as the rules are the same ones."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._rules: Mapping[str, bytes] = {}
        self._hidden: dict[str, bool] = {}

    def hidden(self, paths: Iterable[str], rules: Mapping[str, bytes]) -> frozenset[str]:
        """Return those of ``paths`` that the rules hide; ``rules`` are the files' contents by their paths.

        Raises:
            GitFailed: git could not tell.
        """
        if not rules:
            return frozenset()
        if rules != self._rules:
            self._rules, self._hidden = dict(rules), {}
        listed = list(paths)
        new = [path for path in listed if path not in self._hidden]
        if new:
            matched = _matched(self._location, new, self._rules)
            self._hidden.update((path, path in matched) for path in new)
        return frozenset(path for path in listed if self._hidden[path])


def is_rules(path: str) -> bool:
    """Tell whether the file at ``path`` is one of rules."""
    return path == NAME or path.endswith("/" + NAME)


def with_more(rules: Mapping[str, bytes], lines: Sequence[str]) -> Mapping[str, bytes]:
    """Return the rules with ``lines`` after those of the file at the top."""
    if not lines:
        return rules
    more = "\n".join(lines).encode("utf-8", "surrogateescape")
    return {**rules, NAME: rules.get(NAME, b"") + b"\n" + more + b"\n"}


def _matched(location: Location, paths: Iterable[str], rules: Mapping[str, bytes]) -> frozenset[str]:
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        top = Path(folder) / "files"
        top.mkdir()
        for path, content in rules.items():
            place = top / os.fsdecode(path.encode("utf-8", "surrogateescape"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        git = location.git.with_variables(
            GIT_DIR=str(location.git_dir), GIT_WORK_TREE=str(top), GIT_INDEX_FILE=str(Path(folder) / "index")
        )
        git = type(git)(directory=top, variables=git.variables)
        git.ask("update-index", "-z", "--index-info", stdin=_rows(location, paths), settings=_PLAINLY)
        told = git.ask(
            "ls-files", "--cached", "--ignored", f"--exclude-per-directory={NAME}", "-z", settings=_PLAINLY
        )
    return frozenset(told.decode("utf-8", "surrogateescape").split("\0"))


_PLAINLY = ("core.fsmonitor=false", "core.splitIndex=false", "core.sparseCheckout=false")


def _rows(location: Location, paths: Iterable[str]) -> bytes:
    oid: ObjectId = ObjectId("1" * len(zero_id(location.object_format)))  # any but zeros, which mean "remove"
    return b"".join(
        b"100644 %s\t%s\0" % (oid.encode("ascii"), path.encode("utf-8", "surrogateescape")) for path in paths
    )
