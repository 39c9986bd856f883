"""Recommended imaging and the examinations that followed: done in time, done late, or not seen here.

A report that recommends an X-ray or a CT of the chest, or imaging of which no kind is named, sets a clock at the time
of its examination, one for each kind that it asks for: that of the earliest time stated, or else of UNSTATED days.
Each report has its own clock, and one examination may stop several.

What stops it is the first later chest examination of the patient in the workspace that fits: a CT for a CT; an X-ray or
a CT for an X-ray or for any imaging; and not before half of the time stated, so that the next bedside film is not the
control in six weeks.  It is in time up to half as long again as stated, at least a day and at most 30 days longer.

Nobody is counted as missed before the data reach beyond that day.  Shares are of the recommendations whose time is up,
done or not: those that are done early would otherwise be counted sooner than those that are not done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.reports.records import Modality

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workspace.store import Workspace

UNSTATED = 90
"""Days within which imaging without a stated time counts as done in time: the shortest interval of usual controls of
nodules (three months), so that what is meant for sooner is not called late."""
LONGER, FEWEST_LONGER, MOST_LONGER = 0.5, 1, 30
"""How much longer than stated is in time: this part of the longest time stated, within these limits in days."""
SOONEST = 2
"""An examination fits from 1 / SOONEST of the shortest time stated on."""

_X, _C = Modality.XRAY, Modality.CT
_FITTING: Mapping[str, tuple[Modality, ...]] = {_X: (_X, _C), _C: (_C,), "": (_X, _C)}
"""The examinations that fit, by what is asked for; others are not imported."""
_REACHING: Mapping[str, tuple[Modality, ...]] = {_X: (_X,), _C: (_C,), "": (_X, _C)}
"""Those that the data must have up to a day, as far as they have any, for nothing to be seen there to count."""


class Outcome(StrEnum):
    """What became of a recommendation."""

    IN_TIME = "in time"
    LATE = "late"
    OPEN = "not seen here"
    """Its time is up, and no fitting examination is in the workspace."""
    WAITING = "not due"
    """The data end before its time is up."""
    ELSEWHERE = "cannot be seen here"
    """It asks for an examination of which the workspace has none, or its patient is not known."""


CALLS_BACK = (Outcome.OPEN, Outcome.LATE)
"""What is listed for whoever calls patients back."""
_READ = 1000
"""Reports in memory at a time."""


def followed(asked: pd.DataFrame, examinations: pd.DataFrame, ends: Mapping[str, pd.Timestamp]) -> pd.DataFrame:
    """What became of each recommendation.

    Args:
        asked: as ``imaging_asked_for`` of the workspace returns it.
        examinations: of the patients in ``asked``, as ``examinations_of_asked`` returns them.
        ends: the last day with an examination of a modality, by modality; without those of which there is none.

    Returns:
        asked, one row for each report and what it asks for, in its order, with
        day: of the report's examination;  until: the last day that is in time;  due: it is up;  outcome: an Outcome
        done, done_time: the examination that fits, '' and NaT for none
        seen, seen_time: the patient's next examination here, whether it fits or not
    """
    import pandas as pd

    earliest = asked["last"].where(asked["last"] >= 0, np.inf).sort_values(kind="stable").index
    kept = asked.loc[earliest].drop_duplicates(["report_id", "wanted"]).index
    made = asked.loc[asked.index.isin(kept)].reset_index(drop=True)
    first, last = (made[name].to_numpy(float) for name in ("first", "last"))
    longer = np.where(last < 0, 0, np.clip(np.ceil(LONGER * last), FEWEST_LONGER, MOST_LONGER))
    day = made["time"].dt.floor("D")
    until = day + pd.to_timedelta(np.where(last < 0, UNSTATED, last) + longer, "D")
    soonest = day + pd.to_timedelta(np.maximum(first, 0) // SOONEST, "D")
    later = made["time"] + pd.Timedelta(1, "ns")
    # pandas joins by numbers much faster than by texts.
    number = {patient: k for k, patient in enumerate(made["patient_id"].unique())}
    patients = made["patient_id"].map(number)
    there = examinations.sort_values(["time", "report_id"])
    there = there.assign(patient=there["patient_id"].map(number).fillna(-1).astype(patients.dtype))
    made["day"], made["until"], made["due"] = day, until, False
    made["outcome"] = str(Outcome.ELSEWHERE)
    made["done"], made["done_time"] = "", pd.NaT
    made["seen"], made["seen_time"] = _next(patients, later, there)
    known = made["patient_id"] != ""
    for wanted, fitting in _FITTING.items():
        reaching = [ends[modality] for modality in _REACHING[wanted] if modality in ends]
        rows = known & (made["wanted"] == wanted)
        if not reaching or not rows.any():
            continue
        fits = there[there["modality"].isin(fitting)]
        since = later.where(later > soonest, soonest)
        done, at = _next(patients[rows], since[rows], fits)
        due = until[rows] < min(reaching)
        made.loc[rows, "due"], made.loc[rows, "done"], made.loc[rows, "done_time"] = due, done, at
        cases = [at.dt.floor("D") <= until[rows], at.notna(), due]
        of_cases = [str(outcome) for outcome in (Outcome.IN_TIME, Outcome.LATE, Outcome.OPEN)]
        made.loc[rows, "outcome"] = np.select(cases, of_cases, str(Outcome.WAITING))
    made["done_time"] = made["done_time"].astype("datetime64[ns]")
    return made


def _next(
    patients: pd.Series[int], since: pd.Series[pd.Timestamp], there: pd.DataFrame
) -> tuple[pd.Series[str], pd.Series[pd.Timestamp]]:
    """The patients' first examinations at these times or later, '' and NaT for none, with the index of ``patients``."""
    import pandas as pd

    wanted = pd.DataFrame({"patient": patients, "since": since}).sort_values("since", kind="stable")
    its = there[["patient", "report_id", "time"]]
    found = pd.merge_asof(wanted, its, left_on="since", right_on="time", by="patient", direction="forward")
    found = found.set_index(wanted.index).loc[patients.index]
    return found["report_id"].fillna(""), found["time"]


