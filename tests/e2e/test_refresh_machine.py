"""A server that runs for long, against a repository that changes in all ways: its answers are those of a new one.

Changes also happen while it looks, after git has begun: then the next call must see them.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mneme_git.app.code import Code
from mneme_git.app.code_tools import CodeTools
from mneme_git.app.workspace import Workspace, environment
from tests.support.code_tree import source_of
from tests.support.gitrepo import GitRepo

FILES = st.sampled_from(["a.py", "b.py", "d/a.py", "d/e/c.py", "new/x.py", "out.log", "d/keep.log"])
FOLDERS = st.sampled_from(["d", "d/e", "new", "sub"])
NAMES = ("one", "two", "six")
CALLS = st.sampled_from([f"def {a}():\n    return {b}()\n" for a in NAMES for b in NAMES])
RULES = st.sampled_from(["", "*.log\n", "new/\n", "a.py\n", "d\n", "!keep.log\n*.log\n"])
RULE_FILES = st.sampled_from(
    [".gitignore", "d/.gitignore", ".git/info/exclude", "everywhere", ".mnemeignore"]
)
GIT = st.sampled_from([
    ("add", "-A"), ("add", "-f", "out.log"), ("add", "-N", "new"), ("commit", "-q", "-m", "step"),
    ("commit", "-q", "-a", "-m", "step"), ("checkout", "-q", "-f", "main"), ("checkout", "-q", "-f", "other"),
    ("stash", "-u", "-q"), ("stash", "pop", "-q"), ("reset", "-q", "--hard"), ("reset", "-q", "HEAD~1"),
    ("reset", "-q", "--soft", "HEAD~1"), ("mv", "a.py", "moved.py"), ("rm", "-q", "--cached", "a.py"),
    ("rm", "-q", "-f", "b.py"), ("clean", "-q", "-f", "-d"), ("config", "core.autocrlf", "input"),
    ("config", "core.fileMode", "false"), ("sparse-checkout", "set", "d"), ("sparse-checkout", "disable"),
    ("update-index", "--assume-unchanged", "d/a.py"), ("update-index", "--no-assume-unchanged", "d/a.py"),
    ("gc", "-q"),
])  # fmt: skip


class RefreshMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="mneme-test-"))
        self.repo = GitRepo.create(self.folder / "repo")
        for path in ("a.py", "b.py", "d/a.py", "d/e/c.py"):
            self.repo.write(path, "def one():\n    return two()\n")
        self.repo.commit_all()
        self.repo.git("branch", "other")
        self.repo.git("config", "core.excludesFile", str(self.folder / "repo" / "everywhere"))
        inner = GitRepo.create(self.folder / "inner")
        allowed = ("-c", "protocol.file.allow=always")
        self.repo.git(*allowed, "submodule", "add", "-q", str(inner.path), "sub")
        self.repo.commit_all()
        self.tools = CodeTools(self.workspace())

    def workspace(self):
        return Workspace(cwd=self.repo.path, env=environment({}), now=lambda: 0)

    def place(self, path):
        place = self.repo.path / path
        for parent in place.parents:
            if parent.is_file() or parent.is_symlink():
                parent.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def clear(self, place):
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif place.is_dir():
            shutil.rmtree(place)

    @rule(path=FILES, text=CALLS)
    def write_in_place(self, path, text):
        place = self.place(path)
        if not place.is_file() or place.is_symlink():
            self.clear(place)
        place.write_text(text)

    @rule(path=FILES, text=CALLS)
    def write_and_set_the_time_back(self, path, text):
        place = self.repo.path / path
        if place.is_file():
            before = place.stat()
            place.write_text(text)
            os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(path=FILES, text=CALLS)
    def write_by_renaming(self, path, text):
        place = self.place(path)
        self.clear(place)
        beside = place.with_name(".tmp~")
        beside.write_text(text)
        beside.replace(place)

    @rule(path=FILES)
    def remove(self, path):
        self.clear(self.repo.path / path)

    @rule(folder=FOLDERS)
    def remove_folder(self, folder):
        self.clear(self.repo.path / folder)

    @rule(folder=FOLDERS, name=st.sampled_from(["b.py", "away"]))
    def move_folder(self, folder, name):
        place, to = self.repo.path / folder, self.repo.path / name
        if place.is_dir() and folder != "sub":
            self.clear(to)
            place.rename(to)

    @rule(path=FILES, is_program=st.booleans())
    def mode(self, path, is_program):
        if (self.repo.path / path).is_file():
            (self.repo.path / path).chmod(0o755 if is_program else 0o644)

    @rule(path=FILES, to=st.sampled_from(["README.md", "d", "nowhere"]))
    def link(self, path, to):
        place = self.place(path)
        self.clear(place)
        place.symlink_to(to)

    @rule(path=FILES)
    def link_hard_and_write_through_it(self, path):
        place, other = self.repo.path / path, self.folder / "other name"
        self.clear(other)
        if place.is_file() and not place.is_symlink():
            other.hardlink_to(place)
            other.write_text("def six():\n    return one()\n")

    @rule(path=RULE_FILES, rules=RULES)
    def ignore(self, path, rules):
        place = self.place(path)
        self.clear(place)
        place.write_text(rules)

    @rule(words=GIT)
    def git(self, words):
        self.repo.try_git(*words)

    @rule(text=CALLS)
    def change_the_submodule(self, text):
        if (self.repo.path / "sub" / ".git").exists():
            self.repo.write("sub/inside.py", text)

    @rule()
    def nest_a_repository(self):
        if not (self.repo.path / "nested").exists():
            GitRepo.create(self.repo.path / "nested")

    @precondition(lambda self: self.tools._code is not None)
    @rule(path=FILES, text=CALLS, words=GIT)
    def change_during_the_look(self, path, text, words):
        def question(code, _):
            self.write_in_place(path, text)
            self.repo.try_git(*words)
            return code.status()

        self.tools._fresh(question)

    @invariant()
    def a_new_process_would_say_the_same(self):
        told = self.tools.index_status()
        fresh = source_of(self.repo)
        listing = fresh.listing()
        assert told["tree"] == listing.tree
        assert sorted(self.tools._code._index.paths()) == sorted(listing.files)
        fresh.close()

    def teardown(self):
        here, new = self.tools, self.workspace()
        asked = [(name, hops) for name in NAMES for hops in (1, 2)]
        code = here._code
        before = [self.related(code, name, hops) for name, hops in asked]
        here.close()
        with Code(new) as again:
            again.start_anew()
            again.refresh()
            assert [self.related(again, name, hops) for name, hops in asked] == before
        shutil.rmtree(self.folder)

    def related(self, code, name, hops):
        if code._index.start(name) is None:
            return None
        return code.callers(name, "", hops), code.callees(name, "", hops), code.lookup(name)


quick = settings(
    max_examples=3, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)
TestRefresh = RefreshMachine.TestCase
TestRefresh.settings = quick


@pytest.mark.soak
class TestRefreshForLong(RefreshMachine.TestCase):
    settings = settings(quick, max_examples=120, stateful_step_count=40)
