"""What memories hold on to: with and without a code index, after changes, moves and removals."""

import shutil

import pytest

from mneme_git.app.code import Code
from mneme_git.app.memories_anchor import Anchors
from mneme_git.app.workspace import Environment, Workspace
from mneme_git.memories.record import Draft, memory_of
from mneme_git.memories.stale import Change
from mneme_git.model.memory import MemoryKind, MemoryScope
from mneme_git.store.discover import open_backend
from tests.support.memories import NOON, named

CART = "class Cart:\n    def total(self):\n        return 1\n\n\ndef free():\n    return 2\n"
OTHER = "def lonely():\n    return 3\n\n\ndef total():\n    return 4\n"


@pytest.fixture(params=["pygit2", "program"])
def anchors(shop, request):
    backend = open_backend(shop.path, prefer=request.param)
    made = Anchors(backend)
    yield made
    made.close()
    backend.close()


@pytest.fixture
def shop(repo):
    repo.write("shop/cart.py", CART)
    repo.write("shop/other.py", OTHER)
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "shop")
    return repo


def index(repo):
    with Code(Workspace(cwd=repo.path, env=Environment(), now=lambda: 0)) as code:
        code.refresh()


def recorded(anchors, files=(), identifiers=(), **fields):
    """Return a memory of these anchors by its name, as it is recorded now."""
    draft = Draft(kind=MemoryKind.GOTCHA, body="b", files=files, identifiers=identifiers, **fields)
    blobs, texts = anchors.recorded(draft.files, draft.identifiers)
    return named(memory_of(draft, created_at=NOON, author="", branch="main", blobs=blobs, texts=texts))


def told(anchors, memories, **how):
    found = anchors.stale(memories, **how)
    return [(row.what, row.name, row.change, row.to) for rows in found.values() for row in rows]


def test_a_file_gets_the_id_that_git_gives_it(shop, anchors):
    shop.write("new.txt", "a\r\nb\n")
    shop.write(".gitattributes", "*.txt text eol=lf\n")
    blobs, _ = anchors.recorded(["shop/cart.py", "new.txt", "absent.py", "../x", "/x", "shop", "a\0b"], [])
    ids = {path: shop.git("hash-object", path) for path in ("shop/cart.py", "new.txt")}
    assert blobs == ids


def test_nothing_is_built_or_written_to_find_a_symbol(shop, anchors):
    _, texts = anchors.recorded(["shop/cart.py"], ["free", "Cart.total", "lonely", "absent"])
    assert sorted(texts) == ["Cart.total", "free"]
    assert not (shop.path / ".git/mneme/index.db").exists()


def test_with_an_index_a_symbol_is_found_in_any_file(shop, anchors):
    index(shop)
    _, texts = anchors.recorded([], ["free", "lonely", "Cart::total", "absent"])
    assert sorted(texts) == ["Cart::total", "free", "lonely"]


def test_the_hash_is_the_same_with_and_without_an_index(shop, anchors):
    _, before = anchors.recorded(["shop/cart.py"], ["total", "free", "Cart"])
    index(shop)
    fresh = Anchors(open_backend(shop.path))
    _, after = fresh.recorded(["shop/cart.py"], ["total", "free", "Cart"])
    assert before == after
    assert len(before) == 3


def test_symbols_of_one_name_in_the_memorys_files_come_before_all_others(shop, anchors):
    index(shop)
    _, in_cart = anchors.recorded(["shop/cart.py"], ["total"])
    _, in_other = anchors.recorded(["shop/other.py"], ["total"])
    _, everywhere = anchors.recorded([], ["total"])
    assert len({in_cart["total"], in_other["total"], everywhere["total"]}) == 3


def test_a_memory_is_not_stale_while_its_code_is_as_it_was(shop, anchors):
    index(shop)
    made = recorded(anchors, ("shop/cart.py",), ("Cart.total", "lonely"))
    assert told(anchors, made) == []
    shop.write("shop/new.py", "x = 1\n")
    assert told(anchors, made) == []


def test_a_change_beside_a_symbol_leaves_the_symbol(shop, anchors):
    made = recorded(anchors, ("shop/cart.py",), ("free", "Cart.total"))
    shop.write("shop/cart.py", "import os\n\n\n" + CART.replace("return 2", "return 22"))
    assert told(anchors, made) == [("file", "shop/cart.py", "changed", ""), ("symbol", "free", "changed", "")]
    shop.write("shop/cart.py", CART)
    assert told(anchors, made) == []


