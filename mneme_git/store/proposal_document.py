"""The document of a proposal file (``mneme.decision-proposals/v1``): parsed, checked, changed, written.

Keys that we do not know stay where they are; an entry that no operation touches is written as it
was read.
"""

import copy
import json
from typing import Any

from msgspec import Struct

from mneme_git.errors import InvalidInput
from mneme_git.model.plan import Plan, PutProposal, PutVerdict
from mneme_git.model.proposal_entry import ProposalEntry, entry_of
from mneme_git.model.proposal_record import entry_row, read_entry
from mneme_git.text.quoting import quoted

SCHEMA = "mneme.decision-proposals/v1"
_ROWS = "proposals"


class ProposalDocument(Struct, frozen=True):
    """What a proposal file holds: its entries, and the JSON they were read from, in the same order."""

    entries: tuple[ProposalEntry, ...]
    json: dict[str, Any]


def empty_document() -> ProposalDocument:
    """Return a document without proposals."""
    return ProposalDocument((), {"schema": SCHEMA, _ROWS: []})


def parse_document(data: bytes, name: str) -> ProposalDocument:
    """Return the document in ``data``; ``name`` is the file as the user gave it, for messages.

    Of equal keys the last one counts, as the format has it. Ids and hashes are not recomputed:
    ``forgery`` tells of an entry whether they are its own.

    Raises:
        InvalidInput: the first check of the format that fails.
    """
    try:
        document = json.loads(data.decode("utf-8"))
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    except RecursionError:
        raise InvalidInput("the JSON is nested too deeply") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise InvalidInput(f"{name} is not a {SCHEMA} decision-proposals document")
    rows = document.get(_ROWS)
    if not isinstance(rows, list):
        raise InvalidInput(f"{name} {_ROWS} must be a list")
    found: dict[str, ProposalEntry] = {}
    for row in rows:
        entry = read_entry(row)
        if entry.proposal_id in found:
            raise InvalidInput(f"{name} contains duplicate proposal id {quoted(entry.proposal_id)}")
        found[entry.proposal_id] = entry
    return ProposalDocument(tuple(found.values()), document)


def write_document(document: ProposalDocument) -> bytes:
    """Return the bytes of a proposal file: indent 2, non-ASCII text as it is, one LF at the end.

    A lone surrogate, which UTF-8 cannot carry, stays an escape as it came.
    """
    text = json.dumps(document.json, indent=2, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def changed_document(document: ProposalDocument, plan: Plan) -> ProposalDocument:
    """Return the document with the proposals and verdicts of ``plan`` in it.

    A proposal that is there already stays as it is. Operations on decisions are passed over.
    """
    made = copy.deepcopy(document.json)
    rows = {entry.proposal_id: row for entry, row in zip(document.entries, made[_ROWS], strict=True)}
    for operation in plan.operations:
        if isinstance(operation, PutProposal):
            entry = entry_of(operation.proposal)
            if entry.proposal_id not in rows:
                rows[entry.proposal_id] = entry_row(entry)
        elif isinstance(operation, PutVerdict):
            row = rows[operation.verdict.proposal_id]
            row["status"] = operation.verdict.verdict
            row["accepted_decision_id"] = operation.verdict.decision_id
    made[_ROWS] = list(rows.values())
    return ProposalDocument(tuple(read_entry(row) for row in rows.values()), made)
