"""The names of things: strings at run time, distinct types to the checker."""

from typing import NewType

DecisionId = NewType("DecisionId", str)
"""The id of a decision: any non-empty text that does not begin with ``dprop-``."""

VersionId = NewType("VersionId", str)
"""``dver-`` and 32 lower-case hex digits."""

RuleId = NewType("RuleId", str)
"""``{decision id}:{rule type}:{32 hex digits}``."""

ProposalId = NewType("ProposalId", str)
"""``dprop-`` and 32 lower-case hex digits."""

ObjectId = NewType("ObjectId", str)
"""A git object id in lower-case hex: 40 digits in a SHA-1 repository, 64 in a SHA-256 one."""

Digest = NewType("Digest", str)
"""64 lower-case hex digits of a sha256."""

PROPOSAL_PREFIX = "dprop-"
VERSION_PREFIX = "dver-"
