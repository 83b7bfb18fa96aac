"""Clean bytes: exactly what ``git add`` would store, and nothing stored to find out."""

import subprocess
import sys

import pytest

from mneme_git.errors import GitFailed, InvalidInput, NotFound, Refused
from mneme_git.store import process

ROT = f'{sys.executable} -c "import sys; sys.stdout.write(sys.stdin.read().swapcase())"'

CASES = {
    "plain": ([], "", b"one\r\ntwo\n\xff\0"),
    "empty": ([], "", b""),
    "autocrlf true": (["core.autocrlf=true"], "", b"one\r\ntwo\r\n"),
    "autocrlf true, mixed ends": (["core.autocrlf=true"], "", b"one\r\ntwo\nthree\r"),
    "autocrlf input": (["core.autocrlf=input"], "", b"one\r\ntwo\r\n"),
    "autocrlf, binary": (["core.autocrlf=true"], "", b"one\r\ntwo\0\r\n"),
    "text eol=crlf": ([], "*.md text eol=crlf\n", b"one\r\ntwo\r\n"),
    "text=auto": ([], "* text=auto\n", b"one\r\n"),
    "-text under autocrlf": (["core.autocrlf=true"], "*.md -text\n", b"one\r\n"),
    "ident": ([], "*.md ident\n", b"$Id: 0123456789012345678901234567890123456789 $\n"),
    "no ident": ([], "", b"$Id: 0123456789012345678901234567890123456789 $\n"),
    "external filter": ([f"filter.swap.clean={ROT}"], "*.md filter=swap\n", b"Hello\n"),
    "required filter that works": (
        [f"filter.swap.clean={ROT}", "filter.swap.required=true"],
        "*.md filter=swap\n",
        b"Hello\n",
    ),
    "filter without a program": ([], "*.md filter=none\n", b"Hello\n"),
    "working-tree-encoding": ([], "*.md text working-tree-encoding=UTF-16LE\n", "é\n".encode("utf-16-le")),
    "encoding and line ends": (
        ["core.autocrlf=true"],
        "*.md text working-tree-encoding=UTF-16\n",
        "é\r\nx\r\n".encode("utf-16"),
    ),
    "safecrlf": (["core.autocrlf=input", "core.safecrlf=true"], "", b"one\r\n"),
}


def stored_by_git(repo, name):
    """Add in a copy of the repository, so that nothing has been added here yet."""
    copy = repo.path.parent / "copy"
    subprocess.run(["cp", "-a", str(repo.path), str(copy)], check=True)
    add = ["git", "-c", "core.safecrlf=false", "add", "-f", "--", name]
    subprocess.run(add, cwd=copy, check=True, capture_output=True)
    return subprocess.run(["git", "show", f":{name}"], cwd=copy, check=True, capture_output=True).stdout


@pytest.mark.parametrize("case", CASES)
def test_clean_bytes_are_what_git_add_would_store(repo, backend, case):
    settings, attributes, data = CASES[case]
    for setting in settings:
        repo.git("config", *setting.split("=", 1))
    repo.write(".gitattributes", attributes)
    repo.write("docs/a b é.md", data)
    before = repo.git("count-objects", "-v")
    assert backend.clean_bytes("docs/a b é.md") == stored_by_git(repo, "docs/a b é.md")
    assert repo.git("count-objects", "-v") == before
    assert repo.git("ls-files", "docs") == ""


def test_the_cases_are_not_all_plain(repo, backend):
    repo.git("config", "filter.swap.clean", ROT)
    repo.write(".gitattributes", "*.md filter=swap\n*.txt eol=crlf\n")
    repo.write("a.md", "Hello\n")
    repo.write("a.txt", "x\r\n")
    assert backend.clean_files(["a.md", "a.txt"]) == {"a.md": b"hELLO\n", "a.txt": b"x\n"}


def test_crlf_that_was_committed_stays_as_the_index_has_it(repo, backend):
    repo.write("f", "one\r\n")
    repo.commit_all()
    repo.git("config", "core.autocrlf", "true")
    repo.write("f", "one\r\ntwo\r\n")
    assert backend.clean_bytes("f") == stored_by_git(repo, "f") == b"one\r\ntwo\r\n"
    repo.write("new", "one\r\n")
    assert backend.clean_bytes("new") == b"one\n"


