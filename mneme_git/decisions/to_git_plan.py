"""What of a memory file goes into a git store: by decision, against what both held when they last agreed.

All states are as a git store has them, without blobs. Where only the file changed, git takes its
state; where only git changed, git keeps its own. Where both changed, a person must say.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import DecisionId
from mneme_git.text.order import natural_key

Outcome = Literal["new", "changed", "same", "kept", "gone", "conflict"]
_States = Mapping[DecisionId, DecisionState]


class Fate(Struct, frozen=True):
    """What becomes of one decision.

    ``new`` and ``changed`` are taken from the file. ``kept``: git is further on, or has what the file
    never had. ``gone``: the file no longer has it, git keeps it. ``conflict``: both changed.
    """

    decision_id: DecisionId
    outcome: Outcome


def fates(base: _States, file: _States, git: _States) -> tuple[Fate, ...]:
    """Return the fate of every decision of the three, in natural order of id.

    ``base`` is what the file held when it was last in agreement with git; empty if it never was.
    """
    ids = sorted({*base, *file, *git}, key=natural_key)
    return tuple(Fate(each, _outcome(base.get(each), file.get(each), git.get(each))) for each in ids)


def _outcome(base: DecisionState | None, file: DecisionState | None, git: DecisionState | None) -> Outcome:
    if file == git:
        return "same"
    if file is None:
        return "kept" if base is None else "gone"
    if file == base:
        return "kept"
    if git == base:
        return "new" if git is None else "changed"
    return "conflict"


class ToGit(Struct, frozen=True, kw_only=True):
    """What moving a memory file into git comes to.

    ``versions`` and ``rules`` count what the file holds, ``adrs`` the ADR files that still have the
    bytes that were imported. ``carried`` names the top-level keys without a place of their own in
    git. ``init`` tells that the store is made too, ``changes`` that there is something to write.
    ``proposals`` and ``verdicts`` count what git does not have yet of these.
    """

    fates: tuple[Fate, ...]
    versions: int
    rules: int
    adrs: int
    carried: tuple[str, ...]
    init: bool
    changes: bool
    proposals: int = 0
    verdicts: int = 0
