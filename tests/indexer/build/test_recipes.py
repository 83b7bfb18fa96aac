"""In which language a file is read, and what makes it be read again."""

import pytest

from mneme_indexer.build import recipes
from mneme_indexer.languages import registry


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("a/b.py", "python"),
        ("a/b.PY", "python"),
        ("notes.txt", recipes.TEXT),
        (".gitignore", recipes.TEXT),
        ("bin/tool", recipes.SCRIPT),
        ("a.b/tool", recipes.SCRIPT),
    ],
)
def test_the_name_of_a_file_decides_how_it_is_read(path, key):
    assert recipes.key_language(path) == key


@pytest.mark.parametrize(
    ("data", "language"),
    [
        (b"#!/usr/bin/env python3\nx", "python"),
        (b"#!/usr/bin/python3", "python"),
        (b"#!/usr/bin/no-such-thing\n", recipes.TEXT),
        (b"plain text", recipes.TEXT),
        (b"", recipes.TEXT),
        (b"#!" + b"x" * 100_000, recipes.TEXT),
    ],
)
def test_the_first_line_decides_where_the_name_says_nothing(data, language):
    assert recipes.language_of(recipes.SCRIPT, data) == language


def test_a_known_language_is_not_asked_of_the_content():
    assert recipes.language_of("python", b"#!/bin/sh\n") == "python"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a.png", "binary"),
        ("a.PNG", "binary"),
        ("locale/django.po", "data"),
        ("Cargo.lock", "data"),
        ("a.py", ""),
        ("png", ""),
        (".png", ""),
        ("a.png/b", ""),
    ],
)
def test_pictures_and_data_are_not_read(path, reason):
    assert recipes.unread(path) == reason


def test_every_language_has_a_version_of_its_own():
    versions = recipes.versions()
    assert versions.keys() == {*registry.languages(), recipes.TEXT, recipes.SCRIPT}
    assert len(set(versions.values())) == len(versions)


def test_a_changed_query_changes_the_version_of_its_language_and_of_scripts_only(monkeypatch):
    before, digest = recipes.versions(), recipes.digest()
    real = registry.query_text
    monkeypatch.setattr(registry, "query_text", lambda name: real(name) + ";" * (name == "go"))
    recipes.versions.cache_clear()
    recipes.digest.cache_clear()
    try:
        after = recipes.versions()
        changed = {name for name in before if before[name] != after[name]}
        assert changed == {"go", recipes.SCRIPT}
        assert recipes.digest() != digest
    finally:
        recipes.versions.cache_clear()
        recipes.digest.cache_clear()
