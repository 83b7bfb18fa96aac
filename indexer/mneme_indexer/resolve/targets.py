"""What an import means: symbols or files of the project, or a name outside of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from mneme_indexer.model import Import, Symbol
from mneme_indexer.resolve.layout import Layout, nearness
from mneme_indexer.resolve.modules import Modules
from mneme_indexer.resolve.project import FileNames, Project, Ref
from mneme_indexer.resolve.recall import recall
from mneme_indexer.resolve.styles import styles

_FILES = 4000  # files that are remembered
_STEPS = 12  # re-exports that are followed one after another


class Target(NamedTuple):
    """One of: ``refs``, symbols; ``files``, a module; neither: outside the project."""

    refs: tuple[Ref, ...] = ()
    files: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.refs or self.files)


OUTSIDE = Target()


class Targets:
    """Imports of a project; ``files`` are those that it has read, and remembers."""

    def __init__(self, project: Project, files: Mapping[str, FileNames]) -> None:
        self.project = project
        self.layout = Layout(project)
        self.styles = styles(self.layout)
        self.files: dict[str, FileNames | None] = dict(files)
        self._named: dict[tuple[str, str], list[Ref]] = {}
        self._modules: dict[tuple[str, str, int], tuple[str, ...]] = {}
        self._targets: dict[tuple[str, Import, int], Target] = {}
        self._offers: dict[tuple[tuple[str, ...], str, int], Target] = {}

    def file(self, path: str) -> FileNames | None:
        """Return what a file has by name, None if it has nothing."""
        if path not in self.files:
            if len(self.files) >= _FILES:
                for oldest in list(islice(self.files, _FILES // 4)):
                    del self.files[oldest]
            parsed = self.project.parsed(path)
            self.files[path] = FileNames(path, parsed) if parsed is not None and parsed.language else None
        return self.files[path]

    def symbol(self, ref: Ref) -> Symbol:
        """Return the symbol that a reference names."""
        at = self.files.get(ref[0]) or self.file(ref[0])
        assert at is not None
        return at.symbols[ref[1]]

    def style(self, at: FileNames) -> Modules:
        """Return how the language of a file names modules."""
        return self.styles[at.row.modules]

    def named(self, name: str, at: FileNames) -> list[Ref]:
        """Return the symbols of a name in the languages that a file can use."""
        return recall(self._named, (name, at.family), lambda: self._read_named(name, at))

    def files_of(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the files that a module is where a file names it."""
        where = line if at.row.modules == "rust" else 0  # modules inside of files
        key = (at.path, module, where)
        return recall(self._modules, key, lambda: self.style(at).files(module, at, line))

    def _read_named(self, name: str, at: FileNames) -> list[Ref]:
        found = []
        for ref in self.project.named(name):
            other = self.file(ref[0])
            if other is not None and other.family == at.family:
                found.append(ref)
        return found

    def of(self, row: Import, at: FileNames, steps: int = _STEPS) -> Target:
        """Return what an import of a file means."""
        return recall(self._targets, (at.path, row, steps), lambda: self._read(row, at, steps))

    def _read(self, row: Import, at: FileNames, steps: int) -> Target:
        if not row.module:
            return self._own_name(row.name, at, steps)
        style = self.style(at)
        if row.name in {"", "*"}:
            return self._module(row.module, at, row.line)
        files = self.files_of(row.module, at, row.line)
        found = self.offered(files, row.name, steps - 1)
        if found:
            return found
        whole = style.joint.join((row.module, row.name))
        if not row.module.strip("."):  # ``from . import x``
            whole = row.module + row.name
        return (
            Target(files=self.files_of(whole, at, row.line))
            or Target(refs=self.qualified(whole, at))
            or Target(refs=self._inside(row.module, row.name, at, row.line))
            or Target(files=files)
        )

    def _own_name(self, name: str, at: FileNames, steps: int) -> Target:
        """Return what a file itself calls by a name: a symbol of its own, or something that it imports."""
        refs = tuple(ref for ref in at.find("", name) if self.symbol(ref).kind != "variable")
        if refs or steps <= 0:
            return Target(refs=refs)
        rows = (row for row in at.imports if row.module and name == (row.alias or row.name))
        return next((found for row in rows if (found := self.of(row, at, steps - 1))), OUTSIDE)

    def ends(self, row: Import, at: FileNames) -> Sequence[str]:
        """Return the ends of the edges of an import: files, or one name outside."""
        if at.row.modules == "namespace":  # a namespace is in no file of its own
            return (self._outside(row, at),)
        files = self.files_of(row.module, at, row.line)
        if row.name not in {"", "*"} and not self.offered(files, row.name, _STEPS):
            target = self.of(row, at)
            files = tuple(path for path, _ in target.refs) or target.files
        elif not files:
            files = tuple(path for path, _ in self.of(row, at).refs)
        return tuple(dict.fromkeys(files)) or (self._outside(row, at),)

    def _outside(self, row: Import, at: FileNames) -> str:
        name = row.module
        if at.row.external == "path" and row.name not in {"", "*"}:
            name = self.style(at).joint.join((row.module, row.name))
        return f"ext:{name}"

    def _module(self, module: str, at: FileNames, line: int) -> Target:
        style = self.style(at)
        files = self.files_of(module, at, line)
        if files:
            return Target(files=files)
        if refs := self.qualified(module, at):
            return Target(refs=refs)
        outer, _, last = module.rpartition(style.joint)
        return Target(refs=self._inside(outer, last, at, line)) if outer else OUTSIDE

    def _inside(self, module: str, name: str, at: FileNames, line: int) -> tuple[Ref, ...]:
        """Return a member of a type that the module's last part names (``crate::a::Kind::One``)."""
        style = self.style(at)
        outer, _, last = module.rpartition(style.joint)
        if not outer:
            return ()
        files = self.files_of(outer, at, line)
        inner = self.offered(files, last, 2).refs
        return tuple(member for ref in inner for member in self._member(ref, name)) or inner

    def _member(self, ref: Ref, name: str) -> list[Ref]:
        at = self.file(ref[0])
        return at.find(self.symbol(ref).qualified, name) if at is not None else []

    def qualified(self, whole: str, at: FileNames) -> tuple[Ref, ...]:
        """Return the symbols whose namespace, container and name make ``whole``."""
        style = self.style(at)
        if not style.has_namespaces:
            return ()
        joint = style.joint
        whole = whole.strip(joint)
        name = whole.rpartition(joint)[2]
        if name == whole and joint != ".":
            return tuple(ref for ref in self.named(name, at) if self._is_plain(self.symbol(ref)))
        wanted = whole.replace(joint, ".")
        found = [ref for ref in self.named(name, at) if _whole(self.symbol(ref), joint) == wanted]
        return tuple(sorted(found, key=lambda ref: (nearness(ref[0], at.folder), ref[1])))

    def _is_plain(self, symbol: Symbol) -> bool:
        return not symbol.namespace and not symbol.container

    def offered(self, files: Sequence[str], name: str, steps: int = _STEPS) -> Target:
        """Return what modules offer under a name, by themselves or from others."""
        key = (tuple(files), name, steps)
        return recall(self._offers, key, lambda: self._read_offered(files, name, steps))

    def _read_offered(self, files: Sequence[str], name: str, steps: int) -> Target:
        passed: list[tuple[FileNames, Import]] = []
        for path in files:
            at = self.file(path)
            if at is None:
                continue
            if own := self._own(at, name):
                return Target(refs=tuple(own))
            passed += ((at, row) for row in at.imports if row.reexport or at.row.offers_imports)
        return self._passed_on(passed, name, steps) if steps > 0 else OUTSIDE

    def _passed_on(self, passed: Iterable[tuple[FileNames, Import]], name: str, steps: int) -> Target:
        whole = []
        for at, row in passed:
            known = row.alias or row.name or self.style(at).alias(row.module)
            if known == name and (found := self.of(row, at, steps - 1)):
                return found
            if row.name == "*" and row.module and name != "default":
                whole.append((at, self.files_of(row.module, at, row.line)))
        for at, onward in whole:
            if at.path not in onward and (found := self.offered(onward, name, steps - 2)):
                return found
        return OUTSIDE

    def _own(self, at: FileNames, name: str) -> list[Ref]:
        if name == "default":
            found = at.find("", name)
            return found or [
                (at.path, place)
                for place, symbol in enumerate(at.symbols)
                if not symbol.container
                and symbol.signature.startswith(("export default", "module.exports ="))
            ]
        return [(path, place) for path, place in at.find("", name) if at.symbols[place].kind != "variable"]


def _whole(symbol: Symbol, joint: str) -> str:
    parts = (symbol.namespace.replace(joint, ".").replace("::", "."), symbol.container, symbol.name)
    return ".".join(part for part in parts if part)
