"""A small repository with code in it, and the answers of commands about it."""

import json

CART = "class Cart:\n    def total(self):\n        return add(1, 2)\n\n\ndef add(a, b):\n    return a + b\n"


def with_a_cart(repo):
    repo.write("shop/cart.py", CART)
    repo.commit_all("a cart")
    return repo


def rows(ran):
    """Return the JSON lines of a command that succeeded."""
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]
