"""The files that make a repository one with a git store, as far as they are missing."""

import os
import secrets
from collections.abc import Iterator

from mneme_git.errors import MissingObject, NoRepository
from mneme_git.model.ids import ObjectId
from mneme_git.model.paths import CONFIG
from mneme_git.store.backend import GitBackend
from mneme_git.store.config import read_settings
from mneme_git.store.copies import GitCopies
from mneme_git.store.format_files import project_config
from mneme_git.store.memories_branches import branch_tips
from mneme_git.store.work_files import layout_files


def missing_layout(backend: GitBackend) -> dict[str, bytes]:
    """Return the files of the layout that the work tree lacks, by path.

    A project that has a configuration in the index, at HEAD or on another branch keeps it, for its id
    tells the project from others in every clone, and two branches with unlike ones conflict; else an id
    is made up.

    Raises:
        NoRepository: the repository is bare.
    """
    if backend.work_tree is None:
        raise NoRepository(f"'{backend.git_dir}' is a bare repository", hint="work in a clone of it")
    wanted = layout_files(secrets.token_hex(8))
    known = _configurations(backend)
    kept = next((data for data in known if read_settings(git=None, project=data).project_id), None)
    if kept is not None:
        wanted[CONFIG] = kept
    elif any(_is_missing(backend, entry.oid) for entry in backend.index_entries(CONFIG)):
        del wanted[CONFIG]  # it is not for us to make up another id than the one that cannot be read
    return {path: data for path, data in wanted.items() if not os.path.lexists(backend.work_tree / path)}


def _configurations(backend: GitBackend) -> Iterator[bytes]:
    copies = GitCopies(backend, {}, None)
    yield project_config(backend)
    yield copies.committed(CONFIG) or b""
    for commit in branch_tips(backend):
        yield copies.at(commit, CONFIG) or b""


def _is_missing(backend: GitBackend, oid: ObjectId) -> bool:
    try:
        backend.read(oid)
    except MissingObject:
        return True
    return False
