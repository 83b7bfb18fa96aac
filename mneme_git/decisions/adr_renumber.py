"""Giving an ADR another number: its file name, what it says of itself, and the links of its folder.

Links name a file, so they are certain and are rewritten. A bare number (``ADR-7``) is rewritten in a
relation between ADRs when only one file had the number; in prose, or when two files had it, nobody
but a person can tell what is meant, and it is listed instead.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from mneme_git.decisions.adr_author import numbered_keys
from mneme_git.decisions.adr_edit import first_heading
from mneme_git.decisions.adr_naming import numbers_in
from mneme_git.decisions.adr_read import read_file, stem_of
from mneme_git.decisions.adr_text import read_text
from mneme_git.decisions.front_matter_edit import find_entry, with_value
from mneme_git.errors import InvalidInput, Refused
from mneme_git.model.adr import Adr, Mention
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.file_edit import FileEdit
from mneme_git.text.markdown import Document, parse
from mneme_git.text.raw_lines import RawText, read_raw

_FILE_NUMBER = re.compile(
    r"(?P<prefix>(?:ADR|adr|Adr)-?)?(?P<digits>[0-9]+)(?P<rest>(?:[-_. ].*)?)", re.DOTALL
)
_TITLE_NUMBER = re.compile(
    r"(?P<before>[#\s]*\[?(?:ADR[-_ #]*)?)(?P<digits>[0-9]+)(?=\]?\s*[.:)–—-])", re.IGNORECASE
)
_LINK = re.compile(r"\[(?P<label>[^\[\]]*)\]\((?P<open>\s*<?)(?P<target>[^()<>\s]+)(?P<close>[^()]*)\)")
_LABEL_NUMBER = re.compile(r"(?P<before>(?:ADR[-_ #]*|#)?)(?P<digits>[0-9]+)(?![0-9])", re.IGNORECASE)
_ID = re.compile(r"(?<![\w-])ADR[-_ #]?(?P<digits>[0-9]+)(?!-?\w)", re.IGNORECASE)


class Place(Struct, frozen=True, order=True):
    """A line of a file that names the old number and was left as it is."""

    path: str
    line: int
    text: str


class Renumbering(Struct, frozen=True, kw_only=True):
    """What a new number changes.

    ``edits`` are the changes: the file under its new name, the other files of the folder by path, and
    the old name gone. ``left`` are the lines that a person must look at. ``was_shared`` tells that
    another file has the old number too.
    """

    old_path: str
    new_path: str
    after: bytes
    edits: tuple[FileEdit, ...] = ()
    left: tuple[Place, ...] = ()
    was_shared: bool = False


def plan_renumber(
    adr: Adr, number: int, files: Mapping[str, bytes], adrs: Sequence[Adr], taken: Iterable[int] = ()
) -> Renumbering:
    """Return what giving ``adr`` the number ``number`` changes.

    ``files`` are the Markdown files directly in its folder, its own among them, by path and with the
    bytes of the work tree; ``adrs`` those of them that are ADRs. ``taken`` are numbers in use
    anywhere, those of the folder included.

    Raises:
        InvalidInput: the file's name has no number, or the new one is not free.
        Refused: the file would not read as the same ADR under its new number.
    """
    old = _number_of(adr)
    if number == old or number in set(taken):
        raise InvalidInput(f"the number {number} is not free", hint="leave --to out to get the next free one")
    change = _Change(adr.path, old, number)
    is_shared = sum(old in numbers_in([path.rsplit("/", 1)[-1]]) for path in files) > 1
    after = _own(adr, change, numbered_keys(adrs))
    _require_same(adr, after, change)
    edits: list[FileEdit] = []
    left: list[Place] = []
    by_path = {other.path: other for other in adrs}
    for path in sorted(files):
        data = after if path == adr.path else files[path]
        mentions = () if is_shared or path == adr.path else _mentions(by_path.get(path))
        made, places = _rewritten(path, data, change, mentions)
        left += places
        if path == adr.path:
            after = made
        elif made != data:
            edits.append(FileEdit(path=path, before=data, after=made))
    return Renumbering(
        old_path=adr.path,
        new_path=change.new_path,
        after=after,
        edits=(
            FileEdit(path=change.new_path, before=None, after=after),
            *edits,
            FileEdit(path=adr.path, before=adr.data, after=None),
        ),
        left=tuple(left),
        was_shared=is_shared,
    )


class _Change:
    """From one number to another: the names that follow from it."""

    def __init__(self, path: str, old: int, new: int) -> None:
        self.folder, _, name = path.rpartition("/")
        found = _FILE_NUMBER.fullmatch(name)
        assert found is not None, name
        self.old, self.new = old, new
        self.old_name = name
        self.new_name = f"{found['prefix'] or ''}{self.written(found['digits'])}{found['rest']}"
        self.old_path = path
        self.new_path = f"{self.folder}/{self.new_name}" if self.folder else self.new_name
        self.old_stem, self.new_stem = stem_of(path), stem_of(self.new_path)

    def written(self, digits: str) -> str:
        """Return the new number with as many digits as ``digits`` has."""
        return str(self.new).zfill(len(digits))

    def is_old(self, digits: str) -> bool:
        """Tell whether ``digits`` is the old number."""
        return digits.lstrip("0") == (str(self.old) if self.old else "")

    def renumbered(self, text: str, pattern: re.Pattern[str]) -> str:
        """Return ``text`` with the number it begins with replaced, if that is the old one."""
        found = pattern.match(text)
        if found is None or not self.is_old(found["digits"]):
            return text
        digits = found["digits"]
        is_padded = digits.startswith("0") and len(digits) > 1
        is_id = any(char.isalpha() for char in found["before"])
        new = self.written(digits) if is_padded or is_id else str(self.new)
        return text[: found.start("digits")] + new + text[found.end("digits") :]


def _number_of(adr: Adr) -> int:
    numbers = numbers_in([adr.path.rsplit("/", 1)[-1]])
    if not numbers:
        raise InvalidInput(f"the name of {adr.path} has no number", hint="rename the file yourself")
    return next(iter(numbers))


def _own(adr: Adr, change: _Change, keys: Sequence[str]) -> bytes:
    """Return the bytes of the ADR's own file with the number that it states of itself replaced."""
    raw = read_raw(adr.data, name=adr.path)
    text, _ = read_text(adr.path, adr.data)
    title = first_heading(text.document) if text is not None else None
    if title is not None:
        line = raw.line(title.line)
        raw = raw.replaced(title.line, title.line, [change.renumbered(line, _TITLE_NUMBER)])
    if adr.stated_id:
        renamed = change.renumbered(adr.stated_id, _LABEL_NUMBER)
        raw = with_value(raw, "id", renamed) if renamed != adr.stated_id else raw
    for key in keys:
        entry = find_entry(raw, key)
        if entry is not None and change.is_old(entry.value):
            raw = raw.replaced(entry.first, entry.first, [f"{entry.head}{change.new}{entry.comment}"])
    return raw.encode()


