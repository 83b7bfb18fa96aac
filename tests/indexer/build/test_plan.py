"""The difference between a view and a listing."""

import pytest

from mneme_indexer.build.plan import CHANGED, distinct, is_torn, plan
from mneme_indexer.db.views import ViewFile
from mneme_indexer.sources import Listed, Listing

LIMIT = 1000


def planned(listed, files, *, all_anew=False):
    return plan(Listing(tree="t", files={row.path: row for row in listed}), files, LIMIT, all_anew=all_anew)


def read(listed, files, **more):
    return [change.listed.path for change in planned(listed, files, **more).read]


def test_an_equal_file_needs_nothing():
    found = planned([Listed("a.py", "1", 10)], {"a.py": ViewFile("1", 7, True, "")})
    assert (found.read, found.unread, found.removed) == ((), {}, ())


@pytest.mark.parametrize(
    "before",
    [
        ViewFile("2", 7, True, ""),
        ViewFile("1", 7, False, ""),
        ViewFile("1", 0, True, CHANGED),
        ViewFile("1", 0, True, "an untracked dependency folder"),
    ],
)
def test_a_file_is_read_if_content_tracking_or_the_reason_against_it_changed(before):
    assert read([Listed("a.py", "1", 10)], {"a.py": before}) == ["a.py"]


def test_a_file_that_was_too_large_or_no_source_is_not_looked_at_again():
    files = {
        "a.py": ViewFile("1", 0, True, "larger than 1000 bytes"),
        "b.png": ViewFile("2", 0, True, "binary"),
        "c.po": ViewFile("3", 0, True, "data"),
    }
    found = planned([Listed("a.py", "1", -1), Listed("b.png", "2", 5), Listed("c.po", "3", 5)], files)
    assert (found.read, found.unread) == ((), {})


def test_another_way_of_reading_looks_at_every_file():
    files = {"a.py": ViewFile("1", 7, True, ""), "b.png": ViewFile("2", 0, True, "binary")}
    listed = [Listed("a.py", "1", 10), Listed("b.png", "2", 5)]
    found = planned(listed, files, all_anew=True)
    assert [change.listed.path for change in found.read] == ["a.py"]
    assert found.unread == {"b.png": ViewFile("2", 0, True, "binary")}


def test_a_file_that_is_gone_is_removed():
    assert planned([], {"a.py": ViewFile("1", 7, True, "")}).removed == ("a.py",)


def test_what_the_listing_skips_keeps_its_reason():
    found = planned([Listed("a.py", "1", 10, True, "not a regular file")], {})
    assert found.unread == {"a.py": ViewFile("1", 0, True, "not a regular file")}


def test_a_blob_is_read_once_for_each_language():
    rows = [Listed("a.py", "1"), Listed("b.py", "1"), Listed("b.js", "1")]
    assert [change.listed.path for change in distinct(planned(rows, {}).read)] == ["a.py", "b.js"]


@pytest.mark.parametrize(
    ("listed", "data", "torn"),
    [
        (Listed("a", "1", 5), b"", True),
        (Listed("a", "1", -1), b"", True),
        (Listed("a", "1", 0), b"", False),
        (Listed("a", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", -1), b"", False),
        (Listed("a", "1", 5), b"12345", False),
    ],
)
def test_no_content_where_there_should_be_some_is_a_torn_file(listed, data, torn):
    assert is_torn(listed, data) is torn
