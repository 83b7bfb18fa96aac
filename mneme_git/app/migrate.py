"""Use cases around the existing format: giving a file an index, moving it into git, and out again."""

from msgspec import Struct

from mneme_git.decisions.adr_skeleton import Skeleton, skeletons
from mneme_git.errors import MnemeError
from mneme_git.model.migration import MigrationFacts, MigrationRefused
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_journal import keep_written
from mneme_git.store.memory_migration import plan_migration
from mneme_git.store.memory_read import parse_document
from mneme_git.store.memory_write import write_memory


class Migrated(Struct, frozen=True, kw_only=True):
    """A migration in place; ``facts`` is None for a file that has a valid index already."""

    facts: MigrationFacts | None
    written: bool = False
    notices: tuple[str, ...] = ()


def migrate_in_place(store: MemoryFile, *, now: int, apply: bool) -> Migrated:
    """Plan the migration of a memory file to one with an index and, if asked, carry it out.

    One reading of the file serves both: what is written is exactly what was planned.

    Raises:
        InvalidInput: there is no such file.
        Refused: it cannot be migrated without a loss, or it was changed since it was read.
    """
    planned = plan_migration(store.data(), store.path, store.name)
    if planned.facts is None or not apply:
        return Migrated(facts=planned.facts)

    def make(data: bytes) -> bytes:
        if data != planned.before:
            raise MigrationRefused(f"{store.name} changed after it was read; nothing was written")
        return planned.after

    written = write_memory(store.path, store.name, make)
    notices = keep_written(
        store.path, written or (), verb="decision-index migrate", subject=store.path.name, now=now
    )
    return Migrated(facts=planned.facts, written=True, notices=notices)


def ways_out(store: MemoryFile, refused: MigrationRefused) -> tuple[Skeleton, ...]:
    """Return an ADR to begin with for each row that stands in the way of a migration."""
    try:
        rows = parse_document(store.data())["decisions"]
        return skeletons(rows, refused.rows, today=store.stamp()[:10]) if refused.rows else ()
    except (MnemeError, LookupError, TypeError):
        return ()  # the refusal is about the file as a whole
