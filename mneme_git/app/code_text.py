"""Answers of the code index for people: what is where comes first in every line."""

from collections.abc import Mapping, Sequence
from typing import Any

from mneme_git.text.printable import one_line

Row = Mapping[str, Any]

_SHOWN_SKIPPED = 10
_SHOWN_FILES = 3
_SURE = 0.5  # the least confidence of an edge that is more than a guess
_KEPT = 300  # characters of a signature that the index keeps


def context_text(reply: Row) -> str:
    """Return the symbols of a context, each with its place, the reasons for it, and its text."""
    if not reply["symbols"]:
        return "nothing here bears on that task; try other words, or name a file with --hint"
    parts = [
        one_line(f"{symbol['file']}:{symbol['lines'][0]}  {_named(symbol)}  ({', '.join(symbol['reasons'])})")
        + f"\n{_indented(snippet['text'])}"
        for symbol, snippet in zip(reply["symbols"], reply["snippets"], strict=True)
    ]
    told = f"{_count(len(parts), 'symbol')}, about {reply['token_estimate']} tokens as JSON"
    return "\n\n".join([*parts, told])


def matches_text(reply: Row, name: str) -> str:
    """Return what a lookup found, one line each."""
    rows = reply["matches"]
    if not rows:
        return f"no symbol is called '{name}' or has it in its name"
    lines = [one_line(f"{row['file']}:{row['lines'][0]}  {_named(row)}{_signature(row)}") for row in rows]
    return "\n".join([*lines, *_more(reply)])


def related_text(reply: Row, symbol: str, verb: str) -> str:
    """Return callers or callees, one line each, with the way to them."""
    rows = reply["results"]
    if not rows:
        return one_line(f"nothing in the index {verb} '{symbol}'")
    return "\n".join([*(one_line(_way(row)) for row in rows), *_more(reply)])


def outline_text(reply: Row) -> str:
    """Return the definitions of a file, indented by how deep they are."""
    rows = reply["symbols"]
    if not rows:
        return one_line(f"{reply['file']} has no definitions in the index")
    return "\n".join(
        one_line(f"{'  ' * row['depth']}{row['lines'][0]}-{row['lines'][1]}  {_outlined(row)}")
        for row in rows
    )


def code_index_text(row: Row | None, at: str | None = None) -> Sequence[str]:
    """Return the lines about the index for a status; None is told as a way to make one."""
    if row is None and at is not None:
        return [f"code index: none of {at}; a question with --at makes it"]
    if row is None:
        return ["code index: none for this work tree; a question makes it, or `mneme index build`"]
    counts = row["counts"]
    told = ", ".join(_count(counts[what], what[:-1]) for what in ("files", "symbols", "edges"))
    lines = [f"code index: {told}; tree {row['tree'][:12]}"]
    named = [f"{name} {count}" for name, count in row["files_by_language"].items()]
    if named:
        lines.append(f"      languages: {', '.join(named)}")
    if counts["without_grammar"]:
        lines.append(
            f"      without a grammar: {_count(counts['without_grammar'], 'file')}, found by their words"
        )
    if counts["with_errors"]:
        lines.append(
            f"      with syntax errors: {_count(counts['with_errors'], 'file')}, indexed as far as they go"
        )
    return [*lines, *_not_read(row)]


def _not_read(row: Row) -> list[str]:
    """Return a line for each reason, the most frequent first, each with the first of its files."""
    by_reason: dict[str, list[str]] = {reason: [] for reason in row["skipped_by_reason"]}
    for file in row["skipped"]:
        by_reason[file["reason"]].append(file["path"])
    lines = []
    for reason, paths in list(by_reason.items())[:_SHOWN_SKIPPED]:
        rest = ", ..." if len(paths) > _SHOWN_FILES else ""
        lines.append(f"      not read: {len(paths)} ({reason}): {', '.join(paths[:_SHOWN_FILES])}{rest}")
    if len(by_reason) > _SHOWN_SKIPPED:
        others = list(by_reason.values())[_SHOWN_SKIPPED:]
        lines.append(f"      not read: {sum(map(len, others))} for {len(others)} other reasons; see --json")
    return lines


def _named(row: Row) -> str:
    container = row.get("container")
    return f"{row['kind']} {container}.{row['name']}" if container else f"{row['kind']} {row['name']}"


def _way(row: Row) -> str:
    """Return where a symbol is and the way to it; a way with a step that is a guess says perhaps."""
    perhaps = "  perhaps" if row["confidence"] < _SURE else ""
    return f"{row['file']}:{row['lines'][0]}  {row['name']}  ({' > '.join(row['path'])}){perhaps}"


def _more(reply: Row) -> list[str]:
    if not reply.get("truncated"):
        return []
    rest = f"{reply['total'] - len(reply['results'])} more" if "total" in reply else "there are more"
    return [f"... {rest}: a larger --limit shows them"]


def _outlined(row: Row) -> str:
    return _cut(row["signature"]) or _named(row)


def _cut(signature: str) -> str:
    """Return a signature with a sign that it goes on, where the index keeps no more of it."""
    return f"{signature}..." if len(signature) >= _KEPT else signature


def _signature(row: Row) -> str:
    return f"  {_cut(row['signature'])}" if row.get("signature") else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