def _require_same(adr: Adr, after: bytes, change: _Change) -> None:
    found = read_file(AdrSource(path=change.new_path, data=after)).adr
    if (
        found is None
        or found.title != adr.title
        or found.status.lifecycle is not adr.status.lifecycle
        or numbers_in([change.new_name]) != {change.new}
        or (
            bool(adr.stated_id) and found.stated_id == adr.stated_id and change.is_old(_digits(adr.stated_id))
        )
    ):
        raise Refused(
            f"{adr.path} states its number in a way that is not edited here",
            hint="rename the file and change its number by hand",
        )


def _digits(stated_id: str) -> str:
    return stated_id.removeprefix("ADR-")


def _mentions(adr: Adr | None) -> tuple[Mention, ...]:
    """Return the relations of an ADR that name another one by id or number alone."""
    if adr is None:
        return ()
    return tuple(mention for mention in (*adr.supersedes, *adr.superseded_by) if not mention.target)


def _rewritten(
    path: str, data: bytes, change: _Change, mentions: Sequence[Mention]
) -> tuple[bytes, list[Place]]:
    """Return a file with its links to the renumbered one rewritten, and the lines left to a person."""
    raw = read_raw(data, name=path)
    document = _document(raw)
    wanted: dict[int, list[str]] = {}
    for mention in mentions:
        wanted.setdefault(mention.line, []).append(mention.text)
    left: list[Place] = []
    speaks_of_itself = change.old in numbers_in([path.rsplit("/", 1)[-1]])
    for number in range(1, len(raw.lines) + 1):
        line = raw.line(number)
        if document.kinds[number - 1] == "code":
            continue
        made = _relinked(line, path, change)
        for text in wanted.get(number, ()):
            made = _renamed(made, text, change)
        if made != line:
            raw = raw.replaced(number, number, [made])
        if not speaks_of_itself and _names_old(made, change):
            left.append(Place(path, number, made.strip()))
    return raw.encode(), left


def _names_old(line: str, change: _Change) -> bool:
    """Tell whether the old number stands in a line outside of links, which say themselves what they mean."""
    return any(change.is_old(found["digits"]) for found in _ID.finditer(_LINK.sub("", line)))


def _document(raw: RawText) -> Document:
    return parse("\n".join(line.text for line in raw.lines))


def _renamed(line: str, text: str, change: _Change) -> str:
    new = change.renumbered(text, _LABEL_NUMBER)
    return re.sub(rf"(?<![\w-]){re.escape(text)}(?![\w-])", new, line, count=1) if new != text else line


def _relinked(line: str, path: str, change: _Change) -> str:
    """Return a line with the file's name replaced wherever it names this very file."""

    def link(found: re.Match[str]) -> str:
        made = _with_new_name(found["target"], path, change)
        if made == found["target"]:
            return found[0]
        label = change.renumbered(found["label"], _LABEL_NUMBER)
        return f"[{label}]({found['open']}{made}{found['close']})"

    return _with_new_name(_LINK.sub(link, line), path, change)


def _with_new_name(text: str, path: str, change: _Change) -> str:
    name = re.compile(
        rf"(?<![\w.%/-])(?P<folder>(?:[\w.%-]+/|/)*){re.escape(change.old_stem)}(?P<suffix>\.md|\.markdown)?(?![\w-])"
    )

    def replaced(found: re.Match[str]) -> str:
        if not _is_same_folder(found["folder"], path, change):
            return found[0]
        return f"{found['folder']}{change.new_stem}{found['suffix'] or ''}"

    return name.sub(replaced, text)


def _is_same_folder(written: str, path: str, change: _Change) -> bool:
    """Tell whether a folder as a file of the folder writes it is that folder; an address is none."""
    if written.startswith("//"):
        return False
    here = [] if written.startswith("/") else [part for part in path.split("/")[:-1] if part]
    for part in written.split("/"):
        if part == "..":
            here = here[:-1]
        elif part not in {"", "."}:
            here.append(part)
    return "/".join(here) == change.folder
