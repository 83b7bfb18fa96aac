from pathlib import Path

import pytest

from mneme_git.app.code_files import files_meant, files_near

PATHS = ("app.py", "lib/cart.py", "shop/cart.py", "shop/x\\xff.py")
ROOT = Path("/nowhere/project")


@pytest.mark.parametrize(
    ("given", "here", "meant"),
    [
        ("cart.py", "shop", ("shop/cart.py",)),
        ("cart.py", ".", ("lib/cart.py", "shop/cart.py")),
        ("shop//cart.py", "lib", ("shop/cart.py",)),
        ("../app.py", "shop", ("app.py",)),
        ("../../app.py", "shop", ()),
        ("/nowhere/project/app.py", "shop", ("app.py",)),
        ("/nowhere/app.py", "shop", ()),
        ("art.py", "shop", ()),
        ("x\udcff.py", "shop", ("shop/x\\xff.py",)),
        (".", "shop", ()),
    ],
)
def test_the_first_rule_that_gives_a_file_holds(given: str, here: str, meant: tuple[str, ...]):
    assert files_meant(given, PATHS, ROOT, ROOT / here) == meant


def test_without_a_folder_the_root_and_the_ends_of_paths_are_left():
    assert files_meant("shop/cart.py", PATHS, None, None) == ("shop/cart.py",)
    assert files_meant("cart.py", PATHS, ROOT, None) == ("lib/cart.py", "shop/cart.py")


def test_only_names_that_are_spelled_alike_are_near():
    assert files_near("shop/crt.py", PATHS) == ("lib/cart.py",)
    assert files_near("nope.py", PATHS) == ()
