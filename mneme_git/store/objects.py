"""The bytes of git objects and packs. Pure; the format of SHA-1 and of SHA-256 repositories.

Source: gitformat-pack(5) and the object format described in gitformat-loose(5).
"""

import hashlib
import re
import zlib
from collections.abc import Iterable, Sequence

from msgspec import Struct

from mneme_git.errors import CorruptRecord
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import CommitInfo, GitObject, ObjectKind, Signature, TreeEntry

TREE_MODE = 0o040000
BLOB_MODE = 0o100644
LINK_MODE = 0o120000
SUBMODULE_MODE = 0o160000

_DIGITS = {"sha1": 40, "sha256": 64}
_TREE_ROWS = {
    name: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % (digits // 2), re.DOTALL)
    for name, digits in _DIGITS.items()
}
_PACK_KINDS: dict[ObjectKind, int] = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_BAD_NAME = re.compile(rb"\.?\.?|\.git|.*[/\0].*", re.DOTALL | re.IGNORECASE)
_PERSON = re.compile(r"(?P<name>.*?) ?<(?P<email>[^>]*)>(?: (?P<time>-?[0-9]+) [+-][0-9]+)?", re.DOTALL)


class NewCommit(Struct, frozen=True, kw_only=True):
    """A commit to be written; its time is unix seconds, shown in UTC."""

    tree: ObjectId
    parents: tuple[ObjectId, ...]
    author: Signature
    committer: Signature
    time: int
    message: str


def object_id(item: GitObject, object_format: str) -> ObjectId:
    """Return the id that ``item`` has in a repository of that format (``sha1`` or ``sha256``)."""
    hasher = hashlib.new(object_format, b"%s %d\0" % (item.kind.encode(), len(item.data)))
    hasher.update(item.data)
    return ObjectId(hasher.hexdigest())


def zero_id(object_format: str) -> ObjectId:
    """Return the id of only zeros, by which git says "there is none"."""
    return ObjectId("0" * _DIGITS[object_format])


def is_object_id(text: str, object_format: str) -> bool:
    """Tell whether ``text`` is a full object id in lower case."""
    return len(text) == _DIGITS[object_format] and all(char in "0123456789abcdef" for char in text)


def blob(data: bytes) -> GitObject:
    """Return a blob."""
    return GitObject("blob", data)


def encode_loose(item: GitObject) -> bytes:
    """Return the bytes of a loose object file, packed as fast as possible."""
    return zlib.compress(b"%s %d\0" % (item.kind.encode("ascii"), len(item.data)) + item.data, 1)


def decode_loose(data: bytes) -> GitObject:
    """Return the object in a loose object file.

    Raises:
        CorruptRecord: the file is cut off or damaged.
    """
    try:
        head, _, content = zlib.decompress(data).partition(b"\0")
        kind, size = head.decode("ascii").split(" ")
        if kind in _PACK_KINDS and int(size) == len(content):
            return GitObject(kind, content)
    except (zlib.error, ValueError):
        pass
    raise CorruptRecord("the file of the object is damaged", hint="run `git fsck` to see what is damaged")


def encode_tree(entries: Iterable[TreeEntry]) -> GitObject:
    """Return the tree of ``entries``, which may come in any order.

    Raises:
        ValueError: a name is empty, holds ``/`` or NUL, is ``.``, ``..`` or ``.git``, or occurs twice.
    """
    rows: dict[bytes, tuple[bytes, bytes]] = {}
    listed = tuple(entries)
    for entry in listed:
        name = entry.name.encode("utf-8", "surrogateescape")
        # git sorts a folder as if its name ended with a slash
        key = name + b"/" if entry.mode == TREE_MODE else name
        rows[name] = (key, b"%o %s\0%s" % (entry.mode, name, bytes.fromhex(entry.oid)))
    if len(rows) != len(listed) or any(map(_BAD_NAME.fullmatch, rows)):
        raise ValueError(f"not names of one tree: {sorted(entry.name for entry in listed)!r}")
    return GitObject("tree", b"".join([row for _, row in sorted(rows.values())]))


def decode_tree(data: bytes, object_format: str) -> tuple[TreeEntry, ...]:
    """Return the entries of a tree, in git's order; names that are not UTF-8 carry surrogate escapes.

    Raises:
        CorruptRecord: these are not the bytes of a tree.
    """
    rows = _TREE_ROWS[object_format].findall(data)
    if sum(len(mode) + len(name) + len(raw) + 2 for mode, name, raw in rows) != len(data):
        raise CorruptRecord("not the bytes of a git tree", hint="run `git fsck` to see what is damaged")
    return tuple(
        TreeEntry(name.decode("utf-8", "surrogateescape"), int(mode, 8), ObjectId(raw.hex()))
        for mode, name, raw in rows
    )


def encode_commit(commit: NewCommit) -> GitObject:
    """Return the commit; its message ends with one LF."""
    stamp = f"{commit.time} +0000"
    lines = [
        f"tree {commit.tree}",
        *(f"parent {parent}" for parent in commit.parents),
        f"author {_person(commit.author)} {stamp}",
        f"committer {_person(commit.committer)} {stamp}",
    ]
    text = "\n".join(lines) + "\n\n" + commit.message.rstrip("\n") + "\n"
    return GitObject("commit", text.encode("utf-8", "surrogateescape"))


def decode_commit(oid: ObjectId, data: bytes) -> CommitInfo:
    """Return what a commit says; text that does not fit its encoding is shown with replacements.

    Raises:
        CorruptRecord: these are not the bytes of a commit.
    """
    head, _, message = data.partition(b"\n\n")
    headers = _headers(head)
    encoding = (headers.get(b"encoding") or [b"utf-8"])[0].decode("ascii", "replace")
    try:
        author, author_time = _read_person(headers[b"author"][0], encoding)
        _, committer_time = _read_person(headers[b"committer"][0], encoding)
        tree = headers[b"tree"][0].decode("ascii")
    except (KeyError, UnicodeDecodeError) as error:
        raise CorruptRecord(
            f"{oid} is not a git commit", hint="run `git fsck` to see what is damaged"
        ) from error
    return CommitInfo(
        oid=oid,
        tree=ObjectId(tree),
        parents=tuple(ObjectId(parent.decode("ascii", "replace")) for parent in headers.get(b"parent", ())),
        author=author,
        author_time=author_time,
        committer_time=committer_time,
        message=_text(message, encoding),
    )


def commit_tree(data: bytes) -> ObjectId:
    """Return the id of the root tree of a commit."""
    return ObjectId(data.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii", "replace"))


def tag_target(data: bytes) -> ObjectId:
    """Return the id that an annotated tag points to."""
    return ObjectId(data.partition(b"\n")[0].removeprefix(b"object ").decode("ascii", "replace"))


def encode_pack(objects: Sequence[GitObject], object_format: str) -> bytes:
    """Return a pack (version 2, no deltas) of ``objects``."""
    head = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")
    body = b"".join([head, *(_pack_row(item) for item in objects)])
    return body + hashlib.new(object_format, body).digest()


def _pack_row(item: GitObject) -> bytes:
    size = len(item.data)
    byte = (_PACK_KINDS[item.kind] << 4) | (size & 0x0F)
    size >>= 4
    row = bytearray()
    while size:
        row.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    row.append(byte)
    return bytes(row) + zlib.compress(item.data, 1)


def _person(person: Signature) -> str:
    return f"{_cleaned(person.name)} <{_cleaned(person.email)}>"


def _cleaned(text: str) -> str:
    """Take out what would end the field early, as git itself does."""
    return "".join(char for char in text if char not in "<>\n\0").strip()


def _headers(head: bytes) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key:  # a line that begins with a blank continues a signature, which is not needed
            found.setdefault(key, []).append(value)
    return found


def _read_person(raw: bytes, encoding: str) -> tuple[Signature, int]:
    match = _PERSON.match(_text(raw, encoding))
    if match is None:
        return Signature(_text(raw, encoding), ""), 0
    return Signature(match["name"], match["email"]), int(match["time"] or 0)


def _text(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding, "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")
