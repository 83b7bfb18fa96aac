"""How ``check`` speaks; shared by both ways into it, so that they cannot differ."""

import json as json_format
import sys

from mneme_git.cli.output import answer, notice_line, sound
from mneme_git.decisions.check_report import CheckResult, exit_status, report_rows, report_text


def print_check(result: CheckResult, *, json: bool) -> int:
    """Print the report on stdout, what is wrong with the store on stderr; return the exit status."""
    # The format asks for UTF-8 whatever the locale, and for `?` where text holds a lone surrogate.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    for text in result.notices:
        notice_line(f"note: {text}")
    for fault in result.faults:
        notice_line(f"{'ERROR' if fault.blocks else 'WARN '} {fault.code} {fault.message}")
        if fault.hint:
            notice_line(f"      hint: {fault.hint}")
    if json:
        sys.stdout.write(json_format.dumps(sound(report_rows(result))) + "\n")
    else:
        answer(report_text(result))
    return exit_status(result)
