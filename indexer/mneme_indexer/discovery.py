"""The optional model that narrows what ranking found. Pure: prompts out, answers in, no network.

The model can only remove. Its answer must put every number into exactly one of two lists; an answer that
does not, or that removes everything, removes nothing and is a reason to tell.
"""

import json
import re
from collections.abc import Callable, Sequence

from mneme_indexer.answers import ContextSymbol

NOT_CONFIGURED = "no-discovery-model-configured"
UNAVAILABLE = "discovery-model-unavailable"
_MOST_SIGNATURE = 100
_FENCE = re.compile(r"\A\s*```[a-z]*\n(.*?)\n?```\s*\Z", re.DOTALL)

SYSTEM = (
    "You are a relevance filter for code search. You get a task and numbered candidates. Answer with JSON"
    ' only: {"keep": [numbers], "drop": [numbers]}. Every number stands in exactly one list. No prose, no'
    " code fence. If you are not sure, keep. Drop only what clearly does not bear on the task."
)


Ask = Callable[[str, str], str]  # system and user text to the model's answer
# What would be shown, to the positions that stay and why the model was not heard (empty if it was).
Narrow = Callable[[Sequence[ContextSymbol]], tuple[frozenset[int], str]]


class ModelFailed(Exception):
    """The model gave no answer; the text says why in a few words."""


class BrokenAnswer(ValueError):
    """An answer that does not keep to the form."""


def narrowing(task: str, hint: str, ask: Ask) -> Narrow:
    """Return what asks the model about candidates; whatever goes wrong keeps all of them."""

    def narrow(candidates: Sequence[ContextSymbol]) -> tuple[frozenset[int], str]:
        try:
            return kept_of(ask(SYSTEM, prompt(task, hint, candidates)), len(candidates)), ""
        except (ModelFailed, BrokenAnswer) as error:
            return frozenset(range(len(candidates))), f"{UNAVAILABLE}: {error}"

    return narrow


def prompt(task: str, hint: str, candidates: Sequence[ContextSymbol]) -> str:
    """Return the text for the model; candidates are numbered from 1."""
    rows = [f"TASK: {task}", f"HINT: {hint or '(none)'}", "", "CANDIDATES:"]
    for number, candidate in enumerate(candidates, 1):
        first, last = candidate.lines
        rows.append(f"{number}. {candidate.name} ({candidate.kind}) {candidate.file}:{first}-{last}")
        rows.append(f"   {' '.join((candidate.signature or '').split())[:_MOST_SIGNATURE]}")
    return "\n".join(rows)


def kept_of(answer: str, count: int) -> frozenset[int]:
    """Return the positions, from 0, that an answer keeps.

    Raises:
        BrokenAnswer: it is not the JSON that was asked for, or keeps nothing.
    """
    fenced = _FENCE.match(answer)
    try:
        found = json.loads(fenced[1] if fenced else answer)
    except (ValueError, RecursionError) as error:
        raise BrokenAnswer("the answer is not JSON") from error
    keep, drop = (_numbers(found, name) for name in ("keep", "drop"))
    if sorted(keep + drop) != list(range(1, count + 1)):
        raise BrokenAnswer("the answer does not put every number into exactly one list")
    if count and not keep:
        raise BrokenAnswer("the answer keeps nothing")
    return frozenset(number - 1 for number in keep)


def _numbers(found: object, name: str) -> list[int]:
    numbers = found.get(name) if isinstance(found, dict) else None
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise BrokenAnswer(f'the answer has no list of numbers "{name}"')
    return numbers
