"""Each check of the format, tripped by one change to a good file."""

import copy
import json

import pytest

from mneme_git.errors import InvalidMemory
from mneme_git.store.memory_agreement import DIVERGES
from mneme_git.store.memory_file import MemoryFile
from tests.support.memory import adr_evidence, binding, decision, indexed, snapshot_row, version

GOOD = indexed()
SECOND = GOOD["decision_index"]["versions"][2]
RULE = GOOD["decision_index"]["rules"][0]["rule_id"]
ABSENT = object()


def changed(*steps):
    """A copy of the good document with the value at a path replaced, or removed if ABSENT."""
    document = copy.deepcopy(GOOD)
    *path, value = steps
    at = document
    for step in path[:-1]:
        at = at[step]
    if value is ABSENT:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return document


def failure(tmp_path, document):
    path = tmp_path / ".mneme/project_memory.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document))
    with pytest.raises(InvalidMemory) as raised:
        MemoryFile(path, as_given="m").read()
    return raised.value


def index(*steps):
    return changed("decision_index", *steps)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (changed("decision_index", []), "decision_index must be an object"),
        (index("schema", ABSENT), "decision_index schema must be 'mneme.decision-index/v1'"),
        (index("versions", None), "decision_index.versions must be a list"),
        (index("rules", ABSENT), "decision_index.rules must be a list"),
        (index("versions", 0, "x"), "decision_index.versions[0] must be an object"),
        (index("versions", 0, "version_id", ""), "versions[0].version_id must be a non-empty string"),
        (index("versions", 0, "decision_id", 7), "versions[0].decision_id must be a non-empty string"),
        (index("versions", 1, "revision", ABSENT), "versions[1].revision must be a non-empty string"),
        (index("versions", 0, "statement", None), "versions[0].statement must be a string"),
        (index("versions", 0, "constraints", "x"), "versions[0].constraints must be a list"),
        (index("versions", 0, "context_scope", [1]), "versions[0].context_scope must contain only strings"),
        (index("versions", 0, "statement", "edited"), f"version '{GOOD['decision_index']['versions'][0]['version_id']}' content_digest mismatch"),
        (index("versions", 0, "occurrence_source_identity", ABSENT), "versions[0].occurrence_source_identity must be a list"),
        (index("versions", 0, "supersedes_version_id", 1), "versions[0].supersedes_version_id must be a string or null"),
        (index("versions", 2, "occurrence_source_identity", ["x"]), f"version '{SECOND['version_id']}' identity mismatch"),
        (index("rules", 0, None), "decision_index.rules[0] must be an object"),
        (index("rules", 0, "rule_id", ""), "rules[0].rule_id must be a non-empty string"),
        (index("rules", 0, "decision_version_id", "dver-x"), f"rule '{RULE}' does not resolve to its declared decision/version"),
        (index("rules", 0, "decision_version", "2"), f"rule '{RULE}' display version disagrees with its version occurrence"),
        (index("rules", 0, "sequence", True), f"rule '{RULE}' sequence must be a non-negative integer"),
        (index("rules", 0, "sequence", -1), f"rule '{RULE}' sequence must be a non-negative integer"),
        (index("rules", 2, "sequence", 1), f"duplicate rule sequence 1 for version '{SECOND['version_id']}'"),
        (index("rules", 0, "rule_type", None), "rules[0].rule_type must be a non-empty string"),
        (index("rules", 0, "rule_payload", "x"), "rules[0].rule_payload must be an object"),
        (index("rules", 0, "rule_payload", {"value": "x", "y": 1}), f"rule '{RULE}' payload contains unsupported fields"),
        (index("rules", 0, "rule_payload", "value", ""), "rules[0].rule_payload.value must be a non-empty string"),
        (index("rules", 0, "rule_payload", "value", " "), f"rule '{RULE}' is invalid: rule value must be a non-empty string"),
        (index("rules", 0, "rule_payload", "value", "edited"), f"rule '{RULE}' identity mismatch"),
        (index("rules", 0, "applicability", []), "rules[0].applicability must be an object"),
        (index("rules", 0, "applicability", {"b": 1, "a": 1}), f"rule '{RULE}' applicability contains unsupported fields ['a', 'b']"),
        (index("rules", 0, "applicability", {"include_paths": None}), f"rule '{RULE}' is invalid: include_paths must be a list"),
        (index("rules", 0, "applicability", {"include_paths": ["/a"]}), f"rule '{RULE}' is invalid: path selector '/a' must be repository-relative"),
        (index("rules", 0, "binding_authority", "derived"), f"rule '{RULE}' has invalid binding_authority 'derived'"),
        (index("rules", 0, "rule_type", "REQUIRE"), f"rule '{RULE}' is invalid: unknown rule type 'REQUIRE' (expected one of ['FORBID_LITERAL'])"),
        (index("decisions", 0, []), "decision_index.decisions[0] must be an object"),
        (index("decisions", 0, "decision_id", ABSENT), "decisions[0].decision_id must be a non-empty string"),
        (index("decisions", 0, "decision_id", "d1"), "decision 'd1' active_version_id '" + GOOD["decision_index"]["versions"][0]["version_id"] + "' does not resolve to that decision"),
        (index("decisions", 2, "decision_id", "ADR-101"), "duplicate decision_id 'ADR-101'"),
        (index("decisions", 0, "decision_id", "dprop-x"), "decision id 'dprop-x' uses reserved proposal namespace"),
        (index("decisions", 0, "decision_class", "other"), "decision 'ADR-101' has unsupported decision_class 'other'"),
        (index("decisions", 0, "lifecycle_status", "gone"), "decision 'ADR-101' has invalid lifecycle_status 'gone'"),
        (index("decisions", 0, "active_version_id", ABSENT), "decisions[0].active_version_id must be a non-empty string"),
        (index("decisions", 0, "active_version_id", "dver-x"), "decision 'ADR-101' active_version_id 'dver-x' does not resolve to that decision"),
        (index("decisions", 0, "updated_at", None), "decision 'ADR-101' updated_at must be a string"),
        (index("versions", 0, "created_at", None), f"version '{GOOD['decision_index']['versions'][0]['version_id']}' created_at must be a string"),
        (index("versions", 2, "source_evidence", "x"), "decision 'ADR-102' source_evidence must be a list"),
        (index("versions", 2, "source_evidence", 0, "source_type", "git"), "decision 'ADR-102' source evidence has unknown source_type 'git'"),
        (index("versions", 2, "source_evidence", 0, "proposal_id", "p"), "decision 'ADR-102' source evidence type 'adr' contains unsupported fields ['proposal_id']"),
        (index("versions", 2, "source_evidence", 0, "source_type", "proposal"), "source_evidence[0].proposal_id must be a non-empty string"),
        (index("versions", 2, "source_evidence", 0, "observed_at", None), "source_evidence[0].observed_at must be a string"),
        (index("decisions", 0, "test_evidence", {}), "decision 'ADR-101' test_evidence must be a list"),
        (index("decisions", 0, "test_evidence", ["x"]), "test_evidence[0] must be an object"),
        (index("decisions", 0, "test_evidence", [{"sha": 1}]), "test_evidence[0].sha must be a string"),
        (index("decisions", 1, "relationships", 0, "type", "relates"), "decision 'ADR-102' has unsupported relationship type 'relates'"),
        (index("decisions", 1, "relationships", 0, "target_decision_id", ""), "relationships[0].target_decision_id must be a non-empty string"),
        (index("decisions", 0, ABSENT), f"orphan version '{GOOD['decision_index']['versions'][0]['version_id']}' has no logical decision"),
        (changed("decisions", None), "decisions must be a list"),
    ],
)  # fmt: skip
def test_a_broken_index_is_refused_in_the_words_of_the_format(tmp_path, document, expected):
    assert failure(tmp_path, document).reason == expected


