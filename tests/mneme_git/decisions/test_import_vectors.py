"""The version and rule ids that the existing format gives to ADR files, byte for byte."""

import pytest

from mneme_git.model.decision import active_rules, id_of, rule_id_of
from mneme_git.text.canonical import sha256_hex
from tests.support.adrs import imported

HEAD = "---\nid: ADR-001\ntitle: Use SQLite\nstatus: accepted\npriority: normal\ndate: 2025-01-01\nscope: storage\n---\n"
MONGO = "\nBody.\n\n## Constraints\n\n- FORBID_LITERAL: mongodb\n"
PLAIN = HEAD + MONGO
SCOPED = """
## Constraints

- FORBID_LITERAL: x
- FORBID_LITERAL:
    value: legacy tool
    include_paths:
      - docs/**
      - src/*.py
    exclude_paths:
      - docs/gen/**
- FORBID_LITERAL:
    value: legacy tool
    include_paths:
      - src/*.py
      - docs/**
    exclude_paths:
      - docs/gen/**
"""
FIRST = "dver-aff74726a2d2d54f2eee1f1f72aad093"


def only(text):
    store = imported({"ADR-001-x.md": text})
    [state] = store.decisions
    return state, store.versions[state.active_version_id]


@pytest.mark.parametrize(
    ("text", "version_id", "sha256"),
    [
        (PLAIN, FIRST, "29ca5ba0810f2092c40a3816c1648230d54ffceb1fafa8f51678792da241c35e"),
        (PLAIN.replace("\n", "\r\n"), "dver-e5fdcf2c81ea461c589c62b371c28c9f", "f0869062bf0fae16d73821dc49812582d7a15e5a9333e5b8b4da17a8adc091d7"),
        (PLAIN.replace("\n", "\r"), "dver-12fcc9b35ec6ac28be72a8602da5a1f5", "08ea496774637ba8294be17f6792a1734cf8a411b2f657aeb60c631544a5e22d"),
        (HEAD + "\nBody.  \n\n\n", "dver-da7cf8fa1f0f64f49c9fccee6e2e70b2", "19d5ad70374104c861a8ddf48138c96fd28d27af9930d55a71e6558ec51bc5dd"),
        (HEAD + "\n\n\n\n  Body.", "dver-f6bd898bcf4e2386de8c40b122ea297a", "fc3bda5cbc8ec2096ed0a1c5ce11dcb46b56d5f6709dba71f0e897a7afa3832e"),
        (HEAD.replace("scope: storage\n", "") + "\nBody.\n", "dver-46de60ae673d114a5786588d09baf3ad", "91010210c53b57c1fdb72b46d3eab368ad637ec94387db9810a8f8288fd55116"),
        (HEAD + "\n", "dver-5c1d400a623f53871182c8c71d28e906", "e000508256dca59b7265850e1bfb3983c30ad993d7e9bf5a7fe3f5ec59f37f75"),
        (HEAD + SCOPED, "dver-f5a8f43f22987c2a2200315ecd240273", "ffb7823e7e8e2bbdabed2e175faf80a2e821dd9ccef65655e48857e6e32298a6"),
    ],
)  # fmt: skip
def test_an_adr_file_has_the_version_id_of_the_format(text, version_id, sha256):
    assert sha256_hex(text.encode()) == sha256
    state, version = only(text)
    assert state.active_version_id == id_of(version) == version_id


def test_successors_have_the_ids_of_the_format_and_going_back_is_a_third_version():
    one, two = (
        {"ADR-001-x.md": PLAIN},
        {"ADR-001-x.md": PLAIN.replace("SQLite", "SQLite 3").replace("2025-01-01", "2025-02-02")},
    )
    store = imported(one, imported(two, imported(one)))
    assert [entry.version_id for entry in store.decisions[0].versions] == [
        FIRST,
        "dver-dcfd0d5747ef521b08f4dd8dd6b7a0a6",
        "dver-12e35c41f2914c63e2fce9e3ff226fb0",
    ]


def test_a_key_that_is_ignored_makes_a_version_all_the_same():
    one, two = {"ADR-001-x.md": PLAIN}, {"ADR-001-x.md": PLAIN.replace("---\n\n", "owner: team-a\n---\n\n")}
    assert (
        imported(two, imported(one)).decisions[0].active_version_id == "dver-a23bfee0c25d8774c573a90960546e51"
    )


def test_rules_have_the_ids_of_the_format():
    state, _ = only(HEAD + SCOPED)
    assert [rule_id_of(state.decision_id, rule) for rule in active_rules(state)][1:] == [
        "ADR-001:FORBID_LITERAL:7e5fe97c588ca3d62b72737f5417118a",
        "ADR-001:FORBID_LITERAL:cc5df885521b39af28475563ef41bdb7",
    ]
    state, _ = only(PLAIN)
    assert [rule_id_of("ADR-001", rule) for rule in active_rules(state)] == [
        "ADR-001:FORBID_LITERAL:bb6f992388d2e8cf1dee115d03e37d72"
    ]


def test_the_dialects_with_headings_have_ids_that_can_never_drift():
    text = "# 1. Use SQLite\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Decision\n\nSo.\n"
    [state] = imported({"0001-x.md": text}).decisions
    assert (state.decision_id, state.active_version_id) == ("0001", HEADINGS)


HEADINGS = "dver-c5b88bd2e9f6585fe6c630fc664a8c25"
