"""Where each record lives below ``.mneme/``, and what a path there says it holds."""

import re
from typing import Literal

from msgspec import Struct

from mneme_git.model.ids import DecisionId, ProposalId, VersionId
from mneme_git.text.canonical import sha256_hex

ROOT = ".mneme"
FORMAT = f"{ROOT}/format"
CONFIG = f"{ROOT}/config"
ATTRIBUTES = f"{ROOT}/.gitattributes"
CARRIED = f"{ROOT}/carried.json"
ATTRIBUTES_TEXT = b"* -text -filter -ident -working-tree-encoding merge\n"
FORMAT_TEXT = b"1\n"
KEEP = ".keep"
_HEX = "0123456789abcdef"
_SHARDED = ("versions", "proposals", "memories")
_SLUG_LIMIT = 80

Kind = Literal[
    "format", "config", "attributes", "carried", "keep", "decision", "version", "proposal", "verdict",
    "signature", "memory", "forgotten", "pinned", "foreign",
]  # fmt: skip


class RecordPath(Struct, frozen=True):
    """What a path below ``.mneme/`` holds: its kind and the name in it (slug, id or hash)."""

    kind: Kind
    name: str = ""


_NUMBERED = re.compile(r"[A-Z]{1,20}-[0-9]{1,20}", re.ASCII)
_NUMBERED_LOWER = re.compile(r"[a-z]{1,20}-[0-9]{1,20}", re.ASCII)
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}", re.ASCII)
_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]", re.ASCII)
_OTHER = re.compile(rb"[^a-z0-9_-]")


def slug(decision_id: DecisionId) -> str:
    """Return the file name, without ``.json``, of a decision.

    A function of the id alone. Two ids never give names that a case-insensitive file system
    joins: ``ADR-7`` is ``adr-7``, a plain lower-case id is itself, and any other id carries the
    first 16 hex digits of its sha256.
    """
    if _NUMBERED.fullmatch(decision_id):
        return decision_id.lower()
    if (
        _PLAIN.fullmatch(decision_id)
        and not _NUMBERED_LOWER.fullmatch(decision_id)
        and not _DEVICE.fullmatch(decision_id)
    ):
        return decision_id
    raw = decision_id.encode("utf-8", "surrogatepass")
    readable = _OTHER.sub(b"-", raw.lower())[:_SLUG_LIMIT].decode("ascii")
    return f"{readable}~{sha256_hex(raw)[:16]}"


def decision_path(decision_id: DecisionId) -> str:
    """Return the path of a decision's file."""
    return f"{ROOT}/decisions/{slug(decision_id)}.json"


def version_path(version_id: VersionId) -> str:
    """Return the path of a version's file; the folder is the first hex digit after ``dver-``."""
    return f"{ROOT}/versions/{version_id[5:6]}/{version_id}.json"


def proposal_path(name: str) -> str:
    """Return the path of the proposal file whose bytes have that name (32 hex digits)."""
    return f"{ROOT}/proposals/{name[:1]}/{name}.json"


def verdict_path(proposal_id: ProposalId) -> str:
    """Return the path of the verdict on a proposal."""
    return f"{ROOT}/proposals/{proposal_id[6:7]}/{proposal_id}.verdict.json"


def signature_path(proposal_id: ProposalId) -> str:
    """Return the path of the detached signature over the verdict on a proposal."""
    return f"{ROOT}/proposals/{proposal_id[6:7]}/{proposal_id}.verdict.sig"


def memory_path(name: str) -> str:
    """Return the path of the memory file whose bytes have that name (32 hex digits)."""
    return f"{ROOT}/memories/{name[:1]}/{name}.json"


def marker_path(name: str, marker: Literal["forgotten", "pinned"]) -> str:
    """Return the path of an empty file beside a memory."""
    return f"{ROOT}/memories/{name[:1]}/{name}.{marker}"


def keep_paths() -> tuple[str, ...]:
    """Return the empty files that hold the folders, in path order.

    Without them git's directory-rename detection moves records between folders that come and go.
    """
    shards = [f"{ROOT}/{kind}/{digit}/{KEEP}" for kind in _SHARDED for digit in _HEX]
    return tuple(sorted([f"{ROOT}/decisions/{KEEP}", *shards]))


_NAMED = (
    ("decision", re.compile(r"\.mneme/decisions/([^/]+)\.json")),
    ("version", re.compile(r"\.mneme/versions/[^/]+/(dver-[0-9a-f]{32})\.json")),
    ("verdict", re.compile(r"\.mneme/proposals/[^/]+/(dprop-[0-9a-f]{32})\.verdict\.json")),
    ("signature", re.compile(r"\.mneme/proposals/[^/]+/(dprop-[0-9a-f]{32})\.verdict\.sig")),
    ("proposal", re.compile(r"\.mneme/proposals/[^/]+/([0-9a-f]{32})\.json")),
    ("memory", re.compile(r"\.mneme/memories/[^/]+/([0-9a-f]{32})\.json")),
    ("forgotten", re.compile(r"\.mneme/memories/[^/]+/([0-9a-f]{32})\.forgotten")),
    ("pinned", re.compile(r"\.mneme/memories/[^/]+/([0-9a-f]{32})\.pinned")),
)
_FIXED: dict[str, Kind] = {
    FORMAT: "format",
    CONFIG: "config",
    ATTRIBUTES: "attributes",
    CARRIED: "carried",
}


def classify(path: str) -> RecordPath:
    """Return what ``path`` (repository-relative, with ``/``) says it holds.

    The folder is not judged: a record in the wrong folder still has the kind of its name, and
    the reader compares ``path`` with the path the record should have.
    """
    if path in _FIXED:
        return RecordPath(_FIXED[path])
    if path.endswith(f"/{KEEP}"):
        return RecordPath("keep")
    for kind, pattern in _NAMED:
        found = pattern.fullmatch(path)
        if found:
            return RecordPath(kind, found[1])  # type: ignore[arg-type]
    return RecordPath("foreign")
