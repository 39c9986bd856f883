"""All observations of a department as integer codes: compact, for queries by group and date range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.records import pool_of
from radcal.system.errors import DataError
from radcal.system.progress import Progress

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.system.selection import Days, Selection

Read = Callable[[Sequence[str]], Iterable[tuple[str, "pd.DataFrame"]]]
"""Reads columns of the observations: authors and their part."""
LeftOut = frozenset[tuple[str, str]]
"""(xray_id, topic) of findings that are no part of the statistics."""
_CODED = ("topic", "phrase", "outcome", "xray_time", "patient")
_WORDS, _NUMBERS = ("author", "topic", "phrase", "reference_phrase"), ("outcome", "xray_time", "patient")
_IDENTIFYING = "xray_id"


@dataclass(frozen=True, slots=True, eq=False)
class ObservationCodes:
    """All N observations as codes, by author, topic and day: about 19 bytes each.

    place: of a group in the arrays;  phrase: (N,) place in ``phrases``;  outcome: (N,) place in ``outcomes``
    day: (N,) days since 1970, ascending within a group;  row: (N,) row among the author's observations
    entered: (N,) whether the observation is part of the statistics;  patient: (N,) its patient, -1 where there are none
    """

    place: dict[tuple[str, str], slice]
    phrases: tuple[str, ...]
    outcomes: NDArray[np.float64]
    phrase: NDArray[np.int16]
    outcome: NDArray[np.int32]
    day: NDArray[np.int32]
    row: NDArray[np.int32]
    entered: NDArray[np.bool_]
    patient: NDArray[np.int32]

    def members(self, author: str, topic: str) -> tuple[tuple[str, str], ...]:
        """The groups (author, topic) that a group consists of: itself, or the parts of a pooled one.

        Raises:
            DataError: there are no observations of it.
        """
        match pool_of(author, topic):
            case "author":
                found = tuple(group for group in self.place if group[0] == author)
            case "topic":
                found = tuple(group for group in self.place if group[1] == topic)
            case _:
                found = ((author, topic),) if (author, topic) in self.place else ()
        if not found:
            raise DataError(
                "{author} has no statement about {topic} that a CT decided on.",
                author=author,
                topic=topic,
            )
        return found

    def part(self, selection: Selection) -> NDArray[np.intp]:
        """The indices of a group's observations within its days.

        Raises:
            DataError: the group has no observations at all.
        """
        parts = [
            self._within(self.place[group], selection.days) for group in self.members(selection.author, selection.topic)
        ]
        return np.concatenate([np.arange(part.start, part.stop) for part in parts])

    def _within(self, place: slice, days: Days) -> slice:
        day = self.day[place]
        start, stop = place.start, place.stop
        if days.first is not None:
            start = place.start + int(np.searchsorted(day, _day_number(days.first), side="left"))
        if days.last is not None:
            stop = place.start + int(np.searchsorted(day, _day_number(days.last), side="right"))
        return slice(start, max(start, stop))

    def statements(self, selection: Selection) -> pd.DataFrame:
        """The selection's statements in the statistics: author, topic, phrase, outcome and patient, one per row.

        Raises:
            DataError: the group has no observations at all.
        """
        import pandas as pd

        part = self.part(selection)
        part = part[self.entered[part]]
        phrase, outcome = self.phrase[part], self.outcome[part]
        one = np.zeros(len(phrase), dtype=np.int8)
        return _with_patients(
            {
                "author": pd.Categorical.from_codes(one, pd.Index([selection.author])),
                "topic": pd.Categorical.from_codes(one, pd.Index([selection.topic])),
                "phrase": pd.Categorical.from_codes(phrase, pd.Index(self.phrases, dtype=str)),
                "outcome": self.outcomes[outcome],
                "patient": self.patient[part],
            }
        )

    def rows(self, selection: Selection, phrases: Sequence[str] = ()) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Which of the author's observations are in a selection, and whether each entered the statistics.

        Args:
            selection: one author, a topic and days.
            phrases: only observations worded with one of these; () for all.

        Raises:
            DataError: the group has no observations at all.
        """
        part = self.part(selection)
        wanted = [k for k, name in enumerate(self.phrases) if name in phrases or not phrases]
        keep = np.isin(self.phrase[part], wanted)
        return self.row[part][keep], self.entered[part][keep]


