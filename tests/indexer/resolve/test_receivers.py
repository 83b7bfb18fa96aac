import pytest

from mneme_indexer.languages.registry import languages
from mneme_indexer.model import Binding, Import, ParsedFile, Reference, Symbol
from mneme_indexer.resolve.edges import Resolver
from mneme_indexer.resolve.returns import returned_type
from mneme_indexer.resolve.vague import is_vague
from tests.indexer.sources import Texts


def calls(source: str, path: str = "x.py"):
    rows = Resolver(Texts({path: source})).edges_of(path)
    return {(row.src, row.dst) for row in rows if row.kind == "calls"}


@pytest.mark.parametrize(
    "name", ["get", "push", "startsWith", "starts_with", "ToString", "is_some", "run", "abc"]
)
def test_worn_names_say_nothing_however_they_are_written(name: str):
    assert is_vague(name)


def test_a_name_of_ones_own_says_something():
    assert not is_vague("reticulate_splines")


@pytest.mark.parametrize(
    ("signature", "place", "name"),
    [
        ("def open_store() -> Store:", "arrow", "Store"),
        ("pub fn make(a: (u8, u8)) -> Result<Store, Error>", "arrow", "Store"),
        ("fn none(f: fn(u8) -> u8)", "arrow", "u8"),
        ("def open_store():", "arrow", ""),
        ("export function make(a: (x: A) => B): Promise<pkg.Store>", "colon", "pkg.Store"),
        ("make(a: A)", "colon", ""),
        ("func (s *S) make(f func(int) int) (*store.Store, error)", "after", "store.Store"),
        ("func make()", "after", ""),
        ("public static async Task<Store> make(int n)", "before", "Store"),
        ("std::unique_ptr<a::Store> make(int n)", "before", "a::Store"),
        ("broken ((((", "colon", ""),
        ("", "before", ""),
    ],
)
def test_the_type_that_a_signature_promises(signature: str, place, name: str):
    found = returned_type(signature, "make" if "make" in signature else "open_store", place)

    assert found == name


def test_names_that_are_made_from_each_other_end():
    lines = "".join(
        f"    a = b.f{n}()\n    b = a.g{n}()\n    c = a.h(b).k{n}()\n    a = c\n" for n in range(200)
    )

    assert calls(f"def go(a, b, c):\n{lines}    c.run()\n") == set()


def test_classes_that_extend_each_other_end():
    assert calls("class A(B):\n    def go(self): self.stay()\nclass B(A): pass\n") == set()


def test_a_chain_of_calls_is_followed_by_what_each_returns():
    source = (
        "class A:\n    def b(self) -> 'B': pass\nclass B:\n    def again(self) -> 'Self': pass\n    def last(self): pass\n\n"
        "def go(a: A): a.b().again().last()\n"
    )

    assert ("x.py::go", "x.py::B.last") in calls(source)


def test_a_receiver_whose_type_is_from_outside_finds_nothing_here():
    source = (
        "import lib\n\nclass A:\n    def reticulate(self): pass\n\ndef typed(x: lib.Thing): x.reticulate()\n"
        "def made():\n    y = lib.make()\n    y.reticulate()\n    y.part.reticulate()\ndef unknown(z): z.reticulate()\n"
    )

    assert calls(source) == {("x.py::unknown", "x.py::A.reticulate")}


@pytest.mark.parametrize("language", sorted(languages()))
@pytest.mark.parametrize("receiver", ["a" * 5000, ".".join("a" * 500), "a()" * 200, "::::", "...", "?", "\\"])
def test_a_receiver_of_any_shape_is_no_fault(receiver: str, language: str):
    symbol = Symbol("f", "function", "function", "", "", True, "public", 1, 1, 0, 9)
    parsed = ParsedFile(
        language,
        symbols=(symbol,),
        references=(Reference("calls", "run_it", receiver, 1, 0),),
        bindings=(Binding(receiver, receiver, 0), Binding("a", f"{receiver}.b", 0)),
        imports=(Import(receiver, "x", "", 1), Import(receiver, "", "", 1), Import("", "", "", 1, True)),
    )
    texts = Texts({"x.rs": ""})
    texts._parsed["x.rs"] = parsed

    assert all(row.src.startswith("x.rs") for row in Resolver(texts).edges_of("x.rs"))
