"""Every habit of naming modules, by the word that the row of a language says."""

from mneme_indexer.languages.registry import ModuleStyle
from mneme_indexer.resolve.layout import Layout
from mneme_indexer.resolve.modules import (
    Go,
    Include,
    Modules,
    Namespaces,
    Packages,
    Php,
    Plain,
    Python,
    Relative,
    Ruby,
    Shell,
)
from mneme_indexer.resolve.modules_rust import Rust


def styles(layout: Layout) -> dict[ModuleStyle, Modules]:
    """Return every style by its word."""
    return {
        "python": Python(layout),
        "relative": Relative(layout, "/"),
        "go": Go(layout, "/"),
        "rust": Rust(layout, "::"),
        "php": Php(layout, "\\"),
        "namespace": Namespaces(layout, opens=True),
        "package": Packages(layout),
        "include": Include(layout, "/", opens=True),
        "ruby": Ruby(layout, "/", opens=True),
        "shell": Shell(layout, "/", opens=True),
        "none": Plain(layout),
    }
