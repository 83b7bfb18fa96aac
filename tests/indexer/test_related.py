from pathlib import Path

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from mneme_indexer.resolve.edges import Resolver
from mneme_indexer.resolve.project import FileNames
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


def test_after_an_edit_only_the_changed_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files = {f"m{at}.py": f"from hub import leaf\n\ndef use{at}(): leaf()\n".encode() for at in range(5)}
    tree = MemoryTree({"hub.py": b"def leaf(): pass\n", **files})
    with opened(tmp_path, tree) as index:
        assert len(index.callers("leaf", hops=1)) == 5
        read = []
        real = FileNames.__init__

        def init(self, path, parsed):
            read.append(path)
            real(self, path, parsed)

        monkeypatch.setattr(FileNames, "__init__", init)
        tree.files["m3.py"] = b"def use3(): pass\n"
        tree.files["m5.py"] = b"import hub\n\ndef use5(): hub.leaf()\n"
        del tree.files["m4.py"]
        index.refresh()
        assert names(index.callers("leaf", hops=1)) == ["use0", "use1", "use2", "use5"]
        assert sorted(read) == ["m5.py"]
        assert names(index.callees("use3", hops=1)) == []
        assert sorted(read) == ["m3.py", "m5.py"]


def test_each_use_of_a_name_is_thought_about_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    classes = "".join(f"class C{at}:\n    def get(self):\n        return other()\n\n" for at in range(30))
    tree = MemoryTree({"a.py": f"{classes}def use():\n    C1().get()\n    C2().get()\n".encode()})
    with opened(tmp_path, tree) as index:
        asked = []
        real = Resolver.meant

        def meant(self, row, at):
            asked.append((row.name, row.line))
            return real(self, row, at)

        monkeypatch.setattr(Resolver, "meant", meant)
        assert [row.path for row in index.callers("get", hops=2)] == [("get", "use")]
        assert len(index.callers("C2.get", hops=1)) == 1
        assert index.callers("C3.get", hops=1) == ()
        assert len(asked) == len(set(asked)) == 2
