"""ADR files and a store of them in memory, for tests that need no git."""

from __future__ import annotations

import hashlib

from msgspec.structs import replace

from mneme_git.decisions.adr_read import read_file, read_folder
from mneme_git.decisions.import_plan import plan_import
from mneme_git.model.adr import Adr, AdrFolder
from mneme_git.model.adr_import import ImportOptions, ImportPlan
from mneme_git.model.adr_source import AdrSource
from mneme_git.model.decision import DecisionState, id_of
from mneme_git.model.plan import PutState, PutVersion
from mneme_git.model.snapshot import Snapshot
from mneme_git.text.order import natural_key

FOLDER = "docs/adr"
ALLOWED = ImportOptions(update_existing=True)


def blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def source(name: str, text: str | bytes, *, folder: str = FOLDER, raw: bytes | None = None) -> AdrSource:
    data = text if isinstance(text, bytes) else text.encode()
    return AdrSource(
        path=f"{folder}/{name}",
        data=data,
        blob=blob_id(data),
        object_format="sha1",
        raw_sha256=hashlib.sha256(data if raw is None else raw).hexdigest(),
    )


def folder(files: dict[str, str | bytes], *, at: str = FOLDER) -> AdrFolder:
    return read_folder([source(name, text, folder=at) for name, text in files.items()], at)


def strict(number: int | str, title: str = "Use SQLite", body: str = "Body.\n", **fields: str) -> str:
    """Return the text of an ADR of the front-matter dialect."""
    stated = {
        "id": f"ADR-{number:03}" if isinstance(number, int) else number,
        "title": title,
        "status": "accepted",
        "priority": "normal",
        "date": "2025-01-01",
        **fields,
    }
    head = "".join(f"{key}: {value}\n" for key, value in stated.items() if value != "-")
    return f"---\n{head}---\n\n{body}"


def nygard(title: str, status: str = "Accepted", more: str = "") -> str:
    return f"# {title}\n\nDate: 2020-01-01\n\n## Status\n\n{status}\n\n## Context\n\nWhy.\n\n## Decision\n\nSo.\n{more}"


def rules(*values: str) -> str:
    return "\n## Constraints\n\n" + "".join(f"- FORBID_LITERAL: {value}\n" for value in values)


def read(text: str | bytes, name: str = "0001-title.md") -> Adr:
    """Return the ADR in ``text``; it must be one."""
    outcome = read_file(source(name, text))
    assert outcome.adr is not None, outcome
    return outcome.adr


def faults(text: str | bytes, name: str = "0001-title.md") -> list[tuple[int, str]]:
    """Return line and code of what is wrong with a file; it must be no ADR."""
    outcome = read_file(source(name, text))
    assert outcome.adr is None, outcome
    return [(problem.line, problem.code) for problem in outcome.problems]


def carried_out(plan: ImportPlan, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot that a store holds after ``plan``."""
    versions = dict(snapshot.versions)
    states: dict[str, DecisionState] = {state.decision_id: state for state in snapshot.decisions}
    for operation in plan.plan.operations:
        match operation:
            case PutVersion(version):
                versions[id_of(version)] = version
            case PutState(state):
                states[state.decision_id] = state
    ordered = tuple(states[key] for key in sorted(states, key=natural_key))
    return replace(snapshot, decisions=ordered, versions=versions)


def imported(
    files: dict[str, str | bytes], snapshot: Snapshot | None = None, options: ImportOptions = ALLOWED
) -> Snapshot:
    """Import ``files`` into a store; nothing may stand against it."""
    before = snapshot or Snapshot()
    plan = plan_import(folder(files), before, options)
    assert plan.refusals == (), plan.refusals
    return carried_out(plan, before)


def lifecycles(snapshot: Snapshot) -> dict[str, str]:
    return {state.decision_id: state.lifecycle_status.value for state in snapshot.decisions}
