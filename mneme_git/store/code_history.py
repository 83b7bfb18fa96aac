"""The past of a commit, for ranking: who changed what, in which words. Merges say nothing of their own."""

from collections.abc import Iterable, Iterator, Sequence

from mneme_git.store.location import Location
from mneme_git.store.process import Git
from mneme_git.text.path_names import as_text
from mneme_indexer.sources import Commit

# Commits before the edge of a shallow clone have no parent here, so they seem to add every file.
_SHALLOW = "shallow"
_START = "\x02"
_FORMAT = f"--format={_START}%H%x00%ct%x00%B%x00"


class GitHistory:
    """Satisfies ``mneme_indexer.sources.History``; a partial clone is never made to fetch."""

    def __init__(self, location: Location) -> None:
        self._git = location.git
        self._edge = location.common_dir / _SHALLOW

    def commits(self, head: str, limit: int, known: frozenset[str]) -> tuple[Sequence[str], Iterable[Commit]]:
        """Return the newest ``limit`` non-merge ancestors of ``head``, and the commits not in ``known``.

        The ids come newest first, in git's own order. Where folders are missing (a partial clone),
        the commits end before the ids do.
        """
        if not head or limit <= 0:
            return (), ()
        asked = ("rev-list", "--no-merges", f"--max-count={limit}", head)
        ids = tuple(self._git.ask(*asked).decode("ascii").split())
        new = [oid for oid in ids if oid not in known]
        return ids, _told(self._git, new, self._edges()) if new else ()

    def _edges(self) -> frozenset[str]:
        try:
            return frozenset(self._edge.read_text("ascii").split())
        except (OSError, UnicodeDecodeError):
            return frozenset()


def _told(git: Git, oids: Sequence[str], edges: frozenset[str]) -> Iterator[Commit]:
    asked = ("log", "--stdin", "--no-walk=unsorted", "--name-only", "--no-renames", "-z", _FORMAT)
    settings = (
        "log.showSignature=false",
        "log.showRoot=true",
        "log.mailmap=false",
        "i18n.logOutputEncoding=UTF-8",
    )
    given = "".join(f"{oid}\n" for oid in oids).encode("ascii")
    out = git.run(*asked, stdin=given, settings=settings).out.decode("utf-8", "surrogateescape")
    # A message may hold any character but NUL, so a commit is only where an id that was asked for is.
    words = out.split("\0")
    starts = {f"{_START}{oid}" for oid in oids}
    at = 0
    while at < len(words):
        if words[at] not in starts:
            at += 1
            continue
        end = at + 3
        while end < len(words) and words[end] not in starts:
            end += 1
        yield _commit(words[at:end], edges)
        at = end


def _commit(words: Sequence[str], edges: frozenset[str]) -> Commit:
    oid, time, message, *paths = words
    oid = oid.removeprefix(_START)
    named = [path for path in paths if path]
    named[:1] = [path.removeprefix("\n") for path in named[:1]]  # git's own, between message and paths
    changed = () if oid in edges else tuple(sorted(map(as_text, named)))
    sound = message.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return Commit(oid=oid, time=int(time), message=sound.strip("\n"), paths=changed)
