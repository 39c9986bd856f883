"""Figures about people in pages and files for others: too coarse to be turned into anybody's exact figures.

Whoever knows their own exact figures can subtract them from a total, and whoever has the pages of two periods can
subtract one from the other.  What is shown of a reader is therefore a :class:`Cell`: how often something was said as a
band, how often it was confirmed to 5 points, of less than 30 statements to more.  Its interval is worked out from the
cell (:func:`radcal.system.intervals.of_cell`): a rate of few statements and its own interval, both to 5 points, would
tell their number.  Everything shown of several readers together is worked out from their cells, never from their exact
figures.  Hence no sum, no difference and no combination of such documents, with any number of readers' own exact
figures, tells more of another reader than that reader's cells.

Source: threshold, rounding and the differencing problem as in Hundepool et al., "Statistical Disclosure Control"
(Wiley, 2012), chapters 4 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import count as counting
from itertools import takewhile
from typing import Any, NamedTuple

FEWEST = 5
"""k: a cell needs so many statements, what is shown of a pathology so many readers, and "all others" so many others."""
STEP = 0.05
"""Rates, errors and their intervals are multiples of this: 5 points."""
_STEPS = ((10, 0.25), (20, 0.2), (30, 0.1))
"""Rates of fewer statements are multiples of this.  In steps of 5 points, 10 % of 5-9 statements could be 1 of 9 alone;
and 0 % must leave open whether none was confirmed or one."""
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
    """Statements, as a band, and the share of them that was confirmed, a multiple of what :func:`step` gives for n."""

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


def step(n: float) -> float:
    """What rates of ``n`` statements are multiples of: 25 points below 10, 20 below 20, 10 below 30, then 5."""
    return next((wide for edge, wide in _STEPS if n < edge - _SLACK), STEP)


def rounded(value: float, to: float = STEP) -> float:
    """A share or an error to the nearest multiple of STEP, or of another step; halves go up."""
    return round(math.floor(value / to + 0.5 + _SLACK) * to, 2)


def outward(low: float, high: float) -> tuple[float, float]:
    """An interval with its ends at multiples of STEP, and nothing of it lost."""
    return round(math.floor(low / STEP + _SLACK) * STEP, 2), round(math.ceil(high / STEP - _SLACK) * STEP, 2)


def cell(n: float, confirmed: float) -> Cell | None:
    """What may be shown of ``n`` statements; None for fewer than FEWEST."""
    return Cell(band(n), rounded(confirmed / n, step(n))) if n >= FEWEST else None


def cells(readers: Iterable[tuple[float, float]]) -> list[Cell]:
    """The cells of readers' statements and confirmed ones, of those that have one."""
    return [shown for n, y in readers if (shown := cell(n, y)) is not None]


def together(parts: Iterable[Cell]) -> tuple[float, float] | None:
    """About how many statements some readers' cells hold together, and how many of them confirmed.

    None for fewer than FEWEST readers.
    """
    known = list(parts)
    if len(known) < FEWEST:
        return None
    return sum(c.n.middle for c in known), sum(c.n.middle * c.rate for c in known)


def plain(value: Any, counts: Collection[str], shares: Collection[str], kept: Collection[str] = ()) -> Any:
    """Plain values for strict JSON without anybody's exact figures.

    Args:
        counts: names of numbers that become bands, "30-49".
        shares: names of numbers that become multiples of STEP; intervals, "..._low" and "..._high", outward.
        kept: names of values that stay as they are, whatever they hold, such as settings.

    Returns:
        The same with every other number left out (null), so that a new figure is not shown by an oversight.
    """
    if isinstance(value, dict):
        return {
            name: figure
            if name in kept
            else _shown(name, figure, counts, shares)
            if _is_number(figure)
            else plain(figure, counts, shares, kept)
            for name, figure in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [plain(figure, counts, shares, kept) for figure in value]
    return None if _is_number(value) else value


def _shown(name: str, number: float, counts: Collection[str], shares: Collection[str]) -> str | float | None:
    """What is shown of a number of this name."""
    if name in counts:
        return range_of(number)
    if name in shares:
        low, high = outward(number, number)
        return low if name.endswith("low") else high if name.endswith("high") else rounded(number)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def range_of(n: float) -> str:
    """The band of a count as tables and JSON have it: "30-49"."""
    limits = band(n)
    return f"{limits.low}-{limits.high}"
