from __future__ import annotations

import json

import pytest

from tests.support.inside import run


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    assert run("init", "--yes").code == 0
    return repo


def add(name="d1", *constraints, statement="Use SQLite"):
    wanted = [part for text in constraints or ("no postgres",) for part in ("--constraint", text)]
    assert run("add_decision", "--id", name, "--decision", statement, *wanted).code == 0


def test_a_protection_is_listed_checked_bound_enforced_and_taken_off(project):
    add()
    listed = run("protect", "list")
    assert (listed.code, listed.err) == (0, "")
    assert "[1] d1: Use SQLite\n    guardrail: FORBID_LITERAL: postgres\n" in listed.out
    checked = run("protect", "validate", "d1")
    assert (checked.code, checked.out.splitlines()[-2]) == (0, "Result: VALID")
    assert "(protection)" not in run("decision", "show", "d1").out
    done = run("protect", "activate", "d1")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "Protection activated and verified: [d1] (rule installed)",
    )
    assert "rule: FORBID_LITERAL postgres  (protection)" in run("decision", "show", "d1").out
    assert project.git("diff", "--name-only") == ""  # what a person did is staged
    again = run("protect", "activate", "d1")
    assert (again.code, again.out.splitlines()[0]) == (0, "Already Protected: [d1]")
    assert "  protection tier:  protected\n" in run("protect", "status", "d1").out
    off = run("protect", "deactivate", "d1")
    assert (off.code, off.out.splitlines()[0]) == (0, "Protection deactivated: [d1]")
    assert "  protection tier:  mneme_ready\n" in run("protect", "status", "d1").out


def test_taking_a_protection_off_gives_the_very_bytes_of_before(project):
    add()
    before = project.read(".mneme/decisions/d1.json")
    run("protect", "activate", "d1")
    assert project.read(".mneme/decisions/d1.json") != before
    run("protect", "deactivate", "d1")
    assert project.read(".mneme/decisions/d1.json") == before


def test_what_cannot_be_protected_ends_mildly_and_writes_nothing(project):
    add("g", "postgres")
    for verb in ("validate", "activate"):
        said = run("protect", verb, "g")
        assert (said.code, said.out.splitlines()[0]) == (
            1,
            "NOT ELIGIBLE: [g] canonical tier is guidance; not Mneme-ready",
        )
    assert run("protect", "activate", "g", "--json").json["code"] == "NOT_ELIGIBLE"


def test_a_name_is_bound_as_it_is_written_and_the_other_spelling_is_told(project):
    add("d1", "no PostgreSQL")
    done = run("protect", "activate", "d1")
    assert '  rule: FORBID_LITERAL "PostgreSQL"\n' in done.out
    assert "'postgresql' is not (--literal postgresql forbids that spelling)" in done.err
    more = run("protect", "activate", "d1", "--literal", "postgresql")
    assert (more.code, more.err) == (0, "")
    shown = run("decision", "show", "d1", "--json").json
    assert [rule["value"] for rule in shown["rules"]] == ["PostgreSQL", "postgresql"]


def test_an_unknown_decision_and_one_not_in_force_are_refused(project):
    add()
    for verb in ("status", "validate", "activate", "deactivate"):
        said = run("protect", verb, "zz")
        assert said.code == 2, verb
        assert said.err.startswith("ERROR: decision 'zz' not found"), verb


def test_nothing_to_take_off_is_refused_with_the_reason(project):
    add()
    said = run("protect", "deactivate", "d1")
    assert said.code == 2
    assert "no rule is bound to the active version of decision 'd1'" in said.err


def test_ci_files_and_declared_tests_count_only_below_a_named_root(project):
    add()
    project.write(".github/workflows/ci.yml", "run: grep postgres src && exit 1\n")
    project.write(".gitlab-ci.yml", b"\xff postgres\n")
    assert run("protect", "status", "d1", "--json").json["protection_tier"] == "mneme_ready"
    said = run("protect", "status", "d1", "--repo-root", ".", "--json").json
    assert (said["protection_tier"], said["evidence"]) == ("protected", "verified")
    assert said["sources"] == ["ci:verified:ci.yml", "ci:candidate:.gitlab-ci.yml"]
    assert run("protect", "activate", "d1", "--repo-root", ".").out.startswith("Already Protected")
    gone = run("protect", "list", "--repo-root", "nope")
    assert (gone.code, gone.err) == (2, "ERROR: repo root nope does not exist\n")


