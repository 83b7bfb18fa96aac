"""Who approved what: verdicts signed with git's own programs, and checked later."""

import json
import shutil
import subprocess

import pytest

from mneme_git.app.proposals import accept, find, reject
from mneme_git.errors import Refused, SigningFailed
from mneme_git.model.paths import signature_path, verdict_path
from tests.support.index import CACHE_ID, make_place
from tests.support.inside import run

SIGNATURE, VERDICT = signature_path(CACHE_ID), verdict_path(CACHE_ID)


@pytest.fixture
def place(repo, monkeypatch):
    made = make_place(repo, "git")
    made.propose()
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def signer(place, tmp_path):
    """The same place, whose user has an ssh key among the allowed signers."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen here")
    key, repo = tmp_path / "key", place.repo
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)]
    subprocess.run(make, check=True)
    (tmp_path / "allowed").write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingKey", str(key))
    repo.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "allowed"))
    return place


def counts():
    return run("verify", "--json").json["checked"]["verdicts"]


def test_a_verdict_without_a_signature_is_shown_as_claimed(place):
    reject(place.workspace(), place.desk(), CACHE_ID, reason="no")
    assert not (place.folder / SIGNATURE).exists()
    assert run("decision", "show", CACHE_ID).out.endswith(
        "  rejected by: Ada <ada@example.org>\n  rejected at: 2025-02-01T12:00:00Z\n  reason: no\n"
        "  signature: none; person and time are as claimed\n"
    )
    assert counts() == {"unsigned": 1}


def test_a_signed_acceptance_is_staged_with_its_signature_and_checked_by_verify(signer):
    accept(signer.workspace(), signer.desk(), CACHE_ID, decision_id="d1", sign=True)
    assert f"A  {SIGNATURE}" in signer.repo.git("status", "--porcelain").splitlines()
    ran = run("verify")
    assert ran.code == 0
    assert "1 verdicts: 1 with a good signature" in ran.out
    shown = run("decision", "show", CACHE_ID)
    assert "  signature: good (" in shown.out
    assert run("decision", "show", CACHE_ID, "--json").json["judgement"]["signature"] == "good"


def test_who_signs_commits_signs_verdicts(signer):
    signer.repo.git("config", "commit.gpgSign", "true")
    assert run("decision", "reject", CACHE_ID).code == 0
    assert counts() == {"good": 1}


def test_who_signs_commits_may_leave_a_verdict_unsigned(signer):
    signer.repo.git("config", "commit.gpgSign", "true")
    assert run("decision", "reject", CACHE_ID, "--no-sign").code == 0
    assert counts() == {"unsigned": 1}


def test_a_verdict_that_was_changed_after_it_was_signed_is_found(signer):
    run("decision", "reject", CACHE_ID, "--sign", "--reason", "one store is enough")
    signer.repo.commit_all("rejected")
    changed = signer.repo.read(VERDICT).replace(b"one store is enough", b"Ada said so")
    signer.repo.write(VERDICT, changed)
    ran = run("verify")
    assert ran.code == 2
    assert "BAD_SIGNATURE" in ran.out
    assert "  signature: BAD: not over this verdict" in run("decision", "show", CACHE_ID).out
    assert run("verify", "--at", "HEAD").code == 0


def test_a_signature_file_that_holds_something_else_is_found(signer):
    run("decision", "reject", CACHE_ID, "--sign")
    signer.repo.write(SIGNATURE, "hello\n")
    assert "BAD_SIGNATURE" in run("verify").out


def test_a_key_that_nobody_vouches_for_is_said_to_be_so(signer):
    run("decision", "reject", CACHE_ID, "--sign")
    signer.repo.git("config", "--unset", "gpg.ssh.allowedSignersFile")
    assert counts() == {"unknown": 1}
    assert "nothing here vouches for its key" in run("decision", "show", CACHE_ID).out


def test_a_signature_that_cannot_be_made_leaves_the_proposal_open(place):
    place.repo.git("config", "gpg.program", "/no/such/program")
    for act in (accept, reject):
        with pytest.raises(SigningFailed):
            act(place.workspace(), place.desk(), CACHE_ID, sign=True)
    assert find(place.desk(), CACHE_ID).status == "proposed"
    assert not (place.folder / VERDICT).exists()


def test_a_proposal_file_has_no_place_for_a_signature(tmp_path):
    from tests.support.gitrepo import GitRepo

    place = make_place(GitRepo.create(tmp_path / "other"), "file")
    place.propose()
    before = place.repo.read(".mneme/decision_proposals.json")
    with pytest.raises(Refused, match="no place for a signature"):
        reject(place.workspace(), place.desk(), CACHE_ID, sign=True)
    assert place.repo.read(".mneme/decision_proposals.json") == before
    place.repo.git("config", "commit.gpgSign", "true")
    reject(place.workspace(), place.desk(), CACHE_ID)
    assert (
        json.loads(place.repo.read(".mneme/decision_proposals.json"))["proposals"][0]["status"] == "rejected"
    )


def test_a_verdict_and_its_signature_come_back_from_the_journal_together(signer):
    run("decision", "reject", CACHE_ID, "--sign")
    folder = signer.folder / ".mneme" / "proposals"
    signer.repo.git("rm", "-r", "-q", "--cached", ".mneme/proposals")
    for path in folder.rglob("dprop-*"):
        path.unlink()
    for path in folder.rglob("[0-9a-f]*.json"):
        path.unlink()
    assert run("decision", "proposals").out == "(no proposals)\n"
    assert run("restore", "--all").code == 0
    assert run("decision", "proposals").out.startswith("[rejected]")
    assert counts() == {"good": 1}


def test_a_verdict_that_a_reset_took_away_is_lost_and_comes_back_with_its_signature(signer):
    signer.repo.commit_all("proposed")
    accept(signer.workspace(), signer.desk(), CACHE_ID, decision_id="d1", sign=True)
    signer.repo.git("reset", "-q", "--hard")
    assert run("decision", "proposals").out.startswith("[proposed]")
    lost = run("restore", "--json").json["lost"]
    assert [(row["kind"], row["id"]) for row in lost if row["kind"] == "verdict"] == [("verdict", CACHE_ID)]
    assert run("restore", "--all").code == 0
    assert counts() == {"good": 1}
    assert accept(signer.workspace(), signer.desk(), CACHE_ID).acceptance.outcome == "already_accepted"


def test_a_lost_verdict_is_brought_back_by_the_id_of_its_proposal_but_never_over_another(place):
    place.repo.commit_all("proposed")
    run("decision", "reject", CACHE_ID)
    place.repo.git("reset", "-q", "--hard")
    assert run("restore", CACHE_ID).code == 0
    assert find(place.desk(), CACHE_ID).status == "rejected"
    place.repo.git("reset", "-q", "--hard")
    assert run("decision", "accept", CACHE_ID, "--decision-id", "d1").code == 0
    before = place.repo.read(VERDICT)
    run("restore", "--all")
    assert place.repo.read(VERDICT) == before
