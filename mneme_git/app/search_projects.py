"""Searching the memories of other projects, as far as the user allows it; never their code.

A project is read as it stands in its main work tree. Nothing is written to it but its recall index, and
nothing is counted there.
"""

import hashlib
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mneme_git.app import memories_rows as rows
from mneme_git.app.memories_open import Clone, Look, Side, data_folder
from mneme_git.app.settings import settings_of
from mneme_git.errors import MnemeError, NoRepository
from mneme_git.model.memory import MemoryScope
from mneme_git.store.discover import locate, open_at
from mneme_git.store.local_db import Count, Key
from mneme_git.store.location import Location
from mneme_git.store.recall_index import Filters, Hit, Statistics
from mneme_git.store.user_data import KnownProject, known_projects, project_hash
from mneme_git.text.printable import one_line

if TYPE_CHECKING:
    from mneme_git.store.backend import GitBackend

Row = dict[str, Any]
OFF = (
    "searching other projects is off: switch it on with `git config --global mneme.crossProject true`, and "
    "name those that may be searched with `git config --global --add mneme.crossProjectAllow PATH-OR-HASH`"
)
_GLOBAL = "global"
_HASH = re.compile(r"([0-9a-f]{16})", re.ASCII)
_DATABASE = re.compile(r"[/\\]projects[/\\]([0-9a-f]{16})[/\\]index\.db\Z", re.ASCII)
_AGAIN = "record a memory there, or allow the repository by its path"


class _Place(Struct, frozen=True):
    """Where memories come from, as a row tells it, and the memories as they stand there."""

    called: str
    root: str
    folder: str
    look: Look


def search_projects(clone: Clone, query: str, *, limit: int = 20, filters: Filters | None = None) -> Row:
    """Return memories of the projects that may be searched, and global ones: a flat list, best match first.

    The project of ``clone`` is searched if it is allowed like the others. Scores of all are on one
    scale; ties go to the newer memory, then to the smaller name. Without a query the newest are
    returned. ``skipped`` names what is allowed and cannot be searched, and why.
    """
    settings = settings_of(clone.project.backend)
    if not settings.cross_project:
        return {"matches": [], "info": OFF}
    own = {_GLOBAL, project_hash(clone.project.backend.common_dir)}
    with ExitStack() as opened:
        places = _Places(clone, opened)
        allowed = places.all(settings.cross_project_allow)
        found = _found(allowed, query, limit, filters or Filters(), counts=clone.local.counts(), own=own)
    clone.local.count((row["scope"], row["name"]) for row in found if row["project_hash"] in own)
    told = [*settings.notices, *clone.notices()]
    return {"matches": found, "skipped": places.skipped, **({"notices": told} if told else {})}


def earlier_hash(root: Path) -> str:
    """Return what the existing engine calls a project: by the real path of its folder alone."""
    path = os.path.realpath(root)
    units = len(path.encode("utf-16-le", "surrogatepass")) // 2
    text = f"mneme:v1:{units}:{path}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


class _Places:
    """The places to search; ``skipped`` gets what is allowed and cannot be searched."""

    def __init__(self, clone: Clone, opened: ExitStack) -> None:
        self.skipped: list[Row] = []
        self._clone = clone
        self._opened = opened
        self._look = clone.look()
        backend = clone.project.backend
        self._own = project_hash(backend.common_dir)
        root = _root(backend)
        own = KnownProject(project_hash=self._own, root=root, common_dir=backend.common_dir)
        self._known = {project.project_hash: project for project in (*known_projects(), own)}

    def all(self, allowed: Iterable[str]) -> tuple[_Place, ...]:
        """Return the user's own place, then those that are allowed, each once."""
        found = {_GLOBAL: self._of_user()}
        for entry in dict.fromkeys(allowed):
            try:
                backend = self._repository(entry)
                called = project_hash(backend.common_dir)
                if called not in found:
                    found[called] = self._of_project(called, backend)
            except (MnemeError, OSError) as error:
                why = error.message if isinstance(error, MnemeError) else str(error.strerror or error)
                self.skipped.append({"project": entry, "reason": why})
        return tuple(place for place in found.values() if place is not None)

    def _of_user(self) -> _Place | None:
        sides = [side for side in self._look.sides if side.scope is MemoryScope.GLOBAL]
        return self._place(_GLOBAL, sides[0]) if sides else None

    def _of_project(self, called: str, backend: "GitBackend") -> _Place | None:
        if called == self._own:
            return self._place(called, self._clone.project)
        side = _side(backend, self._clone)
        if side is None:
            return None
        self._opened.callback(side.index.close)
        return _Place(
            called, str(_root(backend)), str(backend.common_dir), Look((side,), (side.look(),), None)
        )

    def _place(self, called: str, side: Side) -> _Place:
        """Return one side of this clone, whose memories have numbers here."""
        look = Look((side,), (self._look.view_of(side),), self._clone.local)
        return _Place(called, str(_root(side.backend)), str(side.backend.common_dir), look)

    def _repository(self, entry: str) -> "GitBackend":
        """Open the repository that the user named.

        Raises:
            NoRepository: it is not there, or is another one.
        """
        called = _hash_in(entry)
        project = self._project(called) if called else None
        if called and project is None:
            raise NoRepository("no repository with memories is known by this hash", hint=_AGAIN)
        expanded = Path(os.path.expanduser(entry))  # noqa: PTH111 - Path's raises where there is no home
        for place in (project.root, project.common_dir) if project else (expanded,):
            # Alone: what a hook has in its environment is about another repository.
            location = locate(place, {}) if place.is_dir() else None
            if location and _is_meant(location, place, project):
                backend = open_at(location, prefer=self._clone.prefer)
                self._opened.callback(backend.close)
                return backend
        raise NoRepository(
            f"there is no such repository at '{project.root if project else entry}'", hint=_AGAIN
        )

    def _project(self, called: str) -> KnownProject | None:
        """Return the project of a hash of ours, or of the existing engine's."""
        earlier = (project for project in self._known.values() if earlier_hash(project.root) == called)
        return self._known.get(called) or next(earlier, None)


