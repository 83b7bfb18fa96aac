import re
from math import ceil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from mneme_indexer.answers import TAIL, Query, serialised
from mneme_indexer.rank.context import context
from mneme_indexer.rank.fusion import rank_files
from mneme_indexer.rank.question import question_of
from mneme_indexer.rank.survey import Survey
from mneme_indexer.rank.within import rank_symbols, worded
from mneme_indexer.sources import Commit
from tests.indexer.rank.corpora import MemoryCorpus

LONG = "def process_invoice(x):\n" + "".join(
    f"    step_{n} = x + {n}  # a comment that fills\n" for n in range(90)
)


def ask(files, task, budget=6000, commits=()):
    corpus = MemoryCorpus({path: text.encode("utf-8", "surrogatepass") for path, text in files.items()})
    return context(corpus, Survey(corpus, commits), Query(task=task, budget=budget))


def test_a_symbol_larger_than_the_budget_is_cut_at_a_line_with_the_way_to_the_rest():
    answer = ask(
        {"core.py": f"{LONG}    return x\n\n\ndef other():\n    pass\n"}, "fix process_invoice rounding", 500
    )
    snippet = answer.snippets[0]
    *rows, marker = snippet.text.split("\n")
    assert answer.symbols[0].name == "process_invoice"
    assert rows == LONG.split("\n")[: len(rows)]
    assert snippet.end == len(rows)
    assert f"lines {snippet.end + 1}-92" in marker
    assert "mneme_lookup_symbol" in marker


def test_of_a_long_function_the_beginning_and_the_lines_that_match_are_shown():
    rows = LONG.split("\n")
    rows[70] = "    refund = round_half_even(refund)"
    answer = ask(
        {"core.py": "\n".join([*rows[:-1], "    return x", ""])}, "process invoice: refund rounding", 900
    )
    snippet = answer.snippets[0]
    shown = snippet.text.split("\n")
    assert shown[:3] == rows[:3]
    at = shown.index(rows[70])
    assert shown[at - 1 : at + 2] == rows[69:72]
    assert re.fullmatch(r"\[lines \d+-69 are left out\]", shown[at - 2])
    assert shown[-1].startswith("[cut: read lines 73-92 of this file, or mneme_lookup_symbol")
    code = [row for row in shown if not row.startswith("[")]
    assert code == [row for row in rows if row in code]
    assert snippet.end == 72


def test_where_only_the_beginning_matches_it_is_shown_as_far_as_it_fits():
    answer = ask({"core.py": f"{LONG}    return x\n"}, "process invoice", 500)
    assert "left out" not in answer.snippets[0].text


def test_what_fits_is_shown_whole_wherever_the_task_matches():
    text = "def pay(x):\n" + "".join(f"    x += {n}\n" for n in range(20)) + "    return refund(x)\n"
    answer = ask({"core.py": text}, "refund")
    assert answer.snippets[0].text == text.rstrip()


def test_the_marker_of_an_excerpt_that_ends_with_the_last_line_says_how_to_get_the_rest():
    answer = ask({"core.py": f"{LONG}    return refund(x)\n"}, "process invoice refund", 900)
    shown = answer.snippets[0].text.split("\n")
    assert shown[-1] == "    return refund(x)"
    assert any("mneme_lookup_symbol" in row for row in shown)


def test_further_symbols_of_a_file_are_cut_short_rather_than_left_out():
    long = "".join(
        f"def invoice_{n}():\n" + "    step(invoice)\n" * 90 + f"    return {n}\n\n\n" for n in range(12)
    )
    assert len(ask({"core.py": long}, "invoice").symbols) == 12


def test_the_last_room_lists_further_symbols_by_signature_and_the_line_that_matches():
    text = "".join(
        f"def invoice_{n}():\n" + f"    step_{n}(x)\n" * 60 + f"    charge_refund({n})\n\n\n"
        for n in range(40)
    )
    answer = ask({"core.py": text}, "invoice refund")
    assert len(answer.symbols) > 25
    brief = [snippet for snippet in answer.snippets if len(snippet.text.split("\n")) == 2]
    assert len(brief) > 15
    for snippet in brief:
        n = re.fullmatch(r"def invoice_(\d+)\(\):.*", snippet.text.split("\n")[0])[1]
        assert snippet.text.split("\n")[1] == f"    charge_refund({n})  [{snippet.end}]"


