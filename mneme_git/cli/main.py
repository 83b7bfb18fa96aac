"""The root command; the one place where an expected error becomes text and an exit status."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mneme_git import __version__
from mneme_git.cli import decisions, setup
from mneme_git.cli.output import answer, notice
from mneme_git.errors import MnemeError


class Root(TyperGroup):
    """Turns an expected error into ``ERROR: what`` and ``hint: next`` on stderr and its exit status."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except MnemeError as error:
            report(error)
            raise typer.Exit(error.exit_code) from error


def report(error: MnemeError) -> None:
    """Print ``error`` for people on stderr."""
    notice(f"ERROR: {error.message}")
    if error.hint:
        notice(f"hint: {error.hint}")


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
