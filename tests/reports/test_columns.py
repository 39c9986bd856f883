"""Columns are found by the names that systems use, or by the mapping of the user."""

from __future__ import annotations

import pytest

from radcal.reports.column_names import LATE, NONE, all_names, fields_of, parts_of, quotable, simplified
from radcal.reports.columns import check_mapping, doubts, guess, layout_of, locate
from radcal.reports.fields import FIELDS, IDENTIFYING, REPORT_FIELDS, reports_need
from radcal.reports.table import Table
from radcal.system.errors import InputError
from tests.cases import cases_of

cases = cases_of(__file__)

NEED = reports_need(None, has_files=False)


def names(header: str, **mapping: str) -> dict[str, str]:
    return dict(guess(header.split("|"), mapping, REPORT_FIELDS).names)


@cases("usual_headers")
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
    table = Table("march.csv", [["accession", "mrn", "modality", "Marker", "text"], ["1"] * 5], [1, 2])
    with pytest.raises(InputError) as caught:
        locate([table], NEED, REPORT_FIELDS, {}, "march.csv")
    message = str(caught.value)
    assert "march.csv has no column for the examination time" in message
    assert "exam time" in message
    assert "Its columns are: accession, mrn, modality, (column 4), text." in message
    assert "--map exam_time=COLUMN" in message
    assert locate([table], NEED, REPORT_FIELDS, {"exam_time": "Marker"}, "march.csv")[2].positions["exam_time"] == 3


