"""Two branches change decisions and meet; every merge here is made by the git program."""

import pytest
from msgspec.structs import replace

from mneme_git.decisions.in_force import in_force
from mneme_git.errors import Refused
from mneme_git.model.codec import (
    encode_proposal,
    encode_state,
    encode_verdict,
    encode_version,
    name_of_bytes,
    state_digest,
)
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.paths import proposal_path, verdict_path, version_path
from mneme_git.model.plan import PutState, PutVersion, Read
from mneme_git.model.proposal import Proposal, Verdict
from mneme_git.model.proposal import id_of as proposal_id_of
from mneme_git.store.discover import open_backend
from mneme_git.store.format_files import project_config
from tests.support.branch import apply, change, codes, enforced, home, load, resolve, unmerged
from tests.support.gitrepo import GitRepo
from tests.support.make import make_rule, make_state, make_version

V1 = make_version("use-x", "Use X")
V2 = make_version("use-x", "Use X, version 2", predecessor=id_of(V1))
V3 = make_version("use-x", "Use X, the other way", predecessor=id_of(V1))
S1 = make_state(V1)


@pytest.fixture
def base(repo):
    """A repository in which ``mneme init`` was run, and a branch ``other`` beside ``main``."""
    assert repo.mneme("init", "--yes").code == 0
    repo.git("commit", "-q", "-m", "init")
    return repo


def fork(repo):
    repo.git("branch", "other")


def on_other(repo):
    repo.git("switch", "-q", "other")


def merge(repo, *options):
    repo.git("switch", "-q", "main")
    return repo.try_git("merge", "-q", "--no-edit", *options, "other")


def test_the_same_decision_added_on_two_branches_merges_clean_to_one_state(base):
    fork(base)
    arguments = ("add_decision", "--id", "use-x", "--decision", "Use X", "--anti-pattern", "redis")
    for switch in (lambda: None, lambda: on_other(base)):
        switch()
        assert base.mneme(*arguments).code == 0
        base.git("commit", "-q", "-m", "add")
    assert merge(base).code == 0
    snapshot = load(base)
    assert [state.decision_id for state in snapshot.decisions] == ["use-x"]
    assert (snapshot.contested, snapshot.faults) == ((), ())


RULE = make_rule(V1, "redis")
CHANGES = {
    "a new version": (make_state(V1, V2), (V2,)),
    "another new version": (make_state(V1, V3), (V3,)),
    "deprecated": (make_state(V1, status=Lifecycle.DEPRECATED), ()),
    "a rule": (make_state(V1, rules=(RULE,)), ()),
    "another rule": (make_state(V1, rules=(make_rule(V1, "mongo"),)), ()),
    "a link": (make_state(V1, supersedes=("old",)), ()),
}
PAIRS = [(a, b) for a in CHANGES for b in CHANGES if a < b]


@pytest.mark.parametrize(("mine", "yours"), PAIRS)
def test_any_two_different_changes_of_one_decision_conflict_and_one_resolve_settles_them(base, mine, yours):
    change(base, None, S1, V1)
    fork(base)
    (ours, our_versions), (theirs, their_versions) = CHANGES[mine], CHANGES[yours]
    change(base, S1, ours, *our_versions)
    on_other(base)
    change(base, S1, theirs, *their_versions)
    assert merge(base).code == 1, "git must not merge two changes of one decision"

    snapshot = load(base)
    (contest,) = snapshot.contested
    assert [(side.label, side.state) for side in contest.sides] == [("ours", ours), ("theirs", theirs)]
    expected = [
        ("use-x", label, snapshot.versions[state.active_version_id].statement)
        for label, state in (("ours", ours), ("theirs", theirs))
        if state.lifecycle_status is Lifecycle.ACTIVE
    ]
    assert sorted(enforced(snapshot)) == sorted(expected)

    resolve(base, "use-x", "--theirs")
    assert unmerged(base) == []
    base.git("commit", "-q", "-m", "merged")
    assert base.git("status", "--porcelain") == ""
    after = load(base)
    assert (after.decisions, after.contested, after.faults) == ((theirs,), (), ())
    assert base.read(home(theirs)) == encode_state(theirs)


