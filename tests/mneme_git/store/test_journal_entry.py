from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.store.backend import CommitInfo, Signature
from mneme_git.store.journal_entry import FileWritten, JournalEntry, Note, StateWritten, entry_of, message_of

text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
states = st.builds(StateWritten, text, st.sampled_from(["a" * 64, "0" * 64]))
hexes = st.text("0123456789abcdef", min_size=1, max_size=40)
words = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1)
notes = st.builds(
    Note,
    verb=words,
    subject=words,
    plan=hexes,
    branch=words,
    head=hexes,
    worktree=words,
    agent=words,
    states=st.sets(states).map(lambda found: tuple(sorted(found))),
    wrote=st.sets(words).map(lambda found: tuple(sorted(found))),
    removed=st.sets(text).map(lambda found: tuple(sorted(found))),
)


def read(message):
    return entry_of(
        CommitInfo(
            oid="1" * 40,
            tree="2" * 40,
            parents=(),
            author=Signature("Ada", "ada@example.org"),
            author_time=7,
            committer_time=8,
            message=message,
        )
    )


@given(notes, st.integers(1, 10**9))
@settings(deadline=None, max_examples=50)
def test_an_entry_says_what_its_writer_noted(note, sequence):
    assert read(message_of(note, sequence)) == JournalEntry(
        oid="1" * 40, sequence=sequence, time=7, author="Ada <ada@example.org>", note=note
    )


@given(text, text)
@settings(deadline=None, max_examples=50)
def test_a_chosen_name_cannot_forge_a_trailer(subject, decision_id):
    forged = Note(
        verb="add",
        subject=f"{subject}\n\nMneme-Branch: forged",
        branch="main",
        states=(StateWritten(f"{decision_id}\nMneme-Branch: forged", "a" * 64),),
        removed=(f"{subject}\nMneme-Branch: forged",),
    )
    found = read(message_of(forged, 3))
    assert found.note.branch == "main"
    assert found.sequence == 3
    assert found.note.states == forged.states
    assert found.note.removed == forged.removed


def test_an_entry_reads_well_in_git_log():
    note = Note(
        verb="adr import",
        subject="docs/adr",
        plan="0123456789abcdef",
        branch="main",
        worktree="main",
        states=(StateWritten("ADR-7", "a" * 64),),
        wrote=("versions/ab/dver-x.json",),
        removed=(".mneme/decisions/old.json",),
    )
    assert message_of(note, 12) == (
        "mneme: adr-import docs/adr\n\n"
        "Mneme-Sequence: 12\n"
        "Mneme-Plan: 0123456789abcdef\n"
        "Mneme-Branch: main\n"
        "Mneme-Worktree: main\n"
        f'Mneme-State: {"a" * 64} "ADR-7"\n'
        "Mneme-Wrote: versions/ab/dver-x.json\n"
        'Mneme-Removed: ".mneme/decisions/old.json"\n'
    )


def test_a_commit_of_another_hand_is_an_entry_that_says_little():
    for message in ("", "by hand", "mneme: x\n\nMneme-State: \nMneme-Sequence: many\nMneme-Removed: [1]\n"):
        found = read(message)
        assert (found.sequence, found.note.states, found.note.removed) == (0, (), ())


def test_a_file_of_the_work_tree_is_named_with_its_bytes_and_cannot_open_a_line():
    files = (FileWritten(".mneme/project_memory.json", "a" * 64), FileWritten("x\nMneme-Branch: f", "b" * 64))
    found = read(message_of(Note(verb="add", subject="d1", files=files), 1))
    assert found.note.files == files
    assert found.note.branch == ""


def test_the_storage_format_shows_an_entry_as_it_is_written():
    note = Note(
        verb="add",
        subject="ADR-007",
        plan="0123456789abcdef",
        branch="main",
        head="1" * 40,
        worktree="main",
        states=(StateWritten("ADR-007", "a" * 64),),
        wrote=(f"versions/ab/dver-{'ab' * 16}.json",),
        removed=(".mneme/decisions/old.json",),
    )
    page = Path(__file__).parents[3] / "docs" / "reference" / "storage-format.md"
    assert f"```text\n{message_of(note, 12)}```\n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "branch",
    ["main", "café/x", "wide\u3000space", "next\u0085line", "raw\udcff", '"quoted"', '"', "a\u00a0b"],
)
def test_the_name_of_a_branch_is_read_as_it_was_written(branch):
    assert read(message_of(Note(verb="record", subject="x", branch=branch), 1)).note.branch == branch
