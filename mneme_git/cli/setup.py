"""``mneme init`` and ``mneme status``."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli import memory_setup
from mneme_git.cli.options import AtOption, DryRunOption, JsonOption
from mneme_git.cli.output import answer, answer_json, answer_line, notice_line
from mneme_git.text.printable import one_line

if TYPE_CHECKING:
    from mneme_git.app.init import InitPlan


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.command("init")(init)
    app.command("status")(status)


def init(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before writing.")] = False,
    dry_run: DryRunOption = False,
    path: Annotated[
        str | None,
        typer.Option(
            "--path", metavar="FILE", help="Make an empty memory file instead; needs no repository."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --path: replace a file that is there; a copy of it is kept.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Make .mneme in this repository, show what was found, and say what to do next.

    Writes nothing outside .mneme, and changes no file that exists. At a terminal it asks first; where
    stdin is none, as in a script or CI, it writes at once: --dry-run only shows. Example: mneme init --yes
    """
    from mneme_git.app.init import apply_init, plan_init
    from mneme_git.app.open import here

    if path is not None:
        memory_setup.init_path(path, force=force, json=json)
        return
    if force:
        raise typer.BadParameter("--force goes with --path", param_hint="--force")
    workspace = here()
    plan = plan_init(workspace)
    if not json:
        _found(plan)
    if plan.files and not dry_run and _agreed(yes, json):
        plan = apply_init(workspace, plan)
    for text in plan.notices:
        notice_line(text)
    if json:
        answer_json(plan)
    else:
        _done(plan)


def status(at: AtOption = None, json: JsonOption = False) -> None:
    """Show what is recorded here, what is not committed, what is at risk, and what is indexed.

    Example: mneme status --json
    """
    from msgspec import to_builtins

    from mneme_git.app.code_status import code_index_here
    from mneme_git.app.code_text import code_index_text
    from mneme_git.app.open import here
    from mneme_git.app.status import status as use_case
    from mneme_git.app.status import status_text

    workspace = here()
    found = use_case(workspace, at=at)
    index = code_index_here(workspace, at)
    for text in found.notices:
        notice_line(f"WARN  {text}")
    if json:
        answer_json({**to_builtins(found), "code_index": index})
    else:
        answer("\n".join([status_text(found), *map(one_line, code_index_text(index, at))]))


def _agreed(yes: bool, json: bool) -> bool:
    """Ask a person at a terminal; a program that runs ``init`` has asked for it by doing so."""
    if yes or json or not sys.stdin.isatty():
        return True
    return typer.confirm("Make these files?", default=True)


def _found(plan: "InitPlan") -> None:
    answer_line(f"Repository: {plan.root}")
    if plan.adr_folders:
        listed = ", ".join(f"{folder.path} ({folder.files} Markdown files)" for folder in plan.adr_folders)
        answer_line(f"ADR folders: {listed}")
    else:
        answer_line("ADR folders: none found among the tracked files")
    answer_line(f"Coding agents: {', '.join(plan.agents) or 'no sign of any'}")
    if plan.present and not plan.files:
        answer_line(".mneme is there already; nothing to make")
    else:
        answer(f"To make: .mneme with {len(plan.files)} files (format, config, attributes, folder keepers)")


def _done(plan: "InitPlan") -> None:
    if plan.files and not plan.written:
        answer_line("Nothing was written.")
        return
    if plan.written:
        staged = "" if plan.notices else ", staged for your next commit"
        answer_line(f"Made .mneme ({len(plan.files)} files{staged})")
    answer_line("")
    answer_line("Next steps:")
    if plan.adr_folders:
        commands = [f"mneme adr import {shlex.quote(folder.path)}" for folder in plan.adr_folders]
        for command in commands:
            answer_line(f"  {command:<36} # preview: what would be recorded")
    else:
        answer('  mneme add_decision --id use-x --decision "Use X" --anti-pattern y')
    answer_line("  mneme check --input FILE             # judge a file against the decisions")
    answer_line("  mneme status                         # what is recorded, changed or at risk")
