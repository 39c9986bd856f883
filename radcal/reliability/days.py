"""Date ranges: validation, and selection of examination times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.system.errors import InputError
from radcal.system.selection import Days

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


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
    import numpy as np

    day = times.to_numpy().astype("datetime64[D]")
    inside: NDArray[np.bool_] = np.ones(len(day), dtype=bool)
    if days.first is not None:
        inside &= day >= np.datetime64(days.first, "D")
    if days.last is not None:
        inside &= day <= np.datetime64(days.last, "D")
    return inside
