"""The structured form of a rule directive: a small YAML mapping with path selectors."""

from collections.abc import Sequence

from msgspec import Struct

from mneme_git.model.adr import AdrRule
from mneme_git.model.decision import Applicability
from mneme_git.text.quoting import quoted
from mneme_git.text.selectors import selector_problem
from mneme_git.text.yaml_tree import Listing, Mapping, Node, Scalar, YamlProblem, parse_yaml, repeated_keys

_FIELDS = ("value", "include_paths", "exclude_paths")
_NAMED = "structured FORBID_LITERAL"


class Fault(Struct, frozen=True):
    """What is wrong with a structured directive, and on which line."""

    line: int
    message: str
    hint: str = ""


def structured_rule(block: Sequence[str], header_line: int) -> tuple[AdrRule | None, tuple[Fault, ...]]:
    """Return the rule in the lines below a ``- FORBID_LITERAL:`` header, or what is wrong with them."""
    faults: list[Fault] = []
    body = _mapping(block, header_line, faults)
    if body is None:
        return None, tuple(faults)
    fields = _fields(body, faults)
    value = _value(fields.get("value"), header_line, faults)
    include = _selectors(fields.get("include_paths"), "include_paths", header_line, faults)
    exclude: tuple[str, ...] = ()
    if "exclude_paths" in fields:
        exclude = _selectors(fields["exclude_paths"], "exclude_paths", header_line, faults)
    if faults:
        return None, tuple(sorted(faults, key=lambda fault: fault.line))
    applies = Applicability(include_paths=include, exclude_paths=exclude or None)
    return AdrRule(type="FORBID_LITERAL", value=value, applicability=applies, line=header_line), ()


def _mapping(block: Sequence[str], header_line: int, faults: list[Fault]) -> Mapping | None:
    try:
        root = parse_yaml(_dedented(block), first_line=header_line + 1)
    except YamlProblem as error:
        faults.append(Fault(error.line, f"invalid {_NAMED}: {error.message}"))
        return None
    if not isinstance(root, Mapping):
        faults.append(Fault(header_line, f"{_NAMED} body must be a mapping", "write `value: ...` below it"))
        return None
    return root


def _dedented(block: Sequence[str]) -> str:
    indents = [len(line) - len(line.lstrip()) for line in block if line.strip()]
    cut = min(indents, default=0)
    return "\n".join(line[cut:] for line in block)


def _fields(body: Mapping, faults: list[Fault]) -> dict[str, Node]:
    for key in repeated_keys(body):
        faults.append(Fault(key.line, f"invalid {_NAMED}: found duplicate key {quoted(key.text)}"))
    fields = {key.text: node for key, node in body.pairs if isinstance(key, Scalar)}
    unknown = sorted(set(fields) - set(_FIELDS))
    if unknown or not all(isinstance(key, Scalar) for key, _ in body.pairs):
        faults.append(
            Fault(body.line, f"unknown {_NAMED} fields: {quoted(unknown)}", f"only {', '.join(_FIELDS)}")
        )
    return fields


def _value(node: Node | None, header_line: int, faults: list[Fault]) -> str:
    if isinstance(node, Scalar) and node.kind == "text" and node.text.strip():
        return node.text.strip()
    faults.append(
        Fault(
            node.line if node is not None else header_line,
            f"{_NAMED} requires a non-empty string 'value'",
            "put quotes around a number or a word that YAML reads as something else",
        )
    )
    return ""


def _selectors(node: Node | None, key: str, header_line: int, faults: list[Fault]) -> tuple[str, ...]:
    if node is None:
        faults.append(Fault(header_line, f"{_NAMED} requires {quoted(key)}", 'for every path: "**"'))
        return ()
    is_required = key == "include_paths"
    if not isinstance(node, Listing) or (is_required and not node.items):
        shape = "a non-empty list" if is_required else "a list"
        faults.append(
            Fault(node.line, f"{_NAMED} {quoted(key)} must be {shape}", "write one `- path` a line")
        )
        return ()
    return tuple(_selector(item, key, faults) for item in node.items)


def _selector(item: Node, key: str, faults: list[Fault]) -> str:
    if not (isinstance(item, Scalar) and item.kind == "text" and item.text.strip()):
        faults.append(Fault(item.line, f"{_NAMED} {quoted(key)} must contain non-empty strings"))
        return ""
    text = item.text.strip()
    if reason := selector_problem(text):
        faults.append(Fault(item.line, f"invalid {_NAMED} {quoted(key)}: {reason}"))
    return text
