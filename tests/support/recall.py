"""Memories to recall, and what recall should answer, computed without an index."""

from collections import Counter

from mneme_git.memories.content import content_key
from mneme_git.model.codec import encode_memory, name_of_bytes
from mneme_git.model.memory import FileAnchor, Memory, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.store.recall_index import Filters, RecallIndex
from mneme_git.store.recall_terms import hashes
from mneme_git.text.english import FUNCTION_STEMS
from mneme_git.text.recall_score import LENGTHS, Asked, closeness, length_class, posting_byte, weight, worths
from mneme_git.text.recall_words import asked_terms, kept_terms


def memory(body, *, at=0, kind="decision", scope="project", files=(), identifiers=(), **more):
    return Memory(
        kind=MemoryKind(kind),
        scope=MemoryScope(scope),
        body=body,
        files=tuple(FileAnchor(path=path) for path in files),
        identifiers=tuple(SymbolAnchor(name=name) for name in identifiers),
        created_at=f"2026-01-01T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}Z",
        **more,
    )


def name_of(record):
    return name_of_bytes(encode_memory(record))


def named(records):
    return {name_of(record): record for record in records}


def opened(folder, records=(), **options):
    index = RecallIndex(folder, content_key=content_key, **options)
    if records:
        index.add(named(records))
    return index


def bodies(index, query, records, *, limit=20, **filters):
    """Return the bodies of what is found when all ``records`` are visible, best first."""
    by_name = named(records)
    return [
        by_name[hit.name].body for hit in index.search(query, Filters(**filters), frozenset(by_name), limit)
    ]


def found_by_force(query, records, *, limit=20, second_look=50):
    """Return (name, score) of visible memories that have only a body, by scoring each of them."""
    asked = asked_terms(query)
    terms = {name: kept_terms(record.body) for name, record in named(records).items()}
    counts = {name: Counter([*found.sequence, *found.further]) for name, found in terms.items()}
    kinds = {name: length_class(len(found.sequence)) for name, found in terms.items()}
    length = sum(LENGTHS[kind] for kind in kinds.values())
    having = {
        term: sum(term in found for found in counts.values()) for term in {*asked.sequence, *asked.further}
    }
    weights = {term: weight(term, len(counts), number) for term, number in having.items() if number}
    adds = worths(length / max(1, len(counts)))
    scores = {}
    for term in sorted(weights, key=lambda term: (-weights[term], term)):
        for name, found in counts.items():
            if term in found:
                add = weights[term] * adds[posting_byte(found[term], kinds[name])]
                scores[name] = scores.get(name, 0.0) + add

    by_name = named(records)

    def place(pair):
        return -pair[1], tuple(-ord(char) for char in by_name[pair[0]].created_at), pair[0]

    first = sorted(scores.items(), key=place)[: max(limit, second_look)]
    known = sorted({term for term in asked.sequence if having.get(term)})
    known = [term for term in known if term not in FUNCTION_STEMS] or known
    numbers = dict(zip(known, hashes(known), strict=True))
    sought = Asked(
        [numbers.get(term, 0) for term in asked.sequence],
        {numbers[term]: having[term] for term in known},
        len(counts),
        length,
    )
    closer = closeness(sought, [hashes(terms[name].sequence) for name, _ in first[:second_look]])
    closer += [0.0] * (len(first) - len(closer))
    worth = {name: 0.9 if by_name[name].scope is MemoryScope.GLOBAL else 1.0 for name in by_name}
    scored = [
        (name, (score + close) * worth[name]) for (name, score), close in zip(first, closer, strict=True)
    ]
    return sorted(scored, key=place)[:limit]
