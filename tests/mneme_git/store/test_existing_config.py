"""The file of the existing engine: honoured where both have a setting, never touched."""

import json
import os

import pytest

from mneme_git.store.config import KEYS, Settings, read_settings
from mneme_git.store.existing_config import OLD_KEYS, engine_home, read_existing
from mneme_git.store.process import Git

# What that engine writes at its first use, as its description has it.
DEFAULTS = {
    "discoveryModel": None,
    "router": {"baseUrl": "http://127.0.0.1:11436"},
    "indexer": {
        "maxFileBytes": 1048576,
        "ignore": [".git", "node_modules", "dist", "build", ".next", ".venv", "target", ".mneme"],
        "languages": ["typescript", "python", "go", "rust", "php", "csharp"],
    },
    "retrieval": {
        "defaultTokenBudget": 6000,
        "perFileCap": 800,
        "tokenizer": "chars/4",
        "weights": {"nameMatch": 1.0},
    },
    "memory": {"globalDbPath": "$HOME/.openclaude/mneme/global.db"},
}
EXAMPLES = {
    "discoveryModel": ("ollama-local:q", {"discovery_model": "ollama-local:q"}),
    "router.baseUrl": ("http://10.0.0.7:1", {"router_url": "http://10.0.0.7:1"}),
    "indexer.maxFileBytes": (5000, {"max_file_bytes": 5000}),
    "indexer.ignore": (["gen", "*.min.js"], {"ignore": ("gen", "*.min.js")}),
    "retrieval.defaultTokenBudget": (900, {"token_budget": 900}),
    "cross_project.enabled": (True, {"cross_project": True}),
    "cross_project.allow": (
        ["0123456789abcdef", "/home/ada/x"],
        {"cross_project_allow": ("0123456789abcdef", "/home/ada/x")},
    ),
}


@pytest.fixture
def engine(tmp_path):
    folder = tmp_path / "engine"
    folder.mkdir()
    return folder


def settings_of(engine, content, repo=None):
    (engine / "mneme.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return read_settings(
        git=Git(directory=repo.path) if repo else None, environment={"OPENCLAUDE_HOME": str(engine)}
    )


def nested(name, value):
    section, mark, last = name.partition(".")
    return {section: {last: value}} if mark else {section: value}


def test_every_key_of_the_table_that_has_one_of_ours_has_an_example():
    assert {old.name for old in OLD_KEYS if old.key} == set(EXAMPLES)
    assert {old.key for old in OLD_KEYS if old.key} <= {key.name.lower() for key in KEYS}


def test_what_the_engine_itself_wrote_was_chosen_by_nobody(engine):
    assert settings_of(engine, DEFAULTS) == Settings()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_setting_that_both_have_counts(engine, name):
    value, expected = EXAMPLES[name]
    found = settings_of(engine, nested(name, value))
    assert {field: getattr(found, field) for field in expected} == expected
    assert found.notices == ()


@pytest.mark.parametrize("name", EXAMPLES)
def test_git_s_configuration_wins(engine, repo, name):
    value, expected = EXAMPLES[name]
    (field,) = expected
    key = next(key for old in OLD_KEYS for key in KEYS if old.name == name and key.name.lower() == old.key)
    mine = {"number": "700", "truth": "false", "projects": "/mine"}.get(key.kind, "mine")
    repo.git("config", "--global", key.name, mine)
    found = settings_of(engine, nested(name, value), repo)
    assert getattr(found, field) in (700, False, "mine", ("mine",), ("/mine",))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("value", [{"a": 1}, 1.5, -3, [1], "\u0007"])
def test_a_value_of_another_kind_is_named_with_file_and_key_and_the_default_counts(engine, name, value):
    found = settings_of(engine, nested(name, value))
    assert [getattr(found, field) for field in Settings.__struct_fields__ if field != "notices"] == [
        getattr(Settings(), field) for field in Settings.__struct_fields__ if field != "notices"
    ]
    (notice,) = found.notices
    assert notice.startswith(f"'{engine}/mneme.json': {name} is to be ")


