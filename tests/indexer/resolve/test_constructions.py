"""Receivers that are made on the spot, or whose type another line writes down."""

import pytest

from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts


def calls(files: dict[str, str], path: str):
    rows = Resolver(Texts(files)).edges_of(path)
    return {(row.src.rpartition("::")[2], row.dst) for row in rows if row.kind == "calls"}


def methods(files: dict[str, str], path: str):
    return {row for row in calls(files, path) if row[1].endswith(("parse", "Parse"))}


@pytest.mark.parametrize(
    ("path", "source", "owner"),
    [
        ("x.cs", "class A { public int parse() { return 1; } }\nclass B { public int parse() { return 2; } }\nclass C { int go(int a) { return new A().parse(); } }", "C.go"),
        ("x.cs", "class A { public A(int a) {} int parse() { return 1; } int go() { return (new A(1) { X = 2 }).parse(); } }\nclass B { int parse() { return 2; } }", "A.go"),
        ("x.java", "class A { int parse() { return 1; } }\nclass B { int parse() { return 2; } }\nclass C { int go() { return new A(1).parse(); } }", "C.go"),
        ("x.ts", "class A { parse() {} }\nclass B { parse() {} }\nfunction go() { (new A(1)).parse() }", "go"),
        ("x.js", "class A { parse() {} }\nclass B { parse() {} }\nfunction go() { new A(1).parse() }", "go"),
        ("x.py", "class A:\n    def parse(self): pass\nclass B:\n    def parse(self): pass\ndef go(): A(1).parse()\n", "go"),
        ("x.php", "<?php class A { function parse() {} }\nclass B { function parse() {} }\nfunction go() { (new A(1))->parse(); }", "go"),
        ("x.rs", "struct A { x: u8 }\nimpl A { fn parse(&self) {} }\nstruct B;\nimpl B { fn parse(&self) {} }\nfn go() { A { x: 1 }.parse(); }", "go"),
    ],
)  # fmt: skip
def test_a_method_of_what_is_made_on_the_spot_is_that_of_its_class(path: str, source: str, owner: str):
    assert methods({path: source}, path) == {(owner, f"{path}::A.parse")}


@pytest.mark.parametrize("made", ["(&A{}).Parse()", "A{a: 1}.Parse()", "new(A).Parse()", "(&q.A{}).Parse()"])
def test_a_method_of_a_literal_of_go_is_that_of_its_type(made: str):
    types = "type A struct { a int }\nfunc (a *A) Parse() {}\ntype B struct{}\nfunc (b *B) Parse() {}\n"
    place = "m/q/q.go" if "q." in made else "m/a.go"
    files = {
        "go.mod": "module example.com/r\n",
        place: f"package {'q' if 'q.' in made else 'm'}\n{types}",
        "m/x.go": f'package m\nimport "example.com/r/m/q"\nfunc Go() {{ {made} }}\n',
    }

    assert methods(files, "m/x.go") == {("Go", f"{place}::A.Parse")}


def test_a_method_of_a_class_from_outside_that_is_made_here_is_none_of_ours():
    source = "class B { int parse() { return 2; } }\nclass C { int go() { return new Foreign().parse(); } }"

    assert methods({"x.java": source}, "x.java") == set()
    assert methods({"x.cs": source}, "x.cs") == set()


FIELDS = """\
class PA:
    def parse(self): pass

class PB:
    def parse(self): pass

class User:
    q: PA

    def __init__(self, r: PA, s, t: PB):
        self.r = r
        self.s = s
        self.u = t

    def of_class(self): self.q.parse()
    def of_parameter(self): self.r.parse()
    def unknown(self): self.s.parse()
    def other(self): self.u.parse()
"""


def test_fields_of_python_have_the_type_that_the_class_or_the_parameter_says():
    assert methods({"x.py": FIELDS}, "x.py") == {
        ("User.of_class", "x.py::PA.parse"),
        ("User.of_parameter", "x.py::PA.parse"),
        ("User.other", "x.py::PB.parse"),
    }


def test_the_only_type_of_its_name_needs_no_using_of_the_file():
    files = {
        "src/Cache.cs": "namespace Deep.Parsing;\npublic partial class Cache { public int Parse() { return 1; } }\n",
        "src/Cache.More.cs": "namespace Deep.Parsing;\npublic partial class Cache { int More() { return 1; } }\n",
        "src/Other.cs": "namespace Other;\npublic class Thing { public int Parse() { return 1; } }\n",
        "src/User.cs": (
            "namespace Users;\nclass User {\n  readonly Cache _parser;\n  readonly Twice _twice;\n"
            "  int Go() { return _parser.Parse(); }\n  int Else() { return _twice.Parse(); }\n}\n"
        ),
        "src/Twice1.cs": "namespace One;\nclass Twice { public int Parse() { return 1; } }\n",
        "src/Twice2.cs": "namespace Two;\nclass Twice { public int Parse() { return 1; } }\n",
    }

    assert methods(files, "src/User.cs") == {("User.Go", "src/Cache.cs::Cache.Parse")}


def test_a_path_through_a_crate_that_is_offered_on_is_followed():
    files = {
        "crates/grep/Cargo.toml": '[package]\nname = "grep"\n',
        "crates/grep/src/lib.rs": "pub extern crate grep_printer as printer;\nextern crate grep_hidden as hidden;\n",
        "crates/printer/Cargo.toml": '[package]\nname = "grep-printer"\n',
        "crates/printer/src/lib.rs": "pub use crate::color::colours;\nmod color;\n",
        "crates/printer/src/color.rs": "pub fn colours() {}\n",
        "crates/hidden/Cargo.toml": '[package]\nname = "grep-hidden"\n',
        "crates/hidden/src/lib.rs": "pub fn colours() {}\n",
        "app/Cargo.toml": '[package]\nname = "app"\n',
        "app/src/main.rs": "fn main() { grep::printer::colours(); }\nfn no() { grep::hidden::colours(); }\n",
    }

    assert calls(files, "app/src/main.rs") == {("main", "crates/printer/src/color.rs::colours")}


def test_a_method_that_another_class_adds_to_a_type_or_its_base_is_one_of_it():
    files = {
        "A.cs": "namespace N;\ninterface IValue {}\nclass Value : IValue {}\nclass Other {}\n",
        "B.cs": (
            "namespace N;\nstatic class Ext { public static int Parse(this IValue value) { return 1; } }\n"
            "static class No { public static int Parse(Value value) { return 1; } }\n"
        ),
        "C.cs": "namespace N;\nclass C { int Go(Value v, Other o) { return v.Parse() + o.Parse(); } }\n",
        "D.cs": "namespace N;\nclass D { int Go(Other o) { return o.Parse(); } }\n",
    }

    assert methods(files, "C.cs") == {("C.Go", "B.cs::Ext.Parse")}
    assert methods(files, "D.cs") == set()
