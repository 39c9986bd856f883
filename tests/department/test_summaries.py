from __future__ import annotations

import pytest

from radcal.cli.run import write_results
from radcal.cli.summaries import counted, left_out
from radcal.reports.importing import as_files
from radcal.sample.department import generate


@pytest.mark.parametrize(
    ("n", "shown"), [(0, "0 pairs were"), (1, "1 pair was"), (2, "2 pairs were"), (1204, "1,204 pairs were")]
)
def test_one_is_told_apart_from_any_other_number(n: int, shown: str) -> None:
    assert counted(n, "pair was", "pairs were") == shown


def test_summaries_of_single_things_read_well(command, department, tmp_path):
    sample = generate(tmp_path / "one", 1, seed=3)
    shown = write_results(department, tmp_path / "out", as_files(xray=[sample.xray], ct=[sample.ct]))["text"]
    assert shown.startswith("1 pair of X-ray and CT reports, ")
    assert ", 1 radiologist.\n" in shown
    (tmp_path / "R.csv").write_text("report_id,text\na,Likely edema.\n", encoding="utf-8")
    assert command("extract", tmp_path / "R.csv", "--out", tmp_path / "F.csv")["text"].startswith(
        "1 finding in 1 report is in "
    )


def test_what_is_left_out_is_told_with_its_place_and_remedy():
    failures = [
        {"file": "A.csv", "row": 3, "reason": "It is no number.", "remedy": "Enter a number."},
        {"file": "A.csv", "row": None, "reason": "It is empty.", "remedy": ""},
        {"file": "A.csv", "row": 4, "author": "B", "reason": "Too few.", "remedy": "Add rows."},
        {"report_id": "R1", "reason": "It was not read."},
    ]
    assert left_out(failures) == (
        "\nLeft out (4):\n  A.csv, row 3: It is no number. Enter a number.\n  A.csv: It is empty.\n"
        "  A.csv, row 4, B: Too few. Add rows.\n  report R1: It was not read."
    )
    assert left_out(failures * 3, "Listed").splitlines()[-1] == "  ... and 2 more (--json lists them)"
    assert left_out([]) == ""
