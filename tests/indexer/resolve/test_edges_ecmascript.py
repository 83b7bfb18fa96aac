import pytest

from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts


def edges(files, path: str):
    return {(row.kind, row.src, row.dst) for row in Resolver(Texts(files)).edges_of(path)}


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("./util", "src/util.ts"),
        ("./util.js", "src/util.ts"),
        ("./view.jsx", "src/view.tsx"),
        ("./folder", "src/folder/index.ts"),
        ("..", "index.js"),
        (".", "src/index.ts"),
        ("./data.json", "src/data.json"),
        ("@/deep/x", "src/deep/x.ts"),
        ("@shop/core", "packages/core/src/index.ts"),
        ("@shop/core/util", "packages/core/src/util.ts"),
        ("react", "ext:react"),
        ("node:fs", "ext:node:fs"),
        ("./missing", "ext:./missing"),
        ("../../../../etc/passwd", "ext:../../../../etc/passwd"),
    ],
)
def test_modules_are_found_as_bundlers_find_them(module: str, target: str):
    paths = [
        "src/util.ts",
        "src/util.d.ts",
        "src/view.tsx",
        "src/folder/index.ts",
        "src/deep/x.ts",
        "src/index.ts",
        "index.js",
    ]
    files = dict.fromkeys(
        [*paths, "packages/core/src/index.ts", "packages/core/src/util.ts", "src/data.json"], ""
    )
    files |= {
        "packages/core/package.json": '{"name": "@shop/core"}',
        "bad/package.json": "{",
        "src/at.ts": f'import x from "{module}";',
    }

    assert edges(files, "src/at.ts") == {("imports", "src/at.ts", target)}


def test_names_are_followed_through_barrels():
    files = {
        "lib/a.ts": "export function one() {}\nexport default function main() {}\nfunction inner() {}\nexport { inner as outer };\n",
        "lib/index.ts": 'export * from "./a";\nexport { one as first, default as chief } from "./a";\nexport * as all from "./a";\n',
        "use.ts": (
            'import { one, first, chief, outer, all } from "./lib";\nimport main from "./lib/a";\nimport * as a from "./lib/a";\n'
            "export function go() { one(); first(); chief(); outer(); all.one(); main(); a.one(); }\n"
        ),
    }

    assert {row for row in edges(files, "use.ts") if row[0] == "calls"} == {
        ("calls", "use.ts::go", "lib/a.ts::one"),
        ("calls", "use.ts::go", "lib/a.ts::main"),
        ("calls", "use.ts::go", "lib/a.ts::inner"),
    }


def test_barrels_in_a_circle_end():
    files = {"a.ts": 'export * from "./b";\nimport { x } from "./b"; x();', "b.ts": 'export * from "./a";'}

    assert edges(files, "a.ts") == {("imports", "a.ts", "b.ts")}


def test_a_default_export_is_found_whatever_it_is_called():
    files = {
        "a.js": "class Cart { add() {} }\nexport default Cart;\n",
        "b.js": "export default class { go() {} }\n",
        "c.js": "function make() {}\nmodule.exports = make;\n",
        "d.js": "module.exports = { help() {} };\n",
        "use.js": (
            'import Basket from "./a";\nimport B from "./b";\nconst build = require("./c"), d = require("./d");\n'
            "function go() { new Basket().add(); const b = new B(); b.go(); build(); d.help(); }\n"
        ),
    }

    assert {row for row in edges(files, "use.js") if row[0] == "calls"} == {
        ("calls", "use.js::go", "a.js::Cart"),
        ("calls", "use.js::go", "a.js::Cart.add"),
        ("calls", "use.js::go", "b.js::default"),
        ("calls", "use.js::go", "b.js::default.go"),
        ("calls", "use.js::go", "c.js::make"),
        ("calls", "use.js::go", "d.js::help"),
    }


