"""A git store of decisions that rules act on: what a state machine over it does and asks in each step."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st

from mneme_git.app import adr_author, protect, retire
from mneme_git.app.adr import import_adrs
from mneme_git.app.decisions import add
from mneme_git.app.desk import open_desk
from mneme_git.app.index_tools import IndexTools
from mneme_git.app.open import open_git, open_store
from mneme_git.app.proposals import accept, reject
from mneme_git.app.verify import verify
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.record import Draft
from mneme_git.errors import MnemeError
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.codec import encode_state, state_digest
from mneme_git.model.decision import AdrEvidence, Authority, active_evidence, active_rules, rule_id_of
from mneme_git.model.snapshot import Fault, Snapshot
from mneme_git.store import journal
from tests.support.adrs import rules, strict
from tests.support.gitrepo import GitRepo
from tests.support.index import SOURCE
from tests.support.writing import clean_fsck, init

FOLDER = "docs/adr"
NUMBERS = (1, 2, 3)
IDS = ("d1", "d2", "ADR-001", "ADR-002", "ADR-003")
numbers = st.sampled_from(NUMBERS)
ids = st.sampled_from(IDS)
statuses = st.sampled_from(["accepted", "accepted", "proposed", "deprecated", "superseded"])
literals = st.lists(st.sampled_from(["redis", "mongo", "kafka"]), unique=True, max_size=2)
_Done = TypeVar("_Done")


class Place:
    """A repository with a store, and all that was ever acknowledged in it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.repo = GitRepo.create(Path(self.folder.name) / "repo")
        init(self.repo)
        clock = itertools.count(1_700_000_000)
        self.workspace = Workspace(cwd=self.repo.path, env=environment({}), now=lambda: next(clock))
        (self.repo.path / FOLDER).mkdir(parents=True)
        self.store = open_git(self.workspace)
        self.versions: set[str] = set()
        self.states: set[str] = set()

    def close(self) -> None:
        clean_fsck(self.repo)
        self.store.backend.close()
        self.folder.cleanup()

    def load(self) -> Snapshot:
        """Return what the store holds, and remember all of it: it was acknowledged."""
        snapshot = self.store.load()
        self.versions |= set(snapshot.versions)
        self.states |= {state_digest(state) for state in snapshot.decisions}
        return snapshot

    def tried(self, action: Callable[[], _Done]) -> _Done | None:
        """Do something that may be refused; then nothing may have been written."""
        before = self._told()
        try:
            return action()
        except MnemeError:
            assert self._told() == before
            return None

    def _told(self) -> tuple[str, str]:
        status = self.repo.git("status", "--porcelain", "--untracked-files=all")
        return status, self.repo.try_git("rev-parse", journal.JOURNAL_REF).out

    # What people do.

    def write_adr(
        self,
        number: int,
        status: str,
        day: int,
        scope: str,
        values: Iterable[str],
        older: int | None,
        title: str = "",
    ) -> None:
        fields = {"status": status, "scope": scope, "date": f"2025-01-0{day}"}
        if older is not None and older != number:
            fields["supersedes"] = f"[ADR-{older:03}]"
        body = f"Never {title or day}.\n" + rules(*values)
        self.repo.write(self.adr(number), strict(number, title or f"Title {day}", body=body, **fields))

    def adr(self, number: int) -> str:
        return f"{FOLDER}/ADR-{number:03}-x.md"

    def bound_rules(self) -> tuple[str, ...]:
        """Return the rules that people bound and that a new text would have to keep or release."""
        return tuple(
            rule_id_of(state.decision_id, rule)
            for state in self.store.load().decisions
            for rule in active_rules(state)
            if rule.authority is not Authority.VERSION
        )

    def import_adrs(self, *, update: bool, approve: bool, keep: bool) -> bool:
        """Import the folder; where it is refused without, every bound rule is kept or released."""
        for requests in ((), self.bound_rules()):
            options = ImportOptions(
                update_existing=update,
                approve_conflicts=approve,
                preserve=requests if keep else (),
                release=() if keep else requests,
            )

            def apply(options: ImportOptions = options) -> bool:
                done = import_adrs(self.workspace, FOLDER, options, apply=True)
                return done.receipt is not None and not done.plan.problems and not done.plan.ties

            if self.tried(apply):
                return True
        return False

    def protect(self, name: str, *, on: bool) -> None:
        action = protect.activate if on else protect.deactivate
        self.tried(lambda: action(self.workspace, name))

    def add(self, name: str, constraint: str) -> None:
        draft = Draft(decision_id=name, statement="Use X", constraints=(constraint,))
        self.tried(lambda: add(open_store(self.workspace), draft))

    def deprecate(self, name: str) -> None:
        self.tried(lambda: retire.deprecate(self.workspace, name))

    def supersede(self, old: str, new: str) -> None:
        self.tried(lambda: retire.supersede(self.workspace, old, new))

    def supersede_adr(self, old: int, new: int) -> None:
        self.tried(lambda: adr_author.supersede_adr(self.workspace, self.adr(old), self.adr(new)))

    def judge(self, title: str, *, accepted: bool, decision_id: str | None = None) -> None:
        """Propose what may have been proposed before, and give a verdict that may contradict an older one."""
        desk = open_desk(self.workspace)
        candidate = {"title": title, "statement": f"Let it be {title}", "provenance": SOURCE}
        name = str(IndexTools(self.workspace, desk).propose([candidate])[0]["proposal"]["proposal_id"])
        if accepted:
            self.tried(lambda: accept(self.workspace, desk, name, decision_id=decision_id))
        else:
            self.tried(lambda: reject(self.workspace, desk, name, reason="no"))

    # What must be so after each step.

    def faults(self) -> tuple[Fault, ...]:
        return verify(self.workspace).faults

    def changed_adrs(self) -> set[str]:
        """Return the ADR files that are not as their decisions were imported, by comparing them here."""
        return {
            row.source_locator
            for state in self.store.load().decisions
            for row in active_evidence(state)
            if isinstance(row, AdrEvidence)
            and hashlib.sha256(self.repo.read(row.source_locator)).hexdigest() != row.sha256
        }

    def nothing_acknowledged_is_lost(self) -> None:
        """Look for every version and state that ever was acknowledged, in the journal."""
        held = journal.contents(self.store.backend)
        assert {journal.version_name(name) for name in self.versions} <= held.keys()
        assert {journal.state_name(digest) for digest in self.states} <= held.keys()

    def every_lineage_is_whole(self, snapshot: Snapshot) -> None:
        for state in snapshot.decisions:
            assert encode_state(state)
            assert {entry.version_id for entry in state.versions} <= snapshot.versions.keys()
