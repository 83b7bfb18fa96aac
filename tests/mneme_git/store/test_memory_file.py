import os

import pytest

from mneme_git.errors import InvalidInput, InvalidMemory
from mneme_git.model.decision import AdrEvidence, Authority, Lifecycle, active_rules, id_of
from mneme_git.store.memory_file import MemoryFile
from tests.support.memory import META, indexed, literal, plain, row


def reason(store):
    with pytest.raises(InvalidMemory) as raised:
        store.read()
    return raised.value


def test_a_section_less_row_needs_only_an_id_and_a_text(memory):
    found = memory(plain(row("d1", "Use JSON"))).enforced()
    assert [(one.id, one.statement, one.status, one.rules) for one in found] == [
        ("d1", "Use JSON", "active", ())
    ]


def test_rules_and_their_paths_are_read_in_order(memory):
    found = memory(plain(row("d1", rules=[literal("a"), literal("b", ["src/**"], ["src/g/**"])]))).enforced()
    assert [(rule.value, rule.include_paths, rule.exclude_paths) for rule in found[0].rules] == [
        ("a", None, ()),
        ("b", ("src/**",), ("src/g/**",)),
    ]


def test_older_items_become_decisions_after_the_native_ones(memory):
    items = [
        {"id": "a1", "type": "anti_pattern", "title": "langchain", "content": "It hides the API."},
        {"id": "r1", "type": "rule", "title": "Deps", "content": "no pydantic"},
        {"id": "p1", "type": "preference", "title": "numpy", "content": "no numpy"},
    ]
    found = memory(plain(row("d1"), items=items)).enforced()
    assert [(one.id, one.statement, one.scope, one.constraints, one.anti_patterns) for one in found[1:]] == [
        ("a1", "Avoid: langchain", ("general",), ("It hides the API.",), ("langchain",)),
        ("r1", "Deps", ("general",), ("no pydantic",), ()),
    ]


def test_items_of_an_indexed_file_are_no_decisions(memory):
    document = indexed()
    document["items"] = [{"id": "r1", "type": "rule", "title": "Deps", "content": "no pydantic"}]
    assert [one.id for one in memory(document).enforced()] == ["ADR-102", "d1"]


def test_an_indexed_file_puts_its_active_versions_in_force(memory, tmp_path):
    adr, by_hand = memory(indexed()).enforced()
    assert (adr.id, adr.statement, adr.constraints) == ("ADR-102", "Use Postgres 16", ("no mongoose",))
    assert [rule.value for rule in adr.rules] == ["mongodb", "legacy"]
    assert adr.source == str(tmp_path / "docs/adr/ADR-102-b.md")
    assert (by_hand.id, by_hand.anti_patterns, by_hand.source) == ("d1", ("pickle",), "")


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("docs/ADR-1.md", True),
        ("docs/ADR-1-x.MD", True),
        ("docs/ADR-1_x.md", False),
        ("docs/ADR-10.md", False),
        ("docs/ADR-1-x.txt", False),
    ],
)
def test_an_adr_source_counts_only_if_the_file_is_named_after_the_decision(memory, tmp_path, path, counts):
    found = memory(plain(row("ADR-1", source={"type": "adr", "path": path})), "m.json").enforced()
    assert found[0].source == (str(tmp_path / path) if counts else "")


def test_the_source_path_follows_symbolic_links(memory, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "docs").symlink_to("real")
    found = memory(plain(row("d", source={"type": "adr", "path": "docs/d.md"})), "m.json").enforced()
    assert found[0].source == str(tmp_path / "real/d.md")


@pytest.mark.parametrize(
    ("name", "root"), [(".mneme/project_memory.json", "."), (".mneme/other.json", ".mneme"), ("m.json", ".")]
)
def test_rule_paths_start_above_dot_mneme_only_for_the_usual_file(memory, tmp_path, name, root):
    assert memory(plain(), name).policy_root() == (tmp_path / root).resolve()


def test_a_snapshot_of_an_index_has_every_version_and_state(memory):
    snapshot = memory(indexed()).load()
    assert [state.decision_id for state in snapshot.decisions] == ["ADR-101", "ADR-102", "d1"]
    assert all(name == id_of(version) for name, version in snapshot.versions.items())
    state = snapshot.state("ADR-102")
    assert state.lifecycle_status is Lifecycle.ACTIVE
    assert [entry.version_id for entry in state.versions][1] == state.active_version_id
    assert [rule.value for rule in active_rules(state)] == ["mongodb", "legacy"]
    assert state.versions[1].evidence == (
        AdrEvidence(source_locator="../docs/adr/ADR-102-b.md", sha256="3" * 64),
    )
    assert [link.target_decision_id for link in state.relationships] == ["ADR-101"]


def test_a_snapshot_of_a_section_less_file_has_the_ids_that_migration_gives(memory):
    source = {"type": "adr", "path": "docs/adr/ADR-1.md", "sha256": "9" * 64}
    snapshot = memory(
        plain(row("ADR-1", source=source, rules=[literal("x")]), row("d2", status="deprecated"))
    ).load()
    occurrences = [snapshot.versions[state.active_version_id].occurrence for state in snapshot.decisions]
    assert occurrences == [("ADR-1", "9" * 64, "adr-import"), ("legacy-decisions", "d2")]
    assert snapshot.decisions[0].rules[0].authority is Authority.LEGACY_UNKNOWN
    assert snapshot.decisions[1].lifecycle_status is Lifecycle.DEPRECATED


