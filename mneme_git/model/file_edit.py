"""A change of one file that people wrote: what it was made from, and what it becomes."""

from msgspec import Struct


class FileEdit(Struct, frozen=True, kw_only=True):
    """Bytes of a work-tree file before and after; None where it does not exist.

    ``path`` is repository-relative with ``/``.
    """

    path: str
    before: bytes | None
    after: bytes | None
