"""``mneme memory record|recall|list|show|supersede|promote``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mneme_git.cli.memories_options import (
    AllowSecretOption,
    AnyScopeOption,
    IdArgument,
    IdsArgument,
    KindName,
    KindsOption,
    LimitOption,
    PlaceName,
    QueryArgument,
    ScopeName,
    StageOption,
    TextArgument,
    text_given,
)
from mneme_git.cli.options import AtOption, JsonOption
from mneme_git.cli.output import answer, answer_bytes, answer_json, notice_line
from mneme_git.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mneme_git.app.memories import Memories

_SOURCE = "person"


def register(group: typer.Typer) -> None:
    """Add the commands to ``mneme memory``."""
    group.command("record")(record)
    group.command("recall")(recall)
    group.command("list")(list_memories)
    group.command("show")(show)
    group.command("supersede")(supersede)
    group.command("promote")(promote)


def record(  # noqa: PLR0913, PLR0917 - the options of the command
    text: TextArgument,
    kind: Annotated[KindName, typer.Option("--kind", help="What sort of thing it is.", show_default=False)],
    scope: Annotated[
        ScopeName, typer.Option("--scope", help="For this project, or for every project of yours.")
    ] = "project",
    task: Annotated[str, typer.Option("--task", metavar="TEXT", help="What was being done.")] = "",
    file: Annotated[
        list[str] | None,
        typer.Option("--file", metavar="FILE", help="A file that it is about; may be given several times."),
    ] = None,
    identifier: Annotated[
        list[str] | None,
        typer.Option(
            "--identifier", metavar="NAME", help="A function, class or setting that it is about; likewise."
        ),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="WORD", help="A word to find it by; likewise.")
    ] = None,
    supersedes: Annotated[
        list[str] | None,
        typer.Option("--supersedes", metavar="ID", help="A memory that no longer holds; likewise."),
    ] = None,
    allow_secret: AllowSecretOption = False,
    stage: StageOption = False,
    json: JsonOption = False,
) -> None:
    """Remember something. It is kept at once, and waits for `mneme commit` to become part of the branch.

    Example: mneme memory record --kind gotcha --file src/db.py "the pool is not thread-safe"
    """
    from mneme_git.app.memories_text import recorded_text
    from mneme_git.memories.limits import kind_of, scope_of
    from mneme_git.memories.record import Draft

    body = text_given(text)
    with opened() as memories:
        draft = Draft(
            kind=kind_of(kind),
            body=body,
            scope=scope_of(scope),
            task=task,
            files=_paths(memories, file),
            identifiers=tuple(identifier or ()),
            tags=tuple(tag or ()),
            source=_SOURCE,
        )
        done = memories.record(draft, replaces=supersedes or (), allow_secret=allow_secret, stage=stage)
    tell(done, recorded_text(done), json=json, code="EXISTS" if done["existing"] else "RECORDED")


def recall(  # noqa: PLR0913, PLR0917 - the options of the command
    words: QueryArgument = None,
    kind: KindsOption = None,
    scope: AnyScopeOption = "any",
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Only what is about this file or folder; may be given several times.",
        ),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="WORD", help="Only what has this tag; likewise.")
    ] = None,
    identifier: Annotated[
        list[str] | None,
        typer.Option("--identifier", metavar="NAME", help="Only what is about this name; likewise."),
    ] = None,
    limit: LimitOption = 20,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", min=100, max=50_000, help="The most tokens, of four characters, of the JSON."
        ),
    ] = None,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also what newer memories have replaced.")
    ] = False,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show what is remembered, best match first; without a query the newest.

    All conditions must hold; of one that is given several times, one is enough. The exit status is 1 if
    nothing is found. Example: mneme memory recall "connection pool" --kind gotcha
    """
    from mneme_git.app.memories import Question
    from mneme_git.app.memories_text import NOTHING_YET, recalled_text

    query = " ".join(words or ())
    with opened(at) as memories:
        reply = memories.recall(
            Question(
                query=query,
                kinds=tuple(one.value for one in kind or ()),
                scopes=() if scope == "any" else (scope,),
                files=tuple(dict.fromkeys((*_paths(memories, file), *(file or ())))),
                tags=tuple(tag or ()),
                identifiers=tuple(identifier or ()),
                limit=limit,
                superseded=superseded,
                budget=budget,
            )
        )
    chosen = (query.strip(), kind, file, tag, identifier, scope != "any", at)
    text = recalled_text(reply, query) if any(chosen) else recalled_text(reply, query, NOTHING_YET)
    tell(reply, text, json=json)
    if not reply["matches"]:
        raise typer.Exit(1)


