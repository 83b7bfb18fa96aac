"""How ADRs supersede each other, and what that makes of their status.

Format, section 5.4: an accepted ADR that an accepted ADR supersedes is superseded, whatever its
own status still says. A relation counts whichever of the two files states it.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from mneme_git.decisions.adr_ids import Recorded
from mneme_git.decisions.adr_read import number_in, stem_of
from mneme_git.decisions.adr_status import SURE
from mneme_git.model.adr import Adr, Mention, Problem, Remark
from mneme_git.model.decision import DecisionState, Lifecycle
from mneme_git.model.ids import DecisionId
from mneme_git.text.order import natural_key
from mneme_git.text.quoting import quoted


class Links(Struct, frozen=True, kw_only=True):
    """What the relations make of one ADR.

    ``supersedes`` is in the order of its own text, then what other files add, by id.
    ``superseded_by`` is the first, in natural order, of the accepted ADRs that supersede it, or
    else the decision that its own text names; empty if there is none.
    """

    lifecycle: Lifecycle
    supersedes: tuple[DecisionId, ...] = ()
    superseded_by: str = ""


class Graph(Struct, frozen=True, kw_only=True):
    """The links of every ADR by id, and decisions outside the folder that an ADR says succeed it.

    ``outside`` gives, for a decision that is recorded but not in the folder, the ids it supersedes
    by the word of ADRs in the folder.
    """

    links: Mapping[DecisionId, Links]
    outside: Mapping[DecisionId, tuple[DecisionId, ...]]
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()


def build_graph(
    adrs: Sequence[Adr],
    states: Mapping[DecisionId, DecisionState],
    recorded: Sequence[Recorded],
    unread: Sequence[str],
) -> Graph:
    """Return the graph of ``adrs`` (natural order of id).

    ``states`` are the settled decisions of the store, ``recorded`` the ADR files they came from;
    ``unread`` are the paths of the folder that have problems of their own.
    """
    names = _Names(adrs, states, recorded, unread)
    older: dict[DecisionId, list[DecisionId]] = {adr.id: [] for adr in adrs}
    added: dict[DecisionId, list[DecisionId]] = {}
    lines: dict[tuple[DecisionId, DecisionId], tuple[str, int]] = {}
    for adr in adrs:
        for mention in adr.supersedes:
            if (target := names.find(adr, mention)) is not None:
                _append(older[adr.id], target)
                lines.setdefault((adr.id, target), (adr.path, mention.line))
    for adr in adrs:
        for mention in adr.superseded_by:
            if (newer := names.find(adr, mention)) is not None:
                _append(added.setdefault(newer, []), adr.id)
                lines.setdefault((newer, adr.id), (adr.path, mention.line))
    for newer, targets in added.items():
        for target in sorted(targets, key=natural_key):
            _append(older.setdefault(newer, []), target)
    return Graph(
        links=_links(adrs, older, added, states),
        outside={newer: tuple(added[newer]) for newer in added if newer not in {adr.id for adr in adrs}},
        problems=(*names.problems, *_cycles(_with_stored(older, states), lines)),
        remarks=tuple(names.remarks),
    )


def _append(ids: list[DecisionId], new: DecisionId) -> None:
    if new not in ids:
        ids.append(new)


def _links(
    adrs: Sequence[Adr],
    older: Mapping[DecisionId, list[DecisionId]],
    added: Mapping[DecisionId, list[DecisionId]],
    states: Mapping[DecisionId, DecisionState],
) -> dict[DecisionId, Links]:
    by_own_word: dict[DecisionId, DecisionId] = {}
    for newer in sorted(added, key=natural_key):
        for target in added[newer]:
            by_own_word.setdefault(target, newer)
    by_accepted = _successors(adrs, older, states)
    here = {adr.id for adr in adrs}
    for target, newer in by_own_word.items():
        if newer not in here:  # a successor elsewhere is taken to be accepted
            by_accepted.setdefault(target, newer)
    return {adr.id: _links_of(adr, older[adr.id], by_accepted.get(adr.id), by_own_word) for adr in adrs}


def _successors(
    adrs: Sequence[Adr],
    older: Mapping[DecisionId, list[DecisionId]],
    states: Mapping[DecisionId, DecisionState],
) -> dict[DecisionId, DecisionId]:
    """Return, for each superseded decision, the first in natural order of the accepted ones above it.

    A decision in force that no file here speaks for speaks by its stored relations.
    """
    above: dict[DecisionId, DecisionId] = {}
    for adr in adrs:
        if adr.status.lifecycle is Lifecycle.ACTIVE:
            for target in older[adr.id]:
                above.setdefault(target, adr.id)
    for decision_id in sorted(set(states) - {adr.id for adr in adrs}, key=natural_key):
        if states[decision_id].lifecycle_status is Lifecycle.ACTIVE:
            for relation in states[decision_id].relationships:
                above.setdefault(relation.target_decision_id, decision_id)
    return above


def _links_of(
    adr: Adr,
    older: Sequence[DecisionId],
    accepted: DecisionId | None,
    by_own_word: Mapping[DecisionId, DecisionId],
) -> Links:
    lifecycle = adr.status.lifecycle
    if lifecycle is Lifecycle.ACTIVE and accepted:
        lifecycle = Lifecycle.SUPERSEDED
    successor = accepted or by_own_word.get(adr.id) or ""
    return Links(
        lifecycle=lifecycle,
        supersedes=tuple(older),
        superseded_by=successor if lifecycle is Lifecycle.SUPERSEDED else "",
    )


class _Names:
    """Finds the decision that a text means by a link, a file name, an id or a number."""

    def __init__(
        self,
        adrs: Sequence[Adr],
        states: Mapping[DecisionId, DecisionState],
        recorded: Sequence[Recorded],
        unread: Sequence[str],
    ) -> None:
        self.problems: list[Problem] = []
        self.remarks: list[Remark] = []
        self._ids = {adr.id for adr in adrs} | set(states)
        self._by_file = {row.path: row.id for row in recorded} | {adr.path: adr.id for adr in adrs}
        self._by_stem = {stem_of(adr.path).lower(): adr.id for adr in adrs}
        self._by_number: dict[str, list[DecisionId]] = {}
        for adr in adrs:
            for number in dict.fromkeys((_digits(adr.number), _digits(adr.id))):
                if number:
                    self._by_number.setdefault(number, []).append(adr.id)
        self._unread = {stem_of(path).lower() for path in unread}
        self._unread_numbers = {_digits(number_in(path.rsplit("/", 1)[-1])) for path in unread} - {""}

    def find(self, adr: Adr, mention: Mention) -> DecisionId | None:
        """Return the decision, or None; then it has been reported."""
        exact = DecisionId(mention.text)
        if exact in self._ids:
            return exact
        found = self._linked(adr, mention.target)
        if found is None and adr.dialect == "headings":
            several = self._loose(mention.text)
            if len(several) > 1:
                self._ambiguous(adr, mention, several)
                return None
            found = several[0] if several else None
        if found is None and not self._is_unread(mention):
            self._unknown(adr, mention)
        return found

    def _linked(self, adr: Adr, target: str) -> DecisionId | None:
        path = target.split("#", 1)[0].split("?", 1)[0]
        if not path or "://" in path:
            return None
        joined = _resolved(adr.path.rpartition("/")[0], path)
        return self._by_file.get(joined) or self._by_stem.get(_bare_name(path))

    def _loose(self, text: str) -> list[DecisionId]:
        if (by_stem := self._by_stem.get(_bare_name(text))) is not None:
            return [by_stem]
        return self._by_number.get(_digits(text.split(" ", 1)[0]) or _digits(text), [])

    def _is_unread(self, mention: Mention) -> bool:
        """Tell whether it names a file that is reported anyhow."""
        named = {_bare_name(mention.target.split("#", 1)[0]), _bare_name(mention.text)}
        return bool(named & self._unread) or _digits(mention.text) in self._unread_numbers

    def _ambiguous(self, adr: Adr, mention: Mention, several: Sequence[DecisionId]) -> None:
        listed = ", ".join(several)
        message = f"{quoted(mention.text)} is the number of several ADRs: {listed}"
        hint = "name the file that is meant"
        self.problems.append(Problem(adr.path, mention.line, "AMBIGUOUS_ADR", message, hint))

    def _unknown(self, adr: Adr, mention: Mention) -> None:
        named = mention.text or mention.target
        if adr.dialect == "front-matter" and not mention.target and mention in adr.supersedes:
            message = f"supersedes references unknown ADR {quoted(named)}"
            hint = "correct the id, or add the ADR"
            self.problems.append(Problem(adr.path, mention.line, "UNKNOWN_ADR", message, hint))
        elif mention.target or SURE.match(named):  # other words may just be words
            message = f"{quoted(named)} names no ADR that is here or recorded; the relation is not kept"
            self.remarks.append(Remark(adr.path, mention.line, "UNKNOWN_ADR", message))


def _digits(text: str) -> str:
    """Return the number in ``7``, ``#7``, ``0007-title``, ``ADR-7`` or ``ADR 7: title``, without zeros."""
    bare = text.strip().lstrip("#").lower()
    for prefix in ("adr", "rfc"):
        bare = bare.removeprefix(prefix)
    bare = bare.lstrip("-_ #")
    digits = bare[: len(bare) - len(bare.lstrip("0123456789"))]
    rest = bare[len(digits) :]
    is_whole = not rest or not rest[0].isalpha()
    return (digits.lstrip("0") or "0") if digits and is_whole else ""


