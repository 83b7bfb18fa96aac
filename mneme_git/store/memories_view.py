"""How every memory that a checkout, or a revision, knows of stands."""

import os

from mneme_git.errors import MnemeError, NotFound
from mneme_git.model.ids import ObjectId
from mneme_git.model.memory_view import MemoryView
from mneme_git.store import journal
from mneme_git.store.backend import GitBackend
from mneme_git.store.branch_files import origin_of
from mneme_git.store.memories_here import (
    FOLDER,
    SHARDS,
    flag_of,
    flags_in_folder,
    flags_of_entries,
    joined,
)
from mneme_git.store.memories_standing import Sources, Tip, standing_of
from mneme_git.store.pending import PendingState
from mneme_git.store.through_git import ThroughGit
from mneme_git.text.canonical import sha256_hex


def view_of_checkout(backend: GitBackend) -> MemoryView:
    """Return how the memories stand in the work tree."""
    sources = sources_of(backend)
    return _view(sources, origin_of(None))


def view_of_revision(backend: GitBackend, revision: str) -> MemoryView:
    """Return how the memories stand in a commit. Raises NotFound."""
    commit = backend.resolve(revision)
    if commit is None:
        raise NotFound("revision", revision, hint="name a commit, a branch or a tag of this repository")
    here = flags_of_entries(backend, backend.tree_files(commit, FOLDER))
    return _view(Sources(here=here, tips={}, pending=PendingState(), branch=""), origin_of(revision))


def sources_of(backend: GitBackend) -> Sources:
    """Return what is known of all memories."""
    pending = PendingState()
    for entry in reversed(list(journal.entries(backend))):
        pending.take(entry.note)
    return Sources(
        here=_here(backend), tips=_tips(backend), pending=pending, branch=backend.head().branch or ""
    )


def _view(sources: Sources, origin: str) -> MemoryView:
    names = sources.here.keys() | sources.tips.keys() | sources.pending.known.keys()
    rows = {name: row for name in sorted(names) if (row := standing_of(name, sources)) is not None}
    key = sha256_hex(repr([*rows.values(), sources.branch]).encode())
    return MemoryView(standings=rows, branch=sources.branch, origin=origin, key=key)


def _here(backend: GitBackend) -> dict[str, int]:
    root = backend.work_tree
    if root is None:
        head = backend.resolve("HEAD")
        return flags_of_entries(backend, backend.tree_files(head, FOLDER)) if head else {}
    found = joined(*(flags_in_folder(f"{root}/{FOLDER}/{digit}") for digit in SHARDS))
    entries = backend.index_entries(FOLDER)
    gone = [e for e in entries if e.stage or not os.path.lexists(root / e.path)]
    return joined(found, flags_of_entries(backend, [e for e in gone if e.stage != 1]))


def _tips(backend: GitBackend) -> dict[str, Tip]:
    found: dict[str, Tip] = {}
    own = f"refs/heads/{backend.head().branch}"
    if not isinstance(backend, ThroughGit):
        return found
    asked = ("--format=%(refname) %(objectname) %(symref)", "refs/heads", "refs/remotes")
    for line in backend.git.ask("for-each-ref", *asked).decode("utf-8", "surrogateescape").split("\n"):
        ref, _, rest = line.partition(" ")
        oid, _, symbolic = rest.partition(" ")
        if not ref or symbolic or ref == own:
            continue
        label = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
        try:
            flags = flags_of_entries(backend, backend.tree_files(ObjectId(oid), FOLDER))
        except MnemeError:
            continue
        for name, flag in flags.items():
            found.setdefault(name, Tip(label, flag))
    return found


__all__ = ["flag_of", "sources_of", "view_of_checkout", "view_of_revision"]
