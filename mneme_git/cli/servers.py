"""Starting a server of the room above: it registers itself, and is not imported from here."""

import gc
import gc
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from mneme_git.errors import UserError

_GROUP = "mneme.servers"


def run_server(name: str, use_cases: object) -> None:
    """Serve ``use_cases`` with the server that is registered under ``name``, until it ends.

    Raises:
        UserError: no such server is installed.
    """
    found = next(iter(entry_points(group=_GROUP, name=name)), None)
    if found is None:
        raise UserError(
            f"the server '{name}' is not installed",
            hint="install mneme-git again: its console scripts and servers are made by the installer",
        )
    try:
        serve = _loaded(found)
    except ModuleNotFoundError as error:
        raise UserError(
            f"the server '{name}' needs the package '{error.name}', which is not installed",
            hint="install mneme-git again with its dependencies",
        ) from error
    gc.enable()  # a single command does without
    serve(use_cases)


def _loaded(server: EntryPoint) -> Any:
    """Import a server; what it is made of stays to the end, so it is never searched for garbage.

    That is a quarter of the time that an agent waits for the start.
    """
    gc.disable()
    try:
        return server.load()
    finally:
        gc.freeze()
        gc.enable()
