"""ADR files against their evidence, where not all of them are in the work tree."""

from mneme_git.app.freshness import of_git
from mneme_git.store.discover import open_backend
from mneme_git.store.git_store import GitStore

ADR = "# 1. No curl\n\n## Status\n\nAccepted\n\n## Constraints\n\n- FORBID_LITERAL: curl\n"


def told(repo):
    backend = open_backend(repo.path)
    return [found.code for found in of_git(backend, GitStore(backend, now=lambda: 0).load(), None)]


def test_an_adr_that_a_sparse_checkout_leaves_out_is_not_missing(repo):
    repo.mneme_process("init", "--yes")
    repo.write("docs/adr/0001-no-curl.md", ADR)
    repo.mneme_process("adr", "import", "docs/adr", "--apply")
    repo.commit_all()
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs/")
    assert not (repo.path / "docs/adr/0001-no-curl.md").exists()
    assert told(repo) == []
    repo.git("sparse-checkout", "disable")
    (repo.path / "docs/adr/0001-no-curl.md").unlink()
    assert told(repo) == ["ADR_MISSING"]
