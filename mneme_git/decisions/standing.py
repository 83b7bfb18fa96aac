"""What an ADR's own text says of its rank among the others."""

from mneme_git.decisions.adr_read import read_file
from mneme_git.decisions.precedence import RANKS
from mneme_git.decisions.successors import Standing
from mneme_git.model.adr_source import AdrSource


def standing_of(path: str, data: bytes) -> Standing | None:
    """Return the standing of the ADR with these bytes, or None if they are no readable ADR."""
    adr = read_file(AdrSource(path=path, data=data)).adr
    if adr is None:
        return None
    if adr.dialect != "front-matter" or not adr.scope:
        return Standing(lifecycle=adr.status.lifecycle)
    return Standing(
        lifecycle=adr.status.lifecycle,
        scope=adr.scope,
        strength=(RANKS.get(adr.priority, RANKS["normal"]), adr.day),
    )
