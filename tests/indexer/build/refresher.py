"""A program that refreshes an index of a folder: python -m tests.indexer.build.refresher INDEX FOLDER [SECONDS].

Prints what was parsed as JSON. SECONDS is how long each file takes to be read.
"""

import json
import sys
from pathlib import Path

from mneme_indexer.answers import Settings
from mneme_indexer.build import keep
from mneme_indexer.build.refresh import refresh
from mneme_indexer.db.session import Session
from tests.indexer.build.trees import FolderTree


def main() -> None:
    index, folder = Path(sys.argv[1]), Path(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    keep._CHECKPOINT_SECONDS = 0.3
    keep._TASK_FILES = 10
    notes: list[str] = []
    session = Session(index, "work", notes.append)
    done = refresh(session, FolderTree(folder, seconds), None, Settings(workers=2))
    with session.reading() as reader:
        names = len(reader.lookup("make_thing_", 10_000))
    session.close()
    print(json.dumps({"parsed": done.parsed, "files": done.files, "names": names, "notes": notes}))


if __name__ == "__main__":
    main()
