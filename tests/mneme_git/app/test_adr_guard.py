"""What lies around the ADR files is part of what an import rests on."""

import pytest

from mneme_git.app import adr as use_case
from mneme_git.app.workspace import Workspace, environment
from mneme_git.errors import GuardMismatch
from mneme_git.model.adr_import import ImportOptions

ADR = "# 1. No curl\n\n## Status\n\nAccepted\n\n## Constraints\n\n- FORBID_LITERAL: curl\n"


@pytest.fixture
def repo_with_adr(repo):
    assert repo.mneme("init", "--yes").code == 0
    repo.write("docs/adr/0001-no-curl.md", ADR)
    repo.commit_all()
    return repo


def run(repo, *, apply=False, expected=""):
    workspace = Workspace(cwd=repo.path, env=environment({}), now=lambda: 0)
    return use_case.import_adrs(workspace, "docs/adr", ImportOptions(), apply=apply, expected=expected)


def configured(repo):
    repo.write(
        ".mneme/config", (repo.path / ".mneme/config").read_text() + "[mneme]\n\trequireProposal = true\n"
    )


def added(repo):
    repo.write("docs/adr/README.md", "about\n")


def renamed(repo):
    (repo.path / "docs/adr/0001-no-curl.md").rename(repo.path / "docs/adr/0001-no-curl-here.md")


@pytest.mark.parametrize("change", [configured, added, renamed])
def test_a_previewed_plan_is_not_applied_when_something_around_it_changed(repo_with_adr, change):
    previewed = run(repo_with_adr).plan.plan_id
    assert run(repo_with_adr).plan.plan_id == previewed
    change(repo_with_adr)
    with pytest.raises(GuardMismatch):
        run(repo_with_adr, apply=True, expected=previewed)


@pytest.mark.parametrize("change", [configured, added])
def test_the_store_looks_again_under_its_lock(repo_with_adr, monkeypatch, change):
    plan = use_case.plan_import

    def overtaken(*args, **kwargs):
        found = plan(*args, **kwargs)
        change(repo_with_adr)
        return found

    monkeypatch.setattr(use_case, "plan_import", overtaken)
    expected = run(repo_with_adr).plan.plan_id
    repo_with_adr.git("checkout", "-q", "--", ".")
    repo_with_adr.git("clean", "-q", "-f", "docs")
    with pytest.raises(GuardMismatch):
        run(repo_with_adr, apply=True, expected=expected)
    assert not list((repo_with_adr.path / ".mneme/decisions").glob("*.json"))


def test_an_unchanged_plan_is_applied(repo_with_adr):
    assert run(repo_with_adr, apply=True, expected=run(repo_with_adr).plan.plan_id).receipt is not None