def memory(path, **changes):
    decision = {"id": "d1", "decision": "Use SQLite", "constraints": ["no postgres"], **changes}
    head = {"meta": {"name": "a", "description": "b"}, "decisions": [decision]}
    path.write_text(json.dumps(head), encoding="utf-8")


def test_a_memory_file_is_told_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("protect", "list", "--memory", "m.json").err == "ERROR: memory file m.json does not exist\n"
    memory(tmp_path / "m.json")
    for verb, text in (("status", " in m.json"), ("validate", ""), ("activate", " in m.json")):
        said = run("protect", verb, "x", "--memory", "m.json")
        assert (said.code, said.err) == (2, f"ERROR: decision 'x' not found{text}\n")
    (tmp_path / "m.json").write_text("[]", encoding="utf-8")
    said = run("protect", "list", "--memory", "m.json")
    assert (said.code, said.err.startswith("ERROR: memory file m.json failed validation: ")) == (2, True)


def test_a_row_of_a_memory_file_that_is_not_active_is_shown_and_not_protected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory(tmp_path / "m.json", status="superseded", test_evidence=[{"selector": "bad one"}])
    assert "  lifecycle status: superseded\n" in run("protect", "status", "d1", "--memory", "m.json").out
    assert "Mneme-ready: 0" in run("protect", "list", "--memory", "m.json").out
    said = run("protect", "activate", "d1", "--memory", "m.json")
    assert (said.code, "decision status is 'superseded'" in said.out) == (1, True)
    told = run("protect", "status", "d1", "--memory", "m.json", "--repo-root", ".").out
    assert "      test:invalid:bad one@malformed-selector\n" in told


def test_a_memory_file_is_protected_and_unprotected_and_keeps_everything_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    empty = {"schema": "mneme.decision-index/v1", "decisions": [], "versions": [], "rules": []}
    head = {"meta": {"name": "a", "description": "b"}, "own": [1], "decisions": [], "decision_index": empty}
    (tmp_path / "m.json").write_text(json.dumps(head), encoding="utf-8")
    named = ("--memory", "m.json")
    assert (
        run("add_decision", "--id", "d1", "--decision", "X", "--constraint", "no postgres", *named).code == 0
    )
    before = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert run("protect", "activate", "d1", *named).code == 0
    bound = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    (rule,) = bound["decision_index"]["rules"]
    assert (rule["binding_authority"], rule["sequence"], bound["own"]) == ("protection", 0, [1])
    assert bound["activation"]["state"] == "active"
    assert bound["decision_index"]["decisions"] == before["decision_index"]["decisions"]
    assert run("protect", "deactivate", "d1", *named).code == 0
    after = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    del after["activation"]
    assert after == before


def test_an_activation_record_that_may_not_become_active_refuses_the_write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    (tmp_path / "m.json").write_text(json.dumps({**document, "activation": "on"}), encoding="utf-8")
    before = (tmp_path / "m.json").read_bytes()
    said = run("protect", "activate", "d1", "--memory", "m.json")
    assert (said.code, said.err) == (
        2,
        "ERROR: activation record in m.json is not an object; refusing to modify it\n",
    )
    assert (tmp_path / "m.json").read_bytes() == before


def test_a_rule_of_a_row_without_authority_goes_when_it_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory(tmp_path / "m.json")
    assert run("protect", "activate", "d1", "--memory", "m.json").code == 0
    refused = run("protect", "deactivate", "d1", "--memory", "m.json")
    assert refused.code == 2
    name = refused.err.rstrip().rsplit(" ", 1)[-1]
    assert run("protect", "deactivate", "d1", "--rule", name, "--memory", "m.json").code == 0
    assert "mneme_ready" in run("protect", "status", "d1", "--memory", "m.json").out
