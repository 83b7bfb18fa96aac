"""A writer that dies, as by `kill -9`, just before it makes a certain call."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

DIED = 9


def die_before(owner: Any, name: str, action: Callable[[], Any], *, call: int = 1) -> bool:
    """Run ``action`` in a child that dies at the given call of ``owner.name``; tell whether it died.

    Nothing is cleaned up in the child: no handler, no ``finally``, as in a real kill.
    """
    child = os.fork()
    if child == 0:
        original = getattr(owner, name)
        left = [call]

        def dying(*args: Any, **kwargs: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os._exit(DIED)
            return original(*args, **kwargs)

        setattr(owner, name, dying)
        try:
            action()
        except BaseException:  # the child must not go on as a second test run
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, DIED}, f"the writer failed instead of dying: {code}"
    return code == DIED
