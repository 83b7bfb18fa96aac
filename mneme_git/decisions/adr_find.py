"""The ADR that a person means by a path, an id, a number or a file name."""

from collections.abc import Sequence

from mneme_git.decisions.adr_naming import numbers_in
from mneme_git.decisions.adr_read import stem_of
from mneme_git.errors import AmbiguousId, NotFound
from mneme_git.model.adr import Adr


def find_adr(adrs: Sequence[Adr], given: str) -> Adr:
    """Return the one ADR that ``given`` names.

    ``given`` is repository-relative if it is a path. Tried in this order: path, id, file name with
    or without its extension, number (``7``, ``#7``, ``0007``, ``ADR-7``).

    Raises:
        NotFound: none is named so.
        AmbiguousId: several are, such as two files with one number.
    """
    name = given.rsplit("/", 1)[-1]
    tries = (
        [adr for adr in adrs if adr.path == given],
        [adr for adr in adrs if adr.stated_id and adr.stated_id.lower() == name.lower()],
        [adr for adr in adrs if name in {stem_of(adr.path), adr.path.rsplit("/", 1)[-1]}],
        [adr for adr in adrs if _number(name) in numbers_in([adr.path.rsplit("/", 1)[-1]])],
    )
    found = next((fitting for fitting in tries if fitting), [])
    if not found:
        raise NotFound("ADR", name, hint="give the file, its number or its id")
    if len(found) > 1:
        raise AmbiguousId("ADR", name, [adr.path for adr in found])
    return found[0]


def _number(text: str) -> int:
    """Return the number in ``7``, ``#7``, ``0007`` or ``ADR-7``; -1 if it is none."""
    digits = text.lower().removeprefix("adr").lstrip("-_ #")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else -1
