import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.errors import InvalidInput, Refused
from mneme_git.memories.content import content_key
from mneme_git.memories.limits import is_blank
from mneme_git.memories.record import (
    Draft,
    checked,
    draft_key,
    is_outside,
    memory_of,
    name_of,
    normal_path,
    plan_record,
    same_in,
)
from mneme_git.model.codec import decode_memory, encode_memory
from mneme_git.model.memory import FileAnchor, MemoryKind, MemoryScope, SymbolAnchor
from mneme_git.model.memory_view import Mark
from tests.support.memories import NOON, elsewhere, global_memory, here, lost, memory, named, pending, view

GIVEN = {"created_at": NOON, "author": "me", "branch": "main"}


def draft(body="prices are whole cents", **fields):
    return Draft(kind=MemoryKind.LEARNING, body=body, **fields)


AWKWARD = st.sampled_from(
    ["---\ntitle: x\n---\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x", "\r\n", "\r", "\0", "\n", " ", "\t",
     "e\u0301", "é", "👩‍👩‍👧", "\u2028", "\u0085", "\ufeff", "\x1b[0m", '"', "\\", "#", "{", "�"]
)  # fmt: skip
BODIES = (
    st.lists(AWKWARD | st.text(max_size=20), max_size=40).map("".join).filter(lambda text: not is_blank(text))
)


@given(BODIES)
@settings(deadline=None)
def test_a_body_comes_back_byte_for_byte(body):
    made = memory_of(checked(draft(body), allow_secret=True), **GIVEN)
    read, canonical = decode_memory(encode_memory(made))
    assert canonical
    assert read == made
    assert read.body.encode() == body.encode()


@pytest.mark.parametrize("last", ["\n", "\r", "\0", "e\u0301", "👩", " ", "\u2028"])
def test_a_body_of_the_full_length_comes_back_byte_for_byte(last):
    body = ("x" * 16_000 + last)[-16_000:]
    assert decode_memory(encode_memory(memory_of(checked(draft(body)), **GIVEN)))[0].body == body


@pytest.mark.parametrize("body", [" \n\t ", "\u200b", "x" * 16_001, "a\ud800"])
def test_a_body_that_cannot_be_kept_is_refused(body):
    with pytest.raises(InvalidInput, match="body"):
        checked(draft(body))


@pytest.mark.parametrize(
    "fields",
    [
        {"task": "x" * 4_001},
        {"files": ("x",) * 65},
        {"identifiers": ("x" * 257,)},
        {"tags": ("\udc80",)},
        {"source": "x" * 257},
        {"files": ("a\0b",)},
    ],
)
def test_the_other_parts_have_limits_too(fields):
    with pytest.raises(InvalidInput):
        checked(draft(**fields))


@pytest.mark.parametrize("what", ["body", "task", "source", "files", "identifiers", "tags"])
def test_a_secret_is_refused_wherever_it_stands_and_is_not_repeated(what):
    secret = "ghp_" + "x7Kq9ZbT2mWc4VnR8sYd" + "6Lf3Hj5Gp1Qa0Eu9"
    with pytest.raises(Refused) as caught:
        checked(draft(**{what: secret if isinstance(getattr(draft(), what), str) else ("fine", secret)}))
    assert what in caught.value.message
    assert "GitHub" in caught.value.message
    assert secret not in str(caught.value) + caught.value.hint
    assert "allow" not in (caught.value.tool_hint or "")
    checked(draft(**{what: secret if what in ("body", "task", "source") else (secret,)}), allow_secret=True)


def test_a_draft_is_tidied_and_its_body_is_not():
    made = checked(
        draft(
            " body \n",
            files=("./src//a.py", "src/a.py", "src/b/../a.py", "", ".", "lib/"),
            identifiers=(" total ", "total", ""),
            tags=(" db", "db ", "\u200b"),
        )
    )
    assert made.body == " body \n"
    assert (made.files, made.identifiers, made.tags) == (("src/a.py", "lib"), ("total",), ("db",))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a/b.py", "a/b.py"),
        ("./a/./b.py", "a/b.py"),
        ("a//b.py/", "a/b.py"),
        ("a/../b.py", "b.py"),
        ("../b.py", "../b.py"),
        ("a/../../b.py", "a/../../b.py"),
        ("/opt/x.py", "/opt/x.py"),
        ("a b\\c.py", "a b\\c.py"),
        ("..", ".."),
        ("...", "..."),
    ],
)
def test_a_path_is_kept_as_git_writes_it_or_as_it_was_given(given, kept):
    assert normal_path(given) == kept
    assert is_outside(kept) == (kept.startswith("/") or ".." in kept.split("/"))


