from tests.indexer.extract.looking import Looked

SOURCE = r"""<?php
declare(strict_types=1);

namespace Shop\Model;

use Shop\Util\{Money, Deep\Clock as C, function rounded, const LIMIT as L};
use function Shop\Util\round_up;
use Psr\Log\LoggerInterface, Psr\Log\NullLogger as Nothing;
use Exception;
require_once __DIR__ . '/lib.php';
include 'other.php';
require(dirname(__DIR__) . "/above.php");

const FIRST = 1, SECOND = 2;
define('THIRD', 3);

/** Something priced. */
#[Attribute]
interface Priced extends Countable, \Stringable
{
    const TAX = 2;
    public function price(): int;
}

trait Loud { protected function log(string $m): void {} }

enum Status: string implements HasLabel
{
    case Open = 'o';
    const START = self::Open;
    public static function first(): self { return self::Open; }
}

/**
 * A cart.
 */
final class Cart extends Base implements Priced, \Far\Away
{
    use Loud, \Far\Quiet;

    private const LIMIT = 3;
    public int $count = 0;
    private ?Store $store;

    public function __construct(private LoggerInterface $logger, protected int $n = 1)
    {
        $this->other = new Other();
        $made = new \Far\Made(1);
        $made?->go();
        $this->store->get();
        self::sum(1);
        Helper::help();
        ns\deep();
        try { $x = 1; } catch (NotFound $e) { $e->show(); }
    }

    private static function sum(int $n): int { return $n; }
    abstract protected function hook();
}

function &helper(Cart $c, Loud|null $u): ?Money
{
    $f = fn(Status $s) => $s->label();
    function inner() {}
    return $c->price();
}

if (!function_exists('fallback')) {
    function fallback() {}
}

$object = new class extends Base { public function hi() { return 1; } };
"""


def looked() -> Looked:
    return Looked("php", SOURCE)


def test_every_kind_of_declaration_is_found():
    assert looked().kinds("class", "interface", "enum", "const", "function", "method") == {
        "FIRST": "const constant",
        "SECOND": "const constant",
        "THIRD": "const constant",
        "Priced": "interface interface",
        "Priced.TAX": "const constant",
        "Priced.price": "method method",
        "Loud": "class trait",
        "Loud.log": "method method",
        "Status": "enum enum",
        "Status.START": "const constant",
        "Status.first": "method method",
        "Cart": "class class",
        "Cart.LIMIT": "const constant",
        "Cart.__construct": "method method",
        "Cart.sum": "method method",
        "Cart.hook": "method method",
        "helper": "function function",
        "helper.inner": "function function",
        "fallback": "function function",
        "class@anonymous.hi": "method method",
    }


def test_properties_promoted_ones_too_and_cases_belong_to_their_class():
    assert set(looked().kinds("field")) == {
        "Status.Open", "Cart.count", "Cart.store", "Cart.logger", "Cart.n",
    }  # fmt: skip


def test_what_is_private_or_protected_is_not_exported():
    exported = looked().exported()

    assert {"FIRST", "Priced.TAX", "Priced.price", "Cart.__construct", "Status.first", "helper"} <= exported
    assert exported.isdisjoint({"Cart.LIMIT", "Cart.sum", "Cart.hook", "Loud.log", "Cart.logger"})


def test_docblocks_above_attributes_are_docs():
    assert looked().symbol("Priced").doc == "Something priced."
    assert looked().symbol("Cart").doc == "A cart."
    assert looked().lines("Cart") == (37, 59)


def test_a_namespace_reaches_to_the_next_and_braces_hold_their_own():
    lines = Looked("php", "<?php\nnamespace A\\B;\nclass X {}\nnamespace C;\nfunction f() {}\n")
    braces = Looked("php", "<?php\nnamespace A { }\nnamespace B { class X {} }\nnamespace { class Y {} }\n")

    assert looked().symbol("Cart").namespace == r"Shop\Model"
    assert [row.namespace for row in lines.file.symbols] == [r"A\B", "C"]
    assert [(row.name, row.namespace) for row in braces.file.symbols] == [("X", "B"), ("Y", "")]


def test_bases_interfaces_and_used_traits_are_related():
    rows = looked()

    assert rows.uses("extends") == {
        ("", "Countable", "Priced"), ("", "Stringable", "Priced"), ("", "Base", "Cart"), ("", "Loud", "Cart"),
        ("Far", "Quiet", "Cart"), ("", "Base", ""),
    }  # fmt: skip
    assert rows.uses("implements") == {
        ("", "HasLabel", "Status"), ("", "Priced", "Cart"), ("Far", "Away", "Cart"),
    }  # fmt: skip


def test_calls_have_receivers():
    make = "Cart.__construct"

    assert {
        ("", "Other", make), ("Far", "Made", make), ("$made", "go", make), ("$this->store", "get", make),
        ("self", "sum", make), ("Helper", "help", make), ("ns", "deep", make), ("$e", "show", make),
        ("$s", "label", "helper"), ("$c", "price", "helper"), ("", "function_exists", ""),
    } <= looked().uses("calls")  # fmt: skip


def test_names_are_bound_to_types():
    make = "Cart.__construct"

    assert {
        ("$this->logger", "LoggerInterface", "Cart"), ("$this->store", "Store", "Cart"),
        ("$this->other", "Other", "Cart"), ("$made", r"\Far\Made", make), ("$e", "NotFound", make),
        ("$c", "Cart", "helper"), ("$s", "Status", "helper"),
    } <= looked().bindings()  # fmt: skip


def test_imports_are_taken_apart_and_files_are_told_from_names():
    assert set(looked().imports()) == {
        (r"Shop\Util", "Money", ""),
        (r"Shop\Util\Deep", "Clock", "C"),
        (r"Shop\Util", "rounded", ""),
        (r"Shop\Util", "LIMIT", "L"),
        (r"Shop\Util", "round_up", ""),
        (r"Psr\Log", "LoggerInterface", ""),
        (r"Psr\Log", "NullLogger", "Nothing"),
        ("Exception", "", ""),
        ("./lib.php", "", ""),
        ("other.php", "", ""),
        ("../above.php", "", ""),
    }


def test_functions_between_html_have_the_lines_of_the_file():
    rows = Looked(
        "php", "<html>\n<?php function row($r) { ?>\n <li><?= escape($r) ?></li>\n<?php } ?>\n</html>\n"
    )

    assert rows.lines("row") == (2, 4)
    assert ("", "escape", "row") in rows.uses("calls")


def test_a_page_without_php_has_no_symbols():
    assert not Looked("php", "<html></html>").file.symbols
