"""The root command; the one place where an expected error becomes text and an exit status."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mneme_git import __version__
from mneme_git.cli import decision_resolve, decisions, setup
from mneme_git.cli.output import answer, answer_json, notice
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


def report(error: MnemeError, *, json: bool) -> None:
    """Print ``error`` for people on stderr, and for a program that asked for JSON on stdout."""
    notice(f"ERROR: {error.message}")
    if error.hint:
        notice(f"hint: {error.hint}")
    if json:
        answer_json({"code": error.code, "message": error.message, "hint": error.hint})


def build() -> typer.Typer:
    """Return the command line with every command in it."""
    app = typer.Typer(
        name="mneme",
        cls=Root,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None,
    )
    decision = typer.Typer(no_args_is_help=True, help="Show, compare and settle decisions.")
    app.callback()(_root)
    setup.register(app)
    decisions.register(app)
    decisions.register_group(decision)
    decision_resolve.register(decision)
    app.add_typer(decision, name="decision")
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
