"""Documents of HL7 v2 (MDM) are read as the results that say the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure, hl7
from radcal.reports.readers import read_reports
from radcal.reports.reasons import Flaw
from tests.cases import cases_of

cases = cases_of(__file__)

_PID = "PID|1||P1^^^H^MR||Doe^Jane||19600101|F"
_EXAM = "71046^XR CHEST 2 VIEWS^CPT"


def txa(**changed: str) -> str:
    fields = {
        1: "1", 2: "DI^Diagnostic imaging", 3: "TX", 4: "20240305143000", 6: "20240305144000", 9: "R2^Resident^Rita",
        10: "R1^Smith^Ann", 12: "D1", 15: "A1", 17: "LA", 19: "AV", 22: f"R1^Smith^Ann{'^' * 12}20240305150000",
    } | {int(n.lstrip("_")): value for n, value in changed.items()}  # fmt: skip
    return "|".join(["TXA", *(fields.get(n, "") for n in range(1, 24))])


def obx(said: str, what: str = _EXAM) -> str:
    return f"OBX|1|TX|{what}||{said}||||||F"


def message(*segments: str, event: str = "T02", control: str = "M1") -> bytes:
    head = f"MSH|^~\\&|RIS|H|X|Y|20240305150000||MDM^{event}|{control}|P|2.5"
    return "\r".join((head, f"EVN|{event}|20240305", _PID, "PV1|1|I|ICU", *segments, "")).encode()


def read(data: bytes) -> list[Any]:
    return [
        dict(zip(FIELDS_OF_MESSAGES, cells, strict=True)) if isinstance(cells, list) else cells
        for _, at, cells in hl7.rows(data)
        if at
    ]


def told(row: Mapping[str, str], *fields: str) -> tuple[str, ...]:
    return tuple(row[field] for field in fields)


def test_a_document_without_an_order() -> None:
    [row] = read(message(txa(), obx("FINDINGS: Clear."), obx("IMPRESSION: No edema.")))
    assert row["text"] == "FINDINGS: Clear.\nIMPRESSION: No edema."
    assert told(row, "accession", "patient_id", "exam_code", "exam", "status", "dictator", "signer") == (
        "A1", "P1", "71046", "XR CHEST 2 VIEWS", "final", "Resident, Rita", "Smith, Ann",
    )  # fmt: skip
    assert told(row, "exam_time", "report_time") == ("2024-03-05T14:30:00", "2024-03-05T15:00:00")
    assert "D1" in row["identifiers"].split("; ")


def test_a_document_with_an_order_says_the_same_as_a_result() -> None:
    time = "20240305143000"
    order = f"OBR|1|PL1|A7|{_EXAM}|||{time}{'|' * 15}20240305151500||CR|F{'|' * 7}R1&Smith&Ann"
    as_document = message("ORC|RE|PL1|A7", order, txa(_15="", _9=""), obx("Clear."))
    as_result = as_document.replace(b"MDM^T02", b"ORU^R01")
    [row], [result] = read(as_document), read(as_result)
    assert row | {"identifiers": ""} == result | {"identifiers": ""}
    assert told(row, "accession", "modality", "report_time") == ("A7", "CR", "2024-03-05T15:15:00")


@cases("statuses")
def test_statuses(event: str, completion: str, availability: str, status: str | None) -> None:
    [found] = read(message(txa(_17=completion, _19=availability), obx("Clear."), event=event))
    if status is None:
        assert found == Failure(Flaw.WITHDRAWN, "A1")
    else:
        assert found["status"] == status


def test_numbers_of_documents_stand_in_for_those_of_orders() -> None:
    assert read(message(txa(_15="", _12="D9^RIS"), obx("Clear.")))[0]["accession"] == "D9"
    later = txa(_15="", _12="D10", _13="D9")
    assert read(message(later, obx("Clear."), event="T06"))[0]["accession"] == "D9"
    assert read(message(txa(_15="", _14="PL4"), obx("Clear.")))[0]["accession"] == "PL4"
    assert read(message("ORC|RE|PL1|A3", txa(_15=""), obx("Clear.")))[0]["accession"] == "A3"


def test_parts_of_a_report_are_no_examination() -> None:
    [row] = read(message(txa(), obx("Clear.", "59776-5^Findings^LN"), obx("No edema.", "19005-8^Impression^LN")))
    assert told(row, "findings", "impression", "exam") == ("Clear.", "No edema.", "Diagnostic imaging")


def test_what_is_no_report_is_listed() -> None:
    assert read(message(txa(_2="DS^Discharge summary"), obx("Clear."))) == [Failure(Flaw.ELSEWHERE, "A1")]
    assert read(message(txa(), event="T01")) == [Failure(Flaw.UNSUPPORTED, "A1")]
    assert read(message(txa())) == [Failure(Flaw.UNSUPPORTED, "A1")]


def test_an_original_its_addendum_and_its_replacement_are_versions_of_one_report(tmp_path: Path) -> None:
    path = tmp_path / "a.hl7"
    addendum = txa(_12="D2", _13="D1", _22=f"R1^Smith^Ann{'^' * 12}20240306080000")
    path.write_bytes(
        message(txa(), obx("No edema.")) + message(addendum, obx("Comparison: none."), event="T06", control="M2")
    )
    imported = read_reports([path])
    assert imported.rejected.empty
    [text] = imported.reports["text"]
    assert "No edema." in text
    assert "Comparison: none." in text
    replacement = txa(_12="D3", _13="D1", _22=f"R1^Smith^Ann{'^' * 12}20240307080000")
    path.write_bytes(message(txa(), obx("No edema.")) + message(replacement, obx("Edema."), event="T10", control="M3"))
    [text] = read_reports([path]).reports["text"]
    assert text == "Edema."
