"""Files of an ADR folder as they lie in the work tree, and changing several of them together."""

from collections.abc import Sequence
from pathlib import Path

from mneme_git.errors import GuardMismatch, InvalidInput, StoreFault
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.file_edit import FileEdit
from mneme_git.model.plan import ABSENT
from mneme_git.store.foreign_file import read_foreign, replace_foreign
from mneme_git.text.canonical import sha256_hex

_SUFFIXES = frozenset({".md", ".markdown"})


def work_sources(root: Path, folder: str) -> tuple[AdrSource, ...]:
    """Return the Markdown files directly in ``folder`` with the very bytes of the work tree, by path.

    Unlike what an import reads, no filter of git is applied: these bytes are to be edited. A
    symbolic link is a row with a problem; a folder that is not there has no files.
    """
    here = root / folder
    if not here.is_dir():
        return ()
    names = sorted(entry.name for entry in here.iterdir() if entry.suffix.lower() in _SUFFIXES)
    return tuple(_source(here / name, f"{folder}/{name}" if folder else name) for name in names)


def _source(entry: Path, path: str) -> AdrSource:
    if entry.is_symlink():
        return AdrSource(path=path, problem="is a symbolic link, which is not followed")
    if not entry.is_file():
        return AdrSource(path=path, problem="is no regular file")
    try:
        return AdrSource(path=path, data=entry.read_bytes())
    except OSError as error:
        return AdrSource(path=path, problem=f"cannot be read: {error.strerror}")


def write_edits(root: Path, edits: Sequence[FileEdit]) -> None:
    """Make the changes, each file whole and durable; removals come last. Call it under the write lock.

    Every file is compared with what its change was made from before the first one is written.

    Raises:
        GuardMismatch: a file holds something else by now; nothing was written.
        InvalidInput: a path leads out of the work tree.
        StoreFault: the disk refuses.
    """
    for edit in edits:
        _require_inside(root, edit.path)
    differing = [edit for edit in edits if read_foreign(root / edit.path) != edit.before]
    if differing:
        raise GuardMismatch(
            [
                (edit.path, _digest(edit.before), _digest(read_foreign(root / edit.path)))
                for edit in differing
            ],
            hint="run the command again",
        )
    for edit in edits:
        if edit.after is not None:
            _make_folder(root / edit.path)
            replace_foreign(root / edit.path, edit.after, expected=edit.before)
    for edit in edits:
        if edit.after is None:
            _remove(root / edit.path)


def _require_inside(root: Path, path: str) -> None:
    folder = (root / path).parent.resolve()
    parts = path.split("/")
    if not folder.is_relative_to(root.resolve()) or ".." in parts or ".git" in parts:
        raise InvalidInput(f"'{path}' is not inside the work tree", hint="give a file of this repository")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFault(f"cannot make '{path.parent}': {error.strerror}", hint="check its folder") from error


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreFault(
            f"'{path}' cannot be removed: {error.strerror}", hint="remove it yourself"
        ) from error


def _digest(data: bytes | None) -> str:
    return ABSENT if data is None else sha256_hex(data)
