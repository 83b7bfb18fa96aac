"""A pipe or a device in place of a file is refused at once, stays what it is, and gets no lock beside it."""

import os
import stat

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")

READING = (
    ("list_decisions", "--memory", "{odd}"),
    ("check", "README.md", "--memory", "{odd}"),
    ("audit", "--memory", "{odd}"),
    ("decision-index", "migrate", "--memory", "{odd}"),
    ("decision-index", "migrate", "--to-git", "--memory", "{odd}"),
)
WRITING = (
    ("decision-index", "export", "{odd}"),
    ("decision-index", "export", "{odd}", "--force"),
    ("init", "--path", "{odd}", "--force"),
    ("add_decision", "--id", "a", "--decision", "No queue", "--memory", "{odd}"),
    ("adr", "import", "docs/adr", "--apply", "--memory", "{odd}"),
)


@pytest.mark.parametrize("words", READING + WRITING, ids=" ".join)
def test_a_pipe_is_neither_waited_for_nor_replaced(store, tmp_path, words):
    odd = tmp_path / "odd.json"
    os.mkfifo(odd)
    ran = store.mneme(*(word.format(odd=odd) for word in words))
    assert ran.code == 2, ran.out + ran.err
    assert "not a regular file" in ran.err
    assert stat.S_ISFIFO(odd.stat().st_mode)
    assert [each.name for each in tmp_path.iterdir() if "odd" in each.name] == ["odd.json"]


@pytest.fixture
def store(repo):
    repo.mneme("init", "--yes")
    repo.mneme("add_decision", "--id", "one", "--decision", "No broker", "--anti-pattern", "kafka")
    repo.write("docs/adr/0001-x.md", "# 1. X\n\n## Status\n\nAccepted\n\n## Decision\n\nX.\n")
    repo.commit_all("a store")
    return repo


def test_a_pipe_where_the_memory_file_usually_is_hangs_nothing(repo):
    (repo.path / ".mneme").mkdir()
    os.mkfifo(repo.path / ".mneme/project_memory.json")
    for words in (("status",), ("verify",), ("list_decisions",), ("check", "README.md")):
        ran = repo.mneme(*words)
        assert ran.code in {0, 1, 2}
        assert "fault in mneme" not in ran.err
