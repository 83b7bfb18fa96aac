"""Which file of the index an argument means, and which ones were perhaps meant."""

import os
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from mneme_git.text.path_names import as_text

_NEAR = 3
_LIKE = 0.7


def files_meant(given: str, paths: Collection[str], root: Path | None, here: Path | None) -> tuple[str, ...]:
    """Return the files that ``given`` means: by the first of these rules that gives one, sorted.

    Relative to the folder ``here``, or absolute and below ``root``; relative to ``root``; the end of a
    path, at a slash. Only the last one can mean several.
    """
    wanted = as_text(given)
    for path in (_below(given, root, here), os.path.normpath(wanted)):
        if path is not None and path in paths:
            return (path,)
    end = os.path.normpath(wanted)
    if Path(end).is_absolute() or end.startswith(os.pardir):
        return ()
    return tuple(sorted(path for path in paths if path.endswith(f"/{end}")))


def files_near(given: str, paths: Collection[str]) -> tuple[str, ...]:
    """Return a few files whose names are spelled like that of ``given``, the most alike first."""
    name = as_text(given).rpartition("/")[2]
    by_name: dict[str, str] = {}
    for path in sorted(paths, reverse=True):
        by_name[path.rpartition("/")[2]] = path
    return tuple(by_name[key] for key in get_close_matches(name, sorted(by_name), _NEAR, _LIKE))


def _below(given: str, root: Path | None, here: Path | None) -> str | None:
    """Return the path of ``given`` from the root; None if it is not below it."""
    if root is None or (here is None and not Path(given).is_absolute()):
        return None
    place = Path(os.path.normpath((here or root) / given))
    for form in (place, Path(os.path.realpath(place.parent)) / place.name):
        if form.is_relative_to(root):
            return as_text(form.relative_to(root).as_posix())
    return None
