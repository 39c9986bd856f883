"""The curves and bands that a reliability diagram can show, one at a time."""

from __future__ import annotations

from enum import StrEnum


class Band(StrEnum):
    """A curve with its band."""

    INTERVAL = "interval"
    """The hedged words together, with the interval of their confirmed rate."""
    LUCK = "luck"
    """The same, with what luck alone gives a calibrated reader."""
    ORDER = "order"
    """The curve that keeps the order of the words, with its consistency region."""
