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
from mneme_git.store.config import KEYS, Key
from mneme_git.store.existing_config import OLD_KEYS

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
_WIDTH = 100
_ENVIRONMENT = {
    "MNEME_PROJECT_ROOT": (
        "the folder from which the repository is looked for, in place of the current one; paths that you give "
        "are still relative to the current folder, and paths of the repository that are printed to its root"
    ),
    "MNEME_MEMORY": "a `project_memory.json` to use in place of the git store, as `--memory` does",
    "MNEME_HOOK_MODE": "`strict` or `warn` for agent hooks; anything else is `strict`",
    "MNEME_DATA_HOME": (
        "the folder of mneme's own data, an absolute path; else `mneme` in `$XDG_DATA_HOME`, in `~/.local/share` or, on "
        "macOS, in `~/Library/Application Support`. `global` in it is the repository of global memories, `projects` "
        "says where the projects are that have memories"
    ),
    "OPENCLAUDE_HOME": "where the existing engine keeps its configuration and databases; else `~/.openclaude`",
}


def configuration() -> str:
    """Return the page of settings."""
    lines = [
        "# Configuration",
        "",
        "Made from the code by `python tools/reference.py`.",
        "",
        "A setting is looked for in the environment, then in git's own configuration (`git config mneme.quiet true`),",
        "then in `.mneme/config`, then in the configuration file of the existing engine, `~/.openclaude/mneme.json`.",
        "A value that does not fit is passed over and named, and the next place counts, at last the default. All are",
        "read again for every request of a running server; `mneme status` says what of them is not taken.",
        "",
        "*Level* is the furthest from the user that a setting may come from:",
        "",
        "- `project`: `.mneme/config`, which comes with every clone, and all below;",
        "- `repository`: this repository's own git configuration, and all below;",
        "- `user`: the environment, `git config --global` and `--system`, `git -c`, and the file of the existing",
        "  engine. A repository that you clone or unpack can neither point mneme at a network address nor let it look",
        "  into your other projects.",
        "",
        "| git config | environment | level | default | meaning |",
        "|---|---|---|---|---|",
    ]
    for key in KEYS:
        name = f"`{key.environment}`" if key.environment else ""
        default = f"`{key.default}`" if key.default else ""
        lines.append(f"| `{key.name}` | {name} | {_level(key)} | {default} | {key.meaning} |")
    named = {key.environment for key in KEYS}
    lines += [
        f"| | `{name}` | user | | {meaning} |" for name, meaning in _ENVIRONMENT.items() if name not in named
    ]
    return "\n".join([*lines, *_existing_engine()]) + "\n"


def _level(key: Key) -> str:
    return "project" if key.in_project else "repository" if key.in_repository else "user"


def _existing_engine() -> list[str]:
    """Return the part about the configuration file of the existing engine."""
    ours = {key.name.lower(): key.name for key in KEYS}
    lines = [
        "",
        "## The configuration of the existing engine",
        "",
        "`~/.openclaude/mneme.json`, or `mneme.json` in the folder that `OPENCLAUDE_HOME` names, is the user's own file",
        "and counts as such. It is read and never made or written. Git's configuration wins over it. That engine",
        "writes the file with all its defaults, so a value that is its default was chosen by nobody and is not taken.",
        "A file that is no JSON, a value of another type, and one that does not fit are named with the file and the",
        "key, and the default is used.",
        "",
        "| old key | `mneme.*` key | level | effect here |",
        "|---|---|---|---|",
    ]
    for old in OLD_KEYS:
        key = f"`{ours[old.key]}`" if old.key else "none"
        lines.append(f"| `{old.name}` | {key} | user | {old.note} |")
    return lines


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
        "| 1 | findings of the milder kind: WARN, diagnostics of a preview, refused by a verdict, no such symbol, no memory that fits |",
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
