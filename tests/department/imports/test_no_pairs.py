"""Reports without pairs: the reason is named."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from radcal.reports.attrition import BOTH, CHEST, MODALITY, USABLE, WRONG_FILE, Ledger
from radcal.reports.no_pairs import why_no_pairs
from radcal.reports.reasons import UNKNOWN_MODALITY, UNREADABLE_TIME
from radcal.reports.records import Modality
from radcal.system.settings import Settings

Row = tuple[str, str, str]


def said(*rows: Row, author: str = "Ash") -> str:
    frame = pd.DataFrame(rows, columns=["modality", "patient_id", "exam_time"]).assign(author=author)
    return why_no_pairs(frame.assign(exam_time=pd.to_datetime(frame["exam_time"], format="ISO8601")), Settings())


XRAY, LATER = ("xray", "P1", "2026-03-04 08:00"), ("ct", "P1", "2026-03-05 14:30")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((XRAY,), "Add the files of the CT reports"),
        ((LATER,), "Add the files of the X-ray reports"),
        ((XRAY, LATER), "after 31 h, and the longest time from X-ray to CT is set to 12 h"),
        ((XRAY, ("ct", "P1", "2026-03-04 07:00")), "1 patient has both X-ray and CT reports, but the CT never follows"),
        ((("xray", "00123", "2026-03-04"), ("ct", "123", "2026-03-04")), "in different ways"),
        ((("xray", "MRN-7001", "2026-03-04"), ("ct", "mrn7001", "2026-03-04")), "in different ways"),
        ((XRAY, ("ct", "9048213", "2026-03-04")), "patient numbers are longer in the one"),
        ((XRAY, ("ct", "P2", "2026-03-04")), "files of the same patients and the same time"),
    ],
)
def test_the_reason_is_named(rows: tuple[Row, ...], why: str) -> None:
    assert why in said(*rows)


def test_without_reports_or_without_radiologists() -> None:
    assert said() == ""
    assert "no X-ray report names a radiologist" in said(XRAY, LATER, author="")


def test_the_other_modality_is_asked_for_only_where_one_is_missing() -> None:
    assert "Add the files" not in said(XRAY, LATER)


@pytest.mark.parametrize(
    ("modality", "step", "reason", "why"),
    [
        (
            Modality.CT,
            USABLE,
            UNREADABLE_TIME.sentence,
            "8 CT reports were left out.*cannot be read.*map another column",
        ),
        (Modality.CT, CHEST, "another part of the body", "8 CT reports were left out.*another part of the body"),
        (BOTH, MODALITY, WRONG_FILE[Modality.XRAY], "8 CT reports were left out.*for which the file was given"),
        (BOTH, MODALITY, UNKNOWN_MODALITY.sentence, "8 rows were left out.*modality is unknown"),
    ],
)
def test_reports_that_were_read_and_left_out_are_not_asked_for_again(
    modality: str, step: str, reason: str, why: str
) -> None:
    ledger = Ledger.of_reading(9)
    ledger.drop(modality, step, reason, 8)
    frame = pd.DataFrame([XRAY], columns=["modality", "patient_id", "exam_time"]).assign(author="Ash")
    told = why_no_pairs(frame, Settings(), ledger.frame())
    assert re.search(why, told)
    assert "Add the files" not in told
    assert re.search(
        f"all 8 rows were left out.*{why.partition('.*')[2]}", why_no_pairs(frame[:0], Settings(), ledger.frame())
    )
    assert "Add the files" in why_no_pairs(frame, Settings(), Ledger.of_reading(1).frame())
    assert "Add the files" in why_no_pairs(frame.assign(modality="ct"), Settings(), Ledger.of_reading(1).frame())
