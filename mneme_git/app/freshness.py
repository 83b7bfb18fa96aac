"""Whether the ADR files on disk still agree with the store: the files are looked at, nothing is changed."""

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from mneme_git.decisions.evidence import Cited, Look, Moved, cited, cited_paths, compare, folder_of
from mneme_git.decisions.freshness import AdrFacts, Diagnostic, LedgerRow, diagnostics
from mneme_git.errors import MnemeError
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import AdrEvidence
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.conflict_marks import conflict_at

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend
    from mneme_git.store.git_store import GitStore
    from mneme_git.store.memory_file import MemoryFile
    from mneme_git.store.memory_rows import MemoryRow

DEFAULT_FOLDER = "docs/adr"
_MANY = 100
_TRUTH = msgspec.msgpack.Decoder(bool)


def of_memory(
    store: "MemoryFile", rows: "Sequence[MemoryRow]", cwd: Path, folder: str
) -> tuple[Diagnostic, ...]:
    """Return the warnings of the existing format; none if there is no such folder.

    ``rows`` were read last of ``store``. ``folder`` is relative to ``cwd`` and is shown as it was given.
    """
    where = cwd / folder
    if not _is_folder(where):
        return ()
    files = sorted(entry for entry in where.glob("ADR-*.md") if _is_file(entry))
    ledger = [_ledger_row(row, store.path.parent) for row in rows if not row.is_item]
    if not files and not any(row.path for row in ledger):
        return ()
    if _is_known_fresh(store, files, ledger):
        return ()
    return _compared(store, Path(folder).as_posix(), files, ledger)


def _compared(
    store: "MemoryFile", shown: str, files: Iterable[Path], ledger: Sequence[LedgerRow]
) -> tuple[Diagnostic, ...]:
    adrs = [_facts(f"{shown}/{file.name}", file) for file in files]
    return diagnostics(adrs, ledger, store.path.name)


def _is_known_fresh(store: "MemoryFile", files: Sequence[Path], ledger: Sequence[LedgerRow]) -> bool:
    """Tell whether nothing is to be said, which with many files is recalled while none of them changes."""
    if len(files) < _MANY:
        return False
    try:
        times = _times(map(str, files))
    except OSError:
        return False
    return store.derived(
        "ledger",
        _TRUTH,
        lambda: not _compared(store, "", files, ledger),
        more=msgspec.msgpack.encode((times, [row.exists for row in ledger])),
        newest_ns=max(max(row[2], row[3]) for row in times),
    )


def _times(paths: Iterable[str]) -> list[tuple[str, int, int, int, int, int]]:
    """Return what the system tells of each file; a change of it changes that. Raises OSError."""
    told = ((path, os.stat(path)) for path in paths)  # noqa: PTH116 - thousands of files
    return [(p, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_mode) for p, s in told]


def of_git(store: "GitStore", snapshot: Snapshot, folder: str | None) -> tuple[Diagnostic, ...]:
    """Return a warning for each cited ADR that is not as it was, and for each that was never imported.

    Files without a decision are looked for where decisions were imported from, or in ``folder``.
    """
    backend = store.backend
    root = backend.work_tree
    rows = cited(snapshot)
    if root is None:
        return ()
    same = _are_all_same(store, root, rows)
    looks = [] if same else [(row, _look(backend, root, row.evidence)) for row in rows]
    gone = [row for row, look in looks if look == "gone" and row.is_active]
    known = cited_paths(snapshot)
    found = compare(looks, _moved(backend, root, gone, known))
    folders = {folder_of(row.evidence.source_locator) for row in rows} if folder is None else {folder}
    return (*found, *_uncited(root, sorted(folders), known))


def _ledger_row(row: "MemoryRow", folder: Path) -> LedgerRow:
    if row.stated is None:
        return LedgerRow(id=row.id)
    return LedgerRow(
        id=row.id,
        path=row.stated.path,
        sha256=row.stated.sha256,
        exists=_is_file(folder / row.stated.path),
    )


def _facts(shown: str, file: Path) -> AdrFacts:
    from mneme_git.decisions.adr_facts import adr_facts, unreadable_facts

    try:
        return adr_facts(shown, file.read_bytes())
    except OSError as error:
        return unreadable_facts(shown, f"cannot be read: {error.strerror}")


def _are_all_same(store: "GitStore", root: Path, rows: Sequence[Cited]) -> bool:
    """Tell whether every cited file holds what was imported, as it lies there.

    With many files that is recalled while the system tells of no change of one of them.
    """
    if len(rows) < _MANY:
        return False  # each is looked at anyway
    try:
        times = _times(os.path.join(root, row.evidence.source_locator) for row in rows)  # noqa: PTH118
    except (OSError, ValueError):
        return False
    return store.derived(
        "adrs",
        _TRUTH,
        lambda: all(
            _lies_as_imported(_bytes(root, row.evidence.source_locator), row.evidence) for row in rows
        ),
        more=msgspec.msgpack.encode(times),
        newest_ns=max(max(row[2], row[3]) for row in times),
    )