def _is_meant(location: Location, place: Path, project: KnownProject | None) -> bool:
    """Tell whether a repository is the one at ``place``, not one around it, and still the project's."""
    if place.resolve() not in {location.work_tree, location.git_dir, location.common_dir}:
        return False
    return project is None or project_hash(location.common_dir) == project.project_hash


def _hash_in(entry: str) -> str:
    """Return the hash that an entry names, which may be a database of the existing engine; or empty text."""
    found = _HASH.fullmatch(entry) or _DATABASE.search(entry)
    return found[1] if found else ""


def _side(backend: "GitBackend", clone: Clone) -> Side | None:
    """Return the memories of another project; None if it has none, and then nothing is made there."""
    from mneme_git.store.memories_store import MemoriesStore

    now = clone.workspace.now
    if not data_folder(backend).is_dir() and not MemoriesStore(backend, now=now).view().standings:
        return None
    return Side(MemoryScope.PROJECT, backend, now)


def _root(backend: "GitBackend") -> Path:
    common = backend.common_dir
    return common.parent if common.name == ".git" else backend.work_tree or common


def _found(
    places: Sequence[_Place],
    query: str,
    limit: int,
    filters: Filters,
    *,
    counts: Mapping[Key, Count],
    own: Container[str],
) -> list[Row]:
    """Return what is found; recalls are told of the ``own`` places, whose ``counts`` this clone keeps."""
    found: list[tuple[float, Row]] = []
    for place, hits in _hits(places, query, limit, filters):
        memories = place.look.memories(hit.name for hit in hits)
        told = {"project_hash": place.called, "project_root": place.root, "source_db": place.folder}
        for hit in hits:
            if hit.name in memories:
                key = place.look.key_of(hit.name)
                count = counts.get(key) if place.called in own else None
                memory = memories[hit.name]
                row = rows.recalled_row(place.look, hit.name, memory, score=hit.score)
                more = rows.listed_row(place.look, hit.name, memory, count=count, forgotten_at=None)
                found.append((hit.score, {**row, **more, **told}))
    found.sort(key=lambda pair: (-pair[0], -pair[1]["created_at"], pair[1]["name"]))
    once: dict[str, Row] = {}  # clones of one repository have the same memories
    for _, row in found:
        once.setdefault(row["name"], row)
    return list(once.values())[:limit]


def _hits(
    places: Sequence[_Place], query: str, limit: int, filters: Filters
) -> Iterator[tuple[_Place, tuple[Hit, ...]]]:
    """Yield what each place has, scored as if all were one."""
    asked = [(place, place.look.sides[0].index, place.look.current) for place in places]
    if not query.strip():
        for place, index, visible in asked:
            yield place, index.newest(filters, visible, limit)
        return
    together = sum((index.statistics(query, visible) for _, index, visible in asked), Statistics())
    for place, index, visible in asked:
        yield place, index.search(query, filters, visible, limit, statistics=together)


def search_text(found: Row) -> str:
    """Return what was found for people: where each memory is, then its text."""
    if "info" in found:
        return str(found["info"])
    told = []
    for row in found["matches"]:
        place = "global" if row["project_hash"] == _GLOBAL else row["project_root"]
        head = f"{row['short']}  {row['kind']}  {place}"
        told.append("\n".join([one_line(head), *(f"    {line}" for line in row["body"].split("\n"))]))
    return "\n\n".join(told) or "nothing of the projects that are allowed has to do with it"
