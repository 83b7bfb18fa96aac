import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.directives import read_directives
from mneme_git.model.decision import Applicability
from mneme_git.text.markdown import parse


def directives(text):
    return read_directives(parse(text), "a.md")


def section(*lines):
    return "# T\n\n## Constraints\n\n" + "\n".join(lines) + "\n"


def values(text):
    found = directives(text)
    assert found.problems == ()
    return [rule.value for rule in found.rules]


def problems(text):
    found = directives(text)
    return [(problem.line, problem.code) for problem in found.problems]


def message(text):
    [problem] = directives(text).problems
    return problem.message


def test_each_kind_becomes_what_the_format_says_in_source_order():
    found = directives(
        section(
            "- FORBID_PATH: src/legacy",
            "- FORBID_LITERAL: mongodb",
            "- FORBID_DEPENDENCY: requests",
            "- REQUIRE_PATH: docs",
            "- FORBID_DEPENDENCY: requests",
        )
    )
    assert [(rule.value, rule.line) for rule in found.rules] == [("mongodb", 6)]
    assert found.constraints == ("FORBID_PATH src/legacy", "no requests", "REQUIRE_PATH docs", "no requests")


def test_the_value_is_the_rest_of_the_line_and_nothing_is_taken_off_it():
    assert values(section("  -   FORBID_LITERAL  :  a: b  # c `d`  ")) == ["a: b  # c `d`"]
    assert values(section("- FORBID_LITERAL: `x`")) == ["`x`"]


def test_marks_around_a_literal_are_remarked_because_they_are_part_of_it():
    found = directives(section("- FORBID_LITERAL: `x`", "- FORBID_LITERAL: y <!-- why -->"))
    assert [(r.line, r.code) for r in found.remarks] == [(5, "MARKUP_IN_LITERAL"), (6, "MARKUP_IN_LITERAL")]
    assert [rule.value for rule in found.rules] == ["`x`", "y <!-- why -->"]


def test_what_no_check_enforces_is_remarked_once_for_the_paths_and_for_each_dependency():
    found = directives(
        section(
            "- FORBID_PATH: a",
            "- REQUIRE_PATH: b",
            "- FORBID_DEPENDENCY: left pad",
            "- FORBID_DEPENDENCY: c",
            "- FORBID_DEPENDENCY: react-dom",
            "- FORBID_DEPENDENCY: redis",
        )
    )
    assert [(r.line, r.code) for r in found.remarks] == [(n, "NOT_ENFORCED") for n in (5, 7, 8)]
    paths, words, nothing = (remark.message for remark in found.remarks)
    assert "no check enforces them" in paths
    assert "'left pad' is no single name" in words
    assert "'c' holds nothing that a check could look for" in nothing


def test_a_scoped_rule_has_its_selectors():
    [rule] = directives(
        section(
            "- FORBID_LITERAL:",
            "    value: legacy tool",
            "    include_paths:",
            "      - ' docs/** '",
            "      - src/*.py",
            "",
            "    exclude_paths: [docs/gen/**]",
            "- FORBID_DEPENDENCY: x",
        )
    ).rules
    assert rule.value == "legacy tool"
    assert rule.applicability == Applicability(("docs/**", "src/*.py"), ("docs/gen/**",))


