import pytest

from mneme_indexer.answers import Query
from mneme_indexer.rank.context import context
from mneme_indexer.rank.forms import forms
from mneme_indexer.rank.fusion import WEIGHTS, scaled_signals
from mneme_indexer.rank.question import question_of
from mneme_indexer.rank.roles import role_of
from mneme_indexer.rank.signals import path_scores
from mneme_indexer.rank.survey import Survey
from mneme_indexer.rank.votes import Votes
from mneme_indexer.sources import Commit
from tests.indexer.rank.corpora import MemoryCorpus


def first_files(files, task, commits=(), hint=""):
    corpus = MemoryCorpus({path: text.encode() for path, text in files.items()})
    answer = context(corpus, Survey(corpus, commits), Query(task=task, hint=hint))
    return list(dict.fromkeys(symbol.file for symbol in answer.symbols))


def commit(message, *paths):
    return Commit(message, 0, message, paths)


SAME = "def work():\n    return cart\n"


def test_a_definition_comes_before_its_uses():
    files = {
        "use.py": "def main():\n    compute_tax()\n    compute_tax()\n",
        "tax.py": "def compute_tax():\n    pass\n",
    }
    assert first_files(files, "compute_tax is wrong")[0] == "tax.py"


def test_a_file_that_is_mentioned_comes_first():
    files = {"a/one.py": SAME, "a/two.py": f"{SAME}# two\n", "b/two.py": f"{SAME}# b\n"}
    assert first_files(files, "cart fails, see b/two.py")[0] == "b/two.py"


def test_the_past_votes_for_what_it_changed():
    files = {f"m{n}.py": f"{SAME}# {n}\n" for n in range(4)}
    past = [commit("round the cart total", "m2.py"), commit("rename things", "m1.py")]
    assert first_files(files, "cart total rounding", past)[0] == "m2.py"


def test_a_commit_that_changes_everything_says_nothing():
    paths = [f"m{n}.py" for n in range(20)]
    votes = Votes([commit("cart", *paths)], paths)
    assert votes.of({"cart": 1.0}) == {}


def test_a_file_that_moved_keeps_part_of_its_votes():
    votes = Votes(
        [commit("cart", "old/cart.py"), commit("cart", "new/kept.py")], ["new/cart.py", "new/kept.py"]
    )
    found = votes.of({"cart": 1.0})
    assert 0 < found[0] < found[1]


def test_later_work_is_more_recent():
    votes = Votes(
        [commit("a", "x.py"), *[commit("b", "z.py")] * 60, commit("c", "y.py")], ["x.py", "y.py", "z.py"]
    )
    found = votes.recency_of([0, 1])
    assert found[0] > found[1] > 0


def test_tests_come_after_the_code_unless_they_are_asked_for():
    files = {
        "tests/test_cart.py": "def test_cart():\n    cart()\n    cart()\n",
        "cart.py": "def cart():\n    pass\n",
    }
    assert first_files(files, "cart is empty")[0] == "cart.py"
    assert first_files(files, "the test_cart test of the cart is flaky")[0] == "tests/test_cart.py"


def test_what_serves_tests_comes_first_when_it_is_looked_for():
    files = {
        "tests/conftest.py": "@fixture\ndef client():\n    return app()\n",
        "app.py": "def app():\n    pass\n\n\ndef client():\n    pass\n",
    }
    assert first_files(files, "client of the app")[0] == "app.py"
    assert first_files(files, "fixtures for the client of the app")[0] == "tests/conftest.py"


def test_files_of_building_come_first_when_building_is_looked_for():
    files = {"ci.yml": "steps: upload coverage\n", "upload.py": "def upload():\n    return coverage\n"}
    assert first_files(files, "upload of the coverage")[0] == "upload.py"
    assert first_files(files, "steps of the ci workflow that upload coverage")[0] == "ci.yml"