def test_one_side_may_have_removed_the_decision_and_either_can_be_taken(base):
    change(base, None, S1, V1)
    fork(base)
    base.git("rm", "-q", "--", home(S1))
    base.git("commit", "-q", "-m", "remove")
    on_other(base)
    newer = make_state(V1, V2)
    change(base, S1, newer, V2)
    assert merge(base).code == 1
    assert enforced(load(base)) == [("use-x", "theirs", V2.statement)]

    resolve(base, "use-x", "--ours")
    assert unmerged(base) == []
    assert not (base.path / home(S1)).exists()
    base.git("commit", "-q", "-m", "merged")
    assert load(base).decisions == ()


def test_a_removed_decision_can_be_kept_as_the_other_side_has_it(base):
    change(base, None, S1, V1)
    fork(base)
    base.git("rm", "-q", "--", home(S1), version_path(id_of(V1)))
    base.git("commit", "-q", "-m", "remove")
    on_other(base)
    newer = make_state(V1, V2)
    change(base, S1, newer, V2)
    assert merge(base).code == 1
    resolve(base, "use-x", "--theirs")
    base.git("commit", "-q", "-m", "merged")
    assert load(base).decisions == (newer,)
    assert base.read(version_path(id_of(V1))), "the version that the removal took is back"
    assert load(base).faults == ()


def test_a_supersedes_b_against_b_supersedes_a_contests_both(base):
    va, vb = make_version("a", "Do A"), make_version("b", "Do B")
    a, b = make_state(va), make_state(vb)
    change(base, None, a, va)
    change(base, None, b, vb)
    fork(base)
    gone = {"status": Lifecycle.SUPERSEDED}
    change(base, a, make_state(va, supersedes=("b",)))
    change(base, b, make_state(vb, **gone))
    on_other(base)
    change(base, b, make_state(vb, supersedes=("a",)))
    change(base, a, make_state(va, **gone))
    assert merge(base).code == 1

    assert [contest.decision_id for contest in load(base).contested] == ["a", "b"]
    assert enforced(load(base)) == [("a", "ours", "Do A"), ("b", "theirs", "Do B")]
    resolve(base, "a", "--ours")
    assert [contest.decision_id for contest in load(base).contested] == ["b"]
    resolve(base, "b", "--ours")
    base.git("commit", "-q", "-m", "merged")
    assert enforced(load(base)) == [("a", "", "Do A")]
    assert load(base).faults == ()


def test_a_rule_on_one_side_and_an_edit_on_the_other_are_both_enforced(base):
    change(base, None, S1, V1)
    fork(base)
    ruled = make_state(V1, rules=(RULE,))
    change(base, S1, ruled)
    on_other(base)
    edited = make_state(V1, V2)
    change(base, S1, edited, V2)
    assert merge(base).code == 1
    rows = in_force(load(base), root="/repo")
    assert [(row.side, row.statement, [rule.value for rule in row.rules]) for row in rows] == [
        ("ours", "Use X", ["redis"]),
        ("theirs", V2.statement, []),
    ]


def test_a_plan_on_a_contested_decision_is_refused_until_it_is_settled(base):
    change(base, None, S1, V1)
    fork(base)
    change(base, S1, make_state(V1, V2), V2)
    on_other(base)
    change(base, S1, make_state(V1, V3), V3)
    merge(base)
    reads = (Read("decision", "use-x", state_digest(make_state(V1, V2))),)
    with pytest.raises(Refused, match="contested"):
        apply(base, PutState(S1), reads=reads)
    assert base.mneme("add_decision", "--id", "use-x", "--decision", "Use Y").code == 2
    resolve(base, "use-x", "--ours")
    apply(base, PutState(S1), reads=reads)
    assert load(base).decisions == (S1,)