def test_ignored_conflicted_and_removed_paths_have_clean_bytes_too(repo, backend):
    repo.git("config", "core.autocrlf", "true")
    repo.write(".gitignore", "secret\n")
    repo.write("secret", "x\r\n")
    repo.write("f", "base\n")
    repo.commit_all()
    repo.git("checkout", "-q", "-b", "side")
    repo.write("f", "side\n")
    repo.commit_all()
    repo.git("checkout", "-q", "main")
    repo.write("f", "main\n")
    repo.commit_all()
    assert repo.try_git("merge", "side").code == 1
    repo.write("f", "mine\r\n")
    repo.git("rm", "-q", "--cached", "README.md")
    repo.write("README.md", "again\r\n")
    assert backend.clean_files(["secret", "f", "README.md"]) == {
        "secret": b"x\n",
        "f": b"mine\n",
        "README.md": b"again\n",
    }


def test_names_with_blanks_lines_and_signs_are_names(repo, backend):
    repo.git("config", "core.autocrlf", "true")
    names = ["with space", "é", "line\nbreak", ":(top)x", "*", '"q"', "-q", "tab\tx"]
    for name in names:
        repo.write(name, f"{name}\r\n")
    expected = {name: f"{name}\n".encode() for name in names}
    assert backend.clean_files(names) == expected
    assert backend.clean_files([]) == {}


def test_a_link_counts_as_the_file_it_leads_to_inside_the_repository(repo, backend, tmp_path):
    repo.git("config", "core.autocrlf", "true")
    repo.write("docs/real.md", "x\r\n")
    (repo.path / "link.md").symlink_to("docs/real.md")
    (repo.path / "folder").symlink_to("docs")
    assert backend.clean_bytes("link.md") == b"x\n"
    assert backend.clean_bytes("folder/real.md") == b"x\n"
    (tmp_path / "outside.md").write_text("secret")
    (repo.path / "out.md").symlink_to(tmp_path / "outside.md")
    (repo.path / "up").symlink_to(tmp_path)
    for path in ("out.md", "up/outside.md", "../outside.md", str(tmp_path / "outside.md")):
        with pytest.raises(Refused) as raised:
            backend.clean_bytes(path)
        assert "out of the repository" in raised.value.message


def test_git_s_own_folder_is_no_place_for_evidence(repo, backend):
    (repo.path / "sly").symlink_to(".git/config")
    for path in (".git/config", "sly"):
        with pytest.raises(Refused):
            backend.clean_bytes(path)


def test_what_is_no_readable_file_is_an_error_of_ours(repo, backend):
    (repo.path / "loop").symlink_to("loop")
    repo.write("folder/f", "x")
    with pytest.raises(NotFound):
        backend.clean_bytes("nowhere")
    for path in ("folder", "loop"):
        with pytest.raises((InvalidInput, NotFound)):
            backend.clean_bytes(path)


def test_a_filter_that_must_work_and_does_not_is_an_error_with_git_s_words(repo, backend):
    repo.git("config", "filter.bad.clean", "false")
    repo.git("config", "filter.bad.required", "true")
    repo.write(".gitattributes", "*.md filter=bad\n")
    repo.write("a.md", "x\n")
    with pytest.raises(GitFailed) as raised:
        backend.clean_bytes("a.md")
    assert "external filter 'false' failed" in raised.value.message


def test_a_filter_sees_the_user_s_locale(repo, backend, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    show = f"{sys.executable} -c \"import os; print(os.environ['LC_ALL'])\""
    repo.git("config", "filter.show.clean", show)
    repo.write(".gitattributes", "*.md filter=show\n")
    repo.write("a.md", "x\n")
    assert backend.clean_bytes("a.md") == b"C.UTF-8\n"


def test_the_many_files_of_an_import_cost_a_few_processes(repo, backend, monkeypatch):
    repo.git("config", "core.autocrlf", "true")
    names = [f"adr/{number}.md" for number in range(300)]
    for name in names:
        repo.write(name, f"{name}\r\n")
    started = []
    genuine = process.subprocess.run
    monkeypatch.setattr(
        process.subprocess, "run", lambda *args, **rest: started.append(args) or genuine(*args, **rest)
    )
    found = backend.clean_files(names)
    assert found["adr/299.md"] == b"adr/299.md\n"
    assert len(started) <= 4
