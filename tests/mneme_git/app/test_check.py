"""The use case on both stores; what the report looks like is tested beside the report."""

import json
import os
import shutil

import pytest

from mneme_git.app.check import CheckRequest, check, decisions_in_force
from mneme_git.app.workspace import Workspace, environment
from mneme_git.decisions.check_report import exit_status
from mneme_git.errors import InvalidInput, InvalidMemory, NoRepository
from tests.support.gitrepo import GitRepo
from tests.support.memory import indexed, literal, plain, row


def workspace(path, **variables):
    return Workspace(cwd=path, env=environment(variables), now=lambda: 0)


def run(path, *inputs, stdin=b"", env=None, **options):
    request = CheckRequest(inputs=inputs, **options)
    return check(workspace(path, **(env or {})), request, lambda: stdin)


def fired(result):
    return [(v.decision_id, v.trigger) for file in result.files for v in file.judged.violations]


@pytest.fixture
def memory(tmp_path):
    def make(document, name="m.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))
        return name

    return make


@pytest.fixture
def project(tmp_path, tmp_path_factory):
    """A repository whose decisions are in git: one by hand, one from an ADR with a literal."""
    made = tmp_path_factory.getbasetemp() / "check-project"
    if not made.exists():
        _make_project(GitRepo.create(made))
    shutil.copytree(made, tmp_path / "project")
    return GitRepo(tmp_path / "project")


def _make_project(repo):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "use-sqlite", "--decision", "Use SQLite", "--scope", "storage",
                      "--anti-pattern", "redis", "--anti-pattern", "introduce ORM layer",
                      "--constraint", "no postgres", "--constraint", "no external database").code == 0  # fmt: skip
    repo.write(
        "docs/adr/ADR-007-client.md",
        "---\nid: ADR-007\ntitle: Drop the old client\nstatus: accepted\npriority: normal\ndate: 2026-01-01\n"
        "scope: net\n---\n\nWe forbid `legacy_client`, and curl too.\n\n## Constraints\n\n"
        "- FORBID_LITERAL: import legacy_client\n- FORBID_DEPENDENCY: curl\n",
    )
    assert repo.mneme("adr", "import", "docs/adr", "--apply").code == 0
    repo.write("src/db.py", "import redis\n")
    repo.commit_all()


def test_a_file_in_a_memory_file_s_root_is_judged(memory, tmp_path):
    (tmp_path / "in.txt").write_text("use redis")
    result = run(tmp_path, "in.txt", memory=memory(plain(row("d", anti_patterns=["redis"]))), query="x")
    assert (fired(result), exit_status(result), result.detailed) == ([("d", "redis")], 2, False)


def test_the_memory_variable_names_the_file_too(memory, tmp_path):
    (tmp_path / "in.txt").write_text("use redis")
    name = memory(plain(row("d", anti_patterns=["redis"])))
    assert fired(run(tmp_path, "in.txt", env={"MNEME_MEMORY": name})) == [("d", "redis")]


def test_the_usual_memory_file_is_found_without_being_named(memory, tmp_path):
    memory(plain(row("d", rules=[literal("redis", ["sub/**"])])), ".mneme/project_memory.json")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/in.txt").write_text("use redis")
    assert fired(run(tmp_path / "sub", "in.txt")) == [("d", "redis")]


def test_an_indexed_file_is_enforced(memory, tmp_path):
    (tmp_path / "in.txt").write_text("mongodb pickle legacy")
    name = memory(indexed(), ".mneme/project_memory.json")
    assert fired(run(tmp_path, "in.txt", memory=name, query="x")) == [
        ("ADR-102", "mongodb"),
        ("d1", "pickle"),
    ]


def test_the_input_is_looked_for_before_the_memory(tmp_path):
    with pytest.raises(InvalidInput, match=r"input file nope\.txt does not exist"):
        run(tmp_path, "nope.txt", memory="nope.json")
    (tmp_path / "in.txt").write_text("x")
    with pytest.raises(InvalidInput, match=r"memory file nope\.json does not exist"):
        run(tmp_path, "in.txt", memory="nope.json")


def test_a_broken_memory_file_is_an_error_and_no_verdict(memory, tmp_path):
    (tmp_path / "in.txt").write_text("x")
    with pytest.raises(InvalidMemory):
        run(tmp_path, "in.txt", memory=memory(plain(row("d"), row("d"))))


def test_every_row_of_a_section_less_file_is_enforced_whatever_its_status(memory, tmp_path):
    (tmp_path / "in.txt").write_text("redis kafka")
    old = row("old", anti_patterns=["redis"], status="superseded")
    result = run(tmp_path, "in.txt", memory=memory(plain(old, row("new", anti_patterns=["kafka"]))))
    assert fired(result) == [("old", "redis"), ("new", "kafka")]


