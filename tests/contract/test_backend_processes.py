"""No process is left behind, whoever forgets to close and whatever vanishes."""

import gc
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from mneme_git.errors import NoRepository
from mneme_git.store.discover import open_backend
from mneme_git.store.objects import blob
from tests.contract.making import PROJECT, exercise
from tests.support.gitrepo import GitRepo


def children():
    listed = subprocess.run(
        ["ps", "--no-headers", "-o", "pid,stat,args", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in listed.stdout.splitlines() if " ps " not in line]


def busy_backend(repo, kind):
    backend = open_backend(repo.path, prefer=kind[0])
    exercise(backend)
    backend.dirty_tree_id()
    assert backend.has(backend.head().oid)
    return backend


def test_no_process_outlives_a_closed_or_forgotten_backend(repo, kind):
    before = children()
    backend = busy_backend(repo, kind)
    if kind[0] == "program":
        assert len(children()) > len(before)
    backend.close()
    assert children() == before
    assert backend.has(backend.head().oid), "it may be used again"
    del backend
    gc.collect()
    assert children() == before


def test_no_process_outlives_an_interpreter_that_never_closed(repo, kind):
    script = f"""
import sys
from pathlib import Path
from mneme_git.store.discover import open_backend
backend = open_backend(Path({str(repo.path)!r}), prefer={kind[0]!r})
print(backend.tree(backend.head().oid)[0].name)
backend.maintain()
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", script],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "README.md\n", "")


def test_maintenance_never_fails_and_is_collected(repo, kind, opened):
    backend = opened(repo.path)
    before = children()
    backend.maintain()
    deadline = time.monotonic() + 20
    while children() != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children() == before
    shutil.rmtree(repo.path)
    backend.maintain()


def test_reading_is_safe_from_several_threads(repo, opened):
    backend = opened(repo.path)
    oids = backend.write([blob(b"%d" % number) for number in range(50)])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: backend.read(oids[number % 50]).data, range(400)))
    assert found == [b"%d" % (number % 50) for number in range(400)]


def test_a_repository_that_vanishes_is_an_error_and_the_one_around_it_is_left_alone(repo, opened, kind):
    inner = GitRepo.create(repo.path / "inner", f"--object-format={kind[1]}")
    backend = opened(inner.path)
    shutil.rmtree(inner.path / ".git")
    inner.write("new", "1")
    with pytest.raises(NoRepository) as raised:
        backend.index_entries("")
    assert raised.value.hint
    assert "not a git repository" in backend.stage(["new"])
    with pytest.raises(NoRepository):
        backend.dirty_tree_id()
    assert repo.git("ls-files") == "README.md"
