"""The console script that git hooks and coding agents call.

It answers only what it knows. Until an event is installed by mneme there is nothing that calls
it, so a call by hand gets its usage and exit status 1, and an agent's payload is left unread.
"""

import sys
from importlib.metadata import version

_USAGE = """usage: mneme-hook [--version]

mneme-hook is run by git hooks and coding agents, not by hand. This version installs none:
use `mneme check` in your hook or CI job."""


def main() -> None:
    """Answer ``--version`` and ``--help``; anything else is a usage error."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"mneme-hook {version('mneme-git')}\n")
        return
    if arguments in (["--help"], ["-h"]):
        sys.stdout.write(_USAGE + "\n")
        return
    sys.stderr.write(_USAGE + "\n")
    raise SystemExit(1)
