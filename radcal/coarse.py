"""Figures about people in pages and files for others: too coarse to be turned into anybody's exact figures.

Whoever knows their own exact figures can subtract them from a total, and whoever has the pages of two periods can
subtract one from the other.  What is shown of a reader is therefore a :class:`Cell`: how often something was said as a
band, how often it was confirmed to 5 points.  Everything shown of several readers together is worked out from their
cells, never from their exact figures.  Hence no sum, no difference and no combination of such documents, with any number
of readers' own exact figures, tells more of another reader than that reader's cells.

Source: threshold, rounding and the differencing problem as in Hundepool et al., "Statistical Disclosure Control"
(Wiley, 2012), chapters 4 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import count as counting
from itertools import takewhile
from typing import NamedTuple

FEWEST = 5
"""k: a cell needs so many statements, what is shown of a pathology so many readers, and "all others" so many others."""
STEP = 0.05
"""Rates, errors and their intervals are multiples of this: 5 points."""
_FIRST = (FEWEST, 10, 20, 30)
_SLACK = 1e-9


class Band(NamedTuple):
    """Counts from ``low`` to ``high``, both included."""

    low: int
    high: int

    @property
    def middle(self) -> float:
        """What stands for the counts of the band."""
        return (self.low + self.high) / 2


class Cell(NamedTuple):
    """Statements, as a band, and the share of them that was confirmed, a multiple of STEP."""

    n: Band
    rate: float


def band(n: float) -> Band:
    """The band of a count: 0-4, 5-9, 10-19, 20-29, 30-49, 50-99, 100-199, 200-499, 500-999, 1000-1999, ...

    Raises:
        ValueError: a negative count, or none.
    """
    if not (n >= 0 and math.isfinite(n)):
        raise ValueError("A count is 0 or more.")
    low = 0
    for edge in _edges():
        if n < edge - _SLACK:
            return Band(low, edge - 1)
        low = edge
    raise AssertionError  # the edges have no end


def edges(most: float) -> tuple[int, ...]:
    """The first counts of the bands, up to ``most``."""
    return tuple(takewhile(lambda edge: edge <= most, _edges()))


def _edges() -> Iterator[int]:
    yield from _FIRST
    for power in counting(1):
        for first in (1, 2, 5):
            if (edge := first * 10**power) > _FIRST[-1]:
                yield edge


def rounded(value: float) -> float:
    """A share or an error to the nearest multiple of STEP; halves go up."""
    return round(math.floor(value / STEP + 0.5 + _SLACK) * STEP, 2)


def outward(low: float, high: float) -> tuple[float, float]:
    """An interval with its ends at multiples of STEP, and nothing of it lost."""
    return round(math.floor(low / STEP + _SLACK) * STEP, 2), round(math.ceil(high / STEP - _SLACK) * STEP, 2)


def cell(n: float, confirmed: float) -> Cell | None:
    """What may be shown of ``n`` statements; None for fewer than FEWEST."""
    return Cell(band(n), rounded(confirmed / n)) if n >= FEWEST else None


def cells(readers: Iterable[tuple[float, float]]) -> list[Cell]:
    """The cells of readers' statements and confirmed ones, of those that have one."""
    return [made for n, y in readers if (made := cell(n, y)) is not None]


def together(parts: Iterable[Cell]) -> tuple[float, float] | None:
    """About how many statements some readers' cells hold together, and how many of them confirmed.

    None for fewer than FEWEST readers.
    """
    known = list(parts)
    if len(known) < FEWEST:
        return None
    return sum(c.n.middle for c in known), sum(c.n.middle * c.rate for c in known)
