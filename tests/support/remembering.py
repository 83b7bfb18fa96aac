"""A work tree with its memories: recorded, marked and committed in a word."""

import itertools
from dataclasses import dataclass, field
from pathlib import Path

from mneme_git.memories.record import name_of
from mneme_git.model.memory_view import Mark, MemoryPlan
from mneme_git.store.discover import open_backend
from mneme_git.store.memories_store import MemoriesStore
from tests.support.gitrepo import GitRepo
from tests.support.memories import memory

_CLOCK = itertools.count(1_700_000_000)


@dataclass(frozen=True)
class Remembering(GitRepo):
    """A repository whose memories are looked at afresh at every call."""

    prefer: str = field(default="pygit2")

    @staticmethod
    def of(repo, prefer="pygit2"):
        return Remembering(Path(getattr(repo, "path", repo)), prefer)

    @property
    def store(self):
        return MemoriesStore(open_backend(self.path, prefer=self.prefer), now=lambda: next(_CLOCK))

    def record(self, body, *, stage=False, branch=None, **fields):
        made = memory(body, **fields)
        plan = MemoryPlan(verb="record", subject=name_of(made), memories=(made,), branch=branch)
        self.store.write(plan, stage=stage)
        return name_of(made)

    def mark(self, action, *names, stage=False, branch=None):
        plan = MemoryPlan(
            verb=action, subject=names[0], marks=tuple(Mark(action, n) for n in names), branch=branch
        )
        return self.store.write(plan, stage=stage)

    def commit_pending(self, branch=None, message="memories", **options):
        return self.store.commit_pending(branch=branch, message=message, **options)

    def standing(self, name):
        return self.store.view().standings.get(name)

    def places(self, *names):
        rows = self.store.view().standings
        return [rows[name].place.value if name in rows else None for name in names]

    def live(self):
        """Return the bodies of the memories that a reader may get, sorted."""
        store = self.store
        names = [name for name, row in store.view().standings.items() if row.live]
        return sorted(memory.body for memory in store.read(names).values())

    def at_head(self, below=".mneme/memories"):
        """Return the names of the files that HEAD has below a folder, keepers left out."""
        listed = self.git("ls-tree", "-r", "--name-only", "HEAD", "--", below).splitlines()
        return sorted(path.rpartition("/")[2] for path in listed if not path.endswith(".keep"))

    def look(self):
        """Return all that git says of the checkout: files, index entries and the commit."""
        told = (
            ("status", "--porcelain", "-uall", "--ignored"),
            ("ls-files", "-s", "-t"),
            ("rev-parse", "HEAD"),
        )
        files = sorted(
            p.relative_to(self.path).as_posix() for p in self.path.rglob("*") if ".git" not in p.parts
        )
        return [*(self.try_git(*words).out for words in told), files]
