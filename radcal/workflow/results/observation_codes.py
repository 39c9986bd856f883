"""All observations of a department as numbers: what is kept in memory to answer for any group within any dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.progress import Progress

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

CODED = ("topic", "phrase", "outcome", "xray_time")
"""The columns that :func:`coded` reads; where findings were left out also IDENTIFYING."""
IDENTIFYING = "xray_id"


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """All N observations as numbers, by author, topic and day: some 15 bytes each.

    place: of a group in the arrays;  phrase: (N,) place in ``phrases``;  outcome: (N,) place in ``outcomes``
    day: (N,) days since 1970, ascending within a group;  row: (N,) row among the author's observations
    entered: (N,) whether the observation is part of the statistics
    """

    place: dict[tuple[str, str], slice]
    phrases: tuple[str, ...]
    outcomes: NDArray[np.float64]
    phrase: NDArray[np.int16]
    outcome: NDArray[np.int32]
    day: NDArray[np.int32]
    row: NDArray[np.int32]
    entered: NDArray[np.bool_]


def coded(parts: Iterable[tuple[str, pd.DataFrame]], left_out: frozenset[tuple[str, str]], progress: Progress) -> Codes:
    """The observations of each author as numbers; an author is let go of before the next is asked for.

    Args:
        parts: authors and their observations, with the columns CODED and, where ``left_out`` names any, IDENTIFYING.
        left_out: (xray_id, topic) of findings that are no part of the statistics.
        progress: looked at between authors.

    Raises:
        Cancelled: by ``progress``.
    """
    import pandas as pd

    phrases: dict[str, int] = {}
    outcomes: dict[float, int] = {}
    place: dict[tuple[str, str], slice] = {}
    columns: dict[str, list[NDArray[np.generic]]] = {n: [] for n in ("phrase", "outcome", "day", "row", "entered")}
    start = 0
    for author, part in parts:
        progress.raise_if_cancelled()
        topic, topics = pd.factorize(part["topic"], sort=True)
        day = part["xray_time"].to_numpy().astype("datetime64[D]").astype(np.int32)
        order = np.lexsort((day, topic))
        for name, values in (
            ("phrase", places(part["phrase"], phrases).astype(np.int16)),
            ("outcome", places(part["outcome"], outcomes).astype(np.int32)),
            ("day", day),
            ("row", np.arange(len(part), dtype=np.int32)),
            ("entered", entered(part, left_out)),
        ):
            columns[name].append(values[order])
        ends = start + np.searchsorted(topic[order], np.arange(len(topics) + 1))
        for i, name in enumerate(topics):
            place[author, str(name)] = slice(int(ends[i]), int(ends[i + 1]))
        start += len(part)
    return Codes(
        place,
        tuple(phrases),
        np.array(list(outcomes), dtype=np.float64),
        *(np.concatenate(parts) if parts else np.zeros(0) for parts in columns.values()),  # type: ignore[arg-type]  # in the order of the fields
    )


def entered(observations: pd.DataFrame, left_out: frozenset[tuple[str, str]]) -> NDArray[np.bool_]:
    """Whether each observation is part of the statistics, (n,)."""
    if not left_out:
        return np.ones(len(observations), dtype=bool)
    pairs = zip(observations[IDENTIFYING], observations["topic"], strict=True)
    return np.array([pair not in left_out for pair in pairs], dtype=bool)


def places(column: pd.Series[Any], known: dict[Any, int]) -> NDArray[np.intp]:
    """Each value's place among all that are ``known``, to which new ones are added."""
    import pandas as pd

    codes, values = pd.factorize(column)
    place = np.array([known.setdefault(value, len(known)) for value in values.tolist()], dtype=np.intp)
    return place[codes]


def day_number(day: date) -> int:
    """Days since 1970."""
    return int(np.datetime64(day, "D").astype(np.int64))
