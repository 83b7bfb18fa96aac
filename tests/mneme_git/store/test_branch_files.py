import contextlib
import os
import shutil
import subprocess
import sys

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mneme_git.errors import NotFound
from mneme_git.model.codec import encode_state
from mneme_git.model.decision import Lifecycle, id_of
from mneme_git.store.branch_files import read_branch, staged_removals
from mneme_git.store.discover import open_backend
from tests.support.branch import codes, commit, home, lay_out, load, put
from tests.support.gitrepo import GitRepo
from tests.support.make import make_state, make_version

V = make_version("use-x", "Use X")
S = make_state(V)


@pytest.fixture(params=["program", "pygit2"])
def backend_of(request):
    return lambda repo: open_backend(repo.path, prefer=request.param)


def test_every_file_of_the_work_tree_is_read_with_its_kind(repo, backend_of):
    lay_out(repo)
    put(repo, S, V)
    found = {file.path: file for file in read_branch(backend_of(repo)).files}
    assert found[home(S)].kind == "decision"
    assert found[home(S)].data == encode_state(S)
    assert found[home(S)].origin == "work tree"
    assert found[".mneme/format"].data == b"1\n"
    assert found[".mneme/decisions/.keep"].kind == "keep"


def test_a_file_that_only_the_index_has_is_read_from_there_and_named(repo, backend_of):
    lay_out(repo)
    commit(repo, S, V)
    (repo.path / home(S)).unlink()
    files = read_branch(backend_of(repo))
    assert files.gone == (home(S),)
    assert {file.origin for file in files.files if file.path == home(S)} == {"index"}


def test_what_a_sparse_checkout_leaves_out_is_read_without_a_word(repo, backend_of):
    lay_out(repo)
    commit(repo, S, V)
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/.mneme/decisions/")
    assert not (repo.path / home(S)).exists()
    files = read_branch(backend_of(repo))
    assert files.gone == ()
    assert encode_state(S) in {file.data for file in files.files}
    assert load(repo).faults == ()


def test_symbolic_links_are_not_followed(repo, backend_of):
    lay_out(repo)
    elsewhere = repo.write("elsewhere.json", encode_state(S))
    (repo.path / home(S)).symlink_to(elsewhere)
    (repo.path / ".mneme/versions/0").rename(repo.path / "moved")
    (repo.path / ".mneme/versions/0").symlink_to(repo.path / "moved")
    files = read_branch(backend_of(repo))
    assert home(S) not in {file.path for file in files.files}
    assert {fault.path for fault in files.faults} == {home(S), ".mneme/versions/0"}
    assert all(fault.blocks for fault in files.faults if fault.path == home(S))


def test_a_store_folder_that_is_a_link_is_served_from_the_index(repo):
    lay_out(repo)
    commit(repo, S, V)
    (repo.path / ".mneme").rename(repo.path / "real")
    (repo.path / ".mneme").symlink_to(repo.path / "real")
    snapshot = load(repo)
    assert snapshot.state("use-x") == S
    assert "NOT_A_FILE" in codes(snapshot)


