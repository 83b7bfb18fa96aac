import time

import pytest

from mneme_indexer.rank.question import question_of


def weights(task, hint=""):
    return {term.text: term.weight for term in question_of(task, hint).terms}


def test_function_words_and_numbers_are_no_terms():
    assert set(weights("how is the session cookie of 404 signed")) == {"session", "cookie", "signed"}


def test_the_first_line_weighs_more_than_what_follows():
    found = weights("fix parser\n\nthe tokenizer is slow")
    assert found["parser"] > found["tokenizer"]


@pytest.mark.parametrize("task", ["fix(parser): keep comments", "parser: keep comments"])
def test_the_scope_before_a_colon_weighs_most_and_the_kind_of_change_nothing(task):
    found = weights(task)
    assert found["parser"] > found["comments"]
    assert "fix" not in found


def test_repetition_counts_less_each_time():
    found = weights("cache cache cache key")
    assert found["key"] < found["cache"] < 3 * found["key"]


def test_an_identifier_is_looked_for_whole_and_in_parts():
    found = weights("getHTTPResponse fails")
    assert found["gethttpresponse"] > found["http"]


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("why does `Cart` fail", ("Cart",)),
        ("Foo.bar is slow", ("bar", "Foo")),
        ("std::fs::read", ("read",)),
        ("call run() twice", ("run",)),
        ("get_user and getUser", ("get_user", "getUser")),
        ('  File "a/b.py", line 3, in load_it\n', ("load_it",)),
        ("    at Parser.parseRow (/x/lib/parser.js:10:5)", ("parseRow",)),
        ("Router", ("Router",)),
    ],
)
def test_names_are_what_is_written_as_code_or_stands_alone(task, names):
    assert question_of(task).names[: len(names)] == names


def test_a_plain_sentence_has_no_names():
    assert question_of("Fix the broken router").names == ()


@pytest.mark.parametrize(
    ("task", "path"),
    [
        ("see src/app/main.py:10", "src/app/main.py"),
        ("main.go panics", "main.go"),
        ("https://example.org/o/r/blob/main/lib/view.js#L3 is wrong", "lib/view.js"),
        ("src\\Core\\Log.cs", "src/core/log.cs"),
    ],
)
def test_mentioned_files_are_found(task, path):
    assert any(found.endswith(path) for found in question_of(task).paths)


def test_trailers_and_addresses_say_nothing():
    assert set(
        weights("fix cart\n\nSigned-off-by: Jane Doe <jane@example.org>\nhttps://example.org/zebra")
    ) == {"fix", "cart"}


def test_tests_and_docs_are_asked_for_in_words():
    assert question_of("add a test for the parser").asks_tests
    assert question_of("update the readme").asks_docs
    assert not question_of("fix the parser").asks_tests
    assert not question_of("add a test for the parser").asks_test_support
    assert question_of("helpers for integration tests").asks_test_support
    assert question_of("the CI workflow fails").asks_setup
    assert not question_of("fix the parser").asks_setup


def test_the_hint_counts_as_the_first_line_does():
    assert weights("fix it", hint="parser")["parser"] == 1.0


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a_", "A", "/", "a/", "`", "(", "a:", " ", "\n", "a, ", "\\", "at a.", "é"]
)
def test_no_text_takes_long(piece):
    began = time.process_time()
    question_of(piece * (40_000 // len(piece)))
    assert time.process_time() - began < 2
