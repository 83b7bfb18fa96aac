"""Which symbols a file offers to others: one small rule for each habit that languages have."""

from collections.abc import Callable

from msgspec import Struct

from mneme_indexer.languages.registry import Language, VisibilityRule
from mneme_indexer.model import Visibility


class Standing(Struct, frozen=True, kw_only=True):
    """What the rules look at.

    ``modifiers`` is the text between the start of the definition and its name; ``inside`` the detail
    of the direct container, symbol or scope, empty at the top; ``is_local`` is set inside a function;
    ``is_marked`` where an export statement covers or names the symbol; ``has_list`` where the file lists
    what it exports; ``section`` is the word that holds
    from a line in the container on.
    """

    name: str
    modifiers: str
    inside: str
    is_local: bool
    is_marked: bool
    is_container_exported: bool
    has_list: bool = False
    section: str = ""


def visibility_of(language: Language, standing: Standing) -> tuple[Visibility, bool]:
    """Return the visibility of a symbol and whether it is exported."""
    if standing.is_local:
        return "private", False
    visibility = _RULES[language.visibility](language, standing)
    return visibility, visibility in language.exported


def _underscore(language: Language, standing: Standing) -> Visibility:
    name = standing.name
    if standing.is_marked:
        return "public"
    is_special = name.startswith("__") and name.endswith("__")
    if name.startswith("_") and not is_special:
        return "private"
    return "internal" if standing.has_list and not standing.inside and not is_special else "public"


def _capital(language: Language, standing: Standing) -> Visibility:
    return "public" if standing.name[:1].isupper() else "internal"


def _modifiers(language: Language, standing: Standing) -> Visibility:
    if standing.is_marked:
        return "public"
    return _written(language, standing) or _default(language, standing)


def _export(language: Language, standing: Standing) -> Visibility:
    if (written := _written(language, standing)) is not None:
        return written
    if standing.name.startswith("#"):
        return "private"
    is_offered = standing.is_marked or (standing.inside and standing.inside not in language.marked_inside)
    return "public" if is_offered and standing.is_container_exported else "internal"


def _written(language: Language, standing: Standing) -> Visibility | None:
    """Return what the modifiers say; the longest of those that apply."""
    words = f" {' '.join(standing.modifiers.split())} "
    said = [modifier for modifier in language.modifiers if f" {modifier} " in words]
    return language.modifiers[max(said, key=len)] if said else None


def _default(language: Language, standing: Standing) -> Visibility:
    if standing.section in language.modifiers:
        return language.modifiers[standing.section]
    if standing.inside in language.inheriting:
        return "public" if standing.is_container_exported else language.default_visibility
    if standing.inside:
        return language.member_visibility.get(standing.inside, language.default_visibility)
    return language.default_visibility


_RULES: dict[VisibilityRule, Callable[[Language, Standing], Visibility]] = {
    "underscore": _underscore,
    "capital": _capital,
    "modifiers": _modifiers,
    "export": _export,
}
