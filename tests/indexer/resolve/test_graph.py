from mneme_indexer.resolve.edges import Resolver
from mneme_indexer.resolve.graph import Graph
from tests.indexer.sources import Texts

CHAIN = {
    "a.py": "def leaf():\n    return 1\n\n\ndef mid():\n    return leaf()\n\n\ndef top():\n    return mid()\n"
}


def graph(files) -> Graph:
    return Graph(Resolver(Texts(files)))


def names(rows):
    return [row.names[-1] for row in rows]


def test_callers_come_nearest_first_with_the_way_that_leads_to_them():
    rows = graph(CHAIN).callers("leaf", "", 2)

    assert [(row.depth, row.names) for row in rows] == [(1, ("leaf", "mid")), (2, ("leaf", "mid", "top"))]
    assert names(graph(CHAIN).callers("leaf", "", 1)) == ["mid"]


def test_callees_go_the_other_way():
    assert names(graph(CHAIN).callees("top", "", 2)) == ["mid", "leaf"]
    assert names(graph(CHAIN).callees("top", "", 1)) == ["mid"]


def test_an_unknown_symbol_has_nobody():
    assert graph(CHAIN).callers("nothing", "", 5) == []
    assert graph(CHAIN).callees("leaf", "other.py", 5) == []


def test_a_circle_ends_and_gives_each_symbol_once_without_the_start():
    source = "def a():\n    b()\n\ndef b():\n    c()\n\ndef c():\n    a()\n    c()\n"

    assert names(graph({"x.py": source}).callers("a", "", 5)) == ["c", "b"]
    assert names(graph({"x.py": source}).callees("a", "", 5)) == ["b", "c"]


def test_a_symbol_that_is_reached_on_many_ways_is_one_row():
    source = "def end(): pass\n" + "".join(
        f"def f{n}():\n    end()\n" + "".join(f"    f{m}()\n" for m in range(n)) for n in range(12)
    )

    assert len(graph({"x.py": source}).callers("end", "", 5)) == 12


def test_a_file_narrows_the_start():
    files = {
        "one/a.py": "def run(): pass\ndef first(): run()\n",
        "two/a.py": "def run(): pass\ndef second(): run()\n",
    }

    assert names(graph(files).callers("run", "", 1)) == ["first", "second"]
    assert names(graph(files).callers("run", "two/a.py", 1)) == ["second"]
    assert names(graph(files).callers("run", "two", 1)) == ["second"]


def test_a_container_narrows_the_start():
    source = "class A:\n    def go(self): pass\n    def x(self): self.go()\nclass B:\n    def go(self): pass\n    def y(self): self.go()\n"

    assert names(graph({"x.py": source}).callers("B.go", "", 1)) == ["y"]


def test_the_code_of_a_file_is_a_caller_of_its_own():
    rows = graph({"x.py": "def f(): pass\n\nf()\n"}).callers("f", "", 2)

    assert [(row.names, row.ref, row.line) for row in rows] == [(("f", "x.py"), ("x.py", -1), 3)]


def test_a_name_that_is_used_under_another_is_found():
    files = {
        "lib.py": "def work(): pass\n",
        "use.py": "from lib import work as toil\n\ndef day():\n    toil()\n",
        "a.ts": "export default function make() {}\n",
        "b.ts": 'import build from "./a";\nexport const go = () => build();\n',
    }

    assert names(graph(files).callers("work", "", 1)) == ["day"]


def test_a_class_is_called_where_it_is_made_and_so_is_its_constructor():
    source = "class A:\n    def __init__(self):\n        helper()\n\ndef helper(): pass\n\ndef make():\n    return A()\n"

    assert names(graph({"x.py": source}).callers("A", "", 1)) == ["make"]
    assert names(graph({"x.py": source}).callers("__init__", "", 1)) == ["make"]
    assert names(graph({"x.py": source}).callees("make", "", 2)) == ["A", "helper"]


def test_the_least_sure_step_says_how_sure_a_way_is():
    files = {
        "x.py": "class A:\n    def special_work(self): pass\n\ndef go(thing):\n    thing.special_work()\n\ndef top(): go(1)\n"
    }
    rows = graph(files).callers("special_work", "", 2)

    assert [(row.names[-1], row.confidence) for row in rows] == [("go", 0.5), ("top", 0.5)]


def test_a_name_that_is_offered_under_another_is_found():
    files = {
        "a.ts": "function inner() {}\nexport { inner as outer };\nfunction plain() {}\nexport default plain;\n",
        "b.ts": 'import own, { outer } from "./a";\nexport const one = () => outer();\nexport const two = () => own();\n',
        "c.ts": 'export { outer as third } from "./a";\n',
    }

    assert names(graph(files).callers("inner", "", 1)) == ["one"]
    assert names(graph(files).callers("plain", "", 1)) == ["two"]
