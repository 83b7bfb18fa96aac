"""The words of ADR files as data: what differs between dialects stands here."""

import re
from collections.abc import Mapping

from mneme_git.model.decision import Lifecycle

# The first word (or two) of a status, in lower case. What follows the word does not count.
STATUS_WORDS: Mapping[str, Lifecycle] = {
    "accepted": Lifecycle.ACTIVE,
    "approved": Lifecycle.ACTIVE,
    "adopted": Lifecycle.ACTIVE,
    "agreed": Lifecycle.ACTIVE,
    "decided": Lifecycle.ACTIVE,
    "active": Lifecycle.ACTIVE,
    "implemented": Lifecycle.ACTIVE,
    "proposed": Lifecycle.INACTIVE,
    "proposal": Lifecycle.INACTIVE,
    "draft": Lifecycle.INACTIVE,
    "rejected": Lifecycle.INACTIVE,
    "declined": Lifecycle.INACTIVE,
    "withdrawn": Lifecycle.INACTIVE,
    "deprecated": Lifecycle.DEPRECATED,
    "superseded": Lifecycle.SUPERSEDED,
    "superceded": Lifecycle.SUPERSEDED,
    "superseeded": Lifecycle.SUPERSEDED,
}

# Understood as not in force, but no word of any ADR format: imported as inactive, with a remark.
PAUSED_WORDS = ("on hold", "on-hold", "deferred", "postponed", "paused", "pending")

# What a front matter with an `id` may say, in the spelling of the format and without its prose.
FRONT_MATTER_STATUSES = ("proposed", "accepted", "deprecated", "superseded")

FORWARD = ("supersedes", "supercedes", "superseeds", "replaces")
BACKWARD = ("superseded by", "superceded by", "superseeded by", "replaced by")

# Headings that make a file an ADR, in lower case; the first group is also what a section is read from.
STATUS_HEADING = "status"
LINK_HEADINGS = frozenset(
    {"links", "related", "related decisions", "related adrs", "references", "relations", "more information"}
)
ADR_HEADINGS = frozenset(
    {
        "status",
        "context",
        "decision",
        "consequences",
        "context and problem statement",
        "considered options",
        "decision outcome",
        "decision drivers",
        "pros and cons of the options",
    }
)

# Lines such as `* Status: accepted` above the first heading, and keys of a front matter.
STATUS_KEY = "status"
DATE_KEY = "date"
TAG_KEYS = frozenset({"tags", "categories", "category"})

# Files that stand in ADR folders and are none, by name up to the first dot, in lower case.
KNOWN_OTHERS: Mapping[str, str] = {
    "index": "index",
    "readme": "README",
    "_index": "index",
    "summary": "index",
    "toc": "index",
    "contributing": "guide",
    "changelog": "changelog",
    "license": "license",
    "glossary": "glossary",
    "agents": "instructions for coding agents",
    "claude": "instructions for coding agents",
    "gemini": "instructions for coding agents",
}
_SORT_OF_TEMPLATE = (
    r"(?:adr|madr|decision|record|architecture|nygard|long|short|full|bare|minimal|example|\d+)"
)
TEMPLATE = re.compile(rf"(?:{_SORT_OF_TEMPLATE}[-_. ])*templates?(?:[-_. ]{_SORT_OF_TEMPLATE})*", re.ASCII)
MARKDOWN_SUFFIXES = (".md", ".markdown")


def dashed(word: str) -> str:
    """Return a front-matter key or relation in one spelling: lower case, blanks for ``-`` and ``_``."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word)
    return " ".join(spaced.replace("-", " ").replace("_", " ").split()).lower()
