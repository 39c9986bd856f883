"""Exports of a de-identified department have neither its numbers nor its times; personal files keep both."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from pathlib import Path

import pytest

from radcal.cli.run import write_results
from radcal.opening import open_workspace
from radcal.reports.importing import as_files
from radcal.review.records import Action, Mark, Verdict, new_name
from radcal.system import exports
from radcal.system.exports import ExamTime, Exports, ReportNumber
from radcal.workspace.masking import SECRET
from radcal.workspace.stand_ins import StandIns

OWN = "a pass phrase for one reader alone"


def _numbers(department) -> set[str]:
    reports = department._workspace.reports(("report_id", "accession", "patient_id", "study_uid"))
    return {*reports.to_numpy().ravel()} - {""}


def _cells(path: Path) -> set[str]:
    if path.suffix == ".json":
        found: set[str] = set()

        def walk(value: object) -> None:
            if isinstance(value, dict):
                for one in value.values():
                    walk(one)
            elif isinstance(value, list):
                for one in value:
                    walk(one)
            else:
                found.add(str(value))

        walk(json.loads(path.read_text(encoding="utf-8")))
        return found
    return {cell for row in _rows(path) for cell in row}


def _rows(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter="\t" if path.suffix == ".tsv" else ","))


@pytest.mark.slow
def test_no_list_of_a_run_has_a_number_of_a_report_or_patient(department, small, make, tmp_path):
    rows = make.read(small.xray)
    rows = [{**row, "StudyInstanceUID": f"2.25.77{i:05}"} for i, row in enumerate(rows)]
    rows = [{**row, "Exam Time": "no time"} if i % 9 == 0 else row for i, row in enumerate(rows)]
    summary = write_results(
        department, tmp_path / "out", as_files(xray=[make.write(tmp_path / "x.csv", rows)], ct=[small.ct])
    )
    assert summary["rows_rejected"] > 0
    assert summary["deidentified"]["reports"] > 0
    to_review = exports.frame(department.runs.review(), "statements to look at")
    department.exports.write(tmp_path / "out" / "review.csv", to_review)
    studies = department.workspace.reports(("report_id", "study_uid"))
    assert sum(studies["study_uid"].str.startswith("2.25.77")) > 20
    department.exports.write(tmp_path / "out" / "studies.csv", exports.frame(studies, "studies"))
    rejected = {row[name] for row in rows[::9] for name in ("Accession", "StudyInstanceUID")}
    lists = [p for p in (tmp_path / "out").iterdir() if p.suffix in (".csv", ".json")]
    assert len(lists) > 3
    for path in lists:
        assert _cells(path) & (_numbers(department) | rejected) == set(), path.name
    listed, shown = _rows(tmp_path / "out" / "rejected.csv"), department.exports.numbers()
    place = listed[0].index("accession")
    assert {row[place] for row in listed[1:]} >= {shown(row["Accession"]) for row in rows[::9]}
    assert all(number.startswith("R") for number in (row[place] for row in listed[1:]))


def test_a_gold_set_goes_out_under_other_numbers_and_comes_back(analysed, tmp_path):
    analysed.gold.draw(10)
    analysed.gold.begin("AB")
    for report in analysed.gold.reports():
        marks = tuple(Mark(f"engine {i}", Verdict.ACCEPTED, f) for i, f in enumerate(report.findings))
        analysed.gold.mark("AB", Action(new_name(), report.report_id, marks, done=True, blind=True))
    text = analysed.gold.export_text()
    file = tmp_path / "gold.tsv"
    file.write_text(text, encoding="utf-8")
    assert _cells(file) & _numbers(analysed) == set()
    came = analysed.gold.import_file(file, "CD")
    assert came.reports == 10
    assert came.missing == ()
    assert {row.split("\t")[0].partition(":")[0] for row in text.splitlines()[1:]} <= {"xray", "ct"}


def test_times_are_shifted_by_as_much_as_the_dates_of_the_texts(analysed, tmp_path):
    reports = analysed._workspace.reports(("report_id", "patient_id", "exam_time"))
    report_id, patient, time = next(reports.itertuples(index=False, name=None))
    rows = [["time", "number"], [ExamTime(report_id, time.to_pydatetime()), ReportNumber(report_id)]]
    path = analysed.exports.write(tmp_path / "t.csv", exports.table(rows))
    _, (shown, number) = _rows(path)
    shift = StandIns(analysed.masking.secret()).shift(patient)
    assert datetime.fromisoformat(shown) == time.to_pydatetime() + shift
    assert number == analysed.exports.numbers()(report_id) != report_id
    again = analysed.exports.write(tmp_path / "t.xlsx", exports.table(rows, ".xlsx"))
    assert again.stat().st_size > 0
    # Without a department there is nothing to cover.
    plain = Exports().write(tmp_path / "p.csv", exports.table(rows))
    assert report_id in plain.read_text(encoding="utf-8")


def test_with_de_identification_off_exports_have_the_numbers(analysed):
    (report_id, *_) = analysed._workspace.reports(("report_id",))["report_id"]
    assert analysed.exports.numbers()(report_id) != report_id
    analysed.save_settings(analysed.settings.changed(deidentify="off"))
    assert analysed.exports.numbers()(report_id) == report_id
    log = analysed._workspace.audit()["what"].tolist()
    assert "de-identification of imports switched off" in log


def test_pages_print_no_day_of_a_case_and_the_personal_file_keeps_it(analysed, tmp_path):
    (author, *_) = analysed.authors()
    made = analysed.pages.input(author)
    assert all(e.day is None for e in made.examples)
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", OWN)
    with open_workspace(path, OWN) as own:
        assert own._workspace.get_meta(SECRET) is None
        observed = own._stored.observations_of(author)
        assert observed["xray_time"].notna().all()
        numbers = set(observed["xray_id"])
        assert numbers <= _numbers(analysed)
        assert own.exports.numbers()(next(iter(numbers))) in numbers


@pytest.mark.parametrize("number", ["A1", "xray:A1", "ct:A1", "", "other:A1"])
def test_a_number_is_covered_in_the_same_way_in_every_list(analysed, number):
    shown = analysed.exports.numbers()(number)
    assert shown == analysed.exports.numbers()(number)
    if number.startswith(("xray:", "ct:")):
        assert shown == f"{number.partition(':')[0]}:{analysed.exports.numbers()('A1')}"
    assert (shown == number) == (number == "")
