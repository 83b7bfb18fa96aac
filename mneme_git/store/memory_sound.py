"""Whether what a memory file holds can be kept in a git store as it is."""

from collections.abc import Iterator

from mneme_git.errors import InvalidInput
from mneme_git.model.codec import encode_state, encode_version
from mneme_git.model.decision import id_of
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.quoting import quoted


def not_storable(snapshot: Snapshot) -> Iterator[str]:
    """Yield why decisions and versions of a memory file have no file of their own in a git store."""
    for version_id, version in snapshot.versions.items():
        if id_of(version) != version_id:
            yield f"the occurrence of version {quoted(version_id)} holds more than texts"
            continue
        try:
            encode_version(version)
        except InvalidInput as error:
            yield f"version {quoted(version_id)}: {error.message}"
    for state in snapshot.decisions:
        try:
            encode_state(state)
        except InvalidInput as error:
            yield f"decision {quoted(state.decision_id)}: {error.message}"
