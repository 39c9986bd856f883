"""A value with its interval."""

from __future__ import annotations

from typing import NamedTuple


class Estimate(NamedTuple):
    """A value with the ends of its interval."""

    value: float
    low: float
    high: float