def test_showing_the_sides_writes_nothing_and_says_how_to_settle(base):
    change(base, None, S1, V1)
    fork(base)
    change(base, S1, make_state(V1, V2), V2)
    on_other(base)
    change(base, S1, make_state(V1, V3), V3)
    merge(base)
    status = base.git("status", "--porcelain")
    shown = base.mneme("decision", "resolve", "use-x")
    assert shown.code == 1
    assert "mneme decision resolve use-x --ours" in shown.out
    assert "+  Use X, the other way" in shown.out
    would = base.mneme("decision", "resolve", "use-x", "--ours", "--dry-run")
    assert (would.code, "would be settled" in would.out) == (0, True)
    assert base.git("status", "--porcelain") == status


def test_resolving_what_is_not_contested_says_so(base):
    change(base, None, S1, V1)
    ran = base.mneme("decision", "resolve", "use-x", "--ours")
    assert (ran.code, "not contested" in ran.err) == (2, True)
    assert base.mneme("decision", "resolve", "nothing", "--ours").code == 2


def test_a_label_that_no_side_has_is_refused(base):
    change(base, None, S1, V1)
    fork(base)
    change(base, S1, make_state(V1, V2), V2)
    on_other(base)
    change(base, S1, make_state(V1, V3), V3)
    merge(base)
    ran = base.mneme("decision", "resolve", "use-x", "--take", "mine")
    assert (ran.code, "ours, theirs" in ran.err) == (2, True)
    assert base.mneme("decision", "resolve", "use-x", "--take", "mine", "--ours").code == 2
    assert len(unmerged(base)) == 3


ALPHA = make_version("ADR-1", "Alpha " + "and so on " * 3, rationale="line\n" * 30)
BETA = make_version("ADR-2", "Alpha " + "and so on " * 3, rationale="line\n" * 30)


def contaminated(base, *, removed_on_main):
    """One side removes ADR-1 and adds the very similar ADR-2, the other edits ADR-1."""
    rules = tuple(make_rule(ALPHA, f"word{number}", number) for number in range(8))
    alpha = make_state(ALPHA, rules=rules)
    beta = make_state(BETA, rules=tuple(replace(rule, version_id=id_of(BETA)) for rule in rules))
    edited = replace(alpha, lifecycle_status=Lifecycle.DEPRECATED)
    change(base, None, alpha, ALPHA)
    fork(base)

    def swap():
        base.git("rm", "-q", "--", home(alpha))
        apply(base, *_puts(beta, BETA), reads=(Read("decision", "ADR-2", "absent"),))
        base.git("commit", "-q", "-m", "swap")

    def edit():
        change(base, alpha, edited)

    first, second = (swap, edit) if removed_on_main else (edit, swap)
    first()
    on_other(base)
    second()
    assert merge(base).code == 1
    return edited, beta


def _puts(state, *versions):
    return (*(PutVersion(version) for version in versions), PutState(state))


@pytest.mark.parametrize("removed_on_main", [True, False])
@pytest.mark.parametrize("first", ["ADR-1", "ADR-2"])
def test_rename_detection_puts_one_decision_into_the_file_of_another_and_both_survive(
    base, removed_on_main, first
):
    edited, beta = contaminated(base, removed_on_main=removed_on_main)
    assert unmerged(base) == [home(beta)] * 3, "git took the new file for a rename of the old one"
    snapshot = load(base)
    assert {contest.decision_id for contest in snapshot.contested} == {"ADR-1", "ADR-2"}
    assert snapshot.contest("ADR-2").continued_by

    side = {"ADR-1": "theirs" if removed_on_main else "ours"}
    side["ADR-2"] = "ours" if removed_on_main else "theirs"
    resolve(base, first, f"--{side[first]}")
    assert unmerged(base) == []
    base.git("commit", "-q", "-m", "merged")
    after = load(base)
    assert after.decisions == (edited, beta)
    assert after.faults == ()
    assert base.git("status", "--porcelain") == ""


def test_a_contaminated_decision_can_also_be_removed_and_the_other_survives(base):
    _, beta = contaminated(base, removed_on_main=True)
    resolve(base, "ADR-1", "--ours")
    base.git("commit", "-q", "-m", "merged")
    assert load(base).decisions == (beta,)


