"""From the module that an import names to files of the project: one small class for each habit."""

import re
from typing import Protocol

from mneme_indexer.resolve.layout import Layout, ancestors, joined
from mneme_indexer.resolve.project import FileNames


class Modules(Protocol):
    """How a language names modules."""

    joint: str
    """Stands between the parts of a name."""
    opens: bool
    """Whether importing a module makes all its names known."""
    has_namespaces: bool
    """Whether a symbol says itself where it belongs."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the files that are the module, empty if it is outside the project."""
        ...

    def alias(self, module: str) -> str:
        """Return the name under which a module without an alias is used."""
        ...


class Plain:
    """No files: names are looked up by the namespaces that their symbols say, or not at all."""

    has_namespaces = False

    def __init__(self, layout: Layout, joint: str = ".", *, opens: bool = False) -> None:
        self.layout = layout
        self.joint = joint
        self.opens = opens

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def alias(self, module: str) -> str:
        """Return the last part."""
        return module.rpartition(self.joint)[2]


class Python(Plain):
    """``a.b`` from a root of sources, ``.b`` from the package of the file."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the module, or the ``__init__`` of the package; of several the nearest."""
        name = module.lstrip(".")
        dots = len(module) - len(name)
        tail = name.replace(".", "/")
        if dots:
            base = joined(at.folder, "../" * (dots - 1))
            return self._at(f"{base}/{tail}".strip("/") if tail else base) if base is not None else ()
        roots = [
            root
            for root in sorted(
                self._roots(tail), key=lambda root: (not self._around(root, at), -len(root), root)
            )
            if self._around(root, at) or root in self.layout.python_roots
        ]
        return next((found for root in roots if (found := self._at(f"{root}/{tail}".strip("/")))), ())

    def alias(self, module: str) -> str:
        """Return the whole: ``import a.b`` is used as ``a.b``."""
        return module

    def _at(self, place: str) -> tuple[str, ...]:
        files = self.layout.files
        packed = f"{place}/__init__" if place else "__init__"
        for stem in (place, packed):
            for ending in (".py", ".pyi", ".pyw"):
                if stem and stem + ending in files:
                    return (stem + ending,)
        return ()

    def _roots(self, tail: str) -> list[str]:
        """Return the folders in which ``tail`` would be found and that are no packages themselves."""
        places = self.layout.python_places.get(tail.rpartition("/")[2], ())
        found = {place[: -len(tail)].rstrip("/") for place in places if f"/{place}".endswith(f"/{tail}")}
        files = self.layout.files
        return sorted(root for root in found if not root or f"{root}/__init__.py" not in files)

    def _around(self, root: str, at: FileNames) -> bool:
        return not root or at.folder == root or at.folder.startswith(f"{root}/")


_SCRIPTS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json")
_COMPILED = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}


class Relative(Plain):
    """``./x`` from the folder of the file, with the endings and index files of JavaScript."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the one file that a bundler would take."""
        if module.startswith("."):
            place = joined(at.folder, module)
            return self._at(place, module) if place is not None else ()
        if module[:2] in {"@/", "~/"}:
            return self._under(module[2:], at)
        return self._in_workspace(module)

    def alias(self, module: str) -> str:
        """Return nothing: a module without a name is imported for its effects."""
        return ""

    def _at(self, place: str, module: str) -> tuple[str, ...]:
        files = self.layout.files
        if place in files and not module.endswith("/"):
            return (place,)
        stem, dot, ending = place.rpartition(".")
        tries = [stem + other for other in _COMPILED.get(dot + ending, ())]
        tries += [place + other for other in _SCRIPTS]
        tries += [f"{place}/index{other}".lstrip("/") for other in _SCRIPTS]
        return next(((path,) for path in tries if path in files), ())

    def _under(self, tail: str, at: FileNames) -> tuple[str, ...]:
        for folder in ancestors(at.folder):
            for source in ("src", "app", ""):
                place = joined(folder, f"{source}/{tail}")
                if place and (found := self._at(place, tail)):
                    return found
        return ()

    def _in_workspace(self, module: str) -> tuple[str, ...]:
        parts = module.split("/")
        size = 2 if module.startswith("@") else 1
        folder = self.layout.node_packages.get("/".join(parts[:size]))
        if folder is None:
            return ()
        tail = "/".join(parts[size:])
        places = (f"{folder}/src/{tail}", f"{folder}/{tail}", f"{folder}/lib/{tail}")
        return next((found for place in places if (found := self._at(place.strip("/"), "/"))), ())


class Go(Plain):
    """The folder below the module path of the nearest ``go.mod``."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the files of the package, without its tests."""
        for name, folder in self.layout.go_modules:
            if module == name or module.startswith(f"{name}/"):
                return self._package(f"{folder}/{module[len(name) :].strip('/')}".strip("/"))
        if self.layout.go_modules or "." not in module.partition("/")[0]:
            return ()
        parts = module.split("/")
        tails = ("/".join(parts[start:]) for start in range(1, len(parts)))
        return next((found for tail in tails if (found := self._package(tail))), ())

    def alias(self, module: str) -> str:
        """Return the last part that is no version."""
        parts = module.split("/")
        last = parts[-1]
        is_version = last[:1] == "v" and last[1:].isdigit() and len(parts) > 1
        return (parts[-2] if is_version else last).partition(".")[0].removeprefix("go-")

    def _package(self, folder: str) -> tuple[str, ...]:
        paths = self.layout.in_folder.get(folder, ())
        return tuple(path for path in paths if path.endswith(".go") and not path.endswith("_test.go"))


class Include(Plain):
    """A path from the folder of the file, from the root, or as the end of one path."""

    endings: tuple[str, ...] = ("",)

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the file that a path means."""
        module = module.removeprefix("/")
        for ending in self.endings:
            for folder in (at.folder, ""):
                place = joined(folder, module + ending)
                if place is not None and place in self.layout.files:
                    return (place,)
        if module.startswith("."):
            return ()
        endings = (module + ending for ending in self.endings)
        return next((tuple(found[:1]) for tail in endings if (found := self._ending(tail, at))), ())

    def _ending(self, tail: str, at: FileNames) -> list[str]:
        return self.layout.ending(tail, at.folder)


class Ruby(Include):
    """``require`` by the end of a path below ``lib``, ``require_relative`` from the file's folder."""

    endings = (".rb", "")


class Php(Include):
    """``require`` of a path; what ``use`` names is looked up by the namespace of its symbol."""

    has_namespaces = True

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the file that a path means; a name in a namespace is none."""
        return super().files(module, at, line) if "." in module or "/" in module else ()


class Namespaces(Plain):
    """No files: names are looked up by the namespace or package that their symbols say."""

    has_namespaces = True


class Packages(Namespaces):
    """``a.b.C`` is looked up by the package of its symbol; ``a.b`` is what is in folders ``a/b``."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the files of a package, if its folders are called like it."""
        tail = module.replace(".", "/")
        folders = self.layout.folders_by_name.get(tail.rpartition("/")[2], ())
        found = [folder for folder in folders if f"/{folder}".endswith(f"/{tail}")]
        return tuple(path for folder in found for path in self.layout.in_folder.get(folder, ()))


class Shell(Include):
    """``source`` of a path; a variable or a command in front of it is taken for the file's own folder."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the file that a path means."""
        return super().files(_COMPUTED.sub("./", module), at, line)


_COMPUTED = re.compile(r"^(?:\$\([^)]*\)|\$\{[^}]*\}|\$\w+)/+")
