"""How every memory that a checkout, or a revision, knows of stands."""

from collections.abc import Iterable

from mneme_git.errors import NotFound
from mneme_git.model.memory_view import MemoryView, Standing
from mneme_git.store.backend import GitBackend
from mneme_git.store.branch_files import origin_of
from mneme_git.store.memories_branches import Branches, Tips
from mneme_git.store.memories_folders import Folders, Found
from mneme_git.store.memories_here import FOLDER, flags_of_entries
from mneme_git.store.memories_standing import Sources, standing_of
from mneme_git.store.pending import PendingState
from mneme_git.store.pending_fold import PendingFold
from mneme_git.store.under_way import branch_of_work
from mneme_git.text.canonical import sha256_hex


class Viewer:
    """The view of one checkout, kept from call to call; only what changed is worked out again."""

    def __init__(self, backend: GitBackend) -> None:
        self._backend = backend
        self._folders = Folders(backend)
        self._branches = Branches(backend)
        self._fold: PendingFold | None = None
        self._last: tuple[MemoryView, Found, Tips] | None = None

    def now(self) -> MemoryView:
        """Return the view; the same one if nothing changed since the last call."""
        fold = self._fold = self._fold or PendingFold(self._backend)
        branch = branch_of_work(self._backend)
        here, tips, touched = self._folders.now(), self._branches.now(branch), fold.advance()
        key = sha256_hex(
            "\n".join((fold.tip or "", branch, here.token, tips.token)).encode("utf-8", "surrogatepass")
        )
        if self._last is not None and self._last[0].key == key:
            return self._last[0]
        sources = Sources(here=here.flags, tips=tips.by_name, pending=fold.state, branch=branch)
        changed = self._changed(touched, here, tips, branch)
        rows = _rows(sources, self._last[0].standings if self._last else {}, changed)
        view = MemoryView(
            standings=rows,
            branch=branch,
            origin=origin_of(None),
            key=key,
            changed=changed,
            since=self._last[0].key if self._last else "",
        )
        self._last = (view, here, tips)
        return view

    def sources(self) -> Sources:
        """Return what is known of all memories now."""
        view = self.now()
        assert self._last is not None
        assert self._fold is not None
        _, here, tips = self._last
        return Sources(here=here.flags, tips=tips.by_name, pending=self._fold.state, branch=view.branch)

    def _changed(
        self, touched: frozenset[str] | None, here: Found, tips: Tips, branch: str
    ) -> frozenset[str] | None:
        if self._last is None or touched is None or self._last[0].branch != branch:
            return None
        _, old_here, old_tips = self._last
        found = set(touched)
        if here is not old_here:
            found.update(name for name, _ in here.flags.items() ^ old_here.flags.items())
        if tips is not old_tips:
            rows = {(name, tip.branch, tip.flags) for name, tip in tips.by_name.items()}
            old = {(name, tip.branch, tip.flags) for name, tip in old_tips.by_name.items()}
            found.update(name for name, _, _ in rows ^ old)
        return frozenset(found)


def view_of_revision(backend: GitBackend, revision: str) -> MemoryView:
    """Return how the memories stand in a commit. Raises NotFound."""
    commit = backend.resolve(revision)
    if commit is None:
        raise NotFound("revision", revision, hint="name a commit, a branch or a tag of this repository")
    here = flags_of_entries(backend, backend.tree_files(commit, FOLDER))
    sources = Sources(here=here, tips={}, pending=PendingState(), branch="")
    rows = _rows(sources, {}, None)
    return MemoryView(standings=rows, origin=origin_of(revision), key=sha256_hex(commit.encode()))


def _rows(
    sources: Sources, before: dict[str, Standing], changed: frozenset[str] | None
) -> dict[str, Standing]:
    names: Iterable[str] = changed if changed is not None else _names(sources)
    rows = dict(before) if changed is not None else {}
    for name in names:
        row = standing_of(name, sources)
        if row is not None:
            rows[name] = row
        else:
            rows.pop(name, None)
    return rows


def _names(sources: Sources) -> Iterable[str]:
    return sorted(sources.here.keys() | sources.tips.keys() | sources.pending.known.keys())
