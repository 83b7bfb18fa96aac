"""Files of a repository that say how it is built and tested, read without running anything."""

from collections.abc import Iterable
from pathlib import Path

from mneme_git.errors import MnemeError
from mneme_git.store.discover import open_backend

_WORKFLOWS = Path(".github/workflows")
_GITLAB = ".gitlab-ci.yml"
# A workflow is written by hand; what is larger is none.
_LARGEST = 4_000_000


def read_ci_files(root: Path) -> dict[str, str]:
    """Return the CI files below ``root`` by file name: workflows ``*.yml``, then ``*.yaml``, then GitLab's.

    A file that cannot be read is left out; bytes that are not UTF-8 are replaced.
    """
    folder = root / _WORKFLOWS
    paths = [*sorted(folder.glob("*.yml")), *sorted(folder.glob("*.yaml")), root / _GITLAB]
    found: dict[str, str] = {}
    for path in paths:
        text = _text(path)
        if text is not None:
            found[path.name] = text
    return found


def _text(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None


def head_commit(root: Path) -> str:
    """Return the id of the commit that HEAD names in the repository around ``root``; empty if none does."""
    try:
        return open_backend(root, prefer="program").head().oid or ""
    except MnemeError:
        return ""


def existing_files(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of ``paths`` (below ``root``) that are files."""
    return frozenset(path for path in paths if _is_file(root / path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
