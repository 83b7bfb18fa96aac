"""Evidence recall of the recall index on LoCoMo: is the session that answers among the first k?

    python bench/recall_locomo.py DIR [--by-conversation]

``DIR/locomo10.zip`` is the data of Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM
Agents" (2024), CC BY-NC 4.0, which is not shipped. Each conversation is a store, each session one memory
(its turns and its date joined by blanks), each non-adversarial question with evidence a query. Recall at k
is the share of a question's evidence sessions among the first k, averaged over all questions.
"""

import argparse
import json
import re
import statistics
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mneme_git.memories.content import content_key
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import Memory, MemoryKind
from mneme_git.store.recall_index import Filters, RecallIndex

DEPTHS = (1, 5, 10)
ADVERSARIAL = 5
Question = tuple[str, frozenset[int]]


def conversations(data: Path) -> Iterator[tuple[str, dict[int, str], list[Question]]]:
    with zipfile.ZipFile(data / "locomo10.zip") as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                held = json.loads(archive.read(name))
                sessions = sessions_of(held.get("conversation", held))
                if sessions:
                    yield name, sessions, questions_of(held.get("qa", []), sessions)


def sessions_of(conversation: dict[str, Any]) -> dict[int, str]:
    found = {}
    for key, turns in conversation.items():
        number = re.fullmatch(r"session_(\d+)", key)
        if number and isinstance(turns, list):
            said = [
                " ".join(turn.get(part, "") for part in ("speaker", "text", "clean_text")) for turn in turns
            ]
            found[int(number[1])] = f"{' '.join(said)} {conversation.get(f'{key}_date_time', '')}"
    return found


def questions_of(rows: list[dict[str, Any]], sessions: dict[int, str]) -> list[Question]:
    found = []
    for row in rows:
        said = " ".join(map(str, row.get("evidence") or []))
        evidence = frozenset(map(int, re.findall(r"D(\d+):", said))) & frozenset(sessions)
        if evidence and row.get("category") != ADVERSARIAL:
            found.append((row["question"], evidence))
    return found


def recalls(sessions: dict[int, str], questions: list[Question], took: list[float]) -> list[list[float]]:
    """Return for each question its recall at each depth."""
    memories = {
        number: Memory(kind=MemoryKind.LEARNING, body=text, created_at=f"2026-01-01T00:00:{number:02}Z")
        for number, text in sessions.items()
    }
    names = {name_of_bytes(encode_memory(memory)): number for number, memory in memories.items()}
    found = []
    with tempfile.TemporaryDirectory() as folder:
        index = RecallIndex(Path(folder), content_key=content_key)
        index.add({name: memories[number] for name, number in names.items()})
        visible = frozenset(names)
        for question, evidence in questions:
            start = time.perf_counter()
            hits = index.search(question, Filters(), visible, max(DEPTHS))
            took.append(time.perf_counter() - start)
            order = [names[hit.name] for hit in hits]
            found.append([len(evidence & set(order[:depth])) / len(evidence) for depth in DEPTHS])
        index.close()
    return found


def shown(rows: list[list[float]]) -> str:
    means = [statistics.mean(column) for column in zip(*rows, strict=True)]
    return " ".join(f"recall@{depth} {mean:.4f}" for depth, mean in zip(DEPTHS, means, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--by-conversation", action="store_true")
    given = parser.parse_args()
    rows: list[list[float]] = []
    took: list[float] = []
    for name, sessions, questions in conversations(given.data):
        of_one = recalls(sessions, questions, took)
        rows += of_one
        if given.by_conversation:
            print(f"{name}: {len(sessions)} sessions, {len(of_one)} questions, {shown(of_one)}")
    print(f"{len(rows)} questions: {shown(rows)}; median {statistics.median(took) * 1000:.2f} ms a query")


if __name__ == "__main__":
    main()
