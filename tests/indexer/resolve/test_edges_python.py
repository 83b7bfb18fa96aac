from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts


def edges(files, path: str):
    return {(row.kind, row.src, row.dst) for row in Resolver(Texts(files)).edges_of(path)}


def test_imports_find_modules_packages_and_what_is_outside():
    files = {
        "app/__init__.py": "from .core import start\n",
        "app/core.py": "def start(): pass\n",
        "app/sub/__init__.py": "",
        "app/sub/deep.py": "import json\nimport app.core\nfrom app import start\nfrom .. import core\nfrom . import missing\nfrom ...far import x\n",
        "app/json.py": "",
    }

    assert edges(files, "app/sub/deep.py") == {
        ("imports", "app/sub/deep.py", "ext:json"),
        ("imports", "app/sub/deep.py", "app/core.py"),
        ("imports", "app/sub/deep.py", "app/__init__.py"),
        ("imports", "app/sub/deep.py", "app/sub/__init__.py"),
        ("imports", "app/sub/deep.py", "ext:...far"),
    }


def test_a_folder_of_sources_is_a_root_for_everybody():
    files = {
        "src/shop/__init__.py": "",
        "src/shop/cart.py": "class Cart: pass\n",
        "tests/test_cart.py": "from shop.cart import Cart\n\ndef test(): Cart()\n",
    }

    assert edges(files, "tests/test_cart.py") == {
        ("imports", "tests/test_cart.py", "src/shop/cart.py"),
        ("calls", "tests/test_cart.py::test", "src/shop/cart.py::Cart"),
    }


def test_a_name_is_followed_through_what_a_package_offers():
    files = {
        "pkg/__init__.py": "from .one import *\nfrom .two import b as c\n",
        "pkg/one.py": "def a(): pass\n",
        "pkg/two.py": "def b(): pass\n",
        "use.py": "from pkg import a, c\nimport pkg\n\ndef go():\n    a()\n    c()\n    pkg.a()\n",
    }

    assert {row for row in edges(files, "use.py") if row[0] == "calls"} == {
        ("calls", "use.py::go", "pkg/one.py::a"),
        ("calls", "use.py::go", "pkg/two.py::b"),
    }


def test_circles_of_imports_end():
    files = {
        "a.py": "from b import *\nfrom b import x\n\ndef f(): x()\n",
        "b.py": "from a import *\nfrom a import x\n",
    }

    assert ("imports", "a.py", "b.py") in edges(files, "a.py")


def test_methods_are_found_in_the_own_class_then_in_its_bases():
    files = {
        "base.py": "class Base:\n    def save(self): pass\n    def load(self): pass\n",
        "use.py": (
            "import base\n\nclass Own(base.Base):\n    def load(self):\n        self.save()\n        self.load()\n"
            "        super().load()\n        cls.load()\n"
        ),
    }

    assert edges(files, "use.py") == {
        ("imports", "use.py", "base.py"),
        ("extends", "use.py::Own", "base.py::Base"),
        ("calls", "use.py::Own.load", "base.py::Base.save"),
        ("calls", "use.py::Own.load", "use.py::Own.load"),
        ("calls", "use.py::Own.load", "base.py::Base.load"),
    }


def test_receivers_have_the_types_that_are_written_down():
    files = {
        "store.py": "class Store:\n    def get(self): pass\n\ndef open_store() -> Store: pass\n",
        "use.py": (
            "from store import Store, open_store\nimport store\n\nclass A:\n    def __init__(self, inner: Store):\n"
            "        self.inner = inner\n        self.made = Store()\n    def by_field(self):\n        self.made.get()\n\n"
            "def by_parameter(s: Store): s.get()\ndef by_return():\n    s = store.open_store()\n    s.get()\n"
            "def chained(): open_store().get()\ndef unknown(x): x.get()\n"
        ),
    }
    found = {src for kind, src, dst in edges(files, "use.py") if dst == "store.py::Store.get"}

    assert found == {"use.py::A.by_field", "use.py::by_parameter", "use.py::by_return", "use.py::chained"}


def test_a_receiver_of_unknown_type_finds_only_methods_that_few_have():
    files = {
        "a.py": "class A:\n    def reticulate(self): pass\n    def get(self): pass\n\ndef splines(): pass\n",
        "b.py": "import requests\n\ndef f(x):\n    x.reticulate()\n    x.get()\n    x.splines()\n    requests.reticulate()\n",
    }
    rows = [row for row in Resolver(Texts(files)).edges_of("b.py") if row.kind == "calls"]

    assert [(row.dst, row.line, row.confidence) for row in rows] == [("a.py::A.reticulate", 4, 0.5)]


def test_a_bare_name_without_an_import_is_never_taken_from_another_file():
    files = {
        "a.py": "def open(x): pass\ndef fetch(): pass\n",
        "b.py": "def f():\n    open('x')\n    fetch()\n",
    }

    assert edges(files, "b.py") == set()


def test_functions_inside_functions_are_nearer_than_those_of_the_file():
    source = "def f(): pass\n\ndef g():\n    def f(): pass\n    f()\n\ndef h(): f()\n"

    assert edges({"x.py": source}, "x.py") == {
        ("calls", "x.py::g", "x.py::g.f"),
        ("calls", "x.py::h", "x.py::f"),
    }


def test_a_method_is_no_answer_to_a_bare_name():
    source = "class A:\n    def run(self): pass\n    def go(self): run()\n"

    assert edges({"x.py": source}, "x.py") == set()
