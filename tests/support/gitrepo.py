"""A repository that tests drive with the real git program."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What a program said."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class GitRepo:
    """A work tree; ``git`` asserts success, ``try_git`` and ``mneme`` do not."""

    path: Path

    @staticmethod
    def create(path: Path, *init: str) -> GitRepo:
        path.mkdir(parents=True)
        made = GitRepo(path)
        made.git("init", "-q", "-b", "main", *init)
        made.write("README.md", "# a project\n")
        made.git("add", "-A")
        made.git("commit", "-q", "-m", "start")
        return made

    def try_git(self, *args: str, **env: str) -> Ran:
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **env},
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def git(self, *args: str, **env: str) -> str:
        ran = self.try_git(*args, **env)
        assert ran.code == 0, f"git {args}: {ran.err}{ran.out}"
        return ran.out.strip()

    def mneme(self, *args: str, stdin: str | None = None, **env: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "mneme_git", *args],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=False,
            input=stdin,
            env={**os.environ, **env},
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    def write(self, name: str, text: str | bytes) -> Path:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def commit_all(self, message: str = "change") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")
