"""``.mneme/format`` and ``.mneme/config`` of a branch, merges of two ``init``s included."""

import re
from collections.abc import Iterable

from mneme_git.errors import MissingObject, StoreFault
from mneme_git.model.codec import FORMAT_NUMBER
from mneme_git.model.paths import CONFIG, FORMAT
from mneme_git.model.snapshot import Fault
from mneme_git.store.backend import GitBackend
from mneme_git.store.branch_files import BranchFiles
from mneme_git.store.copies import GitCopies
from mneme_git.store.soundness import has_markers
from mneme_git.store.work_files import read_file

_NUMBER = re.compile(rb"^[ \t]*([0-9]+)[ \t]*\r?$", re.MULTILINE)
# A line that is no number, not empty and none of the marks that a merge leaves.
_OTHER = re.compile(rb"^(?!(?:<{7}|={7}|>{7}|\|{7}))(?![ \t]*[0-9]*[ \t]*\r?$).+$", re.MULTILINE)
_OURS, _THEIRS = 2, 3
_LONGEST = 9
_ENDLESS = 10**_LONGEST


def project_config(backend: GitBackend) -> bytes:
    """Return the bytes of the project's configuration, empty if there is none.

    That is the file of the work tree. Where a merge of two ``init``s left markers in it our side
    counts (stage 2), and where it is gone the index, as for every other file of the branch. A sparse and
    partial clone may have it nowhere.
    """
    root = backend.work_tree
    if root is None:
        head = backend.resolve("HEAD")
        return GitCopies(backend, {}, head).committed(CONFIG) or b"" if head else b""
    try:
        found = read_file(root, CONFIG)
    except StoreFault:  # a link or a device stands there: reading the branch tells of it
        found = None
    if found is not None and not has_markers(found):
        return found
    staged = {entry.stage: entry.oid for entry in backend.index_entries(CONFIG)}
    oid = staged.get(_OURS) or staged.get(0) or staged.get(_THEIRS)
    try:
        data = backend.read(oid).data if oid is not None else b""
    except MissingObject:  # of a partial clone, which reading the branch tells of
        return b""
    return b"" if has_markers(data) else data


def format_faults(files: BranchFiles) -> Iterable[Fault]:
    """Yield what is to be said about the format number and the configuration."""
    texts = [stage.data for stage in files.stages if stage.path == FORMAT and stage.number != 1]
    texts += [file.data for file in files.files if file.path == FORMAT]
    numbers = [_number(found) for text in texts for found in _NUMBER.findall(text)]
    if texts and (not numbers or min(numbers) < 1 or any(_OTHER.search(text) for text in texts)):
        yield Fault(
            code="FORMAT_UNREADABLE",
            path=FORMAT,
            message=f"'{FORMAT}' does not hold a format number; it is read as {FORMAT_NUMBER}",
            hint=f"restore it from git; it holds the line {FORMAT_NUMBER}",
        )
    if max(numbers, default=FORMAT_NUMBER) > FORMAT_NUMBER:
        yield Fault(
            code="NEWER_WRITER",
            path=FORMAT,
            message=(
                f"the store has format {_shown(max(numbers))}, this mneme knows {FORMAT_NUMBER}: "
                "what is understood is read, nothing is written"
            ),
            hint="upgrade mneme: python -m pip install --upgrade mneme-git",
        )
    yield from _config_faults(files)


def _number(digits: bytes) -> int:
    """Return the number, or for one that is too long to be meant some number that is newer than any."""
    significant = digits.lstrip(b"0")
    return int(significant or b"0") if len(significant) <= _LONGEST else _ENDLESS


def _shown(number: int) -> str:
    return "of a very long number" if number == _ENDLESS else str(number)


def _config_faults(files: BranchFiles) -> Iterable[Fault]:
    in_conflict = any(stage.path == CONFIG for stage in files.stages)
    torn = any(file.path == CONFIG and has_markers(file.data) for file in files.files)
    if in_conflict or torn:
        yield Fault(
            code="CONFIG_CONFLICT",
            path=CONFIG,
            message=f"two branches each made '{CONFIG}'; our side's project id is used until one is kept",
            hint=f"write the project id to keep into '{CONFIG}' and stage it with `git add`",
        )
