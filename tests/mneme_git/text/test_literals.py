import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.literals import edges_are_free
from mneme_git.text.scan import ScannedText


def found(text, *values):
    return ScannedText(text).find_literals(values)


def plainly(text, values):
    """Each value searched on its own, place by place."""
    hits = {}
    for value in values:
        places = [
            at
            for at in range(len(text))
            if value and text.startswith(value, at) and edges_are_free(text, at, at + len(value))
        ]
        if places:
            hits[value] = places[0]
    return hits


@pytest.mark.parametrize(
    ("value", "text", "hit"),
    [
        ("pip install mneme", "pip install mneme\n", True),
        ("pip install mneme", "pip install mneme-hq\n", False),
        ("pip install mneme", "pip  install mneme\n", False),
        ("pip install mneme", "pip install\nmneme\n", False),
        ("redis", "(redis)", True),
        ("redis", "redis.conf", True),
        ("redis", "rediss my-redis my_redis redis2", False),
        ("eval(", "x = eval(y)", True),
        ("eval(", "safe_eval(y)", False),
        ("--force", "git push --force-with-lease", False),
        ("--force", "git push --force", True),
        ("@dep", "pkg@dep", True),
        ("Redis", "use redis", False),
        ("x", "x", True),
        ("x", "xx x", True),
        ("-", "a - b", True),
        ("-", "a -- b", False),
        ("=>", "a => b", True),
        ("=>", "=>>", True),
        ("a a", "ba a a", True),
        ("  (", "f  (", True),
        ("\n\n", "a\n\nb", True),
        ("", "anything", False),
    ],
)
def test_edges_are_free_where_they_look_like_identifiers(value, text, hit):
    assert (value in found(text, value)) is hit


@pytest.mark.parametrize(
    ("value", "text", "hit"),
    [
        ("redis", "redisé", False),
        ("redis", "éredis", False),
        ("cafe", "cafe\u0301", False),
        ("café", "cafés", False),
        ("редис", "редисом", False),
        ("редис", "в редис!", True),
        ("日本", "日本語", True),
        ("Redis", "Redis를 쓴다", True),
        ("redis", "使用redis缓存", True),
    ],
)
def test_letters_of_other_scripts_extend_an_identifier_unless_words_run_together(value, text, hit):
    assert (value in found(text, value)) is hit


def test_the_first_free_hit_is_reported_not_the_first_hit():
    assert found("my-redis, redis, redis", "redis") == {"redis": 10}


def test_values_that_share_an_anchor_are_all_found():
    values = ("redis.get(", "redis.set(", "redis", "import redis", "redis.")
    assert found("import redis\nredis.set(1)", *values) == {
        "redis.set(": 13,
        "redis": 7,
        "import redis": 0,
        "redis.": 13,
    }


letters = st.sampled_from([*"ab1_-( .\n", "é", "日", "\u0301", "ß"])
texts = st.lists(letters, max_size=40).map("".join)
values = st.lists(st.lists(letters, min_size=1, max_size=5).map("".join), max_size=8)


@settings(max_examples=400, deadline=None)
@given(texts, values)
def test_one_pass_finds_what_a_search_for_each_value_finds(text, looked_for):
    assert found(text, *looked_for) == plainly(text, looked_for)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.data())
def test_any_slice_with_free_edges_is_found(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    value = text[start:end]
    assert found(text, value) == plainly(text, [value])
