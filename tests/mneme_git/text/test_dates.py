from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.text.dates import day_number


@pytest.mark.parametrize(
    "text", ["2025-01-31", "20250131", "2025-W05-5", "2025W055", "2025-W05", "2024-02-29"]
)
def test_every_form_that_iso_8601_has_is_a_day(text):
    assert day_number(text) == date.fromisoformat(text).toordinal()


@pytest.mark.parametrize(
    "text",
    ["", "2025", "2025-1-1", "2025-13-01", "2025-02-29", "2025-0131", "202501-31", "0000-01-01", "2025-W54-1",
     "2025-W05-8", "2025-01-01 10:00", "٢٠٢٥-٠١-٠١", "2025-W055", "2025W05-5", "31.01.2025"],
)  # fmt: skip
def test_what_is_no_date_is_none(text):
    assert day_number(text) is None


@settings(deadline=None)
@given(st.dates())
def test_the_number_is_that_of_the_proleptic_calendar(day):
    week = "{:04d}-W{:02d}-{}".format(*day.isocalendar())
    assert day_number(day.isoformat()) == day_number(day.isoformat().replace("-", "")) == day.toordinal()
    if 1 < day.year < 9999:  # weeks of the first and the last year may lie outside the calendar
        assert day_number(week) == day.toordinal()


@settings(deadline=None)
@given(st.text("0123456789-W", max_size=11))
def test_it_says_what_the_standard_library_says_of_any_text(text):
    try:
        expected = date.fromisoformat(text).toordinal()
    except ValueError:
        expected = None
    if len(text) == 10 and text[4] != "-":  # 3.11 passes over what follows a date without dashes
        expected = None
    assert day_number(text) == expected
