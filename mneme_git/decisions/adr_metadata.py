"""What an ADR with headings says about itself: lines above the first heading, and short sections."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mneme_git.decisions.adr_status import Relations, mentions, read_relations
from mneme_git.decisions.adr_text import AdrText, texts_of
from mneme_git.decisions.adr_words import (
    BACKWARD,
    DATE_KEY,
    FORWARD,
    LINK_HEADINGS,
    STATUS_HEADING,
    STATUS_KEY,
    TAG_KEYS,
    dashed,
)
from mneme_git.model.adr import Mention
from mneme_git.text.markdown import Document, Heading
from mneme_git.text.yaml_tree import Listing, Mapping, Scalar

_MARKS = re.compile(r"[\s>]*(?:[-*+]\s+|[0-9]{1,9}[.)]\s+)?")
_ITEM = re.compile(r"\s*(?:[-*+]\s+|[0-9]{1,9}[.)]\s+|[>|])")
_KEY_LIMIT = 40
_KNOWN_KEYS = {STATUS_KEY, DATE_KEY, *TAG_KEYS, *FORWARD, *BACKWARD}


class Stated(Struct, frozen=True):
    """A text and the line it begins on."""

    text: str
    line: int


class Metadata(Struct, frozen=True, kw_only=True):
    """What the body says besides its prose; ``status`` None if it says nothing about it."""

    status: Stated | None = None
    date: str = ""
    tags: tuple[str, ...] = ()
    relations: Relations = Relations()


def read_metadata(document: Document, title: Heading | None) -> Metadata:
    """Return what the lines above the first heading after ``title``, and the known sections, say."""
    lines = [line for line in _preamble(document, title) if line.text.strip()]
    fields = [(key, stated) for line in lines if (field := _field(line)) for key, stated in [field]]
    status = _status_section(document) or next((s for key, s in fields if key == STATUS_KEY), None)
    if status is not None and any(key == STATUS_KEY and s is status for key, s in fields):
        status = _with_continuation(document, status)
    return Metadata(
        status=status,
        date=next((s.text for key, s in fields if key == DATE_KEY), ""),
        tags=tuple(tag for key, s in fields if key in TAG_KEYS for tag in split_tags(s.text)),
        relations=_joined(
            [*_field_relations(fields), *_line_relations(lines), *_section_relations(document)]
        ),
    )


def front_matter_relations(text: AdrText) -> Relations:
    """Return the relations that keys such as ``superseded-by`` and a list of ``links`` state."""
    found: list[Relations] = []
    for key, node in text.fields.pairs if text.fields is not None else []:
        if not isinstance(key, Scalar):
            continue
        if isinstance(node, Listing) and dashed(key.text) == "links":
            found.extend(_link(item) for item in node.items if isinstance(item, Mapping))
        for stated, line in texts_of(node):
            found.append(_keyed(dashed(key.text), stated, line))
    return _joined(found)


def split_tags(text: str) -> tuple[str, ...]:
    """Return the tags in a line: at commas, or at blanks if there is no comma; a placeholder has none."""
    if text[:1] in "[{<":
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(tag for part in parts if (tag := part.strip(" `*_#")))


def section(document: Document, heading: Heading) -> list[Stated]:
    """Return the shown lines below ``heading`` up to the next heading."""
    following = (h.line for h in document.headings if h.line > heading.line)
    end = next(following, document.number(len(document.lines)))
    start = heading.line + 1 + heading.underlined
    return [Stated(document.shown[at - document.first_line], at) for at in range(start, end)]


def is_named(heading: Heading, names: Sequence[str] | frozenset[str]) -> bool:
    """Tell whether the text of ``heading`` is one of ``names``, case and marks aside."""
    return heading.text.strip(" *_:").casefold() in names


def _preamble(document: Document, title: Heading | None) -> list[Stated]:
    after = title.line if title is not None else document.first_line - 1
    end = next((h.line for h in document.headings if h.line > after), document.number(len(document.lines)))
    skip = {after, after + 1} if title is not None and title.underlined else {after}
    return [
        Stated(line, number)
        for at, line in enumerate(document.shown)
        if (number := document.number(at)) < end and number not in skip
    ]


def _field(line: Stated) -> tuple[str, Stated] | None:
    """Return the key and the value of a line such as ``* **Status:** accepted`` or ``| Status | x |``."""
    bare = line.text[_marks_end(line.text) :].strip()
    if bare.startswith("|"):
        cells = [cell.strip() for cell in bare.strip("|").split("|")]
        name, colon, value = (cells[0], ":", cells[1]) if len(cells) == 2 else ("", "", "")
    else:
        name, colon, value = bare.partition(":")
    key = dashed(name.strip("*_` ")) if colon and len(name) <= _KEY_LIMIT else ""
    if key not in _KNOWN_KEYS:
        return None
    return key, Stated(value.strip().lstrip("*_ "), line.line)


def _marks_end(line: str) -> int:
    marks = _MARKS.match(line)
    return marks.end() if marks else 0


def _with_continuation(document: Document, status: Stated) -> Stated:
    """Add the lines below a status line that go on with it: up to a blank line, an item or a field."""
    headings = {heading.line for heading in document.headings}
    texts = [status.text]
    for at in range(status.line + 1 - document.first_line, len(document.shown)):
        line = Stated(document.shown[at], document.number(at))
        if not line.text.strip() or line.line in headings or _ITEM.match(line.text) or _is_field(line.text):
            break
        texts.append(line.text.strip())
    return Stated(" ".join(texts), status.line)


def _is_field(line: str) -> bool:
    name, colon, _ = line.strip().partition(":")
    return bool(colon) and len(name) <= _KEY_LIMIT and len(name.split()) <= 3 and "[" not in name


def _status_section(document: Document) -> Stated | None:
    heading = next((h for h in document.headings if is_named(h, (STATUS_HEADING,))), None)
    if heading is None:
        return None
    lines = [line for line in section(document, heading) if line.text.strip()]
    if not lines:
        return Stated("", heading.line)
    texts = [line.text[_marks_end(line.text) :].strip() for line in lines]
    return Stated("\n".join(texts), lines[0].line)


def _keyed(key: str, value: str, line: int) -> Relations:
    if key in FORWARD:
        return Relations(mentions(value, line), ())
    if key in BACKWARD:
        return Relations((), mentions(value, line))
    return Relations()


def _link(item: Mapping) -> Relations:
    parts = {key.text: node for key, node in item.pairs if isinstance(key, Scalar)}
    kind, target = parts.get("kind"), parts.get("target")
    if not isinstance(kind, Scalar) or not isinstance(target, Scalar):
        return Relations()
    return _keyed(dashed(kind.text), target.text, target.line)


def _field_relations(fields: Sequence[tuple[str, Stated]]) -> Iterator[Relations]:
    for key, stated in fields:
        yield _keyed(key, stated.text, stated.line)


def _line_relations(lines: Sequence[Stated]) -> Iterator[Relations]:
    """Read lines that begin with a relation; in the middle of a sentence it may be about anything."""
    for line in lines:
        bare = line.text[_marks_end(line.text) :].lstrip("*_ ")
        start = bare[:_KEY_LIMIT].lower().replace("-", " ")
        if start.startswith((*FORWARD, *BACKWARD)):
            yield read_relations(bare, line.line)


def _section_relations(document: Document) -> Iterator[Relations]:
    for heading in document.headings:
        key = dashed(heading.text.strip(" *_:"))
        if is_named(heading, LINK_HEADINGS):
            yield from _line_relations(_items(section(document, heading)))
        elif key in FORWARD or key in BACKWARD:
            for item in _items(section(document, heading)):
                yield _keyed(key, item.text[_marks_end(item.text) :].strip(), item.line)


def _items(lines: Sequence[Stated]) -> list[Stated]:
    """Join the lines of a list item or paragraph that is wrapped."""
    items: list[Stated] = []
    starts_new = True
    for line in lines:
        if not line.text.strip():
            starts_new = True
        elif starts_new or _ITEM.match(line.text):
            items.append(line)
            starts_new = False
        else:
            items[-1] = Stated(f"{items[-1].text} {line.text.strip()}", items[-1].line)
    return items


def _joined(found: Sequence[Relations]) -> Relations:
    older: dict[Mention, None] = {}
    newer: dict[Mention, None] = {}
    for relations in found:
        older.update(dict.fromkeys(relations.supersedes))
        newer.update(dict.fromkeys(relations.superseded_by))
    return Relations(tuple(older), tuple(newer))
