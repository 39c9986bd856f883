"""Date ranges, months and quarters of examinations, and the difference between two periods."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING, Literal

import numpy as np

from radcal.system.errors import InputError
from radcal.system.estimates import Estimate
from radcal.system.selection import Days

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

Unit = Literal["month", "quarter"]


def check_days(days: Days) -> None:
    """Refuse an empty date range.

    Raises:
        InputError: the last day is before the first.
    """
    if days.first is not None and days.last is not None and days.last < days.first:
        raise InputError(
            "The days end on {isoformat}, before they begin on {isoformat2}. Name the earlier day first.",
            isoformat=days.last.isoformat(),
            isoformat2=days.first.isoformat(),
        )


def within(times: pd.Series[pd.Timestamp], days: Days) -> NDArray[np.bool_]:
    """Mask (n,) of the times in the date range; a missing time is only in the unlimited range."""
    day = times.to_numpy().astype("datetime64[D]")
    inside: NDArray[np.bool_] = np.ones(len(day), dtype=bool)
    if days.first is not None:
        inside &= day >= np.datetime64(days.first, "D")
    if days.last is not None:
        inside &= day <= np.datetime64(days.last, "D")
    return inside


def starts(times: pd.Series[pd.Timestamp], unit: Unit) -> NDArray[np.datetime64]:
    """The first day of each time's month or quarter; NaT for NaT."""
    months = times.dt.to_period("M" if unit == "month" else "Q")
    return months.dt.start_time.to_numpy("datetime64[D]")


def following(start: date, unit: Unit) -> date:
    """The first day of the next month or quarter."""
    month = start.month + (1 if unit == "month" else 3)
    return date(start.year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def given(observations: pd.DataFrame, dates: Mapping[str, date | None]) -> tuple[pd.DataFrame, pd.Series[pd.Timestamp]]:
    """The observations whose author was given feedback on a known date, and that date; '' has that of all others."""
    cut = observations["author"].map({a: dates.get(a, dates.get("")) for a in observations["author"].unique()})
    known = cut.notna()
    return observations[known], cut[known].astype("datetime64[ns]")


def difference(before: Estimate, after: Estimate) -> Estimate:
    """after - before with its interval, of independent statements.

    With d = b - a: low = d - sqrt((b - b_low)^2 + (a_high - a)^2), high = d + sqrt((b_high - b)^2 + (a - a_low)^2).
    For rates this is Newcombe's hybrid interval.

    Source: Zou and Donner, "Construction of confidence limits about effect measures", Statist. Med. 2008;27:1693-1702.
    """
    (a, a_low, a_high), (b, b_low, b_high) = before, after
    below = math.hypot(max(b - b_low, 0.0), max(a_high - a, 0.0))
    above = math.hypot(max(b_high - b, 0.0), max(a - a_low, 0.0))
    return Estimate(b - a, b - a - below, b - a + above)
