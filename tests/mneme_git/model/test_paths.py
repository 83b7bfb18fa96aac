"""Names of files: functions of the id alone, safe on every file system."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.model import paths


@pytest.mark.parametrize(
    ("decision_id", "slug"),
    [
        ("ADR-007", "adr-007"),
        ("use-sqlite", "use-sqlite"),
        ("0001", "0001"),
        ("20200924-use-markdown", "20200924-use-markdown"),
        ("adr-007", "adr-007~"),
        ("Use-SQLite", "use-sqlite~"),
        ("con", "con~"),
        ("lpt1", "lpt1~"),
        ("../../etc/passwd", "------etc-passwd~"),
        ("größe", "gr----e~"),
        ("a" * 81, "a" * 80 + "~"),
        ("", "~e3b0c44298fc1c14"),
    ],
)
def test_slugs(decision_id, slug):
    made = paths.slug(decision_id)
    assert made.startswith(slug) if slug.endswith("~") else made == slug


@settings(deadline=None)
@given(st.text(), st.text())
def test_two_ids_never_share_a_name_even_when_case_is_folded(one, other):
    if one != other:
        assert paths.slug(one).lower() != paths.slug(other).lower()


@settings(deadline=None)
@given(st.text())
def test_a_slug_is_one_safe_path_segment(decision_id):
    made = paths.slug(decision_id)
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-~")
    assert 0 < len(made) <= 97
    assert paths.classify(paths.decision_path(decision_id)) == paths.RecordPath("decision", made)


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        (".mneme/format", "format", ""),
        (".mneme/config", "config", ""),
        (".mneme/.gitattributes", "attributes", ""),
        (".mneme/decisions/.keep", "keep", ""),
        (f".mneme/versions/a/dver-{'a' * 32}.json", "version", f"dver-{'a' * 32}"),
        (f".mneme/versions/b/dver-{'a' * 32}.json", "version", f"dver-{'a' * 32}"),
        (f".mneme/proposals/a/{'a' * 32}.json", "proposal", "a" * 32),
        (f".mneme/proposals/a/dprop-{'a' * 32}.verdict.json", "verdict", f"dprop-{'a' * 32}"),
        (f".mneme/proposals/a/dprop-{'a' * 32}.verdict.sig", "signature", f"dprop-{'a' * 32}"),
        (f".mneme/memories/a/{'a' * 32}.json", "memory", "a" * 32),
        (f".mneme/memories/a/{'a' * 32}.forgotten", "forgotten", "a" * 32),
        (".mneme/notes.txt", "foreign", ""),
        (".mneme/decisions/sub/x.json", "foreign", ""),
    ],
)
def test_a_path_says_what_it_holds(path, kind, name):
    assert paths.classify(path) == paths.RecordPath(kind, name)


def test_the_layout_has_a_keeper_in_every_folder():
    kept = paths.keep_paths()
    assert len(kept) == 49
    assert kept == tuple(sorted(kept))
    assert ".mneme/versions/f/.keep" in kept
