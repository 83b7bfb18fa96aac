from mneme_indexer.extract.parse import parse

SOURCE = b'''\
import os.path as op
from .sibling import thing as renamed, other
from pkg import *


class Shop(Base, mixins.Named, metaclass=Meta):
    """Sells things."""

    limit: int = 3

    @property
    def stock(self) -> Stock:
        # not the doc
        """What is there."""
        self.store: Store = open_store()
        return self.store.get(op.join("a"))

    def _hidden(self):
        def local():
            return renamed()
        return local()


FIRST, SECOND = 1, 2
FIRST = 3
type Alias = int
'''


def parsed(source: bytes = SOURCE):
    return parse("python", source)


def named(name: str):
    return next(row for row in parsed().symbols if row.name == name)


def test_a_class_a_property_and_what_is_inside_them_know_their_containers():
    rows = [(row.qualified, row.kind, row.detail) for row in parsed().symbols]

    assert rows == [
        ("Shop", "class", "class"),
        ("Shop.limit", "field", "field"),
        ("Shop.stock", "method", "function"),
        ("Shop._hidden", "method", "function"),
        ("Shop._hidden.local", "function", "function"),
        ("FIRST", "const", "variable"),
        ("SECOND", "const", "variable"),
        ("Alias", "type", "type"),
    ]


def test_a_decorator_belongs_to_the_span_and_not_to_the_signature():
    stock = named("stock")

    assert (stock.start_line, stock.end_line) == (11, 16)
    assert stock.signature == "def stock(self) -> Stock:"
    assert stock.doc == "What is there."


def test_names_with_an_underscore_and_local_ones_are_not_exported():
    assert not named("_hidden").exported
    assert not named("local").exported
    assert named("stock").exported


def test_uses_know_the_symbol_they_stand_in():
    rows = parsed()
    uses = {(use.kind, use.receiver, use.name, rows.symbols[use.owner].name) for use in rows.references}

    assert ("extends", "", "Base", "Shop") in uses
    assert ("extends", "mixins", "Named", "Shop") in uses
    assert ("calls", "self.store", "get", "stock") in uses
    assert ("calls", "op", "join", "stock") in uses
    assert ("calls", "", "renamed", "local") in uses
    assert ("references", "", "Stock", "stock") in uses


def test_a_field_of_self_belongs_to_its_class():
    rows = parsed()
    bound = {(row.name, row.type, rows.symbols[row.owner].name) for row in rows.bindings}

    assert ("self.store", "Store", "Shop") in bound


def test_imports_are_told_apart():
    rows = [(row.module, row.name, row.alias) for row in parsed().imports]

    assert rows == [
        ("os.path", "", "op"),
        (".sibling", "other", ""),
        (".sibling", "thing", "renamed"),
        ("pkg", "*", ""),
    ]


def test_bytes_count_in_utf_8_after_letters_of_any_script():
    source = 'x = "é😀"\n\n\ndef größe(): return 1\n'.encode()
    row = parsed(source).symbols[1]

    assert source[row.start_byte : row.end_byte].decode() == "def größe(): return 1"


def test_a_mark_of_byte_order_and_windows_line_ends_change_nothing():
    source = b"\xef\xbb\xbfimport os\r\n\r\n\r\ndef first():\r\n    return 1\r\n"
    rows = parsed(source)

    assert [row.module for row in rows.imports] == ["os"]
    assert (rows.symbols[0].signature, rows.symbols[0].start_line, rows.symbols[0].end_line) == (
        "def first():",
        4,
        5,
    )


def test_a_list_of_what_is_exported_says_so_for_the_whole_file():
    source = (
        b'__all__ = ["shown", "_odd"]\n__all__ += ("Late",)\n__version__ = "1"\n\ndef shown(): pass\ndef _odd(): pass\n'
        b"def hidden(): pass\nclass Late:\n    def go(self): pass\n    def _own(self): pass\n"
    )
    rows = parsed(source).symbols

    assert [(row.qualified, row.kind, row.exported) for row in rows] == [
        ("__all__", "variable", True),
        ("__version__", "const", True),
        ("shown", "function", True),
        ("_odd", "function", True),
        ("hidden", "function", False),
        ("Late", "class", True),
        ("Late.go", "method", True),
        ("Late._own", "method", False),
    ]