def test_a_class_is_shown_as_its_members_before_their_bodies():
    body = "".join(f"    def part_{n}(self):\n        return {n}\n\n" for n in range(12))
    answer = ask({"shop.py": f"class Basket:\n{body}"}, "Basket")
    assert answer.symbols[0].name == "Basket"
    assert "def part_3(self):" in answer.snippets[0].text
    assert "return 3" not in answer.snippets[0].text


def test_a_small_class_is_shown_whole_and_its_methods_are_not_repeated():
    answer = ask({"shop.py": "class Basket:\n    def total(self):\n        return 1\n"}, "Basket")
    assert len(answer.symbols) == 1


def test_a_method_that_was_shown_is_passed_over_in_what_contains_it():
    filling = "".join(f"        x = {n}\n" for n in range(30))
    text = f"def outer():\n    a = 1\n    def checksum_of_row():\n{filling}    return a\n"
    answer = ask({"a.py": text}, "checksum_of_row outer")
    shown = "\n".join(snippet.text for snippet in answer.snippets)
    assert shown.count("x = 17") == 1


def test_smaller_symbols_are_tried_after_one_that_does_not_fit():
    files = {f"mod_{n}.py": f"def invoice_{n}():\n    return {n}\n" for n in range(12)}
    answer = ask({**files, "big.py": LONG}, "process invoice", 1500)
    assert len({symbol.file for symbol in answer.symbols}) > 5


def test_many_files_come_before_more_of_one_file():
    files = {
        f"mod_{n}.py": "".join(f"def invoice_{n}_{k}():\n    return {k}\n" for k in range(20))
        for n in range(14)
    }
    answer = ask(files, "invoice")
    assert len({symbol.file for symbol in answer.symbols}) == 14


def test_a_second_symbol_that_bears_more_on_the_task_than_the_next_file_comes_before_it():
    two = "def parse_header():\n    pass\n\n\ndef parse_header_line():\n    pass\n"
    answer = ask({"header.py": two, "other.py": "def x():\n    header = 1\n"}, "parse header")
    assert [symbol.file for symbol in answer.symbols] == ["header.py", "header.py", "other.py"]


def test_a_file_of_the_same_content_is_shown_once():
    answer = ask({"a/x.py": "def pay():\n    pass\n", "b/x.py": "def pay():\n    pass\n"}, "pay")
    assert len(answer.symbols) == 1


def test_a_file_without_symbols_is_found_by_its_words():
    answer = ask(
        {"conf/limits.ini": "timeout = 30\nretries = 2\n", "a.py": "def x():\n    pass\n"},
        "raise the timeout",
    )
    assert (answer.symbols[0].name, answer.symbols[0].kind) == ("limits.ini", "module")
    assert answer.snippets[0].text == "timeout = 30\nretries = 2"


def test_a_task_that_finds_nothing_is_answered_with_nothing():
    assert ask({"a.py": "def x():\n    pass\n"}, "zebra").symbols == ()


WORDS = st.sampled_from(
    ["order", "total", "Cart", "get_user", "parse", "é", "名前", "x" * 50, '"', "\\", "\x00", "\t"]
)
LINE = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.builds("def {}({}):".format, st.sampled_from(["order", "total", "parse"]), WORDS),
    st.builds("class {}:".format, st.sampled_from(["Cart", "Order"])),
    st.builds("    def {}(self):".format, st.sampled_from(["order", "total"])),
    st.builds("        {}".format, WORDS),
    st.text(max_size=40),
    st.just("y" * 3000),
)
TEXT = st.lists(LINE, max_size=60).map("\n".join)
PATH = st.builds(
    "{}/{}{}".format,
    st.sampled_from(["src", "tests", "a" * 200, "d/é"]),
    st.sampled_from(["order", "cart", "total", "名前"]),
    st.sampled_from([".py", ".md", ".txt", ""]),
)


