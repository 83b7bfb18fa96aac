"""Whether the ADR files on disk still agree with the store: the files are looked at, nothing is changed."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mneme_git.decisions.evidence import cited, cited_paths, compare, folder_of
from mneme_git.decisions.freshness import Diagnostic, LedgerRow, diagnostics
from mneme_git.errors import MnemeError
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import AdrEvidence
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.canonical import sha256_hex

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend
    from mneme_git.store.memory_file import MemoryContents, MemoryFile
    from mneme_git.store.memory_rows import MemoryRow

DEFAULT_FOLDER = "docs/adr"


def of_memory(
    store: "MemoryFile", contents: "MemoryContents", cwd: Path, folder: str
) -> tuple[Diagnostic, ...]:
    """Return the warnings of the existing format; none if there is no such folder.

    ``folder`` is relative to ``cwd`` and is shown as it was given.
    """
    where = cwd / folder
    if not where.is_dir():
        return ()
    files = sorted(entry for entry in where.glob("ADR-*.md") if entry.is_file())
    rows = [_ledger_row(row, store.path.parent) for row in contents.rows if not row.is_item]
    if not files and not any(row.path for row in rows):
        return ()
    from mneme_git.decisions.adr_facts import adr_facts

    shown = Path(folder).as_posix()
    adrs = [adr_facts(f"{shown}/{file.name}", file.read_bytes()) for file in files]
    return diagnostics(adrs, rows, store.path.name)


def of_git(backend: "GitBackend", snapshot: Snapshot, folder: str | None) -> tuple[Diagnostic, ...]:
    """Return a warning for each cited ADR that changed or is gone, and for each that was never imported.

    Files without a decision are looked for where decisions were imported from, or in ``folder``.
    """
    root = backend.work_tree
    rows = cited(snapshot)
    if root is None:
        return ()
    found = compare(rows, lambda evidence: _is_same(backend, root, evidence))
    known = cited_paths(snapshot)
    folders = {folder_of(row.evidence.source_locator) for row in rows} if folder is None else {folder}
    return (*found, *_uncited(root, sorted(folders), known))


def _ledger_row(row: "MemoryRow", folder: Path) -> LedgerRow:
    if row.stated is None:
        return LedgerRow(id=row.id)
    return LedgerRow(
        id=row.id,
        path=row.stated.path,
        sha256=row.stated.sha256,
        exists=(folder / row.stated.path).is_file(),
    )


def _is_same(backend: "GitBackend", root: Path, evidence: AdrEvidence) -> bool | None:
    """Compare a file with its evidence; git is asked for its clean form only if the bytes differ.

    The bytes may be the clean form itself, or the clean form with CRLF. Anything else can still be
    the same text to git, through a filter.
    """
    try:
        data = (root / evidence.source_locator).read_bytes()
    except OSError:
        return _left_out(backend, evidence)
    forms = {data, data.replace(b"\r\n", b"\n"), data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")}
    if any(_agrees(form, evidence) for form in forms):
        return True
    try:
        return _agrees(backend.clean_bytes(evidence.source_locator), evidence)
    except MnemeError:
        return False


def _left_out(backend: "GitBackend", evidence: AdrEvidence) -> bool | None:
    """Compare what the index has of a file that a sparse checkout leaves out; None if it has none."""
    path = evidence.source_locator
    try:
        for entry in backend.index_entries(path):
            if entry.path == path and entry.skip_worktree:
                return entry.oid == evidence.blob or _agrees(backend.read(entry.oid).data, evidence)
    except MnemeError:
        pass
    return None


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

    return unimported(AdrSource(path=path, data=(root / path).read_bytes()) for path in new)


def _markdown(root: Path, folder: str) -> list[str]:
    """Return the Markdown files directly in ``folder``, by path."""
    try:
        names = sorted(entry.name for entry in os.scandir(root / folder) if entry.is_file())
    except OSError:
        return []
    prefix = "" if folder == "." else f"{folder}/"
    return [prefix + name for name in names if name.lower().endswith(".md")]


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rpartition(".")[0]
