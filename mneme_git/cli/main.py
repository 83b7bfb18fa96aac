"""The root command; the one place where an expected error becomes text and an exit status."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mneme_git import __version__
from mneme_git.cli.commands import COMMANDS
from mneme_git.cli.output import answer, notice, report
from mneme_git.errors import MnemeError


class Root(TyperGroup):
    """Turns an expected error into ``ERROR: what`` and ``hint: next`` on stderr and its exit status."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except MnemeError as error:
            # The format of `check --json` leaves stdout empty where there is no verdict.
            report(error, json="--json" in sys.argv and ctx.invoked_subcommand != "check")
            raise typer.Exit(error.exit_code) from error


def build(wanted: str = "") -> typer.Typer:
    """Return the command line with every command in it.

    If ``wanted`` is the name of a top-level command, only the module that holds it is loaded: a
    person waits for the start of each command.
    """
    app = typer.Typer(
        name="mneme",
        cls=Root,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    known = any(wanted in names for names, _ in COMMANDS)
    for names, add in COMMANDS:
        if not known or wanted in names:
            add(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        answer(f"mneme {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Git-native memory for a codebase: decisions that hold, kept where the code is."""
    if sys.stderr.isatty() and not any(word.split("=")[0] == "--memory" for word in sys.argv):
        _tell_way_to_git()


def _tell_way_to_git() -> None:
    from mneme_git.app.open import here
    from mneme_git.app.way_to_git import way_to_git

    told = way_to_git(here())
    if told:
        notice(told)
