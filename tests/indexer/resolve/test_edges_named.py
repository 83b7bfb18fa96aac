"""Languages whose names are found by package, folder, crate or namespace."""

from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts


def edges(files, path: str, *kinds: str):
    rows = Resolver(Texts(files)).edges_of(path)
    return {(row.kind, row.src, row.dst) for row in rows if row.kind in kinds or not kinds}


def test_go_finds_packages_below_the_module_and_files_of_the_same_folder():
    files = {
        "go.mod": "module shop\n",
        "main.go": (
            'package main\n\nimport (\n\t"fmt"\n\tst "shop/store"\n\t"shop/gone"\n)\n\n'
            'func main() {\n\ts := st.Open("x")\n\ts.Get()\n\thelp()\n\tfmt.Println(st.Limit)\n\tst.Store{}.Get()\n}\n'
        ),
        "help.go": "package main\n\nfunc help() {}\n",
        "store/store.go": (
            "package store\n\nconst Limit = 1\n\ntype Store struct{ inner *Inner }\n\n"
            "func Open(n string) (*Store, error) { return nil, nil }\n\nfunc (s *Store) Get() { s.inner.Load() }\n"
        ),
        "store/inner.go": "package store\n\ntype Inner struct{}\n\nfunc (i *Inner) Load() {}\n",
    }

    assert edges(files, "main.go", "imports") == {
        ("imports", "main.go", "ext:fmt"),
        ("imports", "main.go", "ext:shop/gone"),
        ("imports", "main.go", "store/store.go"),
        ("imports", "main.go", "store/inner.go"),
    }
    assert edges(files, "main.go", "calls") == {
        ("calls", "main.go::main", "store/store.go::Open"),
        ("calls", "main.go::main", "store/store.go::Store.Get"),
        ("calls", "main.go::main", "help.go::help"),
    }
    assert edges(files, "store/store.go", "calls") == {
        ("calls", "store/store.go::Store.Get", "store/inner.go::Inner.Load")
    }


def test_rust_finds_modules_from_the_crate_the_parent_and_the_workspace():
    files = {
        "Cargo.toml": '[package]\nname = "shop"\nversion = "1"\n',
        "src/lib.rs": "pub mod cart;\npub mod util;\npub use crate::cart::Cart;\n",
        "src/cart.rs": (
            "use crate::util::{tax, money::Money as M};\nuse super::util;\nuse std::fmt;\n\npub struct Cart { m: M }\n\n"
            "impl Cart {\n    pub fn new() -> Self { Self::empty() }\n    fn empty() -> Self { tax(1); util::tax(2); todo!() }\n"
            "    pub fn total(&self) { self.m.cents(); crate::util::tax(3); }\n}\n\n"
            "#[cfg(test)]\nmod tests {\n    use super::*;\n    fn works() { let c = Cart::new(); c.total(); }\n}\n"
        ),
        "src/util/mod.rs": "pub mod money;\npub fn tax(n: u8) {}\n",
        "src/util/money.rs": "pub struct Money;\nimpl Money { pub fn cents(&self) {} }\n",
    }

    assert {
        ("imports", "src/cart.rs", "src/util/mod.rs"),
        ("imports", "src/cart.rs", "src/util/money.rs"),
        ("imports", "src/cart.rs", "ext:std::fmt"),
    } <= edges(files, "src/cart.rs", "imports")
    assert edges(files, "src/cart.rs", "calls") >= {
        ("calls", "src/cart.rs::Cart.new", "src/cart.rs::Cart.empty"),
        ("calls", "src/cart.rs::Cart.empty", "src/util/mod.rs::tax"),
        ("calls", "src/cart.rs::Cart.total", "src/util/money.rs::Money.cents"),
        ("calls", "src/cart.rs::Cart.total", "src/util/mod.rs::tax"),
        ("calls", "src/cart.rs::tests.works", "src/cart.rs::Cart.new"),
        ("calls", "src/cart.rs::tests.works", "src/cart.rs::Cart.total"),
    }


