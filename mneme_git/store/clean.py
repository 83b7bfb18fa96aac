"""What git would store for a file of the work tree, which is what evidence is made of.

Only four things make it differ from the bytes on disk: an external filter, a working-tree encoding,
line ends and ``$Id$``. The first two are told by attributes; the last two need a CR or ``$Id`` in the
bytes. A file with none of them is its own clean form; for any other git itself is asked, because
libgit2 runs no filters and knows no encodings.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.store.location import Location
from mneme_git.store.private_index import bytes_as_added
from mneme_git.store.process import Git

_CONVERTING = ("filter", "working-tree-encoding")
_PLAIN = frozenset({"unspecified", "unset"})


def clean_files(location: Location, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the clean bytes of each path; a symbolic link counts as the file it leads to.

    Raises:
        NotFound: there is no such file.
        Refused: a path or what it leads to is outside the work tree or in git's own folder.
    """
    targets = {path: _target(location, path) for path in paths}
    raw = {target: _read(location, target) for target in set(targets.values())}
    converted = _converted(location.git, sorted(raw))
    asked = [name for name in sorted(raw) if name in converted or b"\r" in raw[name] or b"$Id" in raw[name]]
    clean = {**raw, **(bytes_as_added(location, asked) if asked else {})}
    return {path: clean[target] for path, target in targets.items()}


def _target(location: Location, path: str) -> str:
    """Return the repository-relative path of the file that ``path`` leads to."""
    top = location.work_tree
    if top is None:
        raise Refused(f"a bare repository has no file '{path}'", hint="run this in a work tree")
    real = Path(os.path.realpath(top / path))
    if not real.is_relative_to(top):
        raise Refused(
            f"'{path}' leads out of the repository, to '{real}'",
            hint="put the file itself into the repository",
        )
    inside = real.relative_to(top)
    if ".git" in inside.parts or real.is_relative_to(location.git_dir):
        raise Refused(f"'{path}' is in git's own folder", hint="name a file of the work tree")
    return inside.as_posix()


def _read(location: Location, path: str) -> bytes:
    assert location.work_tree is not None
    try:
        return (location.work_tree / path).read_bytes()
    except FileNotFoundError as error:
        raise NotFound("file", path, hint="check the name; it is relative to the repository") from error
    except OSError as error:
        raise InvalidInput(
            f"'{path}' cannot be read: {error.strerror}", hint="name a readable file"
        ) from error


def _converted(git: Git, paths: Sequence[str]) -> frozenset[str]:
    """Return the paths that have a filter or a working-tree encoding."""
    listed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    told = git.ask("check-attr", "-z", "--stdin", *_CONVERTING, stdin=listed)
    words = told.decode("utf-8", "surrogateescape").split("\0")
    rows = zip(words[0::3], words[2::3], strict=False)
    return frozenset(path for path, value in rows if value not in _PLAIN)
