"""Decision files that cannot be trusted: which good states stand behind them.

A mixture (made by ``-X ours``, a union merge or a JSON merge driver), a hand edit and conflict
markers that were committed all look alike: the bytes are no state that anybody made. The index and
HEAD may still have the last good one. Where they have the mixture too, the newest good state on
each parent line of the commit that brought it in counts, because both were in force before.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord
from mneme_git.model.codec import state_digest
from mneme_git.model.decision import DecisionState
from mneme_git.model.ids import ObjectId
from mneme_git.store.copies import Copies, Line
from mneme_git.store.soundness import claimed_digests, has_markers, sides_of_markers, sound_state

_SHORT = 12
_OURS, _THEIRS = "ours", "theirs"


class Good(Struct, frozen=True, kw_only=True):
    """A good state of a decision and the label of where it was found."""

    label: str
    state: DecisionState
    data: bytes


class Behind(Struct, frozen=True, kw_only=True):
    """The distinct good states behind a file. ``torn`` tells that conflict markers stand in it.

    ``lost`` are digests that a file with markers claims and that no state was found for.
    """

    good: tuple[Good, ...] = ()
    torn: bool = False
    lost: tuple[str, ...] = ()


def behind(path: str, data: bytes, copies: Copies) -> Behind:
    """Return what stands behind the untrustworthy bytes of a decision file."""
    staged = copies.index(path)
    known = data if staged is None else staged
    if has_markers(data):
        return _behind_markers(path, data, copies)
    if known != data and (found := _good("index", known)):
        return Behind(good=(found,))
    if has_markers(known):
        return _behind_markers(path, known, copies)
    lines = copies.lines()
    found_on_lines = _distinct(good for line in lines for good in on_line(line, path, copies))
    if found_on_lines:
        return Behind(good=_told_apart(found_on_lines))
    return Behind(good=_distinct(_from_journal(path, claimed_digests(data), copies)))


def on_line(line: Line, path: str, copies: Copies) -> tuple[Good, ...]:
    """Return the newest good states of the file at ``path`` on a line of history.

    Where the line itself passes through a merge that made a mixture, there can be several. If no
    merge is in progress, what its first parent has is ``ours`` then, and what the others have
    ``theirs``; else, as those words are taken, it is called by its commit.
    """
    alone = len(copies.lines()) == 1
    found: list[Good] = []
    seen: set[ObjectId] = set()
    waiting = [(line.commit, label_of(line))]
    while waiting:
        commit, label = waiting.pop(0)
        if commit in seen:
            continue
        seen.add(commit)
        data = copies.at(commit, path)
        if data is None:
            continue
        good = _good(label, data)
        if good is not None:
            found.append(good)
        else:
            for nth, parent in enumerate(copies.brought_in(commit, path)):
                known_as = _THEIRS if nth else label
                waiting.append((parent, known_as if alone else parent[:_SHORT]))
    return tuple(found)


def label_of(line: Line) -> str:
    """Return ``ours`` for HEAD and ``theirs`` for what is being merged, picked or reverted."""
    return _OURS if line.label == "HEAD" else _THEIRS


def _behind_markers(path: str, data: bytes, copies: Copies) -> Behind:
    sides = sides_of_markers(data)
    claimed = tuple(sides) or claimed_digests(data)
    staged = copies.index(path)
    found = [good for line in copies.lines() for good in on_line(line, path, copies)]
    if staged is not None and (good := _good("index", staged)):
        found.append(good)
    found.extend(_from_journal(path, claimed, copies))
    distinct = _distinct(found)
    lost = _missing(claimed, distinct)
    if lost:
        others = (good for bytes_ in copies.anywhere(path) if (good := _good("history", bytes_)))
        wanted = [good for good in others if state_digest(good.state) in lost]
        distinct = _distinct((*distinct, *wanted))
        lost = _missing(claimed, distinct)
    labelled = [replace(good, label=sides.get(state_digest(good.state), good.label)) for good in distinct]
    first = sorted(labelled, key=lambda good: (state_digest(good.state) not in sides, good.label))
    return Behind(good=_told_apart(first), torn=True, lost=lost)


def _missing(claimed: Iterable[str], found: Iterable[Good]) -> tuple[str, ...]:
    have = {state_digest(good.state) for good in found}
    return tuple(digest for digest in claimed if digest not in have)


def _from_journal(path: str, digests: Iterable[str], copies: Copies) -> Iterator[Good]:
    from mneme_git.store.journal import state_name

    claimed = [copies.journal(state_name(digest)) for digest in digests]
    stored = claimed if any(claimed) else [copies.last_state(path)]
    for bytes_ in stored:
        if bytes_ is not None and (good := _good("journal", bytes_)):
            yield good


def _good(label: str, data: bytes) -> Good | None:
    try:
        state, _ = sound_state(data)
    except CorruptRecord:
        return None
    return Good(label=label, state=state, data=data)


def _distinct(found: Iterable[Good]) -> tuple[Good, ...]:
    """Return the first of each different state, in the order given."""
    kept: dict[str, Good] = {}
    for good in found:
        kept.setdefault(state_digest(good.state), good)
    return tuple(kept.values())


def _told_apart(found: Iterable[Good]) -> tuple[Good, ...]:
    """Return the same states; of equal labels the later ones get the beginning of a digest."""
    told: dict[str, Good] = {}
    for good in found:
        label = f"{good.label}-{state_digest(good.state)[:8]}" if good.label in told else good.label
        told[label] = replace(good, label=label)
    return tuple(told.values())
