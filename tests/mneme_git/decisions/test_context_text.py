from mneme_git.decisions.context_text import context_text, query_rows, query_text
from mneme_git.model.enforced import Enforced, TypedRule

FULL = Enforced(
    id="full",
    statement="Use JSON",
    rationale="small",
    scope=("storage", "io"),
    constraints=("no postgres",),
    anti_patterns=("orm",),
    rules=(
        TypedRule(
            type="FORBID_LITERAL", value="old", include_paths=("a/**", "*.md"), exclude_paths=("a/gen/**",)
        ),
        TypedRule(type="FORBID_LITERAL", value="everywhere"),
    ),
)
BARE = Enforced(id="bare", statement="storage")


def test_the_context_has_a_block_for_each_decision_and_only_what_it_says():
    assert context_text([FULL, BARE]) == (
        "[Mneme decisions applied]\n\n"
        "DECISION [full]: Use JSON\n"
        "  Why:          small\n"
        "  Scope:        storage, io\n"
        "  Constraints:\n"
        "    - no postgres\n"
        "  Avoid:\n"
        "    - orm\n"
        "  Typed rules:\n"
        "    - FORBID_LITERAL: old\n"
        "      Applies to: a/**, *.md\n"
        "      Except: a/gen/**\n"
        "    - FORBID_LITERAL: everywhere\n\n"
        "DECISION [bare]: storage"
    )


def test_no_decision_is_no_context():
    assert context_text([]) == ""


def test_a_side_of_a_contested_decision_is_named():
    assert "side of theirs" in context_text([Enforced(id="d", statement="s", side="theirs")])


def test_a_query_lists_every_decision_by_score_and_then_the_context():
    text = query_text([BARE, FULL, Enforced(id="none", statement="x")], "storage", 1)
    assert text.startswith(
        "Query: storage\n\nAll decisions (ranked by score):\n"
        "  [full] score=2.00 matched=scope\n"
        "  [bare] score=1.00 matched=decision\n"
        "  [none] score=0.00 matched=(no match)\n\n"
        "Injected (top 1):\n[Mneme decisions applied]\n\nDECISION [full]: Use JSON\n"
    )
    assert "DECISION [bare]" not in text


def test_a_query_that_fits_nothing_injects_nothing():
    assert query_text([BARE], "zzzz", 3).endswith("Injected (top 3):\n(none)")


def test_the_answer_for_programs_has_the_same_facts():
    answer = query_rows([BARE, FULL], "storage", 1)
    assert [(row.id, row.score, row.matched) for row in answer.decisions] == [
        ("full", 2.0, ("scope",)),
        ("bare", 1.0, ("decision",)),
    ]
    assert (answer.injected, answer.context) == (("full",), context_text([FULL]))
