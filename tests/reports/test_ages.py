"""Ages of patients, as stated and from dates of birth, which are not kept; and how a chest X-ray was taken."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from radcal.reports.exams import FIXED, PORTABLE, projection
from radcal.reports.readers import read_reports
from radcal.reports.times import UNKNOWN_AGE, age_in, years_between
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("ages_as_systems_write_them")
def test_ages_as_systems_write_them(cell: str | float, age: int) -> None:
    assert age_in(cell) == age


def test_years_change_on_the_birthday() -> None:
    at = np.array(["2025-03-01T00:10"] * 5, dtype="datetime64[ns]")
    born = np.array(["1950-03-01", "1950-03-02", "2025-03-01", "2026-01-01", "NaT"], dtype="datetime64[ns]")
    assert years_between(["1950-03-01"] * 5, born, at) == [75, 74, 0, UNKNOWN_AGE, UNKNOWN_AGE]
    # Two digits of a year leave the century open; a patient not born yet was born a century before.
    two = np.array(["2045-01-01"], dtype="datetime64[ns]")
    assert years_between(["01.01.45"], two, at[:1]) == [80]
    assert years_between(["01.01.2045"], two, at[:1]) == [UNKNOWN_AGE]


def test_years_agree_with_the_calendar() -> None:
    rng = np.random.default_rng(0)
    born = np.datetime64("1930-01-01") + rng.integers(0, 30_000, 300)
    at = np.datetime64("2025-01-01") + rng.integers(0, 700, 300)

    def plain(birth: dt.date, day: dt.date) -> int:
        return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))

    found = years_between(["1930"] * 300, born.astype("datetime64[ns]"), at.astype("datetime64[ns]"))
    assert found == [plain(b, a) for b, a in zip(born.tolist(), at.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("exam", "how"),
    [
        ("XR CHEST PORTABLE 1 VIEW", PORTABLE), ("PORTABLE CHEST AP UPRIGHT", PORTABLE), ("XR CHEST AP", PORTABLE),
        ("Rö Thorax im Liegen", PORTABLE), ("Bettlunge", PORTABLE), ("Thorax a.p. liegend", PORTABLE),
        ("XR CHEST 2 VIEWS", FIXED), ("CHEST PA AND LATERAL", FIXED), ("Röntgen Thorax in 2 Ebenen", FIXED),
        ("71046 CHEST", FIXED), ("XR CHEST AP UPRIGHT", FIXED), ("Rx thorax face et profil", FIXED),
        ("XR CHEST", ""), ("71045 CHEST 1 VIEW", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_name_of_an_exam_tells_how_it_was_taken(exam: str, how: str) -> None:
    assert projection(exam) == how


def _file(tmp_path: Path, header: str, *rows: str) -> Path:
    path = tmp_path / "march.csv"
    fixed = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Signed By"
    lines = [
        f"A{i},P{i},XR CHEST,CR,2026-03-0{i + 1} 08:00,No edema is seen on this image.,Avery{row}"
        for i, row in enumerate(rows)
    ]
    path.write_text("\n".join([f"{fixed}{header}", *lines]), encoding="utf-8")
    return path


def test_site_and_age_are_read_and_the_date_of_birth_goes_no_further(tmp_path: Path) -> None:
    path = _file(tmp_path, ",Location,DOB", ",  North   Wing,1931-03-01", ",,1931-03-03", ",South,", ",South,soon")
    made = read_reports([path])
    assert made.reports["site"].tolist() == ["North Wing", "", "South", "South"]
    assert made.reports["age"].tolist() == [95, 94, -1, -1]
    assert {name: made.mapping[name] for name in ("site", "birth_date")} == {"site": "Location", "birth_date": "DOB"}
    assert "birth_date" not in made.reports.columns
    assert not made.reports.astype(str).apply(lambda column: column.str.contains("1931")).to_numpy().any()
    (note,) = [n for n in made.notes if "age" in n]
    assert "2 rows do not tell the age" in note


def test_a_stated_age_goes_before_the_date_of_birth(tmp_path: Path) -> None:
    path = _file(tmp_path, ",Patient Age,Birth Date", ",067Y,1931-03-01", ",,1931-03-03")
    assert read_reports([path]).reports["age"].tolist() == [67, 94]


def test_any_column_can_be_mapped_and_none_is_needed(tmp_path: Path) -> None:
    path = _file(tmp_path, ",Where,How old", ",Wing 3,44", ",Wing 4,45")
    made = read_reports([path], mapping={"site": "Where", "age": "How old"})
    assert made.reports["site"].tolist() == ["Wing 3", "Wing 4"]
    assert made.reports["age"].tolist() == [44, 45]
    plain = read_reports([_file(tmp_path, "", "", "")])
    assert plain.reports["site"].tolist() == ["", ""]
    assert plain.reports["age"].tolist() == [-1, -1]
    assert not [n for n in plain.notes if "age" in n]


def test_examinations_of_long_ago_stay_unreadable_though_births_are_not(tmp_path: Path) -> None:
    path = _file(tmp_path, ",DOB", ",1931-03-01")
    path.write_text(path.read_text().replace("2026-03-01 08:00", "1900-01-01 00:00"), encoding="utf-8")
    made = read_reports([path])
    assert made.reports.empty
    assert len(made.rejected) == 1
