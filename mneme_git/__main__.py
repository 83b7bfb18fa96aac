"""``python -m mneme_git`` is ``mneme``."""

from mneme_git.cli.entry import main

main()
