"""One ``project_memory.json`` of the existing format as a store of decisions.

This is a codec: it reads, verifies and writes, and has no rules of its own.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from mneme_git.errors import InvalidInput, InvalidMemory
from mneme_git.model.decision import TestEvidence
from mneme_git.model.enforced import Enforced
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Snapshot
from mneme_git.store.foreign_file import is_odd
from mneme_git.store.instants import utc_text
from mneme_git.store.kept_memory import (
    ROWS,
    SNAPSHOT,
    KeptRows,
    KeptSnapshot,
    sight_of_file,
    still_there,
)
from mneme_git.store.kept_snapshots import Sight, derived
from mneme_git.store.memory_read import MemoryContents, contents_of, missing, parse_document, snapshot_of
from mneme_git.store.memory_rows import MemoryRow, Resolver

if TYPE_CHECKING:
    import msgspec

__all__ = ["MemoryContents", "MemoryFile", "enforced_rows", "parse_document"]

_Value = TypeVar("_Value")
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
        self._sight: Sight | None = None

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
        data = self.data()
        self._sight = sight_of_file(self.path, data)

        def read() -> KeptSnapshot:
            contents, places = self._verified(data, need_head=False)
            return KeptSnapshot(snapshot=self.snapshot(contents), places=places)

        found = self.derived("snapshot", SNAPSHOT, read)
        kept = found if self._sight is None or still_there(self.path, found.places) else read()
        return replace(kept.snapshot, origin=self.name)

    def snapshot(self, contents: MemoryContents) -> Snapshot:
        """Return the decisions and versions of what was read of this file."""
        return snapshot_of(contents, self.name)

    def enforced(self) -> tuple[Enforced, ...]:
        """Return the decisions as enforcement sees them, in file order.

        An index puts only active decisions here. A section-less file has rows of any status; each
        carries its own.
        """
        return enforced_rows(self.rows())

    def rows(self) -> tuple[MemoryRow, ...]:
        """Return the rows of the file, verified as ``read`` does it. Raises InvalidInput, InvalidMemory."""
        data = self.data()
        self._sight = sight_of_file(self.path, data)

        def read() -> KeptRows:
            contents, places = self._verified(data, need_head=True)
            return KeptRows(rows=contents.rows, places=places)

        found = self.derived("rows", ROWS, read)
        return (found if self._sight is None or still_there(self.path, found.places) else read()).rows

    def derived(
        self,
        name: str,
        decoder: "msgspec.msgpack.Decoder[_Value]",
        make: Callable[[], _Value],
        *,
        more: bytes = b"",
        newest_ns: int = 0,
    ) -> _Value:
        """Return what ``make`` gives, which for a large file may be recalled from an earlier command.

        It must follow from the bytes that were read last and from ``more`` alone, as in ``GitStore``.
        """
        if self._sight is None:
            return make()
        return derived(self._sight, name, decoder, make, more=more, newest_ns=newest_ns)

    def _verified(self, data: bytes, *, need_head: bool) -> tuple[MemoryContents, dict[str, str]]:
        """Return what the bytes hold, and where the ADRs are that they name. Raises InvalidMemory."""
        resolver = Resolver(self.path.parent)
        try:
            contents = contents_of(data, self.path, need_head=need_head, resolver=resolver)
        except InvalidMemory as error:
            raise error.at(self.name) from None
        return contents, resolver.known()

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
        if is_odd(self.path):
            raise InvalidInput(f"memory file {self.name} is not a regular file", hint="name a file of JSON")
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


def enforced_rows(rows: Iterable[MemoryRow]) -> tuple[Enforced, ...]:
    """Return rows in the words of enforcement."""
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
        for row in rows
    )