def test_an_empty_exclude_list_is_no_list():
    [rule] = directives(
        section("- FORBID_LITERAL:", "  value: x", "  include_paths: [a]", "  exclude_paths: []")
    ).rules
    assert rule.applicability == Applicability(("a",), None)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        (["  value: 7", "  include_paths: [a]"], 6, "requires a non-empty string 'value'"),
        (["  value: ' '", "  include_paths: [a]"], 6, "requires a non-empty string 'value'"),
        (["  include_paths: [a]"], 5, "requires a non-empty string 'value'"),
        (["  value: x"], 5, "requires 'include_paths'"),
        (["  value: x", "  include_paths: []"], 7, "'include_paths' must be a non-empty list"),
        (["  value: x", "  include_paths: a"], 7, "'include_paths' must be a non-empty list"),
        (["  value: x", "  include_paths: [a, 1]"], 7, "'include_paths' must contain non-empty strings"),
        (["  value: x", "  include_paths: [a]", "  exclude_paths: b"], 8, "'exclude_paths' must be a list"),
        (["  value: x", "  include_paths:", "    - ok", "    - /a"], 9, "path selector '/a' must be repository-relative"),
        (["  value: x", "  include_paths: [a]", "  why: y"], 6, "unknown structured FORBID_LITERAL fields: ['why']"),
        (["  value: x", "  value: y", "  include_paths: [a]"], 7, "found duplicate key 'value'"),
        (["  just text"], 5, "body must be a mapping"),
        (["  value: [x", "  b"], 7, "invalid structured FORBID_LITERAL"),
    ],
)  # fmt: skip
def test_a_bad_scoped_rule_is_a_problem_with_its_line(body, line, said):
    [problem] = directives(section("- FORBID_LITERAL:", *body)).problems
    assert problem.line == line
    assert said in problem.message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- FORBID_REGEX: x", "unknown constraint directive 'FORBID_REGEX'"),
        ("- NOTE: x", "unknown constraint directive 'NOTE'"),
        ("- FORBID_LITERAL:", "constraint directive 'FORBID_LITERAL' has an empty value"),
        ("- FORBID-LITERAL: x", "malformed constraint directive: '- FORBID-LITERAL: x'"),
        ("* FORBID_LITERAL: x", "malformed constraint directive: '* FORBID_LITERAL: x'"),
        ("- pre-commit: x", "malformed"),
        ("- FORBID_DEPENDENCY mongodb", "malformed"),
        ("- forbid-literal mongodb", "malformed"),
        ("+ FORBID_LITERAL: x", "malformed"),
        ("1. FORBID_LITERAL: x", "malformed"),
        ("12) REQUIRE_PATH: x", "malformed"),
        ("- [ ] FORBID_LITERAL: x", "malformed"),
        ("- **FORBID_LITERAL**: x", "malformed"),
        ("- `FORBID_LITERAL`: x", "malformed"),
        ("FORBID_LITERAL: x", "malformed"),
        ("• FORBID_LITERAL: x", "malformed"),
    ],
)
def test_what_looks_like_a_directive_and_is_none_is_a_problem(line, said):
    assert problems(section("prose", line))[0][0] == 6
    assert said in message(section("prose", line))


@pytest.mark.parametrize(
    "line",
    [
        "- prose: with a colon",
        "- Use the API",
        "* a b: c",
        "+ anything",
        "1. first",
        "- two words: x",
        "prose FORBID_LITERAL: x",
    ],
)
def test_prose_is_left_alone(line):
    found = directives(section(line))
    assert (found.rules, found.constraints, found.problems) == ((), (), ())


@pytest.mark.parametrize(
    "line",
    [
        "> - FORBID_LITERAL: x",
        ">FORBID_LITERAL: x",
        "> > * **REQUIRE_PATH**: x",
        "  > 1. FORBID_PATH: x",
        "| FORBID_DEPENDENCY: x | why |",
    ],
)
def test_a_directive_in_a_quotation_or_a_table_is_remarked_wherever_it_stands(line):
    inside, outside = directives(section(line)), directives(f"# T\n\nWhy\n\n{line}\n")
    for found in (inside, outside):
        assert [(remark.line, remark.code) for remark in found.remarks] == [(5, "DIRECTIVE_QUOTED")]
        assert found.rules == found.constraints == found.problems == ()


def test_a_quotation_that_only_speaks_of_a_directive_is_left_alone():
    for line in ("> we write FORBID_LITERAL: x", "> FORBID_LITERALS: x", "| a | FORBID_LITERAL: x |"):
        assert directives(section(line)).remarks == ()


def test_another_structured_kind_is_a_problem():
    assert "structured form is not supported for constraint directive 'FORBID_PATH'" in message(
        section("- FORBID_PATH:", "  value: x")
    )


def test_the_same_rule_twice_is_a_problem_that_names_both_lines():
    text = section("- FORBID_LITERAL: x", "- FORBID_LITERAL: x")
    assert problems(text) == [(6, "DUPLICATE_RULE")]
    assert "first on line 5" in message(text)


def test_all_problems_of_a_file_are_found_in_one_run():
    text = section("- FOO: x", "- FORBID_LITERAL:", "+ FORBID_PATH: y", "- FORBID_LITERAL: ok")
    assert [line for line, _ in problems(text)] == [5, 6, 7]