@cases("a_file_without_header_never_shows_its_text")
def test_a_file_without_header_never_shows_its_text(rows: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        locate([Table("x.csv", rows, [1] * len(rows))], NEED, REPORT_FIELDS, {}, "x.csv")
    assert not any(cell in str(caught.value) for row in rows for cell in row if len(cell) > 2)


def test_messages_repeat_words_of_columns_and_nothing_that_may_be_of_a_patient() -> None:
    told = ("Acc #", "MR #", "Pt Nm", "Svc Dt/Tm", "Attg Prov", "Befundtext")
    names = ("MUSTERMANN^ERIKA", "Patient Mustermann", "MR 77123456", "acc 4711", "No effusion", "")
    assert quotable([*told, *names]) - quotable([]) == {name.casefold() for name in told} - quotable([])


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


def test_the_table_of_names_says_of_none_both_that_it_is_of_a_field_and_that_it_is_not() -> None:
    assert all(map(all_names, (*FIELDS, NONE, LATE)))
    assert all(fields_of(name) == {NONE: fields_of(name)[NONE]} for name in all_names(NONE))
    assert all(field in fields_of(name) for field in FIELDS for name in all_names(field))


def test_a_name_of_many_abbreviations_is_understood_in_few_ways() -> None:
    assert len(parts_of("_".join(["res", "rad", "doc", "dt"] * 3))) <= 32
    assert parts_of("res" * 100_000) == ()


def test_values_decide_between_columns_whose_names_say_little() -> None:
    rows = [[f"2024-03-{i:02} 08:15", f"{1000 + i}", "Ash, Ada", "2024-03-30"] for i in range(1, 21)]
    found = guess(["Exam", "Acc", "Rad", "Exam end"], {}, REPORT_FIELDS, rows)
    assert found.names["signer"] == "Rad"
    texts = [[f"No effusion is seen, and the lungs are clear in study {i}.", f"{i}"] for i in range(20)]
    assert guess(["Narr", "Rpt"], {}, REPORT_FIELDS, texts).names["text"] == "Narr"
    assert guess(["Rpt", "Narr"], {}, REPORT_FIELDS, [row[::-1] for row in texts]).names["text"] == "Narr"


def test_columns_that_are_as_likely_as_each_other_are_told_and_not_guessed() -> None:
    header = ["acc", "mrn", "modality", "exam time A", "exam time B", "text"]
    rows = [[f"{i}", f"P{i}", "CT", f"2024-01-{i:02} 10:00", f"2024-02-{i:02} 11:00", "Clear."] for i in range(1, 21)]
    layout = guess(header, {}, REPORT_FIELDS, rows)
    assert layout.undecided == {"exam_time": ("exam time A", "exam time B")}
    (said,) = doubts(Table("x.csv", [header, *rows], list(range(1, 22))), 0, layout, REPORT_FIELDS)
    assert "each of the columns 'exam time A', 'exam time B' may be the examination time" in said
    with pytest.raises(InputError, match=r"more than one column that may be the examination time.*--map exam_time"):
        locate([Table("x.csv", [header, *rows], list(range(1, 22)))], NEED, REPORT_FIELDS, {}, "x.csv")
    assert guess(header, {"exam_time": "exam time B"}, REPORT_FIELDS, rows).names["exam_time"] == "exam time B"
    copies = [[*row[:4], row[3], row[5]] for row in rows]
    assert guess(header, {}, REPORT_FIELDS, copies).undecided == {}


def test_a_wrongly_chosen_column_is_named_by_its_values() -> None:
    header = ["accession", "mrn", "exam description", "modality", "exam time", "text"]
    rows = [[f"A{i}", f"P{i}", "CT CHEST W CONTRAST", "CT", "2024-01-05 10:00", "Clear lungs."] for i in range(20)]
    table = Table("x.csv", [header, *rows], list(range(1, 22)))
    chosen = {"modality": "exam description"}
    layout = layout_of(table, 0, chosen, ("accession", "modality", "exam"))
    said = doubts(table, 0, layout, ("accession", "modality", "exam"))
    assert said == [
        "x.csv: column 'exam description' was taken for the modality, but none of its values looks like it. They look "
        "like the exam. Did you mean column 'modality'?"
    ]
    assert doubts(table, 0, layout_of(table, 0, {}, REPORT_FIELDS), REPORT_FIELDS) == []


def test_a_column_that_is_in_doubt_is_not_named_by_what_may_be_a_patient() -> None:
    rows = [["accession", "Ada Ashworth", "modality"], *([f"A{i}", "none", "CT"] for i in range(9))]
    table = Table("x.csv", rows, list(range(1, 11)))
    (said,) = doubts(table, 0, layout_of(table, 0, {"exam_time": "Ada Ashworth"}, REPORT_FIELDS), REPORT_FIELDS)
    assert "Ash" not in said
    assert "column 2 was taken for the examination time" in said


PLAIN = ["accession", "MRN", "procedure", "exam time", "report text", "attending", "status", "room", "order ID"]


def plain() -> Table:
    """Two reports of each of eight patients."""
    rows = [
        [
            f"A{i:05}", f"{700000 + i // 2}", ("XR CHEST 2 VIEWS", "CT CHEST")[i % 2], f"2024-03-{i + 1:02} 08:00",
            "No effusion is seen, and the lungs are clear on both sides of the chest.", ("Birch, J", "Ash, J")[i % 2],
            "Final", "R2", f"{990000 + i // 2}",
        ]
        for i in range(16)
    ]  # fmt: skip
    return Table("x.csv", [PLAIN, *rows], list(range(1, 18)))


def told(**mapping: str) -> str:
    """What is said of a mapping, of a file that is refused or that is not."""
    try:
        table, header, layout = locate([plain()], NEED, REPORT_FIELDS, mapping, "x.csv")
    except InputError as error:
        return str(error)
    return " ".join(doubts(table, header, layout, REPORT_FIELDS))


@cases("a_mapping_that_its_values_contradict_is_told_before_what_is_missing")
def test_a_mapping_that_its_values_contradict_is_told_before_what_is_missing(
    field: str, column: str, said: str
) -> None:
    found = told(**{field: column})
    assert said in found
    assert "no column for" not in found
    assert told() == ""


@cases("people_are_recognised_with_titles_and_numbers")
def test_people_are_recognised_with_titles_and_numbers(names_: tuple[str, str]) -> None:
    rows = [[names_[i % 2], ("Praxis Huber", "Praxis Nord")[i % 2]] for i in range(16)]
    table = Table("x.csv", [["Arzt", "Zuweiser"], *rows], list(range(1, 18)))
    layout = layout_of(table, 0, {}, REPORT_FIELDS)
    assert layout.names == {"signer": "Arzt"}
    assert doubts(table, 0, layout, REPORT_FIELDS) == []


@pytest.mark.parametrize("other", ["Zuweiser", "Referred by", "Ordering MD", "Requesting Provider", "Anforderer"])
def test_who_wanted_the_examination_is_never_proposed_as_the_radiologist(other: str) -> None:
    rows = [["R2", "House, Greg"]] * 16
    table = Table("x.csv", [["Radiologist", other], *rows], list(range(1, 18)))
    (said,) = doubts(table, 0, layout_of(table, 0, {}, REPORT_FIELDS), REPORT_FIELDS)
    assert "none of its values looks like it" in said
    assert "Did you mean" not in said


@pytest.mark.parametrize("end", ["EVENT_END_DT_TM", "END_EXAM_DTTM", "Exam completed", "EXAM_END"])
@pytest.mark.parametrize("begin", ["EXAM_START_DT_TM", "BEGIN_EXAM_DTTM", "Study start"])
@pytest.mark.parametrize("clock", ["{}:00:00", "{}:00", "{}:07:31"])
def test_the_begin_of_an_examination_comes_before_its_end(begin: str, end: str, clock: str) -> None:
    rows = [[f"03/{i:02}/2024 {clock.format(20)}", f"03/{i:02}/2024 {clock.format('08')}"] for i in range(1, 17)]
    table = Table("x.csv", [[end, begin], *rows], list(range(1, 18)))
    layout = layout_of(table, 0, {}, REPORT_FIELDS)
    assert layout.names == {"exam_time": begin}
    days = Table("x.csv", [[end, begin], *([row[0], row[1][:10]] for row in rows)], list(range(1, 18)))
    assert layout_of(days, 0, {}, REPORT_FIELDS).names["exam_time"] == end


def test_who_performed_a_report_wrote_it_and_who_performed_an_examination_did_not() -> None:
    assert names("PERFORMED_PRSNL|VERIFIED_PRSNL") == {"dictator": "PERFORMED_PRSNL", "signer": "VERIFIED_PRSNL"}
    assert names("Performing physician|Performing technologist") == {}


@cases("every_column_that_identifies_people_is_found_beside_the_fields")
def test_every_column_that_identifies_people_is_found_beside_the_fields(header: str, found: dict[str, str]) -> None:
    columns = header.split("|")
    layout = guess(columns, {}, REPORT_FIELDS)
    assert {of: "|".join(columns[c] for c in its) for of, its in layout.identifying.items()} == found
    assert not set(IDENTIFYING) & set(layout.names)


def test_a_column_mapped_to_a_name_is_read_before_those_recognised() -> None:
    layout = guess(["Alias", "Wer", "Report"], {"patient_name": "Wer"}, REPORT_FIELDS)
    assert layout.identifying == {"patient_name": (1, 0)}
    assert layout.names["patient_name"] == "Wer"
