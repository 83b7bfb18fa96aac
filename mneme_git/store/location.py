"""Where a repository is: its folders, its formats and what its child processes must be told."""

from pathlib import Path

from msgspec import Struct

from mneme_git.store.process import Git


class Location(Struct, frozen=True, kw_only=True):
    """A repository seen from one of its work trees; ``work_tree`` is None in a bare one.

    ``partial`` is true for a clone that may fetch objects later.
    ``variables`` is what git's own environment names say about this very repository: the index that
    a hook was given, or all of them where the user named the repository by ``GIT_DIR``.
    """

    git_dir: Path
    common_dir: Path
    work_tree: Path | None
    object_format: str = "sha1"
    ref_format: str = "files"
    partial: bool = False
    variables: dict[str, str] = {}

    @property
    def git(self) -> Git:
        """Return the git program aimed at this repository.

        Started in the work tree's top folder, git finds the repository by itself and so makes its
        own check of who owns it; naming the repository to it would switch that check off. It looks
        no higher: were the repository removed, git would otherwise take the next one around it.
        """
        folder = self.work_tree or self.git_dir
        ceiling = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
        return Git(directory=folder, variables={**ceiling, **self.variables})

    @property
    def index_file(self) -> Path:
        """Return the path of the index in use."""
        given = self.variables.get("GIT_INDEX_FILE")
        return Path(given) if given else self.git_dir / "index"

    @property
    def objects_dir(self) -> Path:
        """Return the folder that new objects go to."""
        given = self.variables.get("GIT_OBJECT_DIRECTORY")
        return Path(given) if given else self.common_dir / "objects"
