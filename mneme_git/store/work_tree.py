"""The index and the ignore rules, as the git program sees and changes them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from mneme_git.errors import NoGit
from mneme_git.model.ids import ObjectId
from mneme_git.model.plan import ABSENT
from mneme_git.store.backend import IndexEntry
from mneme_git.store.location import Location
from mneme_git.store.process import Git, Ran, accepted
from mneme_git.text.canonical import sha256_hex


def index_entries(git: Git, prefix: str) -> tuple[IndexEntry, ...]:
    """Return the index entries at or below ``prefix`` (all for ``""``), in the order of the index."""
    paths = ("--", prefix) if prefix else ()
    listed = git.ask("ls-files", "--stage", "-t", "-z", *paths)
    return tuple(_entry(row) for row in listed.decode("utf-8", "surrogateescape").split("\0") if row)


def unmerged(git: Git, prefix: str) -> tuple[IndexEntry, ...]:
    """Return the entries of stages 1 to 3 at or below ``prefix``, by path and stage."""
    paths = ("--", prefix) if prefix else ()
    listed = git.ask("ls-files", "--unmerged", "-t", "-z", *paths)
    return tuple(_entry(row) for row in listed.decode("utf-8", "surrogateescape").split("\0") if row)


def staged_removals(git: Git, prefix: str) -> tuple[str, ...]:
    """Return the paths at or below ``prefix`` that HEAD has and the index lacks, sorted."""
    paths = ("--", prefix) if prefix else ()
    options = ("--cached", "--no-renames", "--diff-filter=D", "--name-only", "-z")
    ran = git.run("diff-index", *options, "HEAD", *paths)
    if ran.code != 0 and "HEAD" in ran.complaint:
        return ()  # before the first commit there is no HEAD, and nothing that could be removed
    removed = accepted("diff-index", ran).out
    return tuple(sorted(path for path in removed.decode("utf-8", "surrogateescape").split("\0") if path))


def _entry(row: str) -> IndexEntry:
    # "<tag> <mode> <id> <stage>\t<path>"; the tag S means that the work tree need not have the file
    told, _, path = row.partition("\t")
    tag, mode, oid, stage = told.split(" ")
    return IndexEntry(
        path=path, mode=int(mode, 8), oid=ObjectId(oid), stage=int(stage), skip_worktree=tag == "S"
    )


def ignored(git: Git, path: str) -> str:
    """Return the rule (``source:line:pattern``) by which git ignores ``path``, or empty text.

    A path about which git gives no answer, such as one behind a symbolic link, is not ignored.
    """
    # check-ignore refuses to be told that paths are literal; with a dot in front this one is anyway.
    plainly = git.with_variables(GIT_LITERAL_PATHSPECS="0")
    asked = plainly.run("check-ignore", "--verbose", "-z", "--stdin", stdin=on_stdin([f"./{path}"]))
    told = asked.out.decode("utf-8", "replace").split("\0")
    if len(told) < 4 or told[2].startswith("!"):
        return ""
    source, line, pattern = told[:3]
    return f"{source}:{line}:{pattern}"


def stage(location: Location, paths: Sequence[str]) -> str:
    """Stage additions, changes and removals of exactly these paths.

    Returns:
        Empty text, or why it was not done; then some of the paths may be staged and others not.
    """
    top = location.work_tree
    if top is None:
        return "a bare repository has no index"
    if _is_passing(location):
        return "git is making a commit of some files only, and the next commit would remove it again"
    wanted = sorted(set(paths))
    there = [path for path in wanted if os.path.lexists(top / path)]
    gone = sorted(set(wanted).difference(there))
    try:
        return _remove(location.git, gone) or _add(location.git, there)
    except NoGit as error:
        return error.message


def names_in(root: Path, folder: str) -> str:
    """Return the hash of the names of the files directly in ``folder``, hidden ones left out.

    ``absent`` if there is no such folder. What a file holds does not count.
    """
    try:
        with os.scandir(root / folder) as entries:
            names = [entry.name for entry in entries if not entry.is_dir(follow_symlinks=False)]
    except OSError:
        return ABSENT
    wanted = sorted(os.fsencode(name) for name in names if not name.startswith("."))
    return sha256_hex(b"\0".join(wanted))


def _is_passing(location: Location) -> bool:
    """Tell whether the index in use is the one of a commit of some files only.

    A hook of ``git commit -- FILE`` is given it; the index that stays is locked and already holds
    what it will hold, so what is staged here would be committed, and removed by the next commit.
    """
    index = location.index_file
    is_git_s = index.name.startswith("next-index-") and index.suffix == ".lock"
    return is_git_s and index.parent.resolve() == location.git_dir.resolve()


def _remove(git: Git, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    return _reason(
        git, paths, git.run_as_user("update-index", "--force-remove", "-z", "--stdin", stdin=on_stdin(paths))
    )


def _add(git: Git, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    ran = _run_add(git, paths)
    if ran.code != 0 and "sparse-checkout" in ran.err:
        # We were asked for exactly these paths: outside of the sparse checkout they are staged too.
        ran = _run_add(git, paths, "--sparse")
    return _reason(git, paths, ran)


def _run_add(git: Git, paths: Sequence[str], *options: str) -> Ran:
    return git.run_as_user(
        "add", *options, "--pathspec-from-file=-", "--pathspec-file-nul", stdin=on_stdin(paths)
    )


def _reason(git: Git, paths: Sequence[str], ran: Ran) -> str:
    if ran.code == 0:
        return ""
    rules = [(path, ignored(git, path)) for path in paths]
    told = [f"'{path}' is ignored by {rule}" for path, rule in rules if rule]
    if not told and ran.code == 1 and "are ignored by" in ran.err:
        return ""  # a tracked file in an ignored folder: git grumbles and stages it all the same
    return "; ".join(told) or ran.complaint


def on_stdin(paths: Iterable[str]) -> bytes:
    """Return paths as git reads them on its stdin."""
    return b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
