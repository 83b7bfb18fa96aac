"""The times and display versions of a memory file, which have no place in the model of decisions."""

from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.recorded import Recorded
from mneme_git.store.memory_index import MemoryIndex


def recorded_in(index: MemoryIndex) -> Recorded:
    """Return what a verified index records beside its decisions.

    ``created_at`` of a version that is not active is not checked by the format; if it is no text it
    counts as not recorded.
    """
    created = {name: row.get("created_at", "") for name, row in index.versions.items()}
    return Recorded(
        created_at={VersionId(name): time for name, time in created.items() if isinstance(time, str)},
        updated_at={DecisionId(row["decision_id"]): row.get("updated_at", "") for row in index.decisions},
        revision={VersionId(name): row["revision"] for name, row in index.versions.items()},
    )
