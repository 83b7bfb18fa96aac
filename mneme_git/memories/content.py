"""Which memories say the same: the key of what was recorded, without when, where and by whom."""

from collections.abc import Iterable

from mneme_git.model.memory import Memory, MemoryKind, MemoryScope
from mneme_git.text.canonical import ascii_hash


def content_key(memory: Memory) -> str:
    """Return the lower-case hex sha256 of what a memory says; equal for memories of equal content.

    Kind, scope, body, task and the sets of file paths, identifiers and tags count. Times, author,
    branch, source, the anchors' hashes and what it supersedes do not.
    """
    return key_of(
        memory.kind,
        memory.scope,
        memory.body,
        memory.task,
        (anchor.path for anchor in memory.files),
        (anchor.name for anchor in memory.identifiers),
        memory.tags,
    )


def key_of(
    kind: MemoryKind,
    scope: MemoryScope,
    body: str,
    task: str,
    files: Iterable[str],
    identifiers: Iterable[str],
    tags: Iterable[str],
) -> str:
    """Return the ``content_key`` of a memory that is not made yet."""
    lists = [sorted(set(values)) for values in (files, identifiers, tags)]
    return ascii_hash([kind.value, scope.value, body, task, *lists])