def test_anti_patterns_fire_on_the_memory_file_and_typed_rules_do_not(memory, tmp_path):
    name = memory(plain(row("d", anti_patterns=["psycopg2"], rules=[literal("decision")])))
    result = run(tmp_path, name, memory=name)
    assert fired(result) == [("d", "psycopg2")]
    assert [trace.outcome for trace in result.files[0].judged.applicability] == ["EXCLUDED"]


def test_standard_input_has_no_path_unless_one_is_given(memory, tmp_path):
    name = memory(plain(row("d", rules=[literal("old", ["src/**"])])))
    assert exit_status(run(tmp_path, "-", memory=name, stdin=b"old")) == 2
    assert not run(tmp_path, "-", memory=name, stdin=b"old").complete
    placed = run(tmp_path, "-", memory=name, stdin=b"old", target_path="src/new.py")
    assert (placed.complete, fired(placed)) == (True, [("d", "old")])


def test_a_target_path_places_a_text_elsewhere(memory, tmp_path):
    (tmp_path / "draft").write_text("old")
    name = memory(plain(row("d", rules=[literal("old", ["src/**"])])))
    assert fired(run(tmp_path, "draft", memory=name)) == []
    assert fired(run(tmp_path, "draft", memory=name, target_path="src/a.py")) == [("d", "old")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": ()}, "required: --input"),
        ({"inputs": ("a",), "top": -3}, "--top -3 is negative"),
        ({"inputs": ("a", "b"), "target_path": "c"}, "--target-path names one file"),
    ],
)
def test_requests_that_make_no_sense_are_refused(tmp_path, options, message):
    inputs = options.pop("inputs")
    with pytest.raises(InvalidInput, match=message):
        run(tmp_path, *inputs, **options)


def test_a_binary_file_is_passed_over_with_a_reason(memory, tmp_path):
    (tmp_path / "x.png").write_bytes(b"\x89PNG\0redis")
    result = run(tmp_path, "x.png", memory=memory(plain(row("d", anti_patterns=["redis"]))))
    assert (exit_status(result), result.files[0].skipped) == (0, "it is binary")


def test_a_file_that_is_no_utf_8_is_an_error_alone_and_incomplete_among_others(memory, tmp_path):
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    (tmp_path / "in.txt").write_text("redis")
    name = memory(plain(row("d", anti_patterns=["redis"])))
    with pytest.raises(InvalidInput, match="latin cannot be judged: it is not UTF-8"):
        run(tmp_path, "latin", memory=name)
    result = run(tmp_path, "latin", "in.txt", memory=name, mode="warn")
    assert (fired(result), result.complete, exit_status(result)) == ([("d", "redis")], False, 2)


def test_adr_files_beside_a_memory_file_are_looked_at(memory, tmp_path):
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / "docs/adr/ADR-001-a.md").write_text("no front matter")
    (tmp_path / "docs/adr/README.md").write_text("index")
    (tmp_path / "in.txt").write_text("x")
    gone = {"type": "adr", "path": "docs/adr/ADR-002.md"}
    name = memory(plain(row("ADR-002", source=gone)))
    told = run(tmp_path, "in.txt", memory=name).freshness
    assert [(one.code, one.path) for one in told] == [
        ("ADR_UNPARSEABLE", "docs/adr/ADR-001-a.md"),
        ("ADR_MISSING", "docs/adr/ADR-002.md"),
    ]
    assert run(tmp_path, "in.txt", memory=name, adr_dir="nowhere").freshness == ()
    assert run(tmp_path / "docs", "../in.txt", memory="../m.json").freshness == ()


def test_a_repository_without_decisions_says_so(repo):
    repo.write("a.txt", "x")
    result = run(repo.path, "a.txt")
    assert exit_status(result) == 0
    assert "no decision is recorded here" in result.notices[0]


