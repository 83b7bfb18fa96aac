"""Whatever people do with decisions and branches, in any order: verify finds nothing but what the last
steps left to be done, and nothing that was acknowledged is lost.
"""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mneme_git.app.resolve import resolve
from mneme_git.model.decision import Lifecycle
from tests.support.deciding import FOLDER, Place, ids, literals, numbers, statuses

olders = st.sampled_from([None, 1, 2, 3])
TITLES = st.sampled_from(["one cache", "two caches"])


class Acts(RuleBasedStateMachine):
    """What people do to decisions wherever they are."""

    def __init__(self):
        super().__init__()
        self.place = Place()

    def teardown(self):
        self.place.close()

    @rule(name=st.sampled_from(["d1", "d2"]), constraint=st.sampled_from(["no redis", "no kafka"]))
    def add(self, name, constraint):
        self.place.add(name, constraint)

    @rule(name=ids, on=st.booleans())
    def protect(self, name, on):
        self.place.protect(name, on=on)

    @rule(name=ids)
    def deprecate(self, name):
        self.place.deprecate(name)

    @rule(old=ids, new=ids)
    def supersede(self, old, new):
        self.place.supersede(old, new)

    @rule(title=TITLES, accepted=st.booleans(), decision_id=st.sampled_from([None, "d1", "d3"]))
    def judge(self, title, accepted, decision_id):
        self.place.judge(title, accepted=accepted, decision_id=decision_id)


class Deciding(Acts):
    """What people do on one branch; ADRs lie where they were written, imported or not."""

    @rule(
        number=numbers,
        status=statuses,
        day=st.integers(1, 3),
        scope=st.sampled_from(["a", "b"]),
        values=literals,
        older=olders,
    )
    def write_adr(self, **told):
        self.place.write_adr(**told)

    @rule(update=st.booleans(), approve=st.booleans(), keep=st.booleans())
    def import_adrs(self, **options):
        whole = self.place.import_adrs(**options)
        if whole:
            assert self.place.changed_adrs() == set()

    @rule(old=numbers, new=numbers)
    def supersede_adr(self, old, new):
        self.place.supersede_adr(old, new)

    @invariant()
    def verify_finds_only_what_is_to_be_done(self):
        told = {(fault.code, fault.path) for fault in self.place.faults()}
        assert told == {("ADR_CHANGED", path) for path in self.place.changed_adrs()}

    @invariant()
    def nothing_acknowledged_is_lost(self):
        before = set(self.place.versions)
        snapshot = self.place.load()
        assert before <= snapshot.versions.keys()  # one branch, from which nothing was taken away
        self.place.every_lineage_is_whole(snapshot)
        self.place.nothing_acknowledged_is_lost()


# What two branches that are both right can come to together: each is told, enforced as the union, and
# ends when the ADRs are imported again or somebody decides.
TOGETHER = {
    "ACTIVE_SUPERSEDED",
    "ADR_CHANGED",
    "ADR_MERGED_UNSEEN",
    "PRECEDENCE_CONFLICT",
    "PROPOSAL_REJECTED",
    "SUCCESSOR_MISSING",
    "SUPERSESSION_CYCLE",
}
# And while a merge is open.
OPEN = {"CONTESTED", "CONFLICT_LEFT", "VERDICT_CONFLICT"}


