from tests.indexer.extract.looking import Looked

SOURCE = """\
global using System;
using static System.Math;
using Txt = System.Text;
using Map = System.Collections.Generic.Dictionary<int, string>;
using Shop.Core;

namespace Shop.Web
{
    /// <summary>Priced thing.</summary>
    [Serializable]
    public interface IPriced : IThing
    {
        decimal Price { get; }
        decimal Total(int n);
    }

    public delegate void Changed<T>(object sender);
    public enum State : byte { New, Old }
    public readonly record struct Money(decimal Amount);
    public record Item(string Name, Store Held) : Base(Name), IPriced;
    internal struct Slot : IDisposable { public int N; }

    /// <summary>A <b>cart</b>.</summary>
    /// <param name="log">Says what happens.</param>
    public sealed partial class Cart<T> : Controller, Far.IPriced, IList<T> where T : class
    {
        public const int Limit = 10, Other = 11;
        private readonly List<Item> _items = new();
        private Store? store;
        public event Changed? OnChanged;
        public event Changed Custom { add { } remove { } }

        public Cart(int size) : base(size) { this.store.Open(); }
        static Cart() { }
        ~Cart() { }

        public decimal Price => Total(1);
        public int Count { get; private set; }
        public Item this[int i] => _items[i];

        public async Task<int> Load<U>(Helper given) where U : struct
        {
            decimal Local(int k) => k * Abs(-1);
            var made = new Store();
            Item typed = new("x");
            var found = Finder.Find(1);
            made?.Close();
            given.Do<int>();
            await Repo.Fetch<int>(2);
            foreach (Item each in _items) each.Show();
            if (given is Special special) special.Only();
            return Local(1);
        }

        protected internal void Raise() { }
        private protected void Inner() { }
        protected virtual void Mine() { }
        void Hidden() { }
        void IPriced.Explicit() { }
        public static Cart<T> operator +(Cart<T> a, Cart<T> b) => a;
        public static implicit operator int(Cart<T> a) => 1;

        public class Node { public void Walk() { } }
    }

    public static class Extensions { public static decimal Tax(this int n) => n; }
}

namespace Outer { namespace Inner { class Deep { } } }
"""


def looked() -> Looked:
    return Looked("csharp", SOURCE)


def test_every_kind_of_type_is_found():
    assert looked().kinds("class", "interface", "type", "enum") == {
        "IPriced": "interface interface",
        "Changed": "type delegate",
        "State": "enum enum",
        "Money": "class record",
        "Item": "class record",
        "Slot": "class struct",
        "Cart": "class class",
        "Cart.Node": "class class",
        "Extensions": "class class",
        "Deep": "class class",
    }


def test_members_of_every_kind_are_found():
    shown = looked().kinds("method", "const", "function")

    assert {name: kind for name, kind in shown.items() if name.startswith("Cart.")} == {
        "Cart.Limit": "const constant",
        "Cart.Other": "const constant",
        "Cart.Cart": "method constructor",
        "Cart.~Cart": "method destructor",
        "Cart.Price": "const property",
        "Cart.Count": "const property",
        "Cart.this": "method indexer",
        "Cart.Load": "method method",
        "Cart.Load.Local": "function function",
        "Cart.Raise": "method method",
        "Cart.Inner": "method method",
        "Cart.Mine": "method method",
        "Cart.Hidden": "method method",
        "Cart.Explicit": "method method",
        "Cart.operator +": "method operator",
        "Cart.operator int": "method operator",
        "Cart.Node.Walk": "method method",
    }


def test_fields_events_members_and_components_are_only_details():
    assert set(looked().kinds("field")) == {
        "State.New", "State.Old", "Money.Amount", "Item.Name", "Item.Held", "Slot.N",
        "Cart._items", "Cart.store", "Cart.OnChanged", "Cart.Custom",
    }  # fmt: skip


def test_what_other_assemblies_can_reach_is_exported():
    exported = looked().exported()

    assert {
        "IPriced.Total", "Cart", "Cart.Cart", "Cart.Raise", "Cart.Mine", "Cart.Node.Walk", "Extensions.Tax",
    } <= exported  # fmt: skip
    assert exported.isdisjoint(
        {"Slot", "Cart.Hidden", "Cart.Inner", "Cart.Load.Local", "Deep", "Cart._items"}
    )


def test_docs_lose_their_tags_and_attributes_belong_to_the_span():
    rows = looked()

    assert rows.symbol("IPriced").doc == "Priced thing."
    assert rows.symbol("Cart").doc == "A cart.\nSays what happens."
    assert rows.lines("IPriced") == (10, 15)


def test_namespaces_in_braces_nest_and_one_without_reaches_to_the_end():
    line = Looked("csharp", "namespace A.B;\n\npublic class X { }\nfile class Y { }\n")

    assert looked().symbol("Cart").namespace == "Shop.Web"
    assert looked().symbol("Deep").namespace == "Outer.Inner"
    assert [row.namespace for row in line.file.symbols] == ["A.B", "A.B"]
    assert (line.file.package, line.exported()) == ("A.B", {"X"})


def test_bases_are_told_from_interfaces_by_name_and_by_what_can_have_a_base():
    rows = looked()

    assert rows.uses("extends") == {
        ("", "IThing", "IPriced"), ("", "Base", "Item"), ("", "Controller", "Cart"),
    }  # fmt: skip
    assert rows.uses("implements") == {
        ("", "IPriced", "Item"), ("", "IDisposable", "Slot"), ("Far", "IPriced", "Cart"), ("", "IList", "Cart"),
    }  # fmt: skip


def test_calls_have_receivers_and_generic_and_conditional_ones_are_seen():
    load = "Cart.Load"

    assert {
        ("this.store", "Open", "Cart.Cart"), ("", "Total", "Cart.Price"), ("", "Abs", "Cart.Load.Local"),
        ("", "Store", load), ("Finder", "Find", load), ("made", "Close", load), ("given", "Do", load),
        ("Repo", "Fetch", load), ("each", "Show", load), ("special", "Only", load), ("", "Local", load),
    } <= looked().uses("calls")  # fmt: skip


def test_names_are_bound_to_types():
    load = "Cart.Load"

    assert {
        ("this._items", "List", "Cart"), ("this.store", "Store", "Cart"), ("this.Held", "Store", "Item"),
        ("made", "Store", load), ("typed", "Item", load), ("found", "Finder.Find", load),
        ("given", "Helper", load), ("each", "Item", load), ("special", "Special", load),
    } <= looked().bindings()  # fmt: skip


def test_usings_of_every_form_are_told_apart():
    assert looked().imports() == [
        ("System", "*", ""),
        ("System.Math", "*", ""),
        ("System.Text", "", "Txt"),
        ("System.Collections.Generic.Dictionary", "", "Map"),
        ("Shop.Core", "*", ""),
    ]


def test_top_level_statements_may_have_functions():
    rows = Looked("csharp", "Console.WriteLine(Twice(2));\nint Twice(int n) => n * 2;\n")

    assert rows.kinds() == {"Twice": "function function"}
    assert ("", "Twice", "") in rows.uses("calls")


def test_what_a_value_is_tried_as_is_a_use_of_the_type():
    rows = Looked("csharp", "class A { void M(object o) { var d = o as Thing; Kept[] k = null; } }\n")

    assert {("", "Thing", "A.M"), ("", "Kept", "A.M")} <= rows.uses("references")
    assert rows.bindings() == set()
