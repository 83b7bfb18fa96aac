"""The console script."""

from mneme_git.cli.main import build


def main() -> None:
    """Run the command line."""
    build()()
