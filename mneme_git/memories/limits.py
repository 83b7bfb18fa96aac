"""How large and of what form the parts of a memory may be; a text is counted in Unicode code points."""

import re
from collections.abc import Sequence

from mneme_git.errors import InvalidInput
from mneme_git.model.memory import MemoryKind, MemoryScope
from mneme_git.text.printable import one_line

BODY_LIMIT = 16_000
TASK_LIMIT = 4_000
SOURCE_LIMIT = 256
LIST_LIMIT = 64
ITEM_LIMIT = 256
KINDS = tuple(kind.value for kind in MemoryKind)
SCOPES = tuple(scope.value for scope in MemoryScope)

# White space, and what Unicode says is shown as nothing: soft hyphen, joiners, directions, fillers,
# variation selectors, tags.
_BLANK = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]*"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_blank(text: str) -> bool:
    """Tell whether a reader would see nothing of ``text``."""
    return _BLANK.fullmatch(text) is not None


def kind_of(word: str) -> MemoryKind:
    """Return the kind that ``word`` names.

    Raises:
        InvalidInput: it names none.
    """
    if word not in KINDS:
        raise InvalidInput(
            f"kind '{shown(word)}' is unknown", hint=f"kind must be one of: {', '.join(KINDS)}"
        )
    return MemoryKind(word)


def scope_of(word: str) -> MemoryScope:
    """Return the scope that ``word`` names.

    Raises:
        InvalidInput: it names none.
    """
    if word not in SCOPES:
        raise InvalidInput(
            f"scope '{shown(word)}' is unknown", hint=f"scope must be one of: {', '.join(SCOPES)}"
        )
    return MemoryScope(word)


def check_body(body: str) -> None:
    """Raise InvalidInput for a body that says nothing, is too long or cannot be kept as it is."""
    check_text("body", body, BODY_LIMIT)
    if is_blank(body):
        raise InvalidInput("body must not be empty", hint="say what is to be remembered")


def check_text(what: str, text: str, limit: int) -> None:
    """Raise InvalidInput for a text that is too long, or that UTF-8 cannot carry.

    NUL and all other control characters are text and are kept.
    """
    if len(text) > limit:
        raise InvalidInput(
            f"{what} has {len(text)} characters, the most is {limit}",
            hint="keep what matters and name the file that has the rest",
        )
    odd = _SURROGATE.search(text)
    if odd:
        raise InvalidInput(
            f"{what} is not valid Unicode: half a pair, \\u{ord(odd[0]):04x}, at character {odd.start() + 1}",
            hint="pass the text in UTF-8",
        )


def check_list(what: str, items: Sequence[str]) -> None:
    """Raise InvalidInput for a list that has too many items, or an item that is no good text."""
    if len(items) > LIST_LIMIT:
        raise InvalidInput(
            f"{what} has {len(items)} items, the most is {LIST_LIMIT}", hint="keep those that matter most"
        )
    for position, item in enumerate(items, 1):
        check_text(f"{what}, item {position},", item, ITEM_LIMIT)


def shown(word: str) -> str:
    """Return the beginning of a word as a line of a message can hold it."""
    return one_line(word[:40].encode("utf-8", "backslashreplace").decode())
