"""Arguments of a tool call, held against the schema that the tool publishes, before the tool runs.

The library would turn the text "600" into a number, drop what it does not know, and tell a mistake in
the words of its own parts. A model corrects itself best by a message that names the argument, what it
may be, and what was probably meant.
"""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from pydantic import BaseModel, ValidationError

_LIKE = 0.5
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_UNION = frozenset(("int", "str", "constrained-str"))  # types beside each other in one schema
_NOUNS = {
    "union_type": "must be an integer or a string",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "missing": "is required",
}
_LIMITS = {
    "string_too_short": ("min_length", "must have at least {} character(s)"),
    "string_too_long": ("max_length", "must have at most {} characters"),
    "too_long": ("max_length", "must have at most {} items"),
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "literal_error": ("expected", "must be one of {}"),
}


class _AsGiven(FuncMetadata):
    """Arguments that are not looked into.

    The library would read a text such as "null" as JSON where a type allows more than texts.
    """

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        return data


class CarefulServer(MCPServer[Any]):
    """A server that runs a tool only with arguments that its schema allows."""

    def publish_closed(self) -> None:
        """Say in each schema that there are no other arguments, and take those as they are given."""
        for tool in self._tool_manager.list_tools():
            tool.parameters["additionalProperties"] = False
            given = {name: getattr(tool.fn_metadata, name) for name in FuncMetadata.model_fields}
            tool.fn_metadata = _AsGiven(**given)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; arguments that do not fit are told all at once."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            raise ToolError(f"there is no tool '{name}'. {self._offered()}")
        if wrong := mistakes(tool.fn_metadata.arg_model, arguments):
            raise ToolError(f"{name}: {'; '.join(wrong)}")
        return await super().call_tool(name, arguments, context)

    def _offered(self) -> str:
        return f"The tools are {', '.join(tool.name for tool in self._tool_manager.list_tools())}"


def mistakes(model: type[BaseModel], arguments: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the arguments, each in a sentence; unknown names first."""
    known = list(model.model_fields)
    if odd := [name for name, value in arguments.items() if not is_unicode({name: value})]:
        return [f"'{_shown(name)}' is not valid Unicode: it holds half of a pair" for name in odd]
    unknown = sorted(set(arguments) - set(known))
    told = [_unknown(name, known, arguments) for name in unknown]
    try:
        model.model_validate_json(json.dumps(dict(arguments)), strict=True)
    except ValidationError as error:
        rows = [_of_union(dict(row)) for row in error.errors(include_url=False)]
        told += dict.fromkeys(_told(row) for row in rows)
    return told


def _of_union(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an error about one of several types as one about all of them, which are told only once."""
    *where, last = row["loc"]
    if where and last in _UNION and row["type"] in {"int_type", "string_type"}:
        return {**row, "loc": tuple(where), "type": "union_type"}
    return {**row, "loc": tuple(where)} if where and last in _UNION else row


def is_unicode(value: object) -> bool:
    """Tell whether UTF-8 can carry all texts in a value; a client may write half a pair as an escape."""
    return _HALF_A_PAIR.search(json.dumps(value, ensure_ascii=False)) is None


def _shown(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _unknown(name: str, known: Iterable[str], given: Mapping[str, Any]) -> str:
    free = [other for other in known if other not in given]
    words = {part: other for other in free for part in other.split("_")}
    near = get_close_matches(name, free, 1, _LIKE)
    near = near or [words[part] for part in name.split("_") if part in words]
    meant = f", perhaps '{near[0]}' is meant" if near else ""
    return f"there is no argument '{name}'{meant}; there are {', '.join(known) or 'none'}"


def _told(row: Mapping[str, Any]) -> str:
    where = ".".join(str(part) for part in row["loc"]) or "the arguments"
    kind, values = row["type"], row.get("ctx", {})
    if kind in _LIMITS:
        key, text = _LIMITS[kind]
        return f"'{where}' {text.format(values[key])}"
    return f"'{where}' {_NOUNS.get(kind, 'is not what the schema allows')}"
