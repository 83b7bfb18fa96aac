"""From ranked files to a reply within its budget: many files first, then more of the best ones."""

from collections.abc import Iterator, Sequence
from json.encoder import encode_basestring
from math import ceil

from msgspec import Struct

from mneme_indexer.answers import TAIL, ContextAnswer, ContextSymbol, Snippet, serialised
from mneme_indexer.rank.corpus import Corpus
from mneme_indexer.rank.fusion import RankedFile
from mneme_indexer.rank.question import Question
from mneme_indexer.rank.snippets import FileText
from mneme_indexer.rank.survey import Survey
from mneme_indexer.rank.within import Choice, rank_symbols, reasons, worded

CHARACTERS = 4  # of a token
# The first pass shows one symbol of each of so many files and spends this share of the budget.
FIRST_FILES = 15
FIRST_SHARE = 0.7
LEAST_TEXT = 240
# A further symbol of a file may take so many characters: more symbols rather than longer ones.
MOST_FURTHER_TEXT = 1200
MOST_SIGNATURE = 200
# The last of the room is for signatures, each with one line: this share of the budget, and at most so much.
SIGNATURES_SHARE = 0.25
MOST_FOR_SIGNATURES = 6000
# Further symbols of a file must be worth this share of its best one.
LEAST_SHARE = 0.2
# What is shown beside a symbol that the task names comes after what is named elsewhere.
BESIDE_NAMED = 0.5
_MOST_FURTHER = 120
_FRAME = 4 + 2 * 20  # the commas between entries, and line numbers of any length
_LARGEST = 99_999_999  # an estimate that is as long as any


class Pick(Struct, frozen=True):
    """A symbol to show, worth ``worth``, with at most ``most_text`` characters of text.

    ``is_further`` if another one of its file is shown before.
    """

    ranked: RankedFile
    file: FileText
    choice: Choice
    worth: float
    most_text: int
    is_further: bool = False


class Packer:
    """A reply that is being filled. Room is counted in characters of the serialised reply."""

    def __init__(self, question: Question, budget: int, fallback_reason: str | None) -> None:
        self._question = question
        self._fallback_reason = fallback_reason
        self._shown: list[tuple[float, ContextSymbol, Snippet]] = []
        self._for_signatures = min(budget * CHARACTERS * SIGNATURES_SHARE, MOST_FOR_SIGNATURES)
        self.room = budget * CHARACTERS - TAIL - len(serialised(self._answer(_LARGEST)))

    def add(self, pick: Pick) -> None:
        """Add a symbol if there is room for some of it and it is new."""
        file = pick.file
        if file.is_shown(pick.choice.symbol):
            return
        symbol = symbol_of(pick, self._question)
        empty = Snippet(file.path, *symbol.lines, "")
        frame = len(serialised(symbol)) + len(serialised(empty)) + _FRAME
        most = min(pick.most_text, self.room - frame)
        is_brief = pick.is_further and self.room < self._for_signatures
        shown = (file.brief if is_brief else file.show)(pick.choice.symbol, most)
        if shown is None:
            return
        snippet = Snippet(file.path, shown.start, shown.end, shown.text)
        cost = frame + len(encode_basestring(shown.text)) - 2
        if cost <= self.room and not self._is_repeated(snippet):
            file.mark(shown)
            self._shown.append((pick.worth, symbol, snippet))
            self.room -= cost

    def answer(self) -> ContextAnswer:
        """Return the reply; its estimate is of the whole of it."""
        size = len(serialised(self._answer(_LARGEST))) + TAIL
        return self._answer(ceil(size / CHARACTERS))

    def _is_repeated(self, snippet: Snippet) -> bool:
        text = snippet.text.strip()
        same_file = (other.text for _, _, other in self._shown if other.file == snippet.file)
        return any(text in other or other.strip() in text for other in same_file)

    def _answer(self, estimate: int) -> ContextAnswer:
        self._shown.sort(key=lambda row: -row[0])  # stable: of equal ones the earlier
        return ContextAnswer(
            symbols=tuple(symbol for _, symbol, _ in self._shown),
            snippets=tuple(snippet for _, _, snippet in self._shown),
            token_estimate=estimate,
            fallback_reason=self._fallback_reason,
        )