def test_php_finds_classes_by_namespace_and_files_by_path():
    files = {
        "src/Model/Cart.php": (
            "<?php\nnamespace Shop\\Model;\nuse Shop\\Util\\Money;\nuse function Shop\\Util\\round_up;\nuse Psr\\Log\\Logger;\n"
            "class Cart extends Base implements Priced {\n  private Money $m;\n  public function __construct(private Item $item) {}\n"
            "  public function total() { $this->m->cents(); $this->item->price(); parent::total(); self::make(); round_up(1); helper(); }\n"
            "  public static function make() { return new Cart(); }\n}\n"
        ),
        "src/Model/Base.php": "<?php\nnamespace Shop\\Model;\nabstract class Base { public function total() {} }\ninterface Priced {}\n",
        "src/Model/Item.php": "<?php\nnamespace Shop\\Model;\nclass Item { public function price() {} }\n",
        "src/Util/util.php": "<?php\nnamespace Shop\\Util;\nclass Money { public function cents() {} }\nfunction round_up($n) {}\n",
        "lib.php": "<?php\nfunction helper() {}\n",
        "index.php": "<?php\nrequire_once __DIR__ . '/lib.php';\nrequire 'src/Model/Cart.php';\nhelper();\n$c = new \\Shop\\Model\\Cart();\n$c->total();\n",
    }

    assert edges(files, "src/Model/Cart.php", "imports") == {
        ("imports", "src/Model/Cart.php", "src/Util/util.php"),
        ("imports", "src/Model/Cart.php", "ext:Psr\\Log\\Logger"),
    }
    cart = "src/Model/Cart.php::Cart"
    assert edges(files, "src/Model/Cart.php", "calls", "extends", "implements") == {
        ("extends", cart, "src/Model/Base.php::Base"),
        ("implements", cart, "src/Model/Base.php::Priced"),
        ("calls", f"{cart}.total", "src/Util/util.php::Money.cents"),
        ("calls", f"{cart}.total", "src/Model/Item.php::Item.price"),
        ("calls", f"{cart}.total", "src/Model/Base.php::Base.total"),
        ("calls", f"{cart}.total", f"{cart}.make"),
        ("calls", f"{cart}.total", "src/Util/util.php::round_up"),
        ("calls", f"{cart}.total", "lib.php::helper"),
        ("calls", f"{cart}.make", cart),
    }
    assert edges(files, "index.php") == {
        ("imports", "index.php", "lib.php"),
        ("imports", "index.php", "src/Model/Cart.php"),
        ("calls", "index.php", "lib.php::helper"),
        ("calls", "index.php", cart),
        ("calls", "index.php", f"{cart}.total"),
    }


def test_c_sharp_finds_what_its_namespaces_and_usings_open():
    files = {
        "A.cs": (
            "using Shop.Core;\nusing static Shop.Core.Tools;\nusing R = Shop.Core.Repo;\nnamespace Shop.Web\n{\n"
            "  public class Home : Controller, IHome\n  {\n    private readonly Repo _repo;\n    public Home(Repo repo) { _repo = repo; }\n"
            "    public int Get() { Dispose(); this.Dispose(); base.Dispose(); return _repo.Load() + R.Make() + Twice(1) + Other(); }\n  }\n}\n"
        ),
        "B.cs": (
            "namespace Shop.Web { public partial class Home { int Other() { return 1; } }\n public interface IHome {} }\n"
            "namespace Shop { public class Controller { protected void Dispose() {} } }\n"
        ),
        "C.cs": (
            "namespace Shop.Core;\npublic class Repo { public int Load() => 1; public static int Make() => 2; }\n"
            "public static class Tools { public static int Twice(int n) => n; }\n"
        ),
        "D.cs": "namespace Elsewhere;\npublic class Repo { public int Load() => 1; }\npublic class Controller {}\n",
    }

    home = "A.cs::Home"
    assert {row for row in edges(files, "A.cs") if row[0] != "references"} == {
        ("imports", "A.cs", "ext:Shop.Core"),
        ("imports", "A.cs", "ext:Shop.Core.Tools"),
        ("imports", "A.cs", "ext:Shop.Core.Repo"),
        ("extends", home, "B.cs::Controller"),
        ("implements", home, "B.cs::IHome"),
        ("calls", f"{home}.Get", "B.cs::Controller.Dispose"),
        ("calls", f"{home}.Get", "C.cs::Repo.Load"),
        ("calls", f"{home}.Get", "C.cs::Repo.Make"),
        ("calls", f"{home}.Get", "C.cs::Tools.Twice"),
        ("calls", f"{home}.Get", "B.cs::Home.Other"),
    }
