"""Why reports make no pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from radcal.records import Modality
from radcal.text import EMPTY, Text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.settings import Settings

_SHARED = 0.2
"""Least share of the patients of the smaller side, written without zeros and punctuation, that both sides name."""
_LEADING = re.compile(r"^[a-z]*0*|[^a-z0-9]")


def why_no_pairs(reports: pd.DataFrame, settings: Settings) -> Text:
    """The reason why X-ray and CT reports without a pair have none; empty without any reports.

    Args:
        reports: modality, patient_id, exam_time and author of all usable reports
    """
    is_xray = (reports["modality"] == Modality.XRAY).to_numpy()
    xray, ct = reports[is_xray], reports[~is_xray]
    if reports.empty:
        return EMPTY
    if xray.empty or ct.empty:
        there, other = (Text("X-ray"), Text("CT")) if ct.empty else (Text("CT"), Text("X-ray"))
        return Text(
            "No pairs: all reports are {there} reports. Add the files of the {other} reports.", there=there, other=other
        )
    if (xray["author"] == "").all():
        return Text("No pairs: no X-ray report names a radiologist. Choose the column of who signed or dictated.")
    shared = set(xray["patient_id"]) & set(ct["patient_id"])
    if not shared:
        return _why_no_patient(set(xray["patient_id"]), set(ct["patient_id"]))
    gaps = _hours(xray[xray["patient_id"].isin(shared) & (xray["author"] != "")], ct[ct["patient_id"].isin(shared)])
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
    import pandas as pd

    sides = [side[["patient_id", "exam_time"]].sort_values("exam_time") for side in (xray, ct)]
    right = sides[1].assign(ct=sides[1]["exam_time"])
    after, before = (
        pd.merge_asof(sides[0], right, on="exam_time", by="patient_id", direction=way)
        for way in ("forward", "backward")
    )
    found = (after["ct"].fillna(before["ct"]) - after["exam_time"]).to_numpy(dtype="timedelta64[ns]")
    hours: NDArray[np.float64] = found / np.timedelta64(1, "h")
    return hours
