"""The groups that findings fall into: where, when and of whom their X-ray was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.reliability.subgroup_records import VALUES

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.reliability.subgroup_records import Grouping

    Strings = NDArray[np.object_]

_DAY, _EVENING, _NIGHT = 7, 15, 23
"""The hours at which the shifts begin."""
_AGES = (0, 18, 40, 60, 80)
_SATURDAY = 5


def group_of(grouping: Grouping, exams: pd.DataFrame) -> Strings:
    """The group of each of n examinations, (n,); '' where it is not known.

    An examination at midnight to the second has no known time of day: so do dates without one.

    Args:
        grouping: what to group by.
        exams: columns site, age (-1 if unknown), exam_time and projection ('portable', 'fixed' or '').
    """
    match grouping:
        case "site":
            return _texts(exams["site"])
        case "portable":
            return _texts(exams["projection"])
        case "age":
            age = exams["age"].to_numpy()
            return _named(VALUES["age"], np.searchsorted(_AGES, age, side="right") - 1, age >= 0)
    time = exams["exam_time"].to_numpy().astype("datetime64[ns]")
    known = ~np.isnat(time)
    days = np.where(known, time, np.datetime64(0, "ns")).astype("datetime64[D]")
    if grouping == "weekday":
        weekend = (days.astype(np.int64) + 3) % 7 >= _SATURDAY
        return _named(VALUES["weekday"], weekend.astype(np.intp), known)
    since = np.where(known, time - days, np.timedelta64(0, "ns"))
    hour = since // np.timedelta64(1, "h")
    shift = np.select([(hour >= _DAY) & (hour < _EVENING), (hour >= _EVENING) & (hour < _NIGHT)], [0, 1], 2)
    return _named(VALUES["shift"], shift, known & (since > np.timedelta64(0, "ns")))


def _texts(column: pd.Series[Any]) -> Strings:
    return column.astype(object).to_numpy()


def _named(names: tuple[str, ...], place: NDArray[Any], known: NDArray[np.bool_]) -> Strings:
    return np.where(known, np.array([*names], dtype=object)[np.where(known, place, 0)], "")
