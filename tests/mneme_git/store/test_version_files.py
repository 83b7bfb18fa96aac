"""Versions, and where one is read from that has no sound file."""

import pytest

from mneme_git.model.codec import encode_state, encode_version
from mneme_git.model.decision import id_of
from mneme_git.model.paths import version_path
from mneme_git.store.journal import version_name
from tests.support.files import HOME, S1, S2, V1, V2, Known, only_fault, snapshot_of, version_file


@pytest.mark.parametrize(
    ("copies", "words"),
    [
        (Known(index={version_path(id_of(V1)): encode_version(V1)}), "git's index"),
        (Known(head={version_path(id_of(V1)): encode_version(V1)}), "HEAD"),
        (Known(journal={version_name(id_of(V1)): encode_version(V1)}), "the journal"),
    ],
)
def test_a_missing_version_is_read_from_where_there_is_one(copies, words):
    snapshot = snapshot_of((HOME, encode_state(S1)), copies=copies)
    assert snapshot.versions == {id_of(V1): V1}
    fault = only_fault(snapshot)
    assert (fault.code, fault.blocks) == ("MISSING_VERSION", False)
    assert words in fault.message


def test_a_version_that_is_nowhere_makes_enforcement_incomplete():
    snapshot = snapshot_of((HOME, encode_state(S2)), version_file(V2))
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("MISSING_VERSION", version_path(id_of(V1)), True)


def test_a_copy_that_is_bad_too_is_not_served():
    copies = Known(index={version_path(id_of(V1)): encode_version(V2)})
    assert snapshot_of((HOME, encode_state(S1)), copies=copies).versions == {}


def test_a_version_file_with_another_ones_content_is_set_aside_and_its_content_is_not_lost():
    path = version_path(id_of(V1))
    copies = Known(head={path: encode_version(V1)})
    snapshot = snapshot_of((HOME, encode_state(S2)), (path, encode_version(V2)), copies=copies)
    assert snapshot.versions == {id_of(V1): V1, id_of(V2): V2}
    fault = only_fault(snapshot)
    assert (fault.code, fault.path, fault.blocks) == ("DAMAGED_VERSION", path, True)


def test_versions_of_either_side_are_there_and_their_open_paths_are_listed():
    path, data = version_file(V2)
    snapshot = snapshot_of((HOME, encode_state(S2)), version_file(V1), stages=[(path, 3, data)])
    assert id_of(V2) in snapshot.versions
    assert snapshot.unmerged == (path,)
