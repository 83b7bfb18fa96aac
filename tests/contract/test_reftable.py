"""What is different where git keeps refs in tables."""

import pytest

from mneme_git.errors import RefMoved, StoreBusy
from mneme_git.store.backend import Absent
from mneme_git.store.refs import break_stale_lock
from tests.contract.making import JOURNAL, commit_of


def test_a_locked_table_of_refs_is_busy_and_never_broken_by_us(repo, backend, kind):
    if kind.ref_format != "reftable":
        pytest.skip("refs are files here")
    one = commit_of(backend, {"a": b"1"})
    lock = repo.write(".git/reftable/tables.list.lock", "")
    with pytest.raises(StoreBusy) as raised:
        backend.compare_and_swap(JOURNAL, Absent(), one, message="x")
    assert not isinstance(raised.value, RefMoved)
    assert not break_stale_lock(backend, JOURNAL, 0)
    assert lock.exists()
