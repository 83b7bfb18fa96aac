"""What the recall index keeps and how it is asked."""

import pytest

from mneme_git.memories.content import content_key
from mneme_git.store.recall_index import Filters
from tests.support.recall import bodies, memory, name_of, named, opened

HOSTILE = ['"', '"alpha', "*", "alpha*", "OR", "AND NOT", "NEAR(alpha, two)", "-alpha", "col:alpha", "body:alpha",
           "'; DROP TABLE memories; --", "\x00", "alpha\x00", "^alpha", "(((", "\ud800 alpha", "%", "_", "\\",
           "alpha" * 5000, "a" * 100_000, "\n\t ", "\u200d\ufe0f", "[a-z]+", "Sproject", "Kdecision"]  # fmt: skip


def test_what_was_added_is_known_and_comes_back_as_it_was(tmp_path):
    records = [
        memory("a\r\nb\n\n", tags=("t",), files=("src/a.py",), identifiers=("Cart.total",), task="price"),
        memory(
            "e\u0301 \U0001f389" * 200, kind="todo", supersedes=("0" * 32,), branch="main", source="agent"
        ),
    ]
    index, by_name = opened(tmp_path), named(records)
    assert index.missing([*by_name, "f" * 32]) == (*sorted([*by_name, "f" * 32]),)
    index.add(by_name)
    index.add(by_name)
    assert index.missing([*by_name, "f" * 32]) == ("f" * 32,)
    assert index.memories(reversed(list(by_name))) == by_name
    assert list(index.memories(reversed(list(by_name)))) == list(reversed(by_name))
    assert index.memories(["f" * 32, "no hex", ""]) == {}
    again = opened(tmp_path)
    assert again.missing(by_name) == ()
    assert again.memories(by_name) == by_name


def test_equal_contents_and_what_is_superseded_are_known(tmp_path):
    one, two = memory("same", author="Ada"), memory("same", author="Bob")
    new = memory("newer", supersedes=(name_of(one), "not a name"))
    index = opened(tmp_path, [one, two, new])
    assert index.same_content(content_key(one)) == tuple(sorted([name_of(one), name_of(two)]))
    assert index.same_content("0" * 64) == ()
    assert index.same_content("nonsense") == ()
    assert index.superseding() == {name_of(one): (name_of(new),)}
    assert index.contents() == {name: content_key(each) for name, each in named([one, two, new]).items()}


@pytest.mark.parametrize("batches", [1, 600])
def test_dropped_memories_leave_nothing_behind(tmp_path, batches):
    records = [memory(f"keep {at}", at=at) for at in range(599)]
    secret = memory("hunterzwosecret", tags=("leakedtag",), supersedes=("a" * 32,))
    index = opened(tmp_path)
    everything = [*records[:200], secret, *records[200:]]
    for start in range(batches):
        index.add(named(everything[start::batches]))
    assert bodies(index, "hunterzwosecret", [*records, secret]) == [secret.body]
    index.drop([name_of(secret), "f" * 32])
    assert bodies(index, "hunterzwosecret", [*records, secret]) == []
    assert bodies(index, "keep", [*records, secret], tags=("leakedtag",)) == []
    assert index.missing([name_of(secret)]) == (name_of(secret),)
    assert name_of(secret) not in index.contents()
    assert index.superseding() == {}
    assert bodies(index, "598", records) == ["keep 598"]
    index.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"hunter" not in kept
    assert b"leakedtag" not in kept
    again = opened(tmp_path)
    assert bodies(again, "keep 7", records)[0] == "keep 7"
    again.add(named([secret]))
    assert bodies(again, "hunterzwosecret", [secret]) == [secret.body]


@pytest.mark.parametrize("query", HOSTILE)
def test_every_query_is_taken_literally(tmp_path, query):
    records = [memory("alpha one"), memory("beta two", at=1), memory("near or and not", at=2)]
    found = bodies(opened(tmp_path, records), query, records)
    words = set(query.lower().replace("*", " ").replace("-", " ").split())
    if "alpha" in "".join(char if char.isalnum() else " " for char in query.lower()).split():
        assert found[0] == "alpha one" or "NEAR" in query
    elif words.isdisjoint({"or", "and", "not"}):
        assert found == []


def test_nothing_unrelated_is_found(tmp_path):
    records = [memory("alpha one"), memory("beta two", at=1)]
    index = opened(tmp_path, records)
    assert bodies(index, "zzzunknown", records) == []
    assert bodies(index, "alpha zzzunknown", records) == ["alpha one"]
    assert bodies(index, "", records) == []
    assert index.search("alpha", Filters(), frozenset(), 10) == ()
    assert opened(tmp_path / "empty").search("alpha", Filters(), frozenset(), 10) == ()


def test_what_no_memory_can_have_is_no_fault_of_the_index(tmp_path):
    records = [memory("alpha one", tags=("t",))]
    index, visible = opened(tmp_path, records), frozenset(named(records))
    bad = Filters(tags=("\ud800",), files=("\x00",), identifiers=("\udfff",))
    assert index.search("alpha", bad, visible, 5) == index.newest(bad, visible, 5) == ()
    assert index.search("alpha", Filters(), visible, -1) == index.newest(Filters(), visible, -1, -1) == ()
    assert index.missing([*visible, "\ud800"]) == ("\ud800",)
    assert index.memories(["\ud800"]) == {}
    index.drop(["\ud800", "zz"])
    assert index.missing(visible) == ()


