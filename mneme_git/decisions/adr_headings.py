"""ADRs that are told by their headings: Nygard, adr-tools, MADR 2 to 4, log4brains.

These dialects differ in where the status, the date and the links stand; all places are read in
every file, so a folder that changed its dialect over the years is one folder.

Content and identity: the statement is the title without its number, the rationale is all that
follows the title, the scope is the tags, or global if there are none.
"""

import re

from mneme_git.decisions.adr_metadata import (
    Metadata,
    Stated,
    front_matter_relations,
    is_named,
    read_metadata,
    split_tags,
)
from mneme_git.decisions.adr_status import Relations, StatusReading, read_status
from mneme_git.decisions.adr_text import AdrText, texts_of
from mneme_git.decisions.adr_words import ADR_HEADINGS, DATE_KEY, STATUS_KEY, TAG_KEYS
from mneme_git.decisions.directives import read_directives
from mneme_git.model.adr import Adr, AdrStatus, Problem, Remark
from mneme_git.model.decision import Lifecycle
from mneme_git.text.markdown import Heading
from mneme_git.text.quoting import quoted
from mneme_git.text.yaml_tree import Scalar, type_name

_NUMBER = re.compile(
    r"(?:\[?(?:ADR|RFC)[-_ #]*\d+\]?\s*[:.)\-–—]?|\d+\s*[.:)]|\d+\s+[-–—])\s+", re.IGNORECASE
)
_PLACEHOLDER = ("[]", "{}", "<>")


def looks_like_headings(text: AdrText) -> bool:
    """Tell whether a file has the marks of these dialects: a status, or one of their headings."""
    if text.field(STATUS_KEY) is not None or any(is_named(h, ADR_HEADINGS) for h in text.document.headings):
        return True
    return read_metadata(text.document, _title_heading(text)).status is not None


def read_headings(text: AdrText) -> tuple[Adr | None, tuple[Problem, ...], tuple[Remark, ...]]:
    """Return the ADR in ``text``, or every reason why there is none, and remarks."""
    heading = _title_heading(text)
    metadata = read_metadata(text.document, heading)
    problems: list[Problem] = []
    remarks: list[Remark] = []
    title = _title(text, heading, problems)
    status, reading = _status(text, metadata, problems, remarks)
    directives = read_directives(text.document, text.path)
    problems += directives.problems
    if problems or status is None:
        return None, tuple(sorted(problems)), tuple(sorted(remarks))
    relations = _all_relations(text, metadata, reading)
    adr = Adr(
        path=text.path,
        dialect="headings",
        stated_id=_stated_id(text),
        id_line=text.line_of("id"),
        title=title,
        status=status,
        date=next((stated for stated, _ in texts_of(text.field(DATE_KEY))), metadata.date),
        tags=_tags(text, metadata),
        body=_body(text, heading),
        rules=directives.rules,
        constraints=directives.constraints,
        supersedes=relations.supersedes,
        superseded_by=relations.superseded_by,
    )
    return adr, (), tuple(sorted([*remarks, *directives.remarks]))


def _title_heading(text: AdrText) -> Heading | None:
    headings = text.document.headings
    first = next((h for h in headings if h.level == 1), None)
    if first is not None or not headings or is_named(headings[0], ADR_HEADINGS):
        return first
    return headings[0] if not texts_of(text.field("title")) else None


def _title(text: AdrText, heading: Heading | None, problems: list[Problem]) -> str:
    if heading is not None:
        written, line = heading.text, heading.line
    else:
        written, line = next(iter(texts_of(text.field("title"))), ("", 1))
    number = _NUMBER.match(written)
    title = (written[number.end() :] if number else written).strip() or written
    if not title:
        hint = "begin the ADR with a line `# Title`"
        problems.append(Problem(text.path, line, "NO_TITLE", "the ADR has no title", hint))
    elif any(title[0] == pair[0] and title[-1] == pair[1] for pair in _PLACEHOLDER):
        message = f"the title {quoted(title)} is still that of the template"
        problems.append(Problem(text.path, line, "TEMPLATE_TITLE", message, "give the ADR its own title"))
    return title


