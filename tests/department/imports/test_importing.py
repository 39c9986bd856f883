"""An import can be rehearsed without writing, and comes to what was said; files are read in ways of their own."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from radcal.department import Department
from radcal.opening import open_department
from radcal.reports import importing, readers
from radcal.reports.dry_run import Rehearsal
from radcal.reports.formats import Limits
from radcal.reports.importing import ReportFile, as_files, names_of
from radcal.reports.records import Modality
from radcal.sample.department import generate
from radcal.system.errors import Cancelled, InputError

COLUMNS = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Signing Radiologist"


def _table(path: Path, rows: list[str], header: str = COLUMNS) -> Path:
    path.write_text("\n".join((header, *rows, "")), encoding="utf-8")
    return path


def _row(accession: str, when: str, *, patient: str = "P1", kind: str = "CR", text: str = "Likely edema.") -> str:
    exam = "XR CHEST" if kind == "CR" else "CT CHEST"
    return f"{accession},{patient},{exam},{kind},{when},{text},Quill"


def _same_attrition(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """The same steps and reasons, in whatever order the reasons of a step stand."""
    keys = ["modality", "step", "reason"]
    a, b = ({tuple(r[k] for k in keys): r["dropped"] for r in f.to_dict("records")} for f in (one, other))
    assert a == b
    ends = [f.groupby("modality")["kept"].last().to_dict() for f in (one, other)]
    assert ends[0] == ends[1]


def _as_imported(department: Department, files: list[ReportFile], rehearsal: Rehearsal) -> None:
    """Rehearse, import, pair: what was said is what comes."""
    before = len(department._workspace.pairs())
    said = rehearsal.run(files, department)
    assert len(department._workspace.pairs()) == before
    imported = department.importing.import_reports(files)
    pairing = department.importing.pair()
    assert (said.rows, said.rejected) == (imported.rows_read, len(imported.rejected))
    assert dict(said.reasons) == imported.rejected["reason"].value_counts().to_dict()
    assert (said.pairs_before, said.pairs) == (before, pairing.n_pairs)
    _same_attrition(said.attrition, pairing.attrition)


def test_a_rehearsal_says_what_an_import_comes_to_and_writes_nothing(department, few):
    files = as_files(xray=[few.xray], ct=[few.ct])
    said = Rehearsal().run(as_files(xray=[few.xray], ct=[few.ct]), department)
    assert said.pairs == 34
    assert department._workspace.imports().empty
    assert department.importing.known() == frozenset()
    assert department._workspace.reports().empty
    _as_imported(department, files, Rehearsal())


@pytest.mark.parametrize("seed", range(3))
def test_a_rehearsal_counts_what_the_workspace_has_already(few, make, department, tmp_path, seed):
    """Versions, addenda and contradictions may come in two files; the counts are of both."""
    rows = make.read(few.xray)
    first = {i for i in range(len(rows)) if random.Random(seed * 77 + i).random() < 0.5}  # noqa: S311 - no secret
    halves = [
        make.write(tmp_path / f"half-{k}.csv", [row for i, row in enumerate(rows) if (i in first) == bool(k)])
        for k in range(2)
    ]
    rehearsal = Rehearsal()
    _as_imported(department, as_files(xray=halves[:1], ct=[few.ct]), rehearsal)
    _as_imported(department, as_files(xray=halves[1:]), rehearsal)


def test_without_a_workspace(few):
    said = Rehearsal().run(as_files([few.xray, few.ct]))
    assert (said.pairs_before, said.pairs) == (0, 34)
    assert [(f.xray > 0, f.ct > 0) for f in said.files] == [(True, False), (False, True)]


def test_a_file_that_cannot_be_read_does_not_hide_the_others(few, tmp_path):
    damaged = tmp_path / "page.csv"
    damaged.write_text("<html><body>Session expired</body></html>", encoding="utf-8")
    unnamed = _table(tmp_path / "x.csv", ["A1,P1"], "accession,mrn")
    missing = tmp_path / "nothere.csv"
    said = Rehearsal().run(as_files([damaged, few.xray, unnamed, few.ct, missing]))
    assert said.pairs == 34
    failures = {f.name: f.failure for f in said.files}
    assert "web page" in failures["page.csv"]
    assert "examination time" in failures["x.csv"]
    assert "There is no file" in failures["nothere.csv"]
    assert failures["xray.csv"] == failures["ct.csv"] == ""


def test_nothing_but_files_that_cannot_be_read(tmp_path):
    said = Rehearsal().run(as_files([tmp_path / "nothere.csv"]))
    assert (said.rows, said.rejected, said.pairs) == (0, 0, 0)


def test_files_imported_before_are_known(holding, few):
    said = Rehearsal().run(as_files(xray=[few.xray], ct=[few.ct]), holding)
    assert [f.again for f in said.files] == [True, True]
    assert (said.rows, said.pairs_before, said.pairs) == (0, 34, 34)


@pytest.mark.parametrize(
    ("times", "dates", "days"),
    [
        (("03/04/2024 08:00", "05/06/2024 09:00"), "month first", {True: (4, 6), False: (3, 5)}),
        (("31/03/2024 08:00", "05/06/2024 09:00"), "", {True: (3, 6), False: None}),
        (("31/03/2024 08:00", "03/31/2024 08:00", "05/06/2024 09:00"), "mixed", None),
        (("2024-03-31 08:00", "2024-06-05 09:00"), "", None),
    ],
)
def test_what_is_known_of_the_order_of_dates(department, tmp_path, times, dates, days):
    file = _table(tmp_path / "x.csv", [_row(f"A{i}", when) for i, when in enumerate(times)])
    (seen,) = Rehearsal().run([ReportFile(file)]).files
    assert seen.dates == dates
    if not days:
        return
    for day_first, months in days.items():
        (stated,) = Rehearsal().run([ReportFile(file, day_first=day_first)]).files
        assert stated.dates == ""
        if months is not None:
            imported = department.importing.import_reports([ReportFile(file, day_first=day_first)])
            assert tuple(imported.reports["exam_time"].dt.month) == months


def test_stating_the_order_of_dates_reads_a_file_again(department, tmp_path):
    file = _table(tmp_path / "x.csv", [_row("A1", "03/04/2024 08:00")])
    department.importing.import_reports([ReportFile(file)])
    assert department.importing.import_reports([ReportFile(file)]).rows_read == 0
    assert department.importing.import_reports([ReportFile(file, day_first=True)]).rows_read == 1
    assert department._workspace.reports()["exam_time"].dt.month.tolist() == [4]


def test_what_was_read_is_remembered_until_the_file_changes(few, tmp_path, monkeypatch):
    reads: list[str] = []
    read_file = readers.read_file

    def counting(path: Path, *rest: Any) -> Any:
        reads.append(path.name)
        return read_file(path, *rest)

    monkeypatch.setattr(readers, "read_file", counting)
    ct = tmp_path / "ct.csv"
    ct.write_bytes(few.ct.read_bytes())
    rehearsal, files = Rehearsal(), as_files(xray=[few.xray], ct=[ct])
    first = rehearsal.run(files)
    again = rehearsal.run(files)
    assert reads == ["xray.csv", "ct.csv"]
    assert again.pairs == first.pairs
    pd.testing.assert_frame_equal(again.attrition, first.attrition)
    rehearsal.run(as_files([few.xray], ct=[ct]))  # the X-ray file read as one of both modalities
    assert reads[2:] == ["xray.csv"]
    ct.write_text(few.ct.read_text(encoding="utf-8") + "\n" + _row("N1", "2025-01-01 08:00"), encoding="utf-8")
    rehearsal.run(files)
    assert reads[3:] == ["ct.csv"]
    rehearsal = Rehearsal()
    rehearsal.run(files)
    assert reads[4:] == ["xray.csv", "ct.csv"]


def test_no_report_text_is_remembered(few):
    rehearsal = Rehearsal()
    rehearsal.run(as_files([few.xray, few.ct]))
    for seen in rehearsal._seen.values():
        assert set(seen.imported.reports["text"].str.len()) == {16}


def test_files_with_columns_of_their_own_are_read_all_or_none(department, tmp_path):
    xray = _table(tmp_path / "x.csv", [_row("A1", "2025-01-01 08:00")])
    ct = _table(
        tmp_path / "c.csv", [_row("B1", "2025-01-01 10:00", kind="CT")], COLUMNS.replace("Exam Time", "Spalte X")
    )
    with pytest.raises(InputError, match="examination time"):
        department.importing.import_reports([ReportFile(xray), ReportFile(ct)])
    assert department._workspace.imports().empty
    own = ReportFile(ct, mapping={"exam_time": "Spalte X"})
    with pytest.raises(InputError, match=r"No column 'Zeit', to which exam_time was mapped"):
        department.importing.import_reports([ReportFile(xray, mapping={"exam_time": "Zeit"}), own])
    imported = department.importing.import_reports([ReportFile(xray), own])
    assert imported.rows_read == 2
    assert len(department._workspace.imports()) == 1
    assert department.importing.pair().n_pairs == 1


def test_files_that_cannot_be_read_are_left_out_where_that_is_asked_for(department, tmp_path):
    xray = _table(tmp_path / "x.csv", [_row("A1", "2025-01-01 08:00")])
    ct = _table(tmp_path / "c.csv", [_row("B1", "2025-01-01 10:00", kind="CT")])
    (tmp_path / "d.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    files = [ReportFile(path) for path in (tmp_path / "d.xlsx", xray, tmp_path / "gone.csv", ct)]
    with pytest.raises(InputError, match=r"d\.xlsx is damaged|There is no file .*gone\.csv"):
        department.importing.import_reports(files)
    imported = department.importing.import_reports(files, leave_out=True)
    assert [file.file for file in imported.unread] == ["gone.csv", "d.xlsx"]
    assert "d.xlsx is damaged" in imported.unread[1].reason
    assert sorted(imported.reports["report_id"]) == ["ct:B1", "xray:A1"]
    assert department.importing.history()[0].files == ("x.csv", "c.csv")
    again = department.importing.import_reports(files, leave_out=True)
    assert [file.file for file in again.unread] == ["gone.csv", "d.xlsx"]
    assert again.notes == ("Imported before, and not read again: x.csv, c.csv.",)
    _table(tmp_path / "d.xlsx", [_row("A2", "2025-01-02 08:00")])
    mended = department.importing.import_reports(files, leave_out=True)
    assert mended.reports["report_id"].tolist() == ["xray:A2"]
    with pytest.raises(InputError, match=r"There is no file .*gone\.csv"):
        department.importing.import_reports(files[2:3], leave_out=True)


def test_a_file_whose_reading_was_ended_is_listed_with_the_reason(department, tmp_path, monkeypatch):
    xray = _table(tmp_path / "x.csv", [_row("A1", "2025-01-01 08:00")])
    book = openpyxl.Workbook()
    book.active.append(COLUMNS.split(","))
    book.save(tmp_path / "march.xlsx")
    monkeypatch.setattr(Limits, "of", classmethod(lambda cls, _: cls(seconds=-1)))
    files = [ReportFile(tmp_path / "march.xlsx"), ReportFile(xray)]
    march, other = Rehearsal().run(files, department).files
    assert march.failure.startswith("march.xlsx took too long to read and was given up.")
    assert (other.failure, other.xray) == ("", 1)
    imported = department.importing.import_reports(files, leave_out=True)
    assert [(file.file, file.reason) for file in imported.unread] == [("march.xlsx", march.failure)]
    assert imported.reports["report_id"].tolist() == ["xray:A1"]


@pytest.mark.slow
def test_wherever_an_import_is_stopped_nothing_is_left_of_it(department, tmp_path, onlooker):
    sample = generate(tmp_path, 4)
    files = as_files(xray=[sample.xray], ct=[sample.ct])
    whole = onlooker()
    said = Rehearsal().run(files, department, whole)
    for look in range(whole.looks):
        with pytest.raises(Cancelled):
            Rehearsal().run(files, department, onlooker(looks=look))
    look = -1
    while department._workspace.imports().empty:
        look += 1
        try:
            department.importing.import_reports(files, onlooker(looks=look))
        except Cancelled:
            assert department._workspace.imports().empty
            assert department._workspace.reports().empty
            assert department.importing.reports() is None
            assert department.importing.known() == frozenset()
    assert look >= 20
    look = -1
    while department._workspace.pairs().empty:
        look += 1
        try:
            department.importing.pair(onlooker(looks=look))
        except Cancelled:
            assert department._workspace.pairs().empty
    assert len(department._workspace.pairs()) == said.pairs


def test_reports_are_read_back_in_portions_in_their_order(department, few, onlooker, monkeypatch):
    department.importing.import_reports(as_files(xray=[few.xray], ct=[few.ct]))
    whole = department.importing.reports()
    assert set(whole["text"]) == {""}
    monkeypatch.setattr(importing, "_BATCH", 7)
    looks = onlooker()
    pd.testing.assert_frame_equal(department.importing.reports(looks), whole)
    assert looks.looks == -(-len(whole) // 7)


def test_files_of_one_name_are_told_apart(department, tmp_path):
    for folder in ("north", "south"):
        (tmp_path / folder).mkdir()
        _table(tmp_path / folder / "x.csv", [_row(f"A{folder}", "")])
    files = [
        ReportFile(tmp_path / "north" / "x.csv"),
        ReportFile(tmp_path / "south" / "x.csv", Modality.XRAY),  # read in another way
    ]
    assert names_of(files) == ["north/x.csv", "south/x.csv"]
    assert sorted(department.importing.import_reports(files).rejected["file"]) == ["north/x.csv", "south/x.csv"]
    assert [f.name for f in Rehearsal().run(files).files] == ["north/x.csv", "south/x.csv"]


def test_languages_other_than_english_are_counted_and_said(department, tmp_path):
    texts = ("Likely edema.", "Kein Pleuraerguss.", "Kein Anhalt für Pneumonie.", "Pas d'épanchement pleural.")
    rows = [_row(f"A{i}", "2024-03-13", patient=f"P{i}", text=text) for i, text in enumerate(texts)]
    said = "Languages of the reports: 2 in German, 1 in English and 1 in French."
    notes = department.importing.import_reports(as_files([_table(tmp_path / "x.csv", rows)])).notes
    assert [note.startswith(said) for note in notes].count(True) == 1
    (past,) = department.importing.history()
    assert past.notes == notes
    english = _table(tmp_path / "y.csv", [_row("B1", "2024-03-14")])
    notes = department.importing.import_reports(as_files([english])).notes
    assert not any("Languages" in note for note in notes)


def test_history_tells_files_and_what_was_assumed_the_latest_first(department, tmp_path):
    one = _table(tmp_path / "one.csv", [_row("A1", "03/04/2024 08:00"), _row("A2", "")])
    two = _table(tmp_path / "two.csv", [_row("B1", "2024-03-04 10:00", kind="CT")])
    assert department.importing.history() == ()
    department.importing.import_reports([ReportFile(one)])
    department.importing.import_reports([ReportFile(two), ReportFile(one)])
    later, first = department.importing.history()
    assert (later.files, later.rows_read, later.new, later.rejected) == (("two.csv",), 1, 1, 0)
    assert (first.files, first.rows_read, first.new, first.rejected) == (("one.csv",), 2, 1, 1)
    assert any("03/04/2024" in note for note in first.notes)
    assert [note for note in later.notes if "names the patients" not in note] == []
    assert later.at.tzinfo is not None
    assert later.at >= first.at


def test_settings_of_the_department_count(tmp_path, make):
    rows = [_row("A1", "2025-01-01 08:00"), _row("B1", "2025-01-01 15:00", kind="CT")]
    file = _table(tmp_path / "x.csv", rows)
    for hours, pairs in ((6.0, 0), (8.0, 1)):
        settings = make.settings.changed(window_hours=hours)
        with open_department(
            tmp_path / f"{hours}.radcal", make.passphrase, create=True, settings=settings
        ) as department:
            assert Rehearsal().run(as_files([file]), department).pairs == pairs


def test_the_study_is_known_once_a_file_names_it_and_stays_so(department, small, make, tmp_path):
    rows = make.read(small.xray)[:20]
    plain = make.write(tmp_path / "plain.csv", rows)
    named = make.write(tmp_path / "named.csv", [{**row, "Study UID": f"1.2.840.{i}"} for i, row in enumerate(rows)])

    def studies() -> dict[str, str]:
        found = department.workspace.reports(("accession", "study_uid"))
        return dict(zip(found["accession"], found["study_uid"], strict=True))

    department.importing.import_reports(as_files(xray=[plain]))
    texts = department.workspace.reports(("report_id", "text"))
    assert set(studies().values()) == {""}
    department.importing.import_reports(as_files(xray=[named]))
    told = studies()
    assert len({*told.values()}) == len(told) > 10
    assert all(uid == f"1.2.840.{[row['Accession'] for row in rows].index(number)}" for number, uid in told.items())
    again = make.write(tmp_path / "other.csv", rows[::-1])
    department.importing.import_reports(as_files(xray=[again]))
    assert studies() == told
    assert department.workspace.reports(("report_id", "text")).equals(texts)
