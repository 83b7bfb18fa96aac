"""Answers of the code index for people: what is where comes first in every line."""

from collections.abc import Mapping, Sequence
from typing import Any

from mneme_git.text.printable import one_line

Row = Mapping[str, Any]

_SHOWN_SKIPPED = 10


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
    return "\n".join(
        one_line(f"{row['file']}:{row['lines'][0]}  {_named(row)}{_signature(row)}") for row in rows
    )


def related_text(reply: Row, symbol: str, verb: str) -> str:
    """Return callers or callees, one line each, with the way to them."""
    rows = reply["results"]
    if not rows:
        return f"nothing in the index {verb} '{symbol}'; `mneme lookup {symbol}` shows whether it is there"
    return "\n".join(
        one_line(f"{row['file']}:{row['lines'][0]}  {row['name']}  ({' > '.join(row['path'])})")
        for row in rows
    )


def outline_text(reply: Row) -> str:
    """Return the definitions of a file, indented by how deep they are."""
    rows = reply["symbols"]
    if not rows:
        return one_line(f"{reply['file']} has no definitions in the index")
    return "\n".join(
        one_line(
            f"{'  ' * row['depth']}{row['lines'][0]}-{row['lines'][1]}  {row['signature'] or _named(row)}"
        )
        for row in rows
    )


def code_index_text(row: Row | None) -> Sequence[str]:
    """Return the lines about the index for a status; None is told as a way to make one."""
    if row is None:
        return ["code index: none for this work tree; a question makes it, or `mneme index build`"]
    counts = row["counts"]
    told = ", ".join(_count(counts[what], what[:-1]) for what in ("files", "symbols", "edges"))
    lines = [f"code index: {told}; tree {row['tree'][:12]}"]
    named = [f"{name} {count}" for name, count in row["files_by_language"].items()]
    if named:
        lines.append(f"      languages: {', '.join(named)}")
    if counts["with_errors"]:
        lines.append(
            f"      with syntax errors: {_count(counts['with_errors'], 'file')}, indexed as far as they go"
        )
    reasons = list(row["skipped_by_reason"].items())
    lines += [f"      not read: {count} ({reason})" for reason, count in reasons[:_SHOWN_SKIPPED]]
    if len(reasons) > _SHOWN_SKIPPED:
        rest = sum(count for _, count in reasons[_SHOWN_SKIPPED:])
        lines.append(f"      not read: {rest} for {len(reasons) - _SHOWN_SKIPPED} other reasons; see --json")
    return lines


def _named(row: Row) -> str:
    container = row.get("container")
    return f"{row['kind']} {container}.{row['name']}" if container else f"{row['kind']} {row['name']}"


def _signature(row: Row) -> str:
    return f"  {row['signature']}" if row.get("signature") else ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
