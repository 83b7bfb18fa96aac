"""What a bare name means where it stands."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mneme_indexer.model import Import, Kind, ReferenceKind, Symbol
from mneme_indexer.resolve.project import FileNames, Project, Ref
from mneme_indexer.resolve.recall import recall
from mneme_indexer.resolve.targets import Target, Targets

_FEW = 3  # symbols of one name that may all be meant
_INCLUDES = 200  # files that one file's includes bring along
_TYPES: frozenset[Kind] = frozenset({"class", "interface", "type", "enum", "function", "const", "module"})
_CLASSES: frozenset[Kind] = frozenset({"class", "interface", "type", "enum"})
_CALLED: frozenset[Kind] = frozenset({"class", "interface", "type", "enum", "function", "method", "const"})


class Hit(NamedTuple):
    """A symbol that a name may mean; ``confidence`` as in ``model.Edge``."""

    ref: Ref
    confidence: float


class Names:
    """Bare names and members of classes."""

    def __init__(self, project: Project, files: Mapping[str, FileNames]) -> None:
        self.targets = Targets(project, files)
        self._imported: dict[str, dict[str, list[Import]]] = {}
        self._members: dict[tuple[Ref, str, bool], list[Hit]] = {}
        self._bases: dict[Ref, list[Ref]] = {}
        self._bare: dict[tuple[str, str, bool, int, bool], list[Hit]] = {}
        self._opened: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def imported(self, at: FileNames) -> dict[str, list[Import]]:
        """Return the imports of a file by the names that they have in it."""
        known = self._imported.get(at.path)
        if known is None:
            known = self._imported[at.path] = {}
            style = self.targets.style(at)
            for row in at.imports:
                is_offer = row.reexport and at.row.modules == "relative"
                name = row.alias or row.name or style.alias(row.module)
                if name not in {"", "*"} and not is_offer:
                    known.setdefault(name, []).append(row)
        return known

    def is_outside(self, name: str, at: FileNames) -> bool:
        """Tell whether a file imports a name from outside the project."""
        rows = self.imported(at).get(name)
        return bool(rows) and not any(self.targets.of(row, at) for row in rows or ())

    def bare(
        self, name: str, kind: ReferenceKind, owner: int, at: FileNames, *, is_base: bool = False
    ) -> list[Hit]:
        """Return what a name without a receiver means, by the first rule that says something.

        ``is_base`` is set for the name of a base class, which no base class can say.
        """
        key = (at.path, name, kind == "calls", owner, is_base)
        return recall(self._bare, key, lambda: self._read_bare(name, kind, owner, at, is_base=is_base))

    def _read_bare(
        self, name: str, kind: ReferenceKind, owner: int, at: FileNames, *, is_base: bool
    ) -> list[Hit]:
        wanted = _CALLED if kind == "calls" else _TYPES
        if found := self._near(name, owner, at, wanted):
            return found
        if rows := self.imported(at).get(name):
            return self._of_imports(rows, name, at)
        if found := self._beside(name, owner, at, wanted):
            return found
        if found := self._of_opened(name, at, wanted):
            return found
        if at.row.implicit_members and not is_base and (found := self._inherited(name, owner, at, wanted)):
            return found
        if at.row.unique_types and (found := self._only_type(name, at)):
            return found
        if at.row.global_names:
            found = self._kept(self.targets.named(name, at), wanted, 1.0)
            return (
                [Hit(hit.ref, 0.5 if len(found) == 1 else 0.3) for hit in found] if len(found) <= _FEW else []
            )
        return []

    def _only_type(self, name: str, at: FileNames) -> list[Hit]:
        """Return the one type of this name that the project has, wherever it is; its parts are one type."""
        found = self._kept(self.targets.named(name, at), _CLASSES, 0.5)
        symbols = [self.targets.symbol(hit.ref) for hit in found]
        is_one = all(_is_part(symbol, symbols[0]) and not symbol.container for symbol in symbols)
        return found if is_one and len(found) <= _FEW else []

    def _kept(self, refs: Iterable[Ref], wanted: frozenset[Kind], confidence: float) -> list[Hit]:
        return [Hit(ref, confidence) for ref in refs if self.targets.symbol(ref).kind in wanted]

    def _near(self, name: str, owner: int, at: FileNames, wanted: frozenset[Kind]) -> list[Hit]:
        """Look in the functions and classes around, then at the top of the file."""
        for container, is_class in at.scopes(owner):
            refs = at.find(container, name)
            if not refs:
                continue
            found = self._kept(refs, wanted, 1.0)
            if is_class and not at.row.implicit_members:
                found = [hit for hit in found if at.symbols[hit.ref[1]].kind != "method"]
            if found:
                return found
        return []

    def _of_imports(self, rows: Iterable[Import], name: str, at: FileNames) -> list[Hit]:
        found = []
        for row in rows:
            target = self.targets.of(row, at)
            if not target.refs and target.files:
                target = self.targets.offered(target.files, "default")
            direct = row.name in {"", "default", name} or bool(row.alias)
            found += [Hit(ref, 1.0 if direct else 0.9) for ref in target.refs]
        return found

    def _beside(self, name: str, owner: int, at: FileNames, wanted: frozenset[Kind]) -> list[Hit]:
        """Look in the folder or the package that the file shares with others."""
        if not (at.row.same_folder or at.row.same_package):
            return []
        here = at.symbols[owner].namespace if owner >= 0 else at.package
        spaces = [here]
        if at.row.modules in {"namespace", "php"}:
            spaces = _outward(here, at.row.namespace_joint)
        refs = [ref for ref in self.targets.named(name, at) if not self.targets.symbol(ref).container]
        if at.row.same_folder:
            found = [ref for ref in refs if ref[0].rpartition("/")[0] == at.folder]
            if kept := self._kept(self._same_package(found, at), wanted, 0.95):
                return kept
        if at.row.same_package:
            for space in spaces:
                found = [ref for ref in refs if self.targets.symbol(ref).namespace == space]
                if kept := self._kept(found, wanted, 0.95):
                    return kept if len(kept) <= _FEW else []
        return []

    def _same_package(self, refs: list[Ref], at: FileNames) -> list[Ref]:
        """Of the symbols in a folder keep those of the file's own package, if there are any."""
        own = [ref for ref in refs if (other := self.targets.file(ref[0])) and other.package == at.package]
        return own or refs

    def _of_opened(self, name: str, at: FileNames, wanted: frozenset[Kind]) -> list[Hit]:
        """Look in what the file imports whole."""
        files, spaces = self.opened(at)
        if files and (target := self.targets.offered(files, name)):
            return self._kept(target.refs, wanted, 0.9)
        if not spaces:
            return []
        refs = self.targets.named(name, at)
        found = self._kept((ref for ref in refs if self._is_in(ref, spaces)), wanted, 0.9)
        return found if len(found) <= _FEW else []

    def _is_in(self, ref: Ref, spaces: tuple[str, ...]) -> bool:
        symbol = self.targets.symbol(ref)
        whole = ".".join(part for part in (symbol.namespace, symbol.container) if part)
        return whole in spaces

    def opened(self, at: FileNames) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the files and the namespaces whose names need no receiver in a file."""
        known = self._opened.get(at.path)
        if known is None:
            known = self._opened[at.path] = self._read_opened(at)
        return known

    def _read_opened(self, at: FileNames) -> tuple[tuple[str, ...], tuple[str, ...]]:
        style = self.targets.style(at)
        rows = [row for row in at.imports if row.name == "*" or (style.opens and not (row.name or row.alias))]
        found = {path: None for row in rows for path in self.targets.files_of(row.module, at, row.line)}
        for path in found if style.opens else ():
            found = self._onward(path, found)
        spaces = tuple(
            dict.fromkeys(row.module for row in rows if not self.targets.files_of(row.module, at, row.line))
        )
        return tuple(path for path in found if path != at.path), spaces

    def _onward(self, path: str, found: dict[str, None]) -> dict[str, None]:
        """Add what an included file includes in turn."""
        found, waiting = dict(found), [path]
        while waiting and len(found) < _INCLUDES:
            other = self.targets.file(waiting.pop())
            for row in other.imports if other is not None else ():
                assert other is not None
                for onward in self.targets.files_of(row.module, other, row.line):
                    if onward not in found:
                        found[onward] = None
                        waiting.append(onward)
        return found

    def _inherited(self, name: str, owner: int, at: FileNames, wanted: frozenset[Kind]) -> list[Hit]:
        for place in at.around(owner):
            if at.symbols[place].detail in at.row.class_like:
                found = self.member((at.path, place), name)
                if kept := [hit for hit in found if self.targets.symbol(hit.ref).kind in wanted]:
                    return kept
        return []

    # Members

    def member(self, ref: Ref, name: str, *, skip_own: bool = False) -> list[Hit]:
        """Return the members of this name of a class, or of the nearest of its bases that has one."""
        return recall(
            self._members, (ref, name, skip_own), lambda: self._read_member(ref, name, skip_own=skip_own)
        )

    def _read_member(self, ref: Ref, name: str, *, skip_own: bool) -> list[Hit]:
        level, seen, confidence = [ref], {ref}, 1.0
        while level:
            for one in level if not skip_own else ():
                if found := self._own_member(one, name):
                    return [Hit(hit, confidence) for hit in found]
            bases = [base for one in level for base in self.bases(one) if base not in seen]
            level = list(dict.fromkeys(bases))
            seen.update(level)
            skip_own, confidence = False, 0.9
        return []

    def _own_member(self, ref: Ref, name: str) -> list[Ref]:
        at = self.targets.file(ref[0])
        assert at is not None
        owner = at.symbols[ref[1]]
        if found := at.find(owner.qualified, name):
            return found
        if not at.row.open_classes:
            return []
        others = []
        for other in self.targets.named(name, at):
            symbol = self.targets.symbol(other)
            if symbol.container == owner.qualified and symbol.namespace == owner.namespace:
                others.append(other)
        beside = [other for other in others if other[0].rpartition("/")[0] == at.folder]
        return beside or others

    def bases(self, ref: Ref) -> list[Ref]:
        """Return the classes and interfaces of the project that a class names as its bases."""
        return recall(self._bases, ref, lambda: self._read_bases(ref))

    def _read_bases(self, ref: Ref) -> list[Ref]:
        found: list[Ref] = []
        for path, place in self._parts(ref):
            at = self.targets.file(path)
            for row in at.bases(place) if at is not None else ():
                assert at is not None
                if row.receiver:
                    found += self.of_module(row.receiver, row.name, at, row.line).refs
                else:
                    found += [hit.ref for hit in self.bare(row.name, row.kind, place, at, is_base=True)]
        return [base for base in found if base != ref]

    def _parts(self, ref: Ref) -> list[Ref]:
        """Return the places in which a class is defined, the given one first."""
        at = self.targets.file(ref[0])
        if at is None or not at.row.open_classes:
            return [ref]
        one = at.symbols[ref[1]]
        others = [other for other in self.targets.named(one.name, at) if other != ref]
        return [ref, *(other for other in others if _is_part(self.targets.symbol(other), one))]

    def of_module(self, receiver: str, name: str, at: FileNames, line: int) -> Target:
        """Return what ``receiver``, the name of an imported or written module, offers under a name."""
        for row in self.imported(at).get(receiver, ()):
            target = self.targets.of(row, at)
            if target.files:
                return self.targets.offered(target.files, name)
            members = tuple(hit.ref for ref in target.refs for hit in self.member(ref, name))
            if members:
                return Target(refs=members)
        style = self.targets.style(at)
        if style.joint in receiver or at.row.modules == "rust":
            files = self.targets.files_of(receiver, at, line)
            found = self.targets.offered(files, name) or self._passed_on(receiver, name, at, line)
            return found or Target(refs=self.targets.qualified(style.joint.join((receiver, name)), at))
        return Target()

    def _passed_on(self, module: str, name: str, at: FileNames, line: int) -> Target:
        """Return what a module that is offered on by the one around it (``pub use c as b``) offers."""
        style = self.targets.style(at)
        outer, _, last = module.rpartition(style.joint)
        if not outer:
            return Target()
        within = self.targets.offered(self.targets.files_of(outer, at, line), last)
        within = within or self._passed_on(outer, last, at, line)
        return self.targets.offered(within.files, name) if within.files else Target()


def _is_part(symbol: Symbol, of: Symbol) -> bool:
    return (symbol.namespace, symbol.container, symbol.kind) == (of.namespace, of.container, of.kind)


def _outward(space: str, joint: str) -> list[str]:
    found = [space]
    while space:
        space = space.rpartition(joint)[0]
        found.append(space)
    return found