def test_this_super_and_typed_receivers_find_methods():
    files = {
        "base.ts": "export abstract class Base { save() {} abstract area(): number }\n",
        "use.ts": (
            'import { Base } from "./base";\ninterface Area { area(): number }\n'
            "class Square extends Base implements Area {\n  constructor(private readonly other: Base) { super(); }\n"
            "  area() { this.save(); super.save(); return this.other.area(); }\n  static make(): Square { return new Square(); }\n}\n"
            "export const go = (s: Square) => { s.area(); Square.make().save(); const made = Square.make(); made.area(); };\n"
        ),
    }

    assert {row for row in edges(files, "use.ts") if row[0] not in {"references", "imports"}} == {
        ("extends", "use.ts::Square", "base.ts::Base"),
        ("implements", "use.ts::Square", "use.ts::Area"),
        ("calls", "use.ts::Square.area", "base.ts::Base.save"),
        ("calls", "use.ts::Square.area", "base.ts::Base.area"),
        ("calls", "use.ts::Square.make", "use.ts::Square"),
        ("calls", "use.ts::go", "use.ts::Square.area"),
        ("calls", "use.ts::go", "use.ts::Square.make"),
        ("calls", "use.ts::go", "base.ts::Base.save"),
    }


def test_objects_and_namespaces_have_members():
    source = (
        "const tools = { cut() {}, glue: () => 1 };\nnamespace N { export function f() {} }\n"
        "function go() { tools.cut(); tools.glue(); N.f(); }\nfunction A() {}\nA.prototype.run = function () { this.stop(); };\n"
        "A.prototype.stop = function () {};\n"
    )

    assert {row for row in edges({"x.ts": source}, "x.ts") if row[0] == "calls"} == {
        ("calls", "x.ts::go", "x.ts::tools.cut"),
        ("calls", "x.ts::go", "x.ts::tools.glue"),
        ("calls", "x.ts::go", "x.ts::N.f"),
        ("calls", "x.ts::A.run", "x.ts::A.stop"),
    }


def test_typescript_and_javascript_see_each_other_and_nobody_else():
    files = {
        "a.py": "def shared(): pass\n",
        "b.js": "export function shared() {}\n",
        "c.ts": 'import { shared } from "./b";\nshared();\n',
    }

    assert edges(files, "c.ts") == {("imports", "c.ts", "b.js"), ("calls", "c.ts", "b.js::shared")}


def test_what_is_imported_and_offered_on_is_followed():
    files = {
        "one.ts": "export function one() {}\nexport default function main() {}\n",
        "barrel.ts": 'import main, { one } from "./one";\nimport * as all from "./one";\nexport { one, one as first, all };\nexport default main;\n',
        "use.ts": 'import chief, { one, first, all } from "./barrel";\nexport const go = () => { one(); first(); all.one(); chief(); };\n',
    }

    assert {row for row in edges(files, "use.ts") if row[0] == "calls"} == {
        ("calls", "use.ts::go", "one.ts::one"),
        ("calls", "use.ts::go", "one.ts::main"),
    }


def test_common_js_names_lead_to_what_they_stand_for():
    files = {
        "one.js": "function one() {}\nfunction two() {}\nexports.uno = one;\nmodule.exports.dos = two;\n",
        "index.js": "const { uno } = require('./one');\nconst all = require('./one');\nmodule.exports = { uno, first: uno, all };\n",
        "use.js": "const shop = require('./index');\nfunction go() { shop.uno(); shop.first(); shop.all.dos(); }\n",
    }

    assert {row for row in edges(files, "use.js") if row[0] == "calls"} == {
        ("calls", "use.js::go", "one.js::one"),
        ("calls", "use.js::go", "one.js::two"),
    }


def test_names_that_are_offered_in_a_circle_end():
    files = {
        "a.ts": 'import { x } from "./b";\nexport { x };\nx();\n',
        "b.ts": 'import { x } from "./a";\nexport { x };\n',
    }

    assert edges(files, "a.ts") == {("imports", "a.ts", "b.ts")}


def test_the_functions_that_a_default_object_gathers_are_called_through_it():
    files = {
        "utils.js": "function merge() {}\nconst isDate = () => 1;\nfunction inner() {}\nexport default { merge, isDate };\n",
        "at.js": "import utils from './utils.js';\nexport function go() { utils.merge(); utils.isDate(); utils.gone(); }\n",
    }

    assert {row for row in edges(files, "at.js") if row[0] == "calls"} == {
        ("calls", "at.js::go", "utils.js::merge"),
        ("calls", "at.js::go", "utils.js::isDate"),
    }