def test_of_a_list_the_rows_that_fit_count_and_the_others_are_named(engine):
    found = settings_of(engine, {"cross_project": {"allow": ["../x", "/home/ada/x", "XYZ"]}})
    assert found.cross_project_allow == ("/home/ada/x",)
    assert "cross_project.allow is to be the hash of a project" in found.notices[0]


def test_what_is_added_to_the_ignored_of_the_engine_counts_alone(engine):
    ignored = [*DEFAULTS["indexer"]["ignore"], "gen/"]
    assert settings_of(engine, {"indexer": {"ignore": ignored}}).ignore == ("gen/",)
    assert settings_of(engine, {"indexer": {"ignore": ["build"]}}).ignore == ("build",)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "it is not JSON at line 1, column 2"),
        ("[]", "it holds no object"),
        ("", "it is not JSON at line 1, column 1"),
        ('{"discoveryModel": "m",}', "it is not JSON at line 1"),
        ("[" * 100_000, "it is not JSON that can be read"),
        (" " * (2 << 20), "it cannot be read: it is too large"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_nothing_in_it_is_taken(engine, content, why):
    found = settings_of(engine, content)
    assert (found.discovery_model, found.token_budget) == ("", 6000)
    assert found.notices[0].startswith(f"'{engine}/mneme.json': {why}")


def test_bytes_that_are_no_text_and_what_is_no_file_are_named_too(engine):
    (engine / "mneme.json").write_bytes(b'{"discoveryModel": "\xff"}')
    assert "not UTF-8 at byte 20" in read_existing({"OPENCLAUDE_HOME": str(engine)}).notices[0]
    (engine / "mneme.json").unlink()
    os.mkfifo(engine / "mneme.json")
    assert "no regular file" in read_existing({"OPENCLAUDE_HOME": str(engine)}).notices[0]


def test_a_section_that_is_none_is_named_once(engine):
    found = settings_of(engine, {"indexer": 3, "router": "x"})
    assert found.notices == (
        f"'{engine}/mneme.json': router is to be an object; nothing in it is taken",
        f"'{engine}/mneme.json': indexer is to be an object; nothing in it is taken",
    )


def test_the_file_is_neither_made_nor_changed(engine, tmp_path):
    assert read_existing({"OPENCLAUDE_HOME": str(tmp_path / "none")}).notices == ()
    assert not (tmp_path / "none").exists()
    settings_of(engine, '{ "discoveryModel" : "m" }')
    assert (engine / "mneme.json").read_text() == '{ "discoveryModel" : "m" }'
    assert [path.name for path in engine.iterdir()] == ["mneme.json"]


def test_a_file_with_a_byte_order_mark_is_read(engine):
    assert settings_of(engine, '\ufeff{"discoveryModel": "m"}').discovery_model == "m"


def test_the_home_of_the_engine_is_in_the_user_s_unless_it_is_named(tmp_path):
    assert str(engine_home({"HOME": "/home/ada"})) == "/home/ada/.openclaude"
    assert str(engine_home({"HOME": "/home/ada", "OPENCLAUDE_HOME": "/o"})) == "/o"
    assert engine_home({"HOME": "nowhere"}) is None
    assert read_existing({"HOME": "nowhere"}).notices == ()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (None, "/home/ada/.openclaude/mneme/global.db"),
        ("$HOME/g.db", "/home/ada/g.db"),
        ("${HOME}/g.db", "/home/ada/g.db"),
        ("$NONE/$home/g.db", "$NONE/$home/g.db"),
        (7, "/home/ada/.openclaude/mneme/global.db"),
    ],
)
def test_the_global_database_is_where_the_file_says(engine, given, found):
    (engine / "mneme.json").write_text(json.dumps({"memory": {"globalDbPath": given}}))
    asked = read_existing({"HOME": "/home/ada", "OPENCLAUDE_HOME": str(engine)})
    assert asked.global_db == found