FILTERED = [
    memory("alpha one", tags=("db", "Größe"), files=("src/a.py",), identifiers=("Cart.total",)),
    memory("alpha two", at=1, kind="todo", tags=("dbx",), files=("src/sub/b.py", "docs/x.md")),
    memory("alpha three", at=2, scope="global"),
]


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({}, {0, 1, 2}),
        ({"kinds": ("todo",)}, {1}),
        ({"kinds": ("todo", "decision")}, {0, 1, 2}),
        ({"scopes": ("global",)}, {2}),
        ({"tags": ("nope", "DB")}, {0}),
        ({"tags": ("GRÖSSE",)}, {0}),
        ({"files": ("src/a.py",)}, {0}),
        ({"files": ("a.py",)}, {0}),
        ({"files": ("./src/",)}, {0, 1}),
        ({"files": ("sub/b.py",)}, {1}),
        ({"files": ("b.py", "a.py")}, {0, 1}),
        ({"files": ("py",)}, set()),
        ({"files": ("sub",)}, set()),
        ({"identifiers": ("Cart.total",)}, {0}),
        ({"identifiers": ("cart.total",)}, set()),
        ({"kinds": ("todo",), "tags": ("db",)}, set()),
        ({"kinds": ("todo",), "files": ("docs",)}, {1}),
    ],
)
def test_filters_combine_with_a_query_and_without(tmp_path, filters, numbers):
    index = opened(tmp_path, FILTERED)
    expected = {FILTERED[number].body for number in numbers}
    assert set(bodies(index, "alpha", FILTERED, **filters)) == expected
    hits = index.newest(Filters(**filters), frozenset(named(FILTERED)), 10)
    assert {named(FILTERED)[hit.name].body for hit in hits} == expected


def test_the_newest_come_first_in_pages(tmp_path):
    records = [memory(f"m{at}", at=at // 2, author=str(at)) for at in range(2500)]
    index, visible = opened(tmp_path, records), frozenset(named(records[:2400]))
    expected = sorted(named(records[:2400]).items(), key=lambda pair: pair[0])
    expected.sort(key=lambda pair: pair[1].created_at, reverse=True)
    hits = index.newest(Filters(), visible, 30, 100)
    assert [hit.name for hit in hits] == [name for name, _ in expected[100:130]]
    few = frozenset(name for name, _ in expected[:9])
    assert [hit.name for hit in index.newest(Filters(), few, 5, 3)] == [name for name, _ in expected[3:8]]
    assert index.newest(Filters(), visible, 5, 9999) == ()


def test_times_with_milliseconds_and_without_are_in_order(tmp_path):
    times = ["2026-01-01T00:00:05Z", "2026-01-01T00:00:05.123Z", "2026-01-01T00:00:06Z", "yesterday"]
    records = [
        memory(f"m{at}").__class__(kind=memory("").kind, body=f"m{at}", created_at=time)
        for at, time in enumerate(times)
    ]
    hits = opened(tmp_path, records).newest(Filters(), frozenset(named(records)), 9)
    assert [named(records)[hit.name].body for hit in hits] == ["m2", "m1", "m0", "m3"]


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("getHTTPResponse fails", "http response"),
        ("getHTTPResponse fails", "get_http_response"),
        ("parse_user_input", "userInput"),
        ("顧客管理システム", "管理"),
        ("顧客管理システム", "客"),
        ("GRÖSSE zählt", "größe"),
        ("naïve café", "naive cafe"),
        ("naive cafe", "café"),
        ("use C++ here", "c++"),
        ("the .NET runtime", ".net"),
        ("release 3.11 breaks", "3.11"),
        ("ship it 🎉", "🎉"),
        ("see src/app/main.py", "main.py"),
        ("variable x is wrong", "x"),
        ("we stopped caching", "stop caches"),
        ("it went wrong", "goes wrong"),
        ("port 8080", "8080"),
        ("한국어는 어렵다", "한국"),
        ("OAuth2 tokens", "oauth token"),
    ],
)
def test_parts_of_names_and_any_script_are_found(tmp_path, body, query):
    record, other = memory(body), memory("something else entirely", at=3)
    assert bodies(opened(tmp_path, [record, other]), query, [record, other]) == [body]


def test_an_exact_form_comes_before_a_folded_one(tmp_path):
    records = [memory("resume writing", at=9), memory("résumé writing", at=1)]
    assert bodies(opened(tmp_path, records), "résumé", records) == ["résumé writing", "resume writing"]


@pytest.mark.parametrize(
    ("query", "expected"), [("c++", "C++ templates"), ("C#", "C# generics"), ("c", "C macros")]
)
def test_short_names_with_marks_are_names_of_their_own(tmp_path, query, expected):
    records = [memory("C++ templates"), memory("C# generics"), memory("C macros")]
    assert bodies(opened(tmp_path, records), query, records) == [expected]


def test_tags_files_identifiers_and_task_are_searched(tmp_path):
    records = [memory("one", tags=("billing",)), memory("two", files=("src/invoice.py",)),
               memory("three", identifiers=("LedgerEntry",)), memory("four", task="refund flow")]  # fmt: skip
    index = opened(tmp_path, records)
    found = [bodies(index, query, records) for query in ("billing", "invoice", "ledger entry", "refunds")]
    assert found == [["one"], ["two"], ["three"], ["four"]]


def test_a_tag_says_more_than_a_word_of_the_body(tmp_path):
    records = [memory("billing of this month", at=9), memory("of this month", tags=("billing",), at=1)]
    assert bodies(opened(tmp_path, records), "billing", records)[0] == "of this month"
