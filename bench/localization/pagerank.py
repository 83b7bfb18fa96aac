"""Whether personalised PageRank over resolved edges improves the order of files.

    MIRROR=DIR python bench/localization/pagerank.py CASES.jsonl [--every 3] [--cache DIR]

Cases are those of ``signals.py`` or, with ``relevant`` for ``files`` and ``commit`` for ``parent``, those
of ``../code_search.py``; of each repository every n-th is taken. A walk starts at what the other signals
rank first, follows an edge of its file or symbol in either direction, and starts again with a probability
of 1 - damping. What it finds is added as one more signal. The weight of each row is chosen on all
repositories but one and measured on that one.
"""

import argparse
import json
import math
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import signals as base
from code_search import ndcg

from mneme_git.store.code_history import GitHistory
from mneme_git.store.code_tree import RevisionSource
from mneme_git.store.discover import locate
from mneme_indexer.answers import Settings
from mneme_indexer.api import CodeIndex
from mneme_indexer.corpus_of_view import IndexedCorpus
from mneme_indexer.db.session import Session
from mneme_indexer.rank.fusion import WEIGHTS, scaled_signals
from mneme_indexer.rank.question import question_of
from mneme_indexer.related import Edges

Case = dict[str, Any]
Graph = dict[str, list[tuple[str, float]]]  # node -> (neighbour, share of the walk)
SEEDS = 10
INSIDE = 0.2  # of an edge between a symbol and its file
ROUNDS = 12
KINDS = {"imports": 1.0, "calls": 1.0, "extends": 1.0, "implements": 1.0, "references": 0.5}
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mneme-pagerank")
    options = parser.parse_args()
    by_repo: dict[str, list[Case]] = defaultdict(list)
    for line in options.cases.read_text("utf-8").splitlines():
        row = json.loads(line)
        files = row.get("files") or list(row["relevant"])
        by_repo[row["repo"]].append({**row, "parent": row.get("parent") or row["commit"], "files": files})
    folder = options.cache / options.cases.stem
    report({repo: kept(repo, rows[:: options.every], folder) for repo, rows in by_repo.items()})


def kept(repo: str, cases: Sequence[Case], cache: Path) -> list[Case]:
    """Return the cases of a repository with signals and edges, computed at most once."""
    path = cache / f"{repo}-{len(cases)}.pickle"
    return base.computed_once(path, lambda: measured(repo, cases, cache))


def measured(repo: str, cases: Sequence[Case], cache: Path) -> Iterator[Case]:
    clone = base.clone_of(repo, cache)
    location = locate(clone, os.environ)
    edges: dict[str, Any] = {}
    for case in cases:
        source = RevisionSource(location, case["parent"])
        with CodeIndex(clone / ".git/mneme", source, GitHistory(location), Settings(), view="case") as index:
            index.refresh()
        session = Session(clone / ".git/mneme", "case", print)
        with session.reading() as reader:
            corpus = IndexedCorpus(reader, source)
            if case["parent"] not in edges:
                edges = {case["parent"]: edges_of(corpus, Edges(reader, source))}
            question = question_of(case["query"])
            parts, symbols = scaled_signals(corpus, corpus.survey, question)
            ends = {
                f"{corpus.paths[file]}::{corpus.symbols(file)[at].qualified}": score
                for file, scores in symbols.items()
                for at, score in scores.items()
            }
        yield {
            **case,
            "paths": list(corpus.paths),
            "roles": corpus.survey.roles,
            "question": question,
            "parts": parts,
            "symbols": ends,
            "edges": edges[case["parent"]],
        }
        session.close()
        source.close()


def edges_of(corpus: IndexedCorpus, edges: Edges) -> list[tuple[str, str, float]]:
    """Return (from, to, weight) between the symbols and files of a snapshot."""
    rows = [row for path in corpus.paths for row in edges.of_file(path)]
    return [(row.src, row.dst, KINDS[row.kind] * row.confidence) for row in rows]


