import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.applicability import Target
from mneme_git.decisions.check import judge, make_ready
from mneme_git.model.enforced import Enforced, TypedRule
from mneme_git.text.literals import edges_are_free
from mneme_git.text.words import phrase_words, rule_terms

TARGET = Target(given="in.txt", resolved="/repo/in.txt", relative="in.txt")


def forbid(*values, include=None):
    return tuple(TypedRule(type="FORBID_LITERAL", value=value, include_paths=include) for value in values)


def judged(decisions, text, query="zzzz", *, top=3, target=TARGET, exempt=False):
    return judge(make_ready(decisions, query, top), text, target, exempt_prose=exempt)


def fired(*args, **more):
    return [(v.decision_id, v.kind, v.trigger) for v in judged(*args, **more).violations]


STORAGE = Enforced(
    id="st",
    statement="Use JSON storage only",
    scope=("storage",),
    constraints=("no postgres", "no external database", "must stay local"),
    anti_patterns=("psycopg2", "introduce ORM layer"),
    rules=forbid("import legacy_client"),
    source="/repo/docs/ADR-1.md",
    source_as_stored="docs/ADR-1.md",
)
UI = Enforced(id="ui", statement="React uses Zustand", scope=("frontend",), anti_patterns=("redux",))


def test_gated_decisions_come_first_and_inside_one_the_kinds_have_their_order():
    text = "postgres psycopg2 redux\nimport legacy_client"
    found = judged([STORAGE, UI], text, "frontend")
    assert [(v.decision_id, v.kind, v.severity) for v in found.violations] == [
        ("ui", "anti_pattern", "FAIL"),
        ("st", "typed_rule", "FAIL"),
        ("st", "anti_pattern", "FAIL"),
        ("st", "constraint", "WARN"),
    ]
    assert found.verdict == "FAIL"


@pytest.mark.parametrize(
    ("text", "verdict"), [("clean", "PASS"), ("use postgres", "WARN"), ("postgres and psycopg2", "FAIL")]
)
def test_the_verdict_is_that_of_the_worst_violation(text, verdict):
    assert judged([STORAGE], text).verdict == verdict


def test_rules_of_several_words_need_the_gate():
    text = "introduce ORM layer for an external thing"
    assert fired([STORAGE], text) == []
    assert fired([STORAGE], text, "storage") == [
        ("st", "anti_pattern", "introduce ORM layer"),
        ("st", "constraint", "external"),
    ]


def test_a_top_of_zero_gates_no_decision():
    assert fired([STORAGE], "introduce ORM layer", "storage", top=0) == []
    assert fired([STORAGE], "psycopg2", "storage", top=0) == [("st", "anti_pattern", "psycopg2")]


def test_without_a_query_phrases_count_everywhere_and_loose_constraints_nowhere():
    assert fired([UI, STORAGE], "introduce ORM layer: external", None) == [
        ("st", "anti_pattern", "introduce ORM layer")
    ]


def test_each_rule_fires_once_whatever_the_number_of_hits():
    row = Enforced(id="m", statement="s", anti_patterns=("redis",), rules=forbid("old"))
    assert fired([row], "redis redis old old") == [("m", "typed_rule", "old"), ("m", "anti_pattern", "redis")]


def test_a_violation_says_where_it_is_and_where_it_was_decided():
    (found,) = judged([STORAGE], "one\n  two psycopg2 three\n").violations
    assert (found.line, found.column, found.snippet, found.source) == (
        2,
        7,
        "two psycopg2 three",
        "docs/ADR-1.md",
    )


def test_every_typed_rule_is_traced_whether_it_fires_or_not():
    row = Enforced(id="far", statement="s", rules=forbid("alpha") + forbid("beta", include=("src/**",)))
    found = judged([UI, row], "alpha beta", "frontend")
    assert [(t.decision_id, t.rule_index, t.outcome) for t in found.applicability] == [
        ("far", 0, "APPLIED"),
        ("far", 1, "EXCLUDED"),
    ]
    assert [v.rule for v in found.violations] == ["alpha"]


