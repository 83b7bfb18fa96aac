"""Modules of Rust: paths from the crate, the module itself, or the one around it."""

from mneme_indexer.resolve.layout import ancestors, folder_of
from mneme_indexer.resolve.modules import Plain
from mneme_indexer.resolve.project import FileNames

_ROOTS = ("lib.rs", "main.rs")


class Rust(Plain):
    """``crate::a``, ``super::a``, ``self::a``, a crate of the workspace, or a module below this one."""

    def files(self, module: str, at: FileNames, line: int) -> tuple[str, ...]:
        """Return the file of a module; a module inside a file is that file."""
        parts = [part for part in module.split("::") if part]
        if not parts:
            return ()
        head, *rest = parts
        place = self._own(at)
        if head == "crate":
            return self._below(self._crate(at), rest)
        if head in {"self", "super"}:
            return self._around(at, place, line, [head, *rest])
        if head in self.layout.crates:
            return self._below(f"{self.layout.crates[head]}/src".strip("/"), rest)
        return self._below(place, [head, *rest])

    def _around(self, at: FileNames, place: str, line: int, parts: list[str]) -> tuple[str, ...]:
        inside = sum(
            symbol.kind == "module" and symbol.start_line <= line <= symbol.end_line for symbol in at.symbols
        )
        while parts and parts[0] in {"self", "super"}:
            if parts.pop(0) == "super":
                if inside:
                    inside -= 1
                else:
                    place = folder_of(place)
        if not parts and place == self._own(at):
            return (at.path,)
        return self._below(place, parts)

    def _own(self, at: FileNames) -> str:
        """Return the folder in which the children of a file's module are."""
        name = at.path.rpartition("/")[2]
        is_folder = name in {*_ROOTS, "mod.rs"}
        return at.folder if is_folder else at.path.removesuffix(".rs")

    def _crate(self, at: FileNames) -> str:
        """Return the folder of the crate's root module."""
        files = self.layout.files
        for folder in ancestors(at.folder):
            if any(f"{folder}/{root}".lstrip("/") in files for root in _ROOTS):
                return folder
            if f"{folder}/Cargo.toml".lstrip("/") in files:
                return f"{folder}/src".lstrip("/")
        return next((f for f in ancestors(at.folder) if f.rpartition("/")[2] == "src"), "")

    def _below(self, place: str, parts: list[str]) -> tuple[str, ...]:
        files = self.layout.files
        stem = "/".join((place, *parts)).strip("/")
        tries = [f"{stem}.rs", f"{stem}/mod.rs"]
        if not parts:
            tries += [f"{place}/{root}".lstrip("/") for root in _ROOTS]
        return next(((path,) for path in tries if path in files), ())
