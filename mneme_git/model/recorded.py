"""What a memory file records of decisions beside the model: times and display versions."""

from msgspec import Struct

from mneme_git.model.ids import DecisionId, VersionId


class Recorded(Struct, frozen=True, kw_only=True):
    """Times as they stand in the file, and the display version of each version.

    A git store records none of it: who and when are git's to tell.
    """

    created_at: dict[VersionId, str] = {}
    updated_at: dict[DecisionId, str] = {}
    revision: dict[VersionId, str] = {}
