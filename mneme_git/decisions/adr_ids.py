"""Which decision each ADR file is: by its front matter, its number, its name, or what is recorded.

A file that was recorded keeps its decision, so that adding a file never renames another one:
first what the front matter says; then the decision recorded from this very path; then the
number, if no other file of the folder has it, else the name without extension; and a file that is
new under that id but holds the bytes of a recorded one that is gone is that one, renamed.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.adr_read import number_in, stem_of
from mneme_git.model.adr import Adr, AdrFolder, Problem, Remark
from mneme_git.model.decision import AdrEvidence, DecisionState, active_evidence
from mneme_git.model.ids import PROPOSAL_PREFIX, DecisionId
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.order import natural_key
from mneme_git.text.quoting import quoted


class Recorded(Struct, frozen=True, kw_only=True):
    """A decision that was read from an ADR file: the path and blob id it had."""

    id: DecisionId
    path: str
    blob: str


class Identified(Struct, frozen=True, kw_only=True):
    """The ADRs of a folder with their ids, in natural order of id.

    ``renamed`` gives the earlier path of an ADR whose file has another name now, by id.
    """

    adrs: tuple[Adr, ...]
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    renamed: Mapping[DecisionId, str] = {}


def recorded_in(snapshot: Snapshot) -> tuple[Recorded, ...]:
    """Return what the snapshot records of ADR files, contested decisions by each of their sides."""
    sides = [side.state for contest in snapshot.contested for side in contest.sides if side.state is not None]
    return tuple(found for state in (*snapshot.decisions, *sides) for found in _of_state(state))


def _of_state(state: DecisionState) -> Iterable[Recorded]:
    for row in active_evidence(state):
        if isinstance(row, AdrEvidence):
            yield Recorded(id=state.decision_id, path=row.source_locator, blob=row.blob)


def identify(folder: AdrFolder, recorded: Sequence[Recorded], elsewhere: frozenset[str]) -> Identified:
    """Return the ADRs of ``folder`` with their ids.

    ``elsewhere`` holds the recorded paths outside the folder that still are files.
    """
    return _Naming(folder, recorded, elsewhere).run()


class _Naming:
    def __init__(self, folder: AdrFolder, recorded: Sequence[Recorded], elsewhere: frozenset[str]) -> None:
        self._folder = folder
        self._here = frozenset(path for path, _ in folder.seen)
        self._elsewhere = elsewhere
        self._by_path = {row.path: row for row in recorded}
        self._by_id = {row.id: row for row in recorded}
        self._taken: dict[DecisionId, str] = {}
        self._problems: list[Problem] = []
        self._remarks: list[Remark] = []
        self._by_number = _paths_by_number(folder)
        self._by_stated: dict[str, list[str]] = {}
        for adr in folder.adrs:
            self._by_stated.setdefault(adr.stated_id, []).append(adr.path)

    def run(self) -> Identified:
        """Give the surest ids first, so that no guess takes one away."""
        stated = [self._stated(adr) for adr in self._folder.adrs if adr.stated_id]
        loose = [adr for adr in self._folder.adrs if not adr.stated_id]
        kept = [self._kept(adr) for adr in loose]
        guessed = [self._guessed(adr) for adr, done in zip(loose, kept, strict=True) if done is None]
        named = [adr for adr in (*stated, *kept, *guessed) if adr is not None]
        return Identified(
            adrs=tuple(sorted(named, key=lambda adr: natural_key(adr.id))),
            problems=tuple(sorted(self._problems)),
            remarks=tuple(sorted(self._remarks)),
            renamed={adr.id: row.path for adr in named if (row := self._moved(adr)) is not None},
        )

    def _moved(self, adr: Adr) -> Recorded | None:
        row = self._by_id.get(adr.id)
        return row if row is not None and row.path != adr.path else None

    def _take(self, adr: Adr, given: str) -> Adr:
        self._taken[DecisionId(given)] = adr.path
        return replace(adr, id=DecisionId(given))

    def _is_there(self, path: str) -> bool:
        return path in self._here or path in self._elsewhere

    def _stated(self, adr: Adr) -> Adr | None:
        given = DecisionId(adr.stated_id)
        if given.startswith(PROPOSAL_PREFIX):
            message = f"the id {quoted(given)} is of the form that only proposals have"
            self._problem(adr, "RESERVED_ID", message, "give the ADR another id")
            return None
        others = [path for path in self._by_stated[given] if path != adr.path]
        if others:
            message = f"duplicate ADR id {quoted(given)} ({len(others) + 1} occurrences), also in "
            hint = "give one of them another id"
            self._problem(adr, "DUPLICATE_ID", message + ", ".join(sorted(others)), hint)
            return None
        row = self._by_id.get(given)
        if row is not None and row.path != adr.path and row.path in self._elsewhere:
            message = f"the id {quoted(given)} is recorded from {row.path}, which is still there"
            self._problem(adr, "ID_TAKEN", message, "give one of the two ADRs another id")
            return None
        return self._take(adr, given)

    def _kept(self, adr: Adr) -> Adr | None:
        row = self._by_path.get(adr.path)
        return self._take(adr, row.id) if row is not None and row.id not in self._taken else None

    def _guessed(self, adr: Adr) -> Adr:
        candidate = DecisionId(self._candidate(adr))
        gone = self._by_id.get(candidate)
        if gone is None and (renamed := self._gone_with_bytes_of(adr)) is not None:
            return self._take(adr, renamed.id)
        if gone is not None and gone.path in self._elsewhere:
            candidate = DecisionId(f"{self._folder.path}/{candidate}")
        return self._take(adr, candidate if candidate not in self._taken else adr.path)

    def _candidate(self, adr: Adr) -> str:
        stem = stem_of(adr.path)
        name = adr.number or stem
        rivals = [path for path in self._by_number.get(_value(adr.number), ()) if path != adr.path]
        if adr.number and rivals:
            message = (
                f"the number {adr.number} is also that of {', '.join(rivals)}; this ADR is {quoted(stem)}"
            )
            self._remarks.append(Remark(adr.path, 0, "DUPLICATE_NUMBER", message))
            name = stem
        elif name in self._taken:
            name = stem
        return f"adr-{name}" if name.startswith(PROPOSAL_PREFIX) else name

    def _gone_with_bytes_of(self, adr: Adr) -> Recorded | None:
        gone = (
            row
            for row in self._by_id.values()
            if row.blob
            and row.blob == adr.blob
            and not self._is_there(row.path)
            and row.id not in self._taken
        )
        return min(gone, key=lambda row: natural_key(row.id), default=None)

    def _problem(self, adr: Adr, code: str, message: str, hint: str) -> None:
        self._problems.append(Problem(adr.path, adr.id_line, code, message, hint))


def _paths_by_number(folder: AdrFolder) -> Mapping[str, list[str]]:
    """Return the files of each number; one with an id of its own does not count, one with a problem does."""
    own = {adr.path for adr in folder.adrs if adr.stated_id}
    found: dict[str, list[str]] = {}
    for path, _ in folder.seen:
        number = number_in(path.rsplit("/", 1)[-1])
        if number and path not in own:
            found.setdefault(_value(number), []).append(path)
    return found


def _value(number: str) -> str:
    return number.removeprefix("ADR-").lstrip("0")
