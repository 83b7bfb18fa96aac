"""The words in docs/reference/adr-files.md are those of the reader."""

from pathlib import Path

from mneme_git.decisions.adr_words import BACKWARD, PAUSED_WORDS, STATUS_WORDS
from mneme_git.decisions.directives import KINDS

PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "adr-files.md").read_text()


def test_every_status_word_is_in_its_row():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    for word, lifecycle in STATUS_WORDS.items():
        if word not in {"superceded", "superseeded"}:  # the usual misspellings
            assert any(word in row and lifecycle.value in row for row in rows), word
    assert all(word in PAGE for word in PAUSED_WORDS if "-" not in word)


def test_every_directive_and_the_usual_relations_are_told():
    assert all(f"- {kind}: " in PAGE for kind in KINDS)
    assert all(phrase in PAGE for phrase in BACKWARD if phrase.startswith(("superseded", "replaced")))
