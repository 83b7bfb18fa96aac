"""ADR files imported on two branches that meet; import, check and verify are the installed command."""

import json
import shutil

import pytest

from tests.support.branch import enforced, load, resolve, unmerged

HEAD = (
    "---\nid: {id}\ntitle: {title}\nstatus: accepted\npriority: {priority}\ndate: 2024-01-01\n{more}---\n\n"
)
BODY = "## Context\n\n{context}\n\n## Constraints\n\n{rules}\n## Decision\n\nSo it is.\n\n## Consequences\n\n{after}\n"


def adr(repo, number, *, name="", more="", priority="normal", context="Why.", rules="", after="Then."):
    decision_id = f"ADR-{number:03}"
    head = HEAD.format(id=decision_id, title=f"Title {number}", priority=priority, more=more)
    text = head + BODY.format(context=context, rules=rules, after=after)
    repo.write(f"docs/adr/{decision_id}-{name or 'title'}.md", text)


def take_in(repo, *options):
    ran = repo.mneme("adr", "import", "docs/adr", "--apply", *options)
    assert ran.code == 0, ran.err + ran.out
    repo.commit_all("import")


@pytest.fixture
def base(repo):
    """A store with one imported ADR, and a branch ``other`` beside ``main``."""
    assert repo.mneme("init", "--yes").code == 0
    adr(repo, 1)
    take_in(repo)
    repo.git("branch", "other")
    return repo


def on_other(repo):
    repo.git("switch", "-q", "other")


def merge(repo):
    repo.git("switch", "-q", "main")
    return repo.try_git("merge", "-q", "--no-edit", "other")


def check(repo, text):
    repo.write("code.py", text)
    ran = repo.mneme("check", "--input", "code.py", "--query", "anything", "--json")
    return ran.code, json.loads(ran.out)


def fault_codes(repo):
    ran = repo.mneme("verify", "--json")
    return [fault["code"] for fault in json.loads(ran.out)["faults"]]


def test_the_same_adr_imported_on_two_branches_merges_clean_to_one_state(base):
    adr(base, 2, rules="- FORBID_LITERAL: redis\n")
    take_in(base)
    on_other(base)
    adr(base, 2, rules="- FORBID_LITERAL: redis\n")
    take_in(base)
    assert merge(base).code == 0
    snapshot = load(base)
    assert [state.decision_id for state in snapshot.decisions] == ["ADR-001", "ADR-002"]
    assert (snapshot.contested, snapshot.faults) == ((), ())
    assert fault_codes(base) == []


def test_different_edits_contest_the_decision_and_the_rules_of_both_are_enforced(base):
    adr(base, 1, rules="- FORBID_LITERAL: redis\n")
    take_in(base, "--update-existing")
    on_other(base)
    adr(base, 1, rules="- FORBID_LITERAL: mongo\n")
    take_in(base, "--update-existing")
    assert merge(base).code == 1
    code, report = check(base, "import redis\nimport mongo\n")
    assert code == 2
    assert report["verdict"] == "FAIL"
    assert {row["rule"] for row in report["violations"]} >= {"redis", "mongo"}
    assert "CONTESTED" in {fault["code"] for fault in report["faults"]}


def edited_on_both_sides(repo):
    adr(repo, 1, context="Why, said better.")
    take_in(repo, "--update-existing")
    on_other(repo)
    adr(repo, 1, after="Then something else.")
    take_in(repo, "--update-existing")
    assert merge(repo).code == 1
    assert unmerged(repo) == [".mneme/decisions/adr-001.json"] * 3, "git merged the ADR itself"


def test_an_adr_merged_to_text_that_no_side_imported_is_noticed(base):
    edited_on_both_sides(base)
    assert "ADR_MERGED_UNSEEN" in fault_codes(base)
    _, report = check(base, "x = 1\n")
    assert "ADR_MERGED_UNSEEN" in {fault["code"] for fault in report["faults"]}
    assert "docs/adr/ADR-001-title.md" in base.mneme("status").out

    resolve(base, "ADR-001", "--ours")
    base.git("commit", "-q", "-m", "merged")
    assert fault_codes(base) == ["ADR_CHANGED"], "after taking a side the merged text is still not imported"


