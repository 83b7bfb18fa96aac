"""Architecture decision records as files: what was read from each, and what could not be."""

from typing import Literal

from msgspec import Struct

from mneme_git.model.decision import Applicability, Lifecycle
from mneme_git.model.ids import DecisionId

Dialect = Literal["front-matter", "headings"]


class Problem(Struct, frozen=True, order=True):
    """Why a file, or a part of it, cannot be imported as it stands.

    ``line`` counts from 1 and is 0 where the whole file is meant. ``code`` is a stable word.
    """

    path: str
    line: int
    code: str
    message: str
    hint: str = ""


class Remark(Struct, frozen=True, order=True):
    """Something people should know about a file that is imported all the same; as ``Problem``."""

    path: str
    line: int
    code: str
    message: str


class Skipped(Struct, frozen=True, order=True):
    """A file of an ADR folder that is known to be no ADR, and how it is known."""

    path: str
    reason: str


class Mention(Struct, frozen=True):
    """Another ADR as a text names it: the words, and the target if they are a link."""

    text: str
    target: str
    line: int


class AdrRule(Struct, frozen=True, kw_only=True):
    """A typed rule that a directive states."""

    type: str
    value: str
    applicability: Applicability = Applicability()
    line: int


class AdrStatus(Struct, frozen=True, kw_only=True):
    """A status as it stands in the text, and what it means; ``line`` is 0 if none is stated."""

    text: str
    lifecycle: Lifecycle
    line: int


class Adr(Struct, frozen=True, kw_only=True):
    """One ADR file that was understood.

    ``stated_id`` is the id its front matter gives, ``number`` the one its file name begins with
    (``0001``, ``ADR-001``), both empty if there is none; ``id`` is what these come to among the
    files of the folder. ``body`` is what follows the title (after the front matter in the
    front-matter dialect), with normal newlines. ``scope`` None means that none is stated.
    ``priority`` and ``day`` (a day number) are stated in the front-matter dialect only.
    ``sha256`` and ``blob`` are of ``data``: the bytes as git stores them.
    """

    path: str
    dialect: Dialect
    id: DecisionId = DecisionId("")
    stated_id: str = ""
    id_line: int = 0
    number: str = ""
    title: str
    status: AdrStatus
    date: str = ""
    day: int = 0
    priority: str = ""
    scope: str | None = None
    tags: tuple[str, ...] = ()
    body: str
    rules: tuple[AdrRule, ...] = ()
    constraints: tuple[str, ...] = ()
    supersedes: tuple[Mention, ...] = ()
    superseded_by: tuple[Mention, ...] = ()
    data: bytes = b""
    sha256: str = ""
    raw_sha256: str = ""
    blob: str = ""
    object_format: str = ""


class AdrFolder(Struct, frozen=True, kw_only=True):
    """Every file of a folder: understood, skipped by name, or a problem.

    ``adrs`` are in natural order of path; the others are sorted. ``seen`` has every file that is not
    skipped, with its blob id (empty where it could not be read). ``path`` is repository-relative,
    ``.`` for the root.
    """

    path: str
    adrs: tuple[Adr, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
