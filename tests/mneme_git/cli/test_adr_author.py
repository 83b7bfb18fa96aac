from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.inside import run

NYGARD = "# {}. {}\n\nDate: 2018-06-26\n\n## Status\n\nAccepted\n\n## Context\n\n{}\n"


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    return repo


def nygard(repo, number, title, text="x"):
    repo.write(f"doc/adr/{number:04}-{title.lower()}.md", NYGARD.format(number, title, text))


def names(repo, folder="doc/adr"):
    return sorted(path.name for path in (repo.path / folder).iterdir())


def test_the_first_adr_of_a_repository_stands_in_docs_adr(project):
    done = run("adr", "new", "Use SQLite")
    assert (done.code, done.out) == (0, "Created docs/adr/ADR-0001-use-sqlite.md\n")
    assert b'title: "Use SQLite"\nstatus: proposed\n' in project.read("docs/adr/ADR-0001-use-sqlite.md")


def test_a_folder_is_found_by_its_files_and_followed(project):
    nygard(project, 1, "One")
    project.commit_all()
    assert run("adr", "new", "Two").out == "Created doc/adr/0002-two.md\n"
    assert project.read("doc/adr/0002-two.md").startswith(b"# 2. Two\n\nDate: ")


def test_the_next_command_is_written_for_the_folder_that_it_is_typed_in(project, monkeypatch):
    nygard(project, 1, "One")
    (project.path / "src/a b").mkdir(parents=True)
    project.commit_all()
    assert "`mneme adr import doc/adr --apply`" in run("adr", "new", "Two").err
    monkeypatch.chdir(project.path / "src")
    said = run("adr", "new", "Three")
    assert (said.out, "`mneme adr import ../doc/adr --apply`" in said.err) == (
        "Created doc/adr/0003-three.md\n",
        True,
    )
    assert "import 'a b/adr'" in run("adr", "new", "Four", "--folder", "a b/adr").err


def test_several_folders_must_be_told_apart(project):
    nygard(project, 1, "One")
    project.write("api/adr/0001-a.md", NYGARD.format(1, "A", "x"))
    project.commit_all()
    said = run("adr", "new", "Two")
    assert (said.code, "api/adr, doc/adr" in said.err) == (2, True)
    assert run("adr", "new", "Two", "--folder", "api/adr").out == "Created api/adr/0002-two.md\n"


def test_a_number_in_use_anywhere_in_the_clone_is_not_given_again(project):
    nygard(project, 1, "One")
    base = project.commit_all()
    project.git("switch", "-qc", "other")
    nygard(project, 2, "Branch")
    project.commit_all()
    project.git("update-ref", "refs/remotes/origin/theirs", "HEAD")
    project.git("switch", "-q", "main")
    nygard(project, 3, "Staged")
    project.git("add", "doc/adr/0003-staged.md")
    project.git("rm", "-q", "--cached", "doc/adr/0001-one.md")
    (project.path / "doc/adr/0003-staged.md").unlink()
    nygard(project, 4, "Untracked")
    assert project.git("rev-parse", "HEAD") == base
    assert run("adr", "new", "Five", "--json").json["number"] == "0005"
    project.git("branch", "-D", "other")
    (project.path / "doc/adr/0004-untracked.md").unlink()
    (project.path / "doc/adr/0005-five.md").unlink()
    project.git("reset", "-q", "--hard")
    assert run("adr", "new", "Three").out == "Created doc/adr/0003-three.md\n"  # origin/theirs has 0002


@pytest.mark.parametrize("title", ['Use TCP/IP & "quotes"', "../../x", "-dash", "x" * 200, "😀", "con"])
def test_an_odd_title_stays_inside_the_folder_and_is_kept_word_for_word(project, title):
    nygard(project, 1, "One")
    project.commit_all()
    done = run("adr", "new", "--json", "--", title)
    assert done.code == 0, done.err
    path = project.path / done.json["path"]
    assert path.parent == project.path / "doc/adr"
    assert path.read_text(encoding="utf-8").startswith(f"# 2. {title}\n")
    assert names(project) == ["0001-one.md", path.name]


def test_a_title_that_is_there_in_another_unicode_form_is_refused(project):
    assert run("adr", "new", "D\u00e9tail").code == 0
    said = run("adr", "new", "De\u0301tail")
    assert (said.code, "is there: docs/adr/" in said.err) == (2, True)
    assert len(names(project, "docs/adr")) == 1


def test_a_dry_run_shows_the_file_and_writes_nothing(project):
    said = run("adr", "new", "Use SQLite", "--dry-run")
    assert said.out.startswith("Would create docs/adr/ADR-0001-use-sqlite.md\n\n---\nid: ADR-0001\n")
    assert not (project.path / "docs").exists()
    assert run("adr", "new", "Use SQLite", "--dry-run", "--json").json["code"] == "DRY_RUN"


def test_a_file_that_cannot_be_read_is_named_and_its_number_counts(project):
    nygard(project, 1, "One")
    project.write("doc/adr/0007-broken.md", b"\xff\xfe")
    project.commit_all()
    said = run("adr", "new", "Two")
    assert said.out == "Created doc/adr/0008-two.md\n"
    assert "0007-broken.md" in said.err


@pytest.mark.parametrize("folder", ["..", "/tmp", ".git/adr", ".mneme", "README.md"])
def test_a_folder_outside_the_work_tree_is_refused(project, folder):
    before = project.git("status", "--porcelain")
    assert run("adr", "new", "X", "--folder", folder).code == 2
    assert project.git("status", "--porcelain") == before