def test_a_test_that_is_named_comes_before_the_code_that_it_tests():
    files = {
        "tests/test_cart.py": "def test_cart_total():\n    assert cart.total()\n",
        "cart.py": "def total():\n    return cart_total\n\n\ndef cart():\n    pass\n",
    }
    assert first_files(files, "test_cart_total")[0] == "tests/test_cart.py"


def test_named_symbols_come_before_what_only_says_where_they_are():
    files = {
        "a.py": "# root_path\nclass Loader:\n    def load_app(self):\n        root_path\n\n    x = Loader\n",
        "b.py": "def root_path():\n    pass\n",
    }
    corpus = MemoryCorpus({path: text.encode() for path, text in files.items()})
    answer = context(corpus, Survey(corpus, ()), Query(task="where is root_path and Loader.load_app"))
    assert {symbol.name for symbol in answer.symbols[:2]} == {"root_path", "load_app"}


def test_a_file_with_all_of_the_words_covers_more_than_one_that_repeats_some():
    files = {"hub.py": b"queue " * 30 + b"flush", "worker.py": b"queue flush deadline", "x.py": b"none"}
    corpus = MemoryCorpus(files)
    task = question_of("queue flush deadline")
    parts, _ = scaled_signals(corpus, Survey(corpus), task)
    assert parts["coverage"][1] == 1.0
    assert 0 < parts["coverage"][0] < 0.7
    assert WEIGHTS["coverage"] > 0


def test_a_word_that_all_paths_have_tells_little():
    corpus = MemoryCorpus({f"bats/m{n}.py": b"x" for n in range(9)} | {"bats/parser.py": b"x"})
    survey = Survey(corpus)
    common, telling = (path_scores(survey, question_of(word).terms) for word in ("bats", "parser"))
    assert max(common.values()) < 0.2 < max(telling.values())


def test_other_forms_of_a_word_are_found():
    assert first_files(
        {"a.py": "def validate():\n    pass\n", "b.py": "def x():\n    pass\n"}, "validation"
    ) == ["a.py"]


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("parsing", "parse"),
        ("parse", "parser"),
        ("queries", "query"),
        ("stopped", "stop"),
        ("validation", "validate"),
    ],
)
def test_forms_meet_in_either_direction(word, form):
    assert form in forms(word)
    assert word in forms(form)


@pytest.mark.parametrize("word", ["bus", "class", "x2", "über", "get"])
def test_short_and_foreign_words_are_left_alone_or_keep_their_s(word):
    assert word[:-1] not in forms(word)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/flask/testing.py", "code"),
        ("src/latest/a.go", "code"),
        ("packages/compiler/src/script/resolve.ts", "code"),
        ("django/contrib/admin/options.py", "code"),
        ("src/build/plan.py", "code"),
        ("scripts/release.py", "aside"),
        ("tools/vendor/x.go", "aside"),
        ("include/fmt/bundled/os.h", "aside"),
        ("src/_vendor/x.py", "aside"),
        ("src/bundled.py", "code"),
        ("tests/test_app.py", "test"),
        ("pkg/server_test.go", "test"),
        ("src/Serilog.Tests/Core/LogTests.cs", "test"),
        ("src/test/java/a/FooTest.java", "test"),
        ("Tests/AppTests/A.swift", "test"),
        ("spec/models/user_spec.rb", "test"),
        ("packages/a/__tests__/x.spec.ts", "test"),
        ("examples/hello.py", "aside"),
        ("types/index.d.ts", "aside"),
        ("proto/a_pb2.py", "aside"),
        ("web/app.min.js", "aside"),
        ("README.md", "other"),
        ("package.json", "setup"),
        (".github/workflows/ci.yml", "setup"),
        ("lib/CMakeLists.txt", "setup"),
    ],
)
def test_the_role_of_a_file_is_told_from_its_path(path, role):
    assert role_of(path) == role


def test_a_file_that_is_parsed_is_code_whatever_its_name():
    assert role_of("libexec/bats", "bash") == "code"
    assert role_of("docs/guide.md", "markdown") == "other"