def _bare_name(path: str) -> str:
    name = path.rsplit("/", 1)[-1].lower()
    return name.removesuffix(".md").removesuffix(".markdown")


def _resolved(folder: str, path: str) -> str:
    parts = [] if path.startswith("/") else [part for part in folder.split("/") if part not in {"", "."}]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _with_stored(
    older: Mapping[DecisionId, Sequence[DecisionId]], states: Mapping[DecisionId, DecisionState]
) -> dict[DecisionId, list[DecisionId]]:
    """Add the relations of decisions that no file of the folder speaks for."""
    edges = {newer: list(targets) for newer, targets in older.items()}
    for decision_id, state in states.items():
        stored = [relation.target_decision_id for relation in state.relationships]
        if stored and decision_id not in edges:
            edges[decision_id] = stored
    return edges


def _cycles(
    edges: Mapping[DecisionId, Sequence[DecisionId]],
    lines: Mapping[tuple[DecisionId, DecisionId], tuple[str, int]],
) -> list[Problem]:
    """Report one cycle for each set of ADRs that go round, at each file that states a part of it."""
    left = {node: [target for target in targets if target in edges] for node, targets in edges.items()}
    problems: list[Problem] = []
    while _peel(left):
        cycle = _walk(left)
        message = f"circular supersession detected: {' -> '.join([*cycle, cycle[0]])}"
        places = {lines[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True) if pair in lines}
        problems += [
            Problem(path, line, "SUPERSESSION_CYCLE", message, "remove one of the relations")
            for path, line in sorted(places)
        ]
        for node in cycle:
            del left[node]
        left = {node: [t for t in targets if t in left] for node, targets in left.items()}
    return problems


def _peel(left: dict[DecisionId, list[DecisionId]]) -> bool:
    """Remove all that lead nowhere; tell whether something is left, which then goes round."""
    newer: dict[DecisionId, list[DecisionId]] = {}
    for node, targets in left.items():
        for target in targets:
            newer.setdefault(target, []).append(node)
    open_targets = {node: len(targets) for node, targets in left.items()}
    done = [node for node, count in open_targets.items() if count == 0]
    for node in done:  # grows while it is read
        for above in newer.get(node, ()):
            open_targets[above] -= 1
            if open_targets[above] == 0:
                done.append(above)
    for node in done:
        del left[node]
    for node, targets in left.items():
        left[node] = [target for target in targets if target in left]
    return bool(left)


def _walk(left: Mapping[DecisionId, Sequence[DecisionId]]) -> list[DecisionId]:
    path: list[DecisionId] = []
    seen: dict[DecisionId, int] = {}
    node = min(left, key=natural_key)
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = min(left[node], key=natural_key)
    cycle = path[seen[node] :]
    first = cycle.index(min(cycle, key=natural_key))
    return cycle[first:] + cycle[:first]
