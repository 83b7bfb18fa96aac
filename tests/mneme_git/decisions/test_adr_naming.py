from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_naming import (
    Scheme,
    collisions,
    free_name,
    next_number,
    numbers_in,
    scheme_of,
    slug_of,
)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ('Use TCP/IP & "quotes"', "use-tcp-ip-quotes"),
        ("../../x", "x"),
        ("-dash", "dash"),
        ("C# and .NET", "c-and-net"),
        ("con", "con-adr"),
        ("COM1", "com1-adr"),
        ("😀", "untitled"),
        ("...", "untitled"),
        ("a\x00b\nc", "a-b-c"),
        ("日本語の題", "日本語の題"),
        ("हिन्दी में", "हिन्दी-में"),
    ],
)
def test_odd_titles_get_safe_names(title, slug):
    assert slug_of(title) == slug


def test_both_unicode_forms_of_a_title_get_one_name():
    assert slug_of("De\u0301tail") == slug_of("D\u00e9tail") == "d\u00e9tail"


def test_a_long_title_is_cut_between_words_and_a_long_word_inside():
    assert slug_of("word " * 60) == "-".join(["word"] * 13)
    assert slug_of("x" * 200) == "x" * 64
    assert slug_of("日" * 200) == "日" * 40


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from("-_"))
def test_whatever_the_title_the_name_is_one_safe_part_of_a_path(title, joint):
    slug = slug_of(title, joint)
    assert slug
    assert slug == unicodedata.normalize("NFC", slug)
    assert not set(slug) & set('/\\:*?"<>| .\x00\n')
    assert slug[0] not in "-_"
    assert len(slug.encode()) <= 124
    assert slug_of(unicodedata.normalize("NFD", title), joint) == slug_of(
        unicodedata.normalize("NFC", title), joint
    )


@pytest.mark.parametrize(
    ("names", "example"),
    [
        ([], "ADR-0012-x.md"),
        (["README.md", "template.md", "notes.txt"], "ADR-0012-x.md"),
        (["0001-a.md", "0002-b.md"], "0012-x.md"),
        (["ADR-001-a.md", "ADR-002-b.md", "index.md"], "ADR-012-x.md"),
        (["adr-1.md", "adr-2-x.md"], "adr-12-x.md"),
        (["0001_a_b.md"], "0012_x.md"),
        (["0001. A title.md"], "0012.x.md"),
        (["20200924-a-b.md", "20200925-c.md"], "20240131-x.md"),
        (["2020-09-24-a.md"], "2024-01-31-x.md"),
        (["use-a.md", "use-b.md"], "x.md"),
        (["0001-a.markdown"], "0012-x.markdown"),
        (["0001-a.md", "0002-b.md", "use-c.md"], "0012-x.md"),
        (["0001-a.md", "use-c.md"], "x.md"),
    ],
)
def test_a_folder_names_its_next_file_as_most_of_its_files_are_named(names, example):
    assert scheme_of(names).name("x", number=12, day="2024-01-31") == example


def test_the_joint_of_words_is_that_of_the_folder():
    scheme = scheme_of(["0001-a_b.md", "0002-c_d_e.md", "0003-plain.md"])
    assert scheme.name(slug_of("One two", scheme.joint), number=4) == "0004-one_two.md"


def test_the_next_number_is_after_the_greatest_and_days_are_none():
    assert next_number(["0001-a.md", "ADR-0007-b.md", "20240101-x.md", "2024-02-03-y.md"]) == 8
    assert next_number([]) == 1
    assert numbers_in(["0000-a.md", "7.md", "x.md"]) == {0, 7}


def test_a_name_that_is_taken_in_any_form_gets_a_number_behind_it():
    scheme = Scheme(kind="slug", prefix="", mark="", width=0)
    assert free_name(scheme, "détail", ["DE\u0301TAIL.md", "détail-2.md"]) == "détail-3.md"
    assert free_name(Scheme(), "x", ["ADR-0001-x.md"], number=2) == "ADR-0002-x.md"


def test_two_files_with_one_number_collide_however_it_is_written():
    found = collisions(
        ["d/0007-a.md", "d/ADR-7-b.md", "d/7.md", "d/0008-x.md", "d/template.md", "d/20240101-a.md"]
    )
    assert [(one.number, one.paths) for one in found] == [("0007", ("d/0007-a.md", "d/7.md", "d/ADR-7-b.md"))]
