"""What the index knows of a file: symbols, references, imports. Records only; nothing here does anything.

Lines count from 1 and both ends are inside; bytes count from 0 in the file's own encoding and the end
is outside. ``extract`` is the one place that converts.
"""

from typing import Literal

from msgspec import Struct

# The seven words that clients filter by, then those that only ``--all-kinds`` shows.
Kind = Literal[
    "function", "class", "method", "interface", "type", "enum", "const",
    "field", "variable", "module", "heading",
]  # fmt: skip
PUBLIC_KINDS: tuple[Kind, ...] = ("function", "class", "method", "interface", "type", "enum", "const")
Visibility = Literal["public", "protected", "internal", "private"]
ReferenceKind = Literal["calls", "extends", "implements", "references"]
EdgeKind = Literal["imports", "calls", "extends", "implements", "references"]


class Symbol(Struct, frozen=True, array_like=True, gc=False):
    r"""One definition.

    ``container`` is the dotted path of the names around it (``Outer.method``), empty at the top of a
    file; ``namespace`` is what the file's language calls package, namespace or module, as written
    (``a.b``, ``A\B``), and is no part of ``container``. ``detail`` is the finer word, in the terms of the
    language server protocol where it has one: ``struct``, ``trait``, ``constructor``, ``property``.
    The span holds decorators, attributes and modifiers, but not the doc comment above it.
    """

    name: str
    kind: Kind
    detail: str
    container: str
    namespace: str
    exported: bool
    visibility: Visibility
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str = ""
    doc: str = ""

    @property
    def qualified(self) -> str:
        """The container and the name, joined by a dot."""
        return f"{self.container}.{self.name}" if self.container else self.name


class Reference(Struct, frozen=True, array_like=True, gc=False):
    r"""One use of a name.

    ``name`` is the last identifier (``Get`` of ``store.Get()``); ``receiver`` what stands before it, as
    written and without white space (``store``, ``self``, ``a.b``, ``A\B``), empty for a bare name, ``?``
    where it is an expression that has no plain name. ``owner`` is the position of the innermost symbol
    around it in ``ParsedFile.symbols``, -1 at file level.
    """

    kind: ReferenceKind
    name: str
    receiver: str
    line: int
    owner: int


class Binding(Struct, frozen=True, array_like=True, gc=False):
    """A name whose type is written down: ``x: Foo``, ``x = Foo()``, ``Foo x``, ``self.x = Foo()``.

    ``name`` is as a receiver would be written (``x``, ``self.x``), ``type`` the type's name as written,
    without arguments; ``owner`` as in Reference (for a field: the class).
    """

    name: str
    type: str
    owner: int


class Import(Struct, frozen=True, array_like=True, gc=False):
    r"""One imported thing.

    ``module`` is as written, without quotes (``./auth``, ``..pkg.mod``, ``crate::a``, ``A\B``);
    ``name`` the thing taken from it, empty for the module itself, ``*`` for everything, ``default`` for a
    default export; ``alias`` the name that it has in this file, empty if it has none. ``reexport`` is
    set where the file offers it on.
    """

    module: str
    name: str
    alias: str
    line: int
    reexport: bool = False


class ParsedFile(Struct, frozen=True, array_like=True):
    """All that one blob gives; depends on its bytes and its language, never on its path or time.

    ``symbols`` are ordered by start, then by end descending (what contains comes before what it
    contains). ``skipped`` is a reason in words, empty if the file was parsed; a file without a grammar
    has neither symbols nor a reason. ``package`` is the namespace of the whole file where it has one.
    """

    language: str
    package: str = ""
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    bindings: tuple[Binding, ...] = ()
    imports: tuple[Import, ...] = ()
    skipped: str = ""
    has_errors: bool = False


class Edge(Struct, frozen=True, array_like=True):
    """One resolved use.

    Ends are ``file``, ``file::Container.name`` or ``ext:name`` (outside the project). ``confidence`` is
    in (0, 1]: 1.0 the language's own rules leave no other choice (same file, imported by name), down to
    0.3 for a bare name that few symbols have.
    """

    kind: EdgeKind
    src: str
    dst: str
    line: int
    confidence: float
