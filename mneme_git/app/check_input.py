"""The texts that a check judges, and where each belongs."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from mneme_git.decisions.applicability import Target
from mneme_git.errors import InvalidInput
from mneme_git.text.quoting import quoted

STDIN = "-"
_BOM = "\ufeff"
_PROBED = 8000
# What the caller opened for this process: a pipe there has a writer, so reading it ends.
_HANDED = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")


class InputText(Struct, frozen=True, kw_only=True):
    """One input: its name as given, its text, or why there is none.

    ``binary``: it holds a NUL byte near its start, as git tells it; there is nothing to judge.
    ``unreadable``: it is neither binary nor UTF-8.
    """

    name: str
    text: str = ""
    binary: bool = False
    unreadable: str = ""


def read_inputs(names: tuple[str, ...], cwd: Path, stdin: Callable[[], bytes]) -> tuple[InputText, ...]:
    """Read every input, ``-`` from standard input; each name once, in the order given.

    Raises:
        InvalidInput: one is not there, is no regular file or cannot be opened; nothing is judged then.
    """
    return tuple(_decoded(name, _bytes(name, cwd, stdin)) for name in dict.fromkeys(names))


def _bytes(name: str, cwd: Path, stdin: Callable[[], bytes]) -> bytes:
    if name == STDIN:
        return _from_stdin(stdin)
    try:
        path = cwd / name
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or path.as_posix().startswith(_HANDED)):
            raise InvalidInput(f"input {quoted(name)} is not a regular file", hint="name files, or `-`")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"input file {name} does not exist") from None
    except IsADirectoryError:
        raise InvalidInput(
            f"input {quoted(name)} is a folder",
            hint="name its files, for example: git ls-files -z -- FOLDER | xargs -0 mneme check",
        ) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"input file {name} cannot be read: {why}", hint="check the name") from error


def _from_stdin(stdin: Callable[[], bytes]) -> bytes:
    try:
        return stdin()
    except OSError as error:
        raise InvalidInput(
            f"standard input cannot be read: {error.strerror}", hint="give it something, or name a file"
        ) from error


def _decoded(name: str, data: bytes) -> InputText:
    """Decode UTF-8 with or without a byte order mark; every line end becomes LF."""
    if b"\0" in data[:_PROBED]:
        return InputText(name=name, binary=True)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return InputText(name=name, unreadable=f"it is not UTF-8 (line {line}, byte {error.start})")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return InputText(name=name, text=text.removeprefix(_BOM))


def target_of(given: str | None, cwd: Path, root: str, policy_file: str = "") -> Target:
    """Return where a text belongs; None if nobody said.

    ``root`` and ``policy_file`` are absolute and free of symbolic links. The path need not exist.

    Raises:
        InvalidInput: it has backslashes and is no file of that very name.
    """
    if given is None:
        return Target()
    joined = os.path.join(cwd, given)  # noqa: PTH118 - realpath takes what pathlib would tidy away
    if "\\" in given and not os.path.lexists(joined):
        raise InvalidInput(
            f"path {quoted(given)} has backslashes", hint="write it with forward slashes, also on Windows"
        )
    resolved = os.path.realpath(joined)
    return Target(
        given=given,
        resolved=resolved,
        relative=_below(resolved, root),
        policy_file=bool(policy_file) and resolved == policy_file,
        linked=not policy_file and _is_linked(joined, resolved, root),
    )


def other_repository(resolved: str, root: str) -> str:
    """Return the path, relative to ``root``, of the innermost repository below it that holds a file.

    That is a submodule or a clone that lies in the work tree; empty text if there is none.
    """
    folder = os.path.dirname(resolved)  # noqa: PTH120 - as text it is several times faster
    while (below := _below(folder, root)) not in {None, "."}:
        if os.path.lexists(f"{folder}/.git"):
            return below or ""
        folder = os.path.dirname(folder)  # noqa: PTH120
    return ""


def _is_linked(joined: str, resolved: str, root: str) -> bool:
    """Tell whether a symbolic link below ``root`` makes ``joined`` lead to ``resolved``."""
    named = os.path.abspath(joined)  # noqa: PTH100 - it must not look at links
    if named == resolved:
        return False
    # The root may itself be named through links: it is the highest folder that is the root.
    above, parts = named, []
    while (parent := os.path.dirname(above)) != above:  # noqa: PTH120
        parts.append(parent)
        above = parent
    top = next((folder for folder in reversed(parts) if os.path.realpath(folder) == root), None)
    return top is None or _below(named, top) != _below(resolved, root)


def _below(path: str, root: str) -> str | None:
    if path == root:
        return "."
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :].replace(os.sep, "/") if path.startswith(prefix) else None
