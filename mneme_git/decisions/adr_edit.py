"""Saying in two ADR files that one supersedes the other, in the words and places of their dialect.

The old file gets its status changed where it stands (front matter, section, line or table row), the
new one a relation. Every other byte stays, and the reader of ADRs must read both files as meant,
with nothing else changed; otherwise nothing is written.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.decisions.adr_metadata import Stated, is_named, read_metadata
from mneme_git.decisions.adr_read import read_file, stem_of
from mneme_git.decisions.adr_status import read_relations
from mneme_git.decisions.adr_text import AdrText, read_text
from mneme_git.decisions.adr_words import LINK_HEADINGS, STATUS_HEADING, STATUS_KEY, STATUS_WORDS
from mneme_git.decisions.front_matter_edit import block_end, find_entry, with_item, with_value
from mneme_git.errors import Refused
from mneme_git.model.adr import Adr
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import Lifecycle
from mneme_git.model.file_edit import FileEdit
from mneme_git.text.markdown import Document, Heading
from mneme_git.text.quoting import quoted
from mneme_git.text.raw_lines import RawText, read_raw

_SUPERSEDES = "supersedes"
_SAFE_LABEL = re.compile(r"[^\[\]()<>|`*\r\n]+")
_SAFE_TARGET = re.compile(r"[^\s()<>]+")
_NUMBERED_TITLE = re.compile(r"[0-9]+\s*[.:)]\s")
_MARKS = re.compile(r"[\s>]*(?:[-*+]\s+|[0-9]{1,9}[.)]\s+)?")
_WORD = re.compile(r"[^\W\d_]+(?:[- ][^\W\d_]+)?")
_TAIL = re.compile(r"[*_]*\s*(?:\|\s*)?(?:<!--.*?-->\s*)?$", re.DOTALL)
_BULLET = re.compile(r"(\s*)([-*+])\s")


class Reference(Struct, frozen=True, kw_only=True):
    """An ADR as another file refers to it.

    ``id`` is what a list of ids holds. ``target`` is the path from the folder of the referring
    file; empty for a decision without a file.
    """

    id: str
    label: str
    target: str = ""

    @property
    def text(self) -> str:
        """Return the reference as Markdown."""
        return f"[{self.label}]({self.target})" if self.target else self.label


def reference_to(adr: Adr, *, from_path: str) -> Reference:
    """Return how the file at ``from_path`` refers to ``adr``, in the manner of the dialect of ``adr``."""
    stem = stem_of(adr.path)
    target = relative_path(adr.path, from_path)
    label = _label(adr, stem)
    if not _SAFE_TARGET.fullmatch(target) or not _SAFE_LABEL.fullmatch(stem):
        return Reference(id=adr.stated_id or adr.number or stem, label=adr.stated_id or label)
    return Reference(
        id=adr.stated_id or adr.number or stem,
        label=label if _SAFE_LABEL.fullmatch(label) else stem,
        target=target,
    )


def _label(adr: Adr, stem: str) -> str:
    if adr.stated_id:
        return adr.stated_id
    title = first_heading(_text_of(adr).document)
    if title is not None and _NUMBERED_TITLE.match(title.text):
        return title.text
    if adr.number:
        return f"ADR-{adr.number.removeprefix('ADR-')}"
    return stem


def first_heading(document: Document) -> Heading | None:
    """Return the first heading of level 1."""
    return next((heading for heading in document.headings if heading.level == 1), None)


def relative_path(path: str, from_path: str) -> str:
    """Return ``path`` as seen from the folder of ``from_path``; both are repository-relative."""
    here, there = from_path.split("/")[:-1], path.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])


def plan_supersede(old: Adr, new: Adr) -> tuple[FileEdit, ...]:
    """Return the edits of both files; a file that says it already has none.

    Both ADRs must have been read from the bytes that their files have in the work tree.

    Raises:
        Refused: the two cannot stand in this relation, or a file is written in a way that is not
            edited.
    """
    _require_fit(old, new)
    edits = [
        FileEdit(
            path=old.path, before=old.data, after=superseded(old, reference_to(new, from_path=old.path))
        ),
        FileEdit(
            path=new.path, before=new.data, after=superseding(new, reference_to(old, from_path=new.path))
        ),
    ]
    return tuple(edit for edit in edits if edit.before != edit.after)


def _require_fit(old: Adr, new: Adr) -> None:
    if old.path == new.path:
        raise Refused(f"{old.path} cannot supersede itself", hint="name two ADRs")
    if new.status.lifecycle in {Lifecycle.SUPERSEDED, Lifecycle.DEPRECATED}:
        raise Refused(
            f"{new.path} is {new.status.lifecycle.value} itself, so it succeeds nothing",
            hint="name the ADR that is in force",
        )
    if names(new.superseded_by, old) or names(old.supersedes, new):
        raise Refused(
            f"{old.path} is said to supersede {new.path}; both at once would be a circle",
            hint="remove that relation first",
        )
    if (
        old.status.lifecycle is Lifecycle.SUPERSEDED
        and old.superseded_by
        and not names(old.superseded_by, new)
    ):
        listed = ", ".join(mention.text or mention.target for mention in old.superseded_by)
        raise Refused(
            f"{old.path} is superseded already, by {listed}",
            hint="edit its status by hand if that has changed",
        )


def names(mentions: Sequence[object], adr: Adr) -> bool:
    """Tell whether one of ``mentions`` means ``adr`` by its id, its number or its file."""
    stem = stem_of(adr.path).lower()
    known = {stem, adr.stated_id.lower(), adr.number.lower(), adr.number.lower().removeprefix("adr-")} - {""}
    for mention in mentions:
        text, target = getattr(mention, "text", ""), getattr(mention, "target", "")
        file = target.split("#")[0].rsplit("/", 1)[-1].lower()
        if file and file.rpartition(".")[0] == stem:
            return True
        if not file and text.lower() in known:
            return True
    return False


def superseded(adr: Adr, newer: Reference) -> bytes:
    """Return the bytes of ``adr`` with its status saying that ``newer`` supersedes it.

    Raises:
        Refused: the status stands in a way that is not edited.
    """
    if adr.status.lifecycle is Lifecycle.SUPERSEDED and adr.superseded_by:
        return adr.data
    text, raw = _text_of(adr), read_raw(adr.data, name=adr.path)
    said = f"superseded by {newer.text}"
    body = read_metadata(text.document, first_heading(text.document)).status
    in_front = find_entry(raw, STATUS_KEY) is not None
    if body is not None:
        raw = _restated(raw, text.document, body, said)
    if in_front or (body is None and block_end(raw)):
        is_format = adr.dialect == "front-matter"
        raw = with_value(raw, STATUS_KEY, Lifecycle.SUPERSEDED.value if is_format else said)
    elif body is None:
        raw = _with_status_line(raw, text.document, said)
    return _checked(adr, raw.encode(), is_old=True)


def _restated(raw: RawText, document: Document, status: Stated, said: str) -> RawText:
    """Return the file with the status in its body replaced, wherever the body keeps it."""
    heading = next((h for h in reversed(document.headings) if h.line <= status.line), None)
    in_section = heading is not None and is_named(heading, (STATUS_HEADING,))
    if in_section and heading is not None and not status.text.strip():
        below = heading.line + heading.underlined + 1
        return raw.inserted(below, ["", said[0].upper() + said[1:]])
    line = raw.line(status.line)
    at = _value_in_section(line) if in_section else _value_in_line(line)
    last = status.line if in_section else status.line + _continued(raw, status) - 1
    return raw.replaced(status.line, last, [line[:at] + _new_value(line[at:], said)])


def _value_in_section(line: str) -> int:
    marks = _MARKS.match(line)
    return marks.end() if marks else 0


def _value_in_line(line: str) -> int:
    """Return where the value begins in ``* **Status:** accepted`` or ``| Status | accepted |``."""
    start = _value_in_section(line)
    bar = line.find("|", start)
    at = line.find("|", bar + 1) if line[start : start + 1] == "|" else line.find(":", start)
    rest = line[at + 1 :]
    return len(line) - len(rest.lstrip(" \t*_"))


def _continued(raw: RawText, status: Stated) -> int:
    """Return over how many lines a status runs that stands in a line of its own."""
    whole, count = " ".join(status.text.split()), 1
    line = raw.line(status.line)
    read = " ".join(line[_value_in_line(line) :].split())
    while len(read) < len(whole) and count < len(raw.lines):
        read = " ".join(f"{read} {raw.line(status.line + count)}".split())
        count += 1
    return count


def _new_value(value: str, said: str) -> str:
    """Return ``value`` with its status replaced, its emphasis, comment and table end kept.

    What follows the status word goes, unless it states a relation of its own.
    """
    tail = _TAIL.search(value)
    end = tail.start() if tail else len(value)
    bare = value[:end]
    word = _WORD.search(bare)
    lead = bare[: word.start()] if word else ""
    lead = lead if not lead.strip("*_ ") else ""
    known = word is not None and word[0].split(" ")[0].split("-")[0].lower() in STATUS_WORDS
    rest = ""
    if word is not None and known:
        first = word[0].split(" ")[0].split("-")[0]
        rest = bare[word.start() + len(first) :]
        rest = rest if read_relations(rest, 1).supersedes else ""
        said = said if first[0].islower() else said[0].upper() + said[1:]
    return lead + said + rest + value[end:]


def _with_status_line(raw: RawText, document: Document, said: str) -> RawText:
    title = first_heading(document)
    if title is None:
        raise Refused("the file has neither a status nor a title to put one under", hint="edit it by hand")
    return raw.inserted(title.line + title.underlined + 1, ["", f"- Status: {said}"])


def superseding(adr: Adr, older: Reference) -> bytes:
    """Return the bytes of ``adr`` with a relation saying that it supersedes ``older``.

    Raises:
        Refused: the place for it is written in a way that is not edited.
    """
    if any(mention.target == older.target != "" or mention.text == older.id for mention in adr.supersedes):
        return adr.data
    text, raw = _text_of(adr), read_raw(adr.data, name=adr.path)
    if adr.dialect == "front-matter" or find_entry(raw, _SUPERSEDES) is not None:
        raw = with_item(raw, _SUPERSEDES, older.id if adr.dialect == "front-matter" else older.text)
    else:
        raw = _with_relation(raw, text.document, f"Supersedes {older.text}")
    return _checked(adr, raw.encode(), is_old=False)


def _with_relation(raw: RawText, document: Document, said: str) -> RawText:
    """Add the line to the status section, to a section of links, or to a new one at the end."""
    status = next((h for h in document.headings if is_named(h, (STATUS_HEADING,))), None)
    if status is not None:
        last = _last_line(raw, document, status)
        return raw.inserted(last + 1, ["", said])
    links = next((h for h in document.headings if is_named(h, LINK_HEADINGS)), None)
    bullet = _bullet_of(raw, document, links)
    if links is not None:
        last = _last_line(raw, document, links)
        gap = [] if _BULLET.match(raw.line(last)) else [""]
        return raw.inserted(last + 1, [*gap, f"{bullet} {said}"])
    name = "More Information" if block_end(raw) else "Links"
    blank = [""] if raw.lines and raw.lines[-1].text.strip() else []
    return raw.inserted(len(raw.lines) + 1, [*blank, f"## {name}", "", f"{bullet} {said}"])


def _last_line(raw: RawText, document: Document, heading: Heading) -> int:
    """Return the last line with text below ``heading``, before the next one; its own if there is none."""
    following = next((h.line for h in document.headings if h.line > heading.line), len(raw.lines) + 1)
    own = heading.line + heading.underlined
    return next((at for at in range(following - 1, own, -1) if raw.line(at).strip()), own)


def _bullet_of(raw: RawText, document: Document, section: Heading | None) -> str:
    """Return the mark of list items in ``section``, or else the first one in the file."""
    start = section.line if section is not None else document.first_line
    found = (_BULLET.match(raw.line(at)) for at in (*range(start, len(raw.lines) + 1), *range(1, start)))
    return next((match[2] for match in found if match), "-")


def _text_of(adr: Adr) -> AdrText:
    text, _ = read_text(adr.path, adr.data)
    if text is None:
        raise Refused(f"{adr.path} cannot be read", hint="run `mneme adr import` on its folder to see why")
    return text


def _checked(adr: Adr, data: bytes, *, is_old: bool) -> bytes:
    """Return ``data`` if it reads as ``adr`` does, but for the status or the relation meant."""
    found = read_file(AdrSource(path=adr.path, data=data)).adr
    as_meant = found is not None and (
        found.title == adr.title
        and found.stated_id == adr.stated_id
        and [rule.value for rule in found.rules] == [rule.value for rule in adr.rules]
        and found.constraints == adr.constraints
        and len(found.supersedes) == len(adr.supersedes) + (not is_old)
        and (found.status.lifecycle is (Lifecycle.SUPERSEDED if is_old else adr.status.lifecycle))
    )
    if not as_meant:
        what = "status" if is_old else "relation"
        raise Refused(
            f"the {what} of {quoted(adr.path)} is written in a way that is not edited here",
            hint="edit that file by hand; nothing was written",
        )
    return data
