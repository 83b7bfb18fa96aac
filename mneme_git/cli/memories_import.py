"""``mneme memory import``."""

from typing import Annotated

import typer

from mneme_git.cli.memories import tell
from mneme_git.cli.memories_options import AllowSecretOption
from mneme_git.cli.options import JsonOption


def register(group: typer.Typer) -> None:
    """Add the command to ``mneme memory``."""
    group.command("import")(import_command)


def import_command(
    databases: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATABASE]...", help="Databases, or folders with an index.db; else the usual ones."
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else it is only shown.")] = False,
    with_forgotten: Annotated[
        bool, typer.Option("--with-forgotten", help="Also what was forgotten there, as forgotten.")
    ] = False,
    allow_secret: AllowSecretOption = False,
    json: JsonOption = False,
) -> None:
    """Bring memories over from the databases of the existing engine, which are only read.

    The exit status is 1 if some are refused. Example: mneme memory import --apply
    """
    from mneme_git.app.memories_import import Options, import_text, imported
    from mneme_git.app.open import here

    options = Options(with_forgotten=with_forgotten, allow_secret=allow_secret)
    done = imported(here(), databases or (), apply=apply, options=options)
    tell(done, import_text(done), json=json)
    if done["counts"].get("refused"):
        raise typer.Exit(1)