def list_memories(  # noqa: PLR0913, PLR0917 - the options of the command
    kind: KindsOption = None,
    scope: AnyScopeOption = "any",
    limit: LimitOption = 20,
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many to pass over.")] = 0,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Only what is forgotten.")] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also what newer memories have replaced.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything: replaced and forgotten memories, too.")
    ] = False,
    place: Annotated[
        PlaceName | None,
        typer.Option("--place", help="Only what is in this checkout, pending, or on other branches."),
    ] = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """List memories, the newest first.

    Example: mneme memory list --kind todo --place pending
    """
    from mneme_git.app.memories import Question
    from mneme_git.app.memories_text import NOTHING_YET, listed_text
    from mneme_git.model.memory_view import Place

    question = Question(
        kinds=tuple(one.value for one in kind or ()),
        scopes=() if scope == "any" else (scope,),
        limit=limit,
        offset=offset,
        superseded=superseded,
        forgotten=forgotten,
        everything=everything,
        place=Place(place) if place else None,
    )
    with opened(at) as memories:
        reply = memories.listed(question)
    chosen = (kind, scope != "any", offset, forgotten, place, at)
    tell(reply, listed_text(reply) if any(chosen) else listed_text(reply, NOTHING_YET), json=json)


def show(
    ids: IdsArgument,
    body: Annotated[
        bool, typer.Option("--body", help="Print only the text of one memory, to the byte.")
    ] = False,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show memories in full.

    Example: mneme memory show 3fa85f64
    """
    from mneme_git.app.memories_text import shown_text

    if body and len(ids) > 1:
        raise InvalidInput("--body prints one memory, and several were named", hint="name one")
    with opened(at) as memories:
        reply = memories.show(ids)
    if body:
        answer_bytes(reply["memories"][0]["body"].encode("utf-8"))
    else:
        tell(reply, shown_text(reply), json=json)


def supersede(
    old: IdArgument,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|-", help="What holds from now on; - reads it from stdin.", show_default=False
        ),
    ] = "",
    by: Annotated[
        str | None, typer.Option("--by", metavar="ID", help="A memory that is there and replaces it.")
    ] = None,
    kind: Annotated[
        KindName | None, typer.Option("--kind", help="Another kind than the old one has.")
    ] = None,
    allow_secret: AllowSecretOption = False,
    stage: StageOption = False,
    json: JsonOption = False,
) -> None:
    """Replace a memory by a new text about the same, or by a memory that is there.

    What is replaced is kept, and recalled only with --superseded.
    Example: mneme memory supersede 3fa85f64 "the pool is thread-safe since 2.1"
    """
    from mneme_git.app.memories_text import recorded_text

    if (by is None) == (not text):
        raise InvalidInput(
            "a memory is replaced by a text or by another memory", hint="give either TEXT or --by ID"
        )
    body = text_given(text)
    with opened() as memories:
        if by is not None:
            done = memories.supersede_by(old, by)
        else:
            done = memories.supersede(old, body, kind=kind or "", allow_secret=allow_secret, stage=stage)
    tell(done, recorded_text(done, old), json=json, code="EXISTS" if done["existing"] else "RECORDED")


def promote(memory_id: IdArgument, json: JsonOption = False) -> None:
    """Make a memory of this project known in all projects of yours. Twice changes nothing.

    Example: mneme memory promote 3fa85f64
    """
    from mneme_git.app.memories_text import promoted_text

    with opened() as memories:
        done = memories.promote(memory_id)
    tell(done, promoted_text(done), json=json, code="EXISTS" if done["existing"] else "PROMOTED")


def opened(at: str | None = None) -> "Memories":
    """Open the memories of the repository around the current folder."""
    from mneme_git.app.memories import Memories
    from mneme_git.app.open import here

    return Memories(here(), at=at, tell=notice_line)


def tell(reply: dict[str, Any], text: str, *, json: bool, code: str = "") -> None:
    """Answer with JSON or text; what is for people beside it goes to stderr."""
    for told in reply.get("notices", ()):
        notice_line(told)
    if json:
        answer_json({**({"code": code} if code else {}), **reply})
    else:
        answer(text)


def _paths(memories: "Memories", given: "Sequence[str] | None") -> tuple[str, ...]:
    from mneme_git.app.memories_open import path_in_project

    return tuple(path_in_project(memories.clone, path, from_here=True) for path in given or ())
