"""Arguments and options that commands about memories share."""

import sys
from typing import Annotated, Literal

import typer

from mneme_git.errors import InvalidInput
from mneme_git.model.memory import MemoryKind

KindName = Literal["decision", "gotcha", "learning", "todo"]
ScopeName = Literal["project", "global"]
AnyScopeName = Literal["any", "project", "global"]
PlaceName = Literal["here", "pending", "elsewhere"]

IdArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A memory's id, its first characters, or its number.")
]
IdsArgument = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids of memories, their first characters, or numbers.")
]
TextArgument = Annotated[
    str,
    typer.Argument(
        metavar="TEXT|-",
        help="What is to be remembered, kept as it is; - reads it from stdin.",
        show_default=False,
    ),
]
QueryArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUERY]...",
        help="Words, names or a question; all of it is plain text. Without it the newest.",
        show_default=False,
    ),
]
KindsOption = Annotated[
    list[MemoryKind] | None,
    typer.Option("--kind", help="Only memories of this kind; may be given several times."),
]
AnyScopeOption = Annotated[AnyScopeName, typer.Option("--scope", help="Only memories of this scope.")]
LimitOption = Annotated[int, typer.Option("--limit", min=1, max=100_000, help="The most to show.")]
AllowSecretOption = Annotated[
    bool, typer.Option("--allow-secret", help="Record it though it looks like a secret.")
]
StageOption = Annotated[
    bool, typer.Option("--stage", help="Write the file and stage it at once, for your own next commit.")
]


def text_given(text: str) -> str:
    """Return the text that was given; ``-`` means all of stdin, to the byte.

    Raises:
        InvalidInput: stdin is not UTF-8.
    """
    if text != "-":
        return text
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"stdin is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
            hint="convert it, for example with `iconv -t UTF-8`",
        ) from error
