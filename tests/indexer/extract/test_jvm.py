from tests.indexer.extract.looking import Looked

JAVA = """\
package com.shop;

import java.util.List;
import java.util.*;
import static com.util.Names.clean;
import static com.util.Names.*;

/** A {@code shop}. */
@Entity
public class Shop<T> extends base.Base<T> implements Named, far.Away<T> {
    public static final int LIMIT = 3;
    private final Store store = new Store();

    public Shop(Store given) { this.store.open(); }

    @Override
    public List<T> all(Helper helper) {
        var made = new Thing<>();
        Thing typed = make();
        helper.help();
        Runnable later = new Runnable() { public void run() { made.go(); } };
        for (Item each : items) each.show();
        if (made instanceof Special special) special.only();
        return map(Helper::twice);
    }

    protected void near() {}
    void inside() {}

    interface Inner extends First, Second { int SIZE = 1; void run(); default void walk() {} }
    enum Color implements Named { RED, GREEN { void paint() {} }; void mix() {} }
    record Pair(int left, Store right) implements Named { Pair { } }
    @interface Mark { String value(); }
}
"""

KOTLIN = """\
package com.shop

import com.util.Names
import com.util.Other as Renamed
import com.util.*

/** A shop. */
open class Shop<T>(val store: Store, plain: Int) : Base<T>(store), Named {
    companion object {
        const val LIMIT = 3
        fun make(): Shop<Int> = Shop(Store())
    }

    private val items: List<Item> = listOf()

    override fun all(helper: Helper?): Int {
        val made = Thing()
        val local = 1
        helper?.help()
        made.go().then { it.show() }
        fun inner() {}
        return local
    }

    protected fun near() {}
}

interface Named : First { fun name(): String }
object Single : Base() { fun run() {} }
enum class Color(val code: Int) : Named {
    RED(1), GREEN(2);

    fun mix() {}
}
typealias Names2 = List<String>
fun String.shout(times: Int) = this
private const val HIDDEN = 1
"""

SCALA = """\
package com.shop

import com.util.Names
import com.util.{First, Second => Other, _}

/** A shop. */
class Shop[T](val store: Store) extends Base[T](store) with Named {
  private val items: List[Item] = List()
  type Out = Int
  def all(helper: Helper): Int = {
    val made = new Thing
    helper.help()
    made.go[Int](1)
    def inner() = 1
    inner()
  }
  protected def near(): Unit = ()
}

object Shop { val LIMIT = 3; def make(store: Store) = new Shop(store) }
trait Named extends First { def name: String }
case class Pair(left: Int, right: Store)
"""


def test_java_has_every_kind_of_type_and_member():
    assert Looked("java", JAVA).kinds("class", "interface", "enum", "const", "method") == {
        "Shop": "class class",
        "Shop.LIMIT": "const constant",
        "Shop.Shop": "method constructor",
        "Shop.all": "method method",
        "Shop.all.run": "method method",
        "Shop.near": "method method",
        "Shop.inside": "method method",
        "Shop.Inner": "interface interface",
        "Shop.Inner.SIZE": "const constant",
        "Shop.Inner.run": "method method",
        "Shop.Inner.walk": "method method",
        "Shop.Color": "enum enum",
        "Shop.Color.GREEN.paint": "method method",
        "Shop.Color.mix": "method method",
        "Shop.Pair": "class record",
        "Shop.Pair.Pair": "method constructor",
        "Shop.Mark": "interface annotation",
        "Shop.Mark.value": "method method",
    }


def test_java_knows_package_doc_and_what_is_visible_outside():
    rows = Looked("java", JAVA)

    assert (rows.symbol("Shop").namespace, rows.symbol("Shop").doc) == ("com.shop", "A {@code shop}.")
    assert rows.lines("Shop") == (9, 34)
    assert {"Shop", "Shop.near", "Shop.Inner.run"} <= rows.exported()
    assert rows.exported().isdisjoint({"Shop.store", "Shop.inside", "Shop.all.run"})


