"""How the files of an ADR folder are named, and what a new one is called.

Three schemes exist: a number and a slug (``0007-use-x.md``, ``ADR-007-use-x.md``), a day and a slug
(``20200924-use-x.md``), and a slug alone. A folder's own scheme is the one most of its files have.
"""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from mneme_git.decisions.adr_read import known_other, number_in
from mneme_git.model.adr import Adr
from mneme_git.text.order import natural_key

Kind = Literal["number", "day", "slug"]
_DAY = r"(?:19|20)[0-9]{2}(?P<dash>-?)[0-9]{2}(?P=dash)[0-9]{2}(?![0-9])"
_NAME = re.compile(
    rf"(?P<prefix>(?:ADR|adr|Adr)-?)?(?:(?P<day>{_DAY})|(?P<digits>[0-9]+))(?P<mark>[-_. ])(?P<rest>.*)",
    re.ASCII | re.DOTALL,
)
_SLUG_CHARACTERS, _SLUG_BYTES = 64, 120
_UNNAMED = "untitled"
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789"}
)


class Scheme(Struct, frozen=True, kw_only=True):
    """How a folder names its files.

    ``prefix`` stands before the digits, ``width`` is how many there are at least (a day of 10 has
    dashes), ``mark`` stands after them, and ``joint`` between the words of a slug.
    """

    kind: Kind = "number"
    prefix: str = "ADR-"
    width: int = 4
    mark: str = "-"
    joint: str = "-"
    suffix: str = ".md"

    def name(self, slug: str, *, number: int = 0, day: str = "") -> str:
        """Return the file name of an ADR; ``day`` is ``YYYY-MM-DD``."""
        if self.kind == "slug":
            return slug + self.suffix
        lead = self.digits(number)
        if self.kind == "day":
            lead = day if self.width > len("YYYYMMDD") else day.replace("-", "")
        return f"{self.prefix}{lead}{self.mark}{slug}{self.suffix}"

    def digits(self, number: int) -> str:
        """Return ``number`` with the zeros that the folder writes."""
        return str(number).zfill(self.width)


class Collision(Struct, frozen=True, order=True):
    """Files of one folder with one number, which ``number`` gives as the first of them writes it."""

    number: str
    paths: tuple[str, ...]


def scheme_of(names: Iterable[str]) -> Scheme:
    """Return the scheme that most of ``names`` follow; of equals, that of the last in natural order.

    Names of other files (index, README, templates) do not count. Without any the scheme is
    ``ADR-0001-title.md``.
    """
    found = [_scheme(name) for name in sorted(names, key=natural_key) if not known_other(name)]
    if not found:
        return Scheme()
    styles = [(one.kind, one.prefix, one.mark, one.suffix) for one in found]
    counted = Counter(styles)
    best = max(range(len(styles)), key=lambda at: (counted[styles[at]], at))
    same = [one for one, style in zip(found, styles, strict=True) if style == styles[best]]
    joints = Counter(one.joint for one in same if one.joint)
    return Scheme(
        kind=same[-1].kind,
        prefix=same[-1].prefix,
        width=same[-1].width,
        mark=same[-1].mark,
        joint=max(joints, key=lambda joint: (joints[joint], joint == "-"), default="-"),
        suffix=same[-1].suffix,
    )


def _scheme(name: str) -> Scheme:
    stem, dot, suffix = name.rpartition(".")
    found = _NAME.fullmatch(stem)
    if found is None:
        return Scheme(kind="slug", prefix="", width=0, mark="", joint=_joint(stem), suffix=dot + suffix)
    return Scheme(
        kind="day" if found["day"] else "number",
        prefix=found["prefix"] or "",
        width=len(found["day"] or found["digits"]),
        mark=found["mark"],
        joint=_joint(found["rest"]),
        suffix=dot + suffix,
    )


def _joint(slug: str) -> str:
    """Return what joins the words of a slug; empty if it has one word."""
    marks = Counter(char for char in slug if char in "-_")
    return max(marks, key=lambda mark: (marks[mark], mark == "-"), default="")


def slug_of(title: str, joint: str = "-") -> str:
    """Return a file-name part for ``title``: one form for every Unicode form of it, and always safe.

    Letters, digits and marks of any script in lower case, all else one ``joint``; at most 64
    characters and 120 bytes, cut between words where possible. A title without any is ``untitled``;
    a name that Windows keeps for devices gets ``-adr``.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).lower())
    words = "".join(char if _is_kept(char) else " " for char in folded).split()
    slug = joint.join(_shortened(words)) or _UNNAMED
    return f"{slug}{joint}adr" if slug in _DEVICES else slug


def _is_kept(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc"}


def _shortened(words: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for word in words:
        if not _fits("-".join([*kept, word])):
            break
        kept.append(word)
    if kept or not words:
        return kept
    first = words[0][:_SLUG_CHARACTERS]
    while not _fits(first):
        first = first[:-1]
    return [first]


def _fits(slug: str) -> bool:
    return len(slug) <= _SLUG_CHARACTERS and len(slug.encode()) <= _SLUG_BYTES


def numbers_in(names: Iterable[str]) -> frozenset[int]:
    """Return the numbers that file names begin with; names that begin with a day have none."""
    dated = (name for name in names if not _is_dated(name))
    found = (number_in(name) for name in dated)
    return frozenset(int(number.removeprefix("ADR-")) for number in found if number)


def _is_dated(name: str) -> bool:
    found = _NAME.match(name)
    return found is not None and found["day"] is not None


def next_number(names: Iterable[str]) -> int:
    """Return the number after the greatest one in use; gaps stay, since old links may mean them."""
    return max(numbers_in(names), default=0) + 1


def free_name(scheme: Scheme, slug: str, taken: Iterable[str], *, number: int = 0, day: str = "") -> str:
    """Return the file name for ``slug``, with ``-2``, ``-3`` ... where a file of that name is there.

    Names that a file system may hold for one (case, Unicode form) count as one.
    """
    held = {_one_form(name) for name in taken}
    tries = itertools.chain([slug], (f"{slug}{scheme.joint}{again}" for again in itertools.count(2)))
    names = (scheme.name(part, number=number, day=day) for part in tries)
    return next(name for name in names if _one_form(name) not in held)


def same_title(adrs: Iterable[Adr], title: str) -> tuple[str, ...]:
    """Return the paths of the ADRs that have this title in any case or Unicode form, in their order."""
    return tuple(adr.path for adr in adrs if _one_form(adr.title) == _one_form(title))


def _one_form(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def collisions(paths: Iterable[str]) -> tuple[Collision, ...]:
    """Return the numbers that several of ``paths`` (of one folder) begin with, by number.

    ``0007``, ``7`` and ``ADR-007`` are one number.
    """
    by_number: dict[int, list[str]] = {}
    for path in sorted(paths, key=natural_key):
        name = path.rsplit("/", 1)[-1]
        if not known_other(name):
            for number in numbers_in([name]):
                by_number.setdefault(number, []).append(path)
    return tuple(
        Collision(number_in(found[0].rsplit("/", 1)[-1]), tuple(found))
        for _, found in sorted(by_number.items())
        if len(found) > 1
    )
