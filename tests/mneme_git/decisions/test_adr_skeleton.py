import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.decisions.adr_frontmatter import read_fields, with_directives
from mneme_git.decisions.adr_skeleton import skeletons
from mneme_git.decisions.adr_text import read_text
from mneme_git.decisions.directives import read_directives

TODAY = "2026-01-02"
ROW = {
    "id": "ec-1",
    "decision": "Use Kafka: always",
    "rationale": "because",
    "scope": ["msg"],
    "constraints": ["no rabbit", "FORBID_PATH src/q", "be nice"],
    "anti_patterns": ["point to point"],
    "rules": [
        {"type": "FORBID_LITERAL", "value": "rabbitmq"},
        {"type": "FORBID_LITERAL", "value": "x", "include_paths": ["src/**"], "exclude_paths": ["src/g/**"]},
    ],
    "created_at": "2025-05-06T00:00:00Z",
    "source": {"type": "eventcatalog"},
    "owner": "me",
}


def imported(skeleton):
    """Read a skeleton as the importer would."""
    text, problems = read_text(f"docs/adr/{skeleton.name}", skeleton.text.encode())
    assert text is not None, problems
    adr, problems = read_fields(text)
    assert adr is not None, problems
    directives = read_directives(text.document, text.path)
    assert not directives.problems, directives.problems
    return with_directives(adr, directives)


def test_a_skeleton_imports_with_the_rules_and_constraints_of_the_row():
    (made,) = skeletons([ROW], [0], today=TODAY)
    assert (made.row_id, made.name) == ("ec-1", "ADR-001-use-kafka-always.md")
    adr = imported(made)
    assert (adr.title, adr.stated_id, adr.scope, adr.date) == (
        "Use Kafka: always",
        "ADR-001",
        "msg",
        "2025-05-06",
    )
    assert [
        (rule.value, rule.applicability.include_paths, rule.applicability.exclude_paths) for rule in adr.rules
    ] == [
        ("rabbitmq", None, None),
        ("x", ("src/**",), ("src/g/**",)),
    ]
    assert adr.constraints == ("no rabbit", "FORBID_PATH src/q")
    for told in (
        "because",
        "1. be nice",
        "1. point to point",
        '"owner": "me"',
        '"id": "ec-1"',
        "eventcatalog",
    ):
        assert told in made.text


def test_a_row_that_is_called_like_an_adr_keeps_its_id_and_others_get_the_numbers_above():
    rows = [
        {"id": "d1", "decision": "A"},
        {"id": "ADR-041", "decision": "B"},
        {"id": "d2", "decision": "C"},
        "text",
    ]
    made = skeletons(rows, [0, 1, 2, 3], today=TODAY)
    assert [each.name for each in made] == ["ADR-042-a.md", "ADR-041-b.md", "ADR-043-c.md"]


def test_the_status_of_a_row_becomes_that_of_its_adr():
    rows = [
        {"id": f"d{n}", "decision": "A", "status": status}
        for n, status in enumerate(("deprecated", "superseded", "inactive", "active", 5))
    ]
    statuses = [
        each.text.split("status: ")[1].split("\n")[0] for each in skeletons(rows, range(5), today=TODAY)
    ]
    assert statuses == ["deprecated", "superseded", "proposed", "accepted", "accepted"]


values = st.one_of(st.none(), st.integers(), st.text(max_size=8), st.lists(st.text(max_size=8), max_size=2))
rows = st.dictionaries(
    st.sampled_from(
        [
            "decision",
            "rationale",
            "scope",
            "constraints",
            "anti_patterns",
            "rules",
            "status",
            "created_at",
            "source",
            "note",
        ]
    ),
    values,
)


@settings(deadline=None)
@given(rows)
def test_any_row_gives_a_skeleton_that_imports_and_says_all_of_it(row):
    (made,) = skeletons([{"id": "d1", **row}], [0], today=TODAY)
    imported(made)
    _, _, carried = made.text.partition("## Carried over\n\n```json\n")
    told = json.loads(carried.rpartition("\n```")[0]) if carried else {}
    for key in ("source", "note"):
        if key in row:
            assert told[key] == row[key]
