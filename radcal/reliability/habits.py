"""Shares of reports that have something: per radiologist with the limits of chance, over time, and in quarters.

Reports are counted as if each stood by itself; a radiologist's reports of one day or patient may be alike, so that
intervals are rather too narrow than too wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.comparison import rate_funnel
from radcal.reliability.comparison_records import Comparison, Funnel, Lacking, Member, Others, Period, Place, Unit
from radcal.reliability.habit_records import Habit, Share
from radcal.reliability.trend import following, starts
from radcal.system.coarse import FEWEST, Cell, cell, rounded, together
from radcal.system.intervals import jeffreys, of_cells

if TYPE_CHECKING:
    import pandas as pd

COUNTED: Mapping[Habit, tuple[str, str]] = {
    "hedge": ("hedged", "read"),
    "standard": ("standard", "read"),
    "follow-up": ("follow_up", "searched"),
    "correlation": ("correlation", "searched"),
}
"""The columns of counts that have the reports with something, and those that were searched for it."""
QUARTERS = 4
_FEWEST_IN_QUARTERS = 2 * FEWEST
"""Radiologists from whom on quarters are told: of fewer, a quarter would hold one or two."""


def counted(counts: pd.DataFrame, habit: Habit) -> pd.DataFrame:
    """The counts of one habit: author, day, n (searched) and y (with it), without rows of n = 0."""
    with_it, searched = COUNTED[habit]
    made = counts[["author", "day", searched, with_it]].set_axis(["author", "day", "n", "y"], axis=1)
    return made[made["n"] > 0]


def share(y: float, n: float, least: float, confidence: float) -> Share:
    """y of n reports with their Jeffreys interval; without a value for fewer than ``least`` reports, or none."""
    if n < max(least, 1):
        return Share(n, y)
    low, high = jeffreys(np.array(float(y)), np.array(float(n)), confidence)
    return Share(n, y, y / n, float(low), float(high))


def compare_shares(
    counts: pd.DataFrame, habit: Habit, aliases: Mapping[str, str], *, least: int, confidence: float, seed: int
) -> Comparison:
    """Radiologists beside each other, in the order of their pseudonyms, with the funnel of chance.

    Those with fewer than ``least`` reports have no value and no part in the funnel.

    Args:
        counts: as :func:`counted` returns them.
        aliases: pseudonyms by author.
        seed: of the departments dealt out by chance.
    """
    sums = counts.groupby("author", sort=True)[["n", "y"]].sum()
    names, n, y = sums.index.astype(str).tolist(), sums["n"].to_numpy(float), sums["y"].to_numpy(float)
    enough = n >= max(least, 1)
    low, high = jeffreys(y, n, confidence)
    rest_n, rest_y = n.sum() - n, y.sum() - y
    rest_low, rest_high = jeffreys(rest_y, rest_n, confidence)
    funnel: Funnel | None = None
    places: dict[int, Place] = {}
    if enough.sum() > 1:
        funnel, found = rate_funnel(y[enough], n[enough], seed)
        places = dict(zip(np.flatnonzero(enough).tolist(), found, strict=True))
    members = []
    for i, name in enumerate(names):
        made = Member(name, aliases.get(name, name), float(n[i]), float(y[i]), reason="statements")
        if enough[i]:
            value, ends = float(y[i] / n[i]), (float(low[i]), float(high[i]))
            made = replace(made, value=value, low=ends[0], high=ends[1], place=places.get(i, ""), reason="")
        if rest_n[i] >= max(least, 1):
            rest = float(rest_n[i]), float(rest_y[i] / rest_n[i]), float(rest_low[i]), float(rest_high[i])
            made = replace(made, others=Others(*rest))
        members.append(made)
    ordered = tuple(sorted(members, key=lambda m: m.alias.casefold()))
    reason: Lacking = "" if funnel is not None else "radiologists"
    return Comparison("", habit, ordered, (), funnel=funnel, confidence=confidence, fewest=least, reason=reason)


def periods(counts: pd.DataFrame, unit: Unit, *, least: int, confidence: float) -> tuple[Period, ...]:
    """The share in each month or quarter with reports; ``counts`` as :func:`counted` returns them."""
    if counts.empty:
        return ()
    sums = counts[["n", "y"]].groupby(starts(counts["day"], unit)).sum().sort_index()
    made = []
    for first, n, y in zip(sums.index, sums["n"].tolist(), sums["y"].tolist(), strict=True):
        start, of = first.date(), share(y, n, least, confidence)
        reason: Lacking = "" if of.value is not None else "statements"
        made.append(Period(start, following(start, unit), n, of.value, of.low, of.high, reason=reason))
    return tuple(made)


def cells_of(counts: pd.DataFrame, least: int) -> dict[str, Cell]:
    """What may be told of each radiologist whose band of reports lies at or above ``least``."""
    sums = counts.groupby("author", sort=True)[["n", "y"]].sum()
    made = {str(author): cell(n, y) for author, n, y in sums.itertuples(name=None)}
    return {author: c for author, c in made.items() if c is not None and c.n.low >= least}


def quarters(cells: Mapping[str, Cell]) -> dict[str, int]:
    """In which quarter of the radiologists each lies by the share to 5 points: 1 (lowest) to 4.

    Of equal shares each has the middle place, (those below + half of those alike) / all.  Because it is worked out from
    the cells alone, it tells nobody's exact figures.  Empty for fewer than 10 radiologists, and where more than half of
    all have one share, so that no quarter could be told from the next.
    """
    rates = np.array([c.rate for c in cells.values()])
    if len(rates) < _FEWEST_IN_QUARTERS or np.unique(rates, return_counts=True)[1].max() > len(rates) / 2:
        return {}
    below = (rates[None, :] < rates[:, None]).sum(axis=1)
    alike = (rates[None, :] == rates[:, None]).sum(axis=1)
    place = (below + alike / 2) / len(rates)
    return {a: min(int(p * QUARTERS) + 1, QUARTERS) for a, p in zip(cells, place.tolist(), strict=True)}


def of_others(cells: Mapping[str, Cell], author: str, confidence: float) -> Share | None:
    """The share of all others together, worked out from their cells; None for too few others."""
    others = [c for name, c in cells.items() if name != author]
    found = together(others)
    if found is None or not found[0]:
        return None
    n, y = found
    return Share(n, y, rounded(y / n), *of_cells(others, confidence))
