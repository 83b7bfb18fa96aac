"""``mneme verify``: everything that is kept is computed again."""

import json
import subprocess

import pytest

from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.model.paths import version_path
from mneme_git.store.journal import JOURNAL_REF
from tests.support.branch import change, home, lay_out
from tests.support.make import make_state, make_version

V1 = make_version("use-x", "one")
V2 = make_version("use-x", "two", predecessor=id_of(V1))
S1, S2 = make_state(V1), make_state(V1, V2)


@pytest.fixture
def kept(repo):
    """A store with one decision, written through the journal."""
    lay_out(repo)
    change(repo, None, S1, V1)
    return repo


def verified(repo, *options):
    ran = repo.mneme("verify", "--json", *options)
    found = json.loads(ran.out)
    return ran.code, found["code"], [fault["code"] for fault in found["faults"]]


def test_a_store_in_order_is_clean_and_says_what_was_looked_at(kept):
    assert verified(kept) == (0, "CLEAN", [])
    ran = kept.mneme("verify")
    assert ran.code == 0
    assert "CLEAN: 1 decisions, 1 versions, 2 records in the index, 2 in the journal" in ran.out


def test_a_damaged_file_is_faulty_also_when_a_good_copy_is_served(kept):
    kept.write(home(S1), kept.read(home(S1)).replace(b'"active"', b'"inactive"'))
    assert verified(kept) == (2, "FAULTY", ["DAMAGED_DECISION"])
    text = kept.mneme("verify").out
    assert "ERROR DAMAGED_DECISION" in text
    assert "hint: " in text


def test_notices_alone_exit_with_1(kept):
    kept.write(".mneme/notes.txt", "mine")
    assert verified(kept) == (1, "NOTICES", ["UNKNOWN_FILE"])


def test_damage_that_is_only_in_the_index_is_found(kept):
    good = kept.read(home(S1))
    kept.write(home(S1), good.replace(b"one", b"two").replace(b'"active"', b'"inactive"'))
    kept.git("add", "-A")
    kept.write(home(S1), good)
    assert verified(kept) == (2, "FAULTY", ["DAMAGED_ENTRY"])


def test_damage_in_the_journal_is_found(kept):
    blob = kept.git("hash-object", "-w", "README.md")
    top = kept.git("ls-tree", JOURNAL_REF).split("\n")
    digest = kept.git("ls-tree", "-r", "--name-only", JOURNAL_REF, "states/").split("\n")[0]
    fan, name = digest.split("/")[1:]
    inner = _tree(kept, f"100644 blob {blob}\t{name}\n")
    middle = _tree(kept, f"040000 tree {inner}\t{fan}\n")
    rows = [row for row in top if not row.endswith("\tstates")]
    root = _tree(kept, "\n".join([*rows, f"040000 tree {middle}\tstates"]) + "\n")
    commit = kept.git("commit-tree", "-p", JOURNAL_REF, "-m", "broken", root)
    kept.git("update-ref", JOURNAL_REF, commit)
    assert verified(kept) == (2, "FAULTY", ["DAMAGED_ENTRY"])


def _tree(repo, rows):
    made = subprocess.run(
        ["git", "mktree"], cwd=repo.path, input=rows, text=True, capture_output=True, check=True
    )
    return made.stdout.strip()


def test_a_revision_is_verified_from_its_tree(kept):
    old = kept.git("rev-parse", "HEAD")
    change(kept, S1, S2, V2)
    kept.git("rm", "-q", "--", version_path(id_of(V1)))
    kept.git("commit", "-q", "-m", "lose the first version")
    kept.git("update-ref", "-d", JOURNAL_REF)
    assert verified(kept, "--at", old) == (0, "CLEAN", [])
    assert verified(kept, "--at", "HEAD") == (2, "FAULTY", ["MISSING_VERSION"])
    assert verified(kept)[2] == ["MISSING_VERSION"]
    assert kept.mneme("verify", "--at", "nonsense").code == 2


def test_a_contest_and_a_staged_removal_are_notices(kept):
    kept.git("branch", "other")
    change(kept, S1, S2, V2)
    kept.git("switch", "-q", "other")
    change(kept, S1, make_state(V1, status=Lifecycle.DEPRECATED))
    assert kept.try_git("merge", "main").code == 1
    assert verified(kept) == (1, "NOTICES", ["CONTESTED"])
    kept.git("merge", "--abort")
    kept.git("rm", "-q", "--", home(S1))
    assert "RECORDS_REMOVED" in verified(kept)[2]


def test_decisions_that_do_not_fit_together_are_told(kept):
    other = make_version("other", "Other")
    change(kept, None, make_state(other, supersedes=("use-x",)), other)
    assert verified(kept) == (1, "NOTICES", ["ACTIVE_SUPERSEDED"])


def test_a_repository_without_a_store_is_clean(repo):
    assert verified(repo) == (0, "CLEAN", [])
