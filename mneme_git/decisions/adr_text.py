"""The text of one ADR file: decoded, cut at its front matter, scanned as Markdown."""

from msgspec import Struct

from mneme_git.model.adr import Problem
from mneme_git.text.markdown import Document, FrontMatter, normal_newlines, parse, split_front_matter
from mneme_git.text.quoting import quoted
from mneme_git.text.yaml_tree import (
    Listing,
    Mapping,
    Node,
    Scalar,
    YamlProblem,
    parse_yaml,
    repeated_keys,
    type_name,
)

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


class AdrText(Struct, frozen=True, kw_only=True):
    """One file as text with normal newlines and without a byte order mark.

    ``fields`` is the front matter, None if there is none; ``body`` is what follows it (the whole
    text without one), ``document`` the same scanned, with line numbers of the file.
    """

    path: str
    name: str
    fields: Mapping | None
    body: str
    document: Document

    def field(self, key: str) -> Node | None:
        """Return what the front matter says under ``key``; None if nothing, or YAML's null."""
        pairs = self.fields.pairs if self.fields is not None else []
        for name, node in reversed(pairs):  # of a repeated key, the last counts
            if isinstance(name, Scalar) and name.text == key:
                return None if isinstance(node, Scalar) and node.kind == "null" else node
        return None

    def line_of(self, key: str) -> int:
        """Return the line on which a key of the front matter stands, 1 if it does not."""
        pairs = self.fields.pairs if self.fields is not None else []
        lines = [name.line for name, _ in pairs if isinstance(name, Scalar) and name.text == key]
        return lines[-1] if lines else 1


def read_text(path: str, data: bytes) -> tuple[AdrText | None, tuple[Problem, ...]]:
    """Return the text in the bytes of a file, or why there is none."""
    text, problem = _decoded(path, data)
    if problem is not None:
        return None, (problem,)
    front = split_front_matter(text)
    if front is None:
        return _whole(path, text), ()
    fields, problems = _fields(path, front)
    if problems:
        return None, problems
    document = parse(front.body, first_line=front.body_line)
    return AdrText(path=path, name=_name(path), fields=fields, body=front.body, document=document), ()


def _whole(path: str, text: str) -> AdrText:
    return AdrText(path=path, name=_name(path), fields=None, body=text, document=parse(text))


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _decoded(path: str, data: bytes) -> tuple[str, Problem | None]:
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = "it looks like UTF-16" if data[:2] in _WIDE_BOMS else f"byte 0x{data[error.start]:02x} is not"
        return "", Problem(path, line, "NOT_UTF8", f"not UTF-8: {found}", "save the file as UTF-8")
    if not text.strip():
        return "", Problem(path, 1, "EMPTY", "the file is empty", "write the ADR, or remove the file")
    return normal_newlines(text), None


def _fields(path: str, front: FrontMatter) -> tuple[Mapping, tuple[Problem, ...]]:
    empty = Mapping([], 1)
    if not front.is_closed:
        message = "unterminated YAML frontmatter (no closing '---' found)"
        return empty, (Problem(path, 1, "FRONT_MATTER", message, "end it with a line `---`"),)
    try:
        root = parse_yaml(front.yaml, first_line=front.yaml_line)
    except YamlProblem as error:
        message = f"malformed YAML frontmatter: {error.message}"
        return empty, (Problem(path, error.line, "FRONT_MATTER", message, "put odd text in quotes"),)
    if root is None:
        return empty, ()
    if not isinstance(root, Mapping):
        message = f"malformed YAML frontmatter (expected a mapping, got {type_name(root)})"
        return empty, (Problem(path, root.line, "FRONT_MATTER", message, "write `key: value` lines"),)
    return root, tuple(
        Problem(
            path, key.line, "REPEATED_KEY", f"the key {quoted(key.text)} stands twice", "keep one of them"
        )
        for key in repeated_keys(root)
    )


def texts_of(node: Node | None) -> tuple[tuple[str, int], ...]:
    """Return the texts of a scalar, or of the scalars in a list, each with its line."""
    if isinstance(node, Scalar):
        return ((node.text.strip(), node.line),) if node.kind != "null" else ()
    if isinstance(node, Listing):
        return tuple((item.text.strip(), item.line) for item in node.items if isinstance(item, Scalar))
    return ()
