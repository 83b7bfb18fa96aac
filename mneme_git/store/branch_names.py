"""Which file names a folder has, here and on the other branches of a clone."""

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ObjectId
from mneme_git.store.backend import GitBackend
from mneme_git.store.through_git import ThroughGit

# The branches that were committed to last; older ones hardly bring a new file.
_BRANCHES = 200


def names_in_use(backend: GitBackend, folder: str) -> frozenset[str]:
    """Return the names of the files directly in ``folder`` (empty for the top), wherever they are.

    Wherever: the work tree, the index (conflict stages included), and the newest commit of every
    branch, those fetched from remotes included; no more than 200 branches.
    """
    found = _in_work_tree(backend, folder) | _in_index(backend, folder)
    for tree in _trees(backend, folder):
        try:
            found |= {entry.name for entry in backend.tree(tree)}
        except MnemeError:  # a partial clone need not have it
            continue
    return frozenset(found)


def _in_work_tree(backend: GitBackend, folder: str) -> set[str]:
    if backend.work_tree is None:
        return set()
    here = backend.work_tree / folder
    return {entry.name for entry in here.iterdir()} if here.is_dir() else set()


def _in_index(backend: GitBackend, folder: str) -> set[str]:
    rows = (entry.path.rpartition("/") for entry in backend.index_entries(folder))
    return {name for parent, _, name in rows if parent == folder}


def _trees(backend: GitBackend, folder: str) -> list[ObjectId]:
    """Return the distinct trees that ``folder`` is in HEAD and in the branches; two processes in all."""
    if not isinstance(backend, ThroughGit):
        return []
    listed = backend.git.run(
        "for-each-ref",
        "--format=%(refname)",
        "--sort=-committerdate",
        f"--count={_BRANCHES}",
        "refs/heads",
        "refs/remotes",
    ).out.decode("utf-8", "surrogateescape")
    asked = "".join(f"{ref}:{folder}\n" for ref in ["HEAD", *listed.split("\n")] if ref)
    told = backend.git.run(
        "cat-file",
        "--batch-check=%(objecttype) %(objectname)",
        stdin=asked.encode("utf-8", "surrogateescape"),
    ).out.decode("utf-8", "surrogateescape")
    rows = (line.split(" ") for line in told.split("\n"))
    return [ObjectId(oid) for oid in dict.fromkeys(row[1] for row in rows if row[0] == "tree")]
