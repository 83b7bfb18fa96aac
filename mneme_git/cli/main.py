"""The root command; the one place where an expected error becomes text and an exit status."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mneme_git import __version__
from mneme_git.cli import (
    adr,
    check,
    decision_index,
    decision_resolve,
    decisions,
    memory_setup,
    proposals,
    restore,
    setup,
    verify,
)
from mneme_git.cli.output import answer, report
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
    memory_setup.register(app)
    decision_index.register(app)
    verify.register(app)
    adr.register(app)
    decisions.register(app)
    check.register(app)
    restore.register(app)
    decisions.register_group(decision)
    decision_resolve.register(decision)
    proposals.register(app)
    proposals.register_group(decision)
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