def test_an_undecided_rule_leaves_the_check_incomplete_and_others_still_fire():
    row = Enforced(id="p", statement="s", rules=forbid("old", include=("src/**",)))
    outside = Target(given="../x", resolved="/x", relative=None)
    found = judged([row, STORAGE], "psycopg2 old", target=outside)
    assert (found.complete, found.verdict, [v.decision_id for v in found.violations]) == (
        False,
        "FAIL",
        ["st"],
    )


def test_an_adr_is_exempt_from_its_typed_rules_and_in_git_from_all_its_rules():
    own = Target(given="docs/ADR-1.md", resolved="/repo/docs/ADR-1.md", relative="docs/ADR-1.md")
    text = "import legacy_client psycopg2 postgres redux"
    assert fired([STORAGE, UI], text, target=own) == [
        ("st", "anti_pattern", "psycopg2"),
        ("st", "constraint", "postgres"),
        ("ui", "anti_pattern", "redux"),
    ]
    assert fired([STORAGE, UI], text, target=own, exempt=True) == [("ui", "anti_pattern", "redux")]


def test_the_sides_of_a_contested_decision_are_all_enforced_and_said_once():
    ours = Enforced(id="d", statement="ours", rules=forbid("redis", "kafka"), side="ours")
    theirs = Enforced(id="d", statement="theirs", rules=forbid("redis", "sqs"), side="theirs")
    found = judged([ours, theirs], "redis kafka sqs").violations
    assert [(v.rule, v.side) for v in found] == [
        ("redis", "ours, theirs"),
        ("kafka", "ours"),
        ("sqs", "theirs"),
    ]


def plainly(decisions, text, gated):
    """The rules of the specification, one after the other, each searched for on its own."""
    words = [word.casefold() for word in re.findall(r"[^\W_]+", text)]
    found = []
    for row in sorted(decisions, key=lambda row: row.id not in gated):
        for rule in row.rules:
            value = rule.value
            if any(
                text.startswith(value, at) and edges_are_free(text, at, at + len(value))
                for at in range(len(text))
            ):
                found.append((row.id, "typed_rule", value))
        for rule in row.anti_patterns:
            terms, phrase = rule_terms(rule), list(phrase_words(rule))
            if len(terms) == 1:
                hit = re.search(rf"\b{re.escape(terms[0])}\b", text, re.IGNORECASE) and terms[0]
            else:
                runs = (words[at : at + len(phrase)] == phrase for at in range(len(words)))
                hit = row.id in gated and bool(phrase) and any(runs) and rule
            if hit:
                found.append((row.id, "anti_pattern", hit))
        for rule in row.constraints:
            stated = re.match(r"^no\s+(.+)$", rule.strip(), re.IGNORECASE)
            terms = rule_terms(stated[1]) if stated else ()
            hit = next((t for t in terms if re.search(rf"\b{re.escape(t)}\b", text, re.IGNORECASE)), None)
            if hit and (len(terms) == 1 or row.id in gated):
                found.append((row.id, "constraint", hit))
    return found


vocabulary = st.sampled_from(
    ["redis", "Redis", "use", "orm", "layer", "my_redis", "not", "external", "abc", "legacy"]
)
phrases = st.lists(vocabulary, min_size=1, max_size=3).map(" ".join)
decisions = st.lists(
    st.builds(
        lambda anti, constraints, values: Enforced(
            id="",
            statement="s",
            anti_patterns=tuple(anti),
            constraints=tuple(f"no {text}" for text in constraints),
            rules=forbid(*values),
        ),
        st.lists(phrases, max_size=2),
        st.lists(phrases, max_size=2),
        st.lists(phrases, max_size=2),
    ),
    max_size=3,
)
texts = st.lists(st.tuples(vocabulary, st.sampled_from([" ", "-", "_", "/", "\n"])), max_size=12).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)


@settings(max_examples=300, deadline=None)
@given(decisions, texts, st.integers(0, 3))
def test_one_pass_finds_what_looking_for_each_rule_finds(rows, text, top):
    from msgspec.structs import replace

    named = [replace(row, id=f"d{number}") for number, row in enumerate(rows)]
    gated = {row.id for row in named[:top]}
    assert fired(named, text, "add", top=top) == plainly(named, text, gated)
