r"""A text that is judged, split once and then asked about any number of rules.

Every ``find_*`` costs at most one more pass over the text, however many things are looked for: words
and anchors are looked up in tables, the text is never searched once per rule. All offsets count
characters from 0 and are those of the first occurrence.

Inside a judged text an underscore joins words, as it does in Python's ``\b``: ``my_redis`` does not
hold the word ``redis``, ``my-redis`` does.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from mneme_git.text.literals import find_anchored

_JOINED = re.compile(r"\w+")
_ASCII_RUN = re.compile(r"[A-Za-z0-9_]+")
# Words, and between them the ends of sentences and paragraphs, which no phrase goes across.
_STREAM = re.compile(r"""[^\W_]+|[.!?…](?=["'”’)\]]*(?:\s|$))|[。！？]|\n[^\S\n]*\n""")
_TERMINAL = ""
# Of what names and paths are made. What may stand behind a name: a version (`@18`), a path inside of it
# (`/client`) or the end of a sentence, but nothing that makes it another name.
_NAME_RUN = re.compile(r"[\w@./-]+")
_BEHIND = r"(?![\w-]|\.\w)"
_NAME_END = re.compile(_BEHIND)


class ScannedText:
    """One text and the tables made of it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _words(self) -> Mapping[str, int]:
        r"""How often each ``\w+`` run occurs, spelled as it is."""
        return Counter(_JOINED.findall(self.text))

    @cached_property
    def _spellings(self) -> Mapping[str, list[str]]:
        spellings: dict[str, list[str]] = {}
        for word in self._words:
            spellings.setdefault(word.casefold(), []).append(word)
        return spellings

    @cached_property
    def _phrase_words(self) -> frozenset[str]:
        return frozenset(
            part for word in self._spellings for part in (word.split("_") if "_" in word else (word,))
        )

    @cached_property
    def _ascii_runs(self) -> Mapping[str, int]:
        if self.text.isascii():
            return self._words
        runs: Counter[str] = Counter()
        for word, count in self._words.items():
            for run in (word,) if word.isascii() else _ASCII_RUN.findall(word):
                runs[run] += count
        return runs

    def find_terms(self, terms: Iterable[str]) -> dict[str, int]:
        r"""Return the offset of each term that occurs as a whole word, in any case.

        A term is one word. The edges of a word are those of Python's ``\b``.
        """
        wanted: dict[str, list[str]] = {}
        for term in terms:
            for spelling in self._spellings.get(term.casefold(), ()):
                wanted.setdefault(spelling, []).append(term)
        found: dict[str, int] = {}
        for match in _JOINED.finditer(self.text) if wanted else ():
            for term in wanted.pop(match[0], ()):
                found.setdefault(term, match.start())
            if not wanted:
                break
        return found

    def find_names(self, names: Iterable[str]) -> dict[str, int]:
        """Return the offset of each name that occurs as a whole, in any case.

        A name may hold marks: ``react-dom`` is in ``react-dom/client`` and ``react-dom@18``, not in
        ``react-dom-router``, ``@types/react-dom`` or ``./react-dom``. Only names all of whose words occur are
        searched for.
        """
        likely = {
            name.lower(): name
            for name in names
            if all(word in self._spellings for word in _JOINED.findall(name.casefold()))
        }
        odd = [lowered for lowered in likely if not _NAME_RUN.fullmatch(lowered)]
        found = self._named_runs(set(likely).difference(odd))
        for lowered in odd:  # `c++` or `group:artifact`: too few to be worth a table
            hit = re.search(rf"(?<![\w@./-]){re.escape(lowered)}{_BEHIND}", self.text, re.IGNORECASE)
            if hit is not None:
                found[lowered] = hit.start()
        return {likely[lowered]: offset for lowered, offset in found.items()}

    def _named_runs(self, wanted: set[str]) -> dict[str, int]:
        """Return where a run of name characters first is, or goes on from, each of the lower-cased names."""
        found: dict[str, int] = {}
        longest = max(map(len, wanted), default=0)
        for run in _NAME_RUN.finditer(self.text) if wanted else ():
            start = run[0][: longest + 2].lower()
            for end in range(1, min(len(start), longest) + 1):
                if start[:end] in wanted and start[:end] not in found and _NAME_END.match(start, end):
                    found[start[:end]] = run.start()
        return found

    def find_phrases(self, phrases: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
        """Return the offset of each phrase (folded words) whose words follow one another in the text.

        Anything but letters and digits may stand between the words, except the end of a sentence
        (``.``, ``!`` or ``?`` before white space) or an empty line. An empty phrase never occurs.
        """
        likely = {phrase for phrase in phrases if phrase and self._phrase_words.issuperset(phrase)}
        if not likely:
            return {}
        stream = [word.casefold() for word in _STREAM.findall(self.text)]
        first = _first_positions(stream, _tree(likely))
        offsets = self._stream_offsets(first.values())
        return {phrase: offsets[index] for phrase, index in first.items()}

    def _stream_offsets(self, indexes: Iterable[int]) -> dict[int, int]:
        wanted = set(indexes)
        if not wanted:
            return {}
        matches = islice(_STREAM.finditer(self.text), max(wanted) + 1)
        return {index: match.start() for index, match in enumerate(matches) if index in wanted}

    def find_literals(self, values: Iterable[str]) -> dict[str, int]:
        """Return the offset of each value that occurs exactly, with free edges.

        Edges and equality are those of ``text/literals.py``.
        """
        return find_anchored(self.text, values, self._ascii_runs)


def _tree(phrases: Iterable[tuple[str, ...]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for phrase in phrases:
        node = tree
        for word in phrase:
            node = node.setdefault(word, {})
        node[_TERMINAL] = phrase
    return tree


def _first_positions(stream: list[str], tree: dict[str, Any]) -> dict[tuple[str, ...], int]:
    """Return where each phrase of ``tree`` first begins in ``stream``."""
    first: dict[tuple[str, ...], int] = {}
    for start in [index for index, word in enumerate(stream) if word in tree]:
        node, at = tree, start
        while at < len(stream) and stream[at] in node:
            node, at = node[stream[at]], at + 1
            if _TERMINAL in node:
                first.setdefault(node[_TERMINAL], start)
    return first