class Branching(Acts):
    """The same on two branches that git merges; contests are settled, or left open for some steps."""

    def __init__(self):
        super().__init__()
        self.repo = self.place.repo
        self.commit()
        self.repo.git("branch", "side")
        self.merging = False
        self.in_force = set()

    def commit(self):
        self.place.load()
        self.repo.commit_all("work")

    @rule(
        number=numbers,
        status=statuses,
        day=st.integers(1, 3),
        title=st.sampled_from(["Use x", "Use y"]),
        values=literals,
        older=olders,
    )
    @precondition(lambda self: not self.merging)
    def write_adr_and_import(self, number, **told):
        self.place.write_adr(number, scope=f"s{number}", **told)
        self.place.import_adrs(update=True, approve=True, keep=True)

    @rule()
    @precondition(lambda self: not self.merging)
    def switch(self):
        self.commit()
        here = self.repo.git("branch", "--show-current")
        self.repo.git("switch", "-q", "side" if here == "main" else "main")

    @rule(ours=st.booleans())
    @precondition(lambda self: not self.merging)
    def merge(self, ours):
        """Merge the other branch; an ADR on which both disagree is taken from one of them."""
        self.commit()
        here = self.repo.git("branch", "--show-current")
        other = "side" if here == "main" else "main"
        self.in_force = self.active()
        self.repo.try_git("merge", "-q", "--no-commit", "--no-ff", other)
        self.merging = (self.repo.path / ".git/MERGE_HEAD").exists()
        for path in self.unmerged(FOLDER):
            self.repo.git("checkout", "-q", "--ours" if ours else "--theirs", "--", path)
            self.repo.git("add", path)

    @rule(data=st.data(), side=st.sampled_from(["ours", "theirs"]), as_merged=st.booleans())
    @precondition(lambda self: self.merging)
    def settle(self, data, side, as_merged):
        contested = sorted(contest.decision_id for contest in self.place.load().contested)
        if contested:
            name = data.draw(st.sampled_from(contested))
            self.place.tried(lambda: resolve(self.place.workspace, name, side, as_merged=as_merged))

    @rule(side=st.sampled_from(["ours", "theirs"]))
    @precondition(lambda self: self.merging)
    def settle_all_and_commit(self, side):
        """Settle what is left as one side has it: that is always possible, and nothing stays open."""
        while contested := self.place.load().contested:
            resolve(self.place.workspace, contested[0].decision_id, side)
        for path in self.unmerged(".mneme"):  # verdicts, and no decision any more
            self.repo.git("checkout", "-q", f"--{side}", "--", path)
            self.repo.git("add", path)
        assert self.unmerged(".") == []
        self.repo.git("commit", "-q", "--allow-empty", "-m", "merged")
        self.merging = False

    @rule()
    @precondition(lambda self: self.merging)
    def give_up(self):
        self.place.load()
        self.repo.git("add", ".mneme") if not self.unmerged(".mneme") else None
        self.repo.try_git("merge", "--abort")
        self.repo.git("reset", "-q", "--hard")
        self.repo.git("clean", "-qfd")
        self.merging = False

    def unmerged(self, below):
        listed = self.repo.git("ls-files", "-u", "--", below).splitlines()
        return sorted({line.split("\t")[1] for line in listed})

    def active(self):
        states = self.place.load().decisions
        return {s.decision_id for s in states if s.lifecycle_status is Lifecycle.ACTIVE}

    @invariant()
    def verify_finds_nothing_that_is_wrong_in_itself(self):
        faults = self.place.faults()
        told = {fault.code for fault in faults}
        assert told <= TOGETHER | (OPEN if self.merging else set()), faults
        contested = {fault.decision_id for fault in faults if fault.code == "CONTESTED"}
        assert contested == {contest.decision_id for contest in self.place.load().contested}
        assert {fault.code for fault in faults if fault.blocks} <= OPEN

    @invariant()
    def nothing_acknowledged_is_lost(self):
        snapshot = self.place.load()
        self.place.every_lineage_is_whole(snapshot)
        self.place.nothing_acknowledged_is_lost()


quick = settings(
    max_examples=4, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDeciding = Deciding.TestCase
TestDeciding.settings = quick
TestBranching = Branching.TestCase
TestBranching.settings = quick


@pytest.mark.soak
class TestDecidingForLong(Deciding.TestCase):
    settings = settings(quick, max_examples=150, stateful_step_count=30)


@pytest.mark.soak
class TestBranchingForLong(Branching.TestCase):
    settings = settings(quick, max_examples=150, stateful_step_count=30)
