"""The groups of examinations: shifts, days, ages, sites."""

from __future__ import annotations

import pandas as pd
import pytest

from radcal.calibration.department_groups import group_of
from radcal.calibration.subgroup_records import VALUES


def exams(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("clock", "shift"),
    [
        ("06:59", "night"), ("07:00", "day"), ("14:59:59", "day"), ("15:00", "evening"), ("22:59", "evening"),
        ("23:00", "night"), ("00:00:01", "night"), ("00:00", ""),
    ],
)  # fmt: skip
def test_shifts_begin_at_their_hours_and_midnight_is_no_time(clock: str, shift: str) -> None:
    found = group_of("shift", exams(exam_time=[pd.Timestamp(f"2026-03-04 {clock}"), pd.NaT]))
    assert found.tolist() == [shift, ""]


def test_weekends_are_saturday_and_sunday_whatever_the_century() -> None:
    days = pd.date_range("1969-12-29", periods=14, freq="D").append(pd.DatetimeIndex(["2026-11-28", "2026-11-30"]))
    found = group_of("weekday", exams(exam_time=list(days)))
    assert found.tolist() == ["weekend" if day.weekday() >= 5 else "weekday" for day in days]


def test_ages_fall_into_bands_and_unknown_ones_into_none() -> None:
    found = group_of("age", exams(age=[-1, 0, 17, 18, 39, 40, 59, 60, 79, 80, 120]))
    bands = VALUES["age"]
    assert found.tolist() == ["", *(band for band in bands for _ in range(2))]


def test_sites_and_projections_are_taken_as_they_are() -> None:
    frame = exams(site=["North", ""], projection=["portable", "fixed"])
    assert group_of("site", frame).tolist() == ["North", ""]
    assert group_of("portable", frame).tolist() == ["portable", "fixed"]
