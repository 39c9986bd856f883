"""`radcal gold`: what counts against an annotated set, and what does not."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

SENTENCES = {
    "r1": "There is edema. There is a hiatal hernia.",
    "r2": "No edema.",
    "r3": "There is edema.",
    "r4": "No edema.",
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Reports, and a gold set that names edema in two of them."""
    reports, gold = tmp_path / "R.csv", tmp_path / "G.tsv"
    with reports.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("report_id", "text"), *SENTENCES.items()])
    gold.write_text("r1\t1\tedema\tpresent\nr2\t1\tedema\tabsent\n", encoding="utf-8")
    return reports, gold


def test_reports_without_a_row_count_and_other_pathologies_do_not(radcal, files):
    reports, gold = files
    scored = json.loads(radcal("gold", gold, "--reports", reports, "--second", "none", "--json").out)
    [assertion] = [grain for grain in scored["grains"] if grain["grain"] == "assertion"]
    # The hernia of r1 is not annotated; what is found in r3 and r4 has no row, and is wrong.
    assert (assertion["gold"], assertion["found"], assertion["hits"]) == (2, 4, 2)
    assert [row["pathology"] for row in scored["pathologies"]] == ["edema"]
    said = radcal("gold", gold, "--reports", reports, "--second", "none").out
    assert "Findings of 1 pathology that the gold set does not name are left out." in said
    assert "rules" not in scored


def test_a_file_of_far_more_than_was_annotated_counts_where_there_are_rows(radcal, files):
    reports, gold = files
    with reports.open("a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows((f"r{n}", "There is edema.") for n in range(5, 9))
    scored = json.loads(radcal("gold", gold, "--reports", reports, "--second", "none", "--json").out)
    [assertion] = [grain for grain in scored["grains"] if grain["grain"] == "assertion"]
    assert (assertion["gold"], assertion["found"], assertion["hits"]) == (2, 2, 2)
    assert any("6 of 8 reports have no row in G.tsv" in note for note in scored["notes"])
