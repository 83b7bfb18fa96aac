"""Detached signatures, made and checked by the programs that git itself signs with.

The settings are git's: ``gpg.format``, ``gpg.program`` and ``gpg.<format>.program``,
``user.signingKey``, ``gpg.ssh.allowedSignersFile``, ``gpg.ssh.revocationFile``,
``gpg.ssh.defaultKeyCommand``. Signatures of ssh keys have git's namespace, so that the same list of
allowed signers holds.
"""

import os
import shlex
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct

from mneme_git.errors import SigningFailed
from mneme_git.store.backend import Signature
from mneme_git.store.process import Git

Format = Literal["openpgp", "x509", "ssh"]
_PROGRAMS: dict[str, str] = {"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}
_NAMESPACE = "git"
_ARMOUR: tuple[tuple[bytes, Format], ...] = (
    (b"-----BEGIN SSH SIGNATURE-----", "ssh"),
    (b"-----BEGIN SIGNED MESSAGE-----", "x509"),
    (b"-----BEGIN PGP ", "openpgp"),
)
_DOUBTS = (
    ("REVKEYSIG", "its key is revoked"),
    ("EXPKEYSIG", "its key has expired"),
    ("EXPSIG", "the signature has expired"),
    ("NO_PUBKEY", "its key is not here"),
    ("ERRSIG", "it cannot be checked here"),
    ("TRUST_NEVER", "its key is marked as never to be trusted"),
)
_SIGNERS = ("GOODSIG", "REVKEYSIG", "EXPKEYSIG", "EXPSIG")
_HINT = "see `git config gpg.format` and `git config user.signingKey`, or leave the signature out"


class Checked(Struct, frozen=True, kw_only=True):
    """What a signature is worth here.

    ``bad`` means that it does not belong to the bytes; ``unknown`` that it does, as far as can be
    told, but that nothing here vouches for its key (any more). ``signer`` is who the program says it is.
    """

    state: Literal["good", "bad", "unknown"]
    signer: str = ""
    reason: str = ""


def wants_signatures(git: Git) -> bool:
    """Tell whether the user signs every commit (``commit.gpgSign``)."""
    return git.run("config", "--type=bool", "--get", "commit.gpgSign").out.strip() == b"true"


def sign(git: Git, data: bytes, *, who: Signature) -> bytes:
    """Return a detached signature over ``data``; ``who`` is the fallback for ``user.signingKey``.

    Raises:
        SigningFailed: the settings do not fit, or the program refused.
    """
    form = _setting(git, "gpg.format") or "openpgp"
    if form not in _PROGRAMS:
        raise SigningFailed(f"gpg.format is '{form}', which git does not sign with", hint=_HINT)
    key = _setting(git, "user.signingKey", path=form == "ssh")
    if form == "ssh":
        return _sign_ssh(git, data, key or _default_ssh_key(git))
    command = [_program(git, form), "--status-fd=2", "-bsau", key or f"{who.name} <{who.email}>"]
    ran = _run(git, command, data)
    if ran.returncode or b"[GNUPG:] SIG_CREATED " not in b"\n" + ran.stderr:
        raise SigningFailed(f"{command[0]} did not sign: {_last_line(ran.stderr)}", hint=_HINT)
    return ran.stdout


def check(git: Git, data: bytes, signature: bytes, *, at: int) -> Checked:
    """Return what ``signature`` over ``data`` is worth; ``at`` is when it is said to be made (unix time).

    A program that is not there leaves the signature unknown.
    """
    form = next((form for begin, form in _ARMOUR if signature.lstrip().startswith(begin)), None)
    if form is None:
        return Checked(state="bad", reason="it is no signature that git makes")
    try:
        with TemporaryDirectory(prefix="mneme-") as folder:
            path = Path(folder) / "signature"
            path.write_bytes(signature)
            if form == "ssh":
                return _check_ssh(git, data, path, at)
            command = [_program(git, form), "--status-fd=1", "--verify", str(path), "-"]
            return _from_status(_run(git, command, data).stdout)
    except SigningFailed as error:
        return Checked(state="unknown", reason=error.message)


def _sign_ssh(git: Git, data: bytes, key: str) -> bytes:
    if not key:
        raise SigningFailed("there is no key to sign with: user.signingKey is not set", hint=_HINT)
    with TemporaryDirectory(prefix="mneme-") as folder:
        buffer, named = Path(folder) / "data", [key]
        buffer.write_bytes(data)
        if _is_literal(key):
            public = Path(folder) / "key"
            public.write_text(key.removeprefix("key::") + "\n", encoding="utf-8")
            named = [str(public), "-U"]  # the private half is the agent's
        command = [_program(git, "ssh"), "-Y", "sign", "-n", _NAMESPACE, "-f", *named, str(buffer)]
        ran = _run(git, command)
        made = buffer.with_name("data.sig")
        if ran.returncode or not made.exists():
            raise SigningFailed(f"{command[0]} did not sign: {_last_line(ran.stderr)}", hint=_HINT)
        return made.read_bytes()


def _default_ssh_key(git: Git) -> str:
    """Return the first key that ``gpg.ssh.defaultKeyCommand`` prints, as git does."""
    given = _setting(git, "gpg.ssh.defaultKeyCommand")
    if not given:
        return ""
    lines = _run(git, shlex.split(given)).stdout.decode("utf-8", "replace").splitlines()
    return next((line for line in lines[:1] if _is_literal(line)), "")


def _is_literal(key: str) -> bool:
    return key.startswith(("key::", "ssh-"))


def _check_ssh(git: Git, data: bytes, signature: Path, at: int) -> Checked:
    program, signed = _program(git, "ssh"), ["-s", str(signature)]
    when = f"-Overify-time={time.strftime('%Y%m%d%H%M%S', time.localtime(at))}"
    allowed = _setting(git, "gpg.ssh.allowedSignersFile", path=True)
    if allowed and Path(git.directory, allowed).exists():
        listed = ["-f", allowed]
        found = _run(git, [program, "-Y", "find-principals", *listed, when, *signed])
        for principal in found.stdout.decode("utf-8", "replace").splitlines() if not found.returncode else ():
            checking = ["-Y", "verify", "-n", _NAMESPACE, *listed, "-I", principal, when, *signed]
            ran = _run(git, [program, *checking, *_revoked(git)], data)
            if not ran.returncode:
                return Checked(state="good", signer=_last_line(ran.stdout))
            if b"revoked" in ran.stdout + ran.stderr:
                return Checked(state="unknown", signer=principal, reason="its key is revoked")
    ran = _run(git, [program, "-Y", "check-novalidate", "-n", _NAMESPACE, *signed], data)
    if ran.returncode:
        return Checked(state="bad", reason=_last_line(ran.stdout + ran.stderr))
    reason = (
        "its key is not among the allowed signers" if allowed else "gpg.ssh.allowedSignersFile is not set"
    )
    return Checked(state="unknown", signer=_last_line(ran.stdout), reason=reason)


def _revoked(git: Git) -> list[str]:
    named = _setting(git, "gpg.ssh.revocationFile", path=True)
    return ["-r", named] if named and Path(git.directory, named).exists() else []


def _from_status(status: bytes) -> Checked:
    """Read gpg's status lines (GnuPG, doc/DETAILS): one of these words decides."""
    lines = status.decode("utf-8", "replace").splitlines()
    told = [line.removeprefix("[GNUPG:] ").split(" ", 2) for line in lines if line.startswith("[GNUPG:] ")]
    words = {parts[0]: parts[-1] for parts in told}
    if "BADSIG" in words:
        return Checked(state="bad", reason="the bytes are not those that were signed")
    doubts = [reason for word, reason in _DOUBTS if word in words]
    signer = next((words[word] for word in _SIGNERS if word in words), "")
    if doubts:
        return Checked(state="unknown", signer=signer, reason=doubts[0])
    if signer:
        return Checked(state="good", signer=signer)
    return Checked(state="bad", reason="the program found no signature in it")


def _program(git: Git, form: str) -> str:
    named = _setting(git, f"gpg.{form}.program", path=True)
    if not named and form == "openpgp":
        named = _setting(git, "gpg.program", path=True)
    return named or _PROGRAMS[form]


def _setting(git: Git, name: str, *, path: bool = False) -> str:
    kind = ["--type=path"] if path else []
    ran = git.run("config", *kind, "--get", name)
    return ran.out.decode("utf-8", "surrogateescape").rstrip("\n") if ran.code == 0 else ""


def _run(git: Git, command: Sequence[str], data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command,
            cwd=git.directory,
            env={**os.environ, **git.variables},
            input=data,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise SigningFailed(f"'{command[0]}' cannot be started: {error.strerror}", hint=_HINT) from error


def _last_line(said: bytes) -> str:
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
    return next((line for line in reversed(lines) if line and "[GNUPG:]" not in line), "it said nothing")
