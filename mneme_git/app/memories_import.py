"""Coming over from the existing engine: its memories as they are, with their times and counts.

Looking changes nothing, and its databases are never written. What is here already, in this project or
among the global memories, is not recorded again, and what was forgotten here stays forgotten.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.app.memories_open import Clone, Look, Side
from mneme_git.app.search_projects import earlier_hash
from mneme_git.app.workspace import Workspace
from mneme_git.errors import InvalidInput, MnemeError, Refused
from mneme_git.memories.limits import kind_of
from mneme_git.memories.record import Draft, checked, draft_key, draft_of, memory_of, name_of
from mneme_git.model.memory import Memory, MemoryScope
from mneme_git.model.memory_view import Mark, MemoryPlan, Place
from mneme_git.store.existing_config import engine_home, read_existing
from mneme_git.store.existing_memories import ExistingDatabase, ExistingMemory, read_existing_memories
from mneme_git.store.local_db import Count
from mneme_git.text.printable import text_of

Row = dict[str, Any]
State = Literal["new", "here", "forgotten here", "repeated", "forgotten there", "refused"]
_MARKERS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod")
_FIRST_LINE = 100


class Options(Struct, frozen=True, kw_only=True):
    """What is imported beside what may be taken without asking."""

    with_forgotten: bool = False
    allow_secret: bool = False


class _Item(Struct, frozen=True, kw_only=True):
    """One row of a database, and what will become of it."""

    database: str
    row: ExistingMemory
    scope: MemoryScope
    state: State
    name: str = ""
    memory: Memory | None = None
    forget: bool = False
    reason: str = ""
    is_secret: bool = False


def import_memories(
    clone: Clone, paths: Sequence[str] = (), *, apply: bool = False, options: Options | None = None
) -> Row:
    """Preview, or with ``apply`` carry out, an import; ``paths`` stand in place of the usual databases.

    Raises:
        NotFound, InvalidInput, StoreBusy, StoreFault: a database that was named cannot be read;
            nothing was imported.
        ReadOnlyStore: what is to be written cannot be.
    """
    notices: list[str] = []
    databases = _databases(clone, paths, notices)
    items = _planned(clone, databases, options or Options())
    if apply:
        notices += _carried_out(clone, items)
    counts: dict[str, int] = {}
    for item in items:
        counts[item.state] = counts.get(item.state, 0) + 1
    return {
        "code": "IMPORTED" if apply else "PREVIEW",
        "applied": apply,
        "databases": [str(database.path) for database in databases],
        "rows": [_told(item) for item in items],
        "counts": counts,
        "notices": [*notices, *clone.notices()],
    }


def usual_databases(clone: Clone) -> tuple[Path, ...]:
    """Return where that engine would keep the memories of this repository and the global ones.

    It calls a project by the folder that it was started in, which is that of the nearest file of
    certain names: so every such folder of every work tree is tried.
    """
    home = engine_home(os.environ)
    found = (
        [home / "mneme/projects" / earlier_hash(root) / "index.db" for root in _roots(clone)] if home else []
    )
    global_db = read_existing(os.environ).global_db
    return tuple(dict.fromkeys([*found, *([Path(global_db)] if global_db else [])]))


def _roots(clone: Clone) -> Iterator[Path]:
    backend = clone.project.backend
    cwd = Path(os.path.realpath(clone.workspace.cwd))
    trees = _trees(clone)
    folders = [
        Path(entry.path).parent
        for entry in backend.index_entries("")
        if entry.path.rpartition("/")[2] in _MARKERS
    ]
    for tree in trees:
        yield tree
        yield from (tree / folder for folder in dict.fromkeys(folders))
    yield from (folder for folder in (cwd, *cwd.parents) if folder.is_relative_to(trees[0]))
    if clone.workspace.env.project_root:
        yield cwd / clone.workspace.env.project_root


def _work_trees(common_dir: Path) -> Iterator[Path]:
    """Yield the tops of all work trees, the main one first, from git's own notes about them."""
    if common_dir.name == ".git":
        yield common_dir.parent
    for note in sorted((common_dir / "worktrees").glob("*/gitdir")):
        yield Path(os.fsdecode(note.read_bytes()).rstrip("\n")).parent


