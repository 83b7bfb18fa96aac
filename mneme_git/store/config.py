"""The settings: environment, git's own configuration, ``.mneme/config``, the existing engine's file.

``KEYS`` is the whole table; ``docs/reference/configuration.md`` is made from it. What comes with a
clone is not the user's word: from ``.mneme/config`` only keys are taken that can do no harm. What lets
mneme open a connection, or look into other projects, is not even taken from the repository's own
``.git/config``, which comes with an unpacked archive or from whatever else has set the repository up.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from mneme_git.errors import InvalidInput
from mneme_git.store.existing_config import read_existing
from mneme_git.store.process import Git, accepted
from mneme_git.text.git_config import parse_git_config, truth

_PROJECT_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_NUMBER = re.compile(r"([0-9]{1,15})([kmg]?)", re.ASCII)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_ONLY_USER = (
    "Not taken from the repository's own configuration, only from `--global`, `--system` and `git -c`."
)
_OF_USER = frozenset(("system", "global", "command"))


class Key(Struct, frozen=True, kw_only=True):
    """One setting: its name as documented (git does not tell its case apart), and where it may stand."""

    name: str
    kind: Literal["truth", "choice", "number", "paths", "patterns", "projects", "project id", "text"]
    default: str
    meaning: str
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] = (0, 0)
    environment: str = ""
    in_project: bool = False
    in_repository: bool = True


KEYS = (
    Key(
        name="mneme.projectId",
        kind="project id",
        default="",
        meaning="The project's id, 16 hex digits, made by `mneme init`; the same in every clone.",
        in_project=True,
    ),
    Key(
        name="mneme.adrDir",
        kind="paths",
        default="",
        meaning="A folder of ADR files, relative to the repository; may be given several times.",
        in_project=True,
    ),
    Key(
        name="mneme.quiet",
        kind="truth",
        default="false",
        meaning="Leave out notices on stderr that are no warnings.",
        environment="MNEME_QUIET",
    ),
    Key(
        name="mneme.autostage",
        kind="truth",
        default="false",
        meaning="Let the pre-commit hook add this branch's pending memories to your own next commit.",
    ),
    Key(
        name="mneme.backend",
        kind="choice",
        default="auto",
        meaning="How git is spoken to: `pygit2`, `program`, or `auto` for what fits the command.",
        choices=("auto", "pygit2", "program"),
    ),
    Key(
        name="mneme.discoveryModel",
        kind="text",
        default="",
        meaning="A model that narrows what `mneme context` found; none is asked if this is not set. "
        + _ONLY_USER,
        environment="MNEME_DISCOVERY_MODEL",
        in_repository=False,
    ),
    Key(
        name="mneme.routerUrl",
        kind="text",
        default="http://127.0.0.1:11436",
        meaning="Where that model is asked; scheme, host and port count. " + _ONLY_USER,
        environment="MNEME_ROUTER_URL",
        in_repository=False,
    ),
    Key(
        name="mneme.crossProject",
        kind="truth",
        default="false",
        meaning="Let other projects' memories be searched from here, as far as `mneme.crossProjectAllow` "
        "allows it. " + _ONLY_USER,
        in_repository=False,
    ),
    Key(
        name="mneme.crossProjectAllow",
        kind="projects",
        default="",
        meaning="A project that may be searched: the absolute path of its repository, or its hash "
        "(`project_hash` of the tool `mneme_index_status`); may be given several times. " + _ONLY_USER,
        in_repository=False,
    ),
    Key(
        name="mneme.tokenBudget",
        kind="number",
        default="6000",
        limits=(500, 50_000),
        meaning="The most tokens, of four characters, of a context that is asked for without a budget.",
    ),
    Key(
        name="mneme.maxFileBytes",
        kind="number",
        default="2000000",
        limits=(1, 256 << 20),
        meaning="Files larger than this are not read into the code index; `k`, `m` and `g` may follow.",
    ),
    Key(
        name="mneme.ignore",
        kind="patterns",
        default="",
        meaning="Files that are not for the code index, beside what git ignores and `.mnemeignore` hides, in "
        "the syntax of `.gitignore` without `!`; may be given several times.",
    ),
    Key(
        name="mneme.gcDays",
        kind="number",
        default="90",
        limits=(1, 36_500),
        meaning="How old, in days, a memory that was never recalled is before `mneme gc` names it.",
    ),
)
_BY_KEY = {key.name.lower(): key for key in KEYS}


class Settings(Struct, frozen=True, kw_only=True):
    """What holds after all sources; ``notices`` names what was written but is not taken, and why."""

    project_id: str = ""
    adr_dirs: tuple[str, ...] = ()
    quiet: bool = False
    autostage: bool = False
    backend: str = "auto"
    discovery_model: str = ""
    router_url: str = "http://127.0.0.1:11436"
    cross_project: bool = False
    cross_project_allow: tuple[str, ...] = ()
    token_budget: int = 6000
    max_file_bytes: int = 2_000_000
    ignore: tuple[str, ...] = ()
    gc_days: int = 90
    notices: tuple[str, ...] = ()


class _Source(Struct, frozen=True):
    """The values that one place gives, by lower-case key, in order; None is a name without ``=``.

    ``names`` are what it calls keys of another name than ours.
    """

    name: str
    values: Mapping[str, tuple[str | None, ...]]
    names: Mapping[str, str] = {}


def read_settings(
    *, git: Git | None, project: bytes = b"", environment: Mapping[str, str] | None = None
) -> Settings:
    """Return the settings in force.

    ``git`` is asked once for ``mneme.*`` of the repository and the user; ``project`` is the content
    of ``.mneme/config``; of ``environment`` only the names in ``KEYS`` are looked at, and where the
    existing engine keeps its file, which is not looked at without an ``environment``. A value that does
    not fit is passed over and named, and the next source counts.
    """
    notices: list[str] = []
    sources = (
        _from_environment(environment or {}),
        _Source("git's configuration", _asked(git, notices) if git else {}),
        _from_project(project, notices),
        _from_existing(environment or {}, notices),
    )
    for source in sources:
        notices += [f"{source.name}: '{name}' is no setting" for name in source.values if name not in _BY_KEY]
    found = {key.name: _value(key, sources, notices) for key in KEYS}
    return Settings(
        project_id=_one(found["mneme.projectId"]),
        adr_dirs=found["mneme.adrDir"],
        quiet=_one(found["mneme.quiet"]) == "true",
        autostage=_one(found["mneme.autostage"]) == "true",
        backend=_one(found["mneme.backend"]),
        discovery_model=_one(found["mneme.discoveryModel"]),
        router_url=_one(found["mneme.routerUrl"]),
        cross_project=_one(found["mneme.crossProject"]) == "true",
        cross_project_allow=found["mneme.crossProjectAllow"],
        token_budget=int(_one(found["mneme.tokenBudget"])),
        max_file_bytes=int(_one(found["mneme.maxFileBytes"])),
        ignore=found["mneme.ignore"],
        gc_days=int(_one(found["mneme.gcDays"])),
        notices=tuple(notices),
    )


def _one(values: Sequence[str]) -> str:
    return values[-1] if values else ""


def _value(key: Key, sources: Iterable[_Source], notices: list[str]) -> tuple[str, ...]:
    for source in sources:
        given = source.values.get(key.name.lower(), ())
        fitting = tuple(text for raw in given if (text := _fitting(key, raw)) is not None)
        if len(fitting) < len(given):
            called = source.names.get(key.name.lower(), key.name)
            notices.append(f"{source.name}: {called} is to be {_expected(key)}")
        if fitting:
            return fitting
    return (key.default,) if key.default else ()


def _fitting(key: Key, raw: str | None) -> str | None:
    """Return ``raw`` in its plain form if it fits ``key``."""
    if key.kind == "truth":
        meant = truth(raw)
        return None if meant is None else str(meant).lower()
    if not raw:
        return None
    if key.kind == "choice":
        return raw.lower() if raw.lower() in key.choices else None
    if key.kind == "project id":
        return raw if _PROJECT_ID.fullmatch(raw) else None
    if key.kind == "text":
        return raw if raw.isprintable() else None
    return _more_fitting(key, raw)


def _more_fitting(key: Key, raw: str) -> str | None:
    if key.kind == "number":
        found = _NUMBER.fullmatch(raw.lower())
        number = int(found[1]) * _UNITS[found[2]] if found else -1
        return str(number) if key.limits[0] <= number <= key.limits[1] else None
    if key.kind == "projects":
        is_path = raw.startswith("~/") or PurePath(raw).is_absolute()
        return raw if is_path or _PROJECT_ID.fullmatch(raw) else None
    if key.kind == "patterns":
        return raw if raw.isprintable() and raw.strip() and not raw.startswith(("!", "#")) else None
    return raw


def _expected(key: Key) -> str:
    return {
        "truth": "true or false",
        "choice": "one of " + ", ".join(key.choices),
        "paths": "a folder",
        "project id": "16 hex digits in lower case",
        "text": "a word",
        "number": f"a whole number from {key.limits[0]} to {key.limits[1]}",
        "projects": "the hash of a project (16 hex digits) or an absolute path",
        "patterns": "a pattern of files to leave out, not one that begins with `!` or `#`",
    }[key.kind]


def _from_environment(environment: Mapping[str, str]) -> _Source:
    named = {key.name.lower(): environment.get(key.environment, "") for key in KEYS if key.environment}
    return _Source("the environment", {name: (text.strip(),) for name, text in named.items() if text.strip()})


def _asked(git: Git, notices: list[str]) -> dict[str, tuple[str | None, ...]]:
    ran = git.run("config", "--show-scope", "-z", "--get-regexp", "^mneme\\.[^.]*$")
    if ran.code not in {0, 1}:
        accepted("config", ran)
    told = ran.out.decode("utf-8", "replace").split("\0")
    kept = []
    for scope, row in zip(told[::2], told[1::2], strict=False):  # what follows the last NUL is no scope
        name, mark, value = row.partition("\n")
        key = _BY_KEY.get(name)
        if key and not key.in_repository and scope not in _OF_USER:
            notices.append(f"the repository's git configuration: {key.name} is taken only from your own")
        else:
            kept.append((name, value if mark else None))
    return _grouped(kept)


def _from_existing(environment: Mapping[str, str], notices: list[str]) -> _Source:
    if not environment:
        return _Source("", {})
    found = read_existing(environment)
    notices += found.notices
    return _Source(f"'{found.path}'", found.values, found.names)


def _from_project(project: bytes, notices: list[str]) -> _Source:
    source = ".mneme/config"
    try:
        rows = parse_git_config(project.decode("utf-8", "replace"))
    except InvalidInput as error:
        notices.append(f"{source}: {error.message}; nothing in it is taken")
        return _Source(source, {})
    kept = []
    for row in rows:
        key = _BY_KEY.get(row.key)
        if key and not key.in_project:
            notices.append(f"{source}, line {row.line}: {key.name} is taken only from your own configuration")
        else:
            kept.append((row.key, row.value))
    return _Source(source, _grouped(kept))


def _grouped(rows: Iterable[tuple[str, str | None]]) -> dict[str, tuple[str | None, ...]]:
    found: dict[str, tuple[str | None, ...]] = {}
    for name, value in rows:
        found[name] = (*found.get(name, ()), value)
    return found
