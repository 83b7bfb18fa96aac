"""Ids can never drift: the vectors of the decision-index format."""

import json
from pathlib import Path

import pytest

from mneme_git.model import identity
from mneme_git.text.canonical import ascii_json

SHARED = Path(__file__).parents[4] / "shared" / "golden" / "decision-index" / "vectors.json"

VERSIONS = [
    ("d1", "Use SQLite", "", [], [], [], "279e2704f2093a18d230a45f4057a3ef32e48ebd0f1b25882f3f6862840d4d74",
     "dver-9d64eddc04fe10290f2836e411df0b84"),
    ("mneme_042", "Use JSON", "Simple and diffable.", ["storage", "backend"], ["no postgres", "no external db"],
     ["introduce ORM"], "ee72d5297c3a5f8c8de0f2a611904e19e0c31e94aee906bb8cdc9909c45935c1",
     "dver-98fe83391302b40174cbd19539ec775e"),
    ("mneme_042", "Use JSON", "Simple and diffable.", ["backend", "storage"], ["no postgres", "no external db"],
     ["introduce ORM"], "639a3a81805759097473abdfa77504a4b10ebfbe5b1eb8e6648684607df8de28",
     "dver-42ef8b8591b9482dc1993e2a5e73e859"),
    ("d-ü", "Préférer SQLite → ok 😀", "日本語", ["größe"], [], [],
     "4c2b900967eb1468632e58e06b43dc039cf1aab50309bbcebd0dc59dab68209b", "dver-34aa0e16623b1804b3e77dbbd3a18e78"),
    ("d1", "Cafe\u0301", "", [], [], [], "9ea5097a2f7c8679282a7f8683035d7dd4cee470fc2ba330024238287b8fcac2",
     "dver-f006977346161e308a892e2936f336b9"),
    ("d1", "Café", "", [], [], [], "738e6159d473fd69937f15e491ea2b198ce669d807accd47d7779863e74a1493",
     "dver-49554baf3006cb51e45758fa2c478627"),
    ("d1", "Use SQLite", "line1\r\nline2", [], [], [],
     "d87dfbd00e57a29fd5066fb8ec48d02df170966b1297daf4e0b327a537fbd2ba", "dver-2f6dc10dd0566be5c9f6d76d60e8f301"),
    ("d1", "", "", [], [], [], "f6d21080ff0b4b9e01181045a9e831d1fb999fce19817478bbddba6fb0126129",
     "dver-4db71054b0cbf9abde20fd5e63e6db8f"),
]  # fmt: skip

RULES = [
    ("mongodb", {}, "ADR-001:FORBID_LITERAL:bb6f992388d2e8cf1dee115d03e37d72"),
    ("größe", {}, "ADR-001:FORBID_LITERAL:3cfae63e074edeb84df80ab458eb04bd"),
    ("legacy tool", {"include_paths": ["docs/**", "src/*.py"], "exclude_paths": ["docs/gen/**"]},
     "ADR-001:FORBID_LITERAL:7e5fe97c588ca3d62b72737f5417118a"),
    ("legacy tool", {"include_paths": ["src/*.py", "docs/**"], "exclude_paths": ["docs/gen/**"]},
     "ADR-001:FORBID_LITERAL:cc5df885521b39af28475563ef41bdb7"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("decision", "statement", "why", "scope", "must", "avoid", "digest", "version"), VERSIONS
)
def test_content_and_version_ids(decision, statement, why, scope, must, avoid, digest, version):
    found = identity.content_digest(statement, why, scope, must, avoid)
    assert found == digest
    assert identity.version_id(decision, found, ["cli-add", decision], None) == version


@pytest.mark.parametrize(("value", "applicability", "rule"), RULES)
def test_rule_ids(value, applicability, rule):
    assert identity.rule_id("ADR-001", "FORBID_LITERAL", value, applicability) == rule


def test_an_explicit_empty_exclude_list_is_another_rule():
    with_list = identity.rule_id("A", "FORBID_LITERAL", "x", {"include_paths": ["a"], "exclude_paths": []})
    assert with_list != identity.rule_id("A", "FORBID_LITERAL", "x", {"include_paths": ["a"]})


def test_proposal_ids():
    producer = identity.producer_key("arch-bot", "agent", "docs/plan.md#3", "", "", "")
    content = identity.content_fingerprint("Cache", "Cache in Redis", "fast", ["cache", "perf"], {}, [])
    proposal = identity.proposal_id(producer, content)
    assert proposal == "dprop-8f68192909ba19aa0af550727bd15bc1"
    assert (
        identity.default_decision_id(proposal, producer, content) == "ddec-e18bce9f009343f6753630f516be939a"
    )


def test_the_hashed_text_escapes_all_but_printable_ascii():
    assert ascii_json(['\t"\\/\x7f', "\x0b\u2028", "😀", {"b": 1, "a": None}]) == (
        '["\\t\\"\\\\/\\u007f","\\u000b\\u2028","\\ud83d\\ude00",{"a":null,"b":1}]'
    )


@pytest.mark.skipif(not SHARED.exists(), reason="the full set of vectors is not beside this checkout")
def test_every_recorded_vector():
    recorded = json.loads(SHARED.read_text(encoding="utf-8"))
    for row in recorded["versions"]:
        parts = (
            row["statement"],
            row["rationale"],
            row["context_scope"],
            row["constraints"],
            row["anti_patterns"],
        )
        digest = identity.content_digest(*parts)
        assert (row["name"], digest) == (row["name"], row["content_digest"])
        assert ascii_json([parts[0], parts[1], *map(list, parts[2:])]) == row["canonical_digest_input"]
        made = identity.version_id(
            row["decision_id"], digest, row["occurrence_source_identity"], row["supersedes_version_id"]
        )
        assert made == row["version_id"]
    for row in recorded["rules"]:
        made = identity.rule_id(row["decision_id"], row["rule_type"], row["value"], row["applicability"])
        assert made == row["rule_id"]
    for row in recorded["proposals"]:
        candidate = row["candidate"]
        source = candidate["provenance"]
        producer = identity.producer_key(
            source["producer_name"],
            source["producer_type"],
            source["source_reference"],
            source.get("external_source_id", ""),
            source.get("source_version", ""),
            source.get("repository_locator", ""),
        )
        content = identity.content_fingerprint(
            candidate["title"],
            candidate["statement"],
            candidate.get("rationale", ""),
            candidate.get("scope_hints", []),
            candidate.get("architecture_context", {}),
            candidate.get("related_decision_ids", []),
        )
        assert (producer, content) == (row["producer_key"], row["content_fingerprint"])
        proposal = identity.proposal_id(producer, content)
        assert proposal == row["proposal_id"]
        assert identity.default_decision_id(proposal, producer, content) == row["default_decision_id"]
