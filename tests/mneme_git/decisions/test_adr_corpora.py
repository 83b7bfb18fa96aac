"""Real ADR folders, where they are at hand: every file is imported, skipped by name, or reported."""

from pathlib import Path

import pytest

from mneme_git.decisions.adr_read import read_folder
from mneme_git.decisions.import_plan import plan_import
from mneme_git.model.snapshot import Snapshot
from tests.support.adrs import ALLOWED, carried_out, lifecycles, source

CORPORA = Path(__file__).parents[4] / "shared" / "corpora" / "adr"
DIALECTS = sorted(folder.name for folder in CORPORA.iterdir()) if CORPORA.is_dir() else []

pytestmark = pytest.mark.skipif(not DIALECTS, reason="the corpora are not beside the project")


def read(dialect):
    files = sorted((CORPORA / dialect).iterdir())
    return files, read_folder([source(file.name, file.read_bytes()) for file in files], "docs/adr")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_file_is_an_adr_or_skipped_or_a_problem(dialect):
    files, folder = read(dialect)
    named = [adr.path for adr in folder.adrs] + [each.path for each in (*folder.problems, *folder.skipped)]
    assert sorted(set(named)) == sorted(f"docs/adr/{file.name}" for file in files)
    assert folder.adrs


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_adr_has_a_title_a_body_and_bytes_that_are_those_of_the_file(dialect):
    files, folder = read(dialect)
    bytes_of = {f"docs/adr/{file.name}": file.read_bytes() for file in files}
    for adr in folder.adrs:
        assert adr.title
        assert adr.body
        assert adr.data == bytes_of[adr.path]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_importing_a_corpus_twice_does_nothing_the_second_time(dialect):
    _, folder = read(dialect)
    first = plan_import(folder, Snapshot(), ALLOWED)
    assert first.refusals == ()
    after = carried_out(first, Snapshot())
    assert len(after.decisions) == len(folder.adrs)
    assert plan_import(folder, after, ALLOWED).plan.operations == ()


def expected(dialect):
    if dialect not in DIALECTS:
        pytest.skip("that corpus is not there")
    _, folder = read(dialect)
    return lifecycles(carried_out(plan_import(folder, Snapshot(), ALLOWED), Snapshot()))


def test_the_statuses_of_the_front_matter_corpus():
    found = expected("front-matter")
    retired = [f"ADR-{n:03}" for n in (3, 6, 7, 8, 11, 12, 15)]
    assert [key for key, value in found.items() if value == "superseded"] == retired
    assert sum(value == "active" for value in found.values()) == len(found) - len(retired)


def test_the_statuses_of_the_log4brains_corpus():
    found = expected("log4brains")
    assert [key for key, value in found.items() if value != "active"] == [
        "20200926-use-the-adr-number-as-its-unique-id"
    ]
    assert found["20200926-use-the-adr-number-as-its-unique-id"] == "superseded"


def test_the_statuses_of_the_corpora_with_numbers():
    assert {key: value for key, value in expected("madr").items() if value != "active"} == {
        "0003": "inactive"
    }
    assert {key: value for key, value in expected("nygard-toml").items() if value != "active"} == {
        "0009": "inactive"
    }
    assert set(expected("adr-tools").values()) == {"active"}
