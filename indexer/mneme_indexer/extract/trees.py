"""From bytes to a tree, by way of what makes most of them readable."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mneme_indexer.extract.blanks import Blanked, without_conditionals, without_conflicts
from mneme_indexer.languages.registry import Language, grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree


class Reading(NamedTuple):
    """A tree, the text that it is of, and the rows (from 0) that were blanked in that text."""

    tree: "Tree"
    data: bytes
    blank: frozenset[int]


@cache
def _parser(name: str) -> "Parser":
    from tree_sitter import Parser

    return Parser(grammar(name))


@cache
def _errors_query(name: str) -> "Query":
    from tree_sitter import Query

    return Query(grammar(name), "[(ERROR) (MISSING)] @error")


def read(language: Language, data: bytes) -> Reading:
    """Return the tree of a text; of one with errors, the best that is to be had by blanking lines of it.

    Of several with equally many errors the one with the least blanked counts.
    """
    reading = Reading(_parser(language.grammar).parse(data), data, frozenset())
    if reading.tree.root_node.has_error:
        reading = _best(language, reading, without_conflicts(data))
    if language.conditionals and b"#" in data and reading.tree.root_node.has_error:
        rows = (
            row for node in _errors(language, reading) for row in (node.start_point[0], node.end_point[0])
        )
        reading = _best(language, reading, without_conditionals(reading.data, rows))
    return reading


def _best(language: Language, reading: Reading, others: Iterable[Blanked]) -> Reading:
    """Return the reading, or the best of the others that makes more readable than it takes away."""
    best, least = reading, None
    for other in others:
        tree = _parser(language.grammar).parse(other.data)
        tried = Reading(tree, other.data, reading.blank | other.rows)
        much = _badness(language, tried)
        if much < _badness(language, reading, other.code) and (least is None or much < least):
            best, least = tried, much
        if not best.tree.root_node.has_error:
            break
    return best


def _badness(language: Language, reading: Reading, without: frozenset[int] = frozenset()) -> tuple[bool, int]:
    """Return whether nothing holds the text together, then the number of errors outside of some rows."""
    errors = _errors(language, reading)
    outside = sum(node.start_point[0] not in without or node.end_point[0] not in without for node in errors)
    return reading.tree.root_node.type == "ERROR", outside


def _errors(language: Language, reading: Reading) -> list["Node"]:
    if not reading.tree.root_node.has_error:
        return []
    from tree_sitter import QueryCursor

    return QueryCursor(_errors_query(language.grammar)).captures(reading.tree.root_node).get("error", [])
