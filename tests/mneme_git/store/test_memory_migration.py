import json
import os

import pytest

from mneme_git.errors import Refused
from mneme_git.model.migration import MigrationRefused
from mneme_git.store.memory_migration import plan_migration
from mneme_git.store.memory_read import contents_of, snapshot_of
from mneme_git.store.memory_write import encode_document
from tests.support.memory import META, indexed, literal, plain, row

SOURCE = {"type": "adr", "path": "../docs/adr/ADR-1-x.md", "sha256": "a" * 64}


@pytest.fixture
def migrate(tmp_path):
    path = tmp_path / ".mneme/project_memory.json"
    path.parent.mkdir()

    def plan(document):
        data = document if isinstance(document, bytes) else encode_document(document)
        path.write_bytes(data)
        return plan_migration(data, path, "m.json")

    plan.path = path
    return plan


def item(name="i1", kind="rule", **more):
    return {"id": name, "type": kind, "title": "Deps", "content": "no pydantic", **more}


def test_rows_become_decisions_with_one_version_and_keep_their_words(migrate):
    rows = [
        row("ADR-1", "Use X", source=SOURCE, created_at="c", updated_at="u", test_evidence=[{"selector": "t"}]),
        {"decision": "Y", "id": "d2", "rules": [literal("b", ["src/**"], []), literal("a")], "scope": ["s"]},
    ]  # fmt: skip
    planned = migrate({"x-top": 1, **plain(*rows)})
    after = json.loads(planned.after)
    assert list(after) == ["x-top", "meta", "decisions", "decision_index"]
    assert after["decisions"] == rows
    index = after["decision_index"]
    adr, other = index["versions"]
    assert adr["occurrence_source_identity"] == ["ADR-1", "a" * 64, "adr-import"]
    assert adr["source_evidence"][0]["source_locator"] == "../docs/adr/ADR-1-x.md"
    assert (adr["created_at"], index["decisions"][0]["updated_at"]) == ("c", "u")
    assert index["decisions"][0]["test_evidence"] == [{"selector": "t", "sha": ""}]
    assert other["occurrence_source_identity"] == ["legacy-decisions", "d2"]
    assert [
        (r["sequence"], r["rule_payload"]["value"], r["applicability"], r["binding_authority"])
        for r in index["rules"]
    ] == [
        (0, "b", {"include_paths": ["src/**"]}, "legacy_unknown"),
        (1, "a", {}, "legacy_unknown"),
    ]
    assert (planned.facts.native, planned.facts.active, planned.facts.rules) == (2, 2, 2)


def test_rows_that_are_not_active_live_on_in_the_index_only(migrate):
    rows = [row("d1", status="deprecated"), row("d2", status="superseded"), row("d3", status="active")]
    planned = migrate(plain(*rows))
    after = json.loads(planned.after)
    assert after["decisions"] == [rows[2]]
    assert [d["lifecycle_status"] for d in after["decision_index"]["decisions"]] == [
        "deprecated",
        "superseded",
        "active",
    ]
    assert planned.facts.retired == (("d1", "deprecated"), ("d2", "superseded"))
    assert planned.facts.active == 1


def test_items_of_two_kinds_become_decisions_and_stay_items(migrate):
    items = [item(), item("i2", "anti_pattern", content=None), item("i3", "preference")]
    planned = migrate(plain(row("d1"), items=items))
    after = json.loads(planned.after)
    assert after["items"] == items
    assert planned.facts.items == ("i1", "i2")
    built = after["decisions"][1:]
    assert [(r["decision"], r["scope"], r["constraints"], r["anti_patterns"]) for r in built] == [
        ("Deps", ["general"], ["no pydantic"], []),
        ("Avoid: Deps", ["general"], [], ["Deps"]),
    ]
    assert list(built[0])[-1] == "status"
    assert after["decision_index"]["versions"][1]["occurrence_source_identity"] == ["legacy-items", "i1"]


def test_what_is_in_force_is_the_same_before_and_after(migrate):
    planned = migrate(plain(row("d1", rules=[literal("x")]), row("ADR-1", source=SOURCE), items=[item()]))
    before = contents_of(planned.before, migrate.path, need_head=True)
    after = contents_of(planned.after, migrate.path, need_head=True)
    assert snapshot_of(before, "") == snapshot_of(after, "")
    assert [r.source for r in before.rows] == [r.source for r in after.rows]


def test_a_file_with_a_good_index_is_left_alone(migrate):
    planned = migrate(indexed())
    assert planned.facts is None
    assert planned.after == planned.before


def test_a_file_with_a_bad_index_is_not_repaired(migrate):
    document = indexed()
    document["decisions"].pop()
    with pytest.raises(
        Refused,
        match=r"^the canonical Decision Index in m.json is invalid; migration is not a repair path: persisted",
    ):
        migrate(document)


