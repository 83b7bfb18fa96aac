from pathlib import Path

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from tests.indexer.build.trees import MemoryTree

FILES = {
    "shop/cart.py": b"class Cart:\n    def total(self):\n        return add()\n\ndef add(): pass\n",
    "shop/order.py": b"class Order:\n    def total(self): pass\n    def subtotal(self): pass\n",
    "store.rs": b"mod a {\n    pub struct Box1;\n    impl Box1 { pub fn open(&self) {} }\n}\n",
    "api.php": b"<?php\nnamespace Shop\\Api;\nclass Desk { function serve() {} }\n",
}


@pytest.fixture
def index(tmp_path: Path):
    with CodeIndex(tmp_path, MemoryTree(dict(FILES)), None, Settings(workers=1, history=0)) as opened:
        opened.refresh()
        yield opened


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Order.total", ("shop/order.py", "total")),
        ("Order::total", ("shop/order.py", "total")),
        ("Order#total", ("shop/order.py", "total")),
        ("order.TOTAL", ("shop/order.py", "total")),
        ("shop.cart.add", ("shop/cart.py", "add")),
        ("shop.order.Order.total", ("shop/order.py", "total")),
        ("a::Box1::open", ("store.rs", "open")),
        ("Shop\\Api\\Desk", ("api.php", "Desk")),
    ],
)
def test_a_qualified_name_is_found_in_its_container(index: CodeIndex, name: str, first: tuple[str, str]):
    rows = index.lookup(name)
    assert [(row.file, row.name) for row in rows] == [first]


def test_a_qualified_name_of_another_container_is_not_found(index: CodeIndex):
    assert index.lookup("Desk.total") == ()
    assert [row.name for row in index.lookup("total")] == ["total", "total", "subtotal"]
    assert index.lookup("Order.total", kind="class") == ()
    assert len(index.lookup("total", limit=1)) == 1
    assert index.lookup("..") == ()


def test_a_walk_starts_at_what_a_qualified_name_means(index: CodeIndex):
    assert index.start("add") == ("add", "")
    assert index.start("Cart::total") == ("Cart.total", "")
    assert index.start("shop.cart.add") == ("add", "shop/cart.py")
    assert index.start("add", "order.py") is None
    assert index.start("nowhere") is None
    assert [row.name for row in index.callees("Cart.total")] == ["add"]


def test_names_that_may_have_been_meant_are_told(index: CodeIndex):
    assert index.near("Cart.totl") == ("Cart.total",)
    assert "Order.subtotal" in index.near("subtotals")
    assert index.near("btota")[0] == "Order.subtotal"
    assert index.near("qqqq") == ()
