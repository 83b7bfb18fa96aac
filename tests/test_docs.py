"""What the documents promise is what the code does."""

from pathlib import Path

import pytest

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