def test_an_adr_with_conflict_markers_is_to_be_settled_before_anything_else(base):
    adr(base, 1, context="Why, said better.")
    take_in(base, "--update-existing")
    on_other(base)
    adr(base, 1, context="Why, said otherwise.")
    take_in(base, "--update-existing")
    assert merge(base).code == 1
    told = base.mneme("status").out
    assert "ADR_MERGED_UNSEEN 'docs/adr/ADR-001-title.md' holds conflict markers of a merge" in told
    assert "settle the conflict in the file first, then run `mneme decision resolve ADR-001 --import`" in told

    resolve(base, "ADR-001", "--ours")
    told = base.mneme("status").out
    assert "ADR_CHANGED docs/adr/ADR-001-title.md: the file holds conflict markers of a merge" in told
    assert "settle the conflict first, then run `mneme adr import docs/adr --update-existing`" in told


def test_importing_the_adr_as_merged_settles_the_contest(base):
    edited_on_both_sides(base)
    ran = resolve(base, "ADR-001", "--import")
    assert "as ours has it with its ADR as merged on top" in ran.out
    assert unmerged(base) == []
    base.git("commit", "-q", "-m", "merged")
    snapshot = load(base)
    assert snapshot.contested == ()
    assert len(snapshot.state("ADR-001").versions) == 3
    assert fault_codes(base) == []


def test_a_plain_import_of_a_contested_decision_is_refused(base):
    edited_on_both_sides(base)
    ran = base.mneme("adr", "import", "docs/adr", "--apply", "--update-existing")
    assert ran.code == 2
    assert "mneme decision resolve ADR-001" in ran.err + ran.out


def test_an_adr_whose_own_merge_is_not_finished_is_not_imported(base):
    adr(base, 1, context="Mine.")
    take_in(base, "--update-existing")
    on_other(base)
    adr(base, 1, context="Yours.")
    take_in(base, "--update-existing")
    assert merge(base).code == 1
    ran = base.mneme("decision", "resolve", "ADR-001", "--import")
    assert (ran.code, "conflict markers" in ran.err) == (2, True)
    adr(base, 1, context="Ours, both.")
    base.git("add", "docs/adr")
    resolve(base, "ADR-001", "--import", "--theirs")
    base.git("commit", "-q", "-m", "merged")
    assert fault_codes(base) == []


def test_adrs_that_supersede_each_other_contest_both_and_are_settled_one_by_one(base):
    adr(base, 2)
    take_in(base)
    base.git("branch", "-f", "other")
    adr(base, 1, more="supersedes: [ADR-002]\n")
    take_in(base, "--update-existing")
    on_other(base)
    adr(base, 2, more="supersedes: [ADR-001]\n")
    take_in(base, "--update-existing")
    assert merge(base).code == 1
    assert {contest.decision_id for contest in load(base).contested} == {"ADR-001", "ADR-002"}
    assert {(row[0], row[1]) for row in enforced(load(base))} == {("ADR-001", "ours"), ("ADR-002", "theirs")}
    resolve(base, "ADR-001", "--ours")
    resolve(base, "ADR-002", "--ours")
    base.git("checkout", "-q", "HEAD", "--", "docs/adr/ADR-002-title.md")
    base.git("commit", "-q", "-m", "merged")
    assert [row[0] for row in enforced(load(base))] == ["ADR-001"]
    assert fault_codes(base) == []


