"""A memory file as a commit of its repository has it: for reading only."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mneme_git.errors import InvalidInput, NotFound, Refused
from mneme_git.model.plan import Plan, Receipt
from mneme_git.store.copies import GitCopies
from mneme_git.store.memory_file import MemoryFile
from mneme_git.store.memory_journal import place_of


class PastMemoryFile(MemoryFile):
    """The file at ``path`` in the tree of ``revision``."""

    def __init__(self, path: Path, *, as_given: str, now: Callable[[], int], revision: str) -> None:
        super().__init__(path, as_given=as_given, now=now)
        self.revision = revision

    def data(self) -> bytes:
        """Return the bytes that the revision has.

        Raises:
            InvalidInput: the file is in no repository, or the revision does not have it.
            NotFound: the revision names no commit.
        """
        place = place_of(self.path)
        if place is None:
            raise InvalidInput(
                f"--at {self.revision} needs a git repository, and the memory file '{self.name}' is in none",
                hint="leave --at out",
            )
        commit = place.backend.resolve(self.revision)
        if commit is None:
            raise NotFound(
                "revision", self.revision, hint="name a commit, a branch or a tag of this repository"
            )
        found = GitCopies(place.backend, {}, commit).at(commit, place.path)
        if found is None:
            raise InvalidInput(
                f"memory file {self.name} is not in the commit that '{self.revision}' names",
                hint="`git log --oneline --all -- FILE` lists the commits that have it",
            )
        return found

    def commit(self, plan: Plan, *, stage: bool) -> Receipt:
        """Refuse. Raises Refused: a past state cannot be changed."""
        raise self._unchangeable()

    def change(self, edit: Callable[[dict[str, Any]], bool], *, verb: str, subject: str) -> tuple[str, ...]:
        """Refuse. Raises Refused: a past state cannot be changed."""
        raise self._unchangeable()

    def _unchangeable(self) -> Refused:
        return Refused(f"'{self.revision}' is a past state, which cannot be changed", hint="leave --at out")
