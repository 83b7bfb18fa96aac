"""What may be done with memories: recorded, recalled, listed, forgotten and brought back.

An answer is a mapping as programs get it. What a person or program calls a memory by is its number, its
name or the beginning of that.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from mneme_git.app import memories_rows as rows
from mneme_git.app.memories_found import Question, found_by, listable
from mneme_git.app.memories_open import Clone, Look, Prefer, Side, Tell
from mneme_git.app.workspace import Workspace, stamp
from mneme_git.errors import InvalidInput, Refused
from mneme_git.memories import marks, supersede
from mneme_git.memories.answer import packed
from mneme_git.memories.promote import plan_promote, promoted
from mneme_git.memories.record import (
    Draft,
    Recording,
    checked,
    draft_key,
    is_outside,
    memory_of,
    plan_record,
    same_in,
)
from mneme_git.model.memory import Memory, MemoryScope
from mneme_git.model.memory_view import Action, MemoryPlan, MemoryView, Written

__all__ = ["Memories", "Question"]

Row = dict[str, Any]
Id = str | int
_PLANS: dict[Action, Callable[[Sequence[str], MemoryView, marks.Equals], MemoryPlan]] = {
    "forget": marks.plan_forget,
    "unforget": marks.plan_unforget,
    "pin": marks.plan_pin,
    "unpin": marks.plan_unpin,
}


class Memories:
    """The memories of one clone, seen from one work tree or one revision; one call at a time."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        at: str | None = None,
        prefer: Prefer = "program",
        tell: Tell | None = None,
    ) -> None:
        """Open them; ``tell`` is called with what takes long.

        Raises:
            NoRepository: there is none.
            NotFound: ``at`` names no commit.
        """
        self.workspace = workspace
        self.clone = Clone(workspace, at=at, prefer=prefer, tell=tell)

    def record(
        self, draft: Draft, *, replaces: Sequence[Id] = (), allow_secret: bool = False, stage: bool = False
    ) -> Row:
        """Record a memory, or return the one that says the same; it is kept when this returns.

        Raises:
            InvalidInput: a part of it is empty, too long or no text.
            Refused: it looks as if it held a secret.
            NotFound, AmbiguousId: what it replaces is not there.
        """
        look = self.clone.look()
        names = tuple(look.resolve(given) for given in replaces)
        replaced = _with_twins(look, (*draft.supersedes, *names))
        draft = checked(replace(draft, supersedes=replaced), allow_secret=allow_secret)
        if draft.supersedes:
            supersede.check_replaced(draft, look.memories(draft.supersedes), _all(look))
        return self._record(look, draft, stage=stage)

    def supersede(
        self, given: Id, body: str, *, kind: str = "", allow_secret: bool = False, stage: bool = False
    ) -> Row:
        """Record a memory with another text in the place of one; raises as ``record``."""
        from mneme_git.memories.limits import kind_of

        look = self.clone.look()
        name = look.resolve(given)
        draft = replace(supersede.draft_after(name, _one(look, name), body), source="person")
        if kind:
            draft = replace(draft, kind=kind_of(kind))
        return self.record(draft, allow_secret=allow_secret, stage=stage)

    def supersede_by(self, given: Id, by: Id) -> Row:
        """Let a memory that is there replace another; raises as ``record``."""
        look = self.clone.look()
        old, new = look.resolve(given), look.resolve(by)
        if new in look.equals(old):
            raise Refused(f"memory '{old}' cannot replace itself", hint="name the one that holds from now on")
        there = _one(look, new)
        draft = replace(
            supersede.draft_after(old, there, there.body),
            source=there.source,
            supersedes=tuple(dict.fromkeys((*there.supersedes, old))),
        )
        return self.record(draft, allow_secret=True)

    def recall(self, question: Question) -> Row:
        """Return what fits a question, best match first, or the newest if nothing is asked for.

        What is returned counts as recalled.
        """
        look = self.clone.look()
        visible = look.shown.visible if question.superseded else look.current
        hits = found_by(look, question, visible)
        memories = look.memories(hit.name for hit in hits)
        stale = self._stale(memories)
        found = [
            rows.recalled_row(look, hit.name, memories[hit.name], score=hit.score, stale=stale.get(hit.name))
            for hit in hits
            if hit.name in memories
        ]
        reply = packed(self._told({"matches": found}), question.budget, _to_read_on)
        if self.clone.at is None:
            self.clone.local.count(look.key_of(row["name"]) for row in reply["matches"])
        return reply

    def listed(self, question: Question) -> Row:
        """Return memories, the newest first, with what this clone counted of them."""
        look = self.clone.look()
        hits = found_by(look, replace(question, limit=question.limit + 1), listable(look, question))
        memories = look.memories(hit.name for hit in hits[: question.limit])
        reply = {"memories": self._listed(look, memories), "offset": question.offset, "limit": question.limit}
        more = {"truncated": True} if len(hits) > question.limit else {}
        return self._told({**reply, **more})

    def show(self, given: Sequence[Id]) -> Row:
        """Return memories in full. Raises NotFound, AmbiguousId."""
        look = self.clone.look()
        names = list(dict.fromkeys(look.resolve(one) for one in given))
        memories = {name: _one(look, name) for name in names}
        stale = self._stale(memories)
        found = []
        for row in self._listed(look, memories):
            standing = look.standing(row["name"])
            assert standing is not None
            found.append(
                {**rows.shown_row(row, memories[row["name"]], standing), "stale": stale.get(row["name"])}
            )
        return self._told({"memories": found})

    def mark(self, action: Action, given: Sequence[Id]) -> Row:
        """Forget, unforget, pin or unpin memories, and all that say the same.

        Raises:
            NotFound, AmbiguousId: one of them is not there; nothing was done.
            Refused: one of them cannot be marked so; nothing was done.
        """
        look = self.clone.look()
        names = tuple(dict.fromkeys(look.resolve(one) for one in given))
        plans = {
            side: _PLANS[action](mine, look.view_of(side), look.equals)
            for side in look.sides
            if (mine := [name for name in names if look.side_of(name) is side])
        }
        texts = look.memories(names)
        asked = [{**self._called(look, name), **_said(texts.get(name))} for name in names]
        return self._told({**self.carried_out(plans), "asked": asked})

    def promote(self, given: Id) -> Row:
        """Say a memory of the project again for all projects of the user.

        Raises:
            NotFound, AmbiguousId: it is not there.
            Refused: it is global already, or forgotten.
        """
        look = self.clone.look()
        name = look.resolve(given)
        standing = look.standing(name)
        if standing is None or not standing.live:
            raise Refused(f"memory '{name}' is forgotten", hint=f"run `mneme memory unforget {name}` first")
        memory = promoted(
            name, _one(look, name), created_at=stamp(self.workspace), author=self.clone.author()
        )
        side = self.clone.global_side()
        look = self.clone.look()
        made = plan_promote(memory, look.view_of(side), _saying(side, memory))
        reply = self._written(look, side, made, stage=False)
        return {**reply, "original": self._called(look, name)}

    def carried_out(self, plans: Mapping[Side, MemoryPlan]) -> Row:
        """Carry out plans of marks; the entries that acknowledge them are told for an undo."""
        changed: list[str] = []
        entries: list[str] = []
        notices: list[str] = []
        for side, plan in plans.items():
            if not plan.marks:
                continue
            written = side.store.write(plan)
            changed += dict.fromkeys(mark.name for mark in plan.marks)
            entries += [written.journal] if written.journal else []
            notices += written.notices
        if entries and self.clone.at is None:
            self.clone.look()  # since when a memory is forgotten counts from now, not from the next command
        return {"changed": changed, "entries": entries, "notices": notices}

    def stale(self) -> Row:
        """Return the current memories whose files or symbols have changed or vanished, newest first."""
        look = self.clone.look()
        memories = look.memories(look.current)
        stale = self._stale(memories)
        names = rows.newest_first({name: memories[name] for name in stale})
        listed = self._listed(look, {name: memories[name] for name in names})
        return self._told({"memories": [{**row, "stale": stale[row["name"]]} for row in listed]})

    def close(self) -> None:
        """Let go of everything."""
        self.clone.close()

    def __enter__(self) -> "Memories":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _record(self, look: Look, draft: Draft, *, stage: bool) -> Row:
        side = self.clone.side(draft.scope)
        if side not in look.sides:  # the first global memory
            look = self.clone.look()
        view = look.view_of(side)
        existing = side.memories(side.index.same_content(draft_key(draft)))
        blobs, texts = ({}, {}) if same_in(draft, view, existing) else self._anchors(draft)
        memory = memory_of(
            draft,
            created_at=stamp(self.workspace),
            author=self.clone.author(),
            branch="" if draft.scope is MemoryScope.GLOBAL else _as_text(look.branch),
            blobs=blobs,
            texts=texts,
        )
        plan = supersede.plan_supersede if draft.supersedes else plan_record
        outside = [path for path in draft.files if is_outside(path)]
        told = [f"'{path}' is outside of the repository: it is kept as it was given" for path in outside]
        return self._written(look, side, plan(memory, view, existing), stage=stage, notices=told)

    def _written(
        self, look: Look, side: Side, made: Recording, *, stage: bool, notices: Sequence[str] = ()
    ) -> Row:
        written = side.store.write(made.plan, stage=stage) if made.plan else Written()
        if made.plan:
            side.index.add({made.name: made.memory})
            self.clone.local.meet([(side.scope.value, made.name)])
        noted = self._noted(side) if made.plan else ()
        known = self.clone.local.known().get((side.scope.value, made.name))
        reply = {
            "id": known.number if known else None,
            "name": made.name,
            "short": look.names.short(made.name),
            "scope": side.scope.value,
            "created_at": rows.moment(made.memory),
            "existing": made.existed,
            "journal": written.journal or None,
            "paths": list(written.paths) or None,
        }
        return self._told(reply, (*notices, *written.notices, *noted))

    def _noted(self, side: Side) -> tuple[str, ...]:
        """Note where the project is, for others to search it; return what is to be said if that fails."""
        from mneme_git.store.user_data import remember_project

        if side is not self.clone.project:
            return ()
        told = remember_project(side.backend.common_dir, side.backend.work_tree)
        return (told,) if told else ()

    def _listed(self, look: Look, memories: Mapping[str, Memory]) -> list[Row]:
        counts = self.clone.local.counts()
        gone: dict[tuple[str, str], int] = {}
        for view in look.views:
            gone.update(self.clone.local.forgotten(view.branch))
        listed = []
        for name, memory in memories.items():
            key, standing = look.key_of(name), look.standing(name)
            at = gone.get(key) if standing and not standing.live else None
            listed.append(rows.listed_row(look, name, memory, count=counts.get(key), forgotten_at=at))
        return listed

    def _called(self, look: Look, name: str) -> Row:
        return {
            "id": look.number(name),
            "name": name,
            "short": look.names.short(name),
            "scope": look.side_of(name).scope.value,
        }

    def _anchors(self, draft: Draft) -> tuple[dict[str, str], dict[str, str]]:
        if draft.scope is MemoryScope.GLOBAL or not (draft.files or draft.identifiers):
            return {}, {}
        return self.clone.anchors.recorded(draft.files, draft.identifiers)

    def _stale(self, memories: Mapping[str, Memory]) -> dict[str, list[Row]]:
        if not any(memory.files or memory.identifiers for memory in memories.values()):
            return {}
        found = self.clone.anchors.stale(memories)
        return {name: [to_builtins(change) for change in changes] for name, changes in found.items()}

    def _told(self, reply: Row, notices: Iterable[str] = ()) -> Row:
        """Return a reply with what people should know at its end."""
        told = [*reply.pop("notices", ()), *notices, *self.clone.notices()]
        return {**reply, "notices": told} if told else reply


