"""Points in time as records write them, as numbers, without a clock."""

import re

from mneme_git.text.dates import day_number

_INSTANT = re.compile(r"([0-9-]{10})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?Z", re.ASCII)
_FIRST_DAY = 719_163  # 1970-01-01
DAY_SECONDS = 86_400


def epoch_milliseconds(text: str) -> int | None:
    """Return the milliseconds from 1970-01-01 to ``YYYY-MM-DDTHH:MM:SSZ``, None if it is no such text.

    A fraction of the second is cut to milliseconds.
    """
    found = _INSTANT.fullmatch(text)
    if found is None:
        return None
    day = day_number(found[1])
    hour, minute, second = int(found[2]), int(found[3]), int(found[4])
    if day is None or hour > 23 or minute > 59 or second > 60:
        return None
    seconds = (day - _FIRST_DAY) * DAY_SECONDS + hour * 3600 + minute * 60 + second
    return seconds * 1000 + int((found[5] or "0").ljust(3, "0")[:3])


def epoch_seconds(text: str) -> int | None:
    """Return the whole seconds of ``epoch_milliseconds``."""
    milliseconds = epoch_milliseconds(text)
    return None if milliseconds is None else milliseconds // 1000
