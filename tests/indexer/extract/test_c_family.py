from tests.indexer.extract.looking import Looked

C = """\
#ifndef SHOP_H
#define SHOP_H
#include <stdio.h>
#include "util/names.h"

/** How many. */
#define LIMIT 3
#define TWICE(x) ((x) * 2)

struct point { int x; struct shop *owner; };
typedef struct { int a; } plain_t;
typedef struct node { struct node *next; } node_t;
typedef int (*callback_t)(int);
union both { int a; float b; };
enum color { RED, GREEN };

static int counter = 0;
extern const char *names[];
int announced(struct point *p);
int later(void);

/* Adds. */
static int *
add(struct point *p, plain_t q)
{
    int local = helper(1);
    node_t *made = build();
    p->owner->run(2);
    return TWICE(local);
}

int later(void) { return 1; }
#endif
"""

CPP = """\
#include <vector>
#include "shop.hpp"

namespace shop::core { namespace deep {

/// Keeps
/// things.
template <typename T>
class Shop : public Base<T>, private far::Other {
    int hidden_;
public:
    explicit Shop(int size);
    ~Shop();
    int get(const Helper& helper) const {
        auto made = new Thing(1);
        auto kept = std::make_unique<Kept>();
        helper.help();
        made->go();
        far::Names::clean();
        return twice<int>(store_.size());
    }
    bool operator==(const Shop& other) const;
    enum class Inner { A };
protected:
    void near();
private:
    Store store_;
    std::unique_ptr<Engine> engine_;
};

using Alias = std::vector<int>;
void announced(int a);
}}

template <typename T>
shop::core::deep::Shop<T>::Shop(int size) {}
int Counter::count(int by) { return by; }
struct Plain { void open(); };
enum class Color : int { Red };
constexpr int LIMIT = 3;
"""


def test_c_has_functions_types_macros_and_globals_but_no_locals():
    assert Looked("c", C).kinds("class", "enum", "type", "const", "function") == {
        "LIMIT": "const constant",
        "TWICE": "function macro",
        "point": "class struct",
        "plain_t": "class struct",
        "node": "class struct",
        "node_t": "type type",
        "callback_t": "type type",
        "both": "class union",
        "color": "enum enum",
        "counter": "const variable",
        "names": "const variable",
        "announced": "function function",
        "add": "function function",
        "later": "function function",
    }


def test_c_prototypes_give_way_to_bodies_and_static_is_private():
    rows = Looked("c", C)

    assert rows.lines("later") == (32, 32)
    assert rows.exported().isdisjoint({"counter", "add"})
    assert {"announced", "later", "LIMIT"} <= rows.exported()
    assert (rows.symbol("LIMIT").doc, rows.symbol("add").doc) == ("How many.", "Adds.")


def test_c_calls_bindings_and_includes():
    rows = Looked("c", C)

    assert {("", "helper", "add"), ("p->owner", "run", "add"), ("", "TWICE", "add")} <= rows.uses("calls")
    assert {("p", "point", "add"), ("made", "node_t", "add"), ("owner", "shop", "point")} <= rows.bindings()
    assert [row[0] for row in rows.imports()] == ["stdio.h", "util/names.h"]


def test_cpp_members_belong_to_their_class_also_when_defined_outside_of_it():
    assert Looked("cpp", CPP).kinds("class", "enum", "type", "const", "function", "method") == {
        "Shop": "class class",
        "Shop.Shop": "method method",
        "Shop.~Shop": "method function",
        "Shop.get": "method function",
        "Shop.operator==": "method function",
        "Shop.Inner": "enum enum",
        "Shop.near": "method function",
        "Alias": "type type",
        "announced": "function function",
        "Counter.count": "method method",
        "Plain": "class struct",
        "Plain.open": "method function",
        "Color": "enum enum",
        "LIMIT": "const variable",
    }


def test_cpp_visibility_follows_the_section_and_a_class_begins_private():
    rows = Looked("cpp", CPP)
    seen = {row.qualified: row.visibility for row in rows.file.symbols}

    assert [seen[f"Shop.{name}"] for name in ("hidden_", "get", "Shop", "near", "store_")] == [
        "private", "public", "public", "protected", "private",
    ]  # fmt: skip
    assert seen["Plain.open"] == "public"


def test_cpp_namespaces_docs_and_templates():
    rows = Looked("cpp", CPP)

    assert rows.symbol("Shop").namespace == "shop::core::deep"
    assert rows.symbol("Shop").doc == "Keeps\nthings."
    assert rows.lines("Shop") == (8, 29)


def test_cpp_relations_calls_and_bindings():
    rows = Looked("cpp", CPP)

    assert rows.uses("extends") == {("", "Base", "Shop"), ("far", "Other", "Shop")}
    assert {
        ("", "Thing", "Shop.get"), ("helper", "help", "Shop.get"), ("made", "go", "Shop.get"),
        ("Names", "clean", "Shop.get"), ("", "twice", "Shop.get"), ("store_", "size", "Shop.get"),
    } <= rows.uses("calls")  # fmt: skip
    assert {
        ("made", "Thing", "Shop.get"), ("kept", "Kept", "Shop.get"), ("helper", "Helper", "Shop.get"),
        ("this->store_", "Store", "Shop"), ("this->engine_", "Engine", "Shop"),
    } <= rows.bindings()  # fmt: skip


def test_a_typedef_of_the_same_name_is_one_symbol_and_of_another_name_is_two():
    rows = Looked("c", "typedef struct one { int a; } one;\ntypedef struct two { int a; } two_t;\n")

    assert rows.kinds("class", "type") == {"one": "class struct", "two_t": "type type", "two": "class struct"}


def test_pointers_to_pointers_and_tables_are_variables():
    rows = Looked("c", "extern char **environ;\nstatic const int days[2][13] = {{0}};\nint size(int **a);\n")

    assert rows.kinds() == {
        "environ": "const variable",
        "days": "const variable",
        "size": "function function",
    }


def test_a_call_from_the_global_scope_is_a_call():
    rows = Looked("cpp", "void f() { ::close(1); A::open(); }\n")

    assert rows.uses("calls") == {("", "close", "f"), ("A", "open", "f")}