def followed_in(workspace: Workspace, marker: int, counts: pd.DataFrame) -> pd.DataFrame:
    """:func:`followed` for the reports of a workspace.

    Args:
        marker: of the search for recommendations.
        counts: of reports by modality and day, as ``habit_counts`` returns them.
    """
    ends = {str(modality): day for modality, day in counts.groupby("modality")["day"].max().items()}
    return followed(workspace.imaging_asked_for(marker), workspace.examinations_of_asked(marker), ends)


def with_followed(counts: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The counts of reports with ``due``, the recommendations whose time is up, and ``closed``, those done in time."""
    keys = ["author", "modality", "day"]
    due = found[found["due"]]
    of_day = due.assign(due=1, closed=(due["outcome"] == Outcome.IN_TIME).astype(int))
    sums = of_day.groupby(keys, as_index=False)[["due", "closed"]].sum()
    return counts.merge(sums, on=keys, how="left").fillna({"due": 0, "closed": 0}).astype({"due": int, "closed": int})


def outcomes_of(found: pd.DataFrame) -> dict[Outcome, int]:
    """How many recommendations came to each outcome."""
    return {outcome: int((found["outcome"] == outcome).sum()) for outcome in Outcome}


class CallBack(NamedTuple):
    """A recommendation that is late or open, for whoever calls patients back.

    first, last: in how many days it was to be done, -1 where that is not stated;  until: the last day that is in time
    sentence: what recommends it
    seen: the patient's next examination here, or the one that fits where it is late; '' for none
    """

    report_id: str
    accession: str
    patient_id: str
    time: datetime
    wanted: str
    first: int
    last: int
    until: datetime
    outcome: str
    seen: str
    seen_time: datetime | None
    sentence: str


def call_backs(workspace: Workspace, found: pd.DataFrame) -> tuple[CallBack, ...]:
    """The open ones and then the late ones, longest past their time first, with the sentences of the reports."""
    part = found[found["outcome"].isin(CALLS_BACK)].sort_values(["until", "report_id"])
    part = part.iloc[np.argsort(part["outcome"] != Outcome.OPEN, kind="stable")]
    is_done = part["done"] != ""
    known = ["report_id", "accession", "patient_id", "time", "wanted", "first", "last", "until", "outcome"]
    columns = (
        *(part[name].tolist() for name in known),
        part["seen"].mask(is_done, part["done"]).tolist(),
        part["seen_time"].mask(is_done, part["done_time"]).astype(object).where(part["seen"] != "", None).tolist(),
        _sentences(workspace, part),
    )
    return tuple(CallBack(*values) for values in zip(*columns, strict=True))


def _sentences(workspace: Workspace, found: pd.DataFrame) -> Iterator[str]:
    for begin in range(0, len(found), _READ):
        some = found.iloc[begin : begin + _READ]
        ids = some["report_id"].tolist()
        texts = workspace.reports(("report_id", "text"), dict.fromkeys(ids)).set_index("report_id")["text"].to_dict()
        for report_id, start, end in zip(ids, some["start"].tolist(), some["end"].tolist(), strict=True):
            yield " ".join(texts[report_id][start:end].split())
