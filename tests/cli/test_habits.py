"""`radcal habits`: what it writes under names and pseudonyms, and what it refuses."""

from __future__ import annotations

import csv
import json
from datetime import datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from radcal.cli.habits import COLUMNS, OPEN_COLUMNS
from radcal.opening import open_department
from radcal.reports.importing import as_files


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_shares_are_exact_under_names_and_withheld_of_two_under_pseudonyms(radcal, done, tmp_path: Path):
    out = tmp_path / "H.csv"
    told = radcal("habits", "--workspace", done, "--out", out, "--names", "--json")
    assert told.status == 0
    summary = json.loads(told.out)
    rows = _rows(out)
    assert tuple(rows[0]) == COLUMNS
    assert summary["rows"] == len(rows)
    assert summary["reports"] >= summary["searched"] >= summary["read"] > 0
    assert summary["scale"] == "Brigham"
    assert "follow-up" in {row["figure"] for row in rows}
    hedged = [row for row in rows if (row["modality"], row["figure"]) == ("xray", "hedge")]
    every, *each = hedged
    assert every["radiologist"] == ""
    assert len(each) == 2
    assert int(every["n"]) == sum(int(row["n"]) for row in each)
    assert int(every["with_it"]) == sum(int(row["with_it"]) for row in each)
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in hedged)

    plain = radcal("habits", "--workspace", done, "--out", out, "--by", "month")
    assert plain.status == 0
    assert _rows(out) == []
    assert "Radiologists under pseudonyms are shown from 5 on" in " ".join(plain.out.split())


def test_periods_add_up(radcal, done, tmp_path: Path):
    sums = []
    for by in ("author", "month", "quarter"):
        out = tmp_path / f"{by}.csv"
        radcal("habits", "--workspace", done, "--out", out, "--by", by, "--names")
        rows = [r for r in _rows(out) if r["radiologist"] == "" and (r["modality"], r["figure"]) == ("xray", "hedge")]
        assert all(bool(r["first_day"]) == (by != "author") for r in rows)
        sums.append((sum(int(r["n"]) for r in rows), sum(int(r["with_it"]) for r in rows)))
    assert len(set(sums)) == 1


def test_only_tables_are_written(refused, done, tmp_path: Path):
    said = refused("habits", "--workspace", done, "--out", tmp_path / "H.json")
    assert "neither a CSV nor an Excel file" in said
    assert not (tmp_path / "H.json").exists()


@pytest.fixture
def asked_for(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four X-rays that recommend CT in 3 months, done never, in time, late, and not due yet."""
    rows = []
    for patient, day, ct in (("P1", 0, None), ("P2", 1, 90), ("P3", 2, 200), ("P4", 350, None)):
        at = datetime(2025, 1, 6, 8) + timedelta(days=day)
        text = f"IMPRESSION: Nodule {patient}. Recommend follow-up CT in 3 months."
        rows.append((f"X{patient}", "XR", "chest", patient, "Reader, A", str(at), text))
        if ct is not None:
            at += timedelta(days=ct)
            rows.append((f"C{patient}", "CT", "CT chest", patient, "Reader, B", str(at), "Nodule."))
    rows.append(("C5", "CT", "CT chest", "P5", "Reader, B", "2026-01-06 08:00", "Normal."))
    columns = ["accession", "modality", "exam", "patient_id", "author", "time", "text"]
    pd.DataFrame(rows, columns=columns).assign(status="final").to_csv(tmp_path / "r.csv", index=False)
    with open_department(tmp_path / "w.radcal", key, create=True) as department:
        department.importing.import_reports(as_files(reports=[tmp_path / "r.csv"]))
        department.importing.pair()
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    return tmp_path / "w.radcal"


def test_open_recommendations_are_listed_under_their_own_numbers_where_that_is_asked_for(
    radcal, refused, asked_for: Path, tmp_path: Path
):
    listed = tmp_path / "open.csv"
    common = ("habits", "--workspace", asked_for, "--out", tmp_path / "H.csv", "--open", listed)
    told = radcal(*common, "--accession-numbers", "--names", "--json")
    assert told.status == 0
    rows = _rows(listed)
    assert tuple(rows[0]) == OPEN_COLUMNS
    assert [list(row.values()) for row in rows] == [
        [
            "XP1", "P1", "2025-01-06 08:00:00", "ct", "90", "90", "2025-05-06 00:00:00", "not seen here", "", "",
            "Recommend follow-up CT in 3 months.",
        ],
        [
            "XP3", "P3", "2025-01-08 08:00:00", "ct", "90", "90", "2025-05-08 00:00:00", "late", "ct:CP3",
            "2025-07-27 08:00:00", "Recommend follow-up CT in 3 months.",
        ],
    ]  # fmt: skip
    assert json.loads(told.out)["followed"] == {
        "in time": 1, "late": 1, "not seen here": 1, "not due": 1, "cannot be seen here": 0,
    }  # fmt: skip

    covered = radcal(*common)
    assert "1 recommendation is past the time, and no later examination is here; 1 came late." in _flat(covered.out)
    shown = _rows(listed)
    assert not {row["accession"] for row in shown} & {"XP1", "XP3"}
    assert not {row["patient_id"] for row in shown} & {"P1", "P3"}
    for row, own in zip(shown, rows, strict=True):
        by = datetime.fromisoformat(row["examined"]) - datetime.fromisoformat(own["examined"])
        assert by == datetime.fromisoformat(row["in_time_until"]) - datetime.fromisoformat(own["in_time_until"])
        assert by != timedelta(0)
    said = refused(*common[:-1], tmp_path / "open.txt")
    assert "open.txt is neither a CSV nor an Excel file" in said


def _flat(text: str) -> str:
    return " ".join(text.split())
