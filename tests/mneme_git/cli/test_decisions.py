"""Recording a decision by hand: what is refused, and what is told of what no check will enforce."""

from __future__ import annotations

import pytest

from tests.support.inside import run

GOOD = {"--id": "d", "--decision": "D"}


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    assert run("init", "--yes").code == 0
    repo.commit_all()
    return repo


def add(*more, **changed):
    given = GOOD | {f"--{name}": value for name, value in changed.items()}
    return run("add_decision", *(part for pair in given.items() for part in pair), *more)


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize("option", ["--id", "--decision", "--anti-pattern", "--constraint", "--scope"])
def test_a_blank_text_is_refused_and_nothing_is_written(project, option, blank):
    said = add(option, blank)
    assert (said.code, said.out) == (2, "")
    assert "nothing was written" in said.err.lower()
    assert project.git("status", "--porcelain") == ""


def test_one_blank_text_among_good_ones_is_refused(project):
    assert add("--anti-pattern", "redis", "--anti-pattern", "").code == 2


def test_a_memory_file_takes_blank_texts_as_its_format_says(project):
    assert run("init", "--path", "m.json").code == 0
    said = add("--memory", "m.json", "--constraint", "prefer Y", decision="")
    assert (said.code, said.err) == (0, "")


@pytest.mark.parametrize(
    ("option", "text", "told"),
    [
        ("--constraint", "prefer Y", True),
        ("--constraint", "use JSON, no pickle", True),
        ("--constraint", "no", True),
        ("--constraint", "no pickle", False),
        ("--constraint", "No raw SQL strings", False),
        ("--anti-pattern", "...", True),
        ("--anti-pattern", "pickle", False),
        ("--anti-pattern", "raw SQL", False),
    ],
)
def test_what_no_check_will_look_for_is_told(project, option, text, told):
    said = add(option, text, decision="About strings")
    assert said.code == 0
    assert (f"'{text}'" in said.err) is told, said.err
    project.write("a.txt", f"{text} pickle raw SQL strings\n")
    enforced = run("check", "a.txt", "--query", "about strings").code != 0
    assert enforced is not told


def test_who_wants_quiet_is_not_told(project, monkeypatch):
    monkeypatch.setenv("MNEME_QUIET", "1")
    assert add("--constraint", "prefer Y").err == ""
