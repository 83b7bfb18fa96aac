"""The judged code searches of bench/code_search.jsonl have the shape that their bench reads."""

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).parent.parent / "bench"
LANGUAGES = {
    "bash",
    "c",
    "cpp",
    "csharp",
    "go",
    "java",
    "javascript",
    "kotlin",
    "php",
    "python",
    "ruby",
    "rust",
    "scala",
    "swift",
    "typescript",
}
KINDS = {"mechanism": 8, "where": 4, "symbol": 4, "bug": 2, "tests and build": 2}


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (BENCH / "code_search.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("code_search", BENCH / "code_search.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_language_has_twenty_queries_of_each_kind_its_share():
    found = Counter((row["language"], row["kind"]) for row in rows())
    assert found == {(language, kind): count for language in LANGUAGES for kind, count in KINDS.items()}


def test_a_language_is_one_repository_at_one_commit():
    places = {(row["language"], row["repo"], row["commit"]) for row in rows()}
    assert len(places) == len(LANGUAGES)
    assert all(re.fullmatch(r"[^/+]+\+[^/+]+", repo) for _, repo, _ in places)
    assert all(re.fullmatch(r"[0-9a-f]{40}", commit) for _, _, commit in places)


def test_no_query_is_asked_twice():
    queries = [(row["repo"], row["query"]) for row in rows()]
    assert len(set(queries)) == len(queries)
    assert all(query == " ".join(query.split()) and query for _, query in queries)


def test_grades_are_one_to_three_and_something_answers_each_query():
    for row in rows():
        grades = row["relevant"].values()
        assert set(grades) <= {1, 2, 3}, row["query"]
        assert 3 in grades, row["query"]


def test_paths_are_relative_and_in_normal_form():
    for row in rows():
        for path in row["relevant"]:
            assert not path.startswith("/")
            assert ".." not in path.split("/")
            assert "\\" not in path
            assert str(PurePosixPath(path)) == path


def test_the_best_order_scores_one_and_no_hit_scores_nothing(bench: ModuleType):
    relevant = {"a": 3, "b": 2, "c": 1}
    assert bench.ndcg(["a", "b", "c", "x"], relevant) == 1
    assert bench.ndcg(["x", "y"], relevant) == 0


def test_a_later_place_and_a_lower_grade_score_less(bench: ModuleType):
    relevant = {"a": 3, "b": 1}
    assert bench.ndcg(["x", "a"], relevant) < bench.ndcg(["a", "x"], relevant)
    assert bench.ndcg(["b"], relevant) < bench.ndcg(["a"], relevant)


def test_what_comes_after_the_tenth_place_does_not_count(bench: ModuleType):
    assert bench.ndcg([*"0123456789", "a"], {"a": 3}) == 0
    assert bench.ndcg([*"012345678", "a"], {"a": 3}) > 0
