import pytest
from msgspec.structs import replace

from mneme_git.decisions.applicability import RuleTrace
from mneme_git.decisions.check import Judged, Violation
from mneme_git.decisions.check_report import CheckedFile, CheckResult, exit_status, report_rows, report_text
from mneme_git.decisions.freshness import Diagnostic
from mneme_git.model.snapshot import Fault


def violation(**but):
    fields = {
        "decision_id": "st-1",
        "decision_text": "Use JSON storage only",
        "severity": "FAIL",
        "rule": "import legacy",
        "trigger": "import legacy",
        "kind": "typed_rule",
        "rule_type": "FORBID_LITERAL",
        "input_path": "src/a.py",
        "selector": None,
        "line": 3,
        "column": 5,
        "snippet": "x = import legacy",
        "source": "docs/adr/ADR-1.md",
        "side": "",
    }
    return Violation(**{**fields, **but})


def warning(**but):
    fields = {"severity": "WARN", "rule": "no postgres", "trigger": "postgres", "kind": "constraint"}
    return violation(**{**fields, "rule_type": None, "input_path": None, **but})


def traced(outcome="EXCLUDED", **but):
    fields = {
        "decision_id": "p",
        "rule_type": "FORBID_LITERAL",
        "rule_value": "old",
        "rule_index": 0,
        "path_scoped": True,
        "input_path": "docs/gen/a.md",
        "selector": "docs/gen/**",
        "reason": "an exclude selector matched",
    }
    return RuleTrace(outcome=outcome, **{**fields, **but})


def file(*violations, traces=(), name="src/a.py", **more):
    verdict = "FAIL" if any(v.severity == "FAIL" for v in violations) else "WARN" if violations else "PASS"
    complete = all(trace.outcome != "UNKNOWN" for trace in traces)
    judged = Judged(verdict=verdict, complete=complete, applicability=traces, violations=violations)
    return CheckedFile(name=name, judged=judged, **more)


STALE = Diagnostic(code="ADR_CHANGED", adr_id="ADR-1", message="it changed.", path="docs/adr/ADR-1.md")


def test_a_clean_run_says_one_line():
    assert report_text(CheckResult(files=(file(),))) == "Result: PASS"


def test_the_plain_text_is_that_of_the_format():
    scoped = violation(selector="src/**")
    result = CheckResult(files=(file(scoped, warning(), traces=(traced(),)),), freshness=(STALE,))
    assert report_text(result) == (
        'FAIL  [st-1] FORBID_LITERAL "import legacy" -- trigger: import legacy\n'
        "      Use JSON storage only\n"
        "      path: src/a.py via src/**\n"
        'WARN  [st-1] constraint "no postgres" -- trigger: postgres\n'
        "      Use JSON storage only\n"
        "\n"
        "PATH  EXCLUDED [p] docs/gen/a.md via docs/gen/** -- an exclude selector matched\n"
        "\n"
        "WARN  ADR_CHANGED      [ADR-1] it changed.\n"
        "      source: docs/adr/ADR-1.md\n"
        "\n"
        "Result: FAIL"
    )


def test_a_rule_without_paths_has_no_line_among_the_paths():
    assert report_text(CheckResult(files=(file(traces=(traced(path_scoped=False),)),))) == "Result: PASS"


def test_the_detailed_text_says_where_and_why():
    text = report_text(CheckResult(files=(file(violation(), warning(side="theirs")),), detailed=True))
    assert "      path: src/a.py:3:5\n      text: x = import legacy\n      adr: docs/adr/ADR-1.md\n" in text
    assert "      contested: this is a rule of theirs\n" in text


def test_an_undecided_rule_makes_the_result_incomplete():
    unknown = traced("UNKNOWN", input_path=None, selector=None, reason="a scoped rule requires an input path")
    result = CheckResult(files=(file(violation(), traces=(unknown,)),))
    assert report_text(result).endswith(
        "ERROR PATH_APPLICABILITY_UNKNOWN [p] FORBID_LITERAL 'old' -- a scoped rule requires an input path\n\n"
        "Result: INCOMPLETE"
    )
    rows = report_rows(result)
    assert (rows["verdict"], rows["evaluation_complete"]) == ("FAIL", False)


