from tests.indexer.extract.looking import Looked

RUBY = """\
require 'json'
require_relative '../lib/names'
require_relative 'near'

# Sells.
module Big::Market
  VERSION = "1"

  class Shop < Base::Thing
    include Comparable
    attr_accessor :name, :age

    def initialize(store)
      @store = Store.new
      @store.open
      made = Far::Made.new(1)
      made&.go
      helper(1)
    end

    def self.make(n) = new(n)
    def valid? = true
    private def one; end
    alias other valid?

    private

    def hidden; end

    public

    def shown; end
  end
end

def top(a) a.run end
class Big::Other; end
"""

SWIFT = """\
import Foundation
import class UIKit.UIView

/// A shop.
public class Shop<T>: Base<T>, Named {
    public static let limit = 3
    private var store: Store = Store()
    public init(given: Helper) {
        given.help()
        self.store.open()
    }
    open func get(_ key: Key?) -> Value { let made = Thing(); made.go(); func inner() {}; return made }
    fileprivate func hidden() {}
    struct Nested {}
    enum Color { case red, green(Int); func mix() {} }
}
public protocol Named: First { var name: String { get }; func show() }
extension Shop: Equatable { public func more() {} }
extension Array { func second() {} }
func top(a: Int) -> Int { a }
typealias Alias = Int
"""

BASH = """\
#!/bin/bash
source ./lib.sh
. "$DIR/other.sh"
readonly LIMIT=3
NAME=x

# Greets.
greet() {
  local inside=1
  helper "$inside" | sort
}
function twice { greet; greet; }
"""

MARKDOWN = """\
# One

words

## Two `code` ##
### Three
## Four

Five
====

```
# no heading
```
"""


def test_ruby_symbols_know_their_modules():
    assert Looked("ruby", RUBY).kinds() == {
        "Big.Market": "class module",
        "Big.Market.VERSION": "const constant",
        "Big.Market.Shop": "class class",
        "Big.Market.Shop.name": "method attribute",
        "Big.Market.Shop.age": "method attribute",
        "Big.Market.Shop.initialize": "method function",
        "Big.Market.Shop.make": "method function",
        "Big.Market.Shop.valid?": "method function",
        "Big.Market.Shop.one": "method function",
        "Big.Market.Shop.other": "method method",
        "Big.Market.Shop.hidden": "method function",
        "Big.Market.Shop.shown": "method function",
        "top": "function function",
        "Big.Other": "class class",
    }


def test_ruby_visibility_follows_lines_and_prefixes():
    exported = Looked("ruby", RUBY).exported()

    assert {"Big.Market.Shop.valid?", "Big.Market.Shop.shown", "top"} <= exported
    assert exported.isdisjoint({"Big.Market.Shop.one", "Big.Market.Shop.hidden"})


def test_ruby_relations_calls_bindings_and_imports():
    rows = Looked("ruby", RUBY)
    shop, make = "Big.Market.Shop", "Big.Market.Shop.initialize"

    assert rows.symbol("Big.Market").doc == "Sells."
    assert rows.uses("extends") == {("Base", "Thing", shop), ("", "Comparable", shop)}
    assert {
        ("", "Store", make), ("@store", "open", make), ("Far", "Made", make), ("made", "go", make),
        ("", "helper", make), ("a", "run", "top"),
    } <= rows.uses("calls")  # fmt: skip
    assert rows.bindings() == {("@store", "Store", shop), ("made", "Far::Made", make)}
    assert [row[0] for row in rows.imports()] == ["json", "../lib/names", "./near"]


def test_swift_extensions_add_to_their_type():
    assert Looked("swift", SWIFT).kinds("class", "interface", "enum", "type", "function", "method") == {
        "Shop": "class class",
        "Shop.init": "method constructor",
        "Shop.get": "method function",
        "Shop.get.inner": "function function",
        "Shop.hidden": "method function",
        "Shop.Nested": "class struct",
        "Shop.Color": "enum enum",
        "Shop.Color.mix": "method function",
        "Named": "interface protocol",
        "Named.show": "method function",
        "Shop.more": "method function",
        "Array.second": "method function",
        "top": "function function",
        "Alias": "type type",
    }


def test_swift_visibility_relations_calls_bindings_and_imports():
    rows = Looked("swift", SWIFT)

    assert rows.symbol("Shop").doc == "A shop."
    assert {"Shop", "Shop.get", "Named.show", "Shop.more"} <= rows.exported()
    assert rows.exported().isdisjoint({"Shop.store", "Shop.hidden", "top"})
    assert {("", "Base", "Shop"), ("", "First", "Named")} <= rows.uses("extends")
    assert ("", "Equatable", "Shop") in rows.uses("implements")
    assert {
        ("given", "help", "Shop.init"),
        ("self.store", "open", "Shop.init"),
        ("made", "go", "Shop.get"),
    } <= (rows.uses("calls"))
    assert {
        ("self.store", "Store", "Shop"),
        ("given", "Helper", "Shop.init"),
        ("made", "Thing", "Shop.get"),
    } <= (rows.bindings())
    assert [row[0] for row in rows.imports()] == ["Foundation", "UIKit"]


def test_a_swift_protocol_asks_for_functions_and_not_for_what_they_return():
    rows = Looked(
        "swift", "protocol P {\n    func a(_ b: Data) throws -> Request\n    func c() -> Self?\n}\n"
    )

    assert rows.kinds() == {"P": "interface protocol", "P.a": "method function", "P.c": "method function"}


def test_shell_functions_top_level_variables_and_sourced_files():
    rows = Looked("bash", BASH)

    assert rows.kinds() == {
        "LIMIT": "const variable",
        "NAME": "const variable",
        "greet": "function function",
        "twice": "function function",
    }
    assert rows.symbol("greet").doc == "Greets."
    assert {("", "helper", "greet"), ("", "greet", "twice")} <= rows.uses("calls")
    assert [row[0] for row in rows.imports()] == ["./lib.sh", "$DIR/other.sh"]


def test_headings_nest_by_their_level_and_code_has_none():
    rows = Looked("markdown", MARKDOWN)

    assert rows.kinds("heading") == {
        "One": "heading heading",
        "One.Two `code`": "heading heading",
        "One.Two `code`.Three": "heading heading",
        "One.Four": "heading heading",
        "One.Four.Five": "heading heading",
    }
    assert rows.lines("One.Two `code`") == (5, 6)


def test_a_name_in_back_quotes_is_the_name_without_them():
    assert Looked("kotlin", "class A { fun `it works`() {} }\n").kinds("method") == {
        "A.it works": "method function"
    }
    assert Looked("swift", "class A { func `default`() {} }\n").kinds("method") == {
        "A.default": "method function"
    }
    assert Looked("scala", "object A { def `type`() = 1 }\n").kinds("method") == {"A.type": "method function"}
