"""The syntax of git's configuration files, judged by ``git config`` itself."""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mneme_git.errors import InvalidInput
from mneme_git.text.git_config import parse_git_config, truth

TEXTS = [
    "",
    "x = 1\n[a]\nx = 2\n",
    "\n\n# only a comment\n; another\n",
    "[mneme]\n\tprojectId = 0123456789abcdef\n",
    "[MneMe] projectId=1\n  Quiet\n",
    '[a "Sub Section"]\n x = 1\n[a "q\\"uo\\\\te"]\ny=2\n[a.Old.Sub]\nz=3\n',
    '[a]\nx = two words  \t ; comment\ny = "kept  " # c\nz = a"b ; c"d\n',
    '[a]\nx = one\\\n  two\\\nthree\ny = \\t\\n\\b\\\\\\"\n',
    '[a]\nx =\ny = ""\nz\n',
    "[a]\r\nx = 1\r\ny = 2 \r\n",
    "\ufeff[a]\nx = é\n",
    "[a]x=1\n[b]y=2",
    "[a]\nx = 1\nx = 2\n[b]\n[a]\nx = 3\n",
    "[a]\nx = no # end\\\ny = 1\n",
    "[include]\npath = elsewhere\n",
    "[a]\nx = https://h/p;q\ny = a#b\n",
    '[a]\nx = "open ; # not a comment"\n',
    "[a-b.c]\nd-e = 1\n",
    "[a]\nx = \\\n",
]
WRONG = [
    "[a\nx = 1\n",
    "[a]\n1x = 1\n",
    '[a]\nx = "open\n',
    "[a]\nx = \\q\n",
    "[a]\nx y\n",
    '[a "b]\nx = 1\n',
    "[a b]\nx = 1\n",
    "[a]\n= 1\n",
    "<<<<<<< ours\n[a]\nx = 1\n",
]


def by_git(tmp_path, text):
    file = tmp_path / "config"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    done = subprocess.run(
        ["git", "config", "-z", "--list", "-f", str(file)], capture_output=True, check=False, cwd=tmp_path
    )
    if done.returncode != 0:
        return None
    rows = [row.partition("\n") for row in done.stdout.decode().split("\0")[:-1]]
    return [(key, value if mark else None) for key, mark, value in rows]


@pytest.mark.parametrize("text", TEXTS)
def test_what_git_reads_is_read_the_same(tmp_path, text):
    expected = by_git(tmp_path, text)
    assert expected is not None
    assert [(found.key, found.value) for found in parse_git_config(text)] == expected


@pytest.mark.parametrize("text", WRONG)
def test_what_git_refuses_is_refused_with_its_line(tmp_path, text):
    assert by_git(tmp_path, text) is None
    with pytest.raises(InvalidInput) as raised:
        parse_git_config(text)
    assert raised.value.message.startswith("line ")
    assert raised.value.hint


def test_the_line_of_a_setting_and_of_a_mistake_is_told():
    text = "# c\n[a]\nx = 1\\\n2\ny = 3\n\n!\n"
    with pytest.raises(InvalidInput, match=r"^line 7 "):
        parse_git_config(text)
    assert [found.line for found in parse_git_config(text[:-2])] == [3, 5]


ALPHABET = st.sampled_from(list('[]"\\=;#\n\t abX.-1é'))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ALPHABET, max_size=14).map("".join))
def test_any_text_is_read_as_git_reads_it_or_refused(tmp_path, tail):
    text = "[s]\nk = " + tail
    expected = by_git(tmp_path, text)
    try:
        found = [(row.key, row.value) for row in parse_git_config(text)]
    except InvalidInput:
        found = None
    # git 2.39 makes one blank of a tab inside a value, later ones keep it
    plain = [(key, value and value.replace("\t", " ")) for key, value in found] if found else found
    assert plain == (
        [(key, value and value.replace("\t", " ")) for key, value in expected] if expected else expected
    )


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (None, True),
        ("", False),
        ("Yes", True),
        ("ON", True),
        ("off", False),
        ("0", False),
        ("12", True),
        ("x", None),
    ],
)
def test_truth_is_what_git_takes_for_it(value, meant):
    assert truth(value) is meant
