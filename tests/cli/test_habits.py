"""`radcal habits`: what it writes under names and pseudonyms, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from radcal.cli.habits import COLUMNS


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
