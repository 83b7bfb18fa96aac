"""The use cases behind the index tools that an agent calls: propose, get, search, applicable_to, trace.

Each call reads what the stores hold then, so that what people accept or import elsewhere is seen at
once, and a broken store is told until it is whole again.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mneme_git.app.desk import Desk, canonical_index, open_tool_desk
from mneme_git.app.workspace import Workspace, stamp
from mneme_git.decisions import index_queries
from mneme_git.decisions.index_queries import SearchFilters
from mneme_git.decisions.index_records import CanonicalIndex, Row, proposal_record
from mneme_git.decisions.proposals import Submitted, plan_submit
from mneme_git.errors import GuardMismatch, InvalidInput, InvalidMemory
from mneme_git.model.paths import ROOT
from mneme_git.model.proposal_entry import ProposalEntry, entries_of
from mneme_git.model.proposal_record import read_candidate, read_provenance

if TYPE_CHECKING:
    from mneme_git.model.adr import Problem
    from mneme_git.model.adr_import import TiedScope

MEMORY_NAME = "project_memory.json"
_TRIES = 5


class IndexTools:
    """The tools over one desk; one call at a time."""

    def __init__(self, workspace: Workspace, desk: Desk) -> None:
        self._workspace = workspace
        self._desk = desk

    def propose(
        self, candidates: Sequence[Mapping[str, Any]], shared: Mapping[str, Any] | None = None
    ) -> list[Row]:
        """Store candidates as proposals, all or none, and return an answer for each, in their order.

        Raises:
            InvalidInput: a candidate is not of the form that proposals have.
        """
        at = stamp(self._workspace)
        proposals = [read_candidate(dict(row), proposed_at=at) for row in candidates]
        provenance = None if shared is None else read_provenance(dict(shared))
        for attempt in range(_TRIES):
            submission = plan_submit(self._desk.book.entries(), proposals, shared=provenance)
            try:
                if submission.plan.operations:
                    self._desk.book.commit(submission.plan, stage=False)
                break
            except GuardMismatch:
                if attempt == _TRIES - 1:
                    raise
        return [_submitted_row(answer) for answer in submission.results]

    def get(self, record_id: str) -> Row:
        """Return a proposal, else a decision, else that there is none; the id must be whole."""
        if self._desk.one_store:
            entries, index = self._both()
        else:  # a broken memory file keeps nobody from looking at proposals
            entries, index = self._desk.book.entries(), None
        entry = index_queries.named(entries, record_id)
        if entry is not None:
            return index_queries.get_proposal(entry)
        return index_queries.get_decision(index or self._index(), record_id)

    def search(self, query: str, filters: SearchFilters) -> Row:
        """Return the proposals and decisions whose text holds ``query``."""
        entries, index = self._both()
        return index_queries.search(entries, index, query, filters)

    def applicable_to(self, texts: Sequence[str]) -> Row:
        """Return what has a hint or a scope that occurs in one of ``texts``."""
        entries, index = self._both()
        return index_queries.applicable_to(entries, index, texts)

    def trace(self, record_id: str) -> Row:
        """Return where a proposal or a decision comes from and leads to."""
        entries, index = self._both()
        return index_queries.trace(entries, index, record_id)

    def check(self) -> None:
        """Read both stores once, so that a broken one is told before anybody relies on it."""
        self._both()

    def _index(self) -> CanonicalIndex:
        return canonical_index(self._desk.decisions, need_head=False)

    def _both(self) -> tuple[tuple[ProposalEntry, ...], CanonicalIndex]:
        if not self._desk.one_store:
            return self._desk.book.entries(), self._index()
        index = self._index()
        return entries_of(index.snapshot.proposals, index.snapshot.verdicts), index


def start(
    workspace: Workspace,
    *,
    memory: str | None = None,
    proposals: str | None = None,
    adr_dir: str | None = None,
    hints: bool = False,
) -> IndexTools:
    """Return the tools, after the refusals that come before serving.

    ``hints`` adds what to do next where the format fixes the text without it.

    Raises:
        InvalidInput: an option is empty or names nothing, there is no index, or it is invalid.
        Refused: the memory file has no index; how to migrate it is told.
        CorruptRecord: the proposal file is not what its format says.
    """
    if memory == "":
        raise InvalidInput("--memory requires a project_memory.json path")
    desk = open_tool_desk(workspace, memory=memory, proposals=proposals)
    _require_index(desk, hints=hints)
    _require_adr_folder(workspace, adr_dir)
    tools = IndexTools(workspace, desk)
    try:
        tools.check()
    except InvalidMemory as error:
        raise InvalidInput(
            f"the canonical Decision Index in {error.path} is invalid: {error.reason}"
        ) from error
    if adr_dir is not None:
        _require_sound_adrs(workspace, desk, adr_dir)
    return tools


def _submitted_row(answer: Submitted) -> Row:
    return {
        "created": answer.created,
        "reused": not answer.created,
        "proposal": proposal_record(answer.entry),
    }


def _require_index(desk: Desk, *, hints: bool) -> None:
    """Refuse to serve where nobody has made a store: an agent would take it for an empty one."""
    from mneme_git.store.git_store import GitStore
    from mneme_git.store.memory_file import MemoryFile
    from mneme_git.store.traces import in_git

    store = desk.decisions
    if isinstance(store, MemoryFile) and not store.path.is_file():
        raise InvalidInput(f"memory file {store.name} does not exist")
    if isinstance(store, GitStore) and not in_git(store.backend):
        hint = "run `mneme init`, or name a memory file with --memory" if hints else ""
        raise InvalidInput(f"memory file {ROOT}/{MEMORY_NAME} does not exist", hint=hint)


def _require_adr_folder(workspace: Workspace, adr_dir: str | None) -> None:
    if adr_dir == "":
        raise InvalidInput(
            "--adr-dir requires a directory path; omit the option to start without ADR validation"
        )
    if adr_dir is not None and not (workspace.cwd / adr_dir).is_dir():
        raise InvalidInput(f"ADR directory {adr_dir} does not exist")


def _require_sound_adrs(workspace: Workspace, desk: Desk, adr_dir: str) -> None:
    """Refuse to start beside ADRs that cannot be read or contradict each other."""
    from mneme_git.decisions.import_report import located

    problems, ties = _looked_through(workspace, desk, adr_dir)
    told = [located(problem) for problem in problems]
    told += [f"{', '.join(tie.top)} contradict each other in scope '{tie.scope}'" for tie in ties]
    if told:
        raise InvalidInput(
            f"the ADRs in {adr_dir} are not sound:\n" + "\n".join(f"  - {line}" for line in told),
            hint="`mneme adr import` previews the folder and says how to mend it",
        )


def _looked_through(
    workspace: Workspace, desk: Desk, adr_dir: str
) -> "tuple[tuple[Problem, ...], tuple[TiedScope, ...]]":
    from mneme_git.app.adr import import_adrs
    from mneme_git.app.adr_file import preview_into_file
    from mneme_git.model.adr_import import ImportOptions
    from mneme_git.store.memory_file import MemoryFile

    if isinstance(desk.decisions, MemoryFile):
        preview = preview_into_file(workspace, desk.decisions, adr_dir)
        return preview.problems, preview.ties
    plan = import_adrs(workspace, adr_dir, ImportOptions(), apply=False).plan
    return plan.problems, plan.ties
