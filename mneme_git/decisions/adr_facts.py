"""The front matter of one ADR file, read as leniently as the diagnostics of the format do.

Nothing here decides what is imported; that is ``decisions/adr_read.py``. Only what keeps a file from
being read at all is a problem: no front matter, bad YAML, ``supersedes`` that is no list.
"""

import re

from mneme_git.decisions.freshness import AdrFacts
from mneme_git.text.canonical import sha256_hex
from mneme_git.text.yaml_tree import Listing, Mapping, Node, Scalar, YamlProblem, parse_yaml

_FENCE = "---"
_NUMBERED = re.compile(r"ADR-\d+")
_BOM = b"\xef\xbb\xbf"


def adr_facts(path: str, data: bytes) -> AdrFacts:
    """Return the facts of the file that is shown as ``path``; never raises, whatever the bytes are."""
    try:
        fields = _fields(data)
    except ValueError as error:
        return unreadable_facts(path, str(error))
    return AdrFacts(
        path=path,
        id=_text(fields.get("id")),
        status=_text(fields.get("status")),
        scope=_text(fields.get("scope")),
        priority=_text(fields.get("priority")),
        date=_text(fields.get("date")),
        supersedes=_listed(fields.get("supersedes")),
        sha256=sha256_hex(data),
    )


def unreadable_facts(path: str, reason: str) -> AdrFacts:
    """Return what is known of a file that the system does not let us read."""
    return AdrFacts(path=path, id=_id_from_name(path), problem=f"{path}: {reason}")


def _fields(data: bytes) -> dict[str, Node]:
    """Return the fields of the front matter; the last of equal keys counts.

    Raises:
        ValueError: there is no front matter that can be read; the text is the format's own.
    """
    if data.startswith(_BOM):
        raise ValueError("the file begins with a byte order mark, so its first line is not '---'")
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    if not lines or lines[0].strip() != _FENCE:
        raise ValueError("missing YAML frontmatter (expected file to start with '---')")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == _FENCE), None)
    if end is None:
        raise ValueError("unterminated YAML frontmatter (no closing '---' found)")
    try:
        tree = parse_yaml("\n".join(lines[1:end]), first_line=2)
    except YamlProblem as error:
        raise ValueError(f"malformed YAML frontmatter: {error.message} (line {error.line})") from None
    return _checked(tree)


def _checked(tree: Node | None) -> dict[str, Node]:
    if tree is None or (isinstance(tree, Scalar) and tree.kind == "null"):
        return {}
    if not isinstance(tree, Mapping):
        kind = "list" if isinstance(tree, Listing) else "str"
        raise ValueError(f"malformed YAML frontmatter (expected a mapping, got {kind})")
    fields = {key.text: value for key, value in tree.pairs if isinstance(key, Scalar)}
    older = fields.get("supersedes")
    if isinstance(older, Scalar) and older.kind != "null":
        raise ValueError("'supersedes' must be a YAML list, got str")
    if isinstance(older, Mapping):
        raise ValueError("'supersedes' must be a YAML list, got dict")
    return fields


def _text(node: Node | None) -> str:
    """Return a value as text; the format writes YAML's null out, and it has no use for collections."""
    if isinstance(node, Scalar):
        return "None" if node.kind == "null" else node.text
    return ""


def _listed(node: Node | None) -> tuple[str, ...]:
    return tuple(map(_text, node.items)) if isinstance(node, Listing) else ()


def _id_from_name(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    numbered = _NUMBERED.match(name)
    return numbered[0] if numbered else name.rpartition(".")[0]
