import pytest

from mneme_git.decisions.to_git_plan import Fate, fates
from tests.support.make import make_state, make_version

A, B, C = (make_state(make_version("d1", text)) for text in "abc")


@pytest.mark.parametrize(
    ("base", "file", "git", "outcome"),
    [
        (None, A, None, "new"),
        (None, None, A, "kept"),
        (None, A, A, "same"),
        (None, A, B, "conflict"),
        (A, A, A, "same"),
        (A, B, A, "changed"),
        (A, A, B, "kept"),
        (A, A, None, "kept"),
        (A, B, B, "same"),
        (A, B, C, "conflict"),
        (A, B, None, "conflict"),
        (A, None, A, "gone"),
        (A, None, B, "gone"),
        (A, None, None, "same"),
    ],
)
def test_git_takes_only_what_nobody_changed_in_git(base, file, git, outcome):
    def one(state):
        return {} if state is None else {"d1": state}

    assert fates(one(base), one(file), one(git)) == (Fate("d1", outcome),)


def test_decisions_come_in_natural_order():
    states = dict.fromkeys(("ADR-10", "ADR-2", "b"), A)
    assert [fate.decision_id for fate in fates({}, states, {})] == ["ADR-2", "ADR-10", "b"]
