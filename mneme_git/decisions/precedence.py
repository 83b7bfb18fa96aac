"""Which of several accepted ADRs of one scope holds: decision-index format, section 5.4.

Among accepted ADRs of exactly the same scope that nothing supersedes, the higher priority wins,
then the later date (compared as days); a tie leaves the whole scope undecided.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from mneme_git.decisions.adr_graph import Links
from mneme_git.model.adr import Adr
from mneme_git.model.decision import Lifecycle
from mneme_git.model.ids import DecisionId

RANKS = {"foundational": 2, "normal": 1, "exception": 0}


class Tie(Struct, frozen=True):
    """A scope without a winner: the ADRs that tie at the top, and all that are left undecided."""

    scope: str
    top: tuple[DecisionId, ...]
    group: tuple[DecisionId, ...]


class Precedence(Struct, frozen=True, kw_only=True):
    """``loses_to`` gives the winner for every loser."""

    loses_to: Mapping[DecisionId, DecisionId]
    ties: tuple[Tie, ...]


def decide(
    adrs: Sequence[Adr], links: Mapping[DecisionId, Links], *, with_global: bool = False
) -> Precedence:
    """Return who gives way to whom, ids in the order of ``adrs``.

    Only ADRs of the front-matter dialect that state a scope take part, those without one too if
    ``with_global`` (the rule of the existing format).
    """
    groups: dict[str, list[Adr]] = {}
    for adr in adrs:
        takes_part = adr.dialect == "front-matter" and (with_global or bool(adr.scope))
        if takes_part and links[adr.id].lifecycle is Lifecycle.ACTIVE:
            groups.setdefault(adr.scope or "", []).append(adr)
    loses_to: dict[DecisionId, DecisionId] = {}
    ties: list[Tie] = []
    for scope in sorted(groups):
        best = max(_strength(adr) for adr in groups[scope])
        top = [adr.id for adr in groups[scope] if _strength(adr) == best]
        if len(top) > 1:
            ties.append(Tie(scope, tuple(top), tuple(adr.id for adr in groups[scope])))
        else:
            loses_to.update({adr.id: top[0] for adr in groups[scope] if adr.id != top[0]})
    return Precedence(loses_to=loses_to, ties=tuple(ties))


def active_order(adr: Adr) -> tuple[int, int]:
    """Return a sort key: the narrower scope first, then the higher priority; ids decide by their order."""
    depth = len(adr.scope.split(".")) if adr.scope else 0
    return -depth, -RANKS.get(adr.priority, RANKS["normal"])


def _strength(adr: Adr) -> tuple[int, int]:
    return RANKS[adr.priority], adr.day
