"""What a name behind a receiver means: the type of the receiver, then its member."""

import re
from collections.abc import Mapping

from mneme_indexer.model import Binding, Kind
from mneme_indexer.resolve.names import Hit, Names
from mneme_indexer.resolve.project import FileNames, Project, Ref
from mneme_indexer.resolve.recall import recall
from mneme_indexer.resolve.returns import returned_type
from mneme_indexer.resolve.targets import Target
from mneme_indexer.resolve.vague import is_vague

_STEPS = 5  # types that are looked up to find one
_FEW = 3  # methods of one name that may all be meant
_JOINTS = re.compile(r"\?\.|!\.|->|::|\.|\\")
_EXTENDED = re.compile(r"\(\s*this\s+(?:(?:ref|in|scoped)\s+)*(?:\w+\.)*(\w+)")
_ITSELF = frozenset({"Self", "self", "static", "this"})  # as the type that a function gives
_CLASSES: frozenset[Kind] = frozenset({"class", "interface", "enum", "type"})


class Receivers:
    """Names behind receivers."""

    def __init__(self, project: Project, files: Mapping[str, FileNames]) -> None:
        self.names = Names(project, files)
        self._targets = self.names.targets
        self._types: dict[tuple[str, str, int, int, int], list[tuple[Ref, float]]] = {}

    def behind(self, receiver: str, name: str, owner: int, at: FileNames, line: int) -> list[Hit]:
        """Return what ``receiver.name`` means, best first, empty if nothing is known or it is outside."""
        if receiver in at.row.super_names:
            own = self._own_class(owner, at)
            return [hit for ref in own for hit in self.names.member(ref, name, skip_own=True)]
        if types := self.types(receiver, owner, at, line, _STEPS):
            found = [
                Hit(hit.ref, min(confidence, hit.confidence))
                for ref, confidence in types
                for hit in self._member(ref, name, owner, at)
            ]
            return (
                list(dict.fromkeys(found)) or self._gathered(name, types) or self._extending(name, types, at)
            )
        if target := self.names.of_module(receiver, name, at, line):
            return [Hit(ref, 1.0) for ref in target.refs]
        head, rest = _split(receiver)
        if self.names.is_outside(receiver, at) or self.names.is_outside(head, at):
            return []
        if rest and (found := self._through(head, rest, name, at, line)):
            return found
        return [] if self._is_foreign(head, owner, at) else self._anywhere(name, at)

    def _is_foreign(self, name: str, owner: int, at: FileNames) -> bool:
        """Tell whether the type of a name is written down and is none of the project."""
        if name.endswith("()"):
            return self._is_from_outside(name.removesuffix("()"), at)
        for place in (*at.around(owner), -1):
            rows = at.bindings(place, name)
            if rows:
                return all(self._is_from_outside(row.type, at) for row in rows)
        return False

    def _is_from_outside(self, text: str, at: FileNames) -> bool:
        head, rest = _split(text)
        if self.names.is_outside(head, at) or self.names.is_outside(text.removesuffix("()"), at):
            return True
        return not rest and not self._targets.named(head.removesuffix("()"), at)

    def _member(self, ref: Ref, name: str, owner: int, at: FileNames) -> list[Hit]:
        found = self.names.member(ref, name)
        own = [hit for hit in found if hit.ref[0] == at.path]
        return own or found

    def _gathered(self, name: str, types: list[tuple[Ref, float]]) -> list[Hit]:
        """Return names of a file that it gathers in one object to offer: ``export default { merge }``."""
        found = []
        for ref, confidence in types:
            symbol, home = self._targets.symbol(ref), self._targets.file(ref[0])
            if symbol.kind == "const" and symbol.name == "default" and home is not None:
                found += [Hit(other, min(confidence, 0.8)) for other in home.find("", name)]
        return found

    def _extending(self, name: str, types: list[tuple[Ref, float]], at: FileNames) -> list[Hit]:
        """Return the methods of other classes that are written for one of the types, or for a base of it."""
        if not at.row.has_extensions:
            return []
        level = seen = dict.fromkeys(ref for ref, _ in types)
        while level:
            bases = (base for ref in level for base in self.names.bases(ref))
            level = dict.fromkeys(base for base in bases if base not in seen)
            seen = {**seen, **level}
        known = {self._targets.symbol(ref).name for ref in seen}
        found = []
        for ref in self._targets.named(name, at):
            extended = _EXTENDED.search(self._targets.symbol(ref).signature)
            if extended is not None and extended.group(1) in known:
                found.append(Hit(ref, 0.8))
        return found

    def _through(self, head: str, rest: list[str], name: str, at: FileNames, line: int) -> list[Hit]:
        """Go from an imported module to what it offers, and on to its members."""
        target = self.names.of_module(head, rest[0], at, line)
        confidence = 1.0
        for part in (*rest[1:], name):
            if target.files:
                target = self._targets.offered(target.files, part)
            else:
                hits = [hit for ref in target.refs for hit in self.names.member(ref, part)]
                confidence = min((confidence, *(hit.confidence for hit in hits)))
                target = Target(refs=tuple(hit.ref for hit in hits))
        return [Hit(ref, confidence) for ref in target.refs]

    def _anywhere(self, name: str, at: FileNames) -> list[Hit]:
        """Take the methods of a name that few have, when nothing is known of the receiver."""
        if is_vague(name):
            return []
        found = [ref for ref in self._targets.named(name, at) if self._targets.symbol(ref).kind == "method"]
        if len({self._targets.symbol(ref).container for ref in found}) > _FEW:
            return []
        own = [ref for ref in found if ref[0] == at.path]
        return [Hit(ref, 0.5 if len(own or found) == 1 else 0.3) for ref in own or found]

    # Types

    def types(
        self, receiver: str, owner: int, at: FileNames, line: int, steps: int
    ) -> list[tuple[Ref, float]]:
        """Return the classes that a receiver may have, with a confidence; also what it names itself.

        Every step is kept by itself, so that names that are made from each other cost no more than others.
        """
        if steps <= 0:
            return []
        key = (at.path, receiver, owner, line if at.row.modules == "rust" else 0, steps)
        return recall(self._types, key, lambda: self._read_types(receiver, owner, at, line, steps))

    def _read_types(
        self, receiver: str, owner: int, at: FileNames, line: int, steps: int
    ) -> list[tuple[Ref, float]]:
        if receiver in at.row.self_names:
            return [(ref, 1.0) for ref in self._own_class(owner, at)]
        if found := self._bound(receiver, owner, at, steps):
            return found
        if receiver.endswith("()"):
            return self._made(receiver.rstrip("()!?"), owner, at, line, steps)
        rest = _split(receiver)[1]
        if not rest:
            hits = self.names.bare(receiver, "references", owner, at)
            return [(hit.ref, hit.confidence) for hit in hits]
        before = receiver[: -len(rest[-1])].rstrip(".:->?!\\")
        inner = rest[-1].removesuffix("()")
        if inner in at.row.makers:
            return self.types(before, owner, at, line, steps - 1)
        found = []
        for ref, confidence in self.types(before, owner, at, line, steps - 1):
            found += [(field, min(confidence, 0.9)) for field in self._field(ref, inner, steps - 1)]
        return found

    def _own_class(self, owner: int, at: FileNames) -> list[Ref]:
        """Return the class around a position; a container that is no symbol of the file is looked up."""
        around = at.around(owner)
        for place in around[1:] or around:
            if at.symbols[place].detail in at.row.class_like:
                return [(at.path, place)]
        for place in around:
            container = at.symbols[place].container
            if container and not at.places.get(container):
                hits = self.names.bare(container.rpartition(".")[2], "references", -1, at)
                return [hit.ref for hit in hits]
        return [(at.path, place) for place in around[1:2]]

    def _bound(self, receiver: str, owner: int, at: FileNames, steps: int) -> list[tuple[Ref, float]]:
        """Return the types that are written down for a name, in the nearest place that has it."""
        for place in (*at.around(owner), -1):
            rows = at.bindings(place, receiver)
            if not rows and at.row.implicit_members:
                rows = at.bindings(place, _field_name(receiver, at))
            if rows:
                types = dict.fromkeys(row.type for row in rows if _split(row.type)[0] != receiver)
                made = (self._made(text, rows[0].owner, at, 0, steps - 1) for text in types)
                return list(dict.fromkeys(hit for hits in made for hit in hits))
        if _JOINTS.search(receiver) and _split(receiver)[0] in at.row.self_names:
            field = _split(receiver)[1]
            found = []
            for ref in self._own_class(owner, at) if len(field) == 1 else ():
                found += [(hit, 0.9) for hit in self._field(ref, field[0], steps - 1)]
            return found
        return []

    def _of_binding(self, row: Binding, at: FileNames, steps: int) -> list[tuple[Ref, float]]:
        if row.type == row.name:
            return []
        return self._made(row.type, row.owner, at, 0, steps - 1)

    def _made(self, text: str, owner: int, at: FileNames, line: int, steps: int) -> list[tuple[Ref, float]]:
        """Return the class that ``text`` names, or the one that what it names returns."""
        if steps <= 0:
            return []
        rest = _split(text)[1]
        if rest:
            name = rest[-1].removesuffix("()")
            before = text[: -len(rest[-1])].rstrip(".:->?!\\")
            if name in at.row.makers:
                return self.types(before, owner, at, line, steps - 1)
            hits = self._known_behind(before, name, owner, at, line, steps)
        elif text in _ITSELF:
            return [(ref, 1.0) for ref in self._own_class(owner, at)]
        else:
            hits = self.names.bare(text.removesuffix("()"), "calls", owner, at)
        found: list[tuple[Ref, float]] = []
        for hit in hits:
            found += [(ref, min(hit.confidence, much)) for ref, much in self._given(hit.ref, steps)]
        return found

    def _known_behind(
        self, receiver: str, name: str, owner: int, at: FileNames, line: int, steps: int
    ) -> list[Hit]:
        if target := self.names.of_module(receiver, name, at, line):
            return [Hit(ref, 1.0) for ref in target.refs]
        types = self.types(receiver, owner, at, line, steps - 1)
        return [hit for ref, _ in types for hit in self.names.member(ref, name)]

    def _given(self, ref: Ref, steps: int) -> list[tuple[Ref, float]]:
        """Return a class itself, or the class that a function promises."""
        symbol = self._targets.symbol(ref)
        if symbol.kind in _CLASSES:
            return [(ref, 0.95)]
        at = self._targets.file(ref[0])
        assert at is not None
        if symbol.name in at.row.constructors or symbol.detail == "constructor":
            return [(own, 0.95) for own in self._own_class(ref[1], at)]
        promised = returned_type(symbol.signature, symbol.name, at.row.returns)
        if not promised:
            return [(ref, 0.9)] if symbol.kind == "const" else []
        if promised in _ITSELF:
            return [(own, 0.9) for own in self._own_class(ref[1], at)]
        made = self._made(promised, ref[1], at, symbol.start_line, steps - 1)
        return [(own, min(0.9, much)) for own, much in made if own != ref]

    def _field(self, ref: Ref, name: str, steps: int) -> list[Ref]:
        """Return the classes of a field, those that a method gives, or an inner class."""
        at = self._targets.file(ref[0])
        assert at is not None
        for row in at.bindings(ref[1], _field_name(name, at)) or at.bindings(ref[1], name):
            return [hit for hit, _ in self._of_binding(row, at, steps)]
        found = []
        for hit in self.names.member(ref, name):
            if self._targets.symbol(hit.ref).kind == "field":
                found += self._inherited_field(hit.ref, name, steps)
            else:
                found += [one for one, _ in self._given(hit.ref, steps)]
        return found

    def _inherited_field(self, ref: Ref, name: str, steps: int) -> list[Ref]:
        at = self._targets.file(ref[0])
        assert at is not None
        container = at.places.get(at.symbols[ref[1]].container, ())
        found: list[Ref] = []
        for place in container:
            rows = at.bindings(place, _field_name(name, at)) or at.bindings(place, name)
            found += [hit for row in rows for hit, _ in self._of_binding(row, at, steps)]
        return found


def _field_name(name: str, at: FileNames) -> str:
    """Return a field as a binding names it."""
    return at.row.member_joint.join((*at.row.self_names[:1], name))


def _split(text: str) -> tuple[str, list[str]]:
    parts = [part for part in _JOINTS.split(text) if part]
    return (parts[0], parts[1:]) if parts else ("", [])
