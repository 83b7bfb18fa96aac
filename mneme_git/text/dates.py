"""ISO 8601 calendar and week dates as day numbers, without a clock."""

import re

_CALENDAR = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})", re.ASCII)
_WEEK = re.compile(r"([0-9]{4})-?W([0-9]{2})(?:-?([1-7]))?", re.ASCII)
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAYS_PER_WEEK = 7


def day_number(text: str) -> int | None:
    """Return the day that an ISO 8601 date names, 1 January of year 1 being 1; None if it is no date.

    ``2025-01-31``, ``20250131``, ``2025-W05-5``, ``2025W055`` and ``2025-W05`` (its Monday) are
    dates. A text that mixes the forms with and without ``-`` is not.
    """
    found = _CALENDAR.fullmatch(text)
    if found and text.count("-") in {0, 2}:
        return _calendar_day(int(found[1]), int(found[2]), int(found[3]))
    found = _WEEK.fullmatch(text)
    if found and text.count("-") == (0 if text[4] == "W" else 1 + (found[3] is not None)):
        return _week_day(int(found[1]), int(found[2]), int(found[3] or 1))
    return None


def _calendar_day(year: int, month: int, day: int) -> int | None:
    if year < 1 or not 1 <= month <= len(_MONTH_DAYS):
        return None
    in_month = _MONTH_DAYS[month - 1] + (month == 2 and _is_leap(year))
    if not 1 <= day <= in_month:
        return None
    leap_day_passed = month > 2 and _is_leap(year)
    return _before_year(year) + sum(_MONTH_DAYS[: month - 1]) + leap_day_passed + day


def _week_day(year: int, week: int, weekday: int) -> int | None:
    if year < 1 or not 1 <= week <= _weeks_in(year):
        return None
    day = _first_monday(year) + (week - 1) * _DAYS_PER_WEEK + weekday - 1
    return day if day >= 1 else None


def _first_monday(year: int) -> int:
    """Return the Monday of week 1: the week with the first Thursday of the year."""
    fourth_of_january = _before_year(year) + 4
    return fourth_of_january - (fourth_of_january - 1) % _DAYS_PER_WEEK


def _weeks_in(year: int) -> int:
    return (_first_monday(year + 1) - _first_monday(year)) // _DAYS_PER_WEEK


def _before_year(year: int) -> int:
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
