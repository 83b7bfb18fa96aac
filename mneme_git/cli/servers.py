"""Starting a server of the room above: it registers itself, and is not imported from here."""

import gc
from importlib.metadata import entry_points

from mneme_git.errors import UserError

_GROUP = "mneme.servers"
_YOUNG = 50_000


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
        serve = found.load()
    except ModuleNotFoundError as error:
        raise UserError(
            f"the server '{name}' needs the package '{error.name}', which is not installed",
            hint="install mneme-git again with its dependencies",
        ) from error
    gc.set_threshold(_YOUNG)  # an answer makes many records, hardly any of them in circles
    gc.freeze()  # what a server is made of stays to its end, and need not be looked through
    gc.enable()  # a single command does without
    serve(use_cases)
