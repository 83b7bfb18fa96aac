"""The commands about code, as people type them."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.shop import CART, rows, with_a_cart


@pytest.fixture
def project(repo):
    return with_a_cart(repo)


def test_the_index_is_built_and_a_second_time_there_is_nothing_new(project):
    first = project.mneme("index", "build", MNEME_QUIET="1")
    assert (first.code, first.err) == (0, "")
    assert first.out.startswith("code index: 2 files, 2 parsed now; ")
    assert project.mneme("index", "build").out.startswith("code index: 2 files, nothing new; ")
    (done,) = rows(project.mneme("index", "build", "--json"))
    assert (done["changed"], done["files"], done["parsed"]) == (False, 2, 0)
    assert done["tree"] == project.git("rev-parse", "HEAD^{tree}")


def test_reindex_parses_everything_again(project):
    project.mneme("index", "build")
    ran = project.mneme("reindex", "--json", MNEME_QUIET="1")
    assert ran.err == ""
    (done,) = rows(ran)
    assert (done["files"], done["parsed"]) == (2, 2)


def test_the_status_shows_what_is_indexed_and_never_makes_an_index(project):
    index = project.path / ".git/mneme/index.db"
    assert "code index: none for this work tree" in project.mneme("status").out
    assert rows(project.mneme("status", "--json"))[0]["code_index"] is None
    assert not index.exists()
    project.write("node_modules/x.js", "x\n")
    project.mneme("index", "build")
    told = project.mneme("status").out
    assert "code index: 3 files, " in told
    assert "      languages: " in told
    assert "python 1" in told
    assert "      not read: 1 (untracked, in node_modules): node_modules/x.js" in told
    assert "      without a grammar: 1 file" in told or "markdown 1" in told
    shown = rows(project.mneme("status", "--json"))[0]["code_index"]
    assert shown["counts"]["files"] == 3
    assert "" not in shown["files_by_language"]
    assert shown["skipped"] == [{"path": "node_modules/x.js", "reason": "untracked, in node_modules"}]
    assert shown["tree"][:12] in told


def test_a_damaged_index_is_built_anew_and_said(project):
    project.mneme("index", "build")
    index = project.path / ".git/mneme/index.db"
    for damage in (b"not a database at all", index.read_bytes()[:8192] + b"\xff" * 20_000, b""):
        index.write_bytes(damage)
        ran = project.mneme("lookup", "add")
        assert (ran.code, ran.out) == (0, "shop/cart.py:6  function add  def add(a, b):\n"), ran.err
        assert ("built anew" in ran.err) == bool(damage)


def test_the_dump_has_a_line_for_each_file_by_path(project):
    project.write("node_modules/x.js", "x\n")
    files = rows(project.mneme("index", "dump", "--json"))
    assert [file["file"] for file in files] == ["README.md", "node_modules/x.js", "shop/cart.py"]
    assert [(s["name"], s["kind"], s["container"]) for s in files[2]["symbols"]] == [
        ("Cart", "class", None),
        ("total", "method", "Cart"),
        ("add", "function", None),
    ]
    assert files[1]["skipped"] == "untracked, in node_modules"
    text = project.mneme("index", "dump").out
    assert "  2-3  method Cart.total\n" in text


def test_a_lookup_says_where(project):
    assert project.mneme("lookup", "add").out == "shop/cart.py:6  function add  def add(a, b):\n"
    ran = project.mneme("lookup", "nowhere")
    assert (ran.code, ran.out) == (1, "no symbol is called 'nowhere' or has it in its name\n")
    assert (
        rows(project.mneme("lookup", "total", "--kind", "method", "--json"))[0]["matches"][0]["container"]
        == "Cart"
    )
    ran = project.mneme("lookup", "total", "--kind", "class", "--json")
    assert (ran.code, ran.out) == (1, '{"matches":[]}\n')
    assert "method Cart.total" in project.mneme("lookup", "Cart::total").out


def test_an_outline_shows_what_is_inside_of_what(project):
    assert project.mneme("outline", "shop/cart.py").out == (
        "1-3  class Cart:\n  2-3  def total(self):\n6-7  def add(a, b):\n"
    )
    ran = project.mneme("outline", "nope.py")
    assert ran.code == 2
    assert "nope.py" in ran.err
    assert "hint:" in ran.err


def test_any_revision_answers_without_touching_the_work_tree(project):
    project.write("shop/cart.py", "def later():\n    pass\n")
    project.commit_all("later")
    project.write("shop/cart.py", "def now():\n    pass\n")
    before = project.git("status", "--porcelain")
    assert "later" in project.mneme("lookup", "later", "--at", "HEAD").out
    assert "class Cart" in project.mneme("lookup", "Cart", "--at", "HEAD~1").out
    assert project.mneme("lookup", "now").out == "shop/cart.py:1  function now  def now():\n"
    assert project.git("status", "--porcelain") == before
    ran = project.mneme("lookup", "x", "--at", "nope")
    assert (ran.code, "nope" in ran.err) == (2, True)


def test_a_bare_repository_answers_for_revisions(project, tmp_path):
    project.git("clone", "-q", "--bare", str(project.path), str(tmp_path / "bare"))
    from tests.support.gitrepo import GitRepo

    bare = GitRepo(tmp_path / "bare")
    assert bare.mneme("lookup", "Cart").code == 2
    assert "--at HEAD" in bare.mneme("lookup", "Cart").err
    assert "class Cart" in bare.mneme("lookup", "Cart", "--at", "HEAD").out


@pytest.mark.parametrize(
    "words",
    [
        ("context", "x", "--budget", "10"),
        ("context", "x", "--budget", "50001"),
        ("callers", "x", "--hops", "9"),
        ("callees", "x", "--hops", "0"),
        ("lookup", "x", "--kind", "banana"),
        ("lookup", "x", "--limit", "0"),
    ],
)
def test_values_out_of_range_are_refused(project, words):
    ran = project.mneme(*words)
    assert (ran.code, ran.out) == (2, "")
    assert words[2] in ran.err


def test_a_branch_there_and_back_parses_nothing(project):
    project.mneme("index", "build")
    project.git("switch", "-q", "-c", "other")
    project.write("shop/cart.py", "def other():\n    pass\n")
    project.commit_all("other")
    assert rows(project.mneme("index", "build", "--json"))[0]["parsed"] == 1
    for branch in ("main", "other", "main"):
        project.git("switch", "-q", branch)
        assert rows(project.mneme("index", "build", "--json"))[0]["parsed"] == 0


def test_work_trees_share_what_is_parsed(project, tmp_path):
    from tests.support.gitrepo import GitRepo

    project.mneme("index", "build")
    project.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = GitRepo(tmp_path / "linked")
    (done,) = rows(linked.mneme("index", "build", "--json"))
    assert (done["files"], done["parsed"]) == (2, 0)
    linked.write("new.py", "def only_here():\n    pass\n")
    assert "only_here" in linked.mneme("lookup", "only_here").out
    assert "no symbol" in project.mneme("lookup", "only_here").out


def test_ctrl_c_stops_cleanly_and_what_was_parsed_stays(project):
    for at in range(3000):
        project.write(f"pkg/m{at}.py", f"def f{at}():\n    return {at}\n" * 20)
    code = (
        "import os, signal, sys, mneme_git.app.code as code, mneme_git.cli.progress as progress\n"
        "show = progress.ProgressLine.__call__\n"
        "def press(self, told):\n"
        "    show(self, told)\n"
        "    if told.phase == 'parsing' and told.done: os.kill(os.getpid(), signal.SIGINT)\n"
        "progress.ProgressLine.__call__ = press\n"
        "from mneme_git.cli.entry import main\n"
        "sys.argv = ['mneme', 'index', 'build']\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=project.path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 130, ran.stderr
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    assert "stopped" in ran.stderr
    (done,) = rows(project.mneme("index", "build", "--json"))
    assert done["files"] == 3002


@pytest.mark.parametrize("command", [("index", "build"), ("lookup", "x"), ("outline", "a")])
def test_the_doors_of_the_code_are_the_only_ones_that_load_it(project, command):
    heavy = {"sqlite3", "tree_sitter", "mcp", "pydantic", "pygit2", "yaml"}
    start = (
        "import sys; from mneme_git.cli.main import build; build(%r); print(sorted(%r & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", start % (command[0], heavy)], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


def test_nothing_of_mcp_is_loaded_by_a_question(project):
    code = (
        "import sys; from mneme_git.cli.main import build\n"
        "sys.argv = ['mneme', 'lookup', 'add']\n"
        "try: build('lookup')()\n"
        "except SystemExit: pass\n"
        "print(sorted({'mcp', 'pydantic', 'pygit2', 'yaml'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=project.path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_name_that_is_no_text_and_one_with_a_line_break_are_told(project):
    (project.path / os.fsdecode(b"odd\xff.py")).write_bytes(b"def odd_one():\n    pass\n")
    project.write("two\nlines.py", "def odd_two():\n    pass\n")
    ran = project.mneme("lookup", "odd")
    assert ran.out.splitlines() == [
        "odd\\xff.py:1  function odd_one  def odd_one():",
        "two\\nlines.py:1  function odd_two  def odd_two():",
    ]


def stable(text):
    """The part of a context that must not depend on anything but tree, task and budget."""
    return text[: text.index('"project_hash"')]


def test_a_context_shows_each_symbol_with_its_place_and_reasons(project):
    ran = project.mneme("context", "the total of a cart is wrong")
    assert ran.code == 0
    assert "shop/cart.py:2  method Cart.total  (" in ran.out
    assert "        return add(1, 2)\n" in ran.out
    assert ran.out.splitlines()[-1].endswith("tokens as JSON")
    nothing = project.mneme("context", "qqqq zzzz")
    assert nothing.out == "nothing here bears on that task; try other words, or name a file with --hint\n"


def test_a_context_is_the_same_whatever_was_indexed_before_and_wherever(project, tmp_path):
    from tests.support.gitrepo import GitRepo

    first = project.mneme("context", "total of the cart", "--json").out
    project.write("shop/cart.py", CART.replace("add", "plus"))
    project.write("other.py", "def total_of_the_cart():\n    pass\n")
    between = project.mneme("context", "total of the cart", "--json").out
    project.git("checkout", "-q", "--", "shop/cart.py")
    (project.path / "other.py").unlink()
    again = project.mneme("context", "total of the cart", "--json").out
    project.git("clone", "-q", str(project.path), str(tmp_path / "clone"))
    cloned = GitRepo(tmp_path / "clone").mneme("context", "total of the cart", "--json").out
    at_head = project.mneme("context", "total of the cart", "--json", "--at", "HEAD").out
    assert stable(first) == stable(again) == stable(cloned) == stable(at_head)
    assert stable(between) != stable(first)
    assert list(json.loads(first)) == [
        "symbols",
        "snippets",
        "token_estimate",
        "fallback_reason",
        "project_hash",
        "validated",
        "context_id",
        "took_ms",
    ]


@pytest.mark.parametrize("budget", [500, 501, 777, 2000])
def test_a_context_keeps_to_its_budget_with_all_that_the_door_adds(project, budget):
    for at in range(30):
        project.write(f"shop/cart{at}.py", f"def total_of_cart_{at}(cart):\n    return {at}\n\n\n" + CART)
    (reply,) = rows(project.mneme("context", "total of the cart", "--budget", str(budget), "--json"))
    assert reply["symbols"]
    assert len(json.dumps(reply)) / 4 <= reply["token_estimate"] <= budget


def test_callers_and_callees_name_the_way(project):
    assert project.mneme("callers", "add").out == "shop/cart.py:2  total  (add > total)\n"
    assert project.mneme("callees", "Cart.total").out == "shop/cart.py:6  add  (total > add)\n"
    assert project.mneme("callees", "add").out == "nothing in the index is called by 'add'\n"
    assert rows(project.mneme("callees", "add", "--json")) == [{"results": []}]