@pytest.mark.parametrize(
    ("files", "faults", "strict", "warn"),
    [
        ((file(),), (), 0, 0),
        ((file(warning()),), (), 1, 0),
        ((file(violation()),), (), 2, 0),
        ((file(), file(warning()), file(violation())), (), 2, 0),
        ((file(traces=(traced("UNKNOWN"),)),), (), 2, 2),
        ((file(unreadable="it is not UTF-8"), file()), (), 2, 2),
        ((file(skipped="it is binary"),), (), 0, 0),
        ((file(),), (Fault(code="DAMAGED_DECISION", message="m", blocks=True),), 2, 2),
        ((file(),), (Fault(code="UNKNOWN_FILE", message="m"),), 0, 0),
    ],
)
def test_exit_status(files, faults, strict, warn):
    results = [CheckResult(files=files, faults=faults, mode=mode) for mode in ("strict", "warn")]
    assert [exit_status(result) for result in results] == [strict, warn]


def test_the_plain_object_has_the_fields_of_the_format_and_no_other():
    rows = report_rows(CheckResult(files=(file(violation(), traces=(traced(),)),), freshness=(STALE,)))
    assert list(rows) == [
        "schema",
        "verdict",
        "mode",
        "evaluation_complete",
        "applicability",
        "violations",
        "freshness",
    ]
    assert list(rows["violations"][0]) == [
        "decision_id",
        "decision_text",
        "severity",
        "rule",
        "trigger",
        "kind",
        "rule_type",
        "input_path",
        "selector",
    ]
    assert list(rows["applicability"][0]) == [
        "decision_id",
        "rule_type",
        "rule_value",
        "rule_index",
        "path_scoped",
        "input_path",
        "outcome",
        "selector",
        "reason",
    ]
    assert rows["freshness"] == [
        {"code": "ADR_CHANGED", "adr_id": "ADR-1", "message": "it changed.", "path": "docs/adr/ADR-1.md"}
    ]


def test_the_detailed_object_adds_fields():
    fault = Fault(code="UNKNOWN_FILE", message="m", path=".mneme/x")
    rows = report_rows(CheckResult(files=(file(violation()),), faults=(fault,), detailed=True))
    found = rows["violations"][0]
    assert (found["line"], found["column"], found["snippet"]) == (3, 5, "x = import legacy")
    assert (found["source"], found["side"]) == ("docs/adr/ADR-1.md", "")
    assert rows["faults"][0]["code"] == "UNKNOWN_FILE"


def test_several_inputs_are_results_of_one_object_and_groups_of_one_text():
    files = (file(name="a.py"), file(warning(), name="b.py"), file(name="c.py", unreadable="it is not UTF-8"))
    result = CheckResult(files=files, detailed=True)
    rows = report_rows(result)
    assert (rows["verdict"], rows["evaluation_complete"], "violations" in rows) == ("WARN", False, False)
    assert [(row["input"], row["verdict"], row["evaluation_complete"]) for row in rows["results"]] == [
        ("a.py", "PASS", True),
        ("b.py", "WARN", True),
        ("c.py", "PASS", False),
    ]
    text = report_text(result)
    assert "a.py" not in text
    assert text.startswith('b.py: WARN\nWARN  [st-1] constraint "no postgres"')
    assert text.endswith("c.py: INCOMPLETE\nERROR it is not UTF-8\n\nResult: INCOMPLETE")


def test_in_the_detailed_text_a_rule_made_for_other_paths_has_no_line():
    other = traced(selector=None, reason="no include selector matched")
    plain = CheckResult(files=(file(traces=(other,)),))
    assert "PATH  EXCLUDED" in report_text(plain)
    assert report_text(replace(plain, detailed=True)) == "Result: PASS"
    named = CheckResult(files=(file(traces=(traced(),)),), detailed=True)
    assert "PATH  EXCLUDED" in report_text(named)
