"""``mneme adr new``, ``adr supersede`` and ``adr renumber``: writing ADR files."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import DryRunOption, JsonOption
from mneme_git.cli.output import answer, answer_json, notice

if TYPE_CHECKING:
    from mneme_git.app.adr_author import Authored

_FolderOption = Annotated[
    str | None, typer.Option("--folder", metavar="DIR", help="The folder that holds the ADR files.")
]


def register(group: typer.Typer) -> None:
    """Add the commands to ``mneme adr``."""
    group.command("new")(new)
    group.command("supersede")(supersede)
    group.command("renumber")(renumber)


def new(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What is decided, in a few words.")],
    folder: _FolderOption = None,
    status: Annotated[
        str, typer.Option("--status", metavar="WORD", help="proposed, accepted, rejected, draft ...")
    ] = "proposed",
    scope: Annotated[
        str, typer.Option("--scope", metavar="A.B", help="What it is about; only where ADRs state a scope.")
    ] = "",
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Write a new ADR file, named, numbered and laid out as its folder does it.

    Example: mneme adr new "Use SQLite for the index"
    """
    from mneme_git.app.adr_author import new_adr
    from mneme_git.app.open import here
    from mneme_git.decisions.adr_author import Draft

    done = new_adr(here(), Draft(title=title, status=status, scope=scope), folder=folder, dry_run=dry_run)
    if json:
        _as_json(done, "CREATED")
        return
    _tell_notices(done)
    if dry_run:
        data = done.edits[0].after or b""
        answer(f"Would create {done.path}\n\n{data.decode('utf-8')}")
        return
    answer(f"Created {done.path}")
    notice(f"next: write it, then record it with `mneme adr import {shlex.quote(done.folder)} --apply`")


def supersede(
    old: Annotated[str, typer.Argument(metavar="OLD", help="An ADR: its file, number or id.")],
    by: Annotated[str, typer.Option("--by", metavar="NEW", help="The ADR that takes its place.")],
    folder: _FolderOption = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Say in both files that NEW supersedes OLD, in the format that each is written in.

    Example: mneme adr supersede 0003 --by 0007
    """
    from mneme_git.app.adr_author import supersede_adr
    from mneme_git.app.open import here

    done = supersede_adr(here(), old, by, folder=folder, dry_run=dry_run)
    _tell_edits(done, "SUPERSEDED", dry_run=dry_run, json=json)


def renumber(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An ADR: its file, number or id.")],
    to: Annotated[
        int | None, typer.Option("--to", min=0, metavar="N", help="The new number; else the next free one.")
    ] = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Give an ADR another number and rewrite the links of its folder, as after a collision of branches.

    Example: mneme adr renumber docs/adr/0007-use-y.md
    """
    from mneme_git.app.adr_author import renumber_adr
    from mneme_git.app.open import here

    done = renumber_adr(here(), file, number=to, dry_run=dry_run)
    _tell_edits(done, "RENUMBERED", dry_run=dry_run, json=json)
    if not json:
        for place in done.left:
            notice(f"look at {place.path}:{place.line}: {place.text}")
        old_stem = done.edits[-1].path.rsplit("/", 1)[-1].rpartition(".")[0]
        notice(f"links from other folders: `git grep -n {old_stem}` shows them")


def _tell_edits(done: "Authored", code: str, *, dry_run: bool, json: bool) -> None:
    from mneme_git.text.raw_lines import diff

    if json:
        _as_json(done, code)
        return
    if not done.edits:
        answer("Nothing to change: the files say so already.")
    moved = [edit for edit in done.edits if edit.after is None]
    for edit in done.edits:
        if edit.after is None:
            continue
        gone = moved[0] if edit.before is None and moved else None
        before = edit.before if gone is None else gone.before
        shown = diff(before or b"", edit.after, name=gone.path if gone else edit.path, new_name=edit.path)
        if gone is not None:
            answer(f"rename {gone.path} -> {edit.path}")
        if shown:
            answer(shown)
    _tell_notices(done)
    if dry_run and done.edits:
        answer("Nothing was written.")
    elif done.written:
        notice("next: look at the change, then record it with `mneme adr import`")


def _tell_notices(done: "Authored") -> None:
    for text in done.notices:
        notice(f"NOTE: {text}")


def _as_json(done: "Authored", code: str) -> None:
    changes = [
        {
            "path": edit.path,
            "change": "added" if edit.before is None else "removed" if edit.after is None else "edited",
        }
        for edit in done.edits
    ]
    answer_json(
        {
            "code": code if done.written else "DRY_RUN" if done.edits else "NOTHING_TO_DO",
            "path": done.path,
            "number": done.number,
            "written": done.written,
            "changes": changes,
            "left": done.left,
            "notices": done.notices,
        }
    )
