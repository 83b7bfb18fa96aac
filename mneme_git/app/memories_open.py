"""The memories of a clone, opened: the project's store and the user's own, with what is known beside them.

A store of memories is git; the recall index follows from it and is brought up to date at every look.
Numbers and counts are of the clone alone.
"""

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from mneme_git.app.open import start_folder
from mneme_git.app.workspace import Workspace
from mneme_git.memories.content import content_key
from mneme_git.memories.naming import Names
from mneme_git.memories.shown import Shown, shown
from mneme_git.model.memory import Memory, MemoryScope
from mneme_git.model.memory_view import MemoryView, Standing
from mneme_git.store.local_db import Key, LocalDb
from mneme_git.store.recall_index import RecallIndex

if TYPE_CHECKING:
    from mneme_git.app.memories_anchor import Anchors
    from mneme_git.store.backend import GitBackend

Prefer = Literal["auto", "pygit2", "program"]
Tell = Callable[[str], None]
# So many memories take a second or more to be indexed: who waits is told.
_MANY = 1_500


class Side:
    """The memories of one scope: their store, and the index that answers from them."""

    def __init__(
        self,
        scope: MemoryScope,
        backend: "GitBackend",
        now: Callable[[], int],
        at: str | None = None,
        *,
        tell: Tell | None = None,
    ) -> None:
        from mneme_git.store.memories_store import MemoriesStore

        self.scope = scope
        self.backend = backend
        self.store = MemoriesStore(backend, now=now, revision=at)
        self.index = RecallIndex(data_folder(backend), content_key=content_key, read=self.store.read)
        self._indexed = ""
        self._tell = tell

    def look(self) -> MemoryView:
        """Return how the memories stand now; those that the index lacks are added to it."""
        view = self.store.view()
        if view.key != self._indexed or not view.key:
            changed = view.changed_since(self._indexed)
            missing = self.index.missing(view.standings if changed is None else changed)
            if missing:
                if len(missing) >= _MANY and self._tell is not None:
                    self._tell(f"indexing {len(missing)} memories for recall, this once")
                self.index.add(self.store.read(missing))
            self._indexed = view.key
        return view

    def memories(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return memories by name; what cannot be read is left out."""
        asked = tuple(names)
        found = self.index.memories(asked)
        lacking = [name for name in asked if name not in found]
        return {**found, **self.store.read(lacking)} if lacking else found

    def close(self) -> None:
        """Let go of the index and of git."""
        self.index.close()
        self.backend.close()


class Look:
    """All memories as they stand at one moment. What follows from it is worked out when asked for.

    ``before`` is the look before, if ``changed`` has all that is different since. Without ``local``
    nothing has a number.
    """

    def __init__(
        self,
        sides: tuple[Side, ...],
        views: tuple[MemoryView, ...],
        local: LocalDb | None,
        *,
        before: "Look | None" = None,
        changed: frozenset[str] = frozenset(),
    ) -> None:
        self.sides = sides
        self.views = views
        self._local = local
        if before is not None:
            self._go_on(before, changed)

    def _go_on(self, before: "Look", changed: frozenset[str]) -> None:
        """Take over what the look before had worked out, where that only needs additions."""
        held = vars(before)
        if "names" in held and all(self.standing(name) for name in changed):
            before.names.add(changed)
            self.names = before.names
        if "shown" in held and all(self._is_only_new(before, name) for name in changed):
            self.shown = before.shown.with_(changed)

    def _is_only_new(self, before: "Look", name: str) -> bool:
        """Tell whether a memory has come that says what no other says, and replaces none."""
        standing = self.standing(name)
        if standing is None or not standing.live or before.standing(name) is not None:
            return False
        index = self.side_of(name).index
        memory = index.memories([name]).get(name)
        if memory is None or memory.supersedes or name in index.superseding():
            return False
        return index.same_content(content_key(memory)) == (name,)

    @property
    def branch(self) -> str:
        """The branch of the checkout, empty for a detached HEAD."""
        return self.views[0].branch

    def side_of(self, name: str) -> Side:
        """Return where a memory is kept; the project comes first."""
        held = (side for side, view in zip(self.sides, self.views, strict=True) if name in view.standings)
        return next(held, self.sides[0])

    def view_of(self, side: Side) -> MemoryView:
        """Return the view of one side; an empty one if it came into being after the look."""
        views = dict(zip(self.sides, self.views, strict=True))
        return views.get(side, MemoryView())

    def standing(self, name: str) -> Standing | None:
        """Return how a memory stands, None if there is none of that name."""
        return next((view.standings[name] for view in self.views if name in view.standings), None)

    def key_of(self, name: str) -> Key:
        """Return scope and name, by which numbers and counts are kept."""
        return (self.side_of(name).scope.value, name)

    def number(self, name: str) -> int | None:
        """Return the alias of a memory for clients of integer ids."""
        known = self._local.known().get(self.key_of(name)) if self._local is not None else None
        return known.number if known else None

    def memories(self, names: Iterable[str]) -> dict[str, Memory]:
        """Return memories of any scope by name, in the order of ``names``."""
        asked = tuple(names)
        found: dict[str, Memory] = {}
        for side in self.sides:
            found.update(side.memories(name for name in asked if self.side_of(name) is side))
        return {name: found[name] for name in asked if name in found}

    @cached_property
    def names(self) -> Names:
        """What all known memories are called, forgotten and lost ones too."""
        return Names(name for view in self.views for name in view.standings)

    @cached_property
    def contents(self) -> dict[str, str]:
        """The content key of each memory, by name."""
        return {name: key for side in self.sides for name, key in side.index.contents().items()}

    @cached_property
    def shown(self) -> Shown:
        """What a reader gets: one of each content, and which are replaced."""
        superseding = {
            old: new for side in reversed(self.sides) for old, new in side.index.superseding().items()
        }
        return shown(self.views, self.contents, superseding)

    @cached_property
    def current(self) -> frozenset[str]:
        """What a reader gets without what is replaced."""
        return self.shown.current

    def resolve(self, given: str | int) -> str:
        """Return the name that was meant. Raises NotFound, AmbiguousId, InvalidInput."""
        return self.names.resolve(given, self._numbered)

    def _numbered(self, number: int) -> str | None:
        """Return the memory that has a number, None if it is not known here."""
        key = self._local.numbered(number) if self._local is not None else None
        if key is None or self.standing(key[1]) is None:
            return None
        return key[1]

    def equals(self, name: str) -> tuple[str, ...]:
        """Return the names of the memories that say the same as one, as far as they are in its store."""
        key = self.contents.get(name)
        return self.side_of(name).index.same_content(key) if key else (name,)


class Clone:
    """What this clone knows: its project, the user's global memories, and its own database."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        at: str | None = None,
        prefer: Prefer = "program",
        tell: Tell | None = None,
    ) -> None:
        """Open the project's repository; the global one is opened when it is there and looked for.

        Raises:
            NoRepository: there is none.
            NotFound: ``at`` names no commit.
        """
        from mneme_git.app.settings import settings_of
        from mneme_git.store.discover import open_backend

        self.workspace = workspace
        self.at = at
        start = start_folder(workspace)
        backend = open_backend(start, prefer=prefer)
        chosen = settings_of(backend).backend
        self.prefer: Prefer = prefer if chosen == "auto" else "program" if chosen == "program" else "pygit2"
        if backend.name != self.prefer:
            backend = open_backend(start, prefer=self.prefer)
        self._tell = tell
        self.project = Side(MemoryScope.PROJECT, backend, workspace.now, at, tell=tell)
        self.local = LocalDb(data_folder(backend), now=workspace.now)
        self._global: Side | None = None
        self._global_fault = ""
        self._look: Look | None = None

    def look(self) -> Look:
        """Return how all memories stand now."""
        sides = tuple(side for side in (self.project, self._there()) if side)
        views = tuple(side.look() for side in sides)
        before = self._look
        changed = _changed(before, sides, views)
        if before is not None and changed is not None and not changed:
            return before
        self._meet(sides, views, changed)
        if changed is None:
            before = None
        self._look = Look(sides, views, self.local, before=before, changed=changed or frozenset())
        return self._look

    def global_side(self) -> Side:
        """Return the global memories, making their repository if there is none.

        Raises:
            ReadOnlyStore: it cannot be made.
        """
        found = self._there()
        if found is None:
            from mneme_git.store.user_data import global_backend

            backend = global_backend(create=True, prefer=self.prefer)
            assert backend is not None
            self._global = found = Side(MemoryScope.GLOBAL, backend, self.workspace.now, tell=self._tell)
        return found

    def side(self, scope: MemoryScope) -> Side:
        """Return the store that memories of a scope are written to."""
        return self.project if scope is MemoryScope.PROJECT else self.global_side()

    @cached_property
    def anchors(self) -> "Anchors":
        """The code that memories of the project name."""
        from mneme_git.app.memories_anchor import Anchors

        backend = self.project.backend
        return Anchors(backend, at=None if self.at is None else backend.resolve(self.at))

    def notices(self) -> tuple[str, ...]:
        """Return what people should know beside the answer."""
        fault = (self._global_fault,) if self._global_fault else ()
        return (*fault, *self.local.notices())

    def author(self) -> str:
        """Return who writes, ``name <email>``; empty without an identity."""
        who = self.project.backend.signature()
        return "" if who.email == "mneme@localhost" else f"{who.name} <{who.email}>"

    def close(self) -> None:
        """Let go of everything."""
        if "anchors" in vars(self):
            self.anchors.close()
        self.project.close()
        if self._global is not None:
            self._global.close()
        self.local.close()

    def __enter__(self) -> "Clone":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _there(self) -> Side | None:
        """Return the global memories if there are any; for a revision of the project there are none."""
        if self.at is not None:
            return None
        if self._global is not None and self._global.backend.git_dir.exists():
            return self._global
        from mneme_git.store.user_data import readable_global

        backend, self._global_fault = readable_global(prefer=self.prefer)
        self._global = (
            Side(MemoryScope.GLOBAL, backend, self.workspace.now, tell=self._tell) if backend else None
        )
        return self._global

    def _meet(
        self, sides: tuple[Side, ...], views: tuple[MemoryView, ...], changed: frozenset[str] | None
    ) -> None:
        """Number what is seen for the first time, and note what is forgotten."""
        known = self.local.known()
        fresh: list[Key] = []
        for side, view in zip(sides, views, strict=True):
            scope, rows = side.scope.value, view.standings
            names = rows if changed is None else [name for name in changed if name in rows]
            fresh += [(scope, name) for name in names if (scope, name) not in known]
            if self.at is None:
                gone = [name for name in names if rows[name].forgotten or rows[name].purged]
                self.local.see_forgotten(view.branch, scope, gone, among=None if changed is None else names)
        if fresh:
            self.local.meet(fresh if len(fresh) == 1 else self._in_order(sides, fresh))

    def _in_order(self, sides: tuple[Side, ...], fresh: list[Key]) -> list[Key]:
        """Return what the journal has in the order of its coming there, then the rest by its time."""
        from mneme_git.store.memories_order import recorded_order

        project = [name for scope, name in fresh if scope == MemoryScope.PROJECT.value]
        first = [(MemoryScope.PROJECT.value, name) for name in recorded_order(self.project.backend, project)]
        rest = sorted(set(fresh).difference(first))
        times: dict[str, str] = {}
        for side in sides:
            asked = [name for scope, name in rest if scope == side.scope.value]
            times.update({name: memory.created_at for name, memory in side.memories(asked).items()})
        return [*first, *sorted(rest, key=lambda key: (times.get(key[1], ""), key[1]))]