def encode(read: Read, left_out: LeftOut, progress: Progress) -> ObservationCodes:
    """The observations of each author as codes; holds one author's at a time in memory.

    Args:
        read: reads them.
        left_out: findings that are no part of the statistics.
        progress: looked at between authors.
    """
    import pandas as pd

    phrases: dict[str, int] = {}
    outcomes: dict[float, int] = {}
    place: dict[tuple[str, str], slice] = {}
    columns: dict[str, list[NDArray[np.generic]]] = {
        name: [] for name in ("phrase", "outcome", "day", "row", "entered", "patient")
    }
    start = 0
    for author, part in read(_with_ids(_CODED, left_out)):
        progress.raise_if_cancelled()
        topic, topics = pd.factorize(part["topic"], sort=True)
        day = part["xray_time"].to_numpy().astype("datetime64[D]").astype(np.int32)
        order = np.lexsort((day, topic))
        for name, values in (
            ("phrase", _places(part["phrase"], phrases).astype(np.int16)),
            ("outcome", _places(part["outcome"], outcomes).astype(np.int32)),
            ("day", day),
            ("row", np.arange(len(part), dtype=np.int32)),
            ("entered", entered(part, left_out)),
            ("patient", part["patient"].to_numpy(np.int32)),
        ):
            columns[name].append(values[order])
        ends = start + np.searchsorted(topic[order], np.arange(len(topics) + 1))
        for i, name in enumerate(topics):
            place[author, str(name)] = slice(int(ends[i]), int(ends[i + 1]))
        start += len(part)
    return ObservationCodes(
        place,
        tuple(phrases),
        np.array(list(outcomes), dtype=np.float64),
        *(np.concatenate(parts) if parts else np.zeros(0) for parts in columns.values()),  # type: ignore[arg-type]  # in the order of the fields
    )


def gather(read: Read, left_out: LeftOut) -> pd.DataFrame:
    """All that entered the statistics, the words as categories.

    Columns author, topic, phrase, reference_phrase, outcome, xray_time and, where there are any, patient.  Arguments as
    of :func:`encode`.
    """
    import pandas as pd

    known: dict[str, dict[Any, int]] = {name: {} for name in _WORDS}
    made: dict[str, list[NDArray[Any]]] = {name: [] for name in (*_WORDS, *_NUMBERS)}
    for _, part in read(_with_ids((*_WORDS, *_NUMBERS), left_out)):
        own = part[entered(part, left_out)]
        for name in _WORDS:
            made[name].append(_places(own[name], known[name]).astype(np.int16))
        for name in _NUMBERS:
            made[name].append(own[name].to_numpy())
    whole: dict[str, Any] = {name: np.concatenate(arrays) for name, arrays in made.items()}
    for name in _WORDS:
        whole[name] = pd.Categorical.from_codes(whole[name], pd.Index(list(known[name]), dtype=str))
    return _with_patients(whole)


def _with_patients(columns: dict[str, Any]) -> pd.DataFrame:
    """The columns as a table, without patients where there are none."""
    import pandas as pd

    frame = pd.DataFrame(columns)
    return frame.drop(columns="patient") if (columns["patient"] < 0).any() else frame


def _with_ids(columns: tuple[str, ...], left_out: LeftOut) -> tuple[str, ...]:
    """The columns, and the reports' ids, which are most of what is read, only where they are needed."""
    return (*columns, _IDENTIFYING) if left_out else columns


def entered(observations: pd.DataFrame, left_out: LeftOut) -> NDArray[np.bool_]:
    """Whether each observation is part of the statistics, (n,)."""
    if not left_out:
        return np.ones(len(observations), dtype=bool)
    pairs = zip(observations[_IDENTIFYING], observations["topic"], strict=True)
    return np.array([pair not in left_out for pair in pairs], dtype=bool)


def _places(column: pd.Series[Any], known: dict[Any, int]) -> NDArray[np.intp]:
    """Each value's index in ``known``, to which new ones are appended."""
    import pandas as pd

    codes, values = pd.factorize(column)
    place = np.array([known.setdefault(value, len(known)) for value in values.tolist()], dtype=np.intp)
    return place[codes]


def _day_number(day: date) -> int:
    return int(np.datetime64(day, "D").astype(np.int64))