def test_both_sides_replace_a_decision_by_a_similar_one_and_both_new_ones_survive(base):
    gamma_version = make_version("ADR-3", ALPHA.statement, rationale=ALPHA.rationale)
    rules = tuple(make_rule(ALPHA, f"word{number}", number) for number in range(8))
    alpha, beta, gamma = (
        make_state(version, rules=tuple(replace(rule, version_id=id_of(version)) for rule in rules))
        for version in (ALPHA, BETA, gamma_version)
    )
    change(base, None, alpha, ALPHA)
    fork(base)
    for new, version in ((beta, BETA), (gamma, gamma_version)):
        base.git("rm", "-q", "--", home(alpha), version_path(id_of(ALPHA)))
        apply(base, *_puts(new, version), reads=(Read("decision", new.decision_id, "absent"),))
        base.git("commit", "-q", "-m", "replace")
        on_other(base)
    assert merge(base).code == 1
    assert home(alpha) in unmerged(base), "git sees one decision renamed to two"
    assert {row[0] for row in enforced(load(base))} == {"ADR-2", "ADR-3"}
    for contest in load(base).contested:
        resolve(base, contest.decision_id, "--take", contest.continued_by)
    assert unmerged(base) == []
    base.git("commit", "-q", "-m", "merged")
    assert load(base).decisions == (beta, gamma)
    assert load(base).faults == ()
    assert base.git("status", "--porcelain") == ""


def test_a_decision_in_two_misplaced_files_is_settled_into_its_own(base):
    base.write(".mneme/decisions/a.json", encode_state(S1))
    base.write(".mneme/decisions/b.json", encode_state(make_state(V1, V2)))
    for version in (V1, V2):
        base.write(version_path(id_of(version)), encode_version(version))
    base.commit_all("two of one")
    assert len(load(base).contest("use-x").sides) == 2
    resolve(base, "use-x", "--take", "b.json")
    base.git("commit", "-q", "-m", "one")
    after = load(base)
    assert (after.decisions, after.faults) == ((make_state(V1, V2),), ())


def test_two_projects_that_were_each_initialised_read_our_project_id_and_say_so(repo):
    repo.git("branch", "other")
    clone = repo.path.parent / "clone"
    repo.git("clone", "-q", "--branch", "other", str(repo.path), str(clone))
    for project in (repo, GitRepo(clone)):
        assert project.mneme("init", "--yes").code == 0
        project.git("commit", "-q", "-m", "init")
    repo.git("fetch", "-q", str(clone), "other:other")
    assert merge(repo).code == 1
    snapshot = load(repo)
    assert codes(snapshot) == ["CONFIG_CONFLICT"]
    ours = repo.git("show", "HEAD:.mneme/config")
    assert project_config(open_backend(repo.path, prefer="program")).decode().strip() == ours


def test_the_project_id_survives_deleting_the_folder(base):
    expected = base.read(".mneme/config")
    backend = open_backend(base.path, prefer="program")
    (base.path / ".mneme/config").unlink()
    assert project_config(backend) == expected
    (base.path / ".mneme/config").symlink_to("/dev/null")
    assert project_config(backend) == expected


def test_unlike_verdicts_on_one_proposal_conflict(base):
    proposal = Proposal(title="T", statement="S", proposed_at="2024-01-01T00:00:00Z")
    data, proposal_id = encode_proposal(proposal), proposal_id_of(proposal)
    base.write(proposal_path(name_of_bytes(data)), data)
    base.commit_all("propose")
    fork(base)
    for answer, person in (("accepted", "Ada"), ("rejected", "Bob")):
        verdict = Verdict(proposal_id=proposal_id, verdict=answer, by=person, at="2024-01-02T00:00:00Z")
        base.write(verdict_path(proposal_id), encode_verdict(verdict))
        base.commit_all(answer)
        on_other(base)
    assert merge(base).code == 1
    snapshot = load(base)
    assert codes(snapshot) == ["VERDICT_CONFLICT"]
    assert snapshot.verdicts == {}
    assert len(snapshot.proposals) == 1
