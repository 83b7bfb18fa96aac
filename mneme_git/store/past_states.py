"""The state that a decision had in some commit."""

from mneme_git.errors import MnemeError
from mneme_git.model.codec import decode_state
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitBackend


def past_state(
    backend: GitBackend, commit: ObjectId, path: str, *, only_sound: bool = False
) -> DecisionState | None:
    """Return the state in the decision file at ``path`` of ``commit``; None if there is none to read.

    A state that disagrees with its digest is told as it stands, unless ``only_sound``.
    """
    entry = next((row for row in backend.tree_files(commit, path) if row.path == path), None)
    if entry is None:
        return None
    try:
        state, is_sound = decode_state(backend.read(entry.oid).data)
    except MnemeError:
        return None
    return state if is_sound or not only_sound else None
