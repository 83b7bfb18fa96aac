"""The comments that stand in the head of a definition, before its body."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_MARK = re.compile(rb"//|/\*|#|--|\(\*|<!--")


def comments_in(node: "Node", end: int, data: bytes) -> tuple[tuple[int, int], ...]:
    """Return the bytes of the comments inside ``node`` that begin before byte ``end``, by position.

    The tree is looked at only where the text has what may begin a comment.
    """
    if not _MARK.search(data, node.start_byte, end):
        return ()
    found: list[tuple[int, int]] = []
    cursor = node.walk()
    is_inside = cursor.goto_first_child()
    while is_inside:
        at = cursor.node
        if at is not None and at.type.endswith("comment"):
            found.append((at.start_byte, at.end_byte))
        is_before = at is not None and at.start_byte < end
        if is_before and cursor.goto_first_child():
            continue
        while not (is_before and cursor.goto_next_sibling()):
            is_inside, is_before = cursor.goto_parent(), True
            if not is_inside or cursor.node == node:
                return tuple(span for span in found if span[0] < end)
    return tuple(found)