def _status(
    text: AdrText, metadata: Metadata, problems: list[Problem], remarks: list[Remark]
) -> tuple[AdrStatus | None, StatusReading]:
    stated = _front_matter_status(text, problems) or metadata.status
    unstated = StatusReading(lifecycle=Lifecycle.ACTIVE, word="")
    if stated is None:
        message = "no status is stated; read as accepted"
        remarks.append(Remark(text.path, 1, "STATUS_NOT_STATED", message))
        return AdrStatus(text="", lifecycle=Lifecycle.ACTIVE, line=0), unstated
    reading = read_status(stated.text, stated.line)
    if reading.lifecycle is None:
        problems.append(_bad_status(text.path, stated, reading))
        return None, reading
    if reading.is_unusual:
        message = f"status {quoted(_short(stated.text))} is read as not in force (inactive)"
        remarks.append(Remark(text.path, stated.line, "STATUS_UNUSUAL", message))
    _compare(text.path, stated, reading, metadata.status, remarks)
    return AdrStatus(text=_short(stated.text), lifecycle=reading.lifecycle, line=stated.line), reading


def _front_matter_status(text: AdrText, problems: list[Problem]) -> Stated | None:
    node = text.field(STATUS_KEY)
    if node is None:
        return None
    if not isinstance(node, Scalar):
        message = f"'status' must be a single value, got {type_name(node)}"
        problems.append(Problem(text.path, node.line, "BAD_STATUS", message, "write `status: accepted`"))
        return Stated("accepted", node.line)
    return Stated(node.text, node.line)


def _bad_status(path: str, stated: Stated, reading: StatusReading) -> Problem:
    hint = "write one of proposed, accepted, rejected, deprecated, superseded by ..."
    if reading.is_template:
        message = f"the status {quoted(_short(stated.text))} is still the choice of the template"
        return Problem(path, stated.line, "TEMPLATE_STATUS", message, hint)
    if not stated.text.strip():
        return Problem(path, stated.line, "NO_STATUS", "the status is empty", hint)
    return Problem(path, stated.line, "BAD_STATUS", f"unknown status {quoted(_short(stated.text))}", hint)


def _compare(
    path: str, stated: Stated, reading: StatusReading, other: Stated | None, remarks: list[Remark]
) -> None:
    """Remark when the front matter and the body of one file disagree about its status."""
    if other is None or other is stated:
        return
    second = read_status(other.text, other.line).lifecycle
    if second is not None and second is not reading.lifecycle:
        message = f"the status here differs from the one on line {stated.line}, which counts"
        remarks.append(Remark(path, other.line, "STATUS_DISAGREES", message))


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= 80 else f"{joined[:79]}…"


def _stated_id(text: AdrText) -> str:
    node = text.field("id")
    return node.text.strip() if isinstance(node, Scalar) else ""


def _tags(text: AdrText, metadata: Metadata) -> tuple[str, ...]:
    for key in sorted(TAG_KEYS):
        stated = texts_of(text.field(key))
        if len(stated) == 1:
            return split_tags(stated[0][0])
        if stated:
            return tuple(tag for tag, _ in stated if tag)
    return metadata.tags


def _body(text: AdrText, heading: Heading | None) -> str:
    if heading is None:
        return text.body.lstrip("\n")
    below = heading.line - text.document.first_line + 1 + heading.underlined
    return "\n".join(text.document.lines[below:]).lstrip("\n")


def _all_relations(text: AdrText, metadata: Metadata, reading: StatusReading) -> Relations:
    parts = (front_matter_relations(text), reading.relations, metadata.relations)
    return Relations(
        tuple(dict.fromkeys(mention for part in parts for mention in part.supersedes)),
        tuple(dict.fromkeys(mention for part in parts for mention in part.superseded_by)),
    )
