"""Why reports make no pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from radcal.reports.attrition import BOTH, WRONG_FILE
from radcal.reports.reasons import UNKNOWN_MODALITY, remedy_of
from radcal.reports.records import Modality
from radcal.system.text import EMPTY, Text, joined
from radcal.words.studies import study_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.system.settings import Settings

_SHARED = 0.2
"""Least share of the patients of the smaller side, written without zeros and punctuation, that both sides name."""
_KINDS = {Modality.XRAY: Text("X-ray"), Modality.CT: Text("CT")}
_OTHER = {Modality.XRAY: Modality.CT, Modality.CT: Modality.XRAY}
_LEADING = re.compile(r"^[a-z]*0*|[^a-z0-9]")


def why_no_pairs(reports: pd.DataFrame, settings: Settings, attrition: pd.DataFrame | None = None) -> Text:
    """The reason why X-ray and CT reports without a pair have none; empty where nothing was read.

    Args:
        reports: modality, patient_id, exam_time and author of all usable reports
        attrition: the reports that dropped out when the files were read, in records.ATTRITION_COLUMNS
    """
    is_xray = (reports["modality"] == Modality.XRAY).to_numpy()
    xray, ct = reports[is_xray], reports[~is_xray]
    if reports.empty:
        n, why = (0, EMPTY) if attrition is None else _most(attrition)
        lost = Text("No pairs: all {n:,} rows were left out, all or most of them for this reason: {why}", n=n, why=why)
        return lost if n else EMPTY
    if xray.empty or ct.empty:
        lacking = Modality.CT if ct.empty else Modality.XRAY
        there, other = _KINDS[_OTHER[lacking]], _KINDS[lacking]
        if attrition is not None and (why := _why_lost(attrition, lacking)):
            return joined([Text("No pairs: all reports that could be used are {there} reports.", there=there), why])
        return Text(
            "No pairs: all reports are {there} reports. Add the files of the {other} reports.", there=there, other=other
        )
    if (xray["author"] == "").all():
        return Text("No pairs: no X-ray report names a radiologist. Choose the column of who signed or dictated.")
    shared = set(xray["patient_id"]) & set(ct["patient_id"])
    if not shared:
        return _why_no_patient(set(xray["patient_id"]), set(ct["patient_id"]))
    gaps = _hours(xray[xray["patient_id"].isin(shared) & (xray["author"] != "")], ct[ct["patient_id"].isin(shared)])
    if study_of(settings).direction != "after":
        return Text(
            "No pairs: no CT is within {window:g} h of an X-ray of its patient and in the order of the study.",
            window=settings.window_hours,
        )
    if not (gaps >= 0).any():
        return Text(
            "No pairs: {n} patient has both X-ray and CT reports, but the CT never follows the X-ray.",
            many="No pairs: {n:,} patients have both X-ray and CT reports, but no CT follows an X-ray.",
            n=len(shared),
        )
    return Text(
        "No pairs: the CT that follows an X-ray soonest does so after {hours:,.0f} h, and the longest time from X-ray "
        "to CT is set to {window:g} h. Look whether times were read rightly, or set a longer time.",
        hours=np.ceil(gaps[gaps >= 0].min()),
        window=settings.window_hours,
    )


def _why_lost(attrition: pd.DataFrame, modality: Modality) -> Text:
    """Why reports of a modality, or rows that may be some, were read and left out; empty if none were."""
    of_both, given = attrition["modality"] == BOTH, WRONG_FILE[_OTHER[modality]]
    n, why = _most(attrition[(attrition["modality"] == modality) | (of_both & (attrition["reason"] == given))])
    if n:
        return Text(
            "{n:,} {kind} report was left out: {why}",
            many="{n:,} {kind} reports were left out, all or most of them for this reason: {why}",
            n=n,
            kind=_KINDS[modality],
            why=why,
        )
    n, why = _most(attrition[of_both & (attrition["reason"] == UNKNOWN_MODALITY.sentence)])
    return Text("{n:,} row was left out: {why}", many="{n:,} rows were left out: {why}", n=n, why=why) if n else EMPTY


def _most(dropped: pd.DataFrame) -> tuple[int, Text]:
    """The number of reports that dropped out, and the reason of most of them with its remedy."""
    lost = dropped.groupby("reason")["dropped"].sum()
    if not lost.any():
        return 0, EMPTY
    reason = str(lost.idxmax())
    return int(lost.sum()), joined([Text(part) for part in (reason, remedy_of(reason)) if part])


def _why_no_patient(xray: set[str], ct: set[str]) -> Text:
    plain = [{_LEADING.sub("", patient.casefold()) for patient in side} - {""} for side in (xray, ct)]
    if len(plain[0] & plain[1]) > _SHARED * min(map(len, plain)):
        return Text(
            "No pairs: X-ray and CT files write the numbers of the same patients in different ways, such as with and "
            "without leading zeros, letters or hyphens. Export both from one system, or map another patient column."
        )
    lengths = [{len(patient) for patient in side} for side in (xray, ct)]
    if not lengths[0] & lengths[1]:
        return Text(
            "No pairs: no patient has both X-ray and CT reports, and patient numbers are longer in the one than in the "
            "other. Look whether the same column holds the patient in both, or map another."
        )
    return Text(
        "No pairs: no patient has both X-ray and CT reports. Add files of the same patients and the same time, or map "
        "another patient column."
    )


def _hours(xray: pd.DataFrame, ct: pd.DataFrame) -> NDArray[np.float64]:
    """The hours from each X-ray to the next CT of its patient, negative to the last where none follows (n,)."""
    sides = [side[["patient_id", "exam_time"]].sort_values("exam_time") for side in (xray, ct)]
    right = sides[1].assign(ct=sides[1]["exam_time"])
    after, before = (
        pd.merge_asof(sides[0], right, on="exam_time", by="patient_id", direction=way)
        for way in ("forward", "backward")
    )
    found = (after["ct"].fillna(before["ct"]) - after["exam_time"]).to_numpy(dtype="timedelta64[ns]")
    hours: NDArray[np.float64] = found / np.timedelta64(1, "h")
    return hours
