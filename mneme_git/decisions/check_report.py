"""What a check found, as text for people and as ``mneme.check/v1`` for programs.

Both have a plain form, which is exactly that of the existing format, and a detailed one, which adds
the line, the snippet and the ADR of each violation, and what is wrong in the store.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct, to_builtins

from mneme_git.decisions.applicability import RuleTrace
from mneme_git.decisions.check import Judged, Verdict, Violation, worst
from mneme_git.decisions.freshness import Diagnostic
from mneme_git.decisions.together import together
from mneme_git.model.snapshot import Fault
from mneme_git.text.printable import text_of
from mneme_git.text.quoting import quoted

SCHEMA = "mneme.check/v1"
Mode = Literal["strict", "warn"]
_EXIT = {"PASS": 0, "WARN": 1, "FAIL": 2}
_INCOMPLETE_EXIT = 2
_ADDED = ("line", "column", "snippet", "source", "side")


class CheckedFile(Struct, frozen=True, kw_only=True):
    """One input by the name it was given, and what was found in it.

    ``skipped`` says why it was not judged although nothing is wrong with that; ``unreadable`` why it
    could not be, which leaves the check incomplete.
    """

    name: str
    judged: Judged
    skipped: str = ""
    unreadable: str = ""


class CheckResult(Struct, frozen=True, kw_only=True):
    """Everything one check found, in the order of the inputs."""

    files: tuple[CheckedFile, ...]
    mode: Mode = "strict"
    freshness: tuple[Diagnostic, ...] = ()
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    detailed: bool = False

    @property
    def verdict(self) -> Verdict:
        """Return the worst verdict of the files."""
        return worst(file.judged.verdict for file in self.files)

    @property
    def complete(self) -> bool:
        """Tell whether everything that is in force could be applied to every file."""
        judged = all(file.judged.complete and not file.unreadable for file in self.files)
        return judged and not any(fault.blocks for fault in self.faults)


def exit_status(result: CheckResult) -> int:
    """Return the exit status: INCOMPLETE is 2 in both modes; warn mode forgives WARN and FAIL."""
    if not result.complete:
        return _INCOMPLETE_EXIT
    return 0 if result.mode == "warn" else _EXIT[result.verdict]


def report_text(result: CheckResult) -> str:
    """Return the report for people, without a last line end."""
    several = len(result.files) > 1
    blocks = [block for file in result.files for block in _file_blocks(file, result, named=several)]
    blocks.append([line for found in together(result.freshness) for line in _diagnostic(found)])
    shown = result.verdict if result.complete else "INCOMPLETE"
    joined = text_of if result.detailed else "\n".join  # the format shows what a rule holds as it is
    return "".join(joined(block) + "\n\n" for block in blocks if block) + f"Result: {shown}"


def report_rows(result: CheckResult) -> dict[str, Any]:
    """Return the report for programs: one object, with ``results`` instead of findings for several inputs."""
    rows: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": result.verdict,
        "mode": result.mode,
        "evaluation_complete": result.complete,
    }
    if len(result.files) == 1:
        rows |= _file_rows(result.files[0], detailed=result.detailed)
    else:
        rows["results"] = [
            {
                "input": file.name,
                "verdict": file.judged.verdict,
                "evaluation_complete": file.judged.complete and not file.unreadable,
                **_file_rows(file, detailed=result.detailed),
            }
            for file in result.files
        ]
    rows["freshness"] = [
        {"code": one.code, "adr_id": one.adr_id, "message": one.text, "path": one.path}
        for one in result.freshness
    ]
    if result.detailed:
        rows["faults"] = list(map(to_builtins, result.faults))
    return rows


def _file_rows(file: CheckedFile, *, detailed: bool) -> dict[str, Any]:
    rows: dict[str, Any] = {
        "applicability": list(map(to_builtins, file.judged.applicability)),
        "violations": [_violation_row(found, detailed=detailed) for found in file.judged.violations],
    }
    for name, why in (("skipped", file.skipped), ("unreadable", file.unreadable)):
        if why:
            rows[name] = why
    return rows


def _violation_row(violation: Violation, *, detailed: bool) -> dict[str, Any]:
    row: dict[str, Any] = to_builtins(violation)
    return row if detailed else {name: value for name, value in row.items() if name not in _ADDED}


def _file_blocks(file: CheckedFile, result: CheckResult, *, named: bool) -> Iterable[list[str]]:
    found = [line for violation in file.judged.violations for line in _violation(violation, file, result)]
    if not named:
        # The format names every path-scoped rule; a rule made for other paths tells people nothing.
        scoped = [trace for trace in file.judged.applicability if trace.path_scoped]
        told = [t for t in scoped if not result.detailed or t.selector or t.outcome != "EXCLUDED"]
        return (found, [_path_line(trace) for trace in told])
    # Of many files only those are worth a line in which something is to be done.
    unknown = [_path_line(trace) for trace in file.judged.applicability if trace.outcome == "UNKNOWN"]
    lines = found + unknown + ([f"ERROR {file.unreadable}"] if file.unreadable else [])
    verdict = file.judged.verdict if file.judged.complete and not file.unreadable else "INCOMPLETE"
    return ([f"{file.name}: {verdict}", *lines],) if lines else ()


def _violation(violation: Violation, file: CheckedFile, result: CheckResult) -> list[str]:
    kind = violation.rule_type or violation.kind
    head = f'{violation.severity:<4}  [{violation.decision_id}] {kind} "{violation.rule}"'
    lines = [f"{head} -- trigger: {violation.trigger}", f"      {violation.decision_text}"]
    via = f" via {violation.selector}" if violation.selector else ""
    if not result.detailed:
        if violation.input_path:
            lines.append(f"      path: {violation.input_path}{via}")
        return lines
    lines.append(f"      path: {violation.input_path or file.name}:{violation.line}:{violation.column}{via}")
    lines.append(f"      text: {violation.snippet.expandtabs()}")
    if violation.source:
        lines.append(f"      adr: {violation.source}")
    if violation.side:
        lines.append(f"      contested: this is a rule of {violation.side}")
    return lines


def _path_line(trace: RuleTrace) -> str:
    if trace.outcome == "UNKNOWN":
        rule = f"{trace.rule_type} {quoted(trace.rule_value)}"
        return f"ERROR PATH_APPLICABILITY_UNKNOWN [{trace.decision_id}] {rule} -- {trace.reason}"
    via = f" via {trace.selector}" if trace.selector else ""
    path = trace.input_path or "(unknown)"
    return f"PATH  {trace.outcome:<8} [{trace.decision_id}] {path}{via} -- {trace.reason}"


def _diagnostic(found: Diagnostic) -> Sequence[str]:
    line = f"WARN  {found.code:<15}  [{found.adr_id}] {found.text}"
    return (line, f"      source: {found.path}") if found.path else (line,)
