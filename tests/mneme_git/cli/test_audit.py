from __future__ import annotations

import json

import pytest

from tests.support.inside import run


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    assert run("init", "--yes").code == 0
    assert run("add_decision", "--id", "d1", "--decision", "X", "--constraint", "no kafka").code == 0
    return repo


def test_an_audit_of_the_git_store_ends_well_and_can_be_json(project):
    said = run("audit")
    assert (said.code, "  [mneme_ready] d1: X\n" in said.out) == (0, True)
    report = run("audit", "--json", "-").json
    assert (report["schema"], report["memory"]) == ("mneme.audit/v1", str(project.path))


def test_a_report_is_written_into_a_folder_that_need_not_exist(project):
    said = run("audit", "--json", "out/r.json")
    assert said.out == "Audit report written: out/r.json\n"
    text = project.read("out/r.json").decode()
    assert json.loads(text)["summary"]["mneme_ready"] == 1
    assert text.startswith('{\n  "schema": "mneme.audit/v1",\n')
    refused = run("audit", "--json", ".")
    assert (refused.code, "cannot be written" in refused.err) == (2, True)


def test_a_bare_mention_in_ci_is_a_mild_finding_and_a_failing_step_protects(project):
    project.write(".github/workflows/ci.yml", "run: echo kafka\n")
    mild = run("audit", "--repo-root", ".")
    assert (mild.code, mild.out.splitlines()[-1][:5]) == (1, "WARN:")
    project.write(".github/workflows/ci.yml", "run: grep kafka src && exit 1\n")
    assert run("audit", "--repo-root", ".").code == 0


def test_an_earlier_state_can_be_audited(project):
    before = project.commit_all()
    run("protect", "activate", "d1")
    project.commit_all()
    assert "[protected] d1" in run("audit").out
    assert "[mneme_ready] d1" in run("audit", "--at", before).out


def test_a_broken_memory_file_is_told_with_row_and_field(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.json").write_text(
        json.dumps({"meta": {"name": "a", "description": "b"}, "decisions": [{"id": 1, "decision": "x"}]}),
        encoding="utf-8",
    )
    said = run("audit", "--memory", "m.json")
    assert (said.code, "decisions[0]" in said.err) == (2, True)
    assert run("audit", "--memory", "no.json").err == "ERROR: memory file no.json does not exist\n"