def test_a_version_twice_is_refused(tmp_path):
    document = copy.deepcopy(GOOD)
    document["decision_index"]["versions"].append(copy.deepcopy(SECOND))
    assert failure(tmp_path, document).reason == f"duplicate version_id '{SECOND['version_id']}'"


@pytest.mark.parametrize("named", ["", "-", "dver-x", "other"])
def test_a_predecessor_must_be_a_version_of_the_same_decision(tmp_path, named):
    other = version("d2", "Other")
    before = other["version_id"] if named == "other" else named
    made = version("d1", "Use JSON", predecessor=before or None)
    made["supersedes_version_id"] = before
    document = {
        **GOOD,
        "decisions": [],
        "decision_index": {
            "schema": GOOD["decision_index"]["schema"],
            "decisions": [decision(made, "inactive"), decision(other, "inactive")],
            "versions": [other, made],
            "rules": [],
        },
    }
    expected = f"version '{made['version_id']}' has invalid predecessor '{before}'"
    assert failure(tmp_path, document).reason == expected


def test_one_version_cannot_be_bound_to_one_rule_twice(tmp_path):
    document = copy.deepcopy(GOOD)
    document["decision_index"]["rules"].append(binding(SECOND, 7, "mongodb"))
    bound = ("ADR-102", SECOND["version_id"], RULE)
    assert failure(tmp_path, document).reason == f"duplicate rule binding {bound}"


