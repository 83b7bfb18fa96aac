"""Version files that a merge, a revert or a hand left out of the branch: where they still are.

Looked at in this order: the sides of a conflict, HEAD, what is being merged, picked, reverted or
rebased, the journal, and at last any commit that a ref or reflog reaches.
"""

from collections.abc import Iterable, Iterator

from mneme_git.errors import CorruptRecord
from mneme_git.model.decision import Version
from mneme_git.model.ids import ObjectId, VersionId
from mneme_git.model.paths import version_path
from mneme_git.store.backend import GitBackend
from mneme_git.store.copies import IN_PROGRESS, GitCopies
from mneme_git.store.journal import version_name
from mneme_git.store.soundness import named_version


def find_versions(backend: GitBackend, wanted: Iterable[VersionId]) -> dict[VersionId, Version]:
    """Return those of ``wanted`` that are found anywhere in this clone, by id."""
    names = tuple(dict.fromkeys(wanted))
    if not names:
        return {}
    entries = backend.index_entries(version_path(names[0]).split("/", 2)[0])
    staged = {entry.path: entry.oid for entry in entries}
    copies = GitCopies(backend, staged, None)
    heads = [commit for name in ("HEAD", *IN_PROGRESS) if (commit := backend.resolve(name)) is not None]
    found: dict[VersionId, Version] = {}
    for name in names:
        path = version_path(name)
        for data in _places(copies, heads, name, path):
            try:
                found[name] = named_version(name, data or b"")[0]
            except CorruptRecord:
                continue
            break
    return found


def _places(
    copies: GitCopies, heads: Iterable[ObjectId], name: VersionId, path: str
) -> Iterator[bytes | None]:
    yield copies.index(path)
    for commit in heads:
        yield copies.at(commit, path)
    yield copies.journal(version_name(name))
    yield from copies.anywhere(path)
