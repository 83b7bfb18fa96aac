from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.text.instants import epoch_milliseconds, epoch_seconds


@given(st.integers(0, 250_000_000_000_000))
def test_an_instant_is_counted_as_the_calendar_counts_it(milliseconds):
    when = datetime.fromtimestamp(milliseconds // 1000, UTC)
    text = when.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    assert epoch_milliseconds(f"{text}.{milliseconds % 1000:03d}Z") == milliseconds
    assert epoch_seconds(f"{text}Z") == milliseconds // 1000


@pytest.mark.parametrize(
    "text",
    ["", "2026-01-02", "2026-01-02T12:00:00", "2026-01-02 12:00:00Z", "2026-13-02T12:00:00Z", "2026-01-02T24:00:00Z",
     "2026-01-02T12:60:00Z", "2026-W01-1T12:00:00Z", "2026-01-02T12:00:00+01:00", "٢026-01-02T12:00:00Z"],
)  # fmt: skip
def test_what_is_no_instant_is_none(text):
    assert epoch_milliseconds(text) is None


def test_times_before_the_epoch_and_fractions_are_told():
    assert epoch_milliseconds("1969-12-31T23:59:59.5Z") == -500
    assert epoch_milliseconds("1970-01-01T00:00:00.1239Z") == 123