def test_a_missing_file_is_said_in_the_fixed_words(tmp_path):
    with pytest.raises(InvalidInput) as raised:
        MemoryFile(tmp_path / "no.json", as_given="no.json").read()
    assert (raised.value.message, raised.value.hint) == ("memory file no.json does not exist", "")


def test_a_folder_is_no_memory_file(tmp_path):
    with pytest.raises(InvalidInput, match="memory file d cannot be read: Is a directory"):
        MemoryFile(tmp_path, as_given="d").read()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{bad", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"\xef\xbb\xbf{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"),
        (
            b'{"meta": "\xe9"}',
            "'utf-8' codec can't decode byte 0xe9 in position 10: invalid continuation byte",
        ),
        (b"[]", "list indices must be integers or slices, not str"),
        (b"{}", "'meta'"),
        (b'{"meta": {"name": ""}}', "'description'"),
        (b'{"meta": 1}', "'int' object is not subscriptable"),
        (b"[" * 100_000 + b"]" * 100_000, "the JSON is nested too deeply"),
        (b'{"meta": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "the JSON is nested too deeply"),
    ],
)
def test_what_is_no_memory_file_is_an_error_with_the_file_named(memory, data, expected):
    error = reason(memory(data))
    assert error.reason == expected
    assert error.message.startswith("memory file .mneme/project_memory.json failed validation: ")


@pytest.mark.parametrize(
    ("document", "expected", "place"),
    [
        (plain(row("a"), row("a")), "duplicate decision id 'a'", "'a'"),
        (
            plain(row("a"), items=[{"id": "a", "type": "rule", "title": "t", "content": ""}]),
            "duplicate decision id 'a'",
            "(item)",
        ),
        (plain({"id": "a"}), "'decision'", "decisions[0] lacks the required key 'decision'"),
        (plain("a"), "decision record must be an object", "decisions[0] must be an object"),
        (plain(row("a", scope="abc")), "decisions[0].scope must be a list", "decisions[0].scope"),
        (plain(row("a", anti_patterns=[1])), "decisions[0].anti_patterns must contain only strings", "anti"),
        (
            plain(row("a", rules=[{"type": "FORBID_REGEX", "value": "x"}])),
            "unknown rule type 'FORBID_REGEX' (expected one of ['FORBID_LITERAL'])",
            "decisions[0].rules[0]: unknown rule type",
        ),
        (
            plain(row("a"), row("b", rules=[literal("x", ["/abs/**"])])),
            "path selector '/abs/**' must be repository-relative",
            "decisions[1].rules[0]: path selector",
        ),
        (
            plain(row("a", rules=[literal("x", None, ["a"])])),
            "exclude_paths require include_paths",
            "decisions[0].rules[0]: exclude_paths",
        ),
        (plain(row("a", rules=[literal("  ")])), "rule value must be a non-empty string", "rules[0]: rule"),
        (
            plain(row("a", rules=[literal("x", [])])),
            "include_paths must be a non-empty tuple when provided",
            "decisions[0].rules[0]: include_paths",
        ),
        ({"meta": META, "decisions": None}, "decisions must be a list", "decisions"),
        (plain(items=[{"id": "i", "type": "rule"}]), "'title'", "items[0] lacks the required key 'title'"),
        (plain(examples=[{"id": "e"}]), "'task'", "examples[0] lacks the required key 'task'"),
    ],
)
def test_a_bad_row_is_named_with_its_field(memory, document, expected, place):
    error = reason(memory(document))
    assert error.reason.startswith(expected)
    assert place in error.message


def test_what_is_only_for_people_may_have_any_form(memory):
    document = plain(row("a", created_at=None, source=5, test_evidence=None), items=[])
    document["meta"] = {"name": None, "description": ["x"]}
    assert [one.id for one in memory(document).enforced()] == ["a"]


def test_the_document_keeps_unknown_keys_and_their_order(memory):
    document = {"zeta": 1, **plain(row("a", extra=[1.5]))}
    contents = memory(document).read()
    assert list(contents.document) == ["zeta", "meta", "decisions"]
    assert contents.document["decisions"][0]["extra"] == [1.5]


def test_a_memory_file_that_cannot_be_opened_says_why(memory):
    store = memory(plain())
    store.path.chmod(0)
    if os.access(store.path, os.R_OK):
        pytest.skip("this user reads everything")
    with pytest.raises(InvalidInput, match="Permission denied"):
        store.read()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_sources_are_resolved_through_every_link_as_the_system_does(tmp_path):
    from mneme_git.store.memory_rows import Resolver

    (tmp_path / "real/adr").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "docs").symlink_to("real")
    (tmp_path / "real/adr/a.md").symlink_to("b.md")
    (tmp_path / "linked").symlink_to("home")
    for folder in ("home", "linked"):
        resolver = Resolver(tmp_path / folder)
        for locator in (
            "../docs/adr/a.md",
            "../docs/adr/b.md",
            "x.md",
            "../docs/..",
            "../docs/../y.md",
            "/etc/../z.md",
            "a//b.md",
            "../docs/adr/",
            "/x.md",
        ):
            expected = os.path.realpath(tmp_path / folder / locator)
            assert resolver.resolve(locator) == resolver.resolve(locator) == expected, locator
