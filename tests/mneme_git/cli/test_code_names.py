"""How the commands about code take names and files, and how they say what they have not."""

import json

import pytest

from mneme_git.app.code_text import related_text
from mneme_indexer.answers import TAIL
from tests.support.gitrepo import GitRepo
from tests.support.shop import rows, with_a_cart


@pytest.fixture
def project(repo):
    return with_a_cart(repo)


def test_a_lookup_says_that_there_is_more(project):
    ran = project.mneme("lookup", "a", "--limit", "1")
    assert ran.out.splitlines()[1:] == ["... there are more: a larger --limit shows them"]
    assert rows(project.mneme("lookup", "a", "--limit", "1", "--json"))[0]["truncated"] is True
    assert "truncated" not in rows(project.mneme("lookup", "add", "--json"))[0]


@pytest.mark.parametrize("command", ["callers", "callees"])
def test_a_name_that_nothing_has_is_said_with_names_like_it(project, command):
    ran = project.mneme(command, "Cart.totl")
    assert (ran.code, ran.out) == (1, "")
    assert "no symbol matches 'Cart.totl'" in ran.err
    assert "perhaps Cart.total; `mneme lookup NAME`" in ran.err
    ran = project.mneme(command, "add", "--file", "README.md")
    assert ran.code == 1
    assert "no symbol in README.md matches 'add'" in ran.err
    assert "it is in shop/cart.py" in ran.err
    ran = project.mneme(command, "add", "--file", "shop/crt.py", "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["code"] == "NOT_FOUND"
    assert "no file of the index matches 'shop/crt.py'" in ran.err
    assert "perhaps shop/cart.py" in ran.err


def test_a_way_with_a_guess_says_perhaps_and_a_long_answer_how_long_it_is(project):
    row = {"file": "a.py", "lines": [1, 2], "name": "go", "path": ["add", "go"], "confidence": 0.4}
    sure = {**row, "confidence": 0.5}
    told = related_text({"results": [row, sure], "truncated": True, "total": 9}, "add", "calls")
    assert told.splitlines() == [
        "a.py:1  go  (add > go)  perhaps",
        "a.py:1  go  (add > go)",
        "... 7 more: a larger --limit shows them",
    ]
    project.write(
        "more.py", "from shop.cart import add\n" + "".join(f"def f{n}(): add()\n" for n in range(9))
    )
    (reply,) = rows(project.mneme("callers", "add", "--hops", "1", "--limit", "3", "--json"))
    assert (len(reply["results"]), reply["truncated"], reply["total"]) == (3, True, 10)


def test_a_file_is_named_from_here_from_the_root_or_by_its_end(project, tmp_path):
    project.write("shop/shop/cart.py", "def inner():\n    pass\n")
    project.write("lib/shop/cart.py", "def other():\n    pass\n")

    def outlined(file, folder="."):
        ran = GitRepo(project.path / folder).mneme("outline", file, "--json")
        return json.loads(ran.out).get("file", ran.err)

    assert outlined("cart.py", "shop") == "shop/cart.py"
    assert outlined("./cart.py", "shop") == "shop/cart.py"
    assert outlined("../shop/cart.py", "lib") == "shop/cart.py"
    assert outlined("shop/cart.py", "shop") == "shop/shop/cart.py"  # here goes before the root
    assert outlined("shop/cart.py", "lib/shop") == "shop/cart.py"
    assert outlined(str(project.path / "lib/shop/cart.py"), "shop") == "lib/shop/cart.py"
    assert outlined("lib/shop/cart.py", "shop") == "lib/shop/cart.py"
    assert "fits several files: lib/shop/cart.py" in outlined("cart.py")
    (tmp_path / "link").symlink_to(project.path)
    assert outlined(str(tmp_path / "link/shop/cart.py")) == "shop/cart.py"
    assert "no file of the index" in outlined(str(tmp_path / "elsewhere.py"))
    assert "no file of the index" in outlined("../../elsewhere.py")
    assert project.mneme("callers", "add", "--file", "hop/ca").out.startswith("shop/cart.py:2  total")
    assert project.mneme("callers", "add", "--file", "cart.py").out.startswith("shop/cart.py:2  total")
    ran = GitRepo(project.path / "shop").mneme("callers", "inner", "--file", "shop/cart.py")
    assert (ran.code, ran.out) == (0, "nothing in the index calls 'inner'\n")


def test_a_signature_that_goes_on_says_so(project):
    arguments = ", ".join(f"argument_{at}" for at in range(60))
    project.write("long.py", f"def long({arguments}):\n    pass\n")
    for command in (("outline", "long.py"), ("lookup", "long")):
        assert project.mneme(*command).out.endswith("...\n")


def test_a_partial_clone_says_what_it_has_not(project, tmp_path):
    project.write("shop/cart.py", "def later():\n    pass\n")
    project.commit_all("later")
    project.git("config", "uploadpack.allowFilter", "true")
    origin = f"file://{project.path}"
    project.git("clone", "-q", "--filter=blob:none", origin, str(tmp_path / "partial"))
    clone = GitRepo(tmp_path / "partial")
    for command in (("lookup", "Cart"), ("context", "cart"), ("callers", "add")):
        ran = clone.mneme(*command, "--at", "HEAD~1")
        assert "WARN  the contents of 1 files are not in this partial clone" in ran.err
    told = json.loads(clone.mneme("context", "cart", "--at", "HEAD~1", "--json").out)
    assert told["missing"] == 1
    rest = json.dumps(told).partition(', "project_hash"')[2]
    assert len(rest) + 8 * len("99999999") < TAIL  # room for any numbers
    assert list(told)[:5] == ["symbols", "snippets", "token_estimate", "fallback_reason", "project_hash"]
    assert "missing" not in json.loads(clone.mneme("context", "later", "--json").out)
    status = clone.mneme("status", "--at", "HEAD~1")
    assert "not read: 1 (not in this partial clone): shop/cart.py" in status.out


def test_only_commands_with_memory_name_it_where_there_is_no_repository(tmp_path):
    nowhere = GitRepo(tmp_path)
    for command in (("lookup", "x"), ("context", "x"), ("status",), ("index", "build"), ("verify",)):
        ran = nowhere.mneme(*command)
        assert (ran.code, "hint: run `git init` there" in ran.err) == (2, True)
        assert "--memory" not in ran.err
    assert "--memory" in nowhere.mneme("list_decisions").err


@pytest.mark.parametrize("command", ["lookup", "callers", "callees"])
@pytest.mark.parametrize("name", ["\udcff\udcfe", "a\udcffb", "\ud800"])
def test_a_name_that_is_no_text_is_not_found(project, command, name):
    ran = project.mneme(command, name)
    assert ran.code == 1
    assert "fault" not in ran.err
