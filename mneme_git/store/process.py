"""Running the git program: without a shell, without prompting, in an environment of our own.

git hands its hooks variables that name *their* repository (``GIT_DIR``, ``GIT_INDEX_FILE``, ...). A
child that inherits them works on that repository whatever directory it is started in, so they are
taken away here; what a repository really needs of them is given back by ``Location.variables``.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from mneme_git.errors import GitFailed, MnemeError, NoGit, NoRepository, ReadOnlyStore, StoreBusy

# `git rev-parse --local-env-vars`, the 16 names of git 2.39 to 2.55. GIT_CONFIG_PARAMETERS and
# GIT_CONFIG_COUNT (with its GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n) stay: they are settings that
# the caller gave with `git -c`, and name no repository.
LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_KEPT = frozenset({"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"})
_REMOVED = frozenset(LOCAL_VARIABLES) - _KEPT

_ALWAYS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # What a ref or an index names is what we read; libgit2 knows no replacements either.
    "GIT_NO_REPLACE_OBJECTS": "1",
}
_READING = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    # A read must not turn into a fetch from a partial clone's remote. git >= 2.44 understands the
    # first; an older one tries and, by the second, fails at once instead of going to the network.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_PATIENCE = 2.0  # seconds that git has to end
_DUBIOUS = "dubious ownership"
_READ_ONLY = ("permission denied", "read-only file system", "insufficient permission")


class Ran(Struct, frozen=True):
    """What a git process said; ``complaint`` is the line of ``err`` that tells most."""

    code: int
    out: bytes
    err: str

    @property
    def complaint(self) -> str:
        """Return what the first ``fatal`` or ``error`` line says, or else the first line.

        A line that ends with a colon is told with the next one.
        """
        lines = [line.strip() for line in self.err.splitlines() if line.strip()]
        told = (at for at, line in enumerate(lines) if line.startswith(("fatal: ", "error: ")))
        at = next(told, 0)
        text = " ".join(
            lines[at : at + 2] if lines[at : at + 1] and lines[at].endswith(":") else lines[at : at + 1]
        )
        return text.removeprefix("fatal: ").removeprefix("error: ")


class Git(Struct, frozen=True, kw_only=True):
    """The git program, aimed at one repository: run in ``directory`` with ``variables`` added."""

    directory: Path
    variables: dict[str, str] = {}

    def run(self, *arguments: str, stdin: bytes = b"", settings: Sequence[str] = ()) -> Ran:
        """Run a git command that only reads, and return what it said, whatever its status.

        Raises:
            NoGit: there is no git program.
            NoRepository: git refuses the repository because of its owner.
        """
        return self._finish(arguments, stdin, settings, _READING)

    def run_as_user(self, *arguments: str, stdin: bytes = b"", settings: Sequence[str] = ()) -> Ran:
        """Run a git command that may start the user's own filters, which see the user's locale."""
        return self._finish(arguments, stdin, settings, {"LANGUAGE": "C"})

    def begin_as_user(self, *arguments: str, settings: Sequence[str] = ()) -> "Running":
        """Start what ``run_as_user`` runs; raises and answers in ``Running.finished``."""
        return self._begin(arguments, b"", settings, {"LANGUAGE": "C"})

    def ask(self, *arguments: str, stdin: bytes = b"", settings: Sequence[str] = ()) -> bytes:
        """Return the output of a git command that must succeed.

        Raises:
            GitFailed: it did not.
        """
        return accepted(arguments[0], self.run(*arguments, stdin=stdin, settings=settings)).out

    def start(self, *arguments: str, settings: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
        """Start a git process that answers on its stdout what is written to its stdin."""
        try:
            return subprocess.Popen(
                command(arguments, settings),
                cwd=self.directory,
                env=self.environment(_READING),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise _not_started(error, self.directory) from error

    def environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a child."""
        inherited = {name: value for name, value in os.environ.items() if name not in _REMOVED}
        return {**inherited, **_ALWAYS, **extra, **self.variables}

    def with_variables(self, **variables: str) -> "Git":
        """Return the same git with more variables in the environment of its children."""
        return Git(directory=self.directory, variables={**self.variables, **variables})

    def _finish(
        self, arguments: Sequence[str], stdin: bytes, settings: Sequence[str], extra: Mapping[str, str]
    ) -> Ran:
        return self._begin(arguments, stdin, settings, extra).finished()

    def _begin(
        self, arguments: Sequence[str], stdin: bytes, settings: Sequence[str], extra: Mapping[str, str]
    ) -> "Running":
        try:
            process = subprocess.Popen(
                command(arguments, settings),
                cwd=self.directory,
                env=self.environment(extra),
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise _not_started(error, self.directory) from error
        return Running(process, stdin, self.directory)


class Running:
    """A git process that works while its starter does something else."""

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: bytes, directory: Path) -> None:
        self._process = process
        self._stdin = stdin
        self._directory = directory

    def finished(self) -> Ran:
        """Wait for the end, and return what it said; to be called once.

        Raises:
            NoRepository: git refuses the repository because of its owner.
        """
        try:
            out, err = self._process.communicate(self._stdin)
        except BaseException:
            self.stop()
            raise
        ran = Ran(self._process.returncode, out, err.decode("utf-8", "replace"))
        if _DUBIOUS in ran.complaint:
            raise _ownership_refusal(self._directory)
        return ran

    def stop(self) -> None:
        """End it if it is not finished; what it would have said is lost."""
        if self._process.returncode is None:
            self._process.terminate()  # git then takes its locks away
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def accepted(command: str, ran: Ran) -> Ran:
    """Return ``ran`` if it succeeded.

    Raises:
        NoRepository: it is gone.
        ReadOnlyStore: git may not write there.
        StoreBusy: git found a lock.
        GitFailed: it failed for another reason.
    """
    if ran.code == 0:
        return ran
    raise failure(command, ran.complaint)


def failure(command: str, complaint: str) -> MnemeError:
    """Return the error of ours that fits what git complained about."""
    text = f"git {command}: {complaint or 'it stopped without a word'}"
    lowered = complaint.lower()
    if lowered.startswith("not a git repository"):
        return NoRepository(text, hint="it was there a moment ago: see whether it was moved or removed")
    if any(sign in lowered for sign in _READ_ONLY):
        return ReadOnlyStore(
            text, hint="check who owns the repository's files and whether they may be written"
        )
    if ".lock': file exists" in lowered or "unable to lock" in lowered:
        return StoreBusy(text, hint="wait until the other git process is done, then try again")
    return GitFailed(text, hint="run the same git command yourself to see all it says")


def _ownership_refusal(directory: Path) -> NoRepository:
    """Return the error for a repository that git refuses because another user owns it."""
    return NoRepository(
        f"git refuses '{directory}': it is owned by another user",
        hint="if you trust it, add that folder to safe.directory in your own git configuration",
    )


def command(arguments: Sequence[str], settings: Sequence[str] = ()) -> list[str]:
    """Return the words that start git with ``settings``, each of the form ``name=value``."""
    given = [part for setting in ("core.quotePath=false", *settings) for part in ("-c", setting)]
    return ["git", "--no-pager", *given, *arguments]


def _not_started(error: OSError, directory: Path) -> MnemeError:
    if isinstance(error, FileNotFoundError) and directory.is_dir():
        return NoGit("there is no 'git' program on the PATH", hint="install git, or put it on the PATH")
    return GitFailed(f"git cannot be started in '{directory}': {error.strerror}", hint="check the folder")