@pytest.mark.parametrize(
    "heading",
    [
        "### Constraints",
        "# Constraints",
        "## constraints",
        "## CONSTRAINTS",
        "## Constraints:",
        "## **Constraints**",
        "## Constraints ##",
    ],
)
def test_a_directive_below_a_heading_that_is_almost_right_is_a_problem(heading):
    assert problems(f"# T\n\n{heading}\n\n- FORBID_LITERAL: x\n") == [(5, "DIRECTIVE_NOT_READ")]


def test_such_a_heading_over_prose_is_fine():
    assert (
        problems(
            "# T\n\n### Constraints\n\n- We have little time.\n\n## Constraints\n\n- FORBID_LITERAL: x\n"
        )
        == []
    )


def test_an_underlined_heading_is_almost_right_too():
    assert problems("# T\n\nConstraints\n-----------\n\n- FORBID_LITERAL: x\n") == [(6, "DIRECTIVE_NOT_READ")]


def test_directives_of_a_second_section_are_a_problem():
    text = section("- FORBID_LITERAL: a") + "\n## Other\n\n## Constraints\n\n- FORBID_LITERAL: b\n"
    assert problems(text) == [(11, "DIRECTIVE_NOT_READ")]


def test_a_directive_elsewhere_is_remarked():
    found = directives("# T\n\n## Decision\n\n- FORBID_LITERAL: x\n" + section("- FORBID_LITERAL: y"))
    assert [(r.line, r.code) for r in found.remarks] == [(5, "DIRECTIVE_OUTSIDE_SECTION")]
    assert [rule.value for rule in found.rules] == ["y"]


def test_the_section_ends_at_the_next_heading_of_its_level_and_at_no_deeper_one():
    text = section(
        "- FORBID_LITERAL: a", "### Deeper", "- FORBID_LITERAL: b", "## Next", "- FORBID_LITERAL: c"
    )
    assert [rule.value for rule in directives(text).rules] == ["a", "b"]


def test_nothing_in_a_fence_or_a_comment_counts():
    assert values(
        section(
            "```",
            "- FORBID_LITERAL: a",
            "- FOO: x",
            "```",
            "<!--",
            "- FORBID_LITERAL: b",
            "-->",
            "- FORBID_LITERAL: c",
        )
    ) == ["c"]
    assert values("# T\n\n```\n## Constraints\n- FORBID_LITERAL: x\n```\n") == []
    assert values("# T\n\n<!-- ## Constraints\n- FORBID_LITERAL: x\n-->\n") == []


def test_a_fence_that_is_never_closed_and_hides_directives_is_a_problem():
    assert problems("# T\n\n```\n\n## Constraints\n\n- FORBID_LITERAL: x\n") == [(3, "UNCLOSED")]
    assert problems("# T\n\n<!--\n\n- FORBID_LITERAL: x\n") == [(3, "UNCLOSED")]
    assert problems(section("- FORBID_LITERAL: x", "```", "code")) == []


def test_the_section_of_a_template_with_a_comment_in_its_heading_is_read():
    assert values("# T\n\n## Constraints <!-- optional -->\n\n- FORBID_LITERAL: x\n") == ["x"]


@settings(deadline=None, max_examples=300)
@given(st.text(st.sampled_from("-*+ :#`<>!\n\tABFORID_LEalue[]'{}1."), max_size=120))
def test_any_text_gives_directives_or_problems(text):
    found = directives("## Constraints\n" + text)
    assert all(problem.line >= 1 and problem.message for problem in found.problems)


@pytest.mark.parametrize(
    "hostile",
    [" " * 60_000, "- " + " " * 60_000 + "x", "*" * 60_000, "- [" * 20_000, "-" * 60_000, "- FORBID_LITERAL:\n" * 4_000,
     "- FORBID_LITERAL:\n  " + " " * 60_000 + "x", "FORBID_" * 8_000, "- A:" + " " * 60_000],
)  # fmt: skip
def test_hostile_lines_take_no_longer_than_their_length(hostile):
    started = time.process_time()
    directives("## Constraints\n" + hostile)
    assert time.process_time() - started < 2