def _databases(clone: Clone, paths: Sequence[str], notices: list[str]) -> list[ExistingDatabase]:
    if paths:
        given = [clone.workspace.cwd / os.path.expanduser(path) for path in paths]  # noqa: PTH111
        return [read_existing_memories(path / "index.db" if path.is_dir() else path) for path in given]
    found = []
    tried = usual_databases(clone)
    for path in tried:
        if path.exists():
            try:
                found.append(read_existing_memories(path))
            except MnemeError as error:
                notices.append(f"left out: {error.message}")
    if not found and not notices:
        notices.append("the existing engine has no database of this repository; name one as an argument")
    return found


def _planned(clone: Clone, databases: Iterable[ExistingDatabase], options: Options) -> list[_Item]:
    look = clone.look()
    seen: dict[str, str] = {}
    items = []
    for database in databases:
        for row in database.memories:
            item = _item(clone, look, database, row, options)
            if item.memory is not None and item.state != "refused":
                key = f"{item.scope.value} {draft_key(draft_of(item.memory))}"
                if key in seen and item.state in {"new", "forgotten there"}:
                    item = replace(item, state="repeated", reason=f"as memory {seen[key]}", name="")
                seen.setdefault(key, str(row.number))
            items.append(item)
    return items


def _item(
    clone: Clone, look: Look, database: ExistingDatabase, row: ExistingMemory, options: Options
) -> _Item:
    scope = MemoryScope.GLOBAL if row.scope == MemoryScope.GLOBAL.value else MemoryScope.PROJECT
    item = _Item(database=str(database.path), row=row, scope=scope, state="new")
    try:
        draft = checked(_draft(clone, database, row, scope), allow_secret=options.allow_secret)
        memory = memory_of(draft, created_at=_instant(row.created_at), author="", branch="")
    except Refused as error:
        return replace(item, state="refused", reason=error.message, is_secret=True)
    except InvalidInput as error:
        return replace(item, state="refused", reason=error.message)
    item = replace(item, memory=memory, name=name_of(memory))
    standing = _there(look, scope, draft)
    if standing is not None:
        name, live = standing
        return replace(item, name=name, state="here" if live else "forgotten here")
    if row.forgotten_at is not None and not options.with_forgotten:
        return replace(item, state="forgotten there")
    return replace(item, forget=row.forgotten_at is not None)


def _draft(clone: Clone, database: ExistingDatabase, row: ExistingMemory, scope: MemoryScope) -> Draft:
    if row.body is None:
        raise InvalidInput("; ".join(row.notes) or "it has no body")
    trees = _trees(clone)
    below = _below(trees, database.root) or ""
    files = tuple(_in_repository(trees, below, path) for path in row.files)
    return Draft(
        kind=kind_of(row.kind),
        body=row.body,
        scope=scope,
        task=row.task,
        files=files if scope is MemoryScope.PROJECT else row.files,
        identifiers=row.identifiers,
        tags=row.tags,
        source=row.source,
    )


def _trees(clone: Clone) -> tuple[Path, ...]:
    """Return the tops of all work trees, that of the checkout first."""
    backend = clone.project.backend
    top = backend.work_tree or backend.git_dir
    return tuple(dict.fromkeys([top, *_work_trees(backend.common_dir)]))


def _below(trees: Iterable[Path], place: str) -> str | None:
    """Return what leads from the top of a work tree to an absolute path; None if it is in none."""
    for top in trees if place else ():
        below = Path(os.path.relpath(os.path.realpath(place), os.path.realpath(top)))
        if below.parts[:1] != ("..",):
            return below.as_posix().removeprefix(".")
    return None


def _in_repository(trees: Iterable[Path], below: str, path: str) -> str:
    """Return a path of that engine, relative to the folder of its project, as one from the top."""
    if "\0" in path:
        return path
    if Path(path).is_absolute():
        return _below(trees, path) or path
    return f"{below}/{path}" if below else path