@pytest.mark.parametrize(
    ("document", "reason", "rows"),
    [
        (b"{", "project memory is not valid UTF-8 JSON: Expecting", ()),
        (b'{"a": "\xe9"}', "project memory is not valid UTF-8 JSON: 'utf-8' codec", ()),
        (b"[]", "project memory must be an object", ()),
        (plain(row("d1"), row("d1")), "duplicate decision id 'd1' in decisions[]", ()),
        (plain(row("dprop-1")), "decision id 'dprop-1' uses reserved proposal namespace", ()),
        (plain(items={}), "items must be a list", ()),
        (plain(items=["x"]), "memory item must be an object", ()),
        (plain(items=[{"id": "i", "type": "rule"}]), "invalid memory item: 'title'", ()),
        (plain(row("i1"), items=[item()]), "legacy item id 'i1' collides with an existing decision id", ()),
        (plain(items=[item(), item()]), "legacy item id 'i1' collides with an existing decision id", ()),
        (plain(items=[item("dprop-1")]), "legacy item id 'dprop-1' uses reserved proposal namespace", ()),
        (plain(items=[item(tags=5)]), "invalid memory item: type of 'i1' must be a string, tags a list", ()),
        (
            plain(row("d1"), row("d2", rules=[literal("x"), literal("x")])),
            "decision 'd2' contains duplicate identical rule bindings",
            (1,),
        ),
        (
            plain(row("d1", rules=[{"type": "FORBID_REGEX", "value": "x"}])),
            "decision 'd1' rules[0]: unknown rule type 'FORBID_REGEX' (expected one of ['FORBID_LITERAL'])",
            (0,),
        ),
        (
            plain(row("d1", rules=[literal("x", ["/a"])])),
            "decision 'd1' rules[0]: path selector '/a' must be repository-relative",
            (0,),
        ),
    ],
)
def test_what_cannot_be_migrated_is_refused_with_its_reason(migrate, document, reason, rows):
    with pytest.raises(MigrationRefused) as raised:
        migrate(document)
    assert raised.value.message.startswith(f"migration refused: {reason}")
    assert raised.value.rows == rows


def test_everything_that_would_be_lost_is_listed_at_once_in_order(migrate):
    document = plain(
        "text",
        {"id": 5},
        row("d1", None, rationale=1, scope="a", constraints=[1], created_at=5, updated_at=None, rules="x", test_evidence="y", b=1, a=1, status="x"),
        row("d2", rules=["z", {"note": 1, "type": 5, "value": 5, "include_paths": "a", "exclude_paths": None}]),
        row("d3", test_evidence=["z", {"x": 1}, {"selector": "a", "sha": 1}, {"selector": "a", "sha": ""}]),
        row("d4", source="notes"),
        row("d5", source={"type": "fax", "z": 1, "sha256": 5}),
        row("d6", source={"type": "adr", "path": "../docs/D6.md"}),
    )  # fmt: skip
    with pytest.raises(MigrationRefused) as raised:
        migrate(document)
    assert raised.value.message.split("\n  - ") == [
        "migration refused: migration must be lossless; refused before writing:",
        "decisions[0] is not an object",
        "decisions[1] has no non-empty string id",
        "decision 'd1' contains unsupported field 'a'",
        "decision 'd1' contains unsupported field 'b'",
        "decision 'd1' field 'decision' must be a string",
        "decision 'd1' field 'rationale' must be a string",
        "decision 'd1' field 'created_at' must be a string",
        "decision 'd1' field 'updated_at' must be a string",
        "decision 'd1' field 'scope' must be a list of strings",
        "decision 'd1' field 'constraints' must be a list of strings",
        "decision 'd1' field 'status' has unsupported value 'x'",
        "decision 'd1' field 'rules' must be a list",
        "decision 'd1' field 'test_evidence' must be a list",
        "decision 'd2' rules[0] is not an object",
        "decision 'd2' rules[1] contains unsupported field 'note'",
        "decision 'd2' rules[1] field 'type' must be a string",
        "decision 'd2' rules[1] field 'value' must be a string",
        "decision 'd2' rules[1] field 'include_paths' must be a list of strings",
        "decision 'd2' rules[1] field 'exclude_paths' must be a list of strings",
        "decision 'd3' test_evidence[0] is not an object",
        "decision 'd3' test_evidence[1] contains unsupported field 'x'",
        "decision 'd3' test_evidence[1] field 'selector' must be a string",
        "decision 'd3' test_evidence[2] field 'sha' must be a string",
        "decision 'd3' test_evidence[3] field 'sha' is empty; leave it out",
        "decision 'd4' source is not an object",
        "decision 'd5' source contains unsupported field 'z'",
        "decision 'd5' source type 'fax' has no canonical provenance representation in D1 (only 'adr' sources migrate)",
        "decision 'd5' source field 'sha256' must be a string",
        "decision 'd6' source path '../docs/D6.md' does not resolve to an ADR file for this decision",
    ]
    assert raised.value.rows == (0, 1, 2, 3, 4, 5, 6, 7)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_from_another_depth_would_make_a_file_that_does_not_load(tmp_path):
    real = tmp_path / "deep/er/m.json"
    real.parent.mkdir(parents=True)
    data = encode_document(plain(row("ADR-1", source=SOURCE | {"path": "ADR-1.md"})))
    real.write_bytes(data)
    link = tmp_path / "m.json"
    link.symlink_to("deep/er/m.json")
    with pytest.raises(MigrationRefused, match=r"persisted decisions\[\] compatibility snapshot diverges"):
        plan_migration(data, link, "m.json")


def test_keys_that_are_absent_are_added_only_where_the_format_needs_them(migrate):
    after = json.loads(migrate({"meta": META}).after)
    assert list(after) == ["meta", "decision_index", "decisions"]
