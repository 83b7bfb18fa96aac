"""Recording: from what was said to the memory that is kept, or to the one that says it already."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import InvalidInput, Refused
from mneme_git.memories.content import content_key, key_of
from mneme_git.memories.limits import SOURCE_LIMIT, TASK_LIMIT, check_body, check_list, check_text, is_blank
from mneme_git.memories.secrets import Secret, find_secret
from mneme_git.memories.shown import OURS, nearness
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.memory_view import Mark, MemoryPlan, MemoryView


class Draft(Struct, frozen=True, kw_only=True):
    """What somebody wants remembered. ``files`` are paths from the root of the repository."""

    kind: MemoryKind
    body: str
    scope: MemoryScope = MemoryScope.PROJECT
    task: str = ""
    files: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source: str = "agent"
    supersedes: tuple[str, ...] = ()


class Recording(Struct, frozen=True, kw_only=True):
    """What recording a draft comes to.

    ``name`` is the memory that says it. ``plan`` is None if nothing is to be written. ``existed``
    tells that the name is that of a memory that was there before.
    """

    name: str
    memory: Memory
    plan: MemoryPlan | None = None
    existed: bool = False


def checked(draft: Draft, *, allow_secret: bool = False) -> Draft:
    """Return the draft as it is kept: the body verbatim, paths normalised, lists without repeats.

    Raises:
        InvalidInput: a part is empty, too long, not valid Unicode or no path.
        Refused: it looks as if it held a secret; only the kind and the place are told.
    """
    check_body(draft.body)
    check_text("task", draft.task, TASK_LIMIT)
    check_text("source", draft.source, SOURCE_LIMIT)
    for what in ("files", "identifiers", "tags"):
        check_list(what, getattr(draft, what))
    if not allow_secret:
        _refuse_secrets(draft)
    return replace(
        draft,
        files=_distinct(map(normal_path, draft.files)),
        identifiers=_distinct(text.strip() for text in draft.identifiers),
        tags=_distinct(text.strip() for text in draft.tags),
    )


def draft_key(draft: Draft) -> str:
    """Return the ``content_key`` that the memory of a checked draft will have."""
    return key_of(draft.kind, draft.scope, draft.body, draft.task, draft.files, draft.identifiers, draft.tags)


def memory_of(
    draft: Draft,
    *,
    created_at: str,
    author: str,
    branch: str,
    blobs: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Memory:
    """Return the memory of a checked draft.

    ``blobs`` has the blob id of each named file, ``texts`` the sha256 of each named symbol's text;
    what is missing there is recorded as not found.
    """
    blobs, texts = blobs or {}, texts or {}
    return Memory(
        kind=draft.kind,
        scope=draft.scope,
        body=draft.body,
        task=draft.task,
        files=tuple(FileAnchor(path=path, blob=blobs.get(path, "")) for path in draft.files),
        identifiers=tuple(
            SymbolAnchor(name=name, text_sha256=texts.get(name, "")) for name in draft.identifiers
        ),
        tags=draft.tags,
        source=draft.source,
        supersedes=draft.supersedes,
        created_at=created_at,
        author=author,
        branch=branch,
    )


def same_in(draft: Draft, view: MemoryView, existing: Mapping[str, Memory]) -> str | None:
    """Return the live memory that says what a checked draft says, None if there is none.

    ``existing`` are memories that may be equal, by name. One that is here comes before one that is
    pending for this branch, before one that is pending for another, before one elsewhere; then the
    earliest, then the smaller name. One that does not supersede all that the draft would is not it.
    """
    key, wanted = draft_key(draft), set(draft.supersedes)
    found = [
        (nearness(view.standings[name], view.branch), memory.created_at, name)
        for name, memory in existing.items()
        if name in view.standings and view.standings[name].live
        if wanted <= set(memory.supersedes) and content_key(memory) == key
    ]
    return min(found)[2] if found else None


def plan_record(memory: Memory, view: MemoryView, existing: Mapping[str, Memory]) -> Recording:
    """Plan to record a memory, or find that a live one says it already.

    A memory of another branch that says the same is recorded for this one as it is, byte for byte:
    so this branch has it too, and the two merge. One that has the very same bytes and was forgotten
    becomes live again.
    """
    same = same_in(draft_of(memory), view, existing)
    if same is not None:
        is_ours = nearness(view.standings[same], view.branch) <= OURS
        plan = None if is_ours else _plan(same, existing[same])
        return Recording(name=same, memory=existing[same], plan=plan, existed=True)
    name = name_of(memory)
    standing = view.standings.get(name)
    was_forgotten = standing is not None and standing.forgotten
    marks = (Mark("unforget", name),) if was_forgotten else ()
    return Recording(name=name, memory=memory, plan=_plan(name, memory, marks))


def name_of(memory: Memory) -> str:
    """Return the name of a memory: the first 32 hex digits of the sha256 of its bytes."""
    return name_of_bytes(encode_memory(memory))


def normal_path(path: str) -> str:
    """Return a path as git writes it: ``/`` between names, no ``.``, no doubled or last ``/``.

    A ``..`` is resolved against what stands before it. What leads out of the repository, or is
    absolute, stays as it was given: it names no file of the repository, and nothing is lost.

    Raises:
        InvalidInput: no path has such characters.
    """
    if "\0" in path:
        raise InvalidInput("a path cannot hold a NUL character", hint="name the file as git does")
    if path.startswith("/"):
        return path
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not kept:
                return path
            kept.pop()
        elif part not in {"", "."}:
            kept.append(part)
    return "/".join(kept)


def is_outside(path: str) -> bool:
    """Tell whether a path that ``normal_path`` returned names no file of the repository."""
    return path.startswith("/") or ".." in path.split("/")


def draft_of(memory: Memory) -> Draft:
    """Return what a memory says, as somebody would want it remembered; its source is left open."""
    return Draft(
        kind=memory.kind,
        body=memory.body,
        scope=memory.scope,
        task=memory.task,
        files=tuple(anchor.path for anchor in memory.files),
        identifiers=tuple(anchor.name for anchor in memory.identifiers),
        tags=memory.tags,
        supersedes=memory.supersedes,
    )


def _plan(name: str, memory: Memory, marks: tuple[Mark, ...] = ()) -> MemoryPlan:
    return MemoryPlan(verb="record", subject=name, memories=(memory,), marks=marks)


def _distinct(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for item in items if not is_blank(item)))


def _refuse_secrets(draft: Draft) -> None:
    for what in ("body", "task", "source"):
        _refuse(what, find_secret(getattr(draft, what)))
    for what in ("files", "identifiers", "tags"):
        for position, item in enumerate(getattr(draft, what), 1):
            _refuse(f"{what}, item {position},", find_secret(item))


def _refuse(what: str, found: Secret | None) -> None:
    if found is not None:
        raise Refused(
            f"{what} looks as if it held {found.kind}, in line {found.line}",
            hint="say where the secret is kept, not what it is; --allow-secret records it all the same",
            tool_hint="say where the secret is kept, not what it is",
        )
