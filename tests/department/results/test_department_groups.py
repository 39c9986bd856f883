"""A department's own groups, from files to results: found where a shift overstates, hidden where groups are small."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.records import ALL_AUTHORS
from radcal.calibration.subgroup_records import GROUPINGS, SMALL
from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system.errors import DataError, NothingSaid
from radcal.system.selection import Days, Selection
from radcal.system.settings import ALL_TOPICS

COLUMNS = (
    "Accession", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signed By", "Site", "Birth Date",
)  # fmt: skip
HOURS = {"day": 9, "evening": 17, "night": 2}
RATES = {"day": 0.95, "evening": 0.8, "night": 0.55}
"""How often 'likely' is confirmed: right on average, and not at night."""
SAID = {"likely": "Likely edema.", "possibly": "Possible edema."}


def _file(path: Path, n: int = 110) -> Path:
    """A department of two radiologists: all shifts alike but for how often CT confirms the nights."""
    rng = np.random.default_rng(7)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        number = 0
        for shift, hour in HOURS.items():
            for i in range(n):
                number += 1
                when = datetime(2026, 3, 2, hour, 5) + timedelta(days=int(rng.integers(0, 60)))
                word = "likely" if i % 4 else "possibly"
                there = rng.random() < (RATES[shift] if word == "likely" else 0.3)
                exam = "XR CHEST PORTABLE" if shift == "night" else "XR CHEST 2 VIEWS"
                about = ("North" if i % 3 else "South" if number > 3 else "Chapel", f"{1930 + i % 60}-05-17")
                who = "Avery" if i % 2 else "Brooks"
                writer.writerow([f"X{number}", f"P{number}", exam, "CR", f"{when:%Y-%m-%d %H:%M}", SAID[word], who,
                                 *about])  # fmt: skip
                ct = "There is edema." if there else "No edema."
                later = f"{when + timedelta(hours=2):%Y-%m-%d %H:%M}"
                writer.writerow([f"C{number}", f"P{number}", "CT CHEST", "CT", later, ct, "Casey", *about])
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, make: SimpleNamespace) -> Path:
    """A workspace to copy: the department of the file, analysed."""
    folder = tmp_path_factory.mktemp("department")
    file, path = _file(folder / "march.csv"), folder / "w.radcal"
    with open_department(path, make.passphrase, create=True, settings=make.settings) as department:
        department.importing.import_reports(as_files([file]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()
    return path


@pytest.fixture
def analysed_shifts(made: Path, tmp_path: Path, make: SimpleNamespace) -> Iterator[Department]:
    with open_department(shutil.copy(made, tmp_path / "shifts.radcal"), make.passphrase) as department:
        yield department


def test_a_night_that_overstates_is_found(analysed_shifts: Department) -> None:
    groups = analysed_shifts.department_groups
    found = groups.of("shift")
    assert [g.value for g in found.groups] == ["day", "evening", "night"]
    assert [g.patients for g in found.groups] == [110, 110, 110]
    assert (found.author, found.topic, found.unknown) == (ALL_AUTHORS, ALL_TOPICS, 0)
    assert found.phrase == "likely"
    rates = [next(p for p in g.reliability.phrases if p.phrase == "likely") for g in found.groups]
    assert [r.n for r in rates] == [82, 82, 82]
    assert rates[2].verdict == "stronger"
    assert rates[2].high < rates[1].low
    assert found.groups[2].differs
    # Portable ones were taken at night, and stand out with them.
    portable = groups.of("portable")
    assert [(g.value, g.reliability.n) for g in portable.groups] == [("portable", 110), ("fixed", 220)]
    assert portable.groups[0].differs


def test_other_groupings_are_alike_and_small_ones_are_put_away(analysed_shifts: Department) -> None:
    groups = analysed_shifts.department_groups
    site = groups.of("site")
    assert [g.value for g in site.groups] == ["North", "South"]
    assert (site.folded, site.hidden) == (("Chapel",), 1)
    assert SMALL not in {g.value for g in site.groups}
    assert not any(g.differs for g in site.groups)
    ages = groups.of("age")
    assert sum(g.reliability.n for g in ages.groups) == 330
    assert ages.groups[-1].value == "80+"
    assert {name: groups.of(name).grouping for name in GROUPINGS} == {name: name for name in GROUPINGS}


def test_one_author_a_topic_and_days_can_be_chosen(analysed_shifts: Department) -> None:
    groups = analysed_shifts.department_groups
    own = groups.of("shift", "Avery", "edema")
    assert (own.author, own.topic, sum(g.reliability.n for g in own.groups)) == ("Avery", "edema", 165)
    half = groups.of("shift", days=Days(None, datetime(2026, 3, 31).date()))
    assert 0 < sum(g.reliability.n for g in half.groups) < 330
    with pytest.raises(NothingSaid, match="Nothing was said about mass"):
        groups.of("shift", topic="mass")


def test_radiologists_are_compared_for_the_same_mix(analysed_shifts: Department) -> None:
    made = analysed_shifts.department_groups.case_mix(["shift", "site"])
    assert [a.author for a in made.authors] == ["Avery", "Brooks"]
    assert made.n == 330
    assert {s.groups for s in made.strata} >= {("night", "North"), ("day", "South")}
    assert all(a.in_all is not None and a.like_cases is not None for a in made.authors)


def test_contested_findings_are_left_out(analysed_shifts: Department) -> None:
    department = analysed_shifts
    found = department.groups.evidence(Selection("Avery", "edema")).iloc[0]
    department.contests.add(found["xray_id"], found["topic"], found["author"], found["phrase"], "misread")
    department.save_settings(department.settings.changed(contested="left out"))
    department.analyse()
    assert sum(g.reliability.n for g in department.department_groups.of("shift").groups) == 329


def test_without_an_analysis_it_says_so(filled: Department) -> None:
    with pytest.raises(DataError, match="no analysis yet"):
        filled.department_groups.of("site")


def test_a_workspace_of_an_earlier_version_has_no_sites_and_ages(
    analysed_shifts: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = analysed_shifts._workspace
    with workspace.transaction() as db:
        db.execute("UPDATE reports SET site = '', age = -1")  # as the migration leaves them
    for name in ("site", "age"):
        found = analysed_shifts.department_groups.of(name)
        assert (found.groups, found.unknown) == ((), 330)
    assert analysed_shifts.department_groups.of("shift").groups
    assert analysed_shifts.department_groups.case_mix(["site"]).unknown == 330


def test_all_findings_of_the_sample_are_in_the_groups(analysed: Department) -> None:
    total = len(analysed.groups.all_statements())
    for name in GROUPINGS:
        found = analysed.department_groups.of(name)
        shown = sum(g.reliability.n for g in found.groups)
        assert shown + found.hidden + found.unknown == total
    assert isinstance(analysed.groups.entered(("author",)), pd.DataFrame)