@given(st.text("a./", max_size=12))
def test_a_normal_path_stays_as_it_is(path):
    assert normal_path(normal_path(path)) == normal_path(path)


def test_the_key_of_a_draft_is_that_of_its_memory():
    full = draft(task="t", files=("b", "a"), identifiers=("f",), tags=("y", "x"), scope=MemoryScope.GLOBAL)
    assert draft_key(full) == content_key(memory_of(full, **GIVEN))


def test_anchors_get_the_hashes_that_were_found():
    made = memory_of(
        draft(files=("a", "b"), identifiers=("f", "g")), **GIVEN, blobs={"a": "1" * 40}, texts={"g": "2" * 64}
    )
    assert made.files == (FileAnchor(path="a", blob="1" * 40), FileAnchor(path="b"))
    assert made.identifiers == (SymbolAnchor(name="f"), SymbolAnchor(name="g", text_sha256="2" * 64))


def test_something_new_is_recorded():
    new = memory("new")
    made = plan_record(new, view(), {})
    assert (made.name, made.memory, made.existed) == (name_of(new), new, False)
    assert made.plan.memories == (new,)
    assert (made.plan.verb, made.plan.subject, made.plan.marks) == ("record", made.name, ())


@pytest.mark.parametrize("stands", [here, pending])
def test_what_a_live_memory_of_this_checkout_says_is_not_recorded_again(stands):
    old = memory("same", created_at="2025-01-01T00:00:00Z", author="a")
    ((name, _),) = named(old).items()
    made = plan_record(memory("same"), view(stands(name)), named(old))
    assert (made.name, made.memory, made.plan, made.existed) == (name, old, None, True)


@pytest.mark.parametrize("stands", [elsewhere, lambda name: pending(name, branch="other")])
def test_what_another_branch_says_is_recorded_for_this_one_byte_for_byte(stands):
    old = memory("same", created_at="2025-01-01T00:00:00Z", branch="other")
    ((name, _),) = named(old).items()
    made = plan_record(memory("same"), view(stands(name)), named(old))
    assert (made.name, made.existed) == (name, True)
    assert made.plan.memories == (old,)


@pytest.mark.parametrize(
    "standing", [lost, lambda name: here(name, forgotten=True), lambda name: here(name, purged=True)]
)
def test_what_is_not_live_does_not_keep_it_from_being_recorded(standing):
    old = memory("same", created_at="2025-01-01T00:00:00Z")
    ((name, _),) = named(old).items()
    made = plan_record(memory("same"), view(standing(name)), named(old))
    assert made.name == name_of(memory("same")) != name
    assert made.plan is not None
    assert made.plan.marks == ()


def test_the_very_same_memory_that_was_forgotten_becomes_live_again():
    old = memory("same")
    made = plan_record(old, view(here(name_of(old), forgotten=True)), named(old))
    assert made.plan.marks == (Mark("unforget", name_of(old)),)


def test_scopes_are_two_contents():
    assert same_in(draft("same"), view(name_of(global_memory("same"))), named(global_memory("same"))) is None


def test_a_memory_that_supersedes_is_not_one_that_does_not():
    plain, replacing = memory("same"), memory("same", supersedes=("0" * 32,))
    assert plan_record(replacing, view(name_of(plain)), named(plain)).existed is False
    assert plan_record(plain, view(name_of(replacing)), named(replacing)).existed is True


def test_of_equal_memories_the_nearest_then_the_earliest_is_given():
    early, late, far = (memory("same", created_at=f"202{n}-01-01T00:00:00Z") for n in (4, 5, 3))
    known = named(early, late, far)
    checkout = view(name_of(early), name_of(late), elsewhere(name_of(far)))
    assert same_in(draft("same"), checkout, known) == name_of(early)
    checkout = view(pending(name_of(early)), name_of(late), elsewhere(name_of(far)))
    assert same_in(draft("same"), checkout, known) == name_of(late)
