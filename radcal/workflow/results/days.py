"""Date ranges: validation, and which examination times they contain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.records import Days


def check_days(days: Days) -> None:
    """Refuse an empty range.

    Raises:
        InputError: its last day comes before its first.
    """
    if days.first is not None and days.last is not None and days.last < days.first:
        raise InputError(
            "The days end on {isoformat}, before they begin on {isoformat2}. Name the earlier day first.",
            isoformat=days.last.isoformat(),
            isoformat2=days.first.isoformat(),
        )


def within(times: pd.Series[pd.Timestamp], days: Days) -> NDArray[np.bool_]:
    """Which of the times (n,) are of these days; a missing time is of all days, and of no limited ones."""
    import numpy as np

    day = times.to_numpy().astype("datetime64[D]")
    inside: NDArray[np.bool_] = np.ones(len(day), dtype=bool)
    if days.first is not None:
        inside &= day >= np.datetime64(days.first, "D")
    if days.last is not None:
        inside &= day <= np.datetime64(days.last, "D")
    return inside
