import copy
import json

from mneme_git.decisions.memory_difference import differences
from tests.support.memory import indexed


def told(change):
    after = copy.deepcopy(indexed())
    change(after)
    return differences(json.dumps(indexed()).encode(), json.dumps(after).encode())


def test_records_are_named_with_what_differs_in_them():
    def change(document):
        document["decisions"][0]["decision"] = "edited"
        document["decisions"].append({"id": "d9", "decision": "X"})
        document["decision_index"]["versions"].pop()
        document["decision_index"]["rules"][0]["sequence"] = 9
        document["note"] = 1
        del document["items"]

    lines = told(change)
    assert lines[:2] == (
        "row of decisions[]: 'ADR-102' differs in decision",
        "row of decisions[]: 'd9' is new",
    )
    assert any(
        line.startswith("decision_index.versions: 'dver-") and line.endswith("is missing") for line in lines
    )
    assert any(line.endswith("differs in sequence") for line in lines)
    assert lines[-2:] == ("'items' is missing", "'note' is new")


def test_an_order_and_a_value_that_differ_are_told():
    assert told(lambda document: document["decisions"].reverse()) == ("row of decisions[]: another order",)
    assert told(lambda document: document["meta"].update(name="other")) == ("'meta' differs",)


def test_rows_of_one_name_are_told_apart():
    twice = told(lambda document: document["decisions"].append(dict(document["decisions"][0])))
    assert twice == ("row of decisions[]: 'ADR-102 #2' is new",)


def test_what_cannot_be_parsed_is_compared_by_line():
    good = b'{\n  "a": 1,\n  "b": 2\n}\n'
    assert differences(good, b'{\n  "a": 1,\n  "b":\n') == (
        "--- good", "+++ now", "@@ -2,4 +2,3 @@", '   "a": 1,', '-  "b": 2', "-}", '+  "b":', " ",
    )  # fmt: skip
    assert differences(good, b"\xff" + b"x\n" * 200)[-1] == "…"


def test_equal_values_in_another_layout_are_compared_by_line():
    assert differences(b'{"a": 1}', b'{"a":  1}')[0] == "--- good"
    assert differences(b'{"a": 1}', b'{"a": 1}') == ()