def _instant(milliseconds: int | None) -> str:
    try:
        if milliseconds is None:
            raise ValueError
        at = datetime.fromtimestamp(milliseconds // 1000, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"created_at is {milliseconds}, which is no time") from error
    return f"{at:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def _there(look: Look, scope: MemoryScope, draft: Draft) -> tuple[str, bool] | None:
    """Return the memory here that says the same, a live one first, and whether it is live."""
    found = []
    for side, view in zip(look.sides, look.views, strict=True):
        if side.scope is scope:
            for name in side.index.same_content(draft_key(draft)):
                standing = view.standings.get(name)
                if standing is not None and standing.place is not Place.LOST:
                    found.append((not standing.live, name))
    return (min(found)[1], not min(found)[0]) if found else None


def _carried_out(clone: Clone, items: Sequence[_Item]) -> list[str]:
    """Record what is new, each scope in one entry of its journal, then take over the counts."""
    notices: list[str] = []
    for scope in MemoryScope:
        chosen = [item for item in items if item.scope is scope and item.state == "new" and item.memory]
        if chosen:
            side = clone.side(scope)
            notices += side.store.write(_plan(chosen)).notices
            side.index.add({item.name: item.memory for item in chosen if item.memory})
    clone.look()  # numbers what is new, in the order of the journal
    if not clone.local.take_over(dict(_counts(items))):
        notices.append("how often they were recalled could not be written now: import once more for that")
    notices += _noted(clone.project)
    return notices


def _plan(chosen: Sequence[_Item]) -> MemoryPlan:
    return MemoryPlan(
        verb="import",
        subject=f"{len(chosen)} memories",
        memories=tuple(item.memory for item in chosen if item.memory),
        marks=tuple(Mark("forget", item.name) for item in chosen if item.forget),
    )


def _counts(items: Iterable[_Item]) -> Iterator[tuple[tuple[str, str], Count]]:
    for item in items:
        if item.row.recall_count and item.name and item.state in {"new", "here"}:
            last = (item.row.last_recalled_at or item.row.created_at or 0) // 1000
            yield (item.scope.value, item.name), Count(item.row.recall_count, last)


def _noted(side: Side) -> list[str]:
    from mneme_git.store.user_data import remember_project

    told = remember_project(side.backend.common_dir, side.backend.work_tree)
    return [told] if told else []


def _told(item: _Item) -> Mapping[str, Any]:
    body = "" if item.is_secret else item.row.body or ""
    return {
        "database": item.database,
        "id": item.row.number,
        "kind": item.row.kind,
        "scope": item.scope.value,
        "first_line": next((line.strip() for line in body.splitlines() if line.strip()), "")[:_FIRST_LINE],
        "state": item.state,
        "forgotten": item.forget,
        "name": item.name or None,
        "reason": item.reason or None,
        "notes": list(item.row.notes),
    }


def imported(workspace: Workspace, paths: Sequence[str], *, apply: bool, options: Options) -> Row:
    """Open the repository around the workspace and import; raises as ``import_memories``."""
    with Clone(workspace) as clone:
        return import_memories(clone, paths, apply=apply, options=options)


def import_text(done: Row) -> str:
    """Return a preview or a result for people: a line for each memory, then the counts."""
    lines = []
    for row in done["rows"]:
        why = f" ({row['reason']})" if row["reason"] else ""
        state = "new, forgotten" if row["forgotten"] else _SAID.get(row["state"], row["state"])
        lines.append(
            f"{state:<15} {row['scope']:<7} {row['kind']:<8} {row['id']:>5}  {row['first_line']}{why}"
        )
        lines += [f"{'':<15} {note}" for note in row["notes"]]
    counts = dict(done["counts"])
    new = counts.pop("new", 0)
    others = [f"{count} {_SAID.get(state, state)}" for state, count in sorted(counts.items())]
    what = "; ".join([f"{new or 'nothing'} {'imported' if done['applied'] else 'to import'}", *others])
    after = "; run it again with --apply to import them" if new and not done["applied"] else ""
    return text_of([*lines, f"{what}{after}"])


_SAID = {"here": "here already"}
