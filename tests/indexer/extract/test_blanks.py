"""Texts that no grammar knows as they stand: conditional lines, marks of a merge, comments in a head."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_indexer.extract.blanks import without_conditionals, without_conflicts
from tests.indexer.extract.looking import Looked

SPLIT = """\
namespace A;
class Binder
{
    /// <summary>Builds.</summary>
#if SPAN
    public Property[] Build(Span<int> values)
#else
    public Property[] Build(int[] values)
#endif
    {
        return Made(values);
    }
    void After() { Last(); }
}
"""


def test_a_class_whose_method_has_two_heads_is_there_with_the_first():
    looked = Looked("csharp", SPLIT)

    assert looked.kinds() == {
        "Binder": "class class",
        "Binder.Build": "method method",
        "Binder.After": "method method",
    }
    assert looked.symbol("Binder.Build").signature == "public Property[] Build(Span<int> values)"
    assert looked.symbol("Binder.Build").doc == "Builds."
    assert looked.lines("Binder.Build") == (6, 12)
    assert ("", "Made", "Binder.Build") in looked.uses("calls")
    assert not looked.file.has_errors


def test_offsets_are_those_of_the_text_as_it_is():
    looked = Looked("csharp", SPLIT.replace("// <summary>Builds", "// <summary>Bütîlds 中"))
    after = looked.symbol("Binder.After")

    assert looked.data[after.start_byte : after.end_byte] == b"void After() { Last(); }"


def test_a_call_under_a_head_that_is_split_belongs_to_the_function():
    source = (
        "#ifdef WIDE\nint area(long side, \\\n  long other) {\n#else\nint area(int side) {\n#endif\n"
        "  return grow(side);\n}\nint rest(void) { return 1; }\n"
    )
    looked = Looked("c", source)

    assert set(looked.kinds()) == {"area", "rest"}
    assert ("", "grow", "area") in looked.uses("calls")
    assert looked.symbol("area").signature == "int area(long side, \\ long other)"


def test_a_file_without_errors_keeps_both_branches():
    source = "#if A\nint one(void) { return 1; }\n#else\nint two(void) { return 2; }\n#endif\n"

    assert set(Looked("c", source).kinds()) == {"one", "two"}


def test_branches_far_from_any_error_are_kept():
    source = (
        "#if A\nint one(void) { return 1; }\n#else\nint two(void) { return 2; }\n#endif\n\nint x;\n\nint y;\n"
        "#if B\nint three(long a) {\n#else\nint three(int a) {\n#endif\n return 3; }\n"
    )

    assert set(Looked("c", source).kinds("function")) == {"one", "two", "three"}


def test_of_a_branch_that_never_holds_the_other_is_kept():
    source = "class A {\n#if false\n  int Old(\n#else\n  int New()\n#endif\n  { return 1; }\n}\n"

    assert set(Looked("csharp", source).kinds()) == {"A", "A.New"}


def test_a_directive_inside_a_head_is_no_part_of_the_signature():
    source = "int f(\n#ifdef A\n  int a\n#endif\n) { return 1; }\n"

    assert "#" not in Looked("c", source).symbol("f").signature


def test_a_language_without_conditional_lines_is_read_once():
    source = "def f(:\n#if A\n    pass\n#else\n    pass\n#endif\ndef g(): pass\n"

    assert "g" in Looked("python", source).kinds()


CONFLICT = (
    "def before(): pass\n<<<<<<< HEAD\ndef ours(): pass\n{base}=======\ndef theirs(): pass\n>>>>>>> feature/x\n"
    "def after(): pass\n"
)


@pytest.mark.parametrize("base", ["", "||||||| 1234567\ndef old(: pass\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_both_sides_of_an_unfinished_merge_are_there(base: str, end: str):
    looked = Looked("python", CONFLICT.format(base=base).replace("\n", end))

    assert set(looked.kinds()) == {"before", "ours", "theirs", "after"}


def test_a_body_under_two_heads_of_an_unfinished_merge_is_that_of_the_first():
    source = "class A {\n<<<<<<< ours\n  int f(int a) {\n=======\n  int f() {\n>>>>>>> theirs\n    return g(); }\n  int h() { return 1; }\n}\n"
    looked = Looked("java", source)

    assert set(looked.kinds()) == {"A", "A.f", "A.h"}
    assert ("", "g", "A.f") in looked.uses("calls")


def test_marks_that_are_no_merge_stay():
    assert list(without_conflicts(b"<<<<<<< a\nx\n")) == []
    assert list(without_conflicts(b"=======\n>>>>>>> b\n")) == []


LINES = st.lists(
    st.sampled_from(
        [
            "#if A",
            " # ifdef B \\",
            "#if 0",
            "#elif C",
            "#else",
            "#endif",
            "<<<<<<< a",
            "||||||| b",
            "=======",
            ">>>>>>> c",
            "x",
            "ü\r",
            "",
            "#define A",
        ]
    ),
    max_size=20,
)


@settings(deadline=None, max_examples=200)
@given(LINES, st.lists(st.integers(0, 20)))
def test_a_blanked_text_has_its_bytes_where_they_were(lines: list[str], rows: list[int]):
    data = "\n".join(lines).encode()
    before = data.split(b"\n")

    for blanked in (*without_conditionals(data, rows), *without_conflicts(data)):
        after = blanked.data.split(b"\n")
        assert [len(line) for line in after] == [len(line) for line in before]
        assert all(after[row] == before[row] or row in blanked.rows for row in range(len(before)))
        assert all(not after[row].strip() for row in blanked.rows)


@pytest.mark.parametrize(
    ("language", "source", "signature"),
    [
        ("python", "def f(  # why\n    a,\n):  # c\n    pass\n", "def f( a, ):"),
        ("python", "def f(a='#'):\n    pass\n", "def f(a='#'):"),
        ("ruby", "def f # :nodoc:\n  1\nend\n", "def f"),
        ("ruby", "def f(a, # first\n      b) # last\n  1\nend\n", "def f(a, b)"),
        ("ruby", "module f ## # text\n  X = 1\nend\n".replace(" f ", " F "), "module F"),
        ("go", "func f(a int, // c\n\tb int) /* d */ {\n}\n", "func f(a int, b int)"),
        ("csharp", "class f // c\n{ }\n", "class f"),
        ("rust", "fn f(x: u8, // c\n y: u8) -> u8 // d\n{ 1 }\n", "fn f(x: u8, y: u8) -> u8"),
        ("kotlin", "fun f(a: A, // c\n  b: B) /* d */ { }\n", "fun f(a: A, b: B)"),
        ("typescript", "function f(a = 'http://x', // c\n) /* d */ { }\n", "function f(a = 'http://x', )"),
        ("bash", "f() # c\n{ x\n}\n", "f()"),
    ],
)
def test_comments_in_a_head_are_no_part_of_the_signature(language: str, source: str, signature: str):
    assert Looked(language, source).file.symbols[0].signature == signature


def test_a_branch_is_not_given_up_for_the_errors_that_are_in_it():
    source = "int a;\n#ifdef A\nint one(void) { return 1; }\n#else\nint x = = 3;\nint two(void) { return 2; }\n#endif\n"

    assert {"one", "two"} <= set(Looked("c", source).kinds())
