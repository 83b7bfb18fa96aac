"""Twenty processes write different decisions at once: each is kept or cleanly refused, none is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.gitrepo import GitRepo
from tests.support.index import Place, make_place

PROCESSES = 20
ADR = """---
id: ADR-{number:03}
title: Forbid word{number}
status: accepted
priority: normal
date: 2025-01-{day:02}
scope: area{number}
---

# ADR-{number:03}: Forbid word{number}

## Constraints

- FORBID_LITERAL: word{number}
"""


@dataclass(frozen=True)
class Writer:
    """One command, and the decision that it records."""

    decision_id: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    writer: Writer
    code: int
    out: str
    err: str


@pytest.fixture(params=["git", "file"])
def place(request, tmp_path):
    return make_place(GitRepo.create(tmp_path / "repo"), request.param)


def importer(place: Place, number: int) -> Writer:
    folder = f"docs/{number}"
    place.repo.write(f"{folder}/ADR-{number:03}-a.md", ADR.format(number=number, day=number % 28 + 1))
    return Writer(f"ADR-{number:03}", ("adr", "import", folder, "--apply"))


def accepter(place: Place, number: int) -> Writer:
    proposal = place.propose(title=f"Proposal {number}", statement=f"Use cache {number}")
    name = f"accepted-{number}"
    return Writer(name, ("decision", "accept", proposal, "--decision-id", name))


def adder(place: Place, number: int) -> Writer:
    name = f"added-{number}"
    return Writer(name, ("add_decision", "--id", name, "--decision", f"Use {number}", "--anti-pattern", name))


def at_once(place: Place, writers: list[Writer]) -> list[Ended]:
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mneme_git", *writer.arguments],
            cwd=place.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for writer in writers
    ]
    said = [process.communicate() for process in running]
    return [
        Ended(writer, process.returncode, out, err)
        for writer, process, (out, err) in zip(writers, running, said, strict=True)
    ]


def listed(place: Place) -> set[str]:
    ran = place.repo.mneme("list_decisions", "--json")
    assert ran.code == 0, ran.err
    rows: list[dict[str, Any]] = json.loads(ran.out)["decisions"]
    return {row["id"] for row in rows}


def is_sound(place: Place) -> None:
    if place.kind == "git":
        ran = place.repo.mneme("verify")
        assert ran.code == 0, ran.out
        staged = place.repo.git("diff", "--cached", "--name-only", "--", ".mneme/decisions").splitlines()
        assert len(staged) == len(listed(place)) + 1, "each decision and .keep"
        assert place.repo.git("diff", "--name-only") == ""
    else:
        ran = place.repo.mneme("decision-index", "migrate")
        assert (ran.code, "already" in ran.out.lower()) == (0, True), ran.out


def nothing_is_lost(place: Place, ended: list[Ended]) -> list[Ended]:
    """Compare what each writer said with what is there; return those that were refused."""
    refused = [one for one in ended if one.code != 0]
    for one in refused:
        assert one.code in {1, 2}, one
        assert "ERROR: " in one.err, one
    assert listed(place) == {one.writer.decision_id for one in ended} - {
        one.writer.decision_id for one in refused
    }
    is_sound(place)
    return refused


def verdicts(place: Place) -> set[str]:
    told = place.repo.mneme("decision", "proposals").out.splitlines()
    return {line.split()[0] for line in told if line.startswith("[")}


def test_twenty_writers_of_different_decisions_are_all_kept(place):
    kinds = (importer, accepter, adder)
    writers = [kinds[number % 3](place, number) for number in range(PROCESSES)]
    assert nothing_is_lost(place, at_once(place, writers)) == [], "none stands in another's way"
    assert verdicts(place) == {"[accepted]"}


@pytest.mark.soak
@pytest.mark.parametrize("kind", [importer, accepter, adder])
def test_round_after_round_of_one_kind_is_kept(place, kind):
    ended: list[Ended] = []
    for first in range(0, 3 * PROCESSES, PROCESSES):
        ended += at_once(place, [kind(place, number) for number in range(first, first + PROCESSES)])
        assert nothing_is_lost(place, ended) == []


def test_of_writers_of_one_decision_one_is_kept_and_the_others_are_told(place):
    said = ("add_decision", "--id", "same", "--decision")
    ended = at_once(place, [Writer("same", (*said, f"Use {number}")) for number in range(3)])
    assert sorted(one.code for one in ended) == [0, 2, 2]
    told = [one.err for one in ended if one.code]
    assert all("already exists" in err for err in told), told
    assert listed(place) == {"same"}
    is_sound(place)
