import pytest

from mneme_git.decisions.applicability import POLICY_SOURCE, Target, trace
from mneme_git.model.enforced import Enforced, TypedRule


def traced(target, include=None, exclude=(), source=""):
    rule = TypedRule(type="FORBID_LITERAL", value="x", include_paths=include, exclude_paths=exclude)
    found = trace(Enforced(id="d", statement="s", rules=(rule,), source=source), 0, target)
    return found.outcome, found.selector, found.reason


def at(path, **more):
    return Target(given=path, resolved=f"/repo/{path}", relative=path, **more)


OUTSIDE = Target(given="../x", resolved="/x", relative=None)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/a.txt", ("APPLIED", "docs/**", "an include selector matched")),
        ("README.md", ("APPLIED", "**/*.md", "an include selector matched")),
        ("docs/gen/a.md", ("EXCLUDED", "docs/gen/**", "an exclude selector matched")),
        ("src/sub/a.py", ("EXCLUDED", None, "no include selector matched")),
        ("README.MD", ("EXCLUDED", None, "no include selector matched")),
        ("a\\b.md", ("APPLIED", "**/*.md", "an include selector matched")),
    ],
)
def test_exclude_selectors_come_first_and_the_first_include_selector_counts(path, expected):
    assert traced(at(path), ("docs/**", "**/*.md", "src/*.py"), ("docs/gen/**",)) == expected


def test_a_rule_without_paths_applies_everywhere_even_outside():
    expected = ("APPLIED", None, "the rule has global applicability")
    assert [traced(target) for target in (at("a"), OUTSIDE, Target())] == [expected] * 3


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (Target(), "a scoped rule requires an input path"),
        (OUTSIDE, "input path '../x' is outside or cannot be resolved against policy root"),
        (
            Target(given=".", resolved="/repo", relative="."),
            "input path resolves to the policy root, not an artifact",
        ),
    ],
)
def test_a_scoped_rule_stays_undecided_where_the_path_says_nothing(target, reason):
    assert traced(target, ("**",)) == ("UNKNOWN", None, reason)


@pytest.mark.parametrize("include", [None, ("docs/**",), ("other/**",)])
def test_a_rule_is_excluded_on_the_adr_that_declares_it_and_on_the_policy_file(include):
    reason = "the input is this rule's declaring ADR or policy memory"
    expected = ("EXCLUDED", POLICY_SOURCE, reason)
    assert traced(at("docs/ADR-1.md"), include, source="/repo/docs/ADR-1.md") == expected
    assert traced(at("m.json", policy_file=True), include) == expected


def test_a_decision_without_a_source_is_not_declared_by_a_text_without_a_path():
    assert traced(Target())[0] == "APPLIED"


def test_the_trace_names_the_rule_and_the_path():
    rules = tuple(TypedRule(type="FORBID_LITERAL", value=value) for value in ("a", "b"))
    found = trace(Enforced(id="d", statement="s", rules=rules), 1, at("src/a.py"))
    assert (found.decision_id, found.rule_value, found.rule_index, found.path_scoped, found.input_path) == (
        "d",
        "b",
        1,
        False,
        "src/a.py",
    )