def test_taking_unlike_sides_of_a_supersession_is_told_and_both_are_enforced(base):
    adr(base, 2)
    take_in(base)
    base.git("branch", "-f", "other")
    adr(base, 1, more="supersedes: [ADR-002]\n")
    take_in(base, "--update-existing")
    on_other(base)
    adr(base, 2, more="supersedes: [ADR-001]\n")
    take_in(base, "--update-existing")
    merge(base)
    resolve(base, "ADR-001", "--ours")
    resolve(base, "ADR-002", "--theirs")
    assert {"ACTIVE_SUPERSEDED", "SUPERSESSION_CYCLE"} <= set(fault_codes(base))
    assert [row[0] for row in enforced(load(base))] == ["ADR-001", "ADR-002"]


def test_a_superseded_decision_whose_successor_is_gone_is_enforced_and_told(base):
    adr(base, 1, rules="- FORBID_LITERAL: redis\n")
    take_in(base, "--update-existing")
    adr(base, 2, more="supersedes: [ADR-001]\n")
    take_in(base)
    assert check(base, "import redis\n")[0] == 0
    base.git("rm", "-q", "--", ".mneme/decisions/adr-002.json", "docs/adr/ADR-002-title.md")
    base.git("commit", "-q", "-m", "remove")
    code, report = check(base, "import redis\n")
    assert (code, report["verdict"]) == (2, "FAIL")
    assert "SUCCESSOR_MISSING" in {fault["code"] for fault in report["faults"]}
    assert "[ADR-001]" in base.mneme("list_decisions").out


def test_two_decisions_that_precedence_would_not_allow_are_told_and_both_enforced(base):
    adr(base, 2, more="scope: auth\n", rules="- FORBID_LITERAL: redis\n")
    take_in(base)
    on_other(base)
    adr(base, 3, more="scope: auth\n", priority="foundational", rules="- FORBID_LITERAL: mongo\n")
    take_in(base)
    assert merge(base).code == 0
    code, report = check(base, "import redis\nimport mongo\n")
    assert code == 2
    assert {row["rule"] for row in report["violations"]} >= {"redis", "mongo"}
    assert "PRECEDENCE_CONFLICT" in {fault["code"] for fault in report["faults"]}


def test_one_id_in_two_adr_files_is_told(base):
    adr(base, 2, name="one")
    take_in(base)
    on_other(base)
    adr(base, 2, name="two", after="Otherwise.")
    take_in(base)
    assert merge(base).code == 1
    assert "ONE_ID_TWO_ADRS" in fault_codes(base)


def test_deleting_the_folder_switches_no_check_off(base):
    adr(base, 1, rules="- FORBID_LITERAL: redis\n")
    take_in(base, "--update-existing")
    shutil.rmtree(base.path / ".mneme")
    code, report = check(base, "import redis\n")
    assert (code, report["verdict"]) == (2, "FAIL")
    assert {fault["code"] for fault in report["faults"]} == {"GONE_FROM_WORK_TREE"}


def test_removing_a_decision_with_git_is_warned_of_by_check(base):
    adr(base, 1, rules="- FORBID_LITERAL: redis\n")
    take_in(base, "--update-existing")
    base.git("rm", "-q", "--", ".mneme/decisions/adr-001.json")
    code, report = check(base, "import redis\n")
    assert code == 0
    assert {fault["code"] for fault in report["faults"]} == {"RECORDS_REMOVED"}
    base.git("commit", "-q", "-m", "remove")
    assert check(base, "import redis\n")[1]["faults"] == []


def test_a_damaged_decision_makes_check_incomplete_and_is_still_enforced(base):
    adr(base, 1, rules="- FORBID_LITERAL: redis\n")
    take_in(base, "--update-existing")
    path = ".mneme/decisions/adr-001.json"
    base.write(path, base.read(path).replace(b'"redis"', b'"harmless"'))
    code, report = check(base, "import redis\n")
    assert (code, report["evaluation_complete"], report["verdict"]) == (2, False, "FAIL")
    code, report = check(base, "x = 1\n")
    assert (code, report["evaluation_complete"], report["verdict"]) == (2, False, "PASS")
