"""``mneme adr import`` in a real repository."""

import json

import pytest

from tests.support.adrs import nygard, rules, strict
from tests.support.branch import load


@pytest.fixture
def base(repo):
    assert repo.mneme("init", "--yes").code == 0
    repo.commit_all("init")
    return repo


def put(repo, files, at="docs/adr"):
    for name, text in files.items():
        repo.write(f"{at}/{name}", text)


def plan_of(ran):
    return next(line.split()[1] for line in ran.out.splitlines() if line.startswith("Plan: "))


def untouched(repo, before):
    return repo.git("status", "--porcelain") == before


def test_a_preview_writes_nothing_and_apply_with_its_plan_writes_that(base):
    put(base, {"ADR-001-a.md": strict(1, body="x" + rules("redis"))})
    before = base.git("status", "--porcelain")
    seen = base.mneme("adr", "import", "docs/adr")
    assert (seen.code, untouched(base, before)) == (0, True)
    assert "rule: FORBID_LITERAL redis" in seen.out
    done = base.mneme("adr", "import", "docs/adr", "--apply", "--plan", plan_of(seen))
    assert done.code == 0, done.err
    assert "Wrote 1 decision to .mneme and staged (1 new)." in done.out
    assert "A  .mneme/decisions/adr-001.json" in base.git("status", "--porcelain")
    again = base.mneme("adr", "import", "docs/adr", "--apply")
    assert (again.code, "Nothing to write" in again.out) == (0, True)


def test_apply_with_the_plan_of_another_moment_is_refused_and_writes_nothing(base):
    put(base, {"ADR-001-a.md": strict(1)})
    expected = plan_of(base.mneme("adr", "import", "docs/adr"))
    put(base, {"ADR-001-a.md": strict(1, "Another title")})
    before = base.git("status", "--porcelain")
    found = plan_of(base.mneme("adr", "import", "docs/adr"))
    ran = base.mneme("adr", "import", "docs/adr", "--apply", "--plan", expected, "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["code"] == "PLAN_CHANGED"
    assert f"expected {expected}, found {found}" in ran.err
    assert untouched(base, before)


def test_a_changed_adr_needs_a_word_and_the_whole_import_waits_for_it(base):
    put(base, {"ADR-001-a.md": strict(1)})
    base.mneme("adr", "import", "docs/adr", "--apply")
    put(base, {"ADR-001-a.md": strict(1, "Changed"), "ADR-002-b.md": strict(2)})
    before = base.git("status", "--porcelain")
    ran = base.mneme("adr", "import", "docs/adr", "--apply")
    assert (ran.code, "--update-existing" in ran.err, untouched(base, before)) == (2, True, True)
    assert base.mneme("adr", "import", "docs/adr", "--apply", "--update-existing").code == 0
    assert [state.decision_id for state in load(base).decisions] == ["ADR-001", "ADR-002"]


def test_every_problem_is_told_with_file_and_line_and_the_good_ones_can_be_taken(base):
    put(
        base,
        {
            "ADR-001-a.md": strict(1),
            "0002-b.md": nygard("B", "perhaps"),
            "notes.md": "# Notes\n",
            "README.md": "x",
            "0003-c.md": b"\xff",
        },
    )
    ran = base.mneme("adr", "import", "docs/adr", "--apply")
    assert ran.code == 2
    for place in (
        "docs/adr/0002-b.md:7: ",
        "docs/adr/notes.md:1: ",
        "docs/adr/0003-c.md:1: ",
        "docs/adr/README.md: README",
    ):
        assert place in ran.out
    assert load(base).decisions == ()
    partly = base.mneme("adr", "import", "docs/adr", "--apply", "--partial")
    assert partly.code == 0
    assert [state.decision_id for state in load(base).decisions] == ["ADR-001"]


def test_a_symbolic_link_in_the_folder_is_a_problem_and_is_not_followed(base, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text(strict(9))
    put(base, {"ADR-001-a.md": strict(1)})
    (base.path / "docs/adr/ADR-009-x.md").symlink_to(secret)
    ran = base.mneme("adr", "import", "docs/adr")
    assert ran.code == 2
    assert "docs/adr/ADR-009-x.md: is a symbolic link" in ran.out


def test_bytes_that_a_filter_changes_are_read_as_git_stores_them(base):
    base.write(".gitattributes", "*.md text eol=crlf\n")
    put(base, {"ADR-001-a.md": strict(1).replace("\n", "\r\n")})
    assert base.mneme("adr", "import", "docs/adr", "--apply").code == 0
    [state] = load(base).decisions
    [row] = state.versions[0].evidence
    assert row.blob == base.git("hash-object", "docs/adr/ADR-001-a.md")
    assert base.read("docs/adr/ADR-001-a.md") == strict(1).replace("\n", "\r\n").encode()
    base.write(".gitattributes", "*.md -text\n")
    assert "Unchanged: 1" in base.mneme("adr", "import", "docs/adr").out


def test_a_renamed_and_a_removed_adr_are_noticed(base):
    put(base, {"ADR-001-a.md": strict(1), "ADR-002-b.md": strict(2)})
    base.mneme("adr", "import", "docs/adr", "--apply")
    base.commit_all("import")
    base.git("mv", "docs/adr/ADR-001-a.md", "docs/adr/ADR-001-new-name.md")
    base.git("rm", "-q", "docs/adr/ADR-002-b.md")
    ran = base.mneme("adr", "import", "docs/adr", "--apply")
    assert ran.code == 0, ran.err
    assert "renamed: docs/adr/ADR-001-a.md -> docs/adr/ADR-001-new-name.md" in ran.out
    assert "ADR-002 (active): docs/adr/ADR-002-b.md" in ran.out
    first, second = load(base).decisions
    assert first.versions[0].evidence[0].source_locator == "docs/adr/ADR-001-new-name.md"
    assert second.lifecycle_status.value == "active"


def test_a_second_folder_gets_its_path_in_front_of_equal_numbers(base):
    put(base, {"0001-a.md": nygard("A")})
    put(base, {"0001-b.md": nygard("B")}, at="backend/adr")
    for folder in ("docs/adr", "backend/adr"):
        assert base.mneme("adr", "import", folder, "--apply").code == 0
    assert [state.decision_id for state in load(base).decisions] == ["0001", "backend/adr/0001"]


def test_the_folder_is_found_from_where_the_command_runs(base, monkeypatch):
    put(base, {"ADR-001-a.md": strict(1)})
    from tests.support.gitrepo import GitRepo

    ran = GitRepo(base.path / "docs").mneme("adr", "import", "adr", "--json")
    assert json.loads(ran.out)["folder"] == "docs/adr"
    assert (
        json.loads(GitRepo(base.path / "docs/adr").mneme("adr", "import", ".", "--json").out)["folder"]
        == "docs/adr"
    )


def test_the_root_of_a_repository_can_be_a_folder_of_adrs(base):
    base.write("0001-a.md", nygard("A"))
    assert base.mneme("adr", "import", ".", "--apply").code == 0
    (base.path / "0001-a.md").unlink()
    assert "0001 (active): 0001-a.md" in base.mneme("adr", "import", ".").out


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("nowhere", "nowhere is not a directory"),
        ("README.md", "README.md is not a directory"),
        ("..", "is not inside the repository"),
    ],
)
def test_what_is_no_folder_of_the_repository_is_refused(base, folder, said):
    ran = base.mneme("adr", "import", folder)
    assert (ran.code, said in ran.err) == (2, True)


