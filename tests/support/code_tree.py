"""The work tree of a test repository as the code index reads it."""

import os

from mneme_git.store.code_tree import WorkTreeSource
from mneme_git.store.discover import locate
from mneme_git.store.private_index import dirty_tree_id


def source_of(repo):
    return WorkTreeSource(locate(repo.path, os.environ))


def tree_by_git(repo):
    return dirty_tree_id(locate(repo.path, os.environ), (".mneme",))


def seen(repo, source=None):
    """The files that can be read, with their bytes, and the reasons of the others."""
    source = source or source_of(repo)
    listing = source.listing()
    rows = [row for row in listing.files.values() if not row.skipped]
    contents = dict(zip((row.path for row in rows), source.read(rows), strict=True))
    return contents, {row.path: row.skipped for row in listing.files.values() if row.skipped}