def test_java_relations_calls_bindings_and_imports():
    rows = Looked("java", JAVA)

    assert rows.uses("extends") == {
        ("base", "Base", "Shop"),
        ("", "First", "Shop.Inner"),
        ("", "Second", "Shop.Inner"),
    }
    assert {("", "Named", "Shop"), ("far", "Away", "Shop"), ("", "Named", "Shop.Pair")} <= rows.uses(
        "implements"
    )
    assert {
        ("this.store", "open", "Shop.Shop"), ("", "Thing", "Shop.all"), ("helper", "help", "Shop.all"),
        ("made", "go", "Shop.all.run"), ("Helper", "twice", "Shop.all"), ("special", "only", "Shop.all"),
    } <= rows.uses("calls")  # fmt: skip
    assert {
        ("this.store", "Store", "Shop"), ("made", "Thing", "Shop.all"), ("typed", "Thing", "Shop.all"),
        ("each", "Item", "Shop.all"), ("special", "Special", "Shop.all"), ("this.right", "Store", "Shop.Pair"),
    } <= rows.bindings()  # fmt: skip
    assert rows.imports() == [
        ("java.util", "List", ""),
        ("java.util", "*", ""),
        ("com.util.Names", "clean", ""),
        ("com.util.Names", "*", ""),
    ]


def test_kotlin_symbols_know_their_containers_and_a_companion_adds_none():
    assert Looked("kotlin", KOTLIN).kinds(
        "class", "interface", "enum", "type", "const", "function", "method"
    ) == {
        "Shop": "class class",
        "Shop.LIMIT": "const constant",
        "Shop.make": "method function",
        "Shop.all": "method function",
        "Shop.all.inner": "function function",
        "Shop.near": "method function",
        "Named": "interface interface",
        "Named.name": "method function",
        "Single": "class object",
        "Single.run": "method function",
        "Color": "enum enum",
        "Color.mix": "method function",
        "Names2": "type type",
        "shout": "function function",
        "HIDDEN": "const constant",
    }


def test_kotlin_relations_calls_bindings_and_imports():
    rows = Looked("kotlin", KOTLIN)

    assert rows.symbol("Shop").doc == "A shop."
    assert rows.uses("extends") == {("", "Base", "Shop"), ("", "First", "Named"), ("", "Base", "Single")}
    assert rows.uses("implements") == {("", "Named", "Shop"), ("", "Named", "Color")}
    assert {
        ("helper", "help", "Shop.all"), ("made", "go", "Shop.all"), ("", "Thing", "Shop.all"),
        ("it", "show", "Shop.all"),
    } <= rows.uses("calls")  # fmt: skip
    assert {
        ("this.store", "Store", "Shop"), ("this.items", "List", "Shop"), ("helper", "Helper", "Shop.all"),
        ("made", "Thing", "Shop.all"),
    } <= rows.bindings()  # fmt: skip
    assert rows.imports() == [
        ("com.util", "Names", ""),
        ("com.util", "Other", "Renamed"),
        ("com.util", "*", ""),
    ]
    assert rows.exported().isdisjoint({"HIDDEN", "Shop.items", "Shop.all.inner"})


def test_scala_symbols_relations_and_imports():
    rows = Looked("scala", SCALA)

    assert rows.kinds("class", "interface", "type", "const", "function", "method") == {
        "Shop": "class object",
        "Shop.Out": "type type",
        "Shop.all": "method function",
        "Shop.all.inner": "function function",
        "Shop.near": "method function",
        "Shop.LIMIT": "const constant",
        "Shop.make": "method function",
        "Named": "interface trait",
        "Named.name": "method function",
        "Pair": "class class",
    }
    assert rows.uses("extends") == {("", "Base", "Shop"), ("", "First", "Named")}
    assert rows.uses("implements") == {("", "Named", "Shop")}
    assert {("helper", "help", "Shop.all"), ("made", "go", "Shop.all")} <= rows.uses("calls")
    assert {("this.store", "Store", "Shop"), ("made", "Thing", "Shop.all")} <= rows.bindings()
    assert rows.imports() == [
        ("com.util", "Names", ""),
        ("com.util", "*", ""),
        ("com.util", "First", ""),
        ("com.util", "Second", "Other"),
    ]


def test_scala_package_lines_are_inside_each_other():
    rows = Looked("scala", "package com.shop\npackage core\n\nclass Shop\n")

    assert rows.symbol("Shop").namespace == "com.shop.core"
