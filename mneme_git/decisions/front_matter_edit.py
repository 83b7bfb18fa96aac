"""Changing one value in the front matter of a file, every other byte left as it is.

Only what stands plainly on lines of its own is edited: a key at the start of its line with a
value beside it or a list below. Anything else is refused, and the reader of ADRs is asked
afterwards whether the file now says what was meant.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.errors import Refused
from mneme_git.text.raw_lines import RawText

_FENCE = "---"
_ITEM = re.compile(r"(\s*)-(\s|$)")
_FLOW = re.compile(r"\[(.*)\]\s*$", re.DOTALL)
_COMMENT = re.compile(r"\s+#.*$")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL", "[]"})
_WORD = re.compile(r"[\w./-]+")
_PLAIN = re.compile(r"[A-Za-z0-9_./][^\r\n]*")


class Entry(Struct, frozen=True, kw_only=True):
    """A key and where it stands: lines ``first`` to ``last``, both inside.

    ``head`` is the key with its colon and blanks as written, ``value`` what follows on that line
    without its comment, ``comment`` that comment with the blanks before it.
    """

    first: int
    last: int
    head: str
    value: str
    comment: str


def block_end(raw: RawText) -> int:
    """Return the number of the line that ends the front matter; 0 if the file has none."""
    if raw.line(1).strip() != _FENCE:
        return 0
    return next((at for at in range(2, len(raw.lines) + 1) if raw.line(at).strip() == _FENCE), 0)


def find_entry(raw: RawText, key: str) -> Entry | None:
    """Return the entry of ``key`` at the top level of the front matter, or None."""
    start = re.compile(rf"([\"']?{re.escape(key)}[\"']?\s*:)(\s.*)?$", re.DOTALL)
    end = block_end(raw)
    for at in range(2, end):
        found = start.match(raw.line(at))
        if found is None:
            continue
        rest = found[2] or ""
        value = rest.lstrip()
        head = found[1] + rest[: len(rest) - len(value)]
        comment = "" if value[:1] in {'"', "'"} else _comment(rest, value)
        bare = value[: len(value) - len(comment)].rstrip() if comment else value.rstrip()
        return Entry(first=at, last=_last(raw, at, end), head=head, value=bare, comment=comment)
    return None


def _comment(rest: str, value: str) -> str:
    found = _COMMENT.search(rest)
    return value if value.startswith("#") else found[0] if found else ""


def _last(raw: RawText, first: int, end: int) -> int:
    """Return the last line of the entry: lines below that are indented, or items, go with it."""
    last = first
    for at in range(first + 1, end):
        line = raw.line(at)
        if line.strip() and not line[:1].isspace() and not _ITEM.match(line):
            break
        if line.strip():
            last = at
    return last


def with_value(raw: RawText, key: str, value: str) -> RawText:
    """Return the file with ``value`` under ``key``, which gets a new last line if it is not there.

    Raises:
        Refused: the file has no front matter.
    """
    entry = find_entry(raw, key)
    if entry is None:
        return raw.inserted(_need_block(raw), [f"{key}: {scalar(value)}"])
    mark = entry.value[:1] if entry.value[:1] in {'"', "'"} else ""
    head = entry.head if entry.head.endswith((" ", "\t")) else f"{entry.head} "
    comment = entry.comment if entry.first == entry.last else ""
    return raw.replaced(entry.first, entry.last, [head + scalar(value, mark) + comment])


def with_item(raw: RawText, key: str, item: str) -> RawText:
    """Return the file with ``item`` as the last one of the list under ``key``, made if need be.

    Raises:
        Refused: the file has no front matter, or the list is written in a way that is not edited.
    """
    entry = find_entry(raw, key)
    if entry is None:
        return raw.inserted(_need_block(raw), [f"{key}: [{_in_list(item)}]"])
    items = [at for at in range(entry.first + 1, entry.last + 1) if _ITEM.match(raw.line(at))]
    if not entry.value and items:
        indent = _ITEM.match(raw.line(items[-1]))
        return raw.inserted(entry.last + 1, [f"{indent[1] if indent else ''}- {_in_list(item)}"])
    if entry.first != entry.last:
        raise Refused(
            f"'{key}' on line {entry.first} is a list over several lines that is not edited here",
            hint=f"add {item} to it by hand, then run the command again",
        )
    head = entry.head if entry.head.endswith((" ", "\t")) else f"{entry.head} "
    return raw.replaced(
        entry.first,
        entry.last,
        [f"{head}[{', '.join([*_held(entry.value), _in_list(item)])}]{entry.comment}"],
    )


def with_renamed_item(raw: RawText, key: str, item: str, new: str) -> RawText:
    """Return the file with ``item`` renamed to ``new`` in the list (or value) under ``key``.

    Raises:
        Refused: the item does not stand there as a word of its own.
    """
    entry = find_entry(raw, key)
    word = re.compile(rf"(?<![\w.-]){re.escape(item)}(?![\w-])")
    if entry is not None:
        for at in range(entry.first, entry.last + 1):
            line = raw.line(at)
            start = len(entry.head) if at == entry.first else 0
            made = line[:start] + word.sub(new, line[start:], count=1)
            if made != line:
                return raw.replaced(at, at, [made])
    raise Refused(
        f"'{item}' does not stand under '{key}' in a way that is edited here",
        hint="change it by hand, then run the command again",
    )


def _held(value: str) -> Sequence[str]:
    if value in _NOTHING:
        return ()
    flow = _FLOW.fullmatch(value)
    inside = flow[1].strip().rstrip(",") if flow else value
    return (inside,) if inside else ()


def _need_block(raw: RawText) -> int:
    end = block_end(raw)
    if not end:
        raise Refused("the file has no front matter", hint="edit it by hand")
    return end


def scalar(text: str, mark: str = "") -> str:
    """Return ``text`` as a YAML value on one line: plain where it can be, else in quotes.

    ``mark`` is the quote to use in any case; single quotes give way where the text needs escapes.
    """
    if mark == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if not mark and _is_plain(text):
        return text
    escaped = "".join(_ESCAPES.get(char) or (char if char.isprintable() else _code(char)) for char in text)
    return f'"{escaped}"'


def _in_list(text: str) -> str:
    """Return ``text`` as an item of a list in either notation, where brackets and commas have a meaning."""
    return scalar(text) if _WORD.fullmatch(text) else scalar(text, '"')


def _is_plain(text: str) -> bool:
    """Tell whether YAML 1.1 reads the bare text as this very text, and not as a number or a truth."""
    if not _PLAIN.fullmatch(text) or not text.isprintable() or text != text.strip():
        return False
    if ": " in text or " #" in text or text.endswith(":"):
        return False
    return not _OTHER_KIND.fullmatch(text)


_ESCAPES = {'"': '\\"', "\\": "\\\\"}
_OTHER_KIND = re.compile(
    r"[-+.0-9][0-9_.,:xXoObBeE+-]*|0x[0-9a-fA-F_]+|[0-9]{4}-.*|\.(?:inf|nan)"
    r"|y|n|yes|no|on|off|true|false|null|~|\.\.\.|---.*",
    re.IGNORECASE,
)


def _code(char: str) -> str:
    point = ord(char)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
