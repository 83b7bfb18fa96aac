"""``mneme check`` without the command line library, whose loading takes longer than most checks.

It understands exactly the ordinary forms of the command's options. Whatever it does not (help, an
unknown option, a value that is none) it leaves to the full command line, which says what is wrong. A
test compares the two on the same arguments.
"""

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mneme_git.app.check import CheckRequest

# Each option with a value, and the field of the request that it sets.
_VALUES = {
    "--input": "inputs",
    "--query": "query",
    "--memory": "memory",
    "--target-path": "target_path",
    "--top": "top",
    "--mode": "mode",
    "--adr-dir": "adr_dir",
    "--at": "at",
}
_FLAGS = {"--json": "json", "--detail": "detail"}
_WHOLE_NUMBER = re.compile(r"-?[0-9]+", re.ASCII)
_MODES = ("strict", "warn")


def parse(arguments: Sequence[str]) -> "tuple[CheckRequest, bool] | None":
    """Return what ``mneme check`` with ``arguments`` asks for, and whether as JSON; None if unsure."""
    options: dict[str, str] = {}
    flags: set[str] = set()
    inputs: list[str] = []
    paths: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            paths += rest
            break
        if word == "-" or not word.startswith("-"):
            paths.append(word)
        elif word in _FLAGS:
            flags.add(word)
        else:
            name, has_value, value = word.partition("=")
            if name not in _VALUES or not (has_value or rest):
                return None
            value = value if has_value else rest.pop(0)
            if name == "--at" and not value.strip():
                return None  # refused where every command refuses it
            if name == "--input":
                inputs.append(value)
            else:
                options[name] = value
    return _request(options, flags, (*inputs, *paths))


def _request(
    options: dict[str, str], flags: set[str], inputs: tuple[str, ...]
) -> "tuple[CheckRequest, bool] | None":
    from mneme_git.app.check import CheckRequest

    top, mode = options.get("--top", "3"), options.get("--mode", "strict")
    if not _WHOLE_NUMBER.fullmatch(top) or mode not in _MODES:
        return None
    texts = {_VALUES[name]: value for name, value in options.items() if name not in {"--top", "--mode"}}
    request = CheckRequest(
        inputs=inputs,
        top=int(top),
        mode="warn" if mode == "warn" else "strict",
        detail="--detail" in flags,
        **texts,
    )
    return request, "--json" in flags


def run(arguments: Sequence[str]) -> int | None:
    """Carry out ``mneme check`` and return its exit status; None if the full command line must do it."""
    asked = parse(arguments)
    if asked is None:
        return None
    from mneme_git.app.check import check
    from mneme_git.app.open import here
    from mneme_git.cli.check_output import print_check
    from mneme_git.cli.output import report
    from mneme_git.errors import MnemeError

    request, as_json = asked
    try:
        return print_check(check(here(), request, sys.stdin.buffer.read), json=as_json)
    except MnemeError as error:
        report(error, json=False)
        return error.exit_code
