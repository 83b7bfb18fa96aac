import copy
import itertools
import json

import pytest

from mneme_git.errors import InvalidInput
from mneme_git.model.proposal import Origin
from mneme_git.model.proposal_entry import entry_of
from mneme_git.model.proposal_record import entry_row, read_candidate, read_entry
from tests.support.examples import PROPOSAL
from tests.support.make import make_entry, make_proposal

GONE = object()


def row(**changes):
    """Return a good row with some fields changed; ``a__b`` is the field ``b`` of ``a``."""
    made = copy.deepcopy(entry_row(make_entry()))
    for where, value in changes.items():
        *parents, key = where.split("__")
        target = made
        for parent in parents:
            target = target[parent]
        if value is GONE:
            del target[key]
        else:
            target[key] = value
    return made


def test_a_row_keeps_the_key_order_of_the_format():
    made = entry_row(entry_of(PROPOSAL))
    assert list(made) == [
        "proposal_id",
        "status",
        "candidate",
        "producer_key",
        "content_fingerprint",
        "proposed_at",
        "accepted_decision_id",
    ]
    assert list(made["candidate"]) == [
        "title",
        "statement",
        "rationale",
        "provenance",
        "scope_hints",
        "architecture_context",
        "related_decision_ids",
    ]
    assert list(made["candidate"]["provenance"]) == [
        "producer_name",
        "producer_type",
        "source_reference",
        "external_source_id",
        "source_version",
        "repository_locator",
        "origin_classification",
    ]


@pytest.mark.parametrize(
    "entry",
    [
        entry_of(PROPOSAL),
        make_entry(provenance=None),
        make_entry("accepted", "d1", rationale="a\r\nb", scope_hints=("größe",)),
        make_entry("rejected"),
    ],
)
def test_reading_a_written_row_gives_the_entry_again(entry):
    assert read_entry(json.loads(json.dumps(entry_row(entry)))) == entry


def test_optional_keys_may_be_absent():
    optional = ("rationale", "provenance", "scope_hints", "architecture_context", "related_decision_ids")
    bare = row(accepted_decision_id=GONE, **{f"candidate__{key}": GONE for key in optional})
    assert read_entry(bare).proposal == make_proposal(provenance=None)


def test_absent_optional_provenance_reads_as_empty_and_unknown():
    optional = ("external_source_id", "source_version", "repository_locator", "origin_classification")
    found = read_entry(row(**{f"candidate__provenance__{key}": GONE for key in optional})).proposal.provenance
    assert (found.external_source_id, found.source_version, found.repository_locator) == ("", "", "")
    assert found.origin_classification is Origin.IMPORTED_UNKNOWN


def test_unknown_keys_are_passed_over():
    assert read_entry(row(note="x", candidate__note=1, candidate__provenance__note=None)) == make_entry()


NAMES = "must be a tuple of non-empty strings"
ORIGINS = "['ai_generated', 'human_authored', 'imported_unknown']"
CANDIDATE, SOURCE = "candidate__", "candidate__provenance__"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"candidate": None}, "candidate record must be an object"),
        ({"candidate": []}, "candidate record must be an object"),
        ({"candidate": GONE}, "candidate record must be an object"),
        *[
            ({key: bad}, f"{key} must be a non-empty string")
            for key in ("proposal_id", "producer_key", "content_fingerprint", "proposed_at")
            for bad in (GONE, "", 3, None)
        ],
        *[
            ({f"{CANDIDATE}{key}": bad}, f"{key} must be a non-empty string")
            for key in ("title", "statement")
            for bad in (GONE, "", 3, ["x"])
        ],
        ({f"{CANDIDATE}rationale": None}, "rationale must be a string"),
        ({f"{CANDIDATE}provenance": ""}, "provenance record must be an object"),
        *[
            ({f"{CANDIDATE}{key}": bad}, f"{key} {NAMES}")
            for key in ("scope_hints", "related_decision_ids")
            for bad in ([""], [3], None, "text", {"a": 1})
        ],
        *[
            (
                {f"{CANDIDATE}architecture_context": bad},
                "architecture_context must be a dict of string keys and values",
            )
            for bad in ({"a": 1}, None, [["a", "b"]])
        ],
        *[
            ({f"{SOURCE}{key}": bad}, f"{key} must be a non-empty string")
            for key in ("producer_name", "producer_type", "source_reference")
            for bad in (GONE, "", 3)
        ],
        *[
            ({f"{SOURCE}{key}": None}, "optional provenance components must be strings")
            for key in ("external_source_id", "source_version", "repository_locator")
        ],
        *[
            (
                {f"{SOURCE}origin_classification": bad},
                f"origin_classification {bad!r} is not one of {ORIGINS}",
            )
            for bad in ("robot", None, 3, [])
        ],
        *[
            ({"status": bad}, f"proposal status {bad!r} is not one of ['accepted', 'proposed', 'rejected']")
            for bad in ("open", None, [])
        ],
        ({"status": "accepted"}, "an accepted proposal requires a non-empty accepted_decision_id"),
        (
            {"status": "accepted", "accepted_decision_id": ""},
            "an accepted proposal requires a non-empty accepted_decision_id",
        ),
        ({"accepted_decision_id": "d"}, "a 'proposed' proposal must not carry accepted_decision_id"),
        (
            {"status": "rejected", "accepted_decision_id": "d"},
            "a 'rejected' proposal must not carry accepted_decision_id",
        ),
    ],
)
def test_a_bad_row_is_refused_with_the_words_of_the_format(changes, text):
    with pytest.raises(InvalidInput) as raised:
        read_entry(row(**changes))
    assert raised.value.message == text


@pytest.mark.parametrize("value", [3, None, [], "x"])
def test_a_row_must_be_an_object(value):
    with pytest.raises(InvalidInput, match="proposal record must be an object"):
        read_entry(value)


def test_the_first_problem_is_the_one_that_is_told():
    order = [
        {f"{SOURCE}producer_name": ""},
        {f"{SOURCE}source_version": 3},
        {f"{SOURCE}origin_classification": "robot"},
        {f"{CANDIDATE}title": ""},
        {f"{CANDIDATE}statement": ""},
        {f"{CANDIDATE}rationale": 3},
        {f"{CANDIDATE}scope_hints": [""]},
        {f"{CANDIDATE}related_decision_ids": [""]},
        {f"{CANDIDATE}architecture_context": 3},
        {"status": "open"},
    ]
    for first, second in itertools.pairwise(order):
        with pytest.raises(InvalidInput) as alone:
            read_entry(row(**first))
        with pytest.raises(InvalidInput) as both:
            read_entry(row(**first, **second))
        assert both.value.message == alone.value.message


def test_a_candidate_gets_the_time_it_is_given():
    assert read_candidate(entry_row(make_entry())["candidate"], proposed_at="now").proposed_at == "now"
