"""Settling a contested decision: one side's exact bytes, with every version its lineage names."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from mneme_git.decisions.changes import state_changes, version_diff
from mneme_git.decisions.showing import contested_text
from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.codec import encode_state, state_digest
from mneme_git.model.decision import AdrEvidence, DecisionState, Version, active_evidence, id_of
from mneme_git.model.ids import DecisionId, VersionId
from mneme_git.model.paths import classify, decision_path, version_path
from mneme_git.model.plan import Operation, Plan, PutFile, PutState, PutVersion, Read, RemoveFile
from mneme_git.model.snapshot import Contested, Side, Snapshot
from mneme_git.text.printable import text_of
from mneme_git.text.quoting import quoted

CONTESTED = "contested"


class Chosen(Struct, frozen=True):
    """The side that a contested decision gets; ``deleted`` if on that side it is gone."""

    decision_id: DecisionId
    label: str
    deleted: bool


class Resolution(Struct, frozen=True, kw_only=True):
    """What settling a decision would do.

    ``also`` are decisions whose sides git had put into the same files and of which only one state
    exists: they are kept. ``missing`` are versions that a chosen lineage names and that were not
    found; while there are any, ``plan`` must not be carried out.
    """

    chosen: Chosen
    also: tuple[Chosen, ...]
    missing: tuple[VersionId, ...]
    plan: Plan


def find_contest(snapshot: Snapshot, decision_id: str) -> Contested:
    """Return what is contested about ``decision_id``.

    Raises:
        Refused: the decision is settled.
        NotFound: there is no such decision.
    """
    contest = snapshot.contest(decision_id)
    if contest is not None:
        return contest
    known = ", ".join(found.decision_id for found in snapshot.contested) or "none"
    hint = f"contested decisions: {known}"
    if snapshot.state(decision_id) is not None:
        raise Refused(f"decision {quoted(decision_id)} is not contested", hint=hint)
    raise NotFound("decision", decision_id, hint=hint)


def plan_resolve(
    snapshot: Snapshot,
    decision_id: str,
    take: str,
    *,
    recovered: Mapping[VersionId, Version] | None = None,
) -> Resolution:
    """Plan to settle ``decision_id`` as the side ``take`` (a label) has it.

    The bytes of that side are written under the decision's own name, so that git finds the very
    content it knows and a rebase can go on. ``recovered`` are versions from elsewhere.

    Raises:
        InvalidInput: no side has that label.
        Refused: the decision is settled, or another contest has to be settled first.
        NotFound: there is no such decision.
    """
    contest = find_contest(snapshot, decision_id)
    entangled = _entangled(snapshot, contest)
    picks = {contest.decision_id: _side(contest, take)}
    picks |= {found.decision_id: only for found in entangled if (only := _only_state(found))}
    left_open = [found for found in snapshot.contested if found.decision_id not in picks]
    homes = {decision_path(found) for found, side in picks.items() if side.state is not None}
    _require_free(homes, left_open)
    versions = {**(recovered or {}), **snapshot.versions}
    wanted, missing = _versions(picks.values(), versions)
    settled = [found for found in (contest, *entangled) if found.decision_id in picks]
    stale = _stale(snapshot, settled, homes, left_open)
    operations: list[Operation] = [PutVersion(version) for version in wanted]
    operations += [op for side in picks.values() for op in _write(side)]
    operations += [*_merged_versions(snapshot, wanted), *(RemoveFile(path=path) for path in stale)]
    chosen, *also = (Chosen(found, side.label, deleted=side.state is None) for found, side in picks.items())
    return Resolution(
        chosen=chosen,
        also=tuple(also),
        missing=missing,
        plan=Plan(
            verb="resolve",
            subject=decision_id,
            operations=tuple(operations),
            reads=tuple(Read("decision", found, CONTESTED) for found in sorted(picks)),
        ),
    )


def sides_text(snapshot: Snapshot, contest: Contested) -> str:
    """Return the sides of a contest, how they differ and how it is settled, for people."""
    lines = contested_text(snapshot, contest).split("\n")
    first, *others = contest.sides
    for other in others:
        lines.append(f"  from {first.label} to {other.label}:")
        lines += [f"    {line}" for line in state_changes(first.state, other.state)]
        lines += [f"    {line}" for line in _content_diff(snapshot, first, other)]
    if contest.continued_by:
        lines.append(f"  proposed: {_choice(contest, contest.continued_by)}")
    lines.append("  choose one side:")
    lines += [f"    {_choice(contest, side.label)}" for side in contest.sides]
    if any(_is_from_adr(side) for side in contest.sides):
        lines.append("  or import its ADR file as merged, on top of one side (ours if none is given):")
        lines.append(f"    mneme decision resolve {contest.decision_id} --import")
    return text_of(lines)


def _is_from_adr(side: Side) -> bool:
    rows = active_evidence(side.state) if side.state is not None else ()
    return any(isinstance(row, AdrEvidence) for row in rows)


def _choice(contest: Contested, label: str) -> str:
    option = f"--{label}" if label in {"ours", "theirs"} else f"--take {label}"
    return f"mneme decision resolve {contest.decision_id} {option}"


def _content_diff(snapshot: Snapshot, old: Side, new: Side) -> list[str]:
    before, after = _active(snapshot, old), _active(snapshot, new)
    if before is None or after is None or before == after:
        return []
    return version_diff(before, after).split("\n")


def _active(snapshot: Snapshot, side: Side) -> Version | None:
    return None if side.state is None else snapshot.versions.get(side.state.active_version_id)


def _side(contest: Contested, label: str) -> Side:
    found = next((side for side in contest.sides if side.label == label), None)
    if found is None:
        labels = ", ".join(side.label for side in contest.sides)
        raise InvalidInput(
            f"no side of decision {quoted(contest.decision_id)} is called {quoted(label)}",
            hint=f"its sides are: {labels}",
        )
    return found


def _entangled(snapshot: Snapshot, contest: Contested) -> tuple[Contested, ...]:
    """Return the other contests that lie in the same files, directly or through a third one."""
    paths = set(contest.paths)
    found: list[Contested] = []
    grown = True
    while grown:
        more = [
            other
            for other in snapshot.contested
            if other is not contest and other not in found and paths & set(other.paths)
        ]
        found += more
        paths |= {path for other in more for path in other.paths}
        grown = bool(more)
    return tuple(found)


def _only_state(contest: Contested) -> Side | None:
    """Return the one side that still has the decision, if no two of them differ."""
    present = [side for side in contest.sides if side.state is not None]
    digests = {state_digest(side.state) for side in present if side.state is not None}
    return present[0] if len(digests) == 1 else None


def _require_free(homes: Iterable[str], left_open: Iterable[Contested]) -> None:
    wanted = set(homes)
    for other in left_open:
        if wanted & set(other.paths):
            raise Refused(
                f"git put a side of decision {quoted(other.decision_id)} into the same file",
                hint=f"run `mneme decision resolve {other.decision_id}` first",
            )


def _versions(
    sides: Iterable[Side], versions: Mapping[VersionId, Version]
) -> tuple[tuple[Version, ...], tuple[VersionId, ...]]:
    named = dict.fromkeys(name for side in sides if side.state for name in _lineage(side.state))
    found = tuple(versions[name] for name in named if name in versions)
    return found, tuple(name for name in named if name not in versions)


def _lineage(state: DecisionState) -> tuple[VersionId, ...]:
    return (*(entry.version_id for entry in state.versions), state.active_version_id)


def _write(side: Side) -> Iterable[Operation]:
    if side.state is None:
        return
    if side.data in {b"", encode_state(side.state)}:
        yield PutState(side.state)
    else:
        yield PutFile(path=decision_path(side.state.decision_id), data=side.data)


def _stale(
    snapshot: Snapshot, settled: Iterable[Contested], homes: set[str], left_open: Iterable[Contested]
) -> tuple[str, ...]:
    """Return the paths of the conflict that hold nothing any more, so that git sees them settled."""
    kept = {path for other in left_open for path in other.paths}
    kept |= {decision_path(state.decision_id) for state in snapshot.decisions}
    paths = {path for found in settled for path in (*found.paths, decision_path(found.decision_id))}
    paths |= {path for path in snapshot.unmerged if classify(path).kind != "version"}
    return tuple(sorted(paths - homes - kept))


def _merged_versions(snapshot: Snapshot, wanted: Iterable[Version]) -> Iterable[Operation]:
    """Settle version files that git left open: equal names are equal bytes, so there is no choice."""
    written = {version_path(id_of(version)) for version in wanted}
    for path in snapshot.unmerged:
        if classify(path).kind != "version" or path in written:
            continue
        version = snapshot.versions.get(VersionId(classify(path).name))
        if version is not None:
            yield PutVersion(version)
        if version is None or version_path(id_of(version)) != path:
            yield RemoveFile(path=path)
