"""Several versions of one report, by row; files and their columns are tested with the readers."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pandas as pd
import pytest

from radcal.reports.attrition import Ledger
from radcal.reports.reasons import OTHER_PATIENT, OTHER_TEXT
from radcal.reports.records import Import
from radcal.reports.versions import resolve, rows_of
from tests.cases import cases_of

cases = cases_of(__file__)

ROW: dict[str, Any] = {
    "report_id": "xray:A1", "patient_id": "P1", "status": "final", "corrected": False, "addendum": 0,
    "report_time": None, "text": "No edema.", "dictator": "", "signer": "Roe, A", "file": "march.csv", "row": 2,
    "source": "", "parts": "", "study_uid": "",
}  # fmt: skip


def framed(*rows: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame([ROW | row for row in rows])
    return frame.assign(report_time=pd.to_datetime(frame["report_time"]), signer=frame["signer"].astype("str"))


def resolved(*rows: dict[str, Any], held: int = 0) -> tuple[list[dict[str, Any]], list[tuple[int, str]]]:
    """The remaining rows, and the rows at fault; the first ``held`` rows are of earlier imports."""
    frame = framed(*rows)
    ledger = Ledger()
    ledger.begin("xray", "reports", len(frame))
    resolution = resolve(frame, ledger, *([held] if held else []))
    found, faults = resolution.reports, resolution.faults
    assert ledger.frame()["kept"].iloc[-1] == len(found), "each row is counted once"
    return found.to_dict("records"), [(fault.row, fault.reason.sentence) for fault in faults]


def kept(*rows: dict[str, Any], held: int = 0) -> list[dict[str, Any]]:
    """The remaining rows, of which none is at fault."""
    found, faults = resolved(*rows, held=held)
    assert faults == []
    return found


def test_a_row_that_was_read_again_with_another_column_holds_as_it_was_read_last() -> None:
    """This is no contradiction: the last reading of a row counts."""
    found = kept({"text": "CT CHEST", "patient_id": "P9"}, {"text": "Edema."}, held=1)
    assert [(r["text"], r["patient_id"]) for r in found] == [("Edema.", "P1")]
    # Two rows of one reading contradict each other.
    assert resolved({"text": "Edema."}, {"row": 3}) == ([], [(2, OTHER_TEXT.sentence), (3, OTHER_TEXT.sentence)])


@cases("a_held_report_with_an_addendum_whose_row_is_read_again")
def test_a_held_report_with_an_addendum_whose_row_is_read_again(held: str, addenda: list[str], expected: str) -> None:
    rows = [{}, *({"row": 3, "status": "addendum", "text": text} for text in addenda)]
    found = kept({"text": held, "status": "addendum", "patient_id": "P9"}, *rows, held=1)
    assert [(r["text"], r["patient_id"]) for r in found] == [(expected, "P1")]


@pytest.mark.parametrize("file", ["march.csv", "march (2).csv"])
def test_a_content_that_was_read_again_holds_as_it_was_read_last_in_whichever_row(file: str) -> None:
    """With another column of numbers, another row of the same file now has this number."""
    old, new = {"text": "Edema.", "source": "c0ffee", "row": 7}, {"source": "c0ffee", "file": file}
    found = kept(old, new, held=1)
    assert [(r["text"], r["row"]) for r in found] == [("No edema.", 2)]


def test_what_is_held_of_another_content_is_no_former_reading() -> None:
    rows = {"text": "Edema.", "source": "bead", "row": 7}, {"source": "c0ffee"}
    assert resolved(*rows, held=1) == ([], [(7, OTHER_TEXT.sentence), (2, OTHER_TEXT.sentence)])


def test_rows_of_one_content_that_are_read_together_contradict_each_other() -> None:
    rows = {"text": "Edema.", "source": "c0ffee", "row": 7}, {"source": "c0ffee"}
    assert resolved(*rows) == ([], [(7, OTHER_TEXT.sentence), (2, OTHER_TEXT.sentence)])


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        # The addendum is from another file, and its report is now in another column: nothing is lost.
        ("CT CHEST\n\nADDENDUM:\nNodule.", [{}], "No edema.\n\nADDENDUM:\nCT CHEST\n\nADDENDUM:\nNodule."),
        # Nothing new was read.
        (
            "No edema.\n\nADDENDUM:\nNodule.",
            [{}, {"row": 3, "status": "addendum", "text": "Nodule."}],
            "No edema.\n\nADDENDUM:\nNodule.",
        ),
        # One of two addenda is from another file.
        (
            "No edema.\n\nADDENDUM:\nNodule.\n\nADDENDUM:\nRib fracture.",
            [{}, {"row": 3, "status": "addendum", "text": "Nodule."}],
            "No edema.\n\nADDENDUM:\nNodule.\n\nADDENDUM:\nRib fracture.",
        ),
        # The addendum has another text in the new column.
        (
            "No edema.\n\nADDENDUM:\nNodule.",
            [{}, {"row": 3, "status": "addendum", "text": "Mass."}],
            "No edema.\n\nADDENDUM:\nMass.",
        ),
    ],
)
def test_a_report_with_addenda_whose_content_is_read_again(text: str, now: list[dict[str, Any]], expected: str) -> None:
    held = {"text": text, "status": "addendum", "patient_id": "P9", "source": "c0ffee", "row": 7}
    found = kept(held, *({"source": "c0ffee"} | row for row in now), held=1)
    assert [(" ".join(r["text"].split()), r["patient_id"]) for r in found] == [(" ".join(expected.split()), "P1")]


def test_each_row_that_is_no_report_of_its_own_drops_out_at_its_step() -> None:
    rows = [
        {"row": 2, "status": "preliminary", "text": "Edema?"},
        {"row": 3},
        {"row": 4, "text": "No  edema. "},
        {"row": 5, "status": "addendum", "text": "Nodule."},
        *({"report_id": "ct:B1", "patient_id": f"P{row}", "row": row} for row in (6, 7)),
        *({"report_id": "ct:B2", "text": text, "row": 9 + len(text)} for text in ("Mass.", "No mass.")),
        {"report_id": "ct:B2", "text": "?", "status": "preliminary"},
    ]
    ledger = Ledger()
    for modality, n in (("xray", 4), ("ct", 5)):
        ledger.begin(modality, "reports", n)
    left = resolve(framed(*rows), ledger).reports
    assert left["report_id"].tolist() == ["xray:A1"]
    table = ledger.frame()
    assert table[["modality", "step", "kept", "dropped", "reason"]].to_numpy().tolist() == [
        ["xray", "reports", 4, 0, ""],
        ["xray", "accession number means one report", 4, 0, ""],
        ["xray", "is not a repeated row", 3, 1, "the same text occurs again"],
        ["xray", "is the latest version", 2, 1, "superseded by a later version"],
        ["xray", "is a report of its own", 1, 1, "an addendum, joined to its report"],
        ["ct", "reports", 5, 0, ""],
        ["ct", "accession number means one report", 3, 2, OTHER_PATIENT.sentence],
        ["ct", "accession number means one report", 1, 2, OTHER_TEXT.sentence],
        ["ct", "is not a repeated row", 1, 0, ""],
        ["ct", "is the latest version", 0, 1, "superseded by versions that contradict each other"],
        ["ct", "is a report of its own", 0, 0, ""],
    ]


def test_copies_of_one_text_keep_who_dictated_and_who_signed_in_any_order() -> None:
    """Whichever copy is better: a preliminary and a final one may each name one of the two."""
    copies = (
        {"status": "preliminary", "dictator": "Doe, J", "signer": "", "row": 2},
        {"status": "final", "dictator": "", "signer": "Roe, A", "row": 3},
        {"status": "", "dictator": "", "signer": "", "row": 4},
    )
    other = ({**copies[0], "dictator": "", "signer": "Roe, A"}, {**copies[1], "dictator": "Doe, J", "signer": ""})
    for rows in (*permutations(copies), *permutations(other)):
        found = kept(*rows)
        assert [(r["status"], r["dictator"], r["signer"], r["row"]) for r in found] == [
            ("final", "Doe, J", "Roe, A", 3)
        ]


def test_a_row_that_is_read_again_keeps_who_is_named_in_either_reading() -> None:
    for first, again in (("dictator", "signer"), ("signer", "dictator")):
        named = {"dictator": "Doe, J", "signer": "Roe, A"}
        [row] = kept({**named, again: "", "row": 5}, {**named, first: "", "row": 5, "source": "c0ffee"})
        assert (row["dictator"], row["signer"]) == ("Doe, J", "Roe, A")


def test_of_equal_copies_the_later_holds() -> None:
    """Reading a file again with another order of dates corrects it, although the texts are the same."""
    found, _ = resolved({"row": 5}, {"row": 5, "source": "c0ffee"}, held=1)
    assert [r["source"] for r in found] == ["c0ffee"]
    [twice] = kept({"row": 3, "dictator": "Doe, J"}, {"row": 4, "dictator": "Poe, A"})
    assert (twice["row"], twice["dictator"]) == (4, "Poe, A")


def test_the_rows_that_an_import_was_made_of_come_back_and_are_taken_back_into_the_ledger() -> None:
    versions = (
        {"status": "preliminary", "text": "Mass."},
        {"row": 3},
        {"row": 4, "status": "addendum", "text": "Edema."},
    )
    frame = framed(*versions, {"report_id": "xray:B1"}).assign(modality="xray")
    ledger = Ledger()
    ledger.begin("xray", "reports", len(frame))
    resolution = resolve(frame, ledger)
    assert ledger.frame()["kept"].iloc[-1] == len(resolution.reports) == 2
    imported = Import(resolution.reports, frame.iloc[:0], len(frame), {}, versions=resolution.versions)
    assert sorted(rows_of(imported)["text"]) == sorted(frame["text"])
    assert ledger.frame()["kept"].iloc[-1] == 2
    rows = rows_of(imported, ledger)
    assert rows["report_id"].tolist() == ["xray:A1"] * 3 + ["xray:B1"]
    assert ledger.frame()["kept"].iloc[-1] == len(frame)
    assert rows_of(replace(imported, versions=None)) is resolution.reports


def test_one_number_of_two_patients_is_given_up() -> None:
    assert resolved({}, {"patient_id": "P2", "row": 3}) == (
        [], [(2, OTHER_PATIENT.sentence), (3, OTHER_PATIENT.sentence)]
    )  # fmt: skip


@cases("a_later_version_supersedes_an_earlier_one_in_any_order")
def test_a_later_version_supersedes_an_earlier_one_in_any_order(better: dict[str, Any], worse: dict[str, Any]) -> None:
    rows = {"text": "Better."} | better, {"text": "Worse.", "row": 3} | worse
    for order in permutations(rows):
        found = kept(*order)
        assert [r["text"] for r in found] == ["Better."]


def test_reports_of_one_row_each_stay_beside_those_of_several() -> None:
    assert [r["report_id"] for r in resolved({}, {"report_id": "xray:B1"})[0]] == ["xray:A1", "xray:B1"]
    found, _ = resolved({}, {"report_id": "xray:B1", "text": "Mass."}, {"row": 3})
    assert sorted((r["report_id"], r["text"]) for r in found) == [("xray:A1", "No edema."), ("xray:B1", "Mass.")]


def test_columns_keep_their_kinds_where_nothing_is_left() -> None:
    frame = framed(ROW, {"patient_id": "P2", "row": 3})
    resolution = resolve(frame, Ledger())
    found = resolution.reports
    assert (len(found), len(resolution.faults)) == (0, 2)
    assert found.dtypes.to_dict() == frame.dtypes.to_dict()


def test_an_addendum_without_its_report_stands_for_it_and_later_ones_are_joined() -> None:
    rows: list[dict[str, Any]] = [
        {"status": "addendum", "addendum": n, "text": f"Addition {n}.", "row": 9 - n, "dictator": f"Doe {n}"}
        for n in (3, 1, 2)
    ]
    found = kept(*rows)
    assert [(r["text"], r["status"], r["row"], r["dictator"]) for r in found] == [
        ("Addition 1.\n\nADDENDUM:\nAddition 2.\n\nADDENDUM:\nAddition 3.", "addendum", 8, "Doe 1")
    ]


def test_a_report_with_an_addendum_joined_is_known_as_one() -> None:
    found, _ = resolved({}, {"row": 3, "status": "addendum", "text": "Addendum: nodule."})
    assert [(r["text"], r["status"]) for r in found] == [("No edema.\n\nAddendum: nodule.", "addendum")]


@cases("who_dictated_is_whom_the_latest_version_names_that_names_anybody")
def test_who_dictated_is_whom_the_latest_version_names_that_names_anybody(
    dictators: tuple[str, str, str], expected: str
) -> None:
    rows = [
        {"dictator": name, "status": status, "report_time": f"2024-03-0{day}", "text": f"Version {day}.", "row": day}
        for name, status, day in zip(dictators, ("preliminary", "preliminary", "final"), (1, 2, 3), strict=True)
    ]
    for order in permutations(rows):
        found, _ = resolved(*order)
        assert [(r["text"], r["dictator"]) for r in found] == [("Version 3.", expected)]


def test_files_whose_content_is_not_known_are_not_taken_for_one_another() -> None:
    rows = {"text": "Edema.", "row": 7, "file": "april.csv"}, {}
    assert resolved(*rows, held=1) == ([], [(7, OTHER_TEXT.sentence), (2, OTHER_TEXT.sentence)])


def test_a_row_that_says_the_same_when_it_is_read_again_is_a_repeated_row() -> None:
    held = {"source": "c0ffee"}
    new = [{"source": "c0ffee"}, {"source": "c0ffee", "row": 3, "status": "addendum", "text": "Mass."}]
    ledger = Ledger()
    ledger.begin("xray", "reports", 3)
    resolve(framed(held, *new), ledger, 1)
    table = ledger.frame()
    assert table.loc[table["dropped"] > 0, ["dropped", "reason"]].to_numpy().tolist() == [
        [1, "the same text occurs again"],
        [1, "an addendum, joined to its report"],
    ]


def test_the_study_is_that_of_the_report_itself_or_else_of_the_latest_row_that_names_one() -> None:
    addendum = {"row": 3, "status": "addendum", "text": "Mass."}
    final, draft = {"study_uid": "1.2.3"}, {"row": 4, "status": "preliminary", "text": "No.", "study_uid": "1.2.4"}
    for rows in permutations((final, draft, addendum | {"study_uid": "1.2.5"})):
        assert [r["study_uid"] for r in kept(*rows)] == ["1.2.3"]
    for rows in permutations(({}, draft, addendum)):
        assert [r["study_uid"] for r in kept(*rows)] == ["1.2.4"]
    assert [r["study_uid"] for r in kept({}, addendum)] == [""]


def test_an_addendum_that_repeats_its_report_word_by_word_replaces_it() -> None:
    for rows in permutations(({}, {"row": 3, "status": "addendum"})):
        found, _ = resolved(*rows)
        assert [(r["status"], r["row"]) for r in found] == [("addendum", 3)]
