"""Modules are small and named after what is in them, and every package has its place."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("mneme_git", "indexer", "hooks", "mcp_server", "tests", "tools", "bench")
SOURCES = ("mneme_git", "indexer/mneme_indexer", "hooks/mneme_hooks", "mcp_server/mneme_mcp")
LONGEST = 400
SAYS_NOTHING = re.compile(r"(test_)?(utils?|helpers?|commons?|misc|bases?|managers?|handlers?)")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def modules(folder):
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"no modules in {folder}"
    return found


def packages(folder):
    """Return the folders below and with ``folder`` that hold modules."""
    return sorted({path.parent for path in modules(folder)})


def named(paths):
    return [path.relative_to(ROOT).as_posix() for path in paths]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_is_longer_than_four_hundred_lines(folder):
    lengths = {path: len(path.read_bytes().splitlines()) for path in modules(folder)}
    too_long = [path for path, length in lengths.items() if length > LONGEST]
    assert not too_long, f"over {LONGEST} lines: {named(too_long)}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_is_named_after_what_is_in_it(folder):
    parts = [*modules(folder), *packages(folder)]
    nameless = [path for path in parts if SAYS_NOTHING.fullmatch(path.stem)]
    assert not nameless, f"names that say nothing: {named(nameless)}"


@pytest.mark.parametrize("name", ["utils", "helper", "test_helpers", "common", "misc", "base", "manager"])
def test_a_name_that_says_nothing_is_known(name):
    assert SAYS_NOTHING.fullmatch(name)


@pytest.mark.parametrize("name", ["memory_base", "database", "commands", "test_handlers_of_git"])
def test_a_name_that_says_something_is_none_of_them(name):
    assert not SAYS_NOTHING.fullmatch(name)


@pytest.mark.parametrize("folder", SOURCES)
def test_every_folder_of_the_source_is_a_package_that_says_what_it_is_for(folder):
    mute = [path for path in packages(folder) if not purpose(path / "__init__.py")]
    assert not mute, f"no __init__.py that begins with a purpose: {named(mute)}"


def purpose(module):
    return ast.get_docstring(ast.parse(module.read_bytes())) if module.exists() else None


def test_no_module_of_the_source_stands_outside_a_package_that_is_built_and_checked():
    tops = [path for folder in FOLDERS[:4] for path in packages(folder)]
    outside = [path for path in tops if not any((ROOT / top) in (path, *path.parents) for top in SOURCES)]
    assert not outside, f"outside of {SOURCES}: {named(outside)}"
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == list(SOURCES)
    names = [Path(top).name for top in SOURCES]
    assert PROJECT["tool"]["importlinter"]["root_packages"] == names
    assert PROJECT["tool"]["mypy"]["packages"] == names


def test_every_room_has_its_place_in_the_layers_and_in_the_architecture():
    contracts = {each["id"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]}
    layers = set(re.findall(r"\w+", " ".join(contracts["core"]["layers"])))
    rooms = {path.name for path in packages("mneme_git") if path.parent == ROOT / "mneme_git"}
    page = (ROOT / "docs" / "architecture.md").read_text()
    assert rooms <= layers, f"in no layer: {sorted(rooms - layers)}"
    untold = [name for name in sorted(rooms) if f"**`{name}`**" not in page]
    untold += [top for top in SOURCES if top not in page]
    assert not untold, f"not in docs/architecture.md: {untold}"


def test_every_folder_of_tests_mirrors_one_of_the_source():
    mirrored = [path for path in packages("tests/mneme_git") if path != ROOT / "tests" / "mneme_git"]
    strays = [path for path in mirrored if not (ROOT / path.relative_to(ROOT / "tests")).is_dir()]
    assert not strays, f"tests of no package: {named(strays)}"
