"""Languages of packages, includes and global names."""

from mneme_indexer.resolve.edges import Resolver
from tests.indexer.sources import Texts


def edges(files, path: str, *kinds: str):
    rows = Resolver(Texts(files)).edges_of(path)
    return {(row.kind, row.src, row.dst) for row in rows if row.kind in kinds or not kinds}


def test_java_finds_classes_by_package():
    files = {
        "src/com/shop/A.java": (
            "package com.shop;\nimport com.shop.util.Money;\nimport static com.shop.util.Tools.round;\nimport java.util.*;\n"
            "public class A extends Base implements Priced {\n  private final Money money = new Money();\n"
            "  public int total(Item item) { money.cents(); item.price(); round(1); helper(); super.save(); save(); return 1; }\n"
            "  void helper() {}\n}\n"
        ),
        "src/com/shop/Base.java": "package com.shop;\nclass Base { void save() {} }\ninterface Priced {}\nclass Item { int price() { return 1; } }\n",
        "src/com/shop/util/Money.java": "package com.shop.util;\npublic class Money { public int cents() { return 1; } }\n",
        "src/com/shop/util/Tools.java": "package com.shop.util;\npublic class Tools { public static int round(int n) { return n; } }\n",
        "src/com/other/Base.java": "package com.other;\npublic class Base { public void save() {} }\n",
    }
    base = "src/com/shop/Base.java"

    assert {row for row in edges(files, "src/com/shop/A.java", "imports") if "java.util" not in row[2]} == {
        ("imports", "src/com/shop/A.java", "src/com/shop/util/Money.java"),
        ("imports", "src/com/shop/A.java", "src/com/shop/util/Tools.java"),
    }
    assert edges(files, "src/com/shop/A.java", "calls", "extends", "implements") >= {
        ("extends", "src/com/shop/A.java::A", f"{base}::Base"),
        ("implements", "src/com/shop/A.java::A", f"{base}::Priced"),
        ("calls", "src/com/shop/A.java::A.total", "src/com/shop/util/Money.java::Money.cents"),
        ("calls", "src/com/shop/A.java::A.total", f"{base}::Item.price"),
        ("calls", "src/com/shop/A.java::A.total", "src/com/shop/util/Tools.java::Tools.round"),
        ("calls", "src/com/shop/A.java::A.total", "src/com/shop/A.java::A.helper"),
        ("calls", "src/com/shop/A.java::A.total", f"{base}::Base.save"),
    }


def test_a_package_that_is_imported_whole_is_the_files_of_its_folder():
    files = {
        "A.java": "import com.shop.util.*;\nclass A { Money m; void go() { m.cents(); } }\n",
        "lib/com/shop/util/Money.java": "package com.shop.util;\npublic class Money { public int cents() { return 1; } }\n",
    }

    assert edges(files, "A.java", "imports", "calls") == {
        ("imports", "A.java", "lib/com/shop/util/Money.java"),
        ("calls", "A.java::A.go", "lib/com/shop/util/Money.java::Money.cents"),
    }


def test_c_finds_what_its_includes_declare_and_others_define():
    files = {
        "src/b.c": '#include <stdio.h>\n#include "b.h"\nstatic int inner(void) { return 1; }\nint run(void) { return inner() + other(); }\n',
        "src/b.h": '#include "deep/c.h"\nint run(void);\n',
        "include/deep/c.h": "int other(void);\n",
        "src/c.c": '#include "deep/c.h"\nint other(void) { return 2; }\n',
    }
    found = edges(files, "src/b.c", "imports", "calls")

    assert {
        ("imports", "src/b.c", "ext:stdio.h"),
        ("imports", "src/b.c", "src/b.h"),
        ("calls", "src/b.c::run", "src/b.c::inner"),
    } <= found
    assert {dst for kind, _, dst in found if kind == "calls"} & {"include/deep/c.h::other", "src/c.c::other"}
    assert edges(files, "src/b.h", "imports") == {("imports", "src/b.h", "include/deep/c.h")}


def test_ruby_finds_required_files_mixed_in_modules_and_made_instances():
    files = {
        "home.rb": (
            "require 'json'\nrequire_relative 'lib/cart'\nrequire 'shop/loud'\nclass Home\n  include Loud\n"
            "  def go\n    shout()\n    self.helper\n    Cart.new.total\n    c = Cart.new\n    c.total\n  end\n  def helper; end\nend\n"
        ),
        "lib/cart.rb": "class Cart\n  def total; end\nend\n",
        "lib/shop/loud.rb": "module Loud\n  def shout; end\nend\n",
    }

    assert edges(files, "home.rb", "imports") == {
        ("imports", "home.rb", "ext:json"),
        ("imports", "home.rb", "lib/cart.rb"),
        ("imports", "home.rb", "lib/shop/loud.rb"),
    }
    assert edges(files, "home.rb", "calls") >= {
        ("calls", "home.rb::Home.go", "lib/shop/loud.rb::Loud.shout"),
        ("calls", "home.rb::Home.go", "home.rb::Home.helper"),
        ("calls", "home.rb::Home.go", "lib/cart.rb::Cart.total"),
    }


def test_shell_scripts_find_what_they_source():
    files = {
        "bin/run.sh": '#!/bin/bash\nsource ./lib.sh\n. "$(dirname "$0")/other.sh"\nsource "${HERE}/third.sh"\nmain() { helper "x"; }\nmain\n',
        "bin/lib.sh": "helper() { echo; }\n",
        "bin/other.sh": "",
        "bin/third.sh": "",
    }

    assert edges(files, "bin/run.sh") == {
        ("imports", "bin/run.sh", "bin/lib.sh"),
        ("imports", "bin/run.sh", "bin/other.sh"),
        ("imports", "bin/run.sh", "bin/third.sh"),
        ("calls", "bin/run.sh::main", "bin/lib.sh::helper"),
        ("calls", "bin/run.sh", "bin/run.sh::main"),
    }
