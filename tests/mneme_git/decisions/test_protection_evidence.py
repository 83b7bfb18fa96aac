from __future__ import annotations

import pytest

from mneme_git.decisions import protection_evidence
from mneme_git.decisions.protection_evidence import CiFile, RepositoryFacts, assess, ci_evidence, is_selector
from mneme_git.decisions.protection_tier import Tier
from mneme_git.model import decision as records
from mneme_git.model.enforced import Enforced, TypedRule

HEAD = "1" * 40


def ci(text, *terms):
    return ci_evidence([CiFile("ci.yml", text)], terms or ("kafka",)).confidence


@pytest.mark.parametrize(
    "text",
    [
        "run: grep kafka src && exit 1",
        "run: grep KAFKA src &&exit   1",
        "run: if grep kafka src; then echo a; exit 1; fi",
        "  if grep kafka src; then\n    echo a\n    exit 1\n  fi",
        "  if grep kafka src; then\n" + "x\n" * 29 + "exit 1\nfi",
        "  if grep kafka src; then\n file\n fifo\n exit 1\nfi",
        "if [ kafka ]; then\n  exit 1; fi",
        'run: "! grep -rn kafka src"',
        "- run: '! git grep -n kafka'",
    ],
)
def test_a_ci_line_that_fails_on_the_literal_is_verified(text):
    assert ci(text) == "verified"


@pytest.mark.parametrize(
    "text",
    [
        "run: grep kafka src || exit 1",
        "run: if ! grep kafka src; then exit 1; fi",
        "run: unless kafka if x; then exit 1; fi",
        "run: echo kafka",
        "  if grep kafka src; then\n    echo\n  fi\n  exit 1",
        "  if grep kafka src; then\n    if x; then exit 1; fi\n  fi",
        "  if grep kafka src; then\n" + "x\n" * 30 + "exit 1\nfi",
        "  if grep kafka src; then\n    # exit 1\n  fi",
        "  ! grep kafka src\n  echo fine",
        "# kafka && exit 1",
    ],
)
def test_a_ci_line_that_only_mentions_the_literal_is_a_candidate(text):
    assert ci(text) == "candidate"


@pytest.mark.parametrize("text", ["run: grep kafkaesque && exit 1", "my_kafka && exit 1", "nothing"])
def test_a_ci_file_without_the_whole_word_shows_nothing(text):
    assert ci(text) == "none"


def test_files_are_reported_in_their_order_and_one_verified_file_is_enough():
    texts = {"b.yml": "kafka", "a.yml": "kafka && exit 1", "c.yml": "redis"}
    files = [CiFile(name, text) for name, text in texts.items()]
    found = ci_evidence(files, ["zzz", "kafka"])
    assert found.sources == ("ci:candidate:b.yml", "ci:verified:a.yml")
    assert found.confidence == "verified"
    assert ci_evidence(files, []).confidence == "none"


def test_a_literal_with_a_dash_is_one_word():
    assert ci("run: grep My-Lib src && exit 1", "my-lib") == "verified"
    assert ci("run: grep my lib-x && exit 1", "my-lib") == "none"


def with_tests(name, *rows, statement="Modules must be layered"):
    evidence = tuple(records.TestEvidence(selector=selector, sha=sha) for selector, sha in rows)
    return Enforced(id=name, statement=statement, test_evidence=evidence)


def test_declared_tests_are_told_apart_and_move_no_tier():
    facts = RepositoryFacts(head=HEAD, test_files=frozenset({"t.py"}))
    both = ("t.py::amb", "")
    found = assess(
        [
            with_tests(
                "a",
                ("t.py::x", ""),
                ("t.py::y", HEAD),
                ("no.py::z", ""),
                ("bad one", ""),
                ("t.py::s", "beef"),
                both,
            ),
            with_tests("b", both),
        ],
        facts,
    )
    assert found[0].sources == (
        "test:declared:t.py::x",
        "test:declared:t.py::y",
        "test:invalid:no.py::z@selector-not-found",
        "test:invalid:bad one@malformed-selector",
        "test:stale:t.py::s@sha-mismatch",
        "test:invalid:t.py::amb@ambiguous-mapping",
    )
    assert found[1].sources == ("test:invalid:t.py::amb@ambiguous-mapping",)
    assert {(row.tier, row.evidence) for row in found} == {(Tier.REQUIRES_MODELLING, "none")}


def test_one_decision_may_declare_a_test_twice():
    facts = RepositoryFacts(head=HEAD, test_files=frozenset({"t.py"}))
    (found,) = assess([with_tests("a", ("t.py::x", ""), ("t.py::x", ""))], facts)
    assert found.sources == ("test:declared:t.py::x",) * 2


def test_without_a_commit_no_declared_test_can_be_compared():
    (found,) = assess([with_tests("a", ("t.py::x", ""))], RepositoryFacts(test_files=frozenset({"t.py"})))
    assert found.sources == ("test:invalid:t.py::x@sha-unavailable",)


@pytest.mark.parametrize(
    "text",
    ["", "t.py", "::x", "/t.py::x", "a/../t.py::x", "a\\..\\t.py::x", "C:/t.py::x", "t.py::a b", " t.py::x"],
)
def test_a_selector_names_a_path_inside_and_a_test(text):
    assert not is_selector(text)
    assert is_selector("tests/t.py::Class::test[1]")


def test_a_ci_file_protects_what_would_otherwise_be_ready_but_never_guidance():
    facts = RepositoryFacts(ci_files={"ci.yml": "grep kafka && exit 1"}, head=HEAD)
    ready = Enforced(id="a", statement="Never use it", anti_patterns=("kafka",))
    advice = Enforced(id="b", statement="should", anti_patterns=("kafka",))
    ruled = Enforced(id="c", statement="x", rules=(TypedRule(type="FORBID_LITERAL", value="kafka"),))
    found = assess([ready, advice, ruled], facts)
    assert [(row.tier, row.evidence, row.sources) for row in found] == [
        (Tier.PROTECTED, "verified", ("ci:verified:ci.yml",)),
        (Tier.GUIDANCE, "none", ()),
        (Tier.PROTECTED, "verified", ()),
    ]
    assert [row.has_rule for row in found] == [False, False, True]
    assert found[0].standing.guardrail == "FORBID_LITERAL: kafka"


def test_without_a_repository_nothing_is_looked_up():
    (found,) = assess([with_tests("a", ("t.py::x", ""))])
    assert (found.sources, found.evidence) == ((), "none")
    assert protection_evidence.selector_path("t.py::a::b") == "t.py"
