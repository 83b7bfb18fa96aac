"""Whatever a person does with git between our writes: nothing acknowledged leaves the journal, reading
never fails, and what is in force is what the work tree and the index say.
"""

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mneme_git.model.codec import state_digest
from mneme_git.model.paths import decision_path
from mneme_git.model.plan import PutState
from mneme_git.store import intent, journal, work_files, writing
from tests.support.crash import die_before
from tests.support.gitrepo import GitRepo
from tests.support.writing import add_plan, change_plan, clean_fsck, init, open_store, remove, statements

IDS = ("one", "two", "ADR-3")
BRANCHES = ("main", "side")
# Calls before which a writer dies; at all but the first the write is carried out then.
DEATHS = (
    (writing, "save_intent", 1),
    (journal, "_swap", 1),
    (writing, "carry_out", 1),
    (work_files, "_write_new", 2),
    (work_files, "_into_place", 2),
    (intent, "_stage", 1),
    (writing, "clear_intent", 1),
)
CARRIED_OUT_FROM = 1
HARMLESS = {"GONE_FROM_WORK_TREE", "RECORDS_REMOVED"}


class StoreMachine(RuleBasedStateMachine):
    """``here`` is what each decision says in this checkout, ``gone`` whose file was deleted by hand."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.repo = GitRepo.create(Path(self.folder.name) / "repo")
        self.store = init(self.repo)
        self.texts = itertools.count()
        self.branch = "main"
        self.commits = {"main": {}}
        self.here, self.gone = {}, set()
        self.stashes = []
        self.acknowledged = set()
        self.expected_faults = set()

    def teardown(self):
        clean_fsck(self.repo)
        self.store.backend.close()
        self.folder.cleanup()

    def plan(self, name):
        text = f"text {next(self.texts)}"
        plan = add_plan if name not in self.here else change_plan
        return text, plan(self.store, name, text)

    def wrote(self, name, text, plan):
        self.acknowledged |= {state_digest(op.state) for op in plan.operations if isinstance(op, PutState)}
        self.here[name] = text
        self.gone.discard(name)

    def is_clean(self):
        return self.repo.git("status", "--porcelain") == ""

    @rule(name=st.sampled_from(IDS))
    def write(self, name):
        text, plan = self.plan(name)
        receipt = self.store.commit(plan, stage=True)
        assert receipt.staged
        assert receipt.notices == ()
        self.wrote(name, text, plan)

    @rule(name=st.sampled_from(IDS), death=st.integers(0, len(DEATHS) - 1))
    def write_and_die(self, name, death):
        text, plan = self.plan(name)
        owner, call, count = DEATHS[death]
        assert die_before(owner, call, lambda: self.store.commit(plan, stage=True), call=count)
        if death >= CARRIED_OUT_FROM:
            open_store(self.repo.path).load()
            self.wrote(name, text, plan)

    @rule(name=st.sampled_from(IDS))
    def write_and_die_and_move_head(self, name):
        _, plan = self.plan(name)
        assert die_before(writing, "carry_out", lambda: self.store.commit(plan, stage=True))
        self.acknowledged |= {state_digest(op.state) for op in plan.operations if isinstance(op, PutState)}
        self.repo.git("commit", "-q", "--allow-empty", "--only", "-m", "elsewhere")
        self.expected_faults.add("UNFINISHED_WRITE")

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def remove(self, data):
        name = data.draw(st.sampled_from(sorted(self.here)))
        assert remove(self.store, name).staged
        del self.here[name]
        self.gone.discard(name)

    @precondition(lambda self: self.here.keys() - self.gone)
    @rule(data=st.data())
    def delete_by_hand(self, data):
        name = data.draw(st.sampled_from(sorted(self.here.keys() - self.gone)))
        (self.repo.path / decision_path(name)).unlink()
        self.gone.add(name)

    @rule()
    def commit_everything(self):
        self.repo.commit_all()
        self.here = {name: text for name, text in self.here.items() if name not in self.gone}
        self.gone = set()
        self.commits[self.branch] = dict(self.here)

    @precondition(lambda self: self.is_clean())
    @rule(branch=st.sampled_from(BRANCHES))
    def switch(self, branch):
        create = () if branch in self.commits else ("-c",)
        self.repo.git("switch", "-q", *create, branch)
        self.commits.setdefault(branch, dict(self.here))
        self.branch, self.here = branch, dict(self.commits[branch])

    @precondition(lambda self: not self.is_clean())
    @rule()
    def stash(self):
        self.repo.git("stash", "push", "-q", "--include-untracked")
        head = self.repo.git("rev-parse", "HEAD")
        self.stashes.append((head, dict(self.here)))
        self.here, self.gone = dict(self.commits[self.branch]), set()

    @precondition(lambda self: self.stashes and self.is_clean())
    @rule()
    def unstash(self):
        if self.stashes[-1][0] == self.repo.git("rev-parse", "HEAD"):
            self.repo.git("stash", "pop", "-q", "--index")
            _, self.here = self.stashes.pop()
            # git forgets of a new file that it was deleted before it was ever committed
            self.gone = {n for n in self.here if not (self.repo.path / decision_path(n)).exists()}

    @rule()
    def throw_away(self):
        self.repo.git("reset", "-q", "--hard")
        self.repo.git("clean", "-qfdx")
        self.here, self.gone = dict(self.commits[self.branch]), set()

    @invariant()
    def what_is_in_force_is_what_git_and_the_files_say(self):
        opened = open_store(self.repo.path)
        snapshot = opened.load()
        faults = {fault.code for fault in snapshot.faults}
        assert faults - HARMLESS == self.expected_faults
        self.expected_faults = set()
        assert statements(opened) == self.here
        there = {name for name in IDS if (self.repo.path / decision_path(name)).exists()}
        assert there == self.here.keys() - self.gone
        opened.backend.close()

    @invariant()
    def nothing_acknowledged_leaves_the_journal(self):
        records = journal.contents(self.store.backend)
        assert {journal.state_name(digest) for digest in self.acknowledged} <= records.keys()


quick = settings(
    max_examples=6, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)
TestStore = StoreMachine.TestCase
TestStore.settings = quick


@pytest.mark.soak
class TestStoreForLong(StoreMachine.TestCase):
    settings = settings(quick, max_examples=150, stateful_step_count=40)
