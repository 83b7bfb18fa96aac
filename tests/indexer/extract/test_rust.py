from tests.indexer.extract.looking import Looked

SOURCE = """\
//! The crate.
use std::{collections::{self, HashMap as Map}, io::*};
pub(crate) use crate::shapes::Circle;
use serde as _;
extern crate alloc as memory;
mod sub;

/// Words.
/// More words.
#[derive(Debug)]
#[serde(default)]
pub struct Shop<'a, T: Clone> {
    pub items: Vec<T>,
    store: Box<dyn Store>,
    name: &'a names::Name,
}

pub struct Pair(pub u8, u8);
pub enum Shape { Round(Circle), Flat { side: u8 } }
union Bits { word: u32 }

pub trait Store: Base + fmt::Debug {
    type Key;
    const SIZE: usize;
    /// Gets.
    fn get(&self) -> u8;
    fn twice(&self) -> u8 { self.get() }
}

trait Hidden { fn quiet(&self); }

impl<'a, T> Shop<'a, T>
where
    T: Clone,
{
    const LIMIT: u8 = 3;
    pub fn new() -> Self {
        let made = Circle::new();
        let typed: names::Name = parse();
        let built = Circle { r: 1 };
        let opened = sub::open();
        let tried = Circle::load()?;
        const LOCAL: u8 = 1;
        made.draw::<u8>();
        todo!()
    }
    fn private(&self) { self.store.get(); helper::<u8>(1); }
}

impl<T> Store for Shop<'_, T> { fn get(&self) -> u8 { 1 } }
impl fmt::Display for Shape { fn fmt(&self) {} }
impl From<u8> for crate::other::Far { fn from(_: u8) -> Self { loop {} } }

pub const MAX: usize = 9;
static mut COUNT: u8 = 0;
pub type Short = Vec<u8>;
const _: () = ();

#[macro_export]
macro_rules! shout { ($a:expr) => { yell($a) }; }
macro_rules! whisper { () => {} }

pub(super) async fn task(given: &mut Circle) { assert_eq!(compute(1), given.area(2), Circle::unit()); }
pub(self) fn own() { fn nested() {} nested() }
extern "C" { pub fn imported(x: i32); fn secret(); }

#[cfg(test)]
mod tests {
    //! Tests of it.
    #[test]
    fn works() { super::task(); }
}
"""


def looked() -> Looked:
    return Looked("rust", SOURCE)


def test_every_kind_of_item_is_found():
    assert looked().kinds("class", "interface", "type", "enum", "const") == {
        "Shop": "class struct",
        "Pair": "class struct",
        "Shape": "enum enum",
        "Bits": "class union",
        "Store": "interface trait",
        "Store.SIZE": "const constant",
        "Hidden": "interface trait",
        "Shop.LIMIT": "const constant",
        "MAX": "const constant",
        "COUNT": "const static",
        "Short": "type type",
    }


def test_methods_belong_to_the_plain_name_of_the_type_whatever_its_arguments_and_path():
    assert looked().kinds("function", "method") == {
        "Store.get": "method function",
        "Store.twice": "method function",
        "Hidden.quiet": "method function",
        "Shop.new": "method function",
        "Shop.private": "method function",
        "Shop.get": "method function",
        "Shape.fmt": "method function",
        "Far.from": "method function",
        "shout": "function macro",
        "whisper": "function macro",
        "task": "function function",
        "own": "function function",
        "own.nested": "function function",
        "imported": "function function",
        "secret": "function function",
        "tests.works": "function function",
    }


def test_variants_fields_and_associated_types_are_only_details():
    shown = looked().kinds("field")

    assert {"Shape.Round", "Shape.Flat", "Shop.items", "Bits.word", "Store.Key"} <= set(shown)


def test_pub_exports_and_so_does_a_public_trait():
    exported = looked().exported()

    assert {
        "Shop", "Shop.new", "Shop.items", "Store.get", "Shop.get", "Far.from", "task", "imported", "shout",
        "Shape.Round",
    } <= exported  # fmt: skip
    assert exported.isdisjoint(
        {
            "Shop.private",
            "Shop.store",
            "Hidden.quiet",
            "whisper",
            "own",
            "own.nested",
            "secret",
            "tests.works",
        }
    )


def test_attributes_belong_to_the_item_and_docs_stand_above_them():
    rows = looked()

    assert rows.symbol("Shop").doc == "Words.\nMore words."
    assert rows.lines("Shop") == (10, 16)
    assert rows.symbol("Shop").signature == "pub struct Shop<'a, T: Clone>"
    assert rows.symbol("Store.get").doc == "Gets."
    assert rows.symbol("tests").doc == "Tests of it."


def test_items_on_the_line_below_an_attribute_do_not_all_take_it():
    rows = Looked("rust", "#[derive(Debug)]\nstruct A { b: u8, c: u8 }\n")

    assert rows.kinds() == {"A": "class struct", "A.b": "field field", "A.c": "field field"}
    assert (rows.lines("A"), rows.lines("A.b")) == ((1, 2), (2, 2))


def test_an_impl_of_a_trait_says_that_its_type_implements_it():
    rows = looked()

    assert rows.uses("implements") >= {("", "Store", "Shop"), ("fmt", "Display", "Shape")}
    assert rows.uses("extends") == {("", "Base", "Store"), ("fmt", "Debug", "Store")}


def test_calls_are_seen_in_macros_with_paths_and_with_type_arguments():
    calls = looked().uses("calls")

    assert {
        ("Circle", "new", "Shop.new"), ("made", "draw", "Shop.new"), ("self.store", "get", "Shop.private"),
        ("", "helper", "Shop.private"), ("", "compute", "task"), ("given", "area", "task"),
        ("Circle", "unit", "task"), ("", "yell", "shout"), ("super", "task", "tests.works"),
        ("self", "get", "Store.twice"), ("", "todo", "Shop.new"),
    } <= calls  # fmt: skip


def test_names_are_bound_to_types():
    assert {
        ("made", "Circle", "Shop.new"), ("typed", "names::Name", "Shop.new"), ("built", "Circle", "Shop.new"),
        ("opened", "sub::open", "Shop.new"), ("tried", "Circle", "Shop.new"), ("given", "Circle", "task"),
        ("self.store", "Store", "Shop"), ("self.name", "names::Name", "Shop"),
    } <= looked().bindings()  # fmt: skip


def test_use_trees_are_taken_apart_and_a_module_line_names_a_module_below():
    assert looked().imports() == [
        ("std::collections", "", ""),
        ("std::collections", "HashMap", "Map"),
        ("std::io", "*", ""),
        ("crate::shapes", "Circle", ""),
        ("serde", "", "_"),
        ("alloc", "", "memory"),
        ("self::sub", "", ""),
    ]
    assert [row.reexport for row in looked().file.imports] == [False, False, False, True, False, False, False]


def test_local_constants_are_no_symbols():
    assert not any(row.name in {"LOCAL", "_", "made"} for row in looked().file.symbols)
