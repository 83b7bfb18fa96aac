"""A commit of some paths only, made by the git program, with the user's hooks and signature."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mneme_git.errors import CommitRefused
from mneme_git.store.process import Git, Ran
from mneme_git.store.through_git import ThroughGit
from mneme_git.store.work_tree import on_stdin

_SAID_LINES = 20


def commit_paths(
    backend: ThroughGit, paths: Sequence[str], message: str, *, verify: bool, anonymous: bool
) -> Ran:
    """Commit what the work tree has at ``paths``, and nothing else, and return what git said.

    The user's index changes at these paths alone, and only if it succeeds. git must know the paths.
    """
    # Hooks inherit what git is told: what they do with patterns and other repositories is theirs.
    ceiling = os.environ.get("GIT_CEILING_DIRECTORIES", "")
    git = _named(backend) if anonymous else backend.git
    git = git.with_variables(GIT_LITERAL_PATHSPECS="0", GIT_CEILING_DIRECTORIES=ceiling)
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        text = Path(folder) / "message"
        text.write_text(message, "utf-8", "surrogateescape", "\n")
        return git.run_as_user(
            "commit",
            "--quiet",
            "--only",
            *(() if verify else ("--no-verify",)),
            f"--file={text}",
            "--pathspec-from-file=-",
            "--pathspec-file-nul",
            stdin=on_stdin(paths),
            settings=("i18n.commitEncoding=UTF-8",),
        )


def refused(ran: Ran) -> CommitRefused:
    """Return the error that tells what git, or a hook through it, said."""
    said = f"{ran.out.decode('utf-8', 'replace')}\n{ran.err}".split("\n")
    told = [line.rstrip() for line in said if line.strip()]
    more = [f"... and {len(told) - _SAID_LINES} lines more"] if len(told) > _SAID_LINES else []
    listed = "\n  ".join([*told[:_SAID_LINES], *more]) or "it stopped without a word"
    return CommitRefused(
        "git did not commit; everything is as it was, and what was to be committed is pending. It said:\n"
        f"  {listed}",
        hint="when that is mended run the same command again; --no-verify passes hooks over",
    )


def _named(backend: ThroughGit) -> Git:
    """Return git with a name to commit in, the user's where there is one."""
    who = backend.signature()
    roles = ("AUTHOR", "COMMITTER")
    names = {f"GIT_{role}_NAME": who.name for role in roles}
    return backend.git.with_variables(**names, **{f"GIT_{role}_EMAIL": who.email for role in roles})
