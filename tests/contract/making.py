"""What the contract tests make and look at, with git itself as the judge."""

import os
import time
from pathlib import Path

from mneme_git.store.backend import Absent, Exactly, Signature, TreeEntry
from mneme_git.store.objects import BLOB_MODE, NewCommit, blob, encode_commit, encode_tree

PROJECT = Path(__file__).parents[2]
JOURNAL = "refs/mneme/journal"
ADA = Signature("Ada", "ada@example.org")


def clean_fsck(repo):
    ran = repo.try_git("fsck", "--strict", "--no-dangling")
    assert (ran.code, ran.out) == (0, ""), ran.out + ran.err


def commit_of(backend, files, parents=()):
    blobs = backend.write([blob(data) for data in files.values()])
    rows = [TreeEntry(name, BLOB_MODE, oid) for name, oid in zip(files, blobs, strict=True)]
    (tree,) = backend.write([encode_tree(rows)])
    made = NewCommit(
        tree=tree, parents=tuple(parents), author=ADA, committer=ADA, time=1700000000, message="entry"
    )
    (oid,) = backend.write([encode_commit(made)])
    return oid


def loose_count(repo):
    return int(repo.git("count-objects").split(" ")[0])


def set_age(file, *, days):
    then = time.time() - days * 86400
    os.utime(file, (then, then))


def exercise(backend):
    """Write, swap, read and list: what every command rests on."""
    entry = commit_of(backend, {"a": b"1"})
    backend.compare_and_swap(JOURNAL, Absent(), entry, message="x")
    later = commit_of(backend, {"a": b"2"}, [entry])
    backend.compare_and_swap(JOURNAL, Exactly(entry), later, message="x")
    assert backend.read_ref(JOURNAL) == later
    assert [row.name for row in backend.tree(later)] == ["a"]
    return later
