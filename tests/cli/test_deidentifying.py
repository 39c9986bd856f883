"""`radcal deidentify`: texts of reports in any format into a file, or what a workspace stores; never both."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import openpyxl
import pytest

TEXT = "CXR for Tamsin Quillfeather: seen on the fourteenth of March. No effusion."
HEADER = ("Accession", "MRN", "Patient Name", "Report Text")


def written(path: Path) -> dict[str, str]:
    """The texts of a file by report_id, without the mark of shifted dates."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["report_id", "text"]
    return {number: text.replace("\u2060", "") for number, text in rows}


def table(path: Path, *rows: tuple[str, ...], header: tuple[str, ...] = HEADER) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_texts_are_written_without_identifiers_and_names_of_columns_are_known(radcal: Any, tmp_path: Path) -> None:
    rows = [
        ("A1", "P1", "Young, Ann", TEXT),
        ("A2", "P1", "", "Ms Young asked. The film of Young is unchanged."),
        ("A3", "P2", "", ""),
    ]
    reports = table(tmp_path / "in.csv", *rows)
    done = radcal("deidentify", reports, "--out", tmp_path / "out.csv")
    texts = written(tmp_path / "out.csv")
    assert done.status == 1  # for the report without text
    assert "in.csv, row 4" in done.out
    assert "No column" not in done.out
    assert list(texts) == ["A1", "A2"]
    assert texts["A1"].startswith("CXR for [name]: seen on the ")
    assert "fourteenth of March" not in texts["A1"]
    assert texts["A2"] == "Ms [name] asked. The film of [name] is unchanged."


def test_without_a_column_of_names_it_says_what_that_costs(radcal: Any, tmp_path: Path) -> None:
    reports = table(tmp_path / "in.csv", ("1", TEXT), header=("report_id", "text"))
    done = radcal("deidentify", reports, "--out", tmp_path / "out.xlsx")
    assert done.status == 0
    assert "No column of in.csv names the patients" in done.out
    assert "--map patient_name=COLUMN" in done.out
    rows = list(openpyxl.load_workbook(tmp_path / "out.xlsx").active.iter_rows(values_only=True))
    assert rows[0] == ("report_id", "text")
    assert rows[1][1].startswith("CXR for [name]")
    other = table(tmp_path / "other.csv", ("1", "Quillfeather, T", TEXT), header=("report_id", "Wer", "text"))
    done = radcal("deidentify", other, "--out", tmp_path / "o.csv", "--map", "patient_name=Wer")
    assert (done.status, "No column" in done.out) == (0, False)


def test_every_version_of_a_report_is_written(radcal: Any, tmp_path: Path) -> None:
    """As an import stores each of them: an addendum in a row of its own has the number of its report."""
    rows = [
        ("A1", "P1", "Young, Ann", "No effusion."),
        ("A1", "P1", "Young, Ann", "Addendum: seen by Dr. Quillfeather."),
    ]
    reports = table(tmp_path / "in.csv", *rows)
    assert radcal("deidentify", reports, "--out", tmp_path / "out.csv").status == 0
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file))[1:]
    assert found == [["A1", "No effusion."], ["A1", "Addendum: seen by Dr. [name]."]]


def test_messages_are_read(radcal: Any, tmp_path: Path) -> None:
    message = (
        "MSH|^~\\&|R|H|X|X|20240301||ORU^R01|1|P|2.5\rPID|||P1||Brombeer^Rolf||19310203|M\rOBR|1||A7|71020^XR CHEST\r"
        f"OBX|1|TX|1||{TEXT} Brombeer said so.||||||F\r"
    )
    (tmp_path / "m.hl7").write_text(message, encoding="utf-8")
    assert radcal("deidentify", tmp_path / "m.hl7", "--out", tmp_path / "m.csv").status == 0
    text = written(tmp_path / "m.csv")["A7"]
    assert "Quillfeather" not in text
    assert "Brombeer" not in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "Name reports and a file for their texts"),
        (("in.csv",), "Name reports and a file for their texts"),
        (("--out", "o.csv"), "Name reports and a file for their texts"),
        (("in.csv", "--workspace", "w.radcal"), "With --workspace"),
        (("--out", "o.csv", "--workspace", "w.radcal"), "With --workspace"),
        (("--map", "text=A", "--workspace", "w.radcal"), "With --workspace"),
        (("missing.csv", "--out", "o.csv"), "There is no file"),
    ],
)
def test_one_use_at_a_time(
    refused: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path / "in.csv", ("A1", "P1", "", TEXT))
    assert said in refused("deidentify", *given)
    assert not (tmp_path / "o.csv").exists()


def test_the_reports_themselves_are_not_overwritten(refused: Any, tmp_path: Path) -> None:
    reports = table(tmp_path / "in.csv", ("A1", "P1", "", TEXT))
    before = reports.read_bytes()
    assert "Choose another name" in refused("deidentify", reports, "--out", reports)
    assert reports.read_bytes() == before
