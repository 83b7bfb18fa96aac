"""ADR files against their evidence, where not all of them are in the work tree."""

import os
from errno import EACCES
from pathlib import Path

import pytest

from mneme_git.app.freshness import of_git
from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore

ADR = "# 1. No curl\n\n## Status\n\nAccepted\n\n## Constraints\n\n- FORBID_LITERAL: curl\n"


def told(repo):
    backend = open_backend(repo.path)
    store = GitStore(backend, now=lambda: 0)
    return [found.code for found in of_git(store, store.load(), None)]


def test_an_adr_that_a_sparse_checkout_leaves_out_is_not_missing(repo):
    repo.mneme_process("init", "--yes")
    repo.write("docs/adr/0001-no-curl.md", ADR)
    repo.mneme_process("adr", "import", "docs/adr", "--apply")
    repo.commit_all()
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs/")
    assert not (repo.path / "docs/adr/0001-no-curl.md").exists()
    assert told(repo) == []
    repo.git("sparse-checkout", "disable")
    (repo.path / "docs/adr/0001-no-curl.md").unlink()
    assert told(repo) == ["ADR_MISSING"]


PATH = "docs/adr/0001-no-curl.md"


@pytest.fixture
def imported(repo):
    repo.mneme("init", "--yes")
    repo.write(PATH, ADR)
    repo.write("docs/adr/0002-other.md", ADR.replace("1. No", "2. No"))
    repo.mneme("adr", "import", "docs/adr", "--apply")
    repo.commit_all()
    return repo


def unreadable(repo, monkeypatch):
    def refuse(path, *args, **more):
        if path.name == "0001-no-curl.md":
            raise PermissionError(EACCES, "Permission denied")
        return read(path, *args, **more)

    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", refuse)


def a_loop(repo, _):
    (repo.path / PATH).unlink()
    (repo.path / PATH).symlink_to("0001-no-curl.md")


def no_permission(repo, _):
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    (repo.path / PATH).chmod(0)


def a_folder(repo, _):
    (repo.path / PATH).unlink()
    (repo.path / PATH).mkdir()


def a_dangling_link(repo, _):
    (repo.path / PATH).unlink()
    (repo.path / PATH).symlink_to("nowhere.md")


def a_pipe(repo, _):
    (repo.path / PATH).unlink()
    os.mkfifo(repo.path / PATH)


def a_file_for_the_folder(repo, _):
    for name in (PATH, "docs/adr/0002-other.md"):
        (repo.path / name).unlink()
    (repo.path / "docs/adr").rmdir()
    repo.write("docs/adr", "a file")


@pytest.mark.parametrize("spoil", [unreadable, a_loop, no_permission])
def test_an_adr_that_cannot_be_read_is_told_and_keeps_nobody_from_checking(imported, monkeypatch, spoil):
    spoil(imported, monkeypatch)
    assert told(imported) == ["ADR_UNREADABLE"]
    checked = imported.mneme("check", "README.md")
    assert (checked.code, "ADR_UNREADABLE   [0001]" in checked.out) == (0, True)
    for command in ("status", "verify"):
        ran = imported.mneme(command)
        assert ran.code in {0, 1}, ran.err
        assert f"WARN  ADR_UNREADABLE {PATH}: the file that 0001 was read from cannot be read" in ran.out


@pytest.mark.parametrize("spoil", [a_folder, a_dangling_link, a_pipe])
def test_what_is_no_file_in_the_place_of_an_adr_is_a_missing_adr(imported, monkeypatch, spoil):
    spoil(imported, monkeypatch)
    assert told(imported) == ["ADR_MISSING"]
    assert imported.mneme("check", "README.md").code == 0


def test_a_file_in_the_place_of_the_folder_makes_all_its_adrs_missing(imported, monkeypatch):
    a_file_for_the_folder(imported, monkeypatch)
    assert told(imported) == ["ADR_MISSING", "ADR_MISSING"]


def test_a_link_to_itself_beside_the_adrs_hides_none_of_them(imported):
    (imported.path / "docs/adr/0000-loop.md").symlink_to("0000-loop.md")
    imported.write("docs/adr/0003-new.md", ADR.replace("1. No", "3. No"))
    assert told(imported) == ["ADR_UNIMPORTED"]


def test_a_new_adr_that_cannot_be_read_is_told_with_the_reason(imported, monkeypatch):
    imported.write("docs/adr/0003-new.md", ADR)
    read = Path.read_bytes

    def refuse(path, *args, **more):
        if path.name == "0003-new.md":
            raise PermissionError(EACCES, "Permission denied")
        return read(path, *args, **more)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert told(imported) == ["ADR_UNPARSEABLE"]
    assert "cannot be read: Permission denied" in imported.mneme("check", "README.md").out


def faults(repo):
    import json

    return [
        (fault["code"], fault["path"], fault["message"], fault["hint"])
        for fault in json.loads(repo.mneme("status", "--json").out)["faults"]
    ]


def test_an_adr_that_was_renamed_is_found_by_its_text(imported):
    imported.git("mv", PATH, "docs/adr/0001-without-curl.md")
    ((code, path, message, hint),) = faults(imported)
    assert (code, path) == ("ADR_MISSING", PATH)
    assert message.endswith("is not there; 'docs/adr/0001-without-curl.md' holds the same text")
    assert hint == "run `mneme adr import docs/adr` to record where it is now"


def test_an_adr_that_was_renamed_and_changed_is_found_by_its_name(imported):
    imported.git("mv", "docs/adr", "docs/my decisions")
    imported.write("docs/my decisions/0001-no-curl.md", ADR + "More.\n")
    imported.git("add", "docs")
    first, second = faults(imported)
    assert first[2].endswith("'docs/my decisions/0001-no-curl.md' has the same name")
    assert first[3].startswith("run `mneme adr import 'docs/my decisions' --update-existing`")
    assert second[2].endswith("'docs/my decisions/0002-other.md' holds the same text")


def test_the_hint_of_an_adr_that_is_nowhere_names_no_folder_that_is_gone(imported):
    imported.git("rm", "-qr", "docs/adr")
    hints = {hint for *_, hint in faults(imported)}
    assert hints == {"restore it with git, or retire the decision with `mneme decision deprecate ID`"}


def test_that_the_adr_of_a_decision_out_of_force_is_gone_is_no_news(imported):
    imported.git("rm", "-q", PATH)
    assert imported.mneme("decision", "deprecate", "0001").code == 0
    assert faults(imported) == []


def test_many_missing_adrs_of_one_folder_are_one_line_and_json_has_all(repo):
    repo.mneme("init", "--yes")
    for number in range(1, 31):
        repo.write(f"docs/adr/{number:04}-a.md", ADR.replace("1. No", f"{number}. No"))
    repo.mneme("adr", "import", "docs/adr", "--apply")
    repo.commit_all()
    repo.git("mv", "docs/adr", "docs/decisions")
    line = "docs/adr: 30 files that decisions were read from are not there: 0001, 0002, 0003 and 27 more"
    for command in ("status", "verify"):
        text = repo.mneme(command).out
        assert f"WARN  ADR_MISSING {line}\n" in text
        assert text.count("ADR_MISSING") == 1
        assert "run `mneme adr import docs/decisions` to record where it is now" in text
    assert len(faults(repo)) == 30
    checked = repo.mneme("check", "README.md").out
    assert checked.count("ADR_MISSING") == 1
    assert "ADR_MISSING      [30 ADRs] 30 files" in checked
    assert "      source: docs/adr\n" in checked
    assert repo.mneme("check", "README.md", "--json").out.count('"ADR_MISSING"') == 30
