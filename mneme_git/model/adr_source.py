"""The bytes of one file of an ADR folder, as the importer gets them from the store."""

from msgspec import Struct


class AdrSource(Struct, frozen=True, kw_only=True):
    """One file directly in an ADR folder.

    ``path`` is repository-relative with ``/``. ``data`` is what git would store for the file
    (filters applied), ``blob`` the git blob id of ``data`` and ``object_format`` the hash of that
    id. ``raw_sha256`` is of the bytes in the work tree, which filters may have made different.
    ``problem`` is empty, or says why the file could not be taken (a symbolic link, unreadable); then
    the other fields but ``path`` are empty.
    """

    path: str
    data: bytes = b""
    blob: str = ""
    object_format: str = ""
    raw_sha256: str = ""
    problem: str = ""
