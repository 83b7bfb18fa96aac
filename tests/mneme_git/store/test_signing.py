"""Signatures by the real programs, with keys made for the test."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mneme_git.errors import SigningFailed
from mneme_git.store.backend import Signature
from mneme_git.store.process import Git
from mneme_git.store.signing import check, sign, wants_signatures

ADA, NOON = Signature("Ada", "ada@example.org"), 1_738_411_200
DATA = b'{\n  "verdict": "accepted"\n}\n'


@pytest.fixture
def git(repo):
    return Git(directory=repo.path)


@pytest.fixture
def ssh(repo, tmp_path):
    """A repository whose user signs with an ssh key that is among the allowed signers."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen here")
    key = tmp_path / "key"
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)]
    subprocess.run(make, check=True)
    allowed = tmp_path / "allowed"
    allowed.write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingKey", str(key))
    repo.git("config", "gpg.ssh.allowedSignersFile", str(allowed))
    return repo


@pytest.fixture
def openpgp(repo, monkeypatch):
    """A repository whose user signs with an OpenPGP key."""
    if shutil.which("gpg") is None:
        pytest.skip("no gpg here")
    home = Path("/tmp") / f"mneme-gpg-{os.getpid()}"  # a socket's path must be short
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    batch = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "Ada <ada@example.org>"]
    subprocess.run([*batch, "ed25519", "sign", "never"], check=True, capture_output=True)
    yield repo
    subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)
    shutil.rmtree(home)


def test_signing_follows_commit_gpgsign(repo, git):
    assert not wants_signatures(git)
    repo.git("config", "commit.gpgSign", "true")
    assert wants_signatures(git)


def test_a_signature_of_an_allowed_ssh_key_is_good(ssh, git):
    signature = sign(git, DATA, who=ADA)
    assert signature.startswith(b"-----BEGIN SSH SIGNATURE-----")
    found = check(git, DATA, signature, at=NOON)
    assert found.state == "good"
    assert "ada@example.org" in found.signer


def test_a_signature_over_other_bytes_is_bad(ssh, git):
    assert check(git, DATA + b" ", sign(git, DATA, who=ADA), at=NOON).state == "bad"


def test_a_key_that_nobody_vouches_for_is_unknown(ssh, git):
    signature = sign(git, DATA, who=ADA)
    ssh.git("config", "--unset", "gpg.ssh.allowedSignersFile")
    found = check(git, DATA, signature, at=NOON)
    assert (found.state, found.reason) == ("unknown", "gpg.ssh.allowedSignersFile is not set")
    assert check(git, DATA + b" ", signature, at=NOON).state == "bad"
    ssh.write("nobody", "")
    ssh.git("config", "gpg.ssh.allowedSignersFile", "nobody")
    assert check(git, DATA, signature, at=NOON).reason == "its key is not among the allowed signers"


def test_git_itself_accepts_what_the_same_settings_sign(ssh, git, tmp_path):
    signature = tmp_path / "sig"
    signature.write_bytes(sign(git, DATA, who=ADA))
    allowed = ssh.git("config", "gpg.ssh.allowedSignersFile")
    verify = ["ssh-keygen", "-Y", "verify", "-n", "git", "-f", allowed, "-I", "ada@example.org"]
    assert subprocess.run([*verify, "-s", str(signature)], input=DATA, check=False).returncode == 0


def test_an_openpgp_signature_is_good_and_names_its_key(openpgp, git):
    signature = sign(git, DATA, who=ADA)
    assert signature.startswith(b"-----BEGIN PGP SIGNATURE-----")
    found = check(git, DATA, signature, at=NOON)
    assert (found.state, found.signer) == ("good", "Ada <ada@example.org>")
    assert check(git, DATA + b" ", signature, at=NOON).state == "bad"


def test_an_openpgp_key_that_is_not_here_is_unknown(openpgp, git, monkeypatch, tmp_path):
    signature = sign(git, DATA, who=ADA)
    empty = tmp_path / "g"
    empty.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(empty))
    found = check(git, DATA, signature, at=NOON)
    assert (found.state, found.reason) == ("unknown", "its key is not here")


def test_what_is_no_signature_is_bad(git):
    assert check(git, DATA, b"hello", at=NOON).state == "bad"
    assert check(git, DATA, b"", at=NOON).state == "bad"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"gpg.format": "stamp"}, "gpg.format is 'stamp'"),
        ({"gpg.format": "ssh"}, "user.signingKey is not set"),
        ({"gpg.format": "ssh", "user.signingKey": "/no/such/key"}, "did not sign"),
        ({"gpg.program": "/no/such/program"}, "cannot be started"),
        ({"gpg.program": "false"}, "false did not sign: it said nothing"),
    ],
)
def test_a_signature_that_cannot_be_made_says_why(repo, git, settings, text):
    for name, value in settings.items():
        repo.git("config", name, value)
    with pytest.raises(SigningFailed) as raised:
        sign(git, DATA, who=ADA)
    assert text in raised.value.message
    assert "gpg.format" in raised.value.hint


def test_a_program_that_is_not_there_leaves_a_signature_unknown(ssh, git):
    signature = sign(git, DATA, who=ADA)
    ssh.git("config", "gpg.ssh.program", "/no/such/program")
    found = check(git, DATA, signature, at=NOON)
    assert found.state == "unknown"
    assert "cannot be started" in found.reason
