import pytest

from mneme_indexer.extract.parse import parse


def symbols(source: str, language: str = "typescript"):
    rows = parse(language, source.encode())
    assert not rows.has_errors
    return {row.qualified: row for row in rows.symbols}


def kinds(source: str, language: str = "typescript"):
    return [(row.qualified, row.kind) for row in symbols(source, language).values()]


def uses(source: str, language: str = "typescript"):
    rows = parse(language, source.encode())
    return {
        (use.kind, use.receiver, use.name, rows.symbols[use.owner].qualified if use.owner >= 0 else "")
        for use in rows.references
    }


def imports(source: str, language: str = "typescript"):
    rows = parse(language, source.encode()).imports
    return [(row.module, row.name, row.alias, row.reexport) for row in rows]


def bindings(source: str, language: str = "typescript"):
    rows = parse(language, source.encode())
    return {
        (row.name, row.type, rows.symbols[row.owner].qualified if row.owner >= 0 else "")
        for row in rows.bindings
    }


def test_every_way_to_write_a_function_gives_a_function():
    source = (
        "function a() {}\nfunction* b() {}\nconst c = () => 1;\nvar d = function () {};\n"
        "let e = async function named() {};\nexport default () => 1;\n"
    )

    assert kinds(source) == [(name, "function") for name in ("a", "b", "c", "d", "e", "default")]
    assert kinds(source, "javascript") == kinds(source)


def test_an_exported_function_keeps_its_comment_and_spans_the_word_export():
    row = symbols("/** Adds. */\nexport const add = (a: number) => {\n  return a;\n};\n")["add"]

    assert (row.doc, row.start_line, row.end_line, row.exported) == ("Adds.", 2, 4, True)
    assert row.signature == "export const add = (a: number) =>"


def test_abstract_classes_private_names_arrow_fields_and_computed_names_are_members():
    source = (
        "export abstract class A {\n  abstract area(): number;\n  #hidden() {}\n  onClick = () => 1;\n"
        '  ["plain"]() {}\n  [Symbol.iterator]() {}\n  get size() { return 1 }\n  static count = 0;\n'
        "  private own() {}\n  protected shared() {}\n}\n"
    )
    rows = symbols(source)

    assert [row.kind for row in rows.values()] == ["class", *["method"] * 6, "field", "method", "method"]
    assert "A.[Symbol.iterator]" in rows
    assert {name for name, row in rows.items() if not row.exported} == {"A.#hidden", "A.own", "A.shared"}


def test_a_class_expression_is_called_what_it_is_assigned_to():
    rows = symbols("const Anon = class Inner { run() {} };\nexport default class { go() {} }\n")

    assert list(rows) == ["Anon", "Anon.run", "default", "default.go"]
    assert rows["default.go"].exported
    assert not rows["Anon.run"].exported


def test_overloads_give_way_to_what_they_announce_and_hand_on_their_comment():
    source = "/** Either. */\nfunction over(x: string): void;\nfunction over(x: any) {}\n"
    rows = parse("typescript", source.encode()).symbols

    assert [(row.name, row.start_line, row.doc) for row in rows] == [("over", 3, "Either.")]


def test_overloads_that_announce_nothing_are_kept():
    rows = parse(
        "typescript", b"declare function f(x: string): void;\ndeclare function f(x: number): void;\n"
    )

    assert [row.start_line for row in rows.symbols] == [1, 2]


def test_members_of_a_namespace_are_offered_only_if_they_say_so():
    rows = symbols("export namespace N {\n  export const a = 1;\n  function hidden() {}\n}\n")

    assert rows["N"].kind == "module"
    assert rows["N.a"].exported
    assert (rows["N.hidden"].kind, rows["N.hidden"].exported) == ("function", False)


def test_interfaces_types_and_enums_have_members():
    source = "interface I { m(): void; p: string }\ntype T = { u: string };\nenum E { A, B = 2 }\n"

    assert kinds(source) == [
        ("I", "interface"),
        ("I.m", "method"),
        ("I.p", "field"),
        ("T", "type"),
        ("T.u", "field"),
        ("E", "enum"),
        ("E.A", "field"),
        ("E.B", "field"),
    ]


def test_names_in_an_export_list_are_exported():
    rows = symbols("function a() {}\nfunction b() {}\nfunction c() {}\nexport { a, b as d };\n")

    assert [row.exported for row in rows.values()] == [True, True, False]


def test_common_js_modules_offer_what_they_assign():
    source = (
        "const fs = require('fs');\nfunction inner() {}\nexports.one = function () {};\nexports.TWO = 2;\n"
        "module.exports = { inner, three() {}, four: () => 4 };\nmodule.exports.five = class {};\n"
    )
    rows = symbols(source, "javascript")

    assert {name: (row.kind, row.exported) for name, row in rows.items()} == {
        "fs": ("variable", False),
        "inner": ("function", True),
        "one": ("function", True),
        "TWO": ("const", True),
        "three": ("function", True),
        "four": ("function", True),
        "five": ("class", True),
    }


def test_methods_that_are_assigned_know_what_they_belong_to():
    source = (
        "function A() {}\nA.prototype.go = function () {};\nA.make = () => 1;\n"
        "A.prototype = { stop() {} };\nconst tools = { cut() {}, glue: () => 1 };\nmodule.exports = A;\n"
    )
    rows = symbols(source, "javascript")

    assert [name for name, row in rows.items() if row.kind == "method"] == [
        "A.go",
        "A.make",
        "A.stop",
        "tools.cut",
        "tools.glue",
    ]
    assert rows["A.go"].exported
    assert not rows["tools.cut"].exported


