"""Every code that the reading of a store can give is in the list that people look up."""

import re
from pathlib import Path

import pytest

import mneme_git
from mneme_git.model.faults import FAULT_CODES

ROOT = Path(mneme_git.__file__).parent
SPEAKING = [
    *sorted((ROOT / "store").glob("*.py")),
    ROOT / "decisions/consistency.py",
    ROOT / "decisions/state_faults.py",
    ROOT / "app/verify.py",
]
_GIVEN = re.compile(r"(?:Fault\(\s*code=|_fault\(\s*|_grouped\(\s*)\"([A-Z_]{4,})\"")


@pytest.mark.parametrize("file", SPEAKING, ids=lambda file: file.name)
def test_the_codes_of_a_module_are_in_the_list(file):
    assert set(_GIVEN.findall(file.read_text())) <= FAULT_CODES.keys()


def test_every_code_in_the_list_is_given_somewhere():
    said = "\n".join(file.read_text() for file in ROOT.rglob("*.py") if file.name != "faults.py")
    kinds = {"PROPOSAL", "VERDICT", "MEMORY"}
    unused = {code for code in FAULT_CODES if f'"{code}"' not in said}
    assert unused <= {f"DAMAGED_{kind}" for kind in kinds}, "those are put together from the kind"