def _changed(
    before: Look | None, sides: tuple[Side, ...], views: tuple[MemoryView, ...]
) -> frozenset[str] | None:
    """Return the names that may stand otherwise than at the look before; None if that cannot be told."""
    if before is None or before.sides != sides:
        return None
    parts = [new.changed_since(old.key) for old, new in zip(before.views, views, strict=True)]
    if any(part is None for part in parts):
        return None
    return frozenset().union(*[part for part in parts if part])


def data_folder(backend: "GitBackend") -> Path:
    """Return the folder of what this clone alone has."""
    return backend.common_dir / "mneme"


def path_in_project(clone: Clone, given: str, *, from_here: bool) -> str:
    """Return a path that a person or program gave as one from the top of the work tree.

    A person means it from the current folder, a program from the top; an absolute one inside of the
    work tree is made relative. What is outside of it stays as it was given.
    """
    if clone.project.backend.work_tree is None or "\0" in given or not given:
        return given
    root = os.path.realpath(clone.project.backend.work_tree)
    base = os.path.realpath(clone.workspace.cwd) if from_here else root
    below = os.path.relpath(os.path.normpath(os.path.join(base, given)), root)  # noqa: PTH118 - may be absolute
    return given if Path(below).parts[:1] in {(), ("..",)} else Path(below).as_posix()
