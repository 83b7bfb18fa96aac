"""What the documents promise is what the code does."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from mneme_git.cli.main import build
from tools.reference import PAGES, _helps

ROOT = Path(__file__).parents[1]
FORMAT = ROOT / "docs" / "reference" / "storage-format.md"
GOLDEN = ROOT / "tests" / "golden" / "format"


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("*.json")))
def test_the_storage_format_shows_the_frozen_bytes(name):
    block = "```json\n" + (GOLDEN / name).read_text(encoding="utf-8") + "```\n"
    assert block in FORMAT.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["first", "state", "proposal", "verdict", "memory"])
def test_the_storage_format_shows_the_paths_of_its_examples(key):
    paths = dict(line.split(" ") for line in (GOLDEN / "paths.txt").read_text().splitlines())
    assert f"`{paths[key]}`" in FORMAT.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_reference_is_fresh(name):
    page = FORMAT.parent / name
    assert page.read_text(encoding="utf-8") == PAGES[name](), "run `python tools/reference.py`"


def test_the_readme_leads_to_every_page_of_the_reference():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in FORMAT.parent.glob("*.md"))
    assert [name for name in pages if f"(docs/reference/{name})" not in text] == []


PAGES_OF_OURS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(FORMAT.parent.glob("*.md")),
]


@pytest.mark.parametrize("page", PAGES_OF_OURS, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_command_teaches_and_has_an_example():
    for path, text in _helps(get_command(build()), ("mneme",)):
        body = text.split("\n\n")
        assert len(body) > 1, path
        assert len(body[1].strip()) > 20, f"{path} does not say what it does"
        if "Commands:" not in text:
            assert "Example: mneme" in " ".join(text.split()), f"{path} has no example"
