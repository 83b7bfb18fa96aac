"""Directives: the machine-readable lines below ``## Constraints`` of an ADR.

The grammar is that of the decision-index format, section 5.5, with three differences: nothing in
a code fence or an HTML comment counts, what looks like a directive but would be passed over is a
problem, and every problem names its line.
"""

import re

from msgspec import Struct

from mneme_git.decisions.matching import constraint
from mneme_git.decisions.structured_rule import structured_rule
from mneme_git.model.adr import AdrRule, Problem, Remark
from mneme_git.model.decision import Applicability
from mneme_git.text.markdown import Document, Heading
from mneme_git.text.quoting import quoted

RULE_KIND = "FORBID_LITERAL"
KINDS = ("FORBID_DEPENDENCY", "FORBID_LITERAL", "FORBID_PATH", "REQUIRE_PATH")
SECTION = "Constraints"
NOT_ENFORCED = "NOT_ENFORCED"
_PATHS_NOT_ENFORCED = (
    "FORBID_PATH and REQUIRE_PATH are kept for people and agents to read; no check enforces them"
)
_HEADING = re.compile(r"##\s+Constraints\s*")
_NEXT_HEADING = re.compile(r"##\s+\S")
_KIND = re.compile(r"[A-Z_]+", re.ASCII)
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
# A known kind behind other marks than `- `: bullets, numbers, check boxes, emphasis, code marks.
_NAMED = rf"(?:{'|'.join(KINDS)})[*_`]{{0,3}}\s*(?::|$)"
_DISGUISED = re.compile(rf"[-*+•\s0-9.()\[\]xX_`~]*{_NAMED}")
# The same in a quotation or in the first cell of a table: that may be told of, not meant.
_QUOTED = re.compile(rf"[>|][-*+•>|\s0-9.()\[\]xX_`~]*{_NAMED}")


class Directives(Struct, frozen=True, kw_only=True):
    """What the directives of one ADR say, in source order, and what is wrong with them."""

    rules: tuple[AdrRule, ...] = ()
    constraints: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()


def read_directives(document: Document, path: str) -> Directives:
    """Return the directives of ``document``; ``path`` is named in problems."""
    found = _Found(path)
    section = _section(document)
    at = section.start
    while at < section.end:
        at = _line(document, at, section.end, found)
    _look_outside(document, section, found)
    _look_in_hidden(document, found)
    return Directives(
        rules=tuple(found.rules),
        constraints=tuple(found.constraints),
        problems=tuple(sorted(found.problems)),
        remarks=tuple(sorted(found.remarks)),
    )


def _malformed(line: str) -> str:
    return (
        f"malformed constraint directive: {quoted(line.strip())}. Directives must be written as "
        "`- KIND: value` with an uppercase, underscore-separated KIND and a non-empty value "
        f"(expected one of {quoted(sorted(KINDS))})."
    )


