"""A repository that tests drive with the real git program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from mneme_git.cli.entry import main


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
            errors="surrogateescape",
            check=False,
            env={**os.environ, **env},
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def git(self, *args: str, **env: str) -> str:
        ran = self.try_git(*args, **env)
        assert ran.code == 0, f"git {args}: {ran.err}{ran.out}"
        return ran.out.strip()

    def mneme(self, *args: str, stdin: str | None = None, **env: str) -> Ran:
        """Run a command through the console script's own entry, inside this process.

        It is the same code from the first line on, and takes a tenth of the time of a process.
        """
        out, err = io.StringIO(), io.StringIO()
        code = 0
        with self._as_in_a_shell(list(args), stdin, env), redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else int(left.code is not None)
        assert "Traceback" not in err.getvalue(), err.getvalue()
        return Ran(code, out.getvalue(), err.getvalue())

    def mneme_process(self, *args: str, stdin: str | None = None, **env: str) -> Ran:
        """Run a command as a process of its own, as people do."""
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

    @contextmanager
    def _as_in_a_shell(self, args: list[str], stdin: str | None, env: dict[str, str]) -> Iterator[None]:
        before, folder = dict(os.environ), Path.cwd()
        argv, streams = sys.argv, sys.stdin
        os.environ.update(env)
        os.chdir(self.path)
        sys.argv = ["mneme", *args]
        sys.stdin = io.TextIOWrapper(io.BytesIO((stdin or "").encode()), encoding="utf-8")
        try:
            yield
        finally:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)
            sys.argv, sys.stdin = argv, streams

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
