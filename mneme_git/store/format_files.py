"""``.mneme/format`` and ``.mneme/config`` of a branch, merges of two ``init``s included."""

import re
from collections.abc import Iterable

from mneme_git.model.codec import FORMAT_NUMBER
from mneme_git.model.paths import CONFIG, FORMAT
from mneme_git.model.snapshot import Fault
from mneme_git.store.branch_files import BranchFiles
from mneme_git.store.soundness import has_markers

_NUMBER = re.compile(rb"^[ \t]*([0-9]{1,9})[ \t]*\r?$", re.MULTILINE)
_OURS, _THEIRS = 2, 3


def config_bytes(files: BranchFiles) -> bytes:
    """Return the project's configuration; of an unresolved merge our side, or else theirs."""
    staged = {stage.number: stage.data for stage in files.stages if stage.path == CONFIG}
    if staged:
        return staged.get(_OURS) or staged.get(_THEIRS) or b""
    found = next((file.data for file in files.files if file.path == CONFIG), b"")
    if not has_markers(found):
        return found
    for known in (files.copies.index(CONFIG), files.copies.committed(CONFIG)):
        if known is not None and not has_markers(known):
            return known
    return b""


def format_faults(files: BranchFiles) -> Iterable[Fault]:
    """Yield what is to be said about the format number and the configuration."""
    texts = [stage.data for stage in files.stages if stage.path == FORMAT and stage.number != 1]
    texts += [file.data for file in files.files if file.path == FORMAT]
    numbers = [int(found) for text in texts for found in _NUMBER.findall(text)]
    if texts and not numbers:
        yield Fault(
            code="FORMAT_UNREADABLE",
            path=FORMAT,
            message=f"'{FORMAT}' does not hold a number; it is read as {FORMAT_NUMBER}",
            hint=f"restore it from git; it holds the line {FORMAT_NUMBER}",
        )
    if max(numbers, default=FORMAT_NUMBER) > FORMAT_NUMBER:
        yield Fault(
            code="NEWER_WRITER",
            path=FORMAT,
            message=(
                f"the store has format {max(numbers)}, this mneme knows {FORMAT_NUMBER}: "
                "what is understood is read, nothing is written"
            ),
            hint="upgrade mneme: python -m pip install --upgrade mneme-git",
        )
    yield from _config_faults(files)


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
