"""Columns are found by the names that systems use, or by the mapping of the user."""

from __future__ import annotations

import pytest

from radcal.errors import InputError
from radcal.ingest.columns import check_mapping, guess, locate, simplified
from radcal.ingest.rows import REPORT_FIELDS, reports_need
from radcal.ingest.table import Table

NEED = reports_need(None, has_files=False)


def names(header: str, **mapping: str) -> dict[str, str]:
    return dict(guess(header.split("|"), mapping, REPORT_FIELDS).names)


@pytest.mark.parametrize(
    "header",
    [
        "Accession Number|MRN|Exam Description|Modality|Exam Time|Report Text|Dictated By|Signed By|Report Status",
        "ACC|PatientID|Procedure|MOD|Study DateTime|Narrative|Dictating Radiologist|Attending|Status",
        "accession_no|patient_id|study_description|modality|Exam Date/Time|report|resident|finalized_by|result status",
        "Akzessionsnummer|Patienten-ID|Untersuchung|Modalität|Studienzeit|Befund|diktiert von|vidiert von|Befundstatus",
        "Auftragsnr.|Pat.-Nr.|Leistung|MOD|Untersuchungsuhrzeit|Befundtext|Erstbefunder|Freigegeben von|Befundstatus",
        "Akz.-Nr.|Patientennr.|Studienbeschreibung|Modality|Durchführungszeit|Berichttext|diktiert durch|vidiert durch|"
        "Freigabestatus",
        "N° d'examen|IPP|Libellé examen|Modalité|Date et heure|Compte-rendu|Dicté par|Validé par|Statut",
        "Número de acceso|NHC|Estudio|Modalidad|Fecha y hora|Informe|Dictado por|Firmado por|Estado",
        "CT Accession Number|Patient MRN|CPT|Mod|Exam Completed|Chest Report Text|Dictator|Reader|Report State",
    ],
)
def test_usual_headers(header: str) -> None:
    columns = header.split("|")
    layout = guess(columns, {}, REPORT_FIELDS)
    fields = ["accession", "patient_id", "exam", "modality", "exam_time", "text", "dictator", "signer", "status"]
    if "CPT" in columns:
        fields[2] = "exam_code"
    assert [layout.positions.get(field) for field in fields] == list(range(9))


def test_a_foreign_header_says_that_the_day_comes_first() -> None:
    assert guess(["Befundtext", "Datum"], {}, REPORT_FIELDS).day_first
    assert not guess(["Report", "Date"], {}, REPORT_FIELDS).day_first


def test_the_surest_name_wins_and_no_column_serves_twice() -> None:
    found = names("Radiologist|Signing Radiologist|Order Time|Exam Time|Exam Status|Report Status|ID")
    assert found == {"exam_time": "Exam Time", "signer": "Signing Radiologist", "status": "Report Status"}


def test_order_or_completion_time_only_for_want_of_a_better_one() -> None:
    assert names("Order Time|Completed Date") == {"exam_time": "Completed Date"}
    assert names("Order Time|Study Date") == {"exam_date": "Study Date"}


@pytest.mark.parametrize("of_report", ["Befundzeitpunkt", "Freigabezeitpunkt", "Diktatzeitpunkt", "Print Timestamp"])
def test_the_time_of_a_report_is_not_the_time_of_its_examination(of_report: str) -> None:
    found = names(f"{of_report}|Untersuchungsdatum")
    assert "exam_time" not in found
    assert found["exam_date"] == "Untersuchungsdatum"


def test_columns_of_other_things_are_not_taken() -> None:
    assert names("Reason for examination description|Referring physician|Prior accession number|Patient name") == {}


def test_an_explicit_mapping_beats_the_guess() -> None:
    found = names("Exam Time|Studienzeit|Report|Notes", exam_time="Studienzeit", text="notes")
    assert found == {"exam_time": "Studienzeit", "text": "Notes"}


def test_mapping_of_an_unknown_field_is_refused() -> None:
    with pytest.raises(InputError, match=r"no .examtime. to map a column to.*exam_time"):
        check_mapping({"examtime": "x"}, REPORT_FIELDS)


def test_a_missing_column_is_named_with_what_there_is_and_how_to_map() -> None:
    table = Table("march.csv", [["accession", "mrn", "modality", "Zeit", "text"], ["1"] * 5], [1, 2])
    with pytest.raises(InputError) as caught:
        locate([table], NEED, REPORT_FIELDS, {}, "march.csv")
    message = str(caught.value)
    assert "march.csv has no column for the examination time" in message
    assert "exam time" in message
    assert "Its columns are: accession, mrn, modality, Zeit, text." in message
    assert "--map exam_time=COLUMN" in message
    assert locate([table], NEED, REPORT_FIELDS, {"exam_time": "Zeit"}, "march.csv")[2].positions["exam_time"] == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["A1", "P1", "No effusion is seen on this examination, and the heart is of normal size."]], "like data"),
        ([["Line\nbreak", "x"]], "looks like data"),
        ([["1234567", "7654321"]], "holds no column names"),
        ([], r"x\.csv is empty"),
    ],
)
def test_a_file_without_header_never_shows_its_text(rows: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        locate([Table("x.csv", rows, [1] * len(rows))], NEED, REPORT_FIELDS, {}, "x.csv")
    assert not any(cell in str(caught.value) for row in rows for cell in row if len(cell) > 2)


def test_the_header_may_stand_below_a_title_and_on_another_sheet() -> None:
    cover = Table("x", [["Radiology export"], ["2024"]], [1, 3])
    header = ["accession", "mrn", "modality", "exam time", "report"]
    sheet = Table("x", [["Reports of March", "", "", "", ""], header, ["1", "2", "CT", "2024-01-01", "t"]], [1, 4, 5])
    table, row, _ = locate([cover, sheet], NEED, REPORT_FIELDS, {}, "x")
    assert table is sheet
    assert row == 1
    assert table.body(row)[0].lines == [5]


def test_names_are_compared_without_case_accents_and_punctuation() -> None:
    assert simplified("N° d'Examen ") == "ndexamen"
    assert simplified("Größe_1") == "grosse1"
