"""A folder of ADR files to records: every file is understood, skipped by name, or a problem."""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.decisions.adr_frontmatter import looks_like_front_matter, read_front_matter
from mneme_git.decisions.adr_headings import looks_like_headings, read_headings
from mneme_git.decisions.adr_text import read_text
from mneme_git.decisions.adr_words import KNOWN_OTHERS, MARKDOWN_SUFFIXES, TEMPLATE
from mneme_git.model.adr import Adr, AdrFolder, Problem, Remark, Skipped
from mneme_git.model.adr_source import AdrSource
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.conflict_marks import conflict_at
from mneme_git.text.order import natural_key

LARGE_BYTES = 1_000_000
_FORMAT_NAME = re.compile(r"ADR-.*\.md", re.DOTALL)
_NUMBERED_NAME = re.compile(r"((?:ADR|adr|Adr)-?)?([0-9]+)(?=[-_. ]|$)", re.ASCII)
_DAY_DIGITS = 8


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of one file: exactly one of an ADR, a reason to skip it, or problems."""

    adr: Adr | None = None
    skipped: str = ""
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()


def read_folder(sources: Sequence[AdrSource], folder: str) -> AdrFolder:
    """Return every file of ``sources``, which lie directly in ``folder``; ids are not given yet."""
    ordered = sorted(sources, key=lambda source: natural_key(source.path))
    outcomes = [(source, read_file(source)) for source in ordered]
    return AdrFolder(
        path=folder,
        adrs=tuple(outcome.adr for _, outcome in outcomes if outcome.adr is not None),
        problems=tuple(sorted(p for _, outcome in outcomes for p in outcome.problems)),
        remarks=tuple(sorted(r for _, outcome in outcomes for r in outcome.remarks)),
        skipped=tuple(Skipped(s.path, outcome.skipped) for s, outcome in outcomes if outcome.skipped),
        seen=tuple((s.path, s.blob) for s, outcome in outcomes if not outcome.skipped),
    )


def read_file(source: AdrSource) -> Outcome:
    """Return what one file is; never raises, whatever the bytes are."""
    name = source.path.rsplit("/", 1)[-1]
    if reason := known_other(name):
        return Outcome(skipped=reason)
    if source.problem:
        hint = "put the ADR itself into the folder"
        return Outcome(problems=(Problem(source.path, 0, "UNREADABLE", source.problem, hint),))
    if (torn := conflict_at(source.data)) is not None:
        return Outcome(problems=(_torn(source, torn),))
    text, problems = read_text(source.path, source.data)
    if text is None:
        return Outcome(problems=problems)
    if looks_like_front_matter(text, is_numbered=_FORMAT_NAME.fullmatch(name) is not None):
        adr, problems, remarks = read_front_matter(text)
    elif looks_like_headings(text):
        adr, problems, remarks = read_headings(text)
    elif text.fields is not None and _FORMAT_NAME.fullmatch(name):
        adr, problems, remarks = read_front_matter(text)
    else:
        return Outcome(problems=(_not_an_adr(source.path),))
    if adr is None:
        return Outcome(problems=problems, remarks=remarks)
    return Outcome(adr=_with_source(adr, source, name), remarks=(*remarks, *_size_remark(source)))


def known_other(name: str) -> str:
    """Return why a file of that name is no ADR; empty text if it may be one."""
    stem, dot, suffix = name.rpartition(".")
    if not dot or f".{suffix.lower()}" not in MARKDOWN_SUFFIXES:
        return "not Markdown"
    word = stem.lower().split(".", 1)[0]  # README.ko.md is a README too
    if word in KNOWN_OTHERS:
        return KNOWN_OTHERS[word]
    return "template" if TEMPLATE.fullmatch(stem.lower()) else ""


def number_in(name: str) -> str:
    """Return the number that a file name begins with, as written: ``0001``, or ``ADR-001`` in capitals.

    Eight digits that can be a day are the date that a log4brains name begins with, not a number.
    """
    found = _NUMBERED_NAME.match(name)
    if found is None:
        return ""
    prefix, digits = found[1] or "", found[2]
    if not prefix and len(digits) == _DAY_DIGITS and digits[:2] in {"19", "20"}:
        return ""
    return f"ADR-{digits}" if prefix else digits


def stem_of(path: str) -> str:
    """Return the file name without folder and extension."""
    return path.rsplit("/", 1)[-1].rpartition(".")[0]


def _torn(source: AdrSource, offset: int) -> Problem:
    return Problem(
        source.path,
        source.data.count(b"\n", 0, offset) + 1,
        "CONFLICT_MARKERS",
        "the file holds conflict markers of a merge",
        "settle the conflict in the file first; indent the markers if they are part of the text",
    )


def _not_an_adr(path: str) -> Problem:
    return Problem(
        path,
        1,
        "NOT_AN_ADR",
        "neither a status nor a heading of a known ADR format",
        "add a status, or move the file out of the ADR folder",
    )


def _with_source(adr: Adr, source: AdrSource, name: str) -> Adr:
    return replace(
        adr,
        number=number_in(name),
        data=source.data,
        sha256=sha256_hex(source.data),
        raw_sha256=source.raw_sha256,
        blob=source.blob,
        object_format=source.object_format,
    )


def _size_remark(source: AdrSource) -> tuple[Remark, ...]:
    if len(source.data) <= LARGE_BYTES:
        return ()
    message = f"the file has {len(source.data)} bytes; all of it is kept in the decision"
    return (Remark(source.path, 1, "LARGE_FILE", message),)
