import pytest

from mneme_git.memories.content import content_key
from mneme_git.model.memory import FileAnchor, MemoryKind, MemoryScope, SymbolAnchor
from tests.support.memories import memory

FULL = {"task": "t", "files": ("a.py", "b.py"), "identifiers": ("f", "g"), "tags": ("x", "y")}


@pytest.mark.parametrize(
    "other",
    [
        {"created_at": "2027-01-01T00:00:00Z"},
        {"author": "somebody"},
        {"branch": "feature"},
        {"source": "import"},
        {"supersedes": ("0" * 32,)},
        {"files": (FileAnchor(path="a.py", blob="1" * 40), "b.py")},
        {"identifiers": (SymbolAnchor(name="f", text_sha256="2" * 64), "g")},
        {"tags": ("y", "x")},
        {"files": ("b.py", "a.py", "a.py")},
    ],
)
def test_when_where_and_by_whom_make_no_other_content(other):
    assert content_key(memory("body", **{**FULL, **other})) == content_key(memory("body", **FULL))


@pytest.mark.parametrize(
    "other",
    [
        {"kind": MemoryKind.TODO},
        {"scope": MemoryScope.GLOBAL},
        {"task": ""},
        {"files": ("a.py",)},
        {"identifiers": ("f",)},
        {"tags": ("x", "Y")},
        {"tags": ("f", "g"), "identifiers": ("x", "y")},
    ],
)
def test_what_is_said_and_of_what_makes_the_content(other):
    assert content_key(memory("body", **{**FULL, **other})) != content_key(memory("body", **FULL))


def test_a_body_counts_to_the_byte():
    keys = {content_key(memory(body)) for body in ("\u00e9", "e\u0301", "\u00e9\n", "\u00e9\r\n", "\u00c9")}
    assert len(keys) == 5


def test_the_key_never_drifts():
    assert (
        content_key(memory("body", **FULL))
        == "a853da5c3437327b8e1327245c3f2764dae38c182849d25601fabdd3b91e970f"
    )
