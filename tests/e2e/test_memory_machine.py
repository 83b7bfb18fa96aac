"""Whatever is done to a memory file, it stays one that loads, and it goes into git and out again as it was."""

import itertools
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mneme_git.app.adr_file import import_into_file, preview_into_file
from mneme_git.app.decisions import add
from mneme_git.app.export import plan_export
from mneme_git.app.open import open_store
from mneme_git.app.protect import activate, deactivate
from mneme_git.app.to_git import move_to_git
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.record import Draft
from mneme_git.errors import MnemeError
from mneme_git.model.adr_import import ImportOptions
from mneme_git.model.decision import Authority, Lifecycle, active_rules, rule_id_of
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_scaffold import create_memory, scaffold
from tests.support.adrs import rules, strict
from tests.support.gitrepo import GitRepo
from tests.support.writing import open_store as open_git

NAME = "m.json"
NUMBERS = (1, 2, 3)
numbers = st.sampled_from(NUMBERS)
statuses = st.sampled_from(["accepted", "accepted", "proposed", "deprecated", "superseded"])
literals = st.lists(st.sampled_from(["redis", "mongo", "kafka"]), unique=True, max_size=2)


class MemoryMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.repo = GitRepo.create(Path(self.folder.name) / "repo")
        self.clock = itertools.count(1_700_000_000)
        self.workspace = Workspace(cwd=self.repo.path, env=environment({}), now=lambda: next(self.clock))
        document = scaffold(name="n", description="d", created_by="test", created="")
        create_memory(self.repo.path / NAME, NAME, document)
        self.store = MemoryFile(self.repo.path / NAME, as_given=NAME, now=self.workspace.now)
        (self.repo.path / "docs/adr").mkdir(parents=True)
        self.before = self.store.data()

    def teardown(self):
        self.goes_into_git_and_out_again()
        self.folder.cleanup()

    def tried(self, action):
        """Do something that may be refused; then nothing may have been written."""
        self.before = self.store.data()
        try:
            return action()
        except MnemeError:
            assert self.store.data() == self.before
            return None

    @rule(
        number=numbers,
        status=statuses,
        day=st.integers(1, 3),
        scope=st.sampled_from(["a", "b"]),
        values=literals,
        older=st.sampled_from([None, 1, 2, 3]),
    )
    def write_adr(self, number, status, day, scope, values, older):
        fields = {"status": status, "scope": scope, "date": f"2025-01-0{day}"}
        if older is not None and older != number:
            fields["supersedes"] = f"[ADR-{older:03}]"
        text = strict(number, f"Title {day}", body="Body.\n" + rules(*values), **fields)
        self.repo.write(f"docs/adr/ADR-{number:03}-x.md", text)

    @rule(update=st.booleans(), approve=st.booleans(), keep=st.booleans())
    def import_adrs(self, update, approve, keep):
        bound = [
            rule_id_of(state.decision_id, rule)
            for state in self.store.load().decisions
            if state.lifecycle_status is Lifecycle.ACTIVE
            for rule in active_rules(state)
            if rule.authority is not Authority.VERSION
        ]
        for requests in ([], bound):  # with requests only where it is refused without
            options = ImportOptions(
                update_existing=update,
                approve_conflicts=approve,
                preserve=tuple(requests) if keep else (),
                release=() if keep else tuple(requests),
            )

            def apply(options=options):
                preview = preview_into_file(self.workspace, self.store, "docs/adr")
                if preview.problems:
                    return True
                return import_into_file(self.workspace, self.store, "docs/adr", preview, options)

            if self.tried(apply) is not None:
                return

    @rule(name=st.sampled_from(["d1", "d2"]), constraint=st.sampled_from(["no redis", "no kafka"]))
    def add(self, name, constraint):
        draft = Draft(decision_id=name, statement="Use X", constraints=(constraint,))
        self.tried(lambda: add(open_store(self.workspace, memory=NAME), draft))

    @rule(name=st.sampled_from(["d1", "d2", "ADR-001", "ADR-002"]), on=st.booleans())
    def protect(self, name, on):
        action = activate if on else deactivate
        self.tried(lambda: action(self.workspace, name, memory=NAME))

    @invariant()
    def loads(self):
        contents = self.store.read()
        assert contents.index is not None
        # One decision in force supersedes no other that is in force.
        states = {state.decision_id: state for state in self.store.load().decisions}
        for state in states.values():
            if state.lifecycle_status is Lifecycle.ACTIVE:
                for link in state.relationships:
                    older = states.get(link.target_decision_id)
                    assert older is None or older.lifecycle_status is not Lifecycle.ACTIVE

    def goes_into_git_and_out_again(self):
        move_to_git(self.workspace, self.store, apply=True)
        snapshot = open_git(self.repo.path, prefer="program").load()
        assert [fault for fault in snapshot.faults if fault.blocks] == []
        assert plan_export(self.workspace, NAME).data == self.store.data()


MemoryMachine.TestCase.settings = settings(
    deadline=None, max_examples=15, stateful_step_count=12, suppress_health_check=list(HealthCheck)
)
TestMemoryMachine = MemoryMachine.TestCase
