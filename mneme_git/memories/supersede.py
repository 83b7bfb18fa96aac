"""Replacing a memory by a new one that says why the old no longer holds."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mneme_git.errors import NotFound, Refused
from mneme_git.memories.content import content_key
from mneme_git.memories.record import Draft, Recording, draft_key, plan_record
from mneme_git.model.memory import Memory
from mneme_git.model.memory_view import MemoryView


def draft_after(name: str, old: Memory, body: str) -> Draft:
    """Return a draft that replaces a memory and is about the same: only the body is new."""
    return Draft(
        kind=old.kind,
        body=body,
        scope=old.scope,
        task=old.task,
        files=tuple(anchor.path for anchor in old.files),
        identifiers=tuple(anchor.name for anchor in old.identifiers),
        tags=old.tags,
        supersedes=(name,),
    )


def check_replaced(draft: Draft, replaced: Mapping[str, Memory], view: MemoryView) -> None:
    """Check that a draft can take the place of all that it supersedes.

    ``replaced`` are these memories by name; ``view`` is the one, or the union of those, that has them.

    Raises:
        NotFound: there is no such memory.
        Refused: it is forgotten, or says what the draft says.
    """
    for name in draft.supersedes:
        if name not in replaced or name not in view.standings:
            raise NotFound(
                "memory",
                name,
                hint="`mneme memory list --all` shows the ids",
                tool_hint="mneme_list_memories shows the ids",
            )
        if not view.standings[name].live:
            raise Refused(
                f"memory '{name}' is forgotten: there is nothing to replace",
                hint="record the new text as it is, with `mneme memory record`",
            )
        if content_key(replaced[name]) == draft_key(draft):
            raise Refused(
                f"memory '{name}' says the same already", hint="give the text that holds from now on"
            )


def plan_supersede(memory: Memory, view: MemoryView, existing: Mapping[str, Memory]) -> Recording:
    """Plan to record a memory that supersedes others; as ``plan_record``, with the verb ``supersede``."""
    made = plan_record(memory, view, existing)
    if made.plan is None:
        return made
    return replace(made, plan=replace(made.plan, verb="supersede", subject=_subject(memory.supersedes)))


def _subject(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} memories"
