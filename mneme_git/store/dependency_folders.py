"""Folders that package managers and compilers fill: what git does not track there is nobody's source."""

FOLDERS = frozenset({"node_modules", ".venv", "venv", "__pycache__", "target", "vendor"})


def dependency_folder(path: str) -> str:
    """Return the first such folder on the way to ``path``, or empty text."""
    return next((name for name in path.split("/")[:-1] if name in FOLDERS), "")
