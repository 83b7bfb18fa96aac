from pathlib import Path

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from tests.indexer.build.trees import MemoryTree

GO = {
    "go.mod": b"module shop\n",
    "main.go": b'package main\n\nimport "shop/store"\n\nfunc main() { store.Open() }\n',
    "store/store.go": b"package store\n\nfunc Open() {}\n",
}


def opened(folder: Path, tree: MemoryTree) -> CodeIndex:
    index = CodeIndex(folder, tree, None, Settings(workers=1, history=0))
    index.refresh()
    return index


def edges(index: CodeIndex):
    return {(row.kind, row.src, row.dst) for file in index.dump() for row in file.edges}


def names(rows):
    return [row.name for row in rows]


def test_the_edges_of_a_dump_use_what_declares_a_package(tmp_path: Path):
    with opened(tmp_path, MemoryTree(dict(GO))) as index:
        assert edges(index) == {
            ("imports", "main.go", "store/store.go"),
            ("calls", "main.go::main", "store/store.go::Open"),
        }


def test_callers_say_where_they_are_and_how_they_were_reached(tmp_path: Path):
    files = {"a.py": b"class A:\n    def go(self):\n        leaf()\n\ndef leaf(): pass\n\nleaf()\n"}
    with opened(tmp_path, MemoryTree(files)) as index:
        rows = index.callers("leaf", hops=1)

    assert [(row.name, row.kind, row.container, row.lines, row.path) for row in rows] == [
        ("a.py", "file", None, (7, 7), ("leaf", "a.py")),
        ("go", "method", "A", (2, 3), ("leaf", "go")),
    ]


def test_a_name_that_is_imported_under_another_is_found_in_the_index(tmp_path: Path):
    files = {
        "lib.py": b"def work(): pass\n",
        "use.py": b"from lib import work as toil\n\ndef day(): toil()\n",
    }
    with opened(tmp_path, MemoryTree(files)) as index:
        assert names(index.callers("work")) == ["day"]
        assert names(index.callees("day")) == ["work"]


def test_another_snapshot_has_other_callers(tmp_path: Path):
    tree = MemoryTree({"a.py": b"def leaf(): pass\n\ndef one(): leaf()\n"})
    with opened(tmp_path, tree) as index:
        assert names(index.callers("leaf")) == ["one"]
        tree.files["b.py"] = b"from a import leaf\n\ndef two(): leaf()\n"
        index.refresh()
        assert names(index.callers("leaf")) == ["one", "two"]
        tree.files["a.py"] = b"def leaf(): pass\n"
        index.refresh()
        assert names(index.callers("leaf")) == ["two"]
        del tree.files["b.py"]
        index.refresh()
        assert names(index.callers("leaf")) == []


def test_equal_files_at_two_places_are_two_places(tmp_path: Path):
    source = b"def leaf(): pass\n\ndef one(): leaf()\n"
    with opened(tmp_path, MemoryTree({"a.py": source, "b.py": source})) as index:
        assert [row.file for row in index.callers("leaf")] == ["a.py", "b.py"]
        assert [row.file for row in index.callers("leaf", file="b.py")] == ["b.py"]


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b'{"name": 1}', b"\xff\xfe", b"[" * 100_000])
def test_what_declares_a_package_may_be_broken(tmp_path: Path, text: bytes):
    files = {"package.json": text, "go.mod": text, "Cargo.toml": text, "a.ts": b'import x from "y";\n'}
    with opened(tmp_path, MemoryTree(files)) as index:
        assert edges(index) == {("imports", "a.ts", "ext:y")}


def test_what_vanished_meanwhile_is_no_fault(tmp_path: Path):
    tree = MemoryTree(dict(GO))
    with opened(tmp_path, tree) as index:
        tree.torn.add("go.mod")
        assert ("imports", "main.go", "ext:shop/store") in edges(index)