def check_promises(files, task, budget):
    answer = ask(files, task, budget)
    size = len(serialised(answer)) + TAIL
    assert size <= budget * 4
    assert ceil(size / 4) <= answer.token_estimate <= budget
    assert len(answer.symbols) == len(answer.snippets)
    for at, snippet in enumerate(answer.snippets):
        assert snippet.file == answer.symbols[at].file
        for other in answer.snippets[:at]:
            if snippet.file == other.file:
                assert snippet.text.strip() not in other.text
                assert other.text.strip() not in snippet.text


@given(
    st.dictionaries(PATH, TEXT, max_size=8), st.lists(WORDS, max_size=8).map(" ".join), st.integers(500, 8000)
)
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_the_budget_holds_for_every_input_and_nothing_is_repeated(files, task, budget):
    check_promises(files, task, budget)


@pytest.mark.soak
@given(
    st.dictionaries(PATH, TEXT, max_size=8), st.lists(WORDS, max_size=8).map(" ".join), st.integers(500, 8000)
)
@settings(deadline=None, max_examples=10_000, suppress_health_check=list(HealthCheck))
def test_the_budget_holds_for_ten_thousand_inputs(files, task, budget):
    check_promises(files, task, budget)


def test_the_reply_is_the_same_whatever_order_the_index_answers_in():
    files = {f"m{n}.py": f"def invoice_{n % 3}():\n    return tax({n})\n" for n in range(9)}
    commits = [Commit(f"{n}", n, f"invoice tax {n}", (f"m{n}.py",)) for n in range(9)]

    class Backwards(MemoryCorpus):
        def body(self, term):
            return super().body(term)[::-1]

        def heads(self, term):
            return super().heads(term)[::-1]

        def named(self, name):
            return super().named(name)[::-1]

    data = {path: text.encode() for path, text in files.items()}
    query = Query(task="invoice tax")
    first, second = MemoryCorpus(data), Backwards(data)
    one = context(first, Survey(first, commits), query)
    assert serialised(one) == serialised(context(second, Survey(second, commits), query))


def test_a_survey_that_takes_over_an_earlier_one_is_like_a_new_one():
    files = {f"m{n}.py": f"def invoice_{n % 3}():\n    return tax({n})\n".encode() for n in range(5)}
    commits = [Commit(f"{n}", n, f"invoice tax {n}", (f"m{n}.py",)) for n in range(5)]
    known = Survey(MemoryCorpus(files), commits)
    for later in (
        {**files, "m1.py": b"def tax():\n    pass\n"},
        {**files, "new.py": b"def tax():\n    pass\n"},
    ):
        corpus = MemoryCorpus(later)
        query = Query(task="invoice tax")
        fresh = context(corpus, Survey(corpus, commits), query)
        assert serialised(context(corpus, Survey(corpus, commits, known), query)) == serialised(fresh)


def test_a_constructor_comes_after_the_methods_unless_it_is_named():
    text = (
        b"class Cart:\n"
        b"    def __init__(self, *given):\n        self.total, self.tax = given\n        self.total += self.tax\n\n"
        b"    def charge(self):\n        return self.total + self.tax\n"
    )
    corpus = MemoryCorpus({"cart.py": text})
    symbols = corpus.symbols(0)
    found = _order(corpus, symbols, "total tax")
    assert found.index("charge") < found.index("__init__")
    assert _order(corpus, symbols, "`__init__` of total tax")[0] == "__init__"


def _order(corpus, symbols, task):
    question = question_of(task)
    survey = Survey(corpus)
    (ranked,) = rank_files(corpus, survey, question)
    words = worded(question, corpus, survey)
    return [
        symbols[choice.symbol].name
        for choice in rank_symbols(ranked, symbols, corpus.text(0), question, words)
    ]


def test_a_namespace_around_others_is_not_shown_for_itself():
    corpus = MemoryCorpus({"cart.py": b"class Cart:\n    def total(self):\n        return cart\n"})
    outer, inner = corpus.symbols(0)
    symbols = (structs.replace(outer, kind="module"), inner)
    assert _order(corpus, symbols, "total of the cart") == ["total"]
    assert "Cart" in _order(corpus, symbols, "`Cart` total")