def test_evidence_of_an_older_version_is_not_judged(tmp_path):
    document = index("versions", 1, "source_evidence", [{"source_type": "git", "x": 1}, 5])
    path = tmp_path / "m.json"
    document["decisions"][0].pop("source")
    document["decision_index"]["versions"][2]["source_evidence"] = []
    path.write_text(json.dumps(document))
    assert len(MemoryFile(path).load().versions) == 4


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (changed("decisions", 0, "decision", "edited"), "decisions[0] ('ADR-102') decision is 'edited', the index has 'Use Postgres 16'"),
        (changed("decisions", 1, "scope", ["x"]), "decisions[1] ('d1') scope is ['x'], the index has []"),
        (changed("decisions", 0, "rules", 0, "value", "other"), "decisions[0] ('ADR-102') rules is"),
        (changed("decisions", 1, "status", "superseded"), "decisions[1] ('d1') status is 'superseded', the index has 'active'"),
        (changed("decisions", 1, ABSENT), "decisions[1] is missing, the index has 'd1' there"),
        (changed("decisions", [*GOOD["decisions"], snapshot_row(version("d9", "x"))]), "decisions[2] ('d9') is no further active decision"),
        (changed("decisions", GOOD["decisions"][::-1]), "decisions[0] ('d1') id is 'd1', the index has 'ADR-102'"),
        (changed("decisions", 0, "source", "path", "../docs/adr/x.md"), "source.path '../docs/adr/x.md' is not named ADR-102.md or ADR-102-….md"),
        (changed("decisions", 0, "source", ABSENT), "decisions[0] ('ADR-102') source.path is '', the index has"),
        (changed("decisions", 0, "test_evidence", [{"selector": "t"}]), "test_evidence is [('t', '')], the index has []"),
    ],
)  # fmt: skip
def test_rows_that_disagree_with_the_index_are_named_with_the_field(tmp_path, document, place):
    error = failure(tmp_path, document)
    assert error.reason == DIVERGES
    assert place in error.message


@pytest.mark.parametrize(
    "document",
    [
        changed("decisions", 0, "source", "sha256", "edited"),
        changed("decisions", 0, "note", "kept"),
        changed("decisions", 1, "status", ABSENT),
        index("rules", GOOD["decision_index"]["rules"][::-1]),
        index("rules", 0, "binding_authority", ABSENT),
        index("decisions", 1, "relationships", 0, "target_decision_id", "nobody"),
        index("decisions", 0, "note", {"kept": True}),
    ],
)
def test_what_the_format_allows_is_read(tmp_path, document):
    path = tmp_path / ".mneme/project_memory.json"
    path.parent.mkdir()
    path.write_text(json.dumps(document))
    assert [one.id for one in MemoryFile(path).enforced()] == ["ADR-102", "d1"]


def test_a_proposal_must_have_been_accepted_as_this_decision(tmp_path):
    evidence = {
        **adr_evidence("doc#1", ""),
        "source_type": "proposal",
        "proposal_id": "dprop-1",
        "producer_key": "k",
        "content_fingerprint": "f",
        "origin_classification": "ai_generated",
        "proposed_at": "t",
        "source_reference": "doc#1",
        "accepted_decision_id": "other",
    }
    document = index("versions", 3, "source_evidence", [evidence])
    assert failure(tmp_path, document).reason == "decision 'd1' proposal provenance links to 'other'"