def test_outside_a_repository_without_a_memory_file_there_is_nothing_to_check_against(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(NoRepository):
        run(tmp_path, "a.txt")


def test_decisions_in_git_are_enforced_with_line_and_adr(project):
    project.write("src/net.py", "a = 1\n  import legacy_client\n")
    result = run(project.path, "src/db.py", "src/net.py", query="add a cache")
    assert fired(result) == [("use-sqlite", "redis"), ("ADR-007", "import legacy_client")]
    found = result.files[1].judged.violations[0]
    assert (found.line, found.column, found.source) == (2, 3, "docs/adr/ADR-007-client.md")
    assert (result.detailed, exit_status(result)) == (True, 2)


def test_a_query_gates_phrases_in_git_too(project):
    project.write("a.md", "introduce ORM layer, external")
    assert fired(run(project.path, "a.md", query="network")) == []
    assert fired(run(project.path, "a.md", query="storage")) == [
        ("use-sqlite", "introduce ORM layer"),
        ("use-sqlite", "external"),
    ]
    assert fired(run(project.path, "a.md")) == [("use-sqlite", "introduce ORM layer")]


def test_an_adr_in_git_is_exempt_from_all_its_own_rules_and_from_no_other(project):
    assert fired(run(project.path, "docs/adr/ADR-007-client.md")) == []
    project.write("docs/adr/ADR-007-client.md", project.read("docs/adr/ADR-007-client.md") + b"redis\n")
    assert fired(run(project.path, "docs/adr/ADR-007-client.md")) == [("use-sqlite", "redis")]


def test_nothing_below_dot_mneme_is_judged(project):
    result = run(project.path, ".mneme/decisions/use-sqlite.json")
    assert (fired(result), exit_status(result)) == ([], 0)
    assert "nothing below .mneme is judged" in result.files[0].skipped


def test_paths_are_found_from_a_folder_below(project):
    assert fired(run(project.path / "src", "db.py")) == [("use-sqlite", "redis")]


def test_a_past_state_judges_with_the_decisions_it_had(project):
    start = project.git("rev-parse", "HEAD~1")
    assert fired(run(project.path, "src/db.py", at=start)) == []
    assert fired(run(project.path, "src/db.py", at="HEAD")) == [("use-sqlite", "redis")]


def test_removed_files_stay_in_force_and_are_named(project):
    (project.path / ".mneme/decisions/use-sqlite.json").unlink()
    result = run(project.path, "src/db.py")
    assert fired(result) == [("use-sqlite", "redis")]
    assert "GONE_FROM_WORK_TREE" in {fault.code for fault in result.faults}


def test_a_staged_removal_counts_and_is_warned_of(project):
    project.git("rm", "-q", ".mneme/decisions/use-sqlite.json")
    result = run(project.path, "src/db.py")
    assert (fired(result), exit_status(result)) == ([], 0)
    assert "RECORDS_REMOVED" in {fault.code for fault in result.faults}


def test_a_decision_that_cannot_be_trusted_leaves_the_check_incomplete(project):
    project.git("rm", "-q", "--cached", "-r", ".mneme")
    project.git("commit", "-q", "-m", "forget")
    for folder, _, names in os.walk(project.path / ".mneme/versions"):
        for name in names:
            if name.endswith(".json"):
                os.truncate(f"{folder}/{name}", 0)
    result = run(project.path, "src/db.py")
    assert not result.complete
    assert exit_status(result) == 2


def codes(result):
    return [(one.code, one.path) for one in result.freshness]


def test_an_adr_with_other_line_ends_is_unchanged_and_with_other_text_is_changed(project):
    path = "docs/adr/ADR-007-client.md"
    text = project.read(path)
    assert codes(run(project.path, "src/db.py")) == []
    project.write(path, text.replace(b"\n", b"\r\n"))
    assert codes(run(project.path, "src/db.py")) == []
    project.write(path, text + b"more\n")
    assert codes(run(project.path, "src/db.py")) == [("ADR_CHANGED", path)]
    (project.path / path).unlink()
    assert codes(run(project.path, "src/db.py")) == [("ADR_MISSING", path)]


def test_a_new_adr_beside_imported_ones_is_told_and_other_notes_are_not(project):
    project.write("docs/adr/0008-new.md", "# 8. New\n\n## Status\n\nAccepted\n\n## Decision\n\nx\n")
    project.write("docs/adr/0009-odd.md", "nothing in particular\n")
    project.write("docs/adr/notes.md", "nothing in particular\n")
    project.write("docs/adr/README.md", "index\n")
    project.write("docs/other/0001-x.md", "# 1. X\n\n## Status\n\nAccepted\n")
    assert codes(run(project.path, "src/db.py")) == [
        ("ADR_UNIMPORTED", "docs/adr/0008-new.md"),
        ("ADR_UNPARSEABLE", "docs/adr/0009-odd.md"),
    ]
    assert codes(run(project.path / "docs", "../src/db.py", adr_dir="other")) == [
        ("ADR_UNIMPORTED", "docs/other/0001-x.md")
    ]


def test_ordinary_adrs_of_one_scope_bring_no_warning_in_git(project):
    second = (
        project.read("docs/adr/ADR-007-client.md")
        .replace(b"ADR-007", b"ADR-008")
        .replace(b"2026-01-01", b"2026-02-01")
    )
    project.write("docs/adr/ADR-008-b.md", second)
    project.mneme("adr", "import", "docs/adr", "--apply", "--update-existing")
    assert "SILENT_PRECEDENCE_ELIMINATION" not in {code for code, _ in codes(run(project.path, "src/db.py"))}


def test_an_adr_folder_outside_the_repository_is_refused(project):
    with pytest.raises(InvalidInput, match=r"--adr-dir '\.\.' is outside the repository"):
        run(project.path, "src/db.py", adr_dir="..")


def test_a_query_is_put_to_the_decisions_of_either_store(project, memory, tmp_path):
    assert [one.id for one in decisions_in_force(workspace(project.path))] == ["ADR-007", "use-sqlite"]
    name = memory(plain(row("a"), row("b", status="deprecated")))
    assert [one.id for one in decisions_in_force(workspace(tmp_path), memory=name)] == ["a", "b"]


def test_a_link_into_the_records_or_to_an_adr_is_judged_like_any_file(project):
    project.write(".mneme/evil.py", "import redis\n")
    for name, leads in (("evil.py", "../.mneme/evil.py"), ("records", "../.mneme")):
        (project.path / "src" / name).symlink_to(leads)
    (project.path / "src/adr.py").symlink_to("../docs/adr/ADR-007-client.md")
    for given in ("src/evil.py", "src/records/evil.py"):
        assert fired(run(project.path, given)) == [("use-sqlite", "redis")]
    assert fired(run(project.path, ".mneme/evil.py")) == []
    assert {trigger for _, trigger in fired(run(project.path, "src/adr.py"))} >= {"import legacy_client"}
    assert fired(run(project.path, "docs/adr/ADR-007-client.md")) == []


@pytest.mark.parametrize("query", [None, "zzzz"])
def test_a_forbidden_dependency_with_marks_in_its_name_needs_no_query_in_git(project, query):
    project.write(
        "docs/adr/ADR-008-ui.md",
        project.read("docs/adr/ADR-007-client.md")
        .replace(b"ADR-007", b"ADR-008")
        .replace(b"scope: net", b"scope: ui")
        .replace(b"- FORBID_LITERAL: import legacy_client\n- FORBID_DEPENDENCY: curl\n",
                 b"- FORBID_DEPENDENCY: react-dom\n- FORBID_DEPENDENCY: @angular/core\n"),
    )  # fmt: skip
    assert project.mneme("adr", "import", "docs/adr", "--apply").code == 0
    project.write("src/ui.ts", "import x from '@angular/core/testing'\nimport 'react-dom'\n")
    project.write("src/other.ts", "import 'react-dom-router'\nimport 'react'\n// dom, angular, core\n")
    result = run(project.path, "src/ui.ts", query=query)
    assert fired(result) == [("ADR-008", "react-dom"), ("ADR-008", "@angular/core")]
    assert {v.severity for file in result.files for v in file.judged.violations} == {"WARN"}
    assert fired(run(project.path, "src/other.ts", query=query)) == []


def test_a_memory_file_keeps_the_words_of_such_a_name_apart_as_its_format_has_it(memory, tmp_path):
    (tmp_path / "in.txt").write_text("import 'react-dom'")
    name = memory(plain(row("ui", decision="Frontend", constraints=["no react-dom"])))
    assert fired(run(tmp_path, "in.txt", memory=name, query="zzzz")) == []
    assert fired(run(tmp_path, "in.txt", memory=name, query="frontend")) == [("ui", "react")]


@pytest.mark.parametrize("how", ["submodule", "nested clone"])
def test_files_of_a_repository_inside_this_one_are_judged_with_a_note(repo, tmp_path, how):
    assert repo.mneme("init", "--yes").code == 0
    assert repo.mneme("add_decision", "--id", "d", "--decision", "D", "--anti-pattern", "redis").code == 0
    inner = GitRepo.create(tmp_path / "inner")
    inner.write("lib/a.py", "import redis\n")
    inner.commit_all()
    if how == "submodule":
        repo.git(
            "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "vendor/in ner"
        )
    else:
        repo.git("clone", "-q", str(inner.path), "vendor/in ner")
    ran = repo.mneme("check", "vendor/in ner/lib/a.py", "vendor/in ner/README.md", "README.md")
    assert ran.code == 2
    assert ran.err.count("note: ") == 1
    assert "note: 2 files lie in 'vendor/in ner', a repository of its own" in ran.err
    assert repo.mneme("check", "-", "--target-path", "vendor/in ner/x.py", stdin="x").err.startswith(
        "note: 1 file"
    )
    assert repo.mneme("check", "README.md").err == ""
    assert repo.mneme("check", "vendor/in ner/lib/a.py", MNEME_QUIET="1").err == ""
