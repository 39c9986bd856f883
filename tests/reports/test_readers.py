"""From files to reports: every row ends up as a report, a listed fault or a count in the attrition."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock, call

import openpyxl
import pandas as pd
import pytest
import xlwt
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radcal.reports import files, reasons
from radcal.reports.readers import combine, read_reports
from radcal.reports.records import Import, Modality
from radcal.system import inputs
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import Silent
from radcal.workspace.columns import ATTRITION_COLUMNS, REJECTED_COLUMNS, REPORT_COLUMNS, VERSION_COLUMNS

HEADER = ("accession", "mrn", "modality", "exam", "exam time", "report", "dictated by", "signed by", "status")
ROW = ("A1", "P1", "CR", "XR CHEST", "2024-03-31 14:05", "No edema.", "Doe, J", "Roe, A", "Final")


def row(**changes: str) -> tuple[str, ...]:
    return tuple(changes.get(name.replace(" ", "_"), value) for name, value in zip(HEADER, ROW, strict=True))


def write(path: Path, rows: Sequence[Sequence[str]], header: Sequence[str] = HEADER) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def read(tmp_path: Path, *rows: Sequence[str], header: Sequence[str] = HEADER, **options: object) -> Import:
    result = read_reports([write(tmp_path / "march.csv", rows, header)], **options)  # type: ignore[arg-type]
    check(result)
    return result


def check(result: Import) -> None:
    """Invariants of every import: declared columns, one row per report, an attrition that adds up."""
    assert list(result.reports.columns) == [*REPORT_COLUMNS, *VERSION_COLUMNS]
    assert list(result.rejected.columns) == list(REJECTED_COLUMNS)
    assert result.reports["report_id"].is_unique
    assert str(result.reports["exam_time"].dtype) == "datetime64[ns]"
    assert result.attrition is not None
    table = result.attrition
    assert list(table.columns) == list(ATTRITION_COLUMNS)
    assert (table["dropped"] >= 0).all()
    for modality, steps in table.groupby("modality"):
        kept, dropped = steps["kept"].tolist(), steps["dropped"].tolist()
        assert all(a - d == b for a, b, d in zip(kept, kept[1:], dropped[1:], strict=False)), modality
    both = table[table["modality"] == "both"]["kept"].tolist()
    assert both[0] == result.rows_read
    firsts = [table[table["modality"] == m]["kept"].iloc[0] for m in ("xray", "ct")]
    assert both[-1] == sum(firsts)
    for m in ("xray", "ct"):
        last = table[table["modality"] == m]["kept"].iloc[-1]
        assert last == (result.reports["modality"] == m).sum()


def dropped(result: Import) -> dict[str, int]:
    assert result.attrition is not None
    table = result.attrition[result.attrition["dropped"] > 0]
    return dict(zip(table["modality"] + ": " + table["reason"], table["dropped"], strict=True))


def test_a_usual_file(tmp_path: Path) -> None:
    ct = row(accession="A2", modality="CT", exam="CT CHEST", exam_time="2024-03-31 18:00", report="Edema.")
    result = read(tmp_path, ROW, ct)
    first = result.reports.iloc[0]
    assert first["report_id"] == "xray:A1"
    assert first["exam_time"] == pd.Timestamp("2024-03-31 14:05")
    assert (first["author"], first["author_rule"]) == ("Roe, A", "dictated and signed by two: the last to sign")
    assert (first["status"], first["file"], first["row"], first["text"]) == ("final", "march.csv", 2, "No edema.")
    assert result.reports["report_id"].tolist() == ["xray:A1", "ct:A2"]
    assert result.mapping["text"] == "report"
    assert result.rejected.empty
    assert result.notes == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"report": "  "}, reasons.NO_TEXT),
        ({"exam_time": ""}, reasons.NO_TIME),
        ({"exam_time": "yesterday"}, reasons.UNREADABLE_TIME),
        ({"exam_time": "31.02.2024 10:00"}, reasons.IMPOSSIBLE_TIME),
        ({"exam_time": "31-FEB-2024 10:00"}, reasons.IMPOSSIBLE_TIME),
        ({"exam_time": "202402311000"}, reasons.IMPOSSIBLE_TIME),
        ({"exam_time": "2024-02-21 25:10"}, reasons.IMPOSSIBLE_TIME),
        ({"exam_time": "12-soon-2024"}, reasons.UNREADABLE_TIME),
        ({"exam_time": "10:15"}, reasons.NO_DATE),
        ({"exam_time": "2024-03-04"}, reasons.DAY_ALONE),
        ({"mrn": "1.2E+11"}, reasons.DAMAGED_PATIENT),
        ({"report": "No effusion. " * 81_000}, reasons.TOO_LONG),
        ({"accession": ""}, reasons.NO_ACCESSION),
        ({"mrn": " "}, reasons.NO_PATIENT),
        ({"modality": "?", "exam": "Visit"}, reasons.UNKNOWN_MODALITY),
        ({"accession": "1.2E+11"}, reasons.DAMAGED_ACCESSION),
        ({"status": "Cancelled"}, reasons.CANCELLED),
    ],
)
def test_bad_rows_are_listed_and_the_rest_goes_on(
    tmp_path: Path, changes: dict[str, str], reason: reasons.Reason
) -> None:
    result = read(tmp_path, ROW, row(**{"accession": "A2", **changes}), row(accession="A3"))
    assert result.reports["accession"].tolist() == ["A1", "A3"]
    assert result.rejected.to_dict("records") == [
        {
            "file": "march.csv",
            "row": 3,
            "reason": reason.sentence,
            "remedy": reason.remedy,
            "accession": "" if "accession" in changes else "A2",
            "unit": "row",
        }
    ]
    assert sum(dropped(result).values()) == 1


def test_ragged_rows_and_embedded_line_breaks_keep_their_lines(tmp_path: Path) -> None:
    result = read(tmp_path, row(report="One\nTwo\r\nThree"), ("A2", "P2"), row(accession="A3", report=""))
    assert result.reports["text"].tolist() == ["One\nTwo\nThree"]
    assert result.rejected["row"].tolist() == [5, 6]
    assert result.rejected["reason"].tolist() == [reasons.TOO_FEW_CELLS.sentence, reasons.NO_TEXT.sentence]
    assert result.rows_read == 3


def test_a_text_that_goes_on_in_the_next_row_is_one(tmp_path: Path) -> None:
    """The rest stands alone, or with the number of its report; a row that has more, or another number, is another."""
    empty = ("",) * len(HEADER)
    rest = {text: tuple(text if name == "report" else "" for name in HEADER) for text in ("pneumonia.", "Clear.")}
    numbered = ("A1", *rest["Clear."][1:])
    other, patient = ("A2", *rest["Clear."][1:]), ("", "P1", *rest["Clear."][2:])
    result = read(tmp_path, row(report="Likely"), rest["pneumonia."], empty, numbered, other, patient)
    assert result.reports["text"].tolist() == ["Likely\npneumonia.\nClear."]
    assert result.rejected["row"].tolist() == [6, 7]
    torn = read(tmp_path, row(report="Clear lungs."), ("A2", "too short"), rest["pneumonia."])
    assert torn.reports["text"].tolist() == ["Clear lungs."]  # the rest may be that of the row that cannot be read
    assert torn.rejected["row"].tolist() == [3, 4]
    assert "march.csv: 2 rows held only the rest of a report's text and were joined to the row above." in map(
        str, result.notes
    )


def test_other_examinations_drop_out_without_being_errors(tmp_path: Path) -> None:
    knees = [row(accession=f"A2{i}", mrn=f"P{i}", exam="XR KNEE", report="") for i in range(3)]
    brain = row(accession="A3", modality="MR", exam="MRI BRAIN", mrn="")
    result = read(tmp_path, ROW, *knees, brain, row(accession="A4", modality="CT", exam=""))
    assert result.rejected.empty
    assert dropped(result) == {
        "both: another kind of examination": 1,
        "xray: another part of the body": 3,
        "ct: The exam is not named.": 1,
    }
    assert result.notes == ("Left out because they do not show the chest: XR KNEE (3).",)
    once = read(tmp_path, ROW, *knees, row(accession="A5", exam="XR of Erika's hand"))
    assert once.notes == ("Left out because they do not show the chest: XR KNEE (3) and 1 more.",)
    (rare,) = read(tmp_path, ROW, row(accession="A5", exam="XR of Erika's hand")).notes
    assert rare == "Left out because they do not show the chest: 1, under names that are too rare to be told."


def test_a_file_of_one_modality_need_not_name_it(tmp_path: Path) -> None:
    header = ("accession", "mrn", "exam time", "report", "radiologist")
    path = write(tmp_path / "x.csv", [("A1", "P1", "2024-03-31 14:05", "Clear.", "Doe")], header)
    result = read_reports([path], modality=Modality.XRAY)
    assert result.reports["report_id"].tolist() == ["xray:A1"]
    assert result.reports["author_rule"].tolist() == ["only radiologist named"]
    with pytest.raises(InputError, match="no column for the modality or the exam"):
        read_reports([path])


def test_rows_of_the_other_modality_drop_out_of_a_file_of_one(tmp_path: Path) -> None:
    result = read(tmp_path, ROW, row(accession="A2", modality="CT", exam="CT CHEST"), modality=Modality.XRAY)
    assert dropped(result) == {"both: not an X-ray, for which the file was given": 1}


def test_a_wrong_mapping_is_told_in_place_of_the_radiologist_that_it_took(tmp_path: Path) -> None:
    rows = [row(accession=f"A{i}") for i in range(9)]
    path = write(tmp_path / "x.csv", [(*r[:6], r[HEADER.index("signed by")]) for r in rows], (*HEADER[:6], "signed by"))
    with pytest.raises(InputError, match=r"'signed by' was taken for the modality.*like who signed.*Map another"):
        read_reports([path], mapping={"modality": "signed by"})


def test_the_column_of_the_examination_may_be_given_as_that_of_the_modality(tmp_path: Path) -> None:
    rows = [row(accession=f"A{i}", exam=name) for i, name in enumerate(("XR CHEST 2 VIEWS", "CT CHEST", "CT HEAD"))]
    path = write(tmp_path / "x.csv", [(*r[:2], *r[3:]) for r in rows], (*HEADER[:2], *HEADER[3:]))
    result = read_reports([path], mapping={"modality": "exam"})
    assert result.reports["report_id"].tolist() == ["xray:A0", "ct:A1"]


def test_x_rays_need_a_radiologist_column_and_cts_do_not(tmp_path: Path) -> None:
    header = HEADER[:6]
    with pytest.raises(InputError, match=r"no column for the radiologist.*--map signer=COLUMN"):
        read_reports([write(tmp_path / "x.csv", [ROW[:6]], header)])
    ct = row(modality="CT", exam="CT CHEST")[:6]
    assert read(tmp_path, ct, header=header).reports["author"].tolist() == [""]


def test_findings_and_impression_in_columns_of_their_own(tmp_path: Path) -> None:
    header = (*HEADER[:5], "findings", "impression", "radiologist")
    result = read(
        tmp_path, (*ROW[:5], "Clear.", "Normal.", "Doe"), (*row(accession="A2")[:5], "", "", "Doe"), header=header
    )
    assert result.reports["text"].tolist() == ["FINDINGS:\nClear.\n\nIMPRESSION:\nNormal."]
    assert result.rejected["reason"].tolist() == [reasons.NO_TEXT.sentence]


def test_a_narrative_gets_the_impression_that_it_does_not_contain(tmp_path: Path) -> None:
    header = (*HEADER[:5], "narrative", "impression", "radiologist")
    rows = [
        (*ROW[:5], "Clear lungs.", "Normal.", "Doe"),
        (*row(accession="A2")[:5], "Clear. IMPRESSION: Normal  chest.", "Normal chest.", "Doe"),
        (*row(accession="A3")[:5], "", "Normal.", "Doe"),
    ]
    assert read(tmp_path, *rows, header=header).reports["text"].tolist() == [
        "Clear lungs.\n\nIMPRESSION:\nNormal.",
        "Clear. IMPRESSION: Normal  chest.",
        "IMPRESSION:\nNormal.",
    ]


def test_a_row_without_the_time_of_day_that_the_others_have_is_listed(tmp_path: Path) -> None:
    header = (*HEADER[:4], "Study Date", "Study Time", "report", "radiologist")

    def rows(*clocks: str) -> list[tuple[str, ...]]:
        return [(f"A{i}", *ROW[1:4], "20240331", clock, "Clear.", "Doe") for i, clock in enumerate(clocks)]

    result = read(tmp_path, *rows("1405", "", "0905"), header=header)
    assert result.rejected[["accession", "reason"]].to_numpy().tolist() == [["A1", reasons.DAY_ALONE.sentence]]
    assert result.notes == ()
    seldom = read(tmp_path, *rows("1405", "", ""), header=header)
    assert len(seldom.reports) == 3
    assert "midnight" in seldom.notes[0]


def test_what_was_assumed_about_times_is_said(tmp_path: Path) -> None:
    rows = [row(exam_time="03/04/2024 10:00"), row(accession="A2", exam_time="2024-03-04"),
            row(accession="A3", exam_time="2024-03-04T10:00Z"),
            row(accession="A4", exam_time="2024-03-05")]  # fmt: skip
    result = read(tmp_path, *rows)
    assert [any(word in note for note in result.notes) for word in ("month first", "midnight", "UTC")] == [True] * 3
    assert read(tmp_path, rows[0], day_first=True).reports["exam_time"].tolist() == [pd.Timestamp("2024-04-03 10:00")]
    mixed = read(tmp_path, row(exam_time="31/01/2024"), row(accession="A2", exam_time="01/31/2024"),
                 row(accession="A3", exam_time="01/02/2024"))  # fmt: skip
    assert mixed.rejected["reason"].tolist() == [reasons.AMBIGUOUS_TIME.sentence]
    assert any("some with the month first" in note for note in mixed.notes)


def test_line_breaks_of_interface_engines(tmp_path: Path) -> None:
    assert read(tmp_path, row(report=r"Clear.\.br\Normal.")).reports["text"].tolist() == ["Clear.\nNormal."]


def test_a_status_that_nobody_knows_is_said(tmp_path: Path) -> None:
    result = read(tmp_path, row(status="Zwischenstand"))
    assert result.reports["status"].tolist() == [""]
    assert result.notes == ("march.csv: the report status of 1 of 1 rows is not known and was left out of account.",)


def test_an_explicit_mapping(tmp_path: Path) -> None:
    header = tuple("Studienzeit" if name == "exam time" else name for name in HEADER)
    odd = tuple("Wann" if name == "exam time" else name for name in HEADER)
    assert read(tmp_path, ROW, header=header).mapping["exam_time"] == "Studienzeit"
    assert read(tmp_path, ROW, header=odd, mapping={"exam_time": "Wann"}).mapping["exam_time"] == "Wann"
    with pytest.raises(InputError, match="--map exam_time=COLUMN"):
        read(tmp_path, ROW, header=odd)
    with pytest.raises(InputError, match=r"No column 'Wenn'.*march\.csv"):
        read(tmp_path, ROW, mapping={"exam_time": "Wenn"})


# --- versions


def test_final_wins_over_preliminary_and_keeps_who_dictated(tmp_path: Path) -> None:
    final = row(report="Edema.", dictated_by="")
    result = read(tmp_path, final, row(status="Preliminary", signed_by=""))
    assert result.reports[["text", "status", "dictator", "signer", "row"]].to_numpy().tolist() == [
        ["Edema.", "final", "Doe, J", "Roe, A", 2]
    ]
    assert dropped(result) == {"xray: superseded by a later version": 1}


def test_an_addendum_that_adds_is_joined(tmp_path: Path) -> None:
    second = row(status="Addendum", report="ADDENDUM 2: Rib fracture.", signed_by="Poe, B")
    result = read(tmp_path, row(status="Addendum", report="Small nodule."), ROW, second)
    report = result.reports.iloc[0]
    assert report["text"] == "No edema.\n\nADDENDUM:\nSmall nodule.\n\nADDENDUM 2: Rib fracture."
    assert (report["status"], report["author"], report["row"]) == ("addendum", "Roe, A", 3)
    assert dropped(result) == {"xray: an addendum, joined to its report": 2}


def test_an_addendum_that_repeats_its_report_replaces_it_and_the_last_one_wins(tmp_path: Path) -> None:
    header = (*HEADER, "addendum number")
    rows = [
        (*row(report="No edema. ADDENDUM: Nodule. ADDENDUM: Mass."), "2"),
        (*ROW, "0"),
        (*row(report="No edema. ADDENDUM: Nodule."), "1"),
        (*row(report="Mass."), "3"),
    ]
    report = read(tmp_path, *rows, header=header).reports.iloc[0]
    assert report["text"] == "No edema. ADDENDUM: Nodule. ADDENDUM: Mass."
    assert report["status"] == "addendum"


def test_one_accession_number_of_an_x_ray_and_a_ct_are_two_reports(tmp_path: Path) -> None:
    assert len(read(tmp_path, ROW, row(modality="CT", exam="CT CHEST", report="Other.")).reports) == 2


def test_several_files_and_imports_come_to_the_same(tmp_path: Path) -> None:
    final = row(report="Edema.", exam_time="03/31/2024 14:05")
    paths = [
        write(tmp_path / "a.csv", [row(status="Preliminary"), row(accession="A9", report="")]),
        write(tmp_path / "b.csv", [final, row(accession="A2")]),
    ]
    together = read_reports(paths)
    apart = combine([read_reports([path]) for path in paths])
    for result in (together, apart):
        check(result)
        assert result.reports.set_index("report_id")["text"].to_dict() == {"xray:A1": "Edema.", "xray:A2": "No edema."}
        assert result.rows_read == 4
        assert len(result.rejected) == 1
    assert dropped(together) == dropped(apart)
    assert combine([together]).reports.equals(together.reports)


def test_no_files_no_reports() -> None:
    check(read_reports([]))
    assert combine([]).reports.empty


def test_only_a_header_is_no_error(tmp_path: Path) -> None:
    result = read(tmp_path)
    assert result.rows_read == 0
    assert result.notes == ("march.csv has no rows that can be used.",)


# --- workbooks


def test_xlsx_takes_the_first_sheet_with_a_usable_header(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Notes of the export"])
    sheet = book.create_sheet("Reports")
    sheet.append([])
    sheet.append(list(HEADER))
    when = dt.datetime(2024, 3, 31, 14, 5)
    sheet.append([10001, 77, *ROW[2:4], when, "One\nTwo", *ROW[6:]])
    sheet.append([])
    sheet.append([10002, 77, *ROW[2:4], None, "x", *ROW[6:]])
    book.save(tmp_path / "r.xlsx")
    result = read_reports([tmp_path / "r.xlsx"])
    check(result)
    report = result.reports.iloc[0]
    assert (report["accession"], report["patient_id"], report["text"], report["row"]) == ("10001", "77", "One\nTwo", 3)
    assert report["exam_time"] == pd.Timestamp(when)
    assert result.rejected["row"].tolist() == [5]


def xls(path: Path) -> Path:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Reports")
    style = xlwt.XFStyle()
    style.num_format_str = "dd/mm/yyyy hh:mm"
    for line, cells in enumerate((HEADER, [*ROW[:4], dt.datetime(2024, 3, 31, 14, 5), *ROW[5:]])):
        for column, value in enumerate(cells):
            sheet.write(line, column, value, *([style] if isinstance(value, dt.datetime) else []))
    book.save(path)
    return path


def test_the_content_tells_the_format_and_not_the_name(tmp_path: Path) -> None:
    assert len(read_reports([write(tmp_path / "r.xls", [ROW])]).reports) == 1
    assert len(read_reports([xls(tmp_path / "r.csv")]).reports) == 1


# --- what is no file of reports


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"%PDF-1.4\n", "neither text nor a workbook"),
        (bytes(range(256)) * 4, "neither text nor a workbook"),
        (b"report\nClear.\n", "no column for the accession number"),
        (b"just some words\nand more\n", "no column for"),
        (b"<html><table></table></html>", "web page"),
        (b"PK\x03\x04junk", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1junk", "damaged"),
    ],
)
def test_what_is_no_file_of_reports(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_reports([path])
    assert "file.csv" in str(caught.value)


def test_a_workbook_that_is_too_large_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 1 << 20)
    monkeypatch.setattr(inputs, "_PART", 1 << 20)
    monkeypatch.setattr(files, "parse", None)
    (tmp_path / "march.xlsx").write_bytes(b"PK\x03\x04" + bytes(10 << 20))
    looking = Mock(spec=Silent)
    with pytest.raises(InputError, match=r"march\.xlsx is too large: RadCal reads workbooks of up to 1 MB\. Split it"):
        read_reports([tmp_path / "march.xlsx"], progress=looking)
    assert looking.raise_if_cancelled.call_count < 5


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_reports([tmp_path / "none.csv"])


def test_a_file_that_may_not_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "x.csv", [ROW])

    def refuse(_path: Path, _flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(inputs.os, "open", refuse)
    with pytest.raises(InputError, match=r"x\.csv cannot be read \(Permission denied\)"):
        read_reports([path])


def test_progress_counts_files_and_can_cancel(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, [row(accession=name)]) for name in ("a.csv", "b.csv")]
    progress = Mock(spec=Silent)
    read_reports(paths, progress=progress)
    steps = [step for step in progress.mock_calls if step != call.raise_if_cancelled()]
    assert steps == [call.start(2, "Reading reports"), call.advance(1, "a.csv"), call.advance(1, "b.csv")]
    progress.raise_if_cancelled.side_effect = Cancelled
    with pytest.raises(Cancelled):
        read_reports(paths, progress=progress)


# --- folders


def folder(tmp_path: Path, manifest: Sequence[Sequence[str]], **files: str) -> Path:
    path = tmp_path / "texts"
    path.mkdir()
    header = (*HEADER[:5], "file", "radiologist")
    write(path / "manifest.csv", manifest, header)
    for name, text in files.items():
        (path / f"{name}.txt").write_bytes(text.encode("cp1252"))
    return path


def entry(accession: str, file: str) -> tuple[str, ...]:
    return (*row(accession=accession)[:5], file, "Doe")


def test_a_folder_of_texts_with_a_manifest(tmp_path: Path) -> None:
    path = folder(
        tmp_path,
        [entry("A1", "a.txt"), entry("A2", "missing.txt"), entry("A3", ""), entry("A4", "../outside.txt"),
         entry("A5", "b.txt")],
        a="Größe normal.\r\nClear.", b="  ", stray="Nobody knows me.",
    )  # fmt: skip
    (tmp_path / "outside.txt").write_text("Not yours.", encoding="utf-8")
    result = read_reports([path])
    check(result)
    assert result.reports["text"].tolist() == ["Größe normal.\nClear."]
    assert result.reports["file"].tolist() == ["texts/manifest.csv"]
    listed = result.rejected[["row", "reason"]].to_numpy().tolist()
    assert listed == [
        [3, reasons.FILE_MISSING.sentence], [4, reasons.NO_FILE_NAMED.sentence], [5, reasons.FILE_MISSING.sentence],
        [6, reasons.NO_TEXT.sentence], [1, reasons.NOT_IN_MANIFEST.sentence],
    ]  # fmt: skip
    assert result.rejected["file"].tolist()[-1] == "stray.txt"
    assert result.rows_read == 5


def test_a_text_file_that_is_no_text_is_listed(tmp_path: Path) -> None:
    path = folder(tmp_path, [entry("A1", "a.txt")])
    (path / "a.txt").write_bytes(b"%PDF-1.4")
    assert read_reports([path]).rejected["reason"].tolist() == [reasons.FILE_UNREADABLE.sentence]


def test_a_folder_with_a_table_of_reports_says_to_choose_the_table(tmp_path: Path) -> None:
    write(tmp_path / "export.csv", [ROW])
    with pytest.raises(InputError, match=r"export\.csv is a table of reports\. Choose this file"):
        read_reports([tmp_path])


def test_a_folder_needs_one_manifest(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="has no manifest"):
        read_reports([tmp_path])
    for name in ("one.csv", "two.csv"):
        write(tmp_path / name, [])
    with pytest.raises(InputError, match=r"several tables \(one\.csv, two\.csv\)"):
        read_reports([tmp_path])


# --- round trips

CELLS = st.text(
    alphabet=st.one_of(st.sampled_from("\",;\t|\n '.:aB1é\u2019"), st.characters(exclude_categories=("C",))),
    max_size=30,
).filter(lambda t: t.strip() and "\\" not in t)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    texts=st.lists(CELLS, min_size=1, max_size=5),
    delimiter=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
)
def test_what_is_exported_is_imported(tmp_path: Path, texts: list[str], delimiter: str, encoding: str) -> None:
    path = tmp_path / "weird.csv"
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL)
        writer.writerow(HEADER)
        writer.writerows(row(accession=f"A{i}", report=text) for i, text in enumerate(texts))
    result = read_reports([path])
    check(result)
    assert result.reports["text"].tolist() == texts
    assert result.rejected.empty


ROWS = st.lists(
    st.builds(
        row,
        accession=st.sampled_from(["A1", "A2", "A3", ""]), mrn=st.sampled_from(["P1", "P1", "P1", "P2", ""]),
        modality=st.sampled_from(["CR", "CT", "MR", ""]), exam=st.sampled_from(["CHEST", "CHEST", "KNEE", ""]),
        exam_time=st.sampled_from(["2024-03-31 14:05", "3/4/2024", "13/4/2024", "x", ""]),
        report=st.sampled_from(["Edema.", "No edema.", "Edema. Nodule.", ""]),
        signed_by=st.sampled_from(["Roe", ""]), status=st.sampled_from(["F", "P", "A", "C", "X", ""]),
    ), max_size=12,
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(ROWS)
def test_every_row_is_accounted_for(tmp_path: Path, rows: list[tuple[str, ...]]) -> None:
    result = read(tmp_path, *rows)
    assert sum(dropped(result).values()) + len(result.reports) == len(rows)
    counted = {m.split(": ", 1)[1]: n for m, n in dropped(result).items()}
    for reason in set(result.rejected["reason"]):
        assert reason in counted
