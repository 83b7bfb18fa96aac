"""Unix seconds as text, in UTC and never in the locale of the machine."""

from datetime import UTC, datetime


def utc_text(seconds: int) -> str:
    """Return the form that records hold: ``YYYY-MM-DDTHH:MM:SSZ``."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def utc_shown(seconds: int) -> str:
    """Return the form that people read: ``YYYY-MM-DD HH:MM:SSZ``."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
