import os

from mneme_git.store.code_history import GitHistory
from mneme_git.store.discover import locate
from tests.support.gitrepo import GitRepo


def history_of(repo):
    return GitHistory(locate(repo.path, os.environ))


def told(repo, limit=100, known=frozenset(), head=None):
    ids, commits = history_of(repo).commits(head or repo.git("rev-parse", "HEAD"), limit, known)
    return ids, list(commits)


def test_commits_come_newest_first_with_their_words_and_paths(repo):
    first = repo.git("rev-parse", "HEAD")
    repo.write("b.py", "b\n")
    repo.write("a dir/ü.py", "a\n")
    second = repo.commit_all("Grüße\n\nbody: \x02 and more")
    ids, commits = told(repo)
    assert list(ids) == [second, first] == [commit.oid for commit in commits]
    assert commits[0].message == "Grüße\n\nbody: \x02 and more"
    assert commits[0].paths == ("a dir/ü.py", "b.py")
    assert commits[1].paths == ("README.md",)
    assert commits[0].time == 1704067200


def test_a_message_that_looks_like_a_commit_is_words(repo):
    first = repo.git("rev-parse", "HEAD")
    repo.write("b.py", "b\n")
    repo.commit_all(f"\x02{first}\n\n\x02{first}")
    _, commits = told(repo)
    assert [commit.paths for commit in commits] == [("b.py",), ("README.md",)]


def test_merges_and_other_branches_say_nothing(repo):
    base = repo.git("rev-parse", "HEAD")
    repo.git("switch", "-q", "-c", "other")
    repo.write("o.py", "o\n")
    other = repo.commit_all("other")
    repo.git("switch", "-q", "-c", "third", base)
    repo.write("t.py", "t\n")
    repo.commit_all("third")
    repo.git("switch", "-q", "main")
    repo.write("m.py", "m\n")
    mine = repo.commit_all("mine")
    assert set(told(repo)[0]) == {mine, base}
    repo.git("merge", "-q", "--no-edit", "other")
    assert set(told(repo)[0]) == {mine, base, other}


def test_only_what_is_not_known_is_told_and_no_more_than_the_limit(repo):
    made = [repo.git("rev-parse", "HEAD")]
    for at in range(4):
        repo.write("a.py", f"{at}\n")
        made.append(repo.commit_all(f"step {at}"))
    ids, commits = told(repo, limit=3, known=frozenset(made[-1:]))
    assert list(ids) == made[:1:-1]
    assert [commit.message for commit in commits] == ["step 2", "step 1"]
    assert told(repo, limit=0) == ((), [])
    assert told(repo, known=frozenset(made))[1] == []


def test_a_commit_without_a_file_has_no_paths(repo):
    repo.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert told(repo)[1][0].paths == ()


def test_nothing_before_the_first_commit(tmp_path):
    repo = GitRepo(tmp_path)
    repo.git("init", "-q")
    assert history_of(repo).commits("", 10, frozenset()) == ((), ())


def test_the_edge_of_a_shallow_clone_did_not_add_every_file(repo, tmp_path):
    for at in range(3):
        repo.write(f"f{at}.py", f"{at}\n")
        repo.commit_all(f"step {at}")
    repo.git("clone", "-q", "--depth=2", f"file://{repo.path}", str(tmp_path / "shallow"))
    _, commits = told(GitRepo(tmp_path / "shallow"))
    assert [(commit.message, commit.paths) for commit in commits] == [("step 2", ("f2.py",)), ("step 1", ())]


def test_a_clone_without_blobs_gives_all_and_fetches_nothing(repo, tmp_path):
    repo.write("a.py", "a\n")
    repo.commit_all("one")
    repo.git("config", "uploadpack.allowFilter", "true")
    for name, expected in (("blob:none", 2), ("tree:0", 0)):
        place = tmp_path / name.replace(":", "-")
        repo.git("clone", "-q", "--no-checkout", f"--filter={name}", f"file://{repo.path}", str(place))
        clone = GitRepo(place)
        repo.path.rename(tmp_path / "away")
        ids, commits = told(clone)
        assert len(ids) == 2
        assert sum(bool(commit.paths) for commit in commits) == expected
        (tmp_path / "away").rename(repo.path)
