"""A migration of a section-less memory file to one with an index, as a value."""

from msgspec import Struct

from mneme_git.errors import Refused


class MigrationFacts(Struct, frozen=True, kw_only=True):
    """What a migration does, in numbers and names; all in the order of the file.

    ``native`` counts the rows, ``retired`` names those that are not active with their status,
    ``items`` the older free-form notes that become decisions.
    """

    native: int
    active: int
    retired: tuple[tuple[str, str], ...] = ()
    items: tuple[str, ...] = ()
    rules: int = 0


class RowProblem(Struct, frozen=True):
    """Why a row would lose something; ``row`` is its place in ``decisions``, None for the whole list."""

    row: int | None
    text: str


class MigrationRefused(Refused):
    """A file cannot be migrated without a loss.

    ``rows`` are the places in ``decisions`` of those that stand in the way.
    """

    code = "MIGRATION_REFUSED"

    def __init__(self, reason: str, rows: tuple[int, ...] = ()) -> None:
        self.reason, self.rows = reason, rows
        super().__init__(f"migration refused: {reason}")


def lossy(problems: tuple[RowProblem, ...]) -> MigrationRefused:
    """Return the refusal that lists every problem."""
    listed = "\n".join(f"  - {problem.text}" for problem in problems)
    rows = tuple(dict.fromkeys(problem.row for problem in problems if problem.row is not None))
    return MigrationRefused(f"migration must be lossless; refused before writing:\n{listed}", rows)
