"""One ``project_memory.json`` of the existing format as a store of decisions.

This is a codec: it reads, verifies and writes, and has no rules of its own.
"""

from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any

from mneme_git.errors import InvalidInput, InvalidMemory
from mneme_git.model.decision import TestEvidence
from mneme_git.model.enforced import Enforced
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.instants import utc_text
from mneme_git.store.memory_read import MemoryContents, contents_of, missing, parse_document, snapshot_of

__all__ = ["MemoryContents", "MemoryFile", "enforced_rows", "parse_document"]

_USUAL_NAME, _USUAL_FOLDER = "project_memory.json", ".mneme"


class MemoryFile:
    """The decisions of one file; ``name`` is the path as the user gave it, for messages.

    ``now`` gives UTC unix seconds.
    """

    def __init__(
        self, path: Path, *, as_given: str = "", now: Callable[[], int] = lambda: int(time())
    ) -> None:
        self.path = path
        self.name = as_given or str(path)
        self._now = now

    def policy_root(self) -> Path:
        """Return the absolute folder that rule paths are relative to.

        For ``.mneme/project_memory.json`` it is the folder above ``.mneme``, for any other file its
        own folder.
        """
        resolved = self.path.resolve()
        usual = resolved.name == _USUAL_NAME and resolved.parent.name == _USUAL_FOLDER
        return resolved.parent.parent if usual else resolved.parent

    def read(self, *, need_head: bool = True) -> MemoryContents:
        """Read and verify the file; ``need_head`` false passes over ``meta`` and ``examples``.

        Raises:
            InvalidInput: there is no such file, or it cannot be read.
            InvalidMemory: it is not what the format says; row and field are named.
        """
        try:
            return contents_of(self.data(), self.path, need_head=need_head)
        except InvalidMemory as error:
            raise error.at(self.name) from None

    def parse(self, data: bytes) -> MemoryContents:
        """Verify bytes of this file as a change of decisions needs it. Raises InvalidMemory, unnamed."""
        return contents_of(data, self.path, need_head=False)

    def load(self) -> Snapshot:
        """Return the decisions and versions of the file; a section-less one as its migration would be.

        Raises:
            InvalidInput, InvalidMemory: as ``read``; ``meta`` is not looked at.
        """
        return self.snapshot(self.read(need_head=False))

    def snapshot(self, contents: MemoryContents) -> Snapshot:
        """Return the decisions and versions of what was read of this file."""
        return snapshot_of(contents, self.name)

    def enforced(self) -> tuple[Enforced, ...]:
        """Return the decisions as enforcement sees them, in file order.

        An index puts only active decisions here. A section-less file has rows of any status; each
        carries its own.
        """
        return enforced_rows(self.read())

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Carry out ``plan`` if what it read is still so; nothing is ever staged.

        What other writers wrote since is kept: only what the plan read must be as it was. An import
        brings the file into the form that writers of the format give it even if nothing else changes.

        Raises:
            GuardMismatch: it is not; nothing was written.
            Refused: the format has no place for the change, or its result would not be valid.
            InvalidInput, InvalidMemory: there is no such file, or it is not what the format says.
            StoreBusy, ReadOnlyStore, StoreFault: the file cannot be written.
        """
        from mneme_git.store.memory_journal import keep_written
        from mneme_git.store.memory_write import ALWAYS_FORMATS, carried_out, write_memory

        if not plan.operations and plan.verb not in ALWAYS_FORMATS:
            return Receipt()

        def make(data: bytes) -> bytes:
            return carried_out(data, plan, path=self.path, name=self.name, now=self.stamp())

        try:
            written = write_memory(self.path, self.name, make)
        except InvalidMemory as error:
            raise error.at(self.name) from None
        if written is None:
            return Receipt()
        notices = keep_written(self.path, written, verb=plan.verb, subject=plan.subject, now=self._now())
        return Receipt(paths=(self.name,), notices=notices)

    def change(self, edit: Callable[[dict[str, Any]], bool], *, verb: str, subject: str) -> tuple[str, ...]:
        """Let ``edit`` change the document in place; it tells whether it did. Returns what to tell.

        ``edit`` may be asked again when another program was faster.

        Raises:
            Refused: the result would not be valid; nothing was written.
            InvalidInput, InvalidMemory, StoreBusy, ReadOnlyStore, StoreFault: as ``commit``.
        """
        from mneme_git.store.memory_journal import keep_written
        from mneme_git.store.memory_write import edited, write_memory

        try:
            written = write_memory(self.path, self.name, lambda data: edited(data, edit, self.path))
        except InvalidMemory as error:
            raise error.at(self.name) from None
        if written is None:
            return ()
        return keep_written(self.path, written, verb=verb, subject=subject, now=self._now())

    def data(self) -> bytes:
        """Return the bytes of the file. Raises InvalidInput if there is none, or it cannot be read."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            raise missing(self.name) from None
        except OSError as error:
            raise InvalidInput(
                f"memory file {self.name} cannot be read: {error.strerror}", hint="name a file of JSON"
            ) from error

    def stamp(self) -> str:
        """Return the time as the format writes it: UTC, ``YYYY-MM-DDTHH:MM:SSZ``."""
        return utc_text(self._now())


def enforced_rows(contents: MemoryContents) -> tuple[Enforced, ...]:
    """Return the rows of ``contents`` in the words of enforcement."""
    return tuple(
        Enforced(
            id=row.id,
            statement=row.statement,
            rationale=row.rationale,
            scope=row.scope,
            constraints=row.constraints,
            anti_patterns=row.anti_patterns,
            rules=row.rules,
            test_evidence=tuple(TestEvidence(selector=name, sha=sha) for name, sha in row.test_evidence),
            status=row.status,
            source=row.source,
            source_as_stored=row.stated.path if row.stated else "",
            source_sha256=row.stated.sha256 if row.stated else "",
        )
        for row in contents.rows
    )