def test_an_index_that_is_behind_is_not_believed(shop, anchors):
    index(shop)
    made = recorded(anchors, (), ("lonely",))
    shop.write("shop/other.py", OTHER.replace("return 3", "return 33"))
    assert told(anchors, made) == [("symbol", "lonely", "changed", "")]
    shop.write("shop/other.py", "x = 1\n")
    assert told(anchors, made) == [("symbol", "lonely", "vanished", "")]


def test_what_is_gone_has_vanished(shop, anchors):
    made = recorded(anchors, ("shop/cart.py", "shop/other.py"), ("free",))
    (shop.path / "shop/cart.py").unlink()
    assert told(anchors, made) == [
        ("file", "shop/cart.py", "vanished", ""),
        ("symbol", "free", "vanished", ""),
    ]


def test_a_file_that_moved_is_found_by_its_content_and_its_symbols_too(shop, anchors):
    made = recorded(anchors, ("shop/cart.py",), ("free",))
    shop.git("mv", "shop/cart.py", "basket.py")
    index(shop)
    assert told(anchors, made) == [("file", "shop/cart.py", "moved", "basket.py")]


def test_what_could_not_be_found_is_told_only_if_asked(shop, anchors):
    made = recorded(anchors, ("absent.py",), ("nothing",))
    assert told(anchors, made) == []
    assert told(anchors, made, unknown=True) == [
        ("file", "absent.py", "unknown", ""),
        ("symbol", "nothing", "unknown", ""),
    ]


def test_a_symbol_without_a_file_is_not_known_where_the_index_is_gone(shop, anchors):
    index(shop)
    made = recorded(anchors, (), ("lonely",))
    shutil.rmtree(shop.path / ".git/mneme")
    fresh = Anchors(open_backend(shop.path))
    assert told(fresh, made) == []
    assert told(fresh, made, unknown=True) == [("symbol", "lonely", "unknown", "")]


@pytest.mark.parametrize("damage", [b"", b"no database at all", b"SQLite format 3\0" + b"x" * 5_000])
def test_a_damaged_index_is_as_none(shop, anchors, damage):
    (shop.path / ".git/mneme").mkdir(exist_ok=True)
    (shop.path / ".git/mneme/index.db").write_bytes(damage)
    _, texts = anchors.recorded(["shop/cart.py"], ["free", "lonely"])
    assert list(texts) == ["free"]
    assert (shop.path / ".git/mneme/index.db").read_bytes() == damage


def test_global_memories_hold_on_to_no_repository(shop, anchors):
    made = recorded(anchors, ("shop/cart.py",), scope=MemoryScope.GLOBAL)
    shop.write("shop/cart.py", "x = 1\n")
    assert anchors.stale(made) == {}


def test_a_revision_is_compared_with_its_own_files(shop, anchors):
    made = recorded(anchors, ("shop/cart.py",), ("free",))
    before = shop.git("rev-parse", "HEAD")
    shop.write("shop/cart.py", CART.replace("return 2", "return 22"))
    shop.git("commit", "-q", "-am", "other")
    backend = open_backend(shop.path)
    assert Anchors(backend, at=before).stale(made) == {}
    after = Anchors(backend, at=shop.git("rev-parse", "HEAD")).stale(made)
    assert [row.change for row in next(iter(after.values()))] == ["changed", "changed"]
    start = Anchors(backend, at=shop.git("rev-parse", "HEAD~2")).stale(made)
    assert Change(what="file", name="shop/cart.py", change="vanished") in next(iter(start.values()))


def test_files_that_did_not_change_are_not_read_again(shop, anchors, monkeypatch):
    made = recorded(anchors, ("shop/cart.py",), ("free",))
    told(anchors, made)
    monkeypatch.setattr(anchors._backend, "clean_files", None)
    monkeypatch.setattr(anchors._backend, "clean_bytes", None)
    monkeypatch.setattr(anchors._backend, "read", None)
    assert told(anchors, made) == []


def test_a_linked_work_tree_has_its_own_files_and_its_own_view(shop, tmp_path):
    index(shop)
    shop.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = type(shop)(tmp_path / "linked")
    linked.write("shop/other.py", OTHER.replace("return 3", "return 33"))
    there, here = Anchors(open_backend(linked.path)), Anchors(open_backend(shop.path))
    _, without = there.recorded([], ["lonely"])
    index(linked)
    _, texts = there.recorded([], ["lonely"])
    assert without == {}
    assert texts["lonely"] != here.recorded([], ["lonely"])[1]["lonely"]


def test_an_absolute_path_or_one_that_leads_out_is_known_to_be_neither_there_nor_gone(shop, anchors):
    made = recorded(anchors, ("../outside.py", "/opt/outside.py"))
    assert told(anchors, made, unknown=True) == [
        ("file", "../outside.py", "unknown", ""),
        ("file", "/opt/outside.py", "unknown", ""),
    ]
