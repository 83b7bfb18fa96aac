"""What no source may do: raise, take for ever, or lose what can still be found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer.extract.parse import parse
from mneme_indexer.languages.registry import languages, query

ONE = {
    "go": ("package a\n", "func Kept() {}\n", "func (((\n"),
    "rust": ("", "fn Kept() {}\n", "fn (((\n"),
    "php": ("<?php\n", "function Kept() {}\n", "function (((;\n"),
    "csharp": ("", "class Kept { }\n", "class { ((( }\n"),
    "java": ("", "class Kept { }\n", "class { ((( }\n"),
    "kotlin": ("", "fun Kept() {}\n", "fun ((( {}\n"),
    "scala": ("", "class Kept\n", "def (((\n"),
    "c": ("", "int Kept(void) { return 1; }\n", "int (((;\n"),
    "cpp": ("", "int Kept() { return 1; }\n", "int (((;\n"),
    "ruby": ("", "def Kept; end\n", "def (((\n"),
    "swift": ("", "func Kept() {}\n", "func (((\n"),
    "bash": ("", "Kept() { :; }\n", "if (((\n"),
    "markdown": ("", "# Kept\n", "```\n"),
    "python": ("", "def Kept(): pass\n", "def (((\n"),
    "typescript": ("", "function Kept() {}\n", "function (((\n"),
    "tsx": ("", "function Kept() {}\n", "function (((\n"),
    "javascript": ("", "function Kept() {}\n", "function (((\n"),
}
DEEP = {
    "go": "var X = ",
    "rust": "const X: u8 = ",
    "php": "$x = ",
    "csharp": "var x = ",
    "java": "class A { int x = ",
    "kotlin": "val x = ",
    "c": "int x = ",
    "cpp": "int x = ",
    "ruby": "x = ",
    "swift": "let x = ",
    "python": "x = ",
    "typescript": "const x = ",
    "javascript": "const x = ",
}
WITHOUT_SEMICOLON = {"kotlin", "python", "ruby", "swift"}
SQUEEZED = {"typescript", "javascript"}  # a line of 180,000 bytes is a minifier's


def names(language: str, source: str | bytes) -> list[str]:
    data = source.encode() if isinstance(source, str) else source
    return [row.name for row in parse(language, data).symbols]


def test_every_language_of_the_registry_is_tried_here():
    assert set(ONE) == set(languages())


@pytest.mark.parametrize("language", sorted(ONE))
def test_every_capture_of_a_query_is_one_that_the_rules_know(language: str):
    compiled, row = query(language), languages()[language]
    captures = {compiled.capture_name(index) for index in range(compiled.capture_count)}
    details = {name.removeprefix("definition.") for name in captures if name.startswith("definition.")}

    assert details == set(row.kinds), "a detail without a kind, or a kind that is never found"


@pytest.mark.parametrize("language", sorted(ONE))
def test_an_empty_file_and_one_of_white_space_have_nothing(language: str):
    for data in (b"", b"\n\n  \n", b"\xef\xbb\xbf"):
        rows = parse(language, data)
        assert not rows.symbols
        assert not rows.skipped


@pytest.mark.parametrize("language", sorted(ONE))
def test_a_mark_of_byte_order_and_windows_line_ends_change_no_line(language: str):
    head, kept, _ = ONE[language]
    source = f"{head}\n{kept}"
    plain = parse(language, source.encode()).symbols[0]
    windows = parse(language, b"\xef\xbb\xbf" + source.replace("\n", "\r\n").encode()).symbols[0]

    assert plain.name == windows.name == "Kept"
    assert (plain.start_line, plain.end_line) == (windows.start_line, windows.end_line)


@pytest.mark.parametrize("language", sorted(set(ONE) - {"markdown"}))
def test_what_stands_before_a_syntax_error_is_still_found(language: str):
    head, kept, broken = ONE[language]
    rows = parse(language, f"{head}{kept}{broken}".encode())

    assert "Kept" in [row.name for row in rows.symbols]
    assert rows.has_errors


@pytest.mark.parametrize("language", sorted(DEEP))
def test_a_term_of_twenty_thousand_parts_loses_nothing(language: str):
    head, kept, _ = ONE[language]
    term = (
        DEEP[language] + " + ".join(["a.b(1)"] * 20_000) + ("\n" if language in WITHOUT_SEMICOLON else ";\n")
    )
    found = names(language, f"{head}{kept}{term}")

    assert "Kept" in found or language in SQUEEZED


@pytest.mark.parametrize("language", sorted(DEEP))
def test_brackets_below_the_limit_are_parsed_and_those_above_are_told(language: str):
    head, kept, _ = ONE[language]
    shallow = DEEP[language] + "(" * 900 + "1" + ")" * 900 + "\n"
    deep = DEEP[language] + "(" * 4000 + "1" + ")" * 4000 + ";\n"

    assert "Kept" in names(language, f"{head}{kept}{shallow}")
    assert "nested deeper" in parse(language, f"{head}{kept}{deep}".encode()).skipped


@pytest.mark.parametrize("language", sorted(ONE))
@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=4), junk=st.binary(max_size=12))
def test_no_bytes_make_it_raise_and_spans_stay_inside_the_file(language: str, cuts: list[int], junk: bytes):
    head, kept, broken = ONE[language]
    data = f"{head}{kept}{broken}{kept}".encode()
    for cut in cuts:
        at = cut % (len(data) + 1)
        data = data[:at] + junk + data[at + 1 :]
    rows = parse(language, data)

    lines = data.count(b"\n") + 1
    for row in rows.symbols:
        assert 0 <= row.start_byte < row.end_byte <= len(data)
        assert 1 <= row.start_line <= row.end_line <= lines
    for use in rows.references:
        assert -1 <= use.owner < len(rows.symbols)
