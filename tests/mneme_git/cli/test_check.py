"""The commands as a user runs them; each weakness of the existing tool stands here as the better behaviour."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.memory import literal, plain, row


@pytest.fixture
def run(tmp_path):
    """Run mneme in a folder with a memory file m.json and an input in.txt."""

    def go(*arguments, document=None, text="x", stdin="", **env):
        if document is not None:
            data = document if isinstance(document, bytes) else json.dumps(document).encode()
            (tmp_path / "m.json").write_bytes(data)
        (tmp_path / "in.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        ran = subprocess.run(
            [sys.executable, "-m", "mneme_git", *arguments],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            input=stdin.encode(),
            env={**os.environ, **env},
        )
        out, err = ran.stdout.decode(), ran.stderr.decode()
        assert "Traceback" not in err, err
        return ran.returncode, out, err

    return go


CHECK = ("check", "--memory", "m.json", "--input", "in.txt", "--query", "zz")
REDIS = plain(row("d", "Use SQLite", anti_patterns=["redis"]))


def test_the_text_of_a_violation_is_that_of_the_format(run):
    code, out, err = run(
        *CHECK, document=plain(row("st-1", "Use JSON", constraints=["no postgres"])), text="postgres"
    )
    assert (code, err) == (1, "")
    assert (
        out == 'WARN  [st-1] constraint "no postgres" -- trigger: postgres\n      Use JSON\n\nResult: WARN\n'
    )


def test_a_clean_check_says_one_line(run):
    assert run(*CHECK, document=REDIS) == (0, "Result: PASS\n", "")


def test_json_is_one_ascii_line_with_the_fields_of_the_format(run):
    code, out, _ = run(*CHECK, "--json", document=plain(row("ü", "é", anti_patterns=["redis"])), text="redis")
    assert code == 2
    assert out == (
        '{"schema": "mneme.check/v1", "verdict": "FAIL", "mode": "strict", "evaluation_complete": true, '
        '"applicability": [], "violations": [{"decision_id": "\\u00fc", "decision_text": "\\u00e9", '
        '"severity": "FAIL", "rule": "redis", "trigger": "redis", "kind": "anti_pattern", "rule_type": null, '
        '"input_path": null, "selector": null}], "freshness": []}\n'
    )


def test_detail_adds_the_place_to_a_memory_file_s_report(run):
    _, out, _ = run(*CHECK, "--json", "--detail", document=REDIS, text="a\n b redis\n")
    found = json.loads(out)["violations"][0]
    assert (found["line"], found["column"], found["snippet"]) == (2, 4, "b redis")
    _, out, _ = run(*CHECK, "--detail", document=REDIS, text="a\n b redis\n")
    assert "      path: in.txt:2:4\n      text: b redis\n" in out


def test_warn_mode_forgives_findings_but_not_an_incomplete_check(run):
    document = plain(row("d", anti_patterns=["redis"]), row("e", rules=[literal("old", ["src/**"])]))
    assert run(*CHECK, "--mode", "warn", document=document, text="redis")[0] == 0
    code, out, _ = run(*CHECK, "--mode", "warn", "--target-path", "../x", document=document, text="redis")
    assert (code, out.splitlines()[-1]) == (2, "Result: INCOMPLETE")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"{bad", "Expecting property name"),
        (b"{}", "'meta' is missing"),
        (plain(row("d", rules=[{"type": "FORBID_REGEX", "value": "x"}])), "unknown rule type 'FORBID_REGEX'"),
        (plain(row("d", rules=[literal("x", ["/abs/**"])])), "'/abs/**' must be repository-relative"),
        (b"\xef\xbb\xbf" + json.dumps(REDIS).encode(), "BOM"),
        (plain(row("d", rules=[literal("x", None, ["a"])])), "exclude_paths require include_paths"),
        (
            plain(row("x", anti_patterns=["alpha"]), row("x", anti_patterns=["beta"])),
            "duplicate decision id 'x'",
        ),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
def test_a_bad_memory_file_is_an_error_of_its_own_and_never_a_verdict(run, document, said):
    code, out, err = run(*CHECK, document=document)
    assert (code, out) == (2, "")
    assert err.startswith("ERROR: memory file m.json failed validation: ")
    assert said in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "--mode", "warn"), "required: --input"),
        (("check", "in.txt"), "git init"),
        (("check", "--memory", "m.json", "--input", "in.txt", "--query", "x", "--mode", "block"), "--mode"),
        (("check", "--memory", "m.json", "--input", "in.txt", "--nope"), "--nope"),
        (("check", "--memory", "m.json", "--input", "in.txt", "--query"), "--query"),
        (("check", "--memory", "m.json", "--input", "."), "is a folder"),
        (("check", "--memory", "m.json", "--input", "nope.txt"), "input file nope.txt does not exist"),
        (
            ("check", "--memory", "nope.json", "--input", "in.txt", "--json"),
            "memory file nope.json does not exist",
        ),
        (("check", "--memory", "m.json", "--input", "in.txt", "--top", "-3"), "--top -3 is negative"),
        (
            ("check", "--memory", "m.json", "--input", "in.txt", "--target-path", "src\\a.py"),
            "has backslashes",
        ),
        (("check", "--memory", "m.json", "--input", "in.txt", "--at", "HEAD"), "needs a git repository"),
    ],
)
def test_a_mistake_in_use_is_exit_2_with_nothing_on_stdout(run, arguments, said):
    code, out, err = run(*arguments, document=REDIS)
    assert (code, out) == (2, "")
    assert said in err


def test_a_file_that_is_no_utf_8_is_an_error_and_a_binary_one_is_passed_over(run):
    code, out, err = run(*CHECK, document=REDIS, text=b"caf\xe9 redis")
    assert (code, out) == (2, "")
    assert "in.txt cannot be judged: it is not UTF-8" in err
    code, out, err = run(*CHECK, document=REDIS, text=b"\x89PNG\0redis")
    assert (code, out, err) == (0, "Result: PASS\n", "note: in.txt is not judged: it is binary\n")


def test_a_literal_stops_at_letters_of_every_script(run):
    document = plain(row("d", rules=[literal("redis")]))
    assert run(*CHECK, document=document, text="redisé")[0] == 0
    assert run(*CHECK, document=document, text="redis é")[0] == 2


def test_words_of_every_script_are_words(run):
    document = plain(row("u", scope=["lang"], anti_patterns=["редис", "Straße", "naïve cache"]))
    query = ("check", "--memory", "m.json", "--input", "in.txt", "--query", "lang")
    assert run(*query, document=document, text="stra; the cache")[0] == 0
    for text in ("Редис", "die STRASSE", "a naïve cache"):
        assert run(*query, document=document, text=text)[0] == 2, text


def test_a_phrase_does_not_go_across_sentences(run):
    document = plain(row("d", scope=["storage"], anti_patterns=["introduce ORM layer"]))
    query = ("check", "--memory", "m.json", "--input", "in.txt", "--query", "storage")
    assert run(*query, document=document, text="We introduce.\r\n\r\nORM! Layer cake.\n")[0] == 0
    assert run(*query, document=document, text="We introduce\r\nORM layer.\n")[0] == 2


def test_short_names_are_found_as_written(run):
    document = plain(row("d", scope=["lang"], anti_patterns=["Go", "C++"], constraints=["no R"]))
    query = ("check", "--memory", "m.json", "--input", "in.txt", "--query", "lang")
    assert run(*query, document=document, text="we go to plan c or r")[0] == 0
    code, out, _ = run(*query, document=document, text="Go, C++ and R")
    assert (code, out.count("trigger:")) == (2, 3)


def test_a_top_of_zero_gates_nothing(run):
    document = plain(row("d", "topic", anti_patterns=["introduce ORM layer"]))
    query = ("check", "--memory", "m.json", "--input", "in.txt", "--query", "topic")
    assert run(*query, "--top", "0", document=document, text="introduce ORM layer")[0] == 0
    assert run(*query, "--top", "1", document=document, text="introduce ORM layer")[0] == 2


def test_a_row_of_a_file_without_an_index_is_enforced_whatever_its_status(run):
    document = plain(row("d", anti_patterns=["redis"], status="deprecated"))
    code, out, err = run(*CHECK, document=document, text="redis")
    assert (code, out.splitlines()[-1], err) == (2, "Result: FAIL", "")


def test_notes_are_left_out_when_asked(run):
    document = plain(row("d", anti_patterns=["redis"], status="deprecated"))
    assert run(*CHECK, document=document, text=b"\0", MNEME_QUIET="1") == (0, "Result: PASS\n", "")


def test_there_is_no_handling_of_negation(run):
    assert run(*CHECK, document=REDIS, text="we never use redis")[0] == 2


def test_several_files_are_judged_in_one_run(run, tmp_path):
    (tmp_path / "b.txt").write_text("one\nredis")
    code, out, _ = run("check", "--memory", "m.json", "in.txt", "b.txt", document=REDIS)
    assert code == 2
    assert out == (
        'b.txt: FAIL\nFAIL  [d] anti_pattern "redis" -- trigger: redis\n      Use SQLite\n'
        "      path: b.txt:2:1\n      text: redis\n\nResult: FAIL\n"
    )
    _, out, _ = run("check", "--memory", "m.json", "in.txt", "b.txt", "--json", document=REDIS)
    found = json.loads(out)
    assert [(one["input"], one["verdict"]) for one in found["results"]] == [
        ("in.txt", "PASS"),
        ("b.txt", "FAIL"),
    ]


def test_standard_input_is_judged_by_its_path(run):
    document = plain(row("d", rules=[literal("old", ["src/**"])]))
    dash = ("check", "--memory", "m.json", "-", "--query", "x")
    assert run(*dash, "--target-path", "src/a.py", document=document, stdin="old")[0] == 2
    assert run(*dash, "--target-path", "docs/a.md", document=document, stdin="old")[0] == 0


def test_output_is_utf_8_in_any_locale_and_a_lone_surrogate_is_replaced(run):
    document = b'{"meta": {"name": "", "description": ""}, "decisions": [{"id": "\\ud800", "decision": "caf\\u00e9", "anti_patterns": ["redis"]}]}'
    code, out, _ = run(*CHECK, document=document, text="redis", PYTHONIOENCODING="ascii")
    assert code == 2
    assert "FAIL  [?]" in out
    assert "      café\n" in out


def test_a_reader_that_goes_away_is_no_fault(run, tmp_path):
    run(*CHECK, document=REDIS)
    command = f"{sys.executable} -m mneme_git {' '.join(CHECK)} | true"
    ran = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_query_shows_its_ranking_and_what_an_agent_would_get(run):
    document = plain(row("a", "Use JSON", scope=["storage"]), row("b"))
    query = ("test_query", "--memory", "m.json", "--query", "storage")
    code, out, err = run(*query, document=document)
    assert (code, err) == (0, "")
    assert out == (
        "Query: storage\n\nAll decisions (ranked by score):\n  [a] score=2.00 matched=scope\n"
        "  [b] score=0.00 matched=(no match)\n\nInjected (top 3):\n[Mneme decisions applied]\n\n"
        "DECISION [a]: Use JSON\n  Scope:        storage\n"
    )
    answer = json.loads(run(*query, "--json", document=document)[1])
    assert (answer["injected"], answer["decisions"][0]["score"]) == (["a"], 2.0)


def test_a_query_on_a_missing_memory_file_is_an_error(run):
    code, out, err = run("test_query", "--memory", "nope.json", "--query", "x")
    assert (code, out, err) == (2, "", "ERROR: memory file nope.json does not exist\n")


def test_a_query_works_in_git_too(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "d", "--decision", "x", "--scope", "storage").code == 0
    assert "[d] score=2.00 matched=scope" in repo.mneme("test_query", "--query", "storage").out


def test_faults_of_the_store_go_to_stderr_and_into_the_json(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "d", "--decision", "x", "--anti-pattern", "redis").code == 0
    (repo.path / ".mneme/decisions/d.json").unlink()
    ran = repo.mneme("check", "README.md", "--json")
    assert "WARN  GONE_FROM_WORK_TREE " in ran.err
    assert [fault["code"] for fault in json.loads(ran.out)["faults"]] == ["GONE_FROM_WORK_TREE"]


def test_a_decision_that_is_set_aside_makes_the_result_incomplete_and_is_named(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "d", "--decision", "x", "--anti-pattern", "redis").code == 0
    repo.git("rm", "-q", "--cached", "-r", ".mneme/decisions")
    repo.write(".mneme/decisions/d.json", "{broken")
    repo.git("update-ref", "-d", "refs/mneme/journal")
    ran = repo.mneme("check", "README.md", "--mode", "warn")
    assert (ran.code, ran.out) == (2, "Result: INCOMPLETE\n")
    assert "ERROR DAMAGED_DECISION" in ran.err
    assert ".mneme/decisions/d.json" in ran.err
