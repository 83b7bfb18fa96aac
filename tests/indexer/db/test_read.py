"""What the index answers for a view, against what stands in the files."""

import pytest

from mneme_indexer.answers import Settings
from mneme_indexer.build.refresh import refresh
from mneme_indexer.db.postings import DOC_TIMES, IN_CONTAINER, IN_NAME, IN_SIGNATURE
from mneme_indexer.db.session import Session
from tests.indexer.build.trees import MemoryTree

FILES = {
    "shop/cart.py": b'''class Cart:
    """A basket of goods: goods, goods."""

    def add_item(self, item: "Item") -> None:
        self.items.append(item)


def Total(cart):
    return cart.total()
''',
    "shop/total.py": b"def total(cart):\n    return helper(cart)\n\n\ndef subtotal(cart):\n    return total(cart)\n",
    "web/TOTAL.js": b"export function totals() { return Total() }\nexport function TOTAL() {}\n",
    "web/ü.py": "def größe():\n    return 1\n".encode(),
}


@pytest.fixture
def reader(tmp_path):
    session = Session(tmp_path, "work", pytest.fail)
    refresh(session, MemoryTree(FILES), None, Settings(workers=1))
    with session.reading() as reader:
        yield reader
    session.close()


def paths(reader, blobs):
    return sorted(path for blob in blobs for path in reader.view.paths[blob])


def names(reader, hits):
    return [(hit.how, hit.path, reader.symbols(hit.blob)[hit.symbol].name) for hit in hits]


def test_names_are_found_exactly_then_but_for_case_then_as_prefix_then_inside(reader):
    assert names(reader, reader.lookup("total", 20)) == [
        (0, "shop/total.py", "total"),
        (1, "shop/cart.py", "Total"),
        (1, "web/TOTAL.js", "TOTAL"),
        (2, "web/TOTAL.js", "totals"),
        (3, "shop/total.py", "subtotal"),
    ]


def test_a_limit_cuts_from_the_end(reader):
    everything = reader.lookup("total", 20)
    for limit in range(6):
        assert reader.lookup("total", limit) == everything[:limit]


def test_only_the_kinds_that_are_asked_for_are_found(reader):
    assert names(reader, reader.lookup("cart", 20, ("class",))) == [(1, "shop/cart.py", "Cart")]
    assert reader.lookup("cart", 20, ("interface",)) == []


def test_a_name_of_any_script_is_found_whatever_its_case(reader):
    assert names(reader, reader.lookup("GRÖSSE", 20)) == [(1, "web/ü.py", "größe")]
    assert names(reader, reader.lookup("größe", 20)) == [(0, "web/ü.py", "größe")]


@pytest.mark.parametrize("name", ["", "%", "_____", "*", "nothing of this kind"])
def test_a_name_that_is_nowhere_finds_nothing(reader, name):
    assert reader.lookup(name, 20) == []


def test_the_symbols_of_exactly_a_name(reader):
    found = [
        (paths(reader, [blob]), reader.symbols(blob)[symbol].name) for blob, symbol in reader.named("Total")
    ]
    assert found == [(["shop/cart.py"], "Total")]


def test_the_files_with_a_term_and_how_often_it_stands_there(reader):
    found = {reader.view.paths[blob][0]: times for blob, times in reader.postings("goods")}
    assert found == {"shop/cart.py": 3}
    found = {reader.view.paths[blob][0]: times for blob, times in reader.postings("item")}
    assert found == {"shop/cart.py": 4}  # add_item, item, Item, item
    assert reader.postings("nothing") == []


def test_the_symbols_with_a_term_in_their_head_and_where(reader):
    def heads(term):
        return {
            reader.symbols(blob)[symbol].qualified: weight
            for blob, symbol, weight in reader.heads(term)
            if reader.view.paths[blob] == ("shop/cart.py",)
        }

    assert heads("goods")["Cart"] & DOC_TIMES == 3
    assert heads("item")["Cart.add_item"] & IN_NAME
    assert heads("item")["Cart.add_item"] & IN_SIGNATURE
    assert heads("cart")["Cart.add_item"] == IN_CONTAINER
    assert heads("cart")["Cart"] & IN_NAME


def test_who_uses_a_name(reader):
    assert paths(reader, reader.users("helper")) == ["shop/total.py"]
    assert paths(reader, reader.users("Total")) == ["web/TOTAL.js"]


def test_the_uses_of_a_blob_are_those_of_the_file(reader):
    blob = reader.view.blob_of("shop/total.py")
    uses = reader.uses(blob.id)
    assert [(use.name, use.line) for use in uses.references if use.kind == "calls"] == [
        ("helper", 2),
        ("total", 6),
    ]


def test_a_blob_that_is_gone_has_nothing(reader):
    assert reader.symbols(10_000) == ()
    assert reader.uses(10_000).references == ()


def test_another_connection_that_switches_the_view_is_followed(tmp_path):
    one, two = Session(tmp_path, "work", pytest.fail), Session(tmp_path, "work", pytest.fail)
    refresh(one, MemoryTree({"a.py": b"def first():\n    pass\n"}), None, Settings(workers=1))
    with two.reading() as reader:
        assert len(reader.lookup("first", 9)) == 1
    refresh(one, MemoryTree({"a.py": b"def second():\n    pass\n"}), None, Settings(workers=1))
    with two.reading() as reader:
        assert reader.lookup("first", 9) == []
        assert names(reader, reader.lookup("second", 9)) == [(0, "a.py", "second")]
    one.close()
    two.close()


def test_a_file_that_another_process_rebuilt_is_opened_again(tmp_path):
    tree = MemoryTree({"a.py": b"def first():\n    pass\n"})
    one, two = Session(tmp_path, "work", pytest.fail), Session(tmp_path, "work", pytest.fail)
    refresh(two, tree, None, Settings(workers=1))
    one.start_anew("")
    assert refresh(two, tree, None, Settings(workers=1)).parsed == 1
    with two.reading() as reader:
        assert len(reader.lookup("first", 9)) == 1
    one.close()
    two.close()