def report(measured: dict[str, list[Case]]) -> None:
    every = [case for cases in measured.values() for case in cases]
    is_graded = "relevant" in every[0]
    heads = ("ndcg",) if is_graded else ("hit@1", "r@5", "r@10", "mrr")
    print(f"{'':34} " + " ".join(f"{head:>6}" for head in heads) + f"   of {len(every)} cases")
    print(f"{'without':34} " + shown(mean([figures(case, 0.0) for case in every])))
    for name in ("files", "files, forwards", "symbols"):
        for damping in (0.5, 0.85):
            for case in every:
                case["found"] = walk_of(case, name, damping)
            table = {
                share: {repo: [figures(case, share) for case in cases] for repo, cases in measured.items()}
                for share in SHARES
            }
            for share in SHARES[1:]:
                rows = [row for rows in table[share].values() for row in rows]
                print(f"{f'{name}, damping {damping}, weight {share}':34} " + shown(mean(rows)), flush=True)
            if len(measured) > 1:
                row = mean(held_out(table))
                print(f"{f'{name}, damping {damping}, held out':34} " + shown(row), flush=True)


def held_out(table: dict[float, dict[str, list[tuple[float, ...]]]]) -> list[tuple[float, ...]]:
    """Return the figures of each repository with the weight that is best, by the last figure, on the others."""
    found: list[tuple[float, ...]] = []
    for repo in table[0.0]:
        others = {
            share: mean([row for name, rows in by_repo.items() if name != repo for row in rows])[-1]
            for share, by_repo in table.items()
        }
        found += table[max(others, key=lambda share: (round(others[share], 9), -share))][repo]
    return found


def figures(case: Case, share: float) -> tuple[float, ...]:
    if share:
        case = {**case, "parts": {**case["parts"], "walk": case["found"]}}
    paths = base.ranked(case, weights={**WEIGHTS, "walk": share})
    if "relevant" in case:
        return (ndcg(paths, case["relevant"]),)
    return base.metrics(case, lambda _: paths)


def mean(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def shown(row: Sequence[float]) -> str:
    return " ".join(f"{value:6.3f}" for value in row)


def walk_of(case: Case, name: str, damping: float) -> dict[int, float]:
    """Return for each file where the walk is, the most visited one having 1."""
    numbers = {path: file for file, path in enumerate(case["paths"])}
    best = base.scored(case)[:SEEDS]
    seeds = symbol_seeds(case, best) if name == "symbols" else {case["paths"][file]: s for s, file in best}
    visited = walk(graph_of(case["edges"], name), seeds, damping)
    by_file: dict[int, float] = defaultdict(float)
    for node, part in visited.items():
        file = numbers.get(node.partition("::")[0])
        if file is not None:
            by_file[file] += part
    highest = max(by_file.values(), default=1.0)
    return {file: part / highest for file, part in by_file.items()}


def symbol_seeds(case: Case, best: Sequence[tuple[float, int]]) -> dict[str, float]:
    """Return the symbols of the best files, each file's score shared out among those that matched."""
    seeds: dict[str, float] = {}
    for score, file in best:
        path = case["paths"][file]
        own = {end: worth for end, worth in case["symbols"].items() if end.partition("::")[0] == path}
        whole = sum(own.values())
        seeds |= {end: score * worth / whole for end, worth in own.items()} if whole else {path: score}
    return seeds


_graphs: dict[tuple[int, str], Graph] = {}


def graph_of(edges: Sequence[tuple[str, str, float]], name: str) -> Graph:
    """Return the shares of a walk; symbols are joined to their files."""
    key = (id(edges), name)
    if key in _graphs:
        return _graphs[key]
    if name == "symbols":
        inside = {(end, end.partition("::")[0], INSIDE) for row in edges for end in row[:2] if "::" in end}
        edges = [*edges, *inside]
    else:
        edges = [(src.partition("::")[0], dst.partition("::")[0], weight) for src, dst, weight in edges]
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for src, dst, weight in edges:
        if src != dst:
            weights[src][dst] += weight
            if name != "files, forwards":
                weights[dst][src] += weight
    graph = _graphs[key] = {}
    for node, row in weights.items():
        damped = {other: math.sqrt(weight) for other, weight in sorted(row.items())}
        whole = sum(damped.values())
        graph[node] = [(other, weight / whole) for other, weight in damped.items()]
    return graph


def walk(graph: Graph, seeds: dict[str, float], damping: float) -> dict[str, float]:
    """Personalised PageRank by repeated multiplication; where no edge leads on the walk starts again."""
    whole = sum(seeds.values())
    if not whole:
        return {}
    start = {node: part / whole for node, part in seeds.items()}
    here = dict(start)
    for _ in range(ROUNDS):
        there: dict[str, float] = defaultdict(float)
        for node, part in here.items():
            for other, share in graph.get(node, ()):
                there[other] += damping * part * share
        lost = 1 - sum(there.values())
        for node, part in start.items():
            there[node] += lost * part
        here = dict(there)
    return here


if __name__ == "__main__":
    main()
