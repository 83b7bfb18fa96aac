"""Where the files of a project are: by name, by folder, by what declares a package."""

import json
import re
from collections import defaultdict
from functools import cached_property

from mneme_indexer.resolve.project import Project

_GO_MODULE = re.compile(r"^\s*module\s+[\"`]?([^\s\"`]+)", re.M)
_CRATE = re.compile(r"^\s*\[package\][^\[]*?^\s*name\s*=\s*\"([^\"]+)\"", re.M | re.S)


def folder_of(path: str) -> str:
    """Return the folder of a path, empty at the root."""
    return path.rpartition("/")[0]


def joined(folder: str, relative: str) -> str | None:
    """Return the path that ``relative`` means in a folder, None if it leaves the project.

    >>> joined("a/b", "../c.py")
    'a/c.py'
    >>> joined("a", "../../c.py")
    """
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def ancestors(folder: str) -> list[str]:
    """Return a folder and those around it, the nearest first, the root (empty) last."""
    found = [folder]
    while folder:
        folder = folder_of(folder)
        found.append(folder)
    return found


def nearness(path: str, folder: str) -> tuple[int, int, str]:
    """Return a key that puts first what shares most folders with ``folder``, then the shortest path."""
    shared = 0
    for one, other in zip(folder_of(path).split("/"), folder.split("/"), strict=False):
        if one != other:
            break
        shared += 1
    return -shared, path.count("/"), path


class Layout:
    """Lists over the paths of a project, made when they are first asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.files = frozenset(project.paths())

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Paths by the last part, sorted."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            found[path.rpartition("/")[2]].append(path)
        return dict(found)

    @cached_property
    def in_folder(self) -> dict[str, list[str]]:
        """Paths by their folder, sorted."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            found[folder_of(path)].append(path)
        return dict(found)

    @cached_property
    def folders_by_name(self) -> dict[str, list[str]]:
        """Folders by the last part, sorted."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for folder in sorted(self.in_folder):
            found[folder.rpartition("/")[2]].append(folder)
        return dict(found)

    @cached_property
    def python_roots(self) -> frozenset[str]:
        """Folders from which absolute imports of Python start: those around the outermost packages."""
        packages = {folder_of(path) for path in self.by_name.get("__init__.py", ())}
        return frozenset({"", *(folder_of(folder) for folder in packages)} - packages)

    @cached_property
    def python_places(self) -> dict[str, list[str]]:
        """Modules and packages of Python, as paths without an ending, by their last part."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            stem, _, ending = path.rpartition(".")
            if ending in {"py", "pyi", "pyw"}:
                place = stem.removesuffix("/__init__")
                found[place.rpartition("/")[2]].append(place)
        return dict(found)

    @cached_property
    def go_modules(self) -> list[tuple[str, str]]:
        """Module paths of Go and their folders, the longest path first."""
        rows = []
        for path in self.by_name.get("go.mod", ()):
            written = _GO_MODULE.search(self._project.text(path))
            if written:
                rows.append((written.group(1), folder_of(path)))
        return sorted(rows, key=lambda row: (-len(row[0]), row))

    @cached_property
    def crates(self) -> dict[str, str]:
        """Folders of Rust crates by the name that code uses."""
        found: dict[str, str] = {}
        for path in self.by_name.get("Cargo.toml", ()):
            written = _CRATE.search(self._project.text(path))
            if written:
                found.setdefault(written.group(1).replace("-", "_"), folder_of(path))
        return found

    @cached_property
    def node_packages(self) -> dict[str, str]:
        """Folders of packages of the workspace by their names."""
        found: dict[str, str] = {}
        for path in self.by_name.get("package.json", ()):
            if "node_modules" not in path:
                try:
                    declared = json.loads(self._project.text(path) or "{}")
                except (ValueError, RecursionError):
                    continue
                if isinstance(declared, dict) and isinstance(declared.get("name"), str):
                    found.setdefault(declared["name"], folder_of(path))
        return found

    def ending(self, tail: str, folder: str) -> list[str]:
        """Return the paths that are ``tail`` or end with it after a slash, nearest to ``folder`` first."""
        name = tail.rpartition("/")[2]
        found = [path for path in self.by_name.get(name, ()) if path == tail or path.endswith(f"/{tail}")]
        return sorted(found, key=lambda path: nearness(path, folder))