class _Found:
    """What has been read so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.rules: list[AdrRule] = []
        self.constraints: list[str] = []
        self.problems: list[Problem] = []
        self.remarks: list[Remark] = []
        self._first_at: dict[tuple[str, Applicability], int] = {}

    def problem(self, line: int, code: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, code, message, hint))

    def remark(self, line: int, code: str, message: str) -> None:
        self.remarks.append(Remark(self.path, line, code, message))

    def rule(self, rule: AdrRule) -> None:
        same = (rule.value, rule.applicability)
        if same in self._first_at:
            self.problem(
                rule.line,
                "DUPLICATE_RULE",
                f"{RULE_KIND} {quoted(rule.value)} stands twice; first on line {self._first_at[same]}",
                "remove one of the two lines",
            )
            return
        self._first_at[same] = rule.line
        self.rules.append(rule)


class _Section(Struct, frozen=True):
    """Indexes of lines: the heading (-1 if there is none), the first line below it, the first beyond."""

    heading: int
    start: int
    end: int


def _section(document: Document) -> _Section:
    shown = document.shown
    heading = next((at for at, line in enumerate(shown) if _HEADING.fullmatch(line)), -1)
    if heading < 0:
        return _Section(-1, 0, 0)
    underlined = {h.line - document.first_line for h in document.headings if h.underlined}
    below = range(heading + 1, len(shown))
    ends = (at for at in below if at in underlined or _NEXT_HEADING.match(shown[at]))
    return _Section(heading, heading + 1, next(ends, len(shown)))


def _line(document: Document, at: int, end: int, found: _Found) -> int:
    """Read what begins at index ``at``; return the index to go on from."""
    number = document.number(at)
    bare = document.shown[at].strip()
    if not bare:
        return at + 1
    split = _split(document.lines[at]) or _split(bare) if bare.startswith("-") else None
    if split is None:
        _unless_prose(bare, number, found)
        return at + 1
    kind, value = split
    if value:
        _one_line(kind, value, number, found)
        return at + 1
    block_end = _block_end(document, at, end)
    _structured(document, kind, at, block_end, found)
    return block_end


def _split(line: str) -> tuple[str, str] | None:
    """Return the kind and the value of a line that has the form of a directive.

    The value is all that stands after the colon, an HTML comment included, as in the format.
    """
    bare = line.strip()
    text = bare[1:].lstrip()
    kind = _KIND.match(text)
    if kind is None or not bare.startswith("-"):
        return None
    rest = text[kind.end() :].lstrip()
    return (kind[0], rest[1:].strip()) if rest.startswith(":") else None


def _unknown(kind: str) -> str:
    return f"unknown constraint directive {quoted(kind)} (expected one of {quoted(sorted(KINDS))})"


def _one_line(kind: str, value: str, line: int, found: _Found) -> None:
    if kind not in KINDS:
        found.problem(line, "UNKNOWN_DIRECTIVE", _unknown(kind), f"write one of {', '.join(KINDS)}")
        return
    if kind == RULE_KIND:
        found.rule(AdrRule(type=kind, value=value, line=line))
        _warn_of_markup(value, line, found)
    elif kind == "FORBID_DEPENDENCY":
        found.constraints.append(f"no {value}")
        _warn_of_words(value, line, found)
    else:
        found.constraints.append(f"{kind} {value}")
        if not any(remark.message == _PATHS_NOT_ENFORCED for remark in found.remarks):
            found.remark(line, NOT_ENFORCED, _PATHS_NOT_ENFORCED)


def _warn_of_words(value: str, line: int, found: _Found) -> None:
    """Remark a dependency that a check in a git store does not always look for."""
    sought = constraint(f"no {value}", whole_names=True)
    what = f"FORBID_DEPENDENCY {quoted(value)}"
    if sought is None:
        found.remark(line, NOT_ENFORCED, f"{what} holds nothing that a check could look for")
    elif not sought.always:
        found.remark(
            line, NOT_ENFORCED, f"{what} is no single name: checks look for its words only with a --query"
        )


def _warn_of_markup(value: str, line: int, found: _Found) -> None:
    if "<!--" in value:
        found.remark(
            line, "MARKUP_IN_LITERAL", f"the HTML comment is part of the forbidden text {quoted(value)}"
        )
    elif len(value) > 2 and value[0] == value[-1] and value[0] in "`\"'":
        found.remark(
            line, "MARKUP_IN_LITERAL", f"the marks around it are part of the forbidden text {quoted(value)}"
        )


def _block_end(document: Document, at: int, end: int) -> int:
    """Return the index after the lines that are blank or indented more than the line at ``at``."""
    indent = _indent(document.lines[at])
    last = at + 1
    for below in range(at + 1, end):
        line = document.lines[below]
        if line.strip() and _indent(line) <= indent:
            break
        last = below + 1
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _structured(document: Document, kind: str, at: int, end: int, found: _Found) -> None:
    number = document.number(at)
    block = [document.lines[below] if document.kinds[below] == "text" else "" for below in range(at + 1, end)]
    if not any(line.strip() for line in block):
        found.problem(
            number,
            "EMPTY_DIRECTIVE",
            f"constraint directive {quoted(kind)} has an empty value",
            "write the value after the colon",
        )
    elif kind not in KINDS:
        found.problem(number, "UNKNOWN_DIRECTIVE", _unknown(kind), f"write one of {', '.join(KINDS)}")
    elif kind != RULE_KIND:
        found.problem(
            number,
            "BAD_DIRECTIVE",
            f"structured form is not supported for constraint directive {quoted(kind)}",
            "write it on one line",
        )
    else:
        rule, faults = structured_rule(block, number)
        for fault in faults:
            found.problem(fault.line, "BAD_DIRECTIVE", fault.message, fault.hint)
        if rule is not None:
            found.rule(rule)


def _unless_prose(bare: str, line: int, found: _Found) -> None:
    """Report a line that is no directive but was surely meant as one."""
    if _is_lookalike_bullet(bare) or _DISGUISED.match(bare):
        found.problem(
            line,
            "BAD_DIRECTIVE",
            _malformed(bare),
            "begin the line with `- KIND: value`, or write it as prose",
        )
    elif _QUOTED.match(bare):
        _remark_quoted(bare, line, found)


def _remark_quoted(bare: str, line: int, found: _Found) -> None:
    found.remark(
        line,
        "DIRECTIVE_QUOTED",
        f"{quoted(bare)} stands in a quotation or a table, so it makes no rule",
    )


def _is_lookalike_bullet(bare: str) -> bool:
    if bare[0] not in "-*" or not bare[1:2].isspace():
        return False
    text = bare[1:].strip()
    label, colon, _ = text.partition(":")
    if colon:
        is_label = _LABEL.fullmatch(label) is not None
        return is_label and (label.upper() == label or "_" in label or "-" in label)
    return text.split(maxsplit=1)[0].upper().replace("-", "_") in KINDS if text else False


def _look_outside(document: Document, section: _Section, found: _Found) -> None:
    """Report directives that stand where they do not count."""
    headings = {heading.line: heading for heading in document.headings}
    below: Heading | None = None
    for at, line in enumerate(document.shown):
        heading = headings.get(document.number(at))
        if heading is not None and at != section.heading:
            if heading.text.strip(" *_:").casefold() == SECTION.casefold():
                below = heading
            elif below is not None and heading.level <= below.level:
                below = None
        bare = line.strip()
        if section.start <= at < section.end or not bare:
            continue
        if _DISGUISED.match(bare):
            _not_read(bare, document.number(at), below, found)
        elif _QUOTED.match(bare):
            _remark_quoted(bare, document.number(at), found)


def _not_read(text: str, line: int, below: Heading | None, found: _Found) -> None:
    if below is None:
        found.remark(
            line,
            "DIRECTIVE_OUTSIDE_SECTION",
            f"{quoted(text)} is not below `## {SECTION}`, so it makes no rule",
        )
        return
    found.problem(
        line,
        "DIRECTIVE_NOT_READ",
        f"the directive {quoted(text)} is not read: the heading on line {below.line} is not the first "
        f"`## {SECTION}`",
        f"put it below the first heading that is written `## {SECTION}`",
    )


def _look_in_hidden(document: Document, found: _Found) -> None:
    """Report directives that only an unclosed fence or comment hides."""
    if document.unclosed is None:
        return
    first = document.unclosed.line - document.first_line
    for line in document.lines[first + 1 :]:
        if _HEADING.fullmatch(line) or _DISGUISED.match(line.strip()):
            kind = document.unclosed.kind
            found.problem(
                document.unclosed.line,
                "UNCLOSED",
                f"the {kind} that begins here is never closed and hides directives below it",
                f"close the {kind}",
            )
            return
