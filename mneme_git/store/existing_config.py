"""The configuration file of the existing engine: read where it stands, never made and never written.

That engine writes the whole file with all its defaults when it is first used. A value that is its
default was therefore chosen by nobody, and says nothing here.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

HOME_VARIABLE = "OPENCLAUDE_HOME"
_MOST_BYTES = 1 << 20
_IGNORED_THERE = (".git", "node_modules", "dist", "build", ".next", ".venv", "target", ".mneme")
Form = Literal["text", "truth", "number", "texts"]


class OldKey(Struct, frozen=True, kw_only=True):
    """One setting of that file; ``key`` is ours in lower case, empty if the setting has no effect here.

    ``default`` is the value that the engine itself writes; ``note`` is for the reference page.
    """

    name: str
    note: str
    key: str = ""
    form: Form = "text"
    default: Any = None


OLD_KEYS = (
    OldKey(name="discoveryModel", key="mneme.discoverymodel", note="The same."),
    OldKey(
        name="router.baseUrl",
        key="mneme.routerurl",
        default="http://127.0.0.1:11436",
        note="The same; scheme, host and port count.",
    ),
    OldKey(
        name="indexer.maxFileBytes",
        key="mneme.maxfilebytes",
        form="number",
        default=1 << 20,
        note="The same. Its default there is smaller and, as nobody chose it, not taken.",
    ),
    OldKey(
        name="indexer.ignore",
        key="mneme.ignore",
        form="texts",
        default=_IGNORED_THERE,
        note="Hides more files, as there. A list that holds all that is ignored there by default counts only "
        "for what it adds: git's own rules and `.mnemeignore` hide the rest.",
    ),
    OldKey(
        name="retrieval.defaultTokenBudget",
        key="mneme.tokenbudget",
        form="number",
        default=6000,
        note="The same, but for the whole reply.",
    ),
    OldKey(
        name="cross_project.enabled",
        key="mneme.crossproject",
        form="truth",
        default=False,
        note="The same.",
    ),
    OldKey(
        name="cross_project.allow",
        key="mneme.crossprojectallow",
        form="texts",
        default=(),
        note="The same. A hash or a database of that engine means the repository that it was made for.",
    ),
    OldKey(
        name="memory.globalDbPath",
        note="No setting here: where `mneme memory import` finds the global database of that engine. Global "
        "memories themselves are kept in a repository of mneme's own.",
    ),
    OldKey(name="indexer.languages", note="No effect, as there: every language that is known is read."),
    OldKey(name="retrieval.perFileCap", note="No effect: a file's share follows from the budget."),
    OldKey(name="retrieval.tokenizer", note="No effect, as there: a token counts as four characters."),
    OldKey(
        name="retrieval.weights",
        note="No effect: the ranking here has other signals, and its weights were measured together.",
    ),
)


class Existing(Struct, frozen=True, kw_only=True):
    """What the file gives: values as text by our keys in lower case, and what they are called there.

    ``global_db`` is where the engine's global database is, as the file or its default has it.
    """

    path: str = ""
    values: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    notices: tuple[str, ...] = ()
    global_db: str = ""


def engine_home(variables: Mapping[str, str]) -> Path | None:
    """Return the folder that the engine keeps its configuration and its project databases in."""
    given = variables.get(HOME_VARIABLE, "")
    return Path(given) if given else _default_home(variables)


def read_existing(variables: Mapping[str, str]) -> Existing:
    """Return what the file says now; what in it cannot be taken is named in the notices.

    The file is small and read each time, so a change counts from the next request on.
    """
    home = engine_home(variables)
    if home is None:
        return Existing()
    path = home / "mneme.json"
    notices: list[str] = []
    told = _object(path, notices)
    values: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    for old in OLD_KEYS:
        given = _given(told, old.name, path, notices) if old.key else None
        if given is None or _plain(given) == _plain(old.default):
            continue
        texts = _texts(given, old)
        if texts is None:
            notices.append(f"'{path}': {old.name} is to be {_EXPECTED[old.form]}; the default is used")
        elif texts:
            values[old.key], names[old.key] = texts, old.name
    return Existing(
        path=str(path),
        values=values,
        names=names,
        notices=tuple(notices),
        global_db=_global_db(told, variables),
    )


_EXPECTED = {
    "text": "a text",
    "truth": "true or false",
    "number": "a whole number",
    "texts": "a list of texts",
}


def _default_home(variables: Mapping[str, str]) -> Path | None:
    home = variables.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - Path's raises where there is none
    return Path(home) / ".openclaude" if Path(home).is_absolute() else None


def _object(path: Path, notices: list[str]) -> Mapping[str, Any]:
    try:
        found = json.loads(_content(path))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        why = f"it cannot be read: {error.strerror or error}"
    except UnicodeDecodeError as error:
        why = f"it is not UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        why = f"it is not JSON at line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        why = "it is not JSON that can be read"
    else:
        if isinstance(found, dict):
            return found
        why = "it holds no object"
    notices.append(f"'{path}': {why}; nothing in it is taken")
    return {}


def _content(path: Path) -> str:
    seen = path.stat()
    if not stat.S_ISREG(seen.st_mode):
        raise OSError(0, "it is no regular file")
    if seen.st_size > _MOST_BYTES:
        raise OSError(0, "it is too large")
    return path.read_bytes().decode("utf-8-sig")


def _given(told: Mapping[str, Any], name: str, path: Path, notices: list[str]) -> Any:
    """Return the value of a dotted name, None for one that is not there or null."""
    section, mark, last = name.partition(".")
    if not mark:
        return told.get(section)
    inner = told.get(section)
    if inner is None or isinstance(inner, dict):
        return (inner or {}).get(last)
    notice = f"'{path}': {section} is to be an object; nothing in it is taken"
    if notice not in notices:
        notices.append(notice)
    return None


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _texts(given: Any, old: OldKey) -> tuple[str, ...] | None:
    """Return a value as git's configuration would have it, or None if it is of another type."""
    if old.form == "truth":
        return (str(given).lower(),) if isinstance(given, bool) else None
    if old.form == "number":
        return (str(given),) if isinstance(given, int) and not isinstance(given, bool) else None
    if old.form == "text":
        return ((given,) if given else ()) if isinstance(given, str) else None
    if not isinstance(given, list) or not all(isinstance(row, str) for row in given):
        return None
    return _beyond(given, _plain(old.default))


def _beyond(given: list[str], default: list[str]) -> tuple[str, ...]:
    if set(default) <= set(given):
        given = [row for row in given if row not in default]
    return tuple(row for row in given if row.strip())


def _global_db(told: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    """Return the path of the global database, with names of the environment in it replaced."""
    memory = told.get("memory")
    given = memory.get("globalDbPath") if isinstance(memory, dict) else None
    if isinstance(given, str) and given:
        return _expanded(given, variables)
    home = _default_home(variables)
    return str(home / "mneme" / "global.db") if home else ""


def _expanded(text: str, variables: Mapping[str, str]) -> str:
    import re

    pattern = re.compile(r"\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))")
    return pattern.sub(lambda found: variables.get(found[1] or found[2], found[0]), text)
