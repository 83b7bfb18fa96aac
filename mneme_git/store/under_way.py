"""What git is in the middle of, so that a commit of ours would come out of place."""

from mneme_git.errors import Refused, StoreBusy
from mneme_git.store.backend import GitBackend

# The first that is there names it: a rebase that stopped at a conflict has CHERRY_PICK_HEAD, too.
_SIGNS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer", "cherry-pick or revert"),
)
_REBASES = ("rebase-merge", "rebase-apply")
_HEADS = "refs/heads/"


def under_way(backend: GitBackend) -> str:
    """Return what git was stopped in the middle of in this work tree, empty if there is nothing."""
    return next((word for name, word in _SIGNS if (backend.git_dir / name).exists()), "")


def branch_of_work(backend: GitBackend) -> str:
    """Return the branch that what is done in this work tree is for: HEAD's, or that of a stopped rebase.

    Empty for a HEAD that is detached for any other reason.
    """
    branch = backend.head().branch
    if branch is not None:
        return branch
    for place in _REBASES:
        try:
            name = (backend.git_dir / place / "head-name").read_bytes()
        except OSError:
            continue
        text = name.decode("utf-8", "surrogateescape").rstrip("\n")
        if text.startswith(_HEADS):
            return text.removeprefix(_HEADS)
    return ""


def require_quiet(backend: GitBackend) -> None:
    """Refuse to commit where git would refuse it, or would take it for a part of something else.

    Raises:
        Refused: a merge, rebase, cherry-pick or revert is under way, or files are in conflict.
        StoreBusy: another git process has locked the index.
    """
    word = under_way(backend)
    if word:
        raise Refused(
            f"a {word} is under way in this work tree; nothing was committed",
            hint=f"finish or abort the {word} first; what is pending is kept",
        )
    if backend.unmerged(""):
        raise Refused(
            "files of this work tree are in conflict; nothing was committed",
            hint="settle them first (`git status` lists them); what is pending is kept",
        )
    lock = backend.git_dir / "index.lock"
    if lock.exists():
        raise StoreBusy(
            f"git's index is locked by '{lock}'; nothing was committed",
            hint="wait until the other git command has ended; if none is at work, remove that file",
        )
