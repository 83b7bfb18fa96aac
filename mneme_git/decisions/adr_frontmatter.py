"""The front-matter dialect: the ADR files of the decision-index format, section 5.

Content and identity are as the format fixes them, so that an ADR has the same version ids in
both tools: the statement is the title, the rationale all that follows the front matter, the scope
one text (empty for global).
"""

import re
from typing import Literal

from msgspec.structs import replace

from mneme_git.decisions.adr_metadata import front_matter_relations
from mneme_git.decisions.adr_status import StatusReading, read_status
from mneme_git.decisions.adr_text import AdrText
from mneme_git.decisions.adr_words import FRONT_MATTER_STATUSES, STATUS_WORDS
from mneme_git.decisions.directives import Directives, read_directives
from mneme_git.model.adr import Adr, AdrStatus, Mention, Problem, Remark
from mneme_git.model.decision import Lifecycle
from mneme_git.text.dates import day_number
from mneme_git.text.quoting import quoted
from mneme_git.text.yaml_tree import Listing, Scalar, type_name

ID = re.compile(r"ADR-[0-9]+", re.ASCII)
PRIORITIES = ("foundational", "normal", "exception")
REQUIRED = ("id", "title", "status", "priority", "date")
_SEGMENT = re.compile(r"[a-z0-9_]+", re.ASCII)


def looks_like_front_matter(text: AdrText, *, is_numbered: bool) -> bool:
    """Tell whether the front matter is that of this dialect.

    An id of the form ``ADR-7`` or a priority says so, and for a file named ``ADR-*.md`` an id of
    any form.
    """
    if text.fields is None:
        return False
    stated = text.field("id")
    has_own_id = isinstance(stated, Scalar) and ID.fullmatch(stated.text.strip()) is not None
    return has_own_id or text.field("priority") is not None or (is_numbered and stated is not None)


def read_front_matter(text: AdrText) -> tuple[Adr | None, tuple[Problem, ...], tuple[Remark, ...]]:
    """Return the ADR in ``text``, or every reason why there is none, and remarks."""
    adr, problems = read_fields(text)
    directives = read_directives(text.document, text.path)
    twice = _named_twice(adr) if adr is not None else []
    found = tuple(sorted([*problems, *twice, *directives.problems]))
    if adr is None or found:
        return None, found, directives.remarks
    return with_directives(adr, directives), (), directives.remarks


def with_directives(adr: Adr, directives: Directives) -> Adr:
    """Return ``adr`` with what its directives state."""
    return replace(adr, rules=directives.rules, constraints=directives.constraints)


def read_fields(
    text: AdrText, *, words: Literal["all", "format"] = "all"
) -> tuple[Adr | None, list[Problem]]:
    """Return the ADR without its directives, and every problem of its front matter.

    ``words`` is ``format`` where only the four statuses of the format count.
    """
    problems: list[Problem] = []
    values = {key: _single(text, key, problems) for key in REQUIRED}
    status, reading = _status(text, values["status"], words, problems)
    if values["id"] and not ID.fullmatch(values["id"]):
        _invalid(text, "id", values["id"], "expected pattern 'ADR-<number>'", problems)
    if values["priority"] and values["priority"] not in PRIORITIES:
        _invalid(text, "priority", values["priority"], f"expected one of {quoted(PRIORITIES)}", problems)
    day = _day(text, values["date"], problems)
    scope = _scope(text, problems)
    older = _supersedes(text, problems)
    if problems or status is None:
        return None, problems
    adr = Adr(
        path=text.path,
        dialect="front-matter",
        stated_id=values["id"],
        id_line=text.line_of("id"),
        title=values["title"],
        status=status,
        date=values["date"],
        day=day,
        priority=values["priority"],
        scope=scope,
        body=text.body.lstrip("\n"),
        supersedes=older,
        superseded_by=(*front_matter_relations(text).superseded_by, *reading.relations.superseded_by),
    )
    return adr, []


