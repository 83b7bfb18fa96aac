"""What a refresh has to do: the difference between a view and a listing."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from mneme_indexer.build import recipes
from mneme_indexer.db.views import ViewFile
from mneme_indexer.sources import Listed, Listing

CHANGED = "changed while it was read"
# The same content could not be had twice: it is looked for again when something else changes.
UNREADABLE = "cannot be read"
# Git's ids of the empty file, by both of its hashes.
_EMPTY = frozenset((
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
))  # fmt: skip


class Changed(Struct, frozen=True, array_like=True):
    """A file that differs from the view; ``key_language`` as in ``recipes``."""

    listed: Listed
    key_language: str


class Plan(Struct, frozen=True):
    """``read`` are the files whose blob the view needs, ``unread`` those whose content is not read."""

    read: tuple[Changed, ...]
    unread: dict[str, ViewFile]
    removed: tuple[str, ...]


def plan(listing: Listing, files: Mapping[str, ViewFile], max_bytes: int, *, all_anew: bool) -> Plan:
    """Compare a listing with the files of a view; ``all_anew`` if the blobs are read in another way now."""
    read: list[Changed] = []
    unread: dict[str, ViewFile] = {}
    known = {} if all_anew else files
    for path, listed in listing.files.items():
        old = known.get(path)
        if old is not None and old.oid == listed.blob and _is_same(old, listed):
            continue
        reason = listed.skipped or too_large(listed.size, max_bytes) or recipes.unread(path)
        if reason:
            unread[path] = ViewFile(listed.blob, 0, listed.tracked, reason)
        else:
            read.append(Changed(listed, recipes.key_language(path)))
    removed = tuple(path for path in files if path not in listing.files)
    return Plan(tuple(read), unread, removed)


def too_large(size: int, max_bytes: int) -> str:
    """Return the reason for not reading a file of this size, empty text if it is read."""
    return f"larger than {max_bytes} bytes" if size > max_bytes else ""


def is_torn(listed: Listed, data: bytes) -> bool:
    """Tell whether ``data`` cannot be the content of the blob, because the file changed meanwhile."""
    return not data and listed.size != 0 and listed.blob not in _EMPTY


def distinct(changes: Iterable[Changed]) -> Iterator[Changed]:
    """Yield the first file of each blob and key language."""
    seen = set()
    for change in changes:
        key = (change.listed.blob, change.key_language)
        if key not in seen:
            seen.add(key)
            yield change


def _is_same(old: ViewFile, listed: Listed) -> bool:
    """Tell whether a file with the same content needs nothing."""
    if old.tracked != listed.tracked:
        return False
    if old.skipped == listed.skipped:
        return True
    return not listed.skipped and _is_ours(old.skipped)


def _is_ours(reason: str) -> bool:
    """Tell whether the reason was found here, and will be found again; not given by the listing."""
    return reason in recipes.UNREAD or reason.startswith("larger than ")