def test_local_variables_are_no_symbols_but_local_functions_are():
    rows = symbols(
        "export function App() {\n  const n = 1;\n  const handle = () => n;\n}\nexport const { p } = {};"
    )

    assert {name: row.exported for name, row in rows.items()} == {"App": True, "App.handle": False, "p": True}


def test_calls_constructions_heritage_and_types_are_uses():
    source = (
        "class A extends ns.B<T> implements C, D<X> {\n  run(x: Foo) { super.run(); this.#go(); new Bar(); }\n}\n"
        "interface I extends J {}\n"
    )

    assert {
        ("extends", "ns", "B", "A"),
        ("implements", "", "C", "A"),
        ("implements", "", "D", "A"),
        ("calls", "super", "run", "A.run"),
        ("calls", "this", "#go", "A.run"),
        ("calls", "", "Bar", "A.run"),
        ("references", "", "Foo", "A.run"),
        ("extends", "", "J", "I"),
    } <= uses(source)


@pytest.mark.parametrize("language", ["tsx", "javascript"])
def test_components_in_markup_are_called(language: str):
    source = "const V = () => <><Row a={1}/><ui.Box>it's</ui.Box><div/></>;\n"

    assert uses(source, language) == {("calls", "", "Row", "V"), ("calls", "ui", "Box", "V")}


def test_decorated_members_span_their_decorators_and_call_them():
    source = '@Ctl("x")\nexport class C {\n  @Get(":id")\n  @Log\n  find() {}\n}\n'
    row = symbols(source)["C.find"]

    assert (row.start_line, row.end_line, row.signature) == (3, 5, "find()")
    assert {name for kind, _, name, _ in uses(source) if kind == "calls"} == {"Ctl", "Get", "Log"}


def test_parameters_fields_and_constructions_say_their_types():
    source = (
        "class C {\n  own: Own;\n  made = new Made();\n  constructor(private readonly svc: Svc, plain: Plain<T>) {}\n"
        "  go() { const x = new X(); const y = await ns.load(); this.z = new Z(); }\n}\n"
    )

    assert {
        ("this.own", "Own", "C"),
        ("this.made", "Made", "C"),
        ("this.svc", "Svc", "C"),
        ("plain", "Plain", "C.constructor"),
        ("x", "X", "C.go"),
        ("y", "ns.load", "C.go"),
        ("this.z", "Z", "C"),
    } <= bindings(source)


def test_imports_of_every_form_are_told_apart():
    source = (
        'import a, { b as c, type D } from "./m";\nimport * as ns from "./n";\nimport "./side";\n'
        'export { e, f as g } from "./e";\nexport * from "./star";\nexport * as h from "./h";\n'
        'const lazy = await import("./lazy");\nimport old = require("old");\nexport default a;\nexport { a as z };\n'
    )

    assert [row for row in imports(source) if row != ("./lazy", "", "", False)] == [
        ("./m", "D", "", False),
        ("./m", "b", "c", False),
        ("./m", "default", "a", False),
        ("./n", "", "ns", False),
        ("./side", "", "", False),
        ("./e", "e", "", True),
        ("./e", "f", "g", True),
        ("./star", "*", "", True),
        ("./h", "", "h", True),
        ("./lazy", "", "lazy", False),
        ("old", "", "old", False),
        ("", "a", "default", True),
        ("", "a", "z", True),
    ]


def test_required_modules_give_their_names():
    source = "const a = require('./a'), { b, c: d } = require('./b');\nconst e = require('./e').f;\n"

    assert [row[:3] for row in imports(source, "javascript") if row[1] or row[2]] == [
        ("./a", "", "a"),
        ("./b", "b", ""),
        ("./b", "c", "d"),
        ("./e", "f", "e"),
    ]


@pytest.mark.parametrize("language", ["typescript", "tsx", "javascript"])
@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xef\xbb\xbf",
        b"\xff\xfe\x00",
        b"class {{{ ((( export default import from",
        b"export const x = " + b"[" * 900 + b"]" * 900 + b";",
        b"const n = " + b" + ".join([b"1"] * 20_000) + b";",
        b"f" + b"(g" * 900 + b")" * 900,
    ],
    ids=["empty", "mark", "binary", "broken", "brackets", "terms", "calls"],
)
def test_hostile_text_never_raises(language: str, source: bytes):
    parse(language, source)


def test_what_is_whole_survives_a_syntax_error():
    rows = parse("typescript", b"export function good() {}\nclass {{{\n")

    assert rows.has_errors
    assert rows.symbols[0].name == "good"


def test_windows_line_ends_and_a_mark_of_byte_order_change_nothing():
    rows = parse(
        "typescript",
        b"\xef\xbb\xbfimport './a';\r\n\r\n/** Doc.\r\n * more */\r\nexport function f()\r\n{\r\n}\r\n",
    )

    assert [row.module for row in rows.imports] == ["./a"]
    assert [(row.signature, row.start_line, row.end_line, row.doc) for row in rows.symbols] == [
        ("export function f()", 5, 7, "Doc.\nmore")
    ]


def test_what_is_declared_for_others_is_offered_as_a_whole():
    source = (
        "export declare namespace N { function f(): void; const c: number }\n"
        'declare module "m" { export function x(): void; function y(): void }\ndeclare namespace Own { function z(): void }\n'
    )

    assert {name: row.exported for name, row in symbols(source).items()} == {
        "N": True,
        "N.f": True,
        "N.c": True,
        "m": True,
        "m.x": True,
        "m.y": True,
        "Own": False,
        "Own.z": False,
    }
