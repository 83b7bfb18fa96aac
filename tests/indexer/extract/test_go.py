from tests.indexer.extract.looking import Looked

SOURCE = """\
package store

import (
	"fmt"
	alias "example.com/a"
	. "example.com/b"
	_ "example.com/c"
)

// Limit is how many.
const Limit = 3

const (
	// First comes first.
	First = iota
	second, third
)

var Shared, hidden = 1, 2

var _ Reader = (*Store[int])(nil)
var _ fmt.Stringer = &Single{}

type (
	Pair struct{ left, right Store }
	Reader interface {
		// Read reads.
		Read(n int) string
		fmt.Stringer
	}
)
type (
	Single struct{}
)
type Alias = Pair
type Names []string

// Store keeps
// things.
type Store[T any] struct {
	*Pair
	alias.Base
	inner *alias.Thing
}

func Open(path string) (*Store[int], error) {
	local := Pair{}
	thing, err := alias.New(path)
	other := &Single{}
	var given Names
	const inside = 1
	thing.Run(func(each Pair) { each.Go() })
	return wrap[int](local), err
}

func (s *Store[T]) Get(key string) T { return s.inner.Get(key) }
func (Single) quiet() {}
func _() {}
"""


def looked() -> Looked:
    return Looked("go", SOURCE)


def test_structs_interfaces_aliases_and_grouped_declarations_are_told_apart():
    assert looked().kinds("class", "interface", "type", "const") == {
        "Limit": "const constant",
        "First": "const constant",
        "second": "const constant",
        "third": "const constant",
        "Shared": "const variable",
        "hidden": "const variable",
        "Pair": "class struct",
        "Reader": "interface interface",
        "Single": "class struct",
        "Alias": "type type",
        "Names": "type type",
        "Store": "class struct",
    }


def test_a_method_belongs_to_the_type_of_its_receiver_and_an_interface_has_methods_too():
    assert looked().kinds("function", "method") == {
        "Reader.Read": "method method",
        "Open": "function function",
        "Store.Get": "method method",
        "Single.quiet": "method method",
    }


def test_local_variables_and_constants_are_no_symbols():
    names = {row.name for row in looked().file.symbols}

    assert names.isdisjoint({"local", "thing", "other", "given", "inside", "_"})


def test_each_member_of_a_group_has_its_own_lines_and_a_lone_one_has_its_keyword():
    rows = looked()

    assert [rows.lines(name) for name in ("Pair", "Reader", "Single", "First")] == [
        (25, 25), (26, 30), (33, 33), (15, 15),
    ]  # fmt: skip
    assert rows.symbol("Store").signature == "type Store[T any] struct"
    assert rows.symbol("Limit").signature == "const Limit = 3"


def test_a_capital_letter_exports():
    exported = looked().exported()

    assert {"Open", "Store.Get", "Reader.Read", "Shared", "First"} <= exported
    assert exported.isdisjoint({"Single.quiet", "hidden", "second", "Pair.left"})
    assert "_x" not in Looked("go", "package a\nfunc _x() {}\nfunc 世() {}\n").exported()


def test_docs_stand_above_and_the_package_is_the_namespace():
    rows = looked()

    assert rows.symbol("Store").doc == "Store keeps\nthings."
    assert rows.symbol("First").doc == "First comes first."
    assert rows.symbol("Reader.Read").doc == "Read reads."
    assert rows.symbol("Open").namespace == "store"


def test_embedding_extends_and_a_proof_for_the_compiler_implements():
    rows = looked()

    assert rows.uses("extends") == {
        ("fmt", "Stringer", "Reader"), ("", "Pair", "Store"), ("alias", "Base", "Store"),
    }  # fmt: skip
    assert ("fmt", "Stringer", "Single") in rows.uses("implements")


def test_calls_have_receivers_and_generic_ones_are_seen():
    calls = looked().uses("calls")

    assert {
        ("alias", "New", "Open"), ("thing", "Run", "Open"), ("each", "Go", "Open"),
        ("", "wrap", "Open"), ("s.inner", "Get", "Store.Get"),
    } == calls  # fmt: skip


def test_names_are_bound_to_types_by_literals_calls_parameters_and_fields():
    bindings = looked().bindings()

    assert {
        ("local", "Pair", "Open"), ("thing", "alias.New", "Open"), ("other", "Single", "Open"),
        ("given", "Names", "Open"), ("each", "Pair", "Open"), ("s", "Store", "Store.Get"),
        ("inner", "alias.Thing", "Store"),
    } <= bindings  # fmt: skip


def test_imports_keep_aliases_dots_and_blanks():
    assert looked().imports() == [
        ("fmt", "", ""),
        ("example.com/a", "", "alias"),
        ("example.com/b", "*", ""),
        ("example.com/c", "", "_"),
    ]


def test_what_follows_a_syntax_error_is_still_found():
    rows = Looked("go", "package a\nfunc broken( {\n}\nfunc Good() {}\n")

    assert rows.file.has_errors
    assert "Good" in rows.kinds()
