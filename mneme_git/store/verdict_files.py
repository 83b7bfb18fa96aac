"""The detached signature beside a verdict, wherever the verdict itself is read from."""

from mneme_git.errors import MnemeError
from mneme_git.model.ids import ProposalId
from mneme_git.model.paths import signature_path
from mneme_git.store.backend import GitBackend
from mneme_git.store.copies import GitCopies
from mneme_git.store.work_files import read_file


def read_signature(backend: GitBackend, proposal_id: ProposalId, revision: str | None = None) -> bytes | None:
    """Return the signature over the verdict on a proposal, None if there is none.

    Of the work tree, else the index; or of the tree of ``revision``. A file that cannot be read is
    given as empty bytes: that is no signature either, but not the same as none.
    """
    path = signature_path(proposal_id)
    try:
        if revision is not None or backend.work_tree is None:
            commit = backend.resolve(revision or "HEAD")
            return GitCopies(backend, {}, commit).at(commit, path) if commit else None
        found = read_file(backend.work_tree, path)
        if found is not None:
            return found
        entries = [entry for entry in backend.index_entries(path) if entry.path == path and not entry.stage]
        return backend.read(entries[0].oid).data if entries else None
    except MnemeError:
        return b""
