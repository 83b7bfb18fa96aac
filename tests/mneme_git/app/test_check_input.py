import os

import pytest

from mneme_git.app.check_input import read_inputs, target_of
from mneme_git.errors import InvalidInput


def never():
    raise AssertionError("standard input was read")


def read(tmp_path, *names, stdin=never):
    return read_inputs(names, tmp_path, stdin)


def test_inputs_are_read_in_order_and_each_name_once(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(f"text {name}")
    assert [(one.name, one.text) for one in read(tmp_path, "b", "a", "b")] == [
        ("b", "text b"),
        ("a", "text a"),
    ]


def test_a_dash_is_standard_input(tmp_path):
    (found,) = read(tmp_path, "-", stdin=lambda: b"from there")
    assert (found.name, found.text) == ("-", "from there")


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"\xef\xbb\xbfa", "a"), (b"a\r\nb\rc\n", "a\nb\nc\n"), ("é".encode(), "é"), (b"", "")],
)
def test_a_byte_order_mark_goes_and_every_line_end_is_a_line_feed(tmp_path, data, text):
    (tmp_path / "f").write_bytes(data)
    assert read(tmp_path, "f")[0].text == text


def test_a_nul_byte_makes_a_file_binary(tmp_path):
    (tmp_path / "f").write_bytes(b"\xff\xfe\x00bad")
    (found,) = read(tmp_path, "f")
    assert (found.binary, found.text) == (True, "")


def test_bytes_that_are_no_utf_8_are_placed(tmp_path):
    (tmp_path / "f").write_bytes(b"one\ntwo \xe9\n")
    assert read(tmp_path, "f")[0].unreadable == "it is not UTF-8 (line 2, byte 8)"


def test_what_is_not_there_is_said_in_the_fixed_words(tmp_path):
    (tmp_path / "f").write_text("x")
    for name in ("nope.txt", "f/below"):
        with pytest.raises(InvalidInput) as raised:
            read(tmp_path, name)
        assert (raised.value.message, raised.value.hint) == (f"input file {name} does not exist", "")


def test_a_folder_is_refused_with_how_to_name_its_files(tmp_path):
    with pytest.raises(InvalidInput, match=r"input '\.' is a folder") as raised:
        read(tmp_path, ".")
    assert "git ls-files -z" in raised.value.hint


def test_a_name_that_no_file_can_have_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path, "a\0b")


@pytest.mark.parametrize(
    ("given", "relative"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/../b", "b"),
        (".", "."),
        ("..", None),
        ("../repo/c", "c"),
        ("/etc/x", None),
    ],
)
def test_a_target_is_relative_to_the_root_or_outside(tmp_path, given, relative):
    root = tmp_path / "repo"
    root.mkdir()
    assert target_of(given, root, str(root.resolve())).relative == relative


def test_a_target_is_found_from_a_folder_below_and_through_links(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    root = str(tmp_path.resolve())
    assert target_of("a.txt", tmp_path / "link", root).relative == "real/a.txt"


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path):
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo2").mkdir()
    assert target_of("../repo2/x", tmp_path / "repo", str(tmp_path.resolve() / "repo")).relative is None


def test_the_policy_file_is_recognised_by_any_of_its_names(tmp_path):
    policy = tmp_path / "m.json"
    policy.write_text("{}")
    (tmp_path / "other").symlink_to("m.json")
    found = target_of("other", tmp_path, str(tmp_path.resolve()), str(policy.resolve()))
    assert (found.policy_file, found.relative) == (True, "m.json")


def test_backslashes_are_an_error_unless_they_are_the_name_of_a_file(tmp_path):
    root = str(tmp_path.resolve())
    with pytest.raises(InvalidInput, match=r"path 'src.*a\.py' has backslashes") as raised:
        target_of("src\\a.py", tmp_path, root)
    assert "forward slashes" in raised.value.hint
    (tmp_path / "a\\b").write_text("x")
    assert target_of("a\\b", tmp_path, root).relative == "a\\b"


def test_no_path_is_no_target(tmp_path):
    assert target_of(None, tmp_path, str(tmp_path)).given is None


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="input 'pipe' is not a regular file"):
        read(tmp_path, "pipe")


def test_a_pipe_that_the_shell_opened_is_read(tmp_path):
    there, here = os.pipe()
    os.write(here, b"text")
    os.close(here)
    try:
        assert read(tmp_path, f"/dev/fd/{there}")[0].text == "text"
    finally:
        os.close(there)


@pytest.mark.parametrize("home", ["repo", "way/repo"])
def test_a_link_inside_the_root_is_told_from_one_on_the_way_to_it(tmp_path, home):
    (tmp_path / "repo" / ".mneme").mkdir(parents=True)
    (tmp_path / "repo" / "src").mkdir()
    (tmp_path / "way").symlink_to(tmp_path)
    (tmp_path / "repo" / ".mneme" / "a").write_text("x")
    for name, leads in (("one", "../.mneme/a"), ("all", "../.mneme"), ("top", "..")):
        (tmp_path / "repo" / "src" / name).symlink_to(leads)
    root = str((tmp_path / "repo").resolve())
    linked = {
        given: target_of(given, tmp_path / home, root).linked
        for given in (".mneme/a", "src/../.mneme/a", "src/one", "src/all/a", "src/top/.mneme/a")
    }
    assert linked == {
        ".mneme/a": False,
        "src/../.mneme/a": False,
        "src/one": True,
        "src/all/a": True,
        "src/top/.mneme/a": True,
    }