def _as_text(branch: str) -> str:
    """Return the name of a branch as a record can hold it, also where its bytes are no UTF-8."""
    return branch.encode("utf-8", "backslashreplace").decode("utf-8")


def _to_read_on(row: Row) -> str:
    return f"mneme memory show {row['short']}"


def _all(look: Look) -> MemoryView:
    """Return the memories of all scopes in one view."""
    standings = {name: row for view in reversed(look.views) for name, row in view.standings.items()}
    return MemoryView(standings=standings, branch=look.branch)


def _saying(side: Side, memory: Memory) -> dict[str, Memory]:
    from mneme_git.memories.content import content_key

    return side.memories(side.index.same_content(content_key(memory)))


def _with_twins(look: Look, names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names``, each with the live memories that say the same: what is replaced is what they say."""
    found: dict[str, None] = {}
    for name in names:
        twins = sorted(twin for twin in look.equals(name) if (row := look.standing(twin)) and row.live)
        found.update(dict.fromkeys((name, *twins)))
    return tuple(found)


def _said(memory: Memory | None) -> Row:
    return {"kind": memory.kind.value, "body": memory.body} if memory else {"kind": None, "body": None}


def _one(look: Look, name: str) -> Memory:
    found = look.memories([name]).get(name)
    if found is None:
        raise InvalidInput(
            f"the text of memory '{name}' cannot be read",
            hint="`mneme verify` names what is damaged; `mneme restore` brings it back where a copy is left",
        )
    return found
