from __future__ import annotations

import json

import pytest

from tests.support.inside import run


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    assert run("init", "--yes").code == 0
    for name in ("use-a", "use-b"):
        assert run("add_decision", "--id", name, "--decision", name, "--anti-pattern", f"{name}x").code == 0
    repo.commit_all()
    return repo


def test_a_deprecated_decision_is_enforced_no_more_and_staged(project):
    project.write("x.py", "use-ax\n")
    assert run("check", "--input", "x.py", "--query", "q").code == 2
    done = run("decision", "deprecate", "use-a")
    assert (done.code, done.out) == (0, "Done: decision [use-a] is deprecated\n")
    assert run("check", "--input", "x.py", "--query", "q").code == 0
    assert project.git("diff", "--cached", "--name-only") == ".mneme/decisions/use-a.json"
    assert run("decision", "deprecate", "use-a").out.startswith("Already so: ")
    assert run("decision", "deprecate", "use-a", "--json").json["code"] == "ALREADY_SO"


def test_one_decision_takes_the_place_of_another(project):
    preview = run("decision", "supersede", "use-a", "--by", "use-b", "--dry-run", "--json").json
    assert (preview["code"], project.git("status", "--porcelain")) == ("DRY_RUN", "")
    done = run("decision", "supersede", "use-a", "--by", "use-b")
    assert (done.code, done.out) == (0, "Done: decision [use-a] is superseded by [use-b]\n")
    assert project.git("diff", "--cached", "--name-only").split() == [
        ".mneme/decisions/use-a.json",
        ".mneme/decisions/use-b.json",
    ]
    assert "superseded by: use-b" in run("decision", "show", "use-a").out
    assert run("verify").code == 0


BOTH = "like it are: 'use-a', 'use-b'"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("deprecate", "use"), BOTH),
        (("deprecate", "use-"), BOTH),
        (("deprecate", "USE-A"), "like it are: 'use-a'"),
        (("supersede", "use", "--by", "use-b"), BOTH),
        (("supersede", "use-a", "--by", "use"), BOTH),
        (("supersede", "use-a", "--by", "zz"), "give the whole id"),
        (("deprecate", ""), "give the whole id"),
    ],
)
def test_a_name_must_be_whole_and_there(project, arguments, hint):
    said = run("decision", *arguments)
    assert (said.code, hint in said.err) == (2, True), said.err


def test_two_branches_that_decide_differently_conflict_in_git(project):
    project.git("switch", "-qc", "other")
    run("decision", "supersede", "use-a", "--by", "use-b")
    project.git("commit", "-qam", "a gives way")
    project.git("switch", "-q", "main")
    run("decision", "supersede", "use-b", "--by", "use-a")
    project.git("commit", "-qam", "b gives way")
    merged = project.try_git("merge", "-q", "other")
    assert merged.code != 0
    assert "use-a.json" in project.git("status", "--porcelain")
    refused = run("decision", "deprecate", "use-a")
    assert (refused.code, "contested" in refused.err) == (2, True)


def test_a_decision_with_an_adr_is_changed_through_its_file(project):
    project.write("docs/adr/0001-x.md", "# X\n\n## Status\n\nAccepted\n\n## Context\n\nx\n")
    assert run("adr", "import", "docs/adr", "--apply").code in {0, 1}
    refused = run("decision", "deprecate", "0001")
    assert refused.code == 2
    assert "has an ADR that says 'Accepted': docs/adr/0001-x.md" in refused.err
    backwards = run("decision", "supersede", "use-a", "--by", "0001")
    assert "does not say it supersedes 'use-a'" in backwards.err
    project.write("docs/adr/0001-x.md", "# X\n\n## Status\n\nDeprecated\n\n## Context\n\nx\n")
    assert run("decision", "deprecate", "0001").code == 0
    assert "status: deprecated" in run("decision", "show", "0001").out


def test_a_decision_whose_adr_was_deleted_has_a_way_out(project):
    project.write("docs/adr/0001-x.md", "# X\n\n## Status\n\nAccepted\n\n## Context\n\nx\n")
    assert run("adr", "import", "docs/adr", "--apply").code in {0, 1}
    (project.path / "docs/adr/0001-x.md").unlink()
    assert run("decision", "supersede", "0001", "--by", "use-b").code == 0
    assert "status: superseded" in run("decision", "show", "0001").out


def test_a_memory_file_gets_the_change_and_its_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    empty = {"schema": "mneme.decision-index/v1", "decisions": [], "versions": [], "rules": []}
    head = {"meta": {"name": "a", "description": "b"}, "decisions": [], "decision_index": empty}
    (tmp_path / "m.json").write_text(json.dumps(head), encoding="utf-8")
    for name in ("use-a", "use-b"):
        assert run("add_decision", "--id", name, "--decision", name, "--memory", "m.json").code == 0
    assert run("decision", "supersede", "use-a", "--by", "use-b", "--memory", "m.json").code == 0
    index = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["decision_index"]
    old, new = index["decisions"]
    assert (old["lifecycle_status"], new["lifecycle_status"]) == ("superseded", "active")
    assert new["relationships"] == [{"type": "supersedes", "target_decision_id": "use-a"}]
    assert old["updated_at"].endswith("Z")
    assert run("decision", "deprecate", "use-b", "--memory", "m.json").code == 0
    assert run("list_decisions", "--memory", "m.json").out == "(no decisions)\n"


def test_blame_names_the_commit_the_person_and_the_file_of_each_version(project):
    def adr(text):
        project.write("docs/adr/0001-x.md", f"# X\n\n## Status\n\nAccepted\n\n## Context\n\n{text}\n")
        assert run("adr", "import", "docs/adr", "--apply", "--update-existing").code in {0, 1}

    adr("one")
    first = project.commit_all("first text")
    project.write("other.txt", "x")
    project.commit_all("nothing of the kind")
    adr("two")
    project.git("add", "-A")
    project.git(
        "commit", "-q", "-m", "second text", GIT_AUTHOR_NAME="Bob", GIT_AUTHOR_EMAIL="bob@example.org"
    )
    second = project.git("rev-parse", "HEAD")
    adr("three")
    rows = run("decision", "blame", "0001", "--json").json["versions"]
    assert [row["commit"] for row in rows] == ["", second, first]
    assert [row["author"] for row in rows][1:] == ["Bob <bob@example.org>", "Ada <ada@example.org>"]
    assert [row["is_active"] for row in rows] == [True, False, False]
    assert rows[2]["blob"] == project.git("rev-parse", f"{first}:docs/adr/0001-x.md")
    assert {row["adr"] for row in rows} == {"docs/adr/0001-x.md"}
    text = run("decision", "blame", "0001").out
    assert text.startswith("[0001]\n* dver-")
    assert "    not committed\n" in text
    assert f"    commit {second[:12]}  " in text
    then = run("decision", "blame", "0001", "--at", first, "--json").json["versions"]
    assert [row["commit"] for row in then] == [first]


def test_blame_of_nothing_is_told(project):
    assert run("decision", "blame", "zz").code == 2
