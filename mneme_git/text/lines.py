"""Text as a list of lines, and back, without losing a byte."""

from collections.abc import Sequence


def to_lines(text: str) -> tuple[str, ...]:
    """Split ``text`` at LF only; a CR stays at the end of its line, empty text is one empty line."""
    return tuple(text.split("\n"))


def from_lines(lines: Sequence[str]) -> str:
    """Join what ``to_lines`` split; the exact original."""
    return "\n".join(lines)