def test_flags_that_contradict_each_other_are_a_usage_error(base):
    put(base, {"ADR-001-a.md": strict(1)})
    assert base.mneme("adr", "import", "docs/adr", "--dry-run", "--apply").code == 2
    assert base.mneme("adr", "import", "docs/adr", "--plan", "x").code == 2


def test_before_init_a_preview_works_and_apply_says_what_to_do(repo):
    put(repo, {"ADR-001-a.md": strict(1)})
    assert repo.mneme("adr", "import", "docs/adr").code == 1
    ran = repo.mneme("adr", "import", "docs/adr", "--apply")
    assert (ran.code, "mneme init" in ran.err) == (2, True)


def test_the_preview_for_programs_is_one_object(base):
    put(base, {"ADR-001-a.md": strict(1)})
    ran = base.mneme("adr", "import", "docs/adr", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["code"], told["adrs"][0]["id"], ran.err) == (1, "DIAGNOSTICS", "ADR-001", "")
    done = json.loads(base.mneme("adr", "import", "docs/adr", "--apply", "--json").out)
    assert (done["code"], done["applied"], done["staged"]) == ("APPLIED", True, True)
    assert ".mneme/decisions/adr-001.json" in done["paths"]


def test_the_journal_keeps_the_bytes_that_were_read(base):
    put(base, {"ADR-001-a.md": strict(1)})
    base.mneme("adr", "import", "docs/adr", "--apply")
    blob = base.git("hash-object", "docs/adr/ADR-001-a.md")
    assert blob in base.git("ls-tree", "-r", "refs/mneme/journal")


def test_into_a_memory_file_go_the_adrs_of_its_format_and_no_others(base):
    put(base, {"ADR-001-a.md": strict(1, body="x" + rules("a")), "0002-b.md": nygard("B")})
    base.write(
        "m.json",
        json.dumps(
            {
                "meta": {"name": "a", "description": "b"},
                "decisions": [],
                "decision_index": {
                    "schema": "mneme.decision-index/v1",
                    "decisions": [],
                    "versions": [],
                    "rules": [],
                },
            }
        ),
    )
    before = base.read("m.json")
    seen = base.mneme("adr", "import", "docs/adr", "--memory", "m.json")
    assert (seen.code, "0002" in seen.out, base.read("m.json")) == (0, False, before)
    assert base.mneme("adr", "import", "docs/adr", "--memory", "m.json", "--apply").code == 0
    written = json.loads(base.read("m.json"))["decision_index"]["decisions"]
    assert [row["decision_id"] for row in written] == ["ADR-001"]
    assert (
        base.mneme("adr", "import", "docs/adr", "--memory", "none.json").err
        == "ERROR: memory file none.json does not exist\n"
    )
