"""Which documents have a term: packed for the file, and joined over all segments for a search.

A posting is the number of a document and a byte that says how the term stands in it (never 0, see
``text/recall_score.py``). Few of them are kept as numbers and bytes, many as one byte for each document of
the segment, so that what is common is handled by operations on the whole.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

# A byte for each document is the smaller form from here on: 5 bytes a posting otherwise.
_SPARSE_BYTES = 5
_PRESENT = bytes(1) + b"\x01" * 255


def packed(documents: Sequence[int], classes: bytes | bytearray, first: int, size: int) -> bytes:
    """Return the postings of one term in the segment of ``size`` documents from ``first``."""
    if len(documents) * _SPARSE_BYTES < size:
        return array("I", documents).tobytes() + bytes(classes)
    dense = bytearray(size)
    for document, kind in zip(documents, classes, strict=True):
        dense[document - first] = kind
    return bytes(dense)


class Postings:
    """The postings of one term, those of some segments dense and those of the others sparse."""

    __slots__ = ("_column", "classes", "dense", "documents")

    def __init__(self) -> None:
        self.documents: array[int] = array("I")
        self.classes = bytearray()
        self.dense: list[tuple[int, bytes]] = []
        self._column = b""

    def add_packed(self, first: int, size: int, data: bytes) -> None:
        """Add those of a segment."""
        if len(data) == size:
            self.dense.append((first, data))
            return
        cut = len(data) // _SPARSE_BYTES * (_SPARSE_BYTES - 1)
        self.documents.frombytes(data[:cut])
        self.classes += data[cut:]

    def add(self, document: int, kind: int) -> None:
        """Add one that is in no segment yet."""
        self.documents.append(document)
        self.classes.append(kind)

    def count(self, mask: "Mask") -> int:
        """Return how many documents of ``mask`` have the term."""
        found = sum(map(mask.flags.__getitem__, self.documents))
        for first, data in self.dense:
            present = int.from_bytes(data.translate(_PRESENT), "little")
            found += (present & mask.part(first, len(data))).bit_count()
        return found

    def size(self) -> int:
        """Return the work of going through all of them one by one."""
        return len(self.documents) + sum(len(data) for _, data in self.dense)

    def as_mapping(self) -> dict[int, int]:
        """Return the bytes by document."""
        found = dict(zip(self.documents, self.classes, strict=True))
        for first, data in self.dense:
            found.update(compress(enumerate(data, first), data))
        return found

    def as_bytes(self, documents: int) -> bytes:
        """Return a byte for each of all ``documents``, 0 for those that do not have the term."""
        if len(self._column) == documents:
            return self._column
        found = bytearray(documents)
        for first, data in self.dense:
            found[first : first + len(data)] = data
        for document, kind in zip(self.documents, self.classes, strict=True):
            found[document] = kind
        self._column = bytes(found)
        return self._column


class Mask:
    """Some of all documents: a flag (0 or 1) for each."""

    __slots__ = ("_number", "flags")

    def __init__(self, flags: bytes) -> None:
        self.flags = flags
        self._number: int | None = None

    @property
    def number(self) -> int:
        """The flags as one number, little-endian."""
        if self._number is None:
            self._number = int.from_bytes(self.flags, "little")
        return self._number

    def part(self, first: int, size: int) -> int:
        """Return the number of the flags of ``size`` documents from ``first``."""
        if size == len(self.flags):
            return self.number
        return int.from_bytes(self.flags[first : first + size], "little")

    def count(self) -> int:
        """Return how many it has."""
        return self.flags.count(1)

    def documents(self) -> list[int]:
        """Return their numbers, ascending."""
        return list(compress(range(len(self.flags)), self.flags))

    def both(self, other: "Mask") -> "Mask":
        """Return what is in both."""
        return Mask((self.number & other.number).to_bytes(len(self.flags), "little"))


def mask_of_any(found: Iterable[Postings], documents: int) -> Mask:
    """Return the documents that have any of some terms."""
    number = 0
    for postings in found:
        number |= int.from_bytes(postings.as_bytes(documents).translate(_PRESENT), "little")
    return Mask(number.to_bytes(documents, "little"))


def by_term(rows: Mapping[int, Mapping[str, int]]) -> dict[str, tuple[list[int], bytearray]]:
    """Turn the classes of the terms of documents around: documents, ascending, and classes by term."""
    found: dict[str, tuple[list[int], bytearray]] = {}
    for document in sorted(rows):
        for term, kind in rows[document].items():
            if (entry := found.get(term)) is None:
                entry = found[term] = ([], bytearray())
            entry[0].append(document)
            entry[1].append(kind)
    return found
