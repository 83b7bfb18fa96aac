"""The rows of ``languages.toml``, checked when they are read, and the queries that belong to them."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec

from mneme_indexer.model import Kind, Visibility

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Query

VisibilityRule = Literal["underscore", "capital", "modifiers", "export"]
DocPlace = Literal["above", "inside"]
ReturnPlace = Literal["arrow", "colon", "after", "before", "none"]
ModuleStyle = Literal[
    "python", "relative", "go", "rust", "php", "namespace", "package", "include", "ruby", "shell", "none"
]


class Language(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the index must know of a language beside its queries.

    ``kinds`` gives for each ``@definition.DETAIL`` of the queries the kind that clients see. ``members``
    replaces a kind directly inside a class-like symbol (a function there is a method). ``visibility``
    names the rule by which a symbol is offered to others; ``default_visibility`` holds where no modifier
    says otherwise, ``member_visibility`` inside the kinds it names. ``doc`` is where a doc comment stands;
    ``doc_marks`` what starts one, empty for any comment. ``modules`` names the way in which imports are
    resolved. ``folded`` names are equal whatever their case. ``marked_inside`` names the containers whose
    members are offered only if they are marked themselves. With ``signatures_yield`` a definition without
    a body gives way to one of its name beside it. ``squeezed`` sources are at times written by minifiers.
    ``returns`` tells where a signature names the type of the result: behind ``->``, behind a colon, behind
    the parameters, or before the name. ``inheriting`` names the containers whose members are as visible as
    they are themselves, ``hoisted`` the details that belong to the class around a function,
    ``transparent`` those that hold nothing, ``anonymous`` what a container without a name is called,
    ``name_trim`` the characters that are no part of a name at its ends, ``family`` the languages
    that see each other's names, ``builtins`` the types that are never looked up. ``member_joint`` stands
    between an instance and its field, ``namespace_joint`` between namespaces. With ``offers_imports`` what
    a file imports can be imported from it; ``open_classes`` are defined in several places;
    ``implicit_members`` are used without a receiver; ``global_names`` need no import;
    with ``unique_types`` one that no import of the file brings may be the only type of its name;
    ``has_extensions``: a method whose first parameter is marked with ``this`` is one of that type too;
    ``makers`` are the methods by which every class makes an instance.
    With ``conditionals`` lines of ``#if`` and ``#else`` may stand anywhere in the text.
    With ``packages_add_up`` a second package line is inside the first.
    """

    name: str = ""
    grammar: str = ""
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    kinds: dict[str, Kind] = {}
    members: dict[Kind, Kind] = msgspec.field(default_factory=lambda: {"function": "method"})
    class_like: tuple[str, ...] = (
        "class", "interface", "enum", "struct", "trait", "record", "object", "union", "protocol", "extension",
    )  # fmt: skip
    modules: ModuleStyle = "none"
    external: Literal["module", "path"] = "module"
    visibility: VisibilityRule = "modifiers"
    modifiers: dict[str, Visibility] = {}
    default_visibility: Visibility = "public"
    member_visibility: dict[str, Visibility] = {}
    exported: tuple[Visibility, ...] = ("public",)
    doc: DocPlace = "above"
    doc_marks: tuple[str, ...] = ()
    self_names: tuple[str, ...] = ("this",)
    super_names: tuple[str, ...] = ("super", "super()")
    constructors: tuple[str, ...] = ()
    marked_inside: tuple[str, ...] = ()
    inheriting: tuple[str, ...] = ()
    hoisted: tuple[str, ...] = ()
    transparent: tuple[str, ...] = ()
    anonymous: str = ""
    builtins: frozenset[str] = frozenset()
    name_trim: str = ""
    packages_add_up: bool = False
    member_joint: str = "."
    namespace_joint: str = "."
    signatures_yield: bool = False
    squeezed: bool = False
    conditionals: bool = False
    family: str = ""
    offers_imports: bool = False
    open_classes: bool = False
    implicit_members: bool = False
    global_names: bool = False
    unique_types: bool = False
    has_extensions: bool = False
    makers: tuple[str, ...] = ()
    returns: ReturnPlace = "none"
    folded: bool = False
    same_folder: bool = False
    same_package: bool = False


@cache
def languages() -> dict[str, Language]:
    """Return every language by name; a row of the wrong shape stops the program."""
    text = files(__package__).joinpath("languages.toml").read_bytes()
    rows = msgspec.toml.decode(text, type=dict[str, Language])
    return {
        name: msgspec.structs.replace(row, name=name, grammar=row.grammar or name)
        for name, row in rows.items()
    }


@cache
def _by_extension() -> dict[str, Language]:
    return {extension: row for row in languages().values() for extension in row.extensions}


@cache
def _by_filename() -> dict[str, Language]:
    return {name: row for row in languages().values() for name in row.filenames}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: row for row in languages().values() for name in row.interpreters}


def language_of(path: str, first_line: bytes = b"") -> Language | None:
    """Return the language of a file by its name, then its extension, then the interpreter it asks for."""
    name = path.rpartition("/")[2]
    if (row := _by_filename().get(name)) is not None:
        return row
    stem, dot, extension = name.rpartition(".")
    if stem and dot and (row := _by_extension().get(f".{extension.lower()}")) is not None:
        return row
    if not first_line.startswith(b"#!"):
        return None
    words = first_line[2:].decode("utf-8", "replace").split()
    asked = [word.rpartition("/")[2] for word in words if not word.startswith("-")]
    program = next((word for word in asked if word != "env" and "=" not in word), "")
    rows = _by_interpreter()
    return rows.get(program) or rows.get(program.rstrip("0123456789."))


@cache
def grammar(name: str) -> "Grammar":
    """Return the tree-sitter grammar called ``name``."""
    from tree_sitter_language_pack import get_language

    return get_language(name)  # type: ignore[arg-type]


@cache
def query_text(name: str) -> str:
    """Return the queries of a language; ``; inherits: other`` on the first line puts another's before."""
    text = files(__package__).joinpath("queries", name, "tags.scm").read_text("utf-8")
    first, _, rest = text.partition("\n")
    if first.startswith("; inherits:"):
        return "\n".join(query_text(other.strip()) for other in first[11:].split(",")) + "\n" + rest
    return text


@cache
def query(name: str) -> "Query":
    """Return the compiled queries of a language."""
    from tree_sitter import Query

    return Query(grammar(languages()[name].grammar), query_text(name))