def test_many_at_once_get_numbers_of_their_own(project):
    nygard(project, 1, "One")
    project.commit_all()
    code = "import sys\nsys.path.insert(0, sys.argv[1])\nfrom tests.support.inside import run\nprint(run('adr', 'new', sys.argv[2]))"
    root = str(__file__).rsplit("/tests/", 1)[0]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, root, f"T{at}"], cwd=project.path, stdout=subprocess.PIPE
        )
        for at in range(4)
    ]
    for process in running:
        process.communicate(timeout=60)
    numbers = [name[:4] for name in names(project)]
    assert numbers == ["0001", "0002", "0003", "0004", "0005"]


def test_superseding_shows_and_writes_the_lines_it_means(project):
    nygard(project, 1, "One")
    nygard(project, 2, "Two")
    project.commit_all()
    preview = run("adr", "supersede", "1", "--by", "0002", "--dry-run")
    assert preview.out.endswith("Nothing was written.\n")
    assert project.git("status", "--porcelain") == ""
    done = run("adr", "supersede", "1", "--by", "doc/adr/0002-two.md")
    assert done.code == 0
    assert "-Accepted\n+Superseded by [2. Two](0002-two.md)\n" in done.out
    assert project.git("diff", "--shortstat") == " 2 files changed, 3 insertions(+), 1 deletion(-)".strip()
    again = run("adr", "supersede", "1", "--by", "2")
    assert again.out == "Nothing to change: the files say so already.\n"
    assert run("adr", "supersede", "1", "--by", "2", "--json").json["code"] == "NOTHING_TO_DO"


def test_a_successor_that_is_only_proposed_is_told(project):
    nygard(project, 1, "One")
    project.commit_all()
    run("adr", "new", "Two")
    said = run("adr", "supersede", "1", "--by", "2")
    assert "0002-two.md is 'Proposed': until it is accepted neither is in force" in said.err


def test_an_adr_can_supersede_a_decision_that_has_no_file(project):
    run("init", "--yes")
    run("add_decision", "--id", "use-redis", "--decision", "Use Redis")
    run("adr", "new", "Use SQLite", "--status", "accepted")
    done = run("adr", "supersede", "use-redis", "--by", "ADR-0001")
    assert done.code == 0, done.err
    assert b"supersedes: [use-redis]\n" in project.read("docs/adr/ADR-0001-use-sqlite.md")
    assert run("adr", "import", "docs/adr", "--apply").code in {0, 1}
    assert "status: superseded" in run("decision", "show", "use-redis").out


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [("7", "1", "no ADR"), ("1", "7", "no ADR"), ("1", "1", "itself"), ("2", "1", "several")],
)
def test_names_that_do_not_fit_are_refused(project, old, new, word):
    nygard(project, 1, "One")
    nygard(project, 2, "Two")
    nygard(project, 2, "Twin")
    project.commit_all()
    said = run("adr", "supersede", old, "--by", new)
    assert (said.code, word in said.err) == (2, True), said.err
    assert project.git("status", "--porcelain") == ""


def test_a_collision_of_two_branches_is_settled_by_a_new_number(project):
    nygard(project, 1, "One")
    project.commit_all()
    project.git("switch", "-qc", "theirs")
    nygard(project, 2, "Theirs")
    project.commit_all()
    project.git("switch", "-q", "main")
    nygard(project, 2, "Ours")
    project.write("doc/adr/README.md", "* [2. Theirs](0002-theirs.md)\n* [2. Ours](0002-ours.md)\n")
    project.commit_all()
    project.git("merge", "-q", "--no-edit", "theirs")
    ambiguous = run("adr", "renumber", "2")
    assert (ambiguous.code, "fits several" in ambiguous.err) == (2, True)
    done = run("adr", "renumber", "doc/adr/0002-ours.md")
    assert done.code == 0, done.err
    assert "rename doc/adr/0002-ours.md -> doc/adr/0003-ours.md" in done.out
    assert names(project) == ["0001-one.md", "0002-theirs.md", "0003-ours.md", "README.md"]
    assert project.read("doc/adr/0003-ours.md").startswith(b"# 3. Ours\n")
    assert project.read("doc/adr/README.md") == b"* [2. Theirs](0002-theirs.md)\n* [3. Ours](0003-ours.md)\n"
    taken = run("adr", "renumber", "3", "--to", "1")
    assert (taken.code, "not free" in taken.err) == (2, True)


def test_what_a_renumbering_leaves_to_people_is_told(project):
    run("init", "--yes")
    nygard(project, 1, "One")
    nygard(project, 2, "Two", "See ADR-1.")
    project.commit_all()
    assert run("adr", "import", "doc/adr", "--apply").code in {0, 1}
    said = run("adr", "renumber", "1", "--dry-run")
    assert "look at doc/adr/0002-two.md:11: See ADR-1." in said.err
    assert "decision 0001 is recorded from doc/adr/0001-one.md" in said.err
    assert names(project) == ["0001-one.md", "0002-two.md"]


def test_colliding_numbers_are_found_in_every_folder(project):
    from mneme_git.app.adr_author import number_collisions
    from mneme_git.app.open import here, open_git

    nygard(project, 2, "A")
    nygard(project, 2, "B")
    project.commit_all()
    (found,) = number_collisions(open_git(here()))
    assert (found.number, found.paths) == ("0002", ("doc/adr/0002-a.md", "doc/adr/0002-b.md"))


def test_without_a_repository_one_line_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = run("adr", "new", "X")
    assert (said.code, said.out) == (2, "")
    assert "git init" in said.err
