"""A department's own groups of findings, and radiologists compared for the same mix of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.days import within
from radcal.calibration.group_results import GroupResults
from radcal.calibration.records import ALL_AUTHORS
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.calibration.subgroup_records import GROUPINGS, VALUES, CaseMix, Grouping, Stratifier, Subgroups
from radcal.system.errors import NothingSaid
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.subgroup_records import Grouping

    Strings = NDArray[np.object_]


# --- the groups that findings fall into: where, when and of whom their X-ray was made

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


_EXAM = ("report_id", "patient_id", "exam", "exam_time", "site", "age")


class DepartmentGroups:
    """Findings by where, when and of whom their X-ray was made; for a worker thread."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._kept: tuple[str | None, pd.DataFrame] | None = None

    def of(
        self,
        grouping: Grouping,
        author: str = ALL_AUTHORS,
        topic: str = ALL_TOPICS,
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> Subgroups:
        """The groups of one author's findings, or everybody's, on a topic or all.

        Raises:
            DataError: there is no analysis yet; NothingSaid without findings of that kind.
        """
        from radcal.calibration.subgroups import subgroups

        progress.start(None, Text("Looking into groups"))
        chosen = self._selected(author, topic, days, progress)
        chosen = chosen.assign(group=chosen[grouping])
        return subgroups(chosen, grouping, author, topic, self._stored.basis(), progress)

    def case_mix(
        self,
        by: Sequence[Stratifier],
        topic: str = ALL_TOPICS,
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
    ) -> CaseMix:
        """All radiologists beside all others, in all and in the strata that ``by`` makes.

        Raises:
            DataError, Cancelled: as :meth:`of`.
        """
        from radcal.calibration.casemix import compared_in_cases

        progress.start(None, Text("Comparing like cases"))
        return compared_in_cases(self._selected(ALL_AUTHORS, topic, days, progress), by, topic, self._stored.basis())

    def _selected(self, author: str, topic: str, days: Days, progress: Progress) -> pd.DataFrame:
        everything = self._observations(progress)
        mask = within(everything["xray_time"], days)
        if author != ALL_AUTHORS:
            mask &= (everything["author"] == author).to_numpy()
        if topic != ALL_TOPICS:
            mask &= (everything["topic"] == topic).to_numpy()
        if not mask.any():
            raise NothingSaid(
                "Nothing was said about {topic} in these days. Choose other days or another pathology.", topic=topic
            )
        return everything[mask]

    def _observations(self, progress: Progress) -> pd.DataFrame:
        """All that entered the statistics, with its patient and its group in every grouping; kept for one analysis."""
        from radcal.reports.exams import projection

        key = self._context.analysis_key
        if self._kept is not None and self._kept[0] == key:
            return self._kept[1]
        said = self._groups.entered(("author", "topic", "phrase", "outcome", "xray_id", "xray_time"), progress)
        ids = said["xray_id"].drop_duplicates()
        exams = self._context.workspace.reports(_EXAM, ids=ids)
        progress.raise_if_cancelled()
        names = {name: projection(name) for name in exams["exam"].unique()}
        exams = exams.assign(projection=exams["exam"].map(names))
        made = exams[["report_id"]].assign(
            patient=exams["patient_id"], **{grouping: group_of(grouping, exams) for grouping in GROUPINGS}
        )
        found = said.merge(made, left_on="xray_id", right_on="report_id", how="left", validate="many_to_one")
        unknown = dict.fromkeys(GROUPINGS, "")
        self._kept = key, found.drop(columns=["xray_id", "report_id"]).fillna({"patient": "", **unknown})
        return self._kept[1]