def _look(backend: "GitBackend", root: Path, evidence: AdrEvidence) -> Look:
    """Compare a file with its evidence; git is asked for its clean form only if the bytes differ.

    The bytes may be the clean form itself, or the clean form with CRLF. Anything else can still be
    the same text to git, through a filter.
    """
    data = _bytes(root, evidence.source_locator)
    if data == "gone":
        return _left_out(backend, evidence)
    if isinstance(data, str):
        return data
    if _lies_as_imported(data, evidence):
        return "same"
    if conflict_at(data) is not None:
        return "torn"
    try:
        return "same" if _agrees(backend.clean_bytes(evidence.source_locator), evidence) else "changed"
    except MnemeError:
        return "changed"


def _bytes(root: Path, path: str) -> bytes | Literal["gone", "unreadable"]:
    """Return the bytes of a file; a folder, a pipe or a link to nothing in its place is no file."""
    try:
        if not stat.S_ISREG((root / path).stat().st_mode):
            return "gone"
        return (root / path).read_bytes()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return "gone"
    except OSError:
        return "unreadable"


def _moved(
    backend: "GitBackend", root: Path, gone: Sequence[Cited], known: frozenset[str]
) -> dict[str, Moved]:
    """Return where files that are gone may be, by their path: among the tracked files that nothing cites.

    A file with the same text comes first, one that has the name too before the others; else the only
    one with the name.
    """
    if not gone:
        return {}
    by_text: dict[str, list[str]] = {}
    by_name: dict[str, list[str]] = {}
    for entry in backend.index_entries(""):
        if entry.path not in known and not entry.stage:
            by_text.setdefault(entry.oid, []).append(entry.path)
            by_name.setdefault(_name(entry.path), []).append(entry.path)
    found: dict[str, Moved] = {}
    for path, blob in ((row.evidence.source_locator, row.evidence.blob) for row in gone):
        named = [other for other in by_name.get(_name(path), ()) if _is_file(root / other)]
        same = [other for other in by_text.get(blob, ()) if _is_file(root / other)]
        if same:
            found[path] = Moved(path=min(same, key=lambda other: (other not in named, other)), same_text=True)
        elif len(named) == 1:
            found[path] = Moved(path=named[0], same_text=False)
    return found


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _left_out(backend: "GitBackend", evidence: AdrEvidence) -> Look:
    """Compare what the index has of a file that a sparse checkout leaves out."""
    path = evidence.source_locator
    try:
        for entry in backend.index_entries(path):
            if entry.path == path and entry.skip_worktree:
                same = entry.oid == evidence.blob or _agrees(backend.read(entry.oid).data, evidence)
                return "same" if same else "changed"
    except MnemeError:
        pass
    return "gone"


def _lies_as_imported(data: bytes | str, evidence: AdrEvidence) -> bool:
    """Tell whether bytes are what was imported, but for their line ends; no filter of git is asked."""
    if isinstance(data, str):
        return False
    if sha256_hex(data) == evidence.sha256:
        return True
    forms = {data, data.replace(b"\r\n", b"\n"), data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")}
    return any(_agrees(form, evidence) for form in forms)


def _agrees(data: bytes, evidence: AdrEvidence) -> bool:
    if evidence.sha256 == sha256_hex(data):
        return True
    algorithm = {"sha1": hashlib.sha1, "sha256": hashlib.sha256}.get(evidence.object_format)
    if algorithm is None or not evidence.blob:
        return False
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest() == evidence.blob


def _uncited(root: Path, folders: Iterable[str], known: frozenset[str]) -> tuple[Diagnostic, ...]:
    paths = (path for folder in folders for path in _markdown(root, folder))
    uncited = [path for path in paths if path not in known]
    if not uncited:
        return ()
    from mneme_git.decisions.adr_words import KNOWN_OTHERS

    new = [path for path in uncited if _stem(path).lower() not in KNOWN_OTHERS]
    if not new:
        return ()
    from mneme_git.decisions.uncited import unimported

    return unimported(_source(root, path) for path in new)


def _source(root: Path, path: str) -> AdrSource:
    try:
        return AdrSource(path=path, data=(root / path).read_bytes())
    except OSError as error:
        return AdrSource(path=path, problem=f"cannot be read: {error.strerror}")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_file(path: Path | os.DirEntry[str]) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder on the way may not be looked into, a link may lead to itself
        return False


def _markdown(root: Path, folder: str) -> list[str]:
    """Return the Markdown files directly in ``folder``, by path."""
    try:
        names = sorted(entry.name for entry in os.scandir(root / folder) if _is_file(entry))
    except OSError:
        return []
    prefix = "" if folder == "." else f"{folder}/"
    return [prefix + name for name in names if name.lower().endswith(".md")]


def _stem(path: str) -> str:
    return _name(path).rpartition(".")[0]
