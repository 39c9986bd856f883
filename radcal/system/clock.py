"""The present time as RadCal stores it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> str:
    """The present time: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def after(before: str) -> str:
    """The present time, or the moment after ``before`` if that is later: UTC, ISO 8601, to the microsecond.

    Args:
        before: a time as this function gives it, '' for none.
    """
    time = datetime.now(UTC)
    if before:
        time = max(time, datetime.fromisoformat(before) + timedelta(microseconds=1))
    return time.isoformat(timespec="microseconds")
