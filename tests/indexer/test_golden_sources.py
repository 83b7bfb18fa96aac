"""The recorded source cases beside the checkout; without them there is nothing to compare with."""

import json
from pathlib import Path

import pytest

from mneme_indexer.extract.parse import parse
from mneme_indexer.languages.registry import language_of
from mneme_indexer.model import PUBLIC_KINDS
from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts

CASES = Path(__file__).resolve().parents[3] / "shared" / "golden" / "context-memory"
NAMES = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
# A function inside a function is there called by its bare name, here by the names around it.
OTHERWISE = {("calls", "src/x.rs::Wrapper.raw", "src/x.rs::nested")}

pytestmark = pytest.mark.skipif(not NAMES, reason="the recorded cases are not beside this checkout")


def read(name: str):
    source = CASES / name / "src"
    files = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in source.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 20
    }
    return files, json.loads((CASES / name / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_symbols_of_a_recorded_case_are_all_there_and_no_others(name: str):
    files, case = read(name)
    tolerated = case["tolerances"]
    alias, slack = tolerated["kind_alias"], tolerated["start_line_slack"]
    found = []
    for path, data in files.items():
        row = language_of(path, data.partition(b"\n")[0])
        found += [(path, symbol) for symbol in parse(row.name, data).symbols] if row else []
    left = [pair for pair in found if pair[1].kind in PUBLIC_KINDS]
    for wanted in case["expected"]["symbols"]:
        fits = [
            (path, symbol)
            for path, symbol in left
            if (path, symbol.name, symbol.end_line, symbol.exported)
            == (wanted["file"], wanted["name"], wanted["end_line"], wanted["exported"])
            and abs(symbol.start_line - wanted["start_line"]) <= slack
            and alias.get(symbol.kind, symbol.kind) == wanted["kind"]
            and (symbol.container or None) == wanted["container"]
            and wanted.get("doc", "") in symbol.doc
        ]
        assert fits, wanted
        left.remove(fits[0])

    listed = {wanted["file"] for wanted in case["expected"]["symbols"]}
    assert [
        symbol.name
        for path, symbol in left
        if path in listed and symbol.name not in tolerated["optional_names"]
    ] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_edges_of_a_recorded_case_are_all_there(name: str):
    files, case = read(name)
    resolver = Resolver(Texts(files))
    found = {(row.kind, row.src, row.dst) for path in files for row in resolver.edges_of(path)}
    wanted = {(row["kind"], row["src"], row["dst"]) for row in case["expected"]["edges"]}

    assert wanted - found - OTHERWISE == set()
