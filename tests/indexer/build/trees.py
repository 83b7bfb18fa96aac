"""Source trees for tests: files in memory, and a folder that several processes can look at."""

import time
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path

from mneme_indexer.sources import Commit, Listed, Listing


def blob_id(data: bytes) -> str:
    return sha1(b"blob %d\0" % len(data) + data).hexdigest()


class MemoryTree:
    """Files by path; ``reads`` has the paths whose content was asked for, in order."""

    def __init__(self, files: dict[str, bytes], commit: str = "") -> None:
        self.files = files
        self.commit = commit
        self.reads: list[str] = []
        self.torn: set[str] = set()
        self.skipped: dict[str, str] = {}
        self.sizes = True

    def tree_id(self) -> str:
        return self.listing().tree

    def listing(self) -> Listing:
        files = {
            path: Listed(
                path, blob_id(data), len(data) if self.sizes else -1, True, self.skipped.get(path, "")
            )
            for path, data in sorted(self.files.items())
        }
        rows = "".join(f"{row.path}\0{row.blob}\0{row.skipped}\n" for row in files.values())
        return Listing(tree=blob_id(rows.encode()), files=files, commit=self.commit)

    @contextmanager
    def looking(self):
        yield self.listing

    def read(self, files):
        for listed in files:
            self.reads.append(listed.path)
            yield b"" if listed.path in self.torn else self.files[listed.path]


class FolderTree(MemoryTree):
    """The files below a folder, read once; each read may be made slow."""

    def __init__(self, folder: Path, seconds: float = 0.0) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        super().__init__({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})
        self._seconds = seconds

    def read(self, files):
        for data in super().read(files):
            time.sleep(self._seconds)
            yield data


class MemoryHistory:
    """Commits from new to old."""

    def __init__(self, commits: list[Commit]) -> None:
        self.all = commits
        self.asked: list[frozenset[str]] = []

    def commits(self, head, limit, known):
        self.asked.append(known)
        oids = [commit.oid for commit in self.all]
        found = self.all[oids.index(head) :][:limit]
        return [commit.oid for commit in found], [commit for commit in found if commit.oid not in known]


def module(number: int, *, lines: int = 1) -> bytes:
    """Return a small module with a class, a method and a function of its own."""
    body = "".join(f"        total = total + {line}\n" for line in range(lines))
    return (
        f"class Thing{number}:\n    def compute_{number}(self, total):\n{body}        return total\n\n\n"
        f"def make_thing_{number}():\n    return Thing{number}()\n"
    ).encode()


def project(count: int, *, lines: int = 1) -> dict[str, bytes]:
    return {f"pkg{number % 7}/m{number}.py": module(number, lines=lines) for number in range(count)}