def test_a_pipe_does_not_make_reading_wait(repo):
    lay_out(repo)
    os.mkfifo(repo.path / ".mneme/decisions/pipe.json")
    assert codes(load(repo)) == ["NOT_A_FILE"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_named(repo):
    lay_out(repo)
    put(repo, S, V)
    (repo.path / home(S)).chmod(0)
    assert "UNREADABLE_FILE" in codes(load(repo))


def test_a_name_that_is_no_utf8_is_told_in_a_form_that_every_encoding_carries(repo):
    lay_out(repo)
    (repo.path / ".mneme/decisions" / os.fsdecode(b"\xff.txt")).touch()
    snapshot = load(repo)
    assert codes(snapshot) == ["UNKNOWN_FILE"]
    snapshot.faults[0].message.encode()


def test_a_revision_is_read_from_its_tree_also_in_a_bare_repository(repo, tmp_path, backend_of):
    lay_out(repo)
    first = commit(repo, S, V)
    newer = make_state(V, test_evidence=())
    repo.git("rm", "-q", "--", home(S))
    repo.git("commit", "-q", "-m", "remove it")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    bare = GitRepo(tmp_path / "bare.git")
    assert load(repo, first).state("use-x") == newer
    assert load(repo, "HEAD").state("use-x") is None
    assert {f.path for f in read_branch(backend_of(bare), first).files} >= {home(S)}
    assert load(bare).decisions == ()


def test_an_unknown_revision_is_named(repo, backend_of):
    with pytest.raises(NotFound) as raised:
        read_branch(backend_of(repo), "no-such-branch")
    assert raised.value.given == "no-such-branch"


def test_a_repository_without_a_store_or_a_commit_is_empty(tmp_path):
    empty = GitRepo(tmp_path / "empty")
    empty.path.mkdir()
    empty.git("init", "-q")
    assert load(empty).decisions == ()


def test_a_staged_removal_is_noticed_until_it_is_committed(repo, backend_of):
    lay_out(repo)
    commit(repo, S, V)
    repo.git("rm", "-q", "--", home(S))
    assert staged_removals(backend_of(repo)) == (home(S),)
    assert load(repo).state("use-x") is None
    repo.git("commit", "-q", "-m", "remove it")
    assert staged_removals(backend_of(repo)) == ()


def test_a_writers_leftover_is_passed_over(repo):
    lay_out(repo)
    repo.write(".mneme/decisions/.adr-1.json.mneme-tmp", b"{")
    assert load(repo).faults == ()


def test_reading_a_plain_branch_starts_one_git_process_and_no_libgit2(repo):
    lay_out(repo)
    commit(repo, S, V)
    code = (
        "import subprocess, sys\n"
        "from pathlib import Path\n"
        "started = []\n"
        "real = subprocess.Popen.__init__\n"
        "def counted(self, args, *rest, **more):\n"
        "    started.append(args)\n"
        "    real(self, args, *rest, **more)\n"
        "subprocess.Popen.__init__ = counted\n"
        "from mneme_git.store.discover import open_backend\n"
        "from mneme_git.store.branch_files import read_branch\n"
        "from mneme_git.store.assemble import assemble\n"
        "snapshot = assemble(read_branch(open_backend(Path('.'), prefer='program')))\n"
        "assert len(snapshot.decisions) == 1, snapshot\n"
        "assert len(started) == 1, started\n"
        "assert 'ls-files' in started[0]\n"
        "assert not {'pygit2', 'yaml', 'typer', 'sqlite3'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo.path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_stages_of_a_conflict_are_read_and_their_path_is_no_file(repo, backend_of):
    lay_out(repo)
    commit(repo, S, V)
    repo.git("branch", "other")
    for status in (Lifecycle.DEPRECATED, Lifecycle.INACTIVE):
        commit(repo, make_state(V, status=status))
        repo.git("switch", "-q", "other")
    assert repo.try_git("merge", "main").code == 1
    files = read_branch(backend_of(repo))
    assert [(stage.path, stage.number) for stage in files.stages] == [
        (home(S), 1),
        (home(S), 2),
        (home(S), 3),
    ]
    assert home(S) not in {file.path for file in files.files}
    assert files.gone == ()


@pytest.mark.parametrize("options", [["--object-format=sha256"], ["--ref-format=reftable"]])
def test_a_repository_that_only_the_git_program_opens_is_read_too(tmp_path, options):
    probe = GitRepo(tmp_path)
    if probe.try_git("init", "-q", *options, str(tmp_path / "probe")).code != 0:
        pytest.skip("this git does not know the format")
    repo = GitRepo.create(tmp_path / "repo", *options)
    lay_out(repo)
    first = commit(repo, S, V)
    repo.git("rm", "-q", "--", home(S))
    repo.git("commit", "-q", "-m", "remove")
    for prefer in ("program", "pygit2"):
        assert load(repo, prefer=prefer).decisions == ()
        assert load(repo, first, prefer=prefer).decisions == (S,)


_NAMES = st.sampled_from(
    [
        "decisions",
        "versions",
        "a",
        "adr-1.json",
        "x" * 200 + ".json",
        f"{id_of(V)}.json",
        "é ü.json",
        "\udcff",
    ]
)


@given(
    st.dictionaries(
        st.lists(_NAMES, min_size=1, max_size=3).map("/".join), st.binary(max_size=60), max_size=5
    )
)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_file_below_the_folder_makes_reading_fail(repo, files):
    shutil.rmtree(repo.path / ".mneme", ignore_errors=True)
    for name, data in files.items():
        with contextlib.suppress(OSError):  # a file stands where another one wants a folder
            repo.write(f".mneme/{name}", data)
    snapshot = load(repo)
    assert snapshot.decisions == ()
    msgspec.json.encode(snapshot.faults)
