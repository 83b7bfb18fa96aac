"""A new ADR in the manner of its folder: what the newest one there looks like, and a text like it.

The manner of a folder is that of its last ADR (in natural order of its files) that can be read: its
dialect, how its title is numbered, where status and date stand, and which sections it has. An empty
folder gets the front-matter dialect, whose files carry rules.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from mneme_git.decisions.adr_edit import first_heading
from mneme_git.decisions.adr_metadata import is_named, read_metadata
from mneme_git.decisions.adr_read import read_file
from mneme_git.decisions.adr_text import AdrText, read_text
from mneme_git.decisions.adr_words import ADR_HEADINGS, DATE_KEY, STATUS_HEADING, STATUS_KEY, STATUS_WORDS
from mneme_git.decisions.front_matter_edit import block_end, find_entry, scalar
from mneme_git.errors import InvalidInput
from mneme_git.model.adr import Adr
from mneme_git.model.adr_source import AdrSource
from mneme_git.text.markdown import Document, Heading
from mneme_git.text.quoting import quoted
from mneme_git.text.raw_lines import RawText, read_raw

STATUSES = ("proposed", "accepted", "rejected", "draft", "deprecated")
_FORMAT_STATUSES = ("proposed", "accepted", "deprecated")
_SECTIONS = ("Context", "Decision", "Consequences")
_MORE_SECTIONS = frozenset({"constraints", "decision drivers", "alternatives", "rationale"})
_TITLE_NUMBER = re.compile(r"(?P<before>[^\d]{0,8}?)(?P<digits>[0-9]+)(?P<after>\s*[.:)–—-]\s+)", re.ASCII)
_VALUE = re.compile(r"(?P<head>.*?)(?P<value>[^\s*_|`>][^|]*?)(?P<tail>[*_`]*\s*\|?\s*)$", re.DOTALL)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class Draft(Struct, frozen=True, kw_only=True):
    """What a new ADR says; ``day`` is ``YYYY-MM-DD``, ``digits`` its number as the folder writes it."""

    title: str
    status: str = "proposed"
    digits: str = ""
    day: str = ""
    scope: str = ""


class Line(Struct, frozen=True):
    """A line of a file that states one thing: what stands before its value and after it."""

    head: str
    tail: str = ""

    def with_value(self, value: str) -> str:
        """Return the line with ``value``."""
        return f"{self.head}{value}{self.tail}"


class Manner(Struct, frozen=True, kw_only=True):
    """How the ADRs of a folder look.

    ``kept`` are lines of a front matter that all of them have alike, ``numbered`` its keys whose
    value is the number. ``status`` and ``date`` are None where they stand elsewhere or nowhere.
    """

    is_format: bool = False
    newline: str = "\n"
    has_front_matter: bool = False
    kept: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    front_status: bool = False
    front_date: bool = False
    id_width: int = 4
    title_before: str = ""
    title_after: str = ""
    title_width: int = 0
    has_title: bool = True
    status: Line | None = None
    status_in_section: bool = False
    is_capital: bool = False
    date: Line | None = None
    date_first: bool = False
    sections: tuple[str, ...] = _SECTIONS

    @property
    def is_title_numbered(self) -> bool:
        """Tell whether the title in the text begins with the number."""
        return self.title_width > 0


EMPTY_FOLDER = Manner(
    is_format=True, has_front_matter=True, has_title=False, sections=(*_SECTIONS, "Constraints")
)


def manner_of(adrs: Sequence[Adr]) -> Manner:
    """Return how ``adrs`` (natural order of path) look; that of an empty folder if there are none."""
    if not adrs:
        return EMPTY_FOLDER
    last = adrs[-1]
    text, raw = _read(last)
    title = first_heading(text.document)
    number = _TITLE_NUMBER.match(title.text) if title is not None else None
    alike = [_read(adr)[1] for adr in adrs if adr.dialect == last.dialect]
    metadata = read_metadata(text.document, title)
    status = metadata.status if last.dialect == "headings" else None
    section = _status_heading(text.document)
    in_section = section is not None and status is not None and status.line > section.line
    line = raw.line(status.line) if status is not None and not in_section else ""
    date = _date_line(raw, text.document, title)
    return Manner(
        is_format=last.dialect == "front-matter",
        newline=raw.newline,
        has_front_matter=block_end(raw) > 0,
        kept=_kept(alike),
        numbered=numbered_keys(adrs),
        front_status=find_entry(raw, STATUS_KEY) is not None,
        front_date=find_entry(raw, DATE_KEY) is not None,
        id_width=len(last.stated_id.removeprefix("ADR-")) or Manner().id_width,
        title_before=number["before"] if number else "",
        title_after=number["after"] if number else "",
        title_width=len(number["digits"]) if number else 0,
        has_title=title is not None,
        status=_line(line) if line else None,
        status_in_section=in_section,
        is_capital=last.status.text[:1].isupper(),
        date=_line(raw.line(date)) if date else None,
        date_first=bool(date and status and date < status.line),
        sections=_sections(text.document),
    )


def new_text(manner: Manner, draft: Draft, *, path: str) -> bytes:
    """Return the bytes of a new ADR at ``path``.

    Raises:
        InvalidInput: the title or the status cannot be written so that they are read back.
    """
    _require_form(manner, draft)
    lines = [*_front(manner, draft), *_head(manner, draft)]
    for name in manner.sections:
        if name.casefold() == STATUS_HEADING:
            continue
        lines += [f"## {name}", ""]
    data = manner.newline.join([*lines[:-1], ""] if lines[-1] == "" else [*lines, ""]).encode("utf-8")
    _require_read_back(data, draft, path)
    return data


def _require_form(manner: Manner, draft: Draft) -> None:
    title = draft.title
    if not title.strip() or not title.isprintable() or title != title.strip():
        raise InvalidInput(
            f"{quoted(title)} cannot be a title", hint="give one line of text without blanks around it"
        )
    allowed = _FORMAT_STATUSES if manner.is_format else STATUSES
    if draft.status.lower() not in allowed:
        raise InvalidInput(
            f"{quoted(draft.status)} is no status that a new ADR of this folder can have",
            hint=f"one of {', '.join(allowed)}; to supersede one, run `mneme adr supersede`",
        )
    if draft.scope and not manner.is_format:
        raise InvalidInput(
            "the ADRs of this folder state no scope", hint="leave --scope out, or use tags in the file"
        )


def _require_read_back(data: bytes, draft: Draft, path: str) -> None:
    outcome = read_file(AdrSource(path=path, data=data))
    if outcome.adr is None:
        reasons = "; ".join(problem.message for problem in outcome.problems) or "it is not taken for an ADR"
        raise InvalidInput(
            f"{quoted(draft.title)} cannot be the title here: {reasons}", hint="choose another title"
        )
    expected = STATUS_WORDS[draft.status.lower()]
    if outcome.adr.title != draft.title or outcome.adr.status.lifecycle is not expected:
        raise InvalidInput(
            f"the title would be read as {quoted(outcome.adr.title)}", hint="choose another title"
        )


def _front(manner: Manner, draft: Draft) -> list[str]:
    if manner.is_format:
        scope = [f"scope: {scalar(draft.scope)}"] if draft.scope else []
        identity = draft.digits.zfill(manner.id_width)
        title = scalar(draft.title, mark='"')
        return [
            "---",
            f"id: ADR-{identity}",
            f"title: {title}",
            f"status: {draft.status.lower()}",
            "priority: normal",
            f"date: {draft.day}",
            *scope,
            "---",
            "",
        ]
    states_elsewhere = manner.status is not None or manner.status_in_section
    if not manner.has_front_matter:
        return []
    status = [] if states_elsewhere else [f"status: {draft.status.lower()}"]
    date = [f"date: {draft.day}"] if manner.front_date else []
    number = draft.digits.lstrip("0") or "0"
    numbered = [f"{key}: {number}" for key in manner.numbered if draft.digits]
    return ["---", *manner.kept, *numbered, *status, *date, "---", ""]


def _head(manner: Manner, draft: Draft) -> list[str]:
    """Return the title, the lines that state something, and the status section."""
    lines: list[str] = []
    if manner.has_title or not manner.is_format:
        number = ""
        if manner.is_title_numbered and draft.digits:
            digits = draft.digits.lstrip("0").zfill(manner.title_width)
            number = f"{manner.title_before}{digits}{manner.title_after}"
        lines += [f"# {number}{draft.title}", ""]
    if manner.is_format:
        return lines
    word = draft.status.capitalize() if manner.is_capital else draft.status.lower()
    status = [manner.status.with_value(word)] if manner.status is not None else []
    date = [manner.date.with_value(draft.day)] if manner.date is not None else []
    if not (status or manner.status_in_section or manner.has_front_matter):
        status = [f"- Status: {word}"]
    stated = [*date, *status] if manner.date_first else [*status, *date]
    lines += [*stated, ""] if stated else []
    return [*lines, "## Status", "", word, ""] if manner.status_in_section else lines


def _read(adr: Adr) -> tuple[AdrText, RawText]:
    text, _ = read_text(adr.path, adr.data)
    assert text is not None, adr.path  # it was read before
    return text, read_raw(adr.data, name=adr.path)


def _status_heading(document: Document) -> Heading | None:
    return next((h for h in document.headings if is_named(h, (STATUS_HEADING,))), None)


def _line(line: str) -> Line | None:
    """Cut ``* **Status:** accepted`` at its value."""
    name, mark, rest = line.partition("|" if line.lstrip().startswith("|") else ":")
    if line.lstrip().startswith("|"):
        cell, bar, rest = rest.partition("|")
        name, mark = f"{name}|{cell}", bar
    found = _VALUE.fullmatch(rest)
    return Line(f"{name}{mark}{found['head']}", found["tail"]) if found else None


def _date_line(raw: RawText, document: Document, title: Heading | None) -> int:
    """Return the line between the title and the next heading that states the date; 0 if none does."""
    start = title.line + 1 if title is not None else document.first_line
    end = next((h.line for h in document.headings if h.line >= start), len(raw.lines) + 1)
    for at in range(start, end):
        name, colon, value = raw.line(at).partition(":")
        if colon and name.strip(" >*_-+").casefold() == DATE_KEY and _DAY.search(value):
            return at
    return 0


def _sections(document: Document) -> tuple[str, ...]:
    """Return the known sections of level 2, in order; those of Nygard if they would not make an ADR."""
    known = ADR_HEADINGS | _MORE_SECTIONS
    found = [
        heading.text.strip(" *_:")
        for heading in document.headings
        if heading.level == 2 and is_named(heading, known)
    ]
    names = tuple(dict.fromkeys(found))
    return names if any(name.casefold() in ADR_HEADINGS - {STATUS_HEADING} for name in names) else _SECTIONS


def _kept(files: Sequence[RawText]) -> tuple[str, ...]:
    """Return the one-line entries of a front matter that all of several files have alike, in order."""
    first, others = files[-1], files[:-1]
    stated = {"id", "title", STATUS_KEY, DATE_KEY, "priority", "scope", "supersedes"}
    lines = [
        first.line(at)
        for at in range(2, block_end(first))
        if re.match(r"[A-Za-z][\w-]*:\s+\S", first.line(at))
        and first.line(at).partition(":")[0].casefold() not in stated
    ]
    known = [{raw.line(at) for at in range(2, block_end(raw))} for raw in others]
    return tuple(line for line in lines if known and all(line in there for there in known))


def numbered_keys(adrs: Sequence[Adr]) -> tuple[str, ...]:
    """Return the front-matter keys that hold the file's number in every ADR of the last one's dialect."""
    if not adrs:
        return ()
    alike = [adr for adr in adrs if adr.dialect == adrs[-1].dialect]
    files = [read_raw(adr.data, name=adr.path) for adr in alike]
    last = files[-1]
    keys = [last.line(at).partition(":")[0] for at in range(2, block_end(last)) if ":" in last.line(at)]
    return tuple(
        key
        for key in keys
        if key.isidentifier() and all(_states(raw, key, adr) for raw, adr in zip(files, alike, strict=True))
    )


def _states(raw: RawText, key: str, adr: Adr) -> bool:
    entry = find_entry(raw, key)
    number = adr.number.removeprefix("ADR-").lstrip("0") or "0"
    return bool(adr.number) and entry is not None and entry.value == number
