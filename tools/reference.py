"""Make the reference pages from the code: ``python tools/reference.py`` writes them.

``tests/test_docs.py`` fails when a page is stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer
from typer.main import get_command

from mneme_git.cli.main import build
from mneme_git.model.faults import FAULT_CODES
from mneme_git.store.config import KEYS

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
_WIDTH = 100
_ENVIRONMENT = {
    "MNEME_PROJECT_ROOT": (
        "the folder from which the repository is looked for, in place of the current one; paths that you give "
        "are still relative to the current folder, and paths of the repository that are printed to its root"
    ),
    "MNEME_MEMORY": "a `project_memory.json` to use in place of the git store, as `--memory` does",
    "MNEME_HOOK_MODE": "`strict` or `warn` for agent hooks; anything else is `strict`",
}


def configuration() -> str:
    """Return the page of settings."""
    lines = [
        "# Configuration",
        "",
        "Made from the code by `python tools/reference.py`.",
        "",
        "A setting is looked for in the environment, then in git's own configuration (`git config mneme.quiet true`),",
        "then in `.mneme/config`. The last of these comes with a clone, so only keys that can do no harm are taken",
        "from it. A value that does not fit is passed over and named.",
        "",
        "| git config | environment | in `.mneme/config` | default | meaning |",
        "|---|---|---|---|---|",
    ]
    for key in KEYS:
        name = f"`{key.environment}`" if key.environment else ""
        default = f"`{key.default}`" if key.default else ""
        lines.append(
            f"| `{key.name}` | {name} | {'yes' if key.in_project else ''} | {default} | {key.meaning} |"
        )
    named = {key.environment for key in KEYS}
    lines += [
        f"| | `{name}` | | | {meaning} |" for name, meaning in _ENVIRONMENT.items() if name not in named
    ]
    return "\n".join(lines) + "\n"


def faults() -> str:
    """Return the page of fault codes."""
    lines = [
        "# Faults",
        "",
        "Made from the code by `python tools/reference.py`.",
        "",
        "A fault is something in the store that is not as it should be. `mneme status`, `mneme verify` and",
        "`mneme check` name it with one of these codes, the path, and what to do next. Where enforcement cannot be",
        "complete because of one, `check` says INCOMPLETE and exits with 2.",
        "",
        "| code | what it means |",
        "|---|---|",
    ]
    lines += [f"| `{code}` | {meaning} |" for code, meaning in FAULT_CODES.items()]
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """Return the page of commands: the help of each, in the order of the program."""
    told = [
        "# Command line",
        "",
        "Made from the code by `python tools/reference.py`. `mn` is the same program under a shorter name.",
        "",
        "## Exit status",
        "",
        "| status | meaning |",
        "|---|---|",
        "| 0 | done, or PASS |",
        "| 1 | findings of the milder kind: WARN, diagnostics of a preview, refused by a verdict, no such symbol |",
        "| 2 | FAIL, INCOMPLETE, refused, usage, a guard, a fault of the store; nothing was written |",
        "| 70 | a fault of mneme itself, with what to report |",
        "",
        "## Output and paths",
        "",
        "The answer is on stdout, what is for people beside it on stderr. `--json` is valid UTF-8; in another",
        "encoding what that lacks is escaped as JSON does it, and means the same. In text, what the encoding lacks",
        "stands as `\\xNN` or `\\uNNNN`. A byte of a file name that is not UTF-8 stands as `\\xNN` (in the report of",
        "`check` as `?`, as the existing format has it).",
        "",
        "Paths on the command line are relative to the current folder, also where `MNEME_PROJECT_ROOT` names the",
        "repository. Paths of records, ADRs and faults that are printed are relative to the root of the repository.",
        "",
    ]
    for path, text in _helps(get_command(build()), ("mneme",)):
        told += [f"## {' '.join(path)}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join(told)


def _helps(command: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    context = typer.Context(
        command,  # type: ignore[arg-type]
        info_name=" ".join(path),
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
    )
    yield path, "\n".join(line.rstrip() for line in context.get_help().splitlines())
    for name, inner in getattr(command, "commands", {}).items():
        yield from _helps(inner, (*path, name))


PAGES = {"configuration.md": configuration, "faults.md": faults, "cli.md": command_line}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
