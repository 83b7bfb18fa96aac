"""Starting a git process that nobody waits for."""

import subprocess
import threading

from mneme_git.store.process import Git, command


def run_in_background(git: Git, *arguments: str) -> None:
    """Start a git command in a session of its own and let it be; nothing is said if it cannot start.

    A thread collects its end, so that a long-lived server gathers no dead children; it does not
    keep the interpreter from ending, nor does the interpreter's end stop the command.
    """
    try:
        process = subprocess.Popen(
            command(arguments),
            cwd=git.directory,
            env=git.environment({}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return
    threading.Thread(target=process.wait, daemon=True).start()