def symbol_of(pick: Pick, question: Question) -> ContextSymbol:
    """Return what a reply says of a symbol."""
    file, position = pick.file, pick.choice.symbol
    lines = file.span(position)
    symbol = file.symbols[position] if position >= 0 else None
    why = reasons(pick.choice, symbol, pick.ranked, question)
    if symbol is None:
        name = file.path.rpartition("/")[2]
        return ContextSymbol(
            name=name, kind="module", file=file.path, lines=lines, reasons=why, exported=False
        )
    return ContextSymbol(
        name=symbol.name,
        kind=symbol.kind,
        file=file.path,
        lines=lines,
        reasons=why,
        exported=symbol.exported,
        signature=symbol.signature[:MOST_SIGNATURE] or None,
        container=symbol.container or None,
    )


def picks(
    corpus: Corpus, survey: Survey, question: Question, ranked: Sequence[RankedFile], budget: int
) -> list[Pick]:
    """Return the symbols to show, in the order of trying: one of each file, then more by their worth."""
    firsts: list[Pick] = []
    further: list[tuple[float, Pick]] = []
    allowances = list(_allowances(budget))
    words = worded(question, corpus, survey)
    shown_words = [(word.decode(), worth) for word, worth in words]
    for place, entry in enumerate(_distinct(corpus, ranked, FIRST_FILES)):
        symbols = corpus.symbols(entry.file)
        data = corpus.text(entry.file)
        file = FileText(corpus.paths[entry.file], data, symbols, shown_words)
        first, *others = rank_symbols(entry, symbols, data, question, words)
        firsts.append(Pick(entry, file, first, entry.score, allowances[place]))
        most_reach = max(choice.reach for choice in (first, *others))
        for choice in others:
            worth = _worth(entry, choice, first, choice.score, first.score)
            reach = _worth(entry, choice, first, choice.reach, most_reach)
            if max(choice.score / first.score, choice.reach / most_reach) >= LEAST_SHARE:
                most = min(allowances[0], MOST_FURTHER_TEXT)
                further.append((worth + reach, Pick(entry, file, choice, worth, most, is_further=True)))
    further.sort(key=lambda pair: -round(pair[0], 9))  # stable: the better file, then the earlier symbol
    return firsts + [pick for _, pick in further[:_MOST_FURTHER]]


def pack(
    chosen: Sequence[Pick], question: Question, budget: int, fallback_reason: str | None = None
) -> ContextAnswer:
    """Return a reply whose serialised form with its tail has at most ``budget`` tokens."""
    packer = Packer(question, budget, fallback_reason)
    for pick in chosen:
        if packer.room < LEAST_TEXT:
            break
        packer.add(pick)
    return packer.answer()


def _distinct(corpus: Corpus, ranked: Sequence[RankedFile], count: int) -> Iterator[RankedFile]:
    """Yield the first ``count`` files, of equal ones the best."""
    seen: set[str] = set()
    for entry in ranked:
        content = corpus.content(entry.file)
        if content and content in seen:
            continue
        seen.add(content)
        yield entry
        count -= 1
        if not count:
            return


def _allowances(budget: int) -> Iterator[int]:
    """Yield the characters of text that each file of the first pass may take, the first one most."""
    shares = [1 / (place + 2) for place in range(FIRST_FILES)]
    spent = budget * CHARACTERS * FIRST_SHARE
    for share in shares:
        yield max(LEAST_TEXT, int(spent * share / sum(shares)))


def _worth(entry: RankedFile, choice: Choice, first: Choice, score: float, best: float) -> float:
    """Return the share of its file's score that a further symbol has, by one of its scores."""
    share = score / best if best else 0.0
    if first.is_exact and not choice.is_exact:
        share *= BESIDE_NAMED
    return round(entry.score * share, 9)