def _single(text: AdrText, key: str, problems: list[Problem]) -> str:
    """Return a required value as it is written; YAML's null is no value."""
    node = text.field(key)
    if node is None or (isinstance(node, Scalar) and not node.text.strip()):
        message = f"missing required field {quoted(key)}"
        problems.append(
            Problem(text.path, text.line_of(key), "MISSING_FIELD", message, f"add a line `{key}: ...`")
        )
        return ""
    if not isinstance(node, Scalar):
        message = f"{quoted(key)} must be a single value, got {type_name(node)}"
        problems.append(Problem(text.path, node.line, "BAD_FIELD", message, "put the text in quotes"))
        return ""
    return node.text


def _invalid(text: AdrText, key: str, value: str, expected: str, problems: list[Problem]) -> None:
    message = f"invalid {key} {quoted(value)} ({expected})"
    problems.append(Problem(text.path, text.line_of(key), f"BAD_{key.upper()}", message))


def _status(
    text: AdrText, value: str, words: str, problems: list[Problem]
) -> tuple[AdrStatus | None, StatusReading]:
    """Return the status: one of the words of the format, in its spelling, or one with prose after it."""
    line = text.line_of("status")
    reading = read_status(value, line)
    first = value.split(maxsplit=1)[0].rstrip(",;:.") if value.strip() else ""
    is_known = value in FRONT_MATTER_STATUSES if words == "format" else first in STATUS_WORDS
    if not value:
        return None, reading
    if not is_known or reading.lifecycle is None:
        _invalid(text, "status", value, f"expected one of {quoted(FRONT_MATTER_STATUSES)}", problems)
        return None, reading
    lifecycle = Lifecycle.INACTIVE if value == "proposed" else reading.lifecycle
    return AdrStatus(text=value, lifecycle=lifecycle, line=line), reading


def _day(text: AdrText, value: str, problems: list[Problem]) -> int:
    day = day_number(value) if value else 0
    if day is None:
        _invalid(text, "date", value, "expected ISO 8601 YYYY-MM-DD", problems)
    return day or 0


def _scope(text: AdrText, problems: list[Problem]) -> str | None:
    node = text.field("scope")
    if node is None:
        return None
    if not isinstance(node, Scalar):
        message = f"'scope' must be a single value, got {type_name(node)}"
        problems.append(Problem(text.path, node.line, "BAD_SCOPE", message, "write one dotted scope"))
        return None
    scope = node.text
    if not scope:
        return None
    if scope.startswith(".") or scope.endswith("."):
        _invalid(text, "scope", scope, "no leading or trailing dot", problems)
    elif not all(_SEGMENT.fullmatch(part) for part in scope.split(".")):
        _invalid(text, "scope", scope, "segments must match [a-z0-9_]+, dot-separated", problems)
    return scope


def _supersedes(text: AdrText, problems: list[Problem]) -> tuple[Mention, ...]:
    node = text.field("supersedes")
    if node is None:
        return ()
    if not isinstance(node, Listing):
        message = f"'supersedes' must be a YAML list, got {type_name(node)}"
        problems.append(
            Problem(text.path, node.line, "BAD_SUPERSEDES", message, "write one `- ADR-n` a line")
        )
        return ()
    older: list[Mention] = []
    for item in node.items:
        if isinstance(item, Scalar):
            older.append(Mention(item.text.strip(), "", item.line))
        else:
            message = f"'supersedes' must list ids, got {type_name(item)}"
            problems.append(Problem(text.path, item.line, "BAD_SUPERSEDES", message))
    return tuple(older)


def _named_twice(adr: Adr) -> list[Problem]:
    named = [mention.text for mention in adr.supersedes]
    return [
        Problem(
            adr.path,
            mention.line,
            "BAD_SUPERSEDES",
            f"'supersedes' names {quoted(mention.text)} twice",
            "keep one of them",
        )
        for at, mention in enumerate(adr.supersedes)
        if mention.text in named[:at]
    ]
