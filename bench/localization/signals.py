"""What each ranking signal is worth: files that past commits changed, found by their messages.

    MIRROR=DIR python bench/localization/signals.py CASES.jsonl [--repos A,B] [--cache DIR]

``DIR/OWNER+NAME/repo`` are git directories with full history. A case is one JSON object with the keys
repo, parent (the commit to search), query (the message) and files (what the commit changed). The first
run indexes the parent of every case, in this process, and keeps each file's signals in the cache; later
runs only weigh them anew. Every row is hit@1, recall@5, recall@10 and MRR over the ranked files.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mneme_git.store.code_history import GitHistory
from mneme_git.store.code_tree import RevisionSource
from mneme_git.store.discover import locate
from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from mneme_indexer.corpus_of_view import IndexedCorpus
from mneme_indexer.db.session import Session
from mneme_indexer.rank.fusion import ROLES, WEIGHTS, order, scaled_signals
from mneme_indexer.rank.question import question_of

Case = dict[str, Any]
Metrics = tuple[float, float, float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--repos", default="")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mneme-signals")
    options = parser.parse_args()
    cases = [json.loads(line) for line in options.cases.read_text("utf-8").splitlines()]
    repos = list(dict.fromkeys(case["repo"] for case in cases))
    if options.repos:
        repos = [repo for repo in repos if any(part in repo for part in options.repos.split(","))]
    measured = {repo: kept(repo, [c for c in cases if c["repo"] == repo], options.cache) for repo in repos}
    report(measured)


def kept(repo: str, cases: list[Case], cache: Path) -> list[Case]:
    """Return the cases of a repository with their signals, computed at most once."""
    return computed_once(cache / f"{repo}.pickle", lambda: measured_cases(repo, cases, cache))


def computed_once(path: Path, make: Callable[[], Iterable[Case]]) -> list[Case]:
    """Return what ``make`` gives, from ``path`` if it was computed before."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(list(make())))
        print("measured", path.stem, file=sys.stderr, flush=True)
    found: list[Case] = pickle.loads(path.read_bytes())
    return found


def clone_of(repo: str, cache: Path) -> Path:
    """Return a clone of a repository of ``MIRROR`` that has no files checked out."""
    clone = cache / repo
    if not clone.exists():
        origin = Path(os.environ["MIRROR"]) / repo / "repo"
        command = ["git", "clone", "-q", "--shared", "--no-checkout", str(origin), str(clone)]
        subprocess.run(command, check=True)
    return clone


def measured_cases(repo: str, cases: list[Case], cache: Path) -> Iterator[Case]:
    clone = clone_of(repo, cache)
    location = locate(clone, os.environ)
    for case in cases:
        source = RevisionSource(location, case["parent"])
        with CodeIndex(clone / ".git/mneme", source, GitHistory(location), Settings(), view="case") as index:
            index.refresh()
        session = Session(clone / ".git/mneme", "case", print)
        with session.reading() as reader:
            corpus = IndexedCorpus(reader, source)
            question = question_of(case["query"])
            parts, _ = scaled_signals(corpus, corpus.survey, question)
        yield {
            **case,
            "paths": list(corpus.paths),
            "roles": corpus.survey.roles,
            "question": question,
            "parts": parts,
        }
        session.close()
        source.close()


def report(measured: dict[str, list[Case]]) -> None:
    every = [case for cases in measured.values() for case in cases]
    print(f"{'':28} {'hit@1':>6} {'r@5':>6} {'r@10':>6} {'mrr':>6}   of {len(every)} cases")
    row("all signals", every)
    for name in WEIGHTS:
        row(f"{name} alone", every, weights={name: 1.0})
    for name in WEIGHTS:
        row(f"without {name}", every, weights={key: w for key, w in WEIGHTS.items() if key != name})
    for name, weight in WEIGHTS.items():
        for factor in (0.5, 2.0):
            row(f"{name} x {factor}", every, weights={**WEIGHTS, name: weight * factor})
    row("no demotion by role", every, roles=dict.fromkeys(ROLES, 1.0))
    for repo, cases in measured.items():
        row(repo, cases)


def row(name: str, cases: list[Case], **choice: Any) -> None:
    figures = [metrics(case, lambda case: ranked(case, **choice)) for case in cases]
    means = (sum(column) / len(cases) for column in zip(*figures, strict=True))
    print(f"{name:28} " + " ".join(f"{mean:6.3f}" for mean in means), flush=True)


def ranked(case: Case, **choice: Any) -> list[str]:
    return [case["paths"][file] for _, file in scored(case, **choice)]


def scored(case: Case, **choice: Any) -> list[tuple[float, int]]:
    """Return (score, file), best first."""
    survey: Any = SimpleNamespace(roles=case["roles"])
    return order(case["parts"], survey, case["question"], **choice)


def metrics(case: Case, rank: Callable[[Case], list[str]]) -> Metrics:
    paths, truth = rank(case), set(case["files"])
    first = next((at for at, path in enumerate(paths, 1) if path in truth), 0)
    five, ten = (len(truth.intersection(paths[:depth])) / len(truth) for depth in (5, 10))
    return float(first == 1), five, ten, 1 / first if first else 0.0


if __name__ == "__main__":
    main()
