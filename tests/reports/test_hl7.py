"""HL7 v2 result messages as different systems write them; the messages are made up, by a writer of the tests' own."""

from __future__ import annotations

import base64
import codecs
import logging
import tracemalloc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path

import hl7
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radcal.reports.documents import read_documents_csv
from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure
from radcal.reports.formats.hl7 import raw, rows
from radcal.reports.formats.hl7.fields import moment, unescaped
from radcal.reports.formats.hl7.framing import encoding_of, is_hl7, pieces_of
from radcal.reports.formats.hl7.texts import report_status
from radcal.reports.readers import read_reports
from radcal.reports.reasons import OF_FLAW, Doubt, Flaw
from radcal.reports.records import Modality
from tests.cases import cases_of

cases = cases_of(__file__)

SAMPLES = Path(__file__).parents[3] / "shared/data/import/hl7"
STANDARD = "|^~\\&"


def segment(name: str, values: Mapping[int, str], separator: str = "|") -> str:
    """A segment from its fields by number."""
    return separator.join([name, *(values.get(n, "") for n in range(1, max(values, default=0) + 1))])


def head(kind: str = "ORU^R01", control: str = "M1", marks: str = STANDARD, **more: str) -> str:
    fields = {3: "RIS", 4: "HOSP", 7: "20240305150000", 9: kind, 10: control, 11: "P", 12: "2.5"}
    fields |= {int(n.lstrip("_")): value for n, value in more.items()}
    values = [fields.get(n, "") for n in range(3, max(fields) + 1)]
    return marks[0].join(("MSH", marks[1:], *values))


PID = segment("PID", {3: "P1^^^H^MR", 5: "Doe^Jane^Q", 7: "19600101", 8: "F"})
ORDER = {1: "1", 2: "PL1", 3: "A1", 4: "71046^XR CHEST 2 VIEWS^CPT", 7: "20240305143000", 22: "20240305145000",
         24: "CR", 25: "F", 32: "R1&Smith&Ann&B"}  # fmt: skip
OBR = segment("OBR", ORDER)


def order(**changed: str) -> str:
    return segment("OBR", ORDER | {int(n.lstrip("_")): value for n, value in changed.items()})


def obx(text: str, kind: str = "TX", what: str = "", status: str = "F", **more: str) -> str:
    fields = {1: "1", 2: kind, 3: what, 5: text, 11: status}
    return segment("OBX", fields | {int(n.lstrip("_")): value for n, value in more.items()})


def message(*segments: str, end: str = "\r") -> bytes:
    return end.join((*segments, "")).encode()


def read(data: bytes) -> list[dict[str, str] | Flaw]:
    """What each position gives, after the header."""
    first, *rest = rows(data)
    assert first[:2] == (1, 0)
    assert first[2] == list(FIELDS_OF_MESSAGES)
    return [
        cells.flaw if isinstance(cells, Failure) else dict(zip(FIELDS_OF_MESSAGES, map(str, cells), strict=True))
        for _, _, cells in rest
        if not isinstance(cells, Doubt)
    ]


def one(*segments: str, end: str = "\r") -> dict[str, str]:
    [found] = read(message(*segments, end=end))
    assert isinstance(found, dict)
    return found


def test_the_writer_of_the_tests_writes_what_the_library_reads() -> None:
    parsed = hl7.parse(message(head(), PID, OBR, obx("No edema.")).decode())
    assert (str(parsed[0][9]), str(parsed[0][10]), str(parsed[0][12])) == ("ORU^R01", "M1", "2.5")
    assert str(parsed.segment("OBR")[25]) == "F"
    assert str(parsed.segment("OBX")[5]) == "No edema."


def test_a_report_with_everything() -> None:
    found = one(
        head(),
        segment("PID", {2: "X9", 3: "E7^^^H^PN~P1^^^H^MR", 5: "Doe^Jane^Q~Roe^Jane", 7: "196001010000", 8: "F",
                        11: "1 Main St^Apt 2^Springfield^MO^61111", 13: "(555)555-0100^P^H~^NET^X^jd@x.org",
                        18: "ACC7", 19: "111-22-3333"}),
        segment("NK1", {1: "1", 2: "Doe^John", 4: "2 Side St", 5: "5550101"}),
        segment("PV1", {2: "I", 3: "ICU^4^2^HOSP", 7: "D1^Attending^Al", 19: "V77"}),
        segment("ORC", {1: "RE", 2: "PL1", 3: "A1", 12: "D2^Orderer^Olga^P"}),
        order(_15="^^^CHEST", _16="D2^Orderer^Olga^P", _33="R2&Resident&Rita", _34="T1&Tech&Tom", _35="W1&Typist&Tina"),
        obx("The lungs are clear.", "FT"),
        "ZDS|1.2.840.113619.2.55^RIS^Application^DICOM",
    )  # fmt: skip
    assert found == {
        "report_id": "M1",
        "accession": "A1",
        "study_uid": "1.2.840.113619.2.55",
        "patient_id": "P1",
        "patient_name": "Jane Q Doe; Jane Roe",
        "birth_date": "1960-01-01",
        "sex": "F",
        "exam_code": "71046",
        "exam": "XR CHEST 2 VIEWS",
        "modality": "CR",
        "body_part": "CHEST",
        "exam_time": "2024-03-05T14:30:00",
        "report_time": "2024-03-05T14:50:00",
        "status": "final",
        "dictator": "Resident, Rita",
        "signer": "Smith, Ann",
        "staff_names": "Al Attending; Olga P Orderer; Ann B Smith; Rita Resident; Tom Tech; Tina Typist; John Doe",
        "identifiers": "E7; X9; 1 Main St; Apt 2; Springfield, MO 61111; 2 Side St; (555)555-0100; jd@x.org; 5550101; "
        "ACC7; 111-22-3333; V77; PL1",
        "site": "ICU",
        "text": "The lungs are clear.",
        "findings": "",
        "impression": "",
    }


# --- frames, batches, line ends, separators -------------------------------------------------------------


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "\ufeff", " \r\n", "\x0b"])
def test_line_ends_and_what_stands_before(end: str, before: str) -> None:
    data = before.encode() + message(head(), PID, OBR, obx("No edema."), end=end)
    assert is_hl7(data)
    [found] = read(data)
    assert isinstance(found, dict)
    assert found["text"] == "No edema."


def test_mllp_frames_and_batches() -> None:
    frames = b"".join(
        b"\x0b" + message(head(control=f"M{n}"), PID, order(_3=f"A{n}"), obx(f"Text {n}.")) + b"\x1c\r" for n in (1, 2)
    )
    batch = b"\r".join(
        (b"FHS|^~\\&|RIS", b"BHS|^~\\&|RIS", message(head(), PID, OBR, obx("Text 1.")).strip(),
         message(head(control="M2"), PID, order(_3="A2"), obx("Text 2.")).strip(), b"BTS|2", b"FTS|1", b""),
    )  # fmt: skip
    for data in (frames, batch):
        assert is_hl7(data)
        assert [(r["report_id"], r["accession"], r["text"]) for r in read(data) if isinstance(r, dict)] == [
            ("M1", "A1", "Text 1."),
            ("M2", "A2", "Text 2."),
        ]


def test_separators_of_the_senders_own() -> None:
    [found] = read(
        b"MSH#*+!$#RIS#HOSP###20240305##ORU*R01#M1#P#2.3\rPID###P1***H*MR##Doe*Jane\r"
        b"OBR#1##A1#C*XR CHEST###20240305143000#########################R1$Smith$Ann\r"
        b"OBX#1#FT###1 !S! 2+|^~&\\ stay!.br!end##!F!##!E!"
    )
    assert isinstance(found, dict)
    assert (found["patient_name"], found["signer"], found["exam"]) == ("Jane Doe", "Smith, Ann", "XR CHEST")
    assert found["text"] == "1 * 2\n|^~&\\ stay\nend"


@pytest.mark.parametrize("version", ["2.3", "2.3.1", "2.4", "2.5.1", "2.6", "2.7", "2.8"])
def test_versions(version: str) -> None:
    marks = STANDARD + "#" if version in ("2.7", "2.8") else STANDARD
    assert one(head(_12=version, marks=marks), PID, OBR, obx("No edema."))["text"] == "No edema."


def test_line_breaks_within_a_field_belong_to_it() -> None:
    data = message(head(), PID, OBR, "OBX|1|TX|||First line.\nCT of 2 March:\n\nlast line.||||||F")
    [found] = read(data)
    assert isinstance(found, dict)
    assert found["text"] == "First line.\nCT of 2 March:\n\nlast line."
    assert found["status"] == "final"


# --- encodings ------------------------------------------------------------------------------------------


@cases("encodings")
def test_encodings(stated: str, encoding: str) -> None:
    text = "Kein Erguß. Größe unverändert, Höhe gleich, kräftiges Gefäß."
    data = message(head(_18=stated), PID, OBR, obx(text)).decode().encode(encoding)
    [found] = read(data)
    assert isinstance(found, dict)
    assert found["text"] == text


def test_names_of_encodings() -> None:
    for number in (*range(1, 12), 13, 14, 15):
        expected = "cp1252" if number == 1 else codecs.lookup(f"iso-8859-{number}").name
        assert encoding_of(f"8859/{number}") == expected
    assert encoding_of("base64") == ""
    assert encoding_of("KLINGON") == ""


# --- text -----------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """As a sender writes it."""
    for mark, code in (("\\", "E"), ("|", "F"), ("^", "S"), ("&", "T"), ("~", "R")):
        text = text.replace(mark, f"\\{code}\\") if mark != "\\" else text.replace("\\", "\0")
    return text.replace("\0", "\\E\\").replace("\n", "\\.br\\")


_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), include_characters="\n|^~&\\"), min_size=1)


@given(_TEXT)
def test_what_a_sender_escapes_is_read_as_it_was(text: str) -> None:
    lines = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    found = read(message(head(), PID, OBR, obx(escaped(text), "FT")))
    if lines.strip():
        assert isinstance(found[0], dict)
        assert found[0]["text"] == lines
    else:
        assert found == [Flaw.NO_TEXT]


@cases("escapes")
def test_escapes(written: str, text: str) -> None:
    assert unescaped(written, "|~^&\\", "utf-8") == text


def test_repetitions_and_observations_are_lines() -> None:
    found = one(head(), PID, OBR, obx("FINDINGS:~Clear lungs.~~No effusion."), obx(""), obx("IMPRESSION:~Normal."))
    assert found["text"] == "FINDINGS:\nClear lungs.\n\nNo effusion.\n\nIMPRESSION:\nNormal."


def test_separators_that_the_sender_did_not_escape_are_characters() -> None:
    assert one(head(), PID, OBR, obx("T2 & T3^ lesions"))["text"] == "T2 & T3^ lesions"


@cases("findings_and_impression_are_told_apart")
def test_findings_and_impression_are_told_apart(findings: str, impression: str, tmp_path: Path) -> None:
    data = message(
        head(), PID, OBR, obx("Exam of 5 March.", what="71046"), obx("Clear lungs.", what=findings),
        obx("No effusion.", what=findings), obx("Normal.", what=impression), obx("Call 5550100.", what="&REC"),
    )  # fmt: skip
    [found] = read(data)
    assert isinstance(found, dict)
    assert (found["text"], found["findings"]) == ("Exam of 5 March.", "Clear lungs.\nNo effusion.")
    assert found["impression"] == "Normal.\n\nRECOMMENDATION:\nCall 5550100."
    (tmp_path / "one.hl7").write_bytes(data)
    [document], _, _ = read_documents_csv(tmp_path / "one.hl7")
    assert document.text == (
        "Exam of 5 March.\n\nFINDINGS:\nClear lungs.\nNo effusion.\n\n"
        "IMPRESSION:\nNormal.\n\nRECOMMENDATION:\nCall 5550100."
    )


def test_headings_of_the_text_are_not_doubled(tmp_path: Path) -> None:
    data = message(
        head(),
        PID,
        OBR,
        obx("FINDINGS: Clear.", what="&GDT"),
        obx("IMPRESSION:", what="&IMP"),
        obx("1. Normal.", what="&IMP"),
    )
    (tmp_path / "one.hl7").write_bytes(data)
    [document], _, _ = read_documents_csv(tmp_path / "one.hl7")
    assert document.text == "FINDINGS: Clear.\n\nIMPRESSION:\n1. Normal."


def test_other_observations_are_no_text() -> None:
    found = one(
        head(), PID, OBR, obx("121^mSv", "NM", "DOSE"), obx("R91.1^Nodule^I10", "CWE"), obx("20240305", "DT"),
        obx("http://pacs/1", "RP"), obx("Clear lungs."), obx("3^X^Y", "CE"), obx("^1^2", "SN"),
    )  # fmt: skip
    assert found["text"] == "Clear lungs."


def test_text_in_an_enclosed_document() -> None:
    plain = base64.b64encode("Kein Erguß.\r\nNormal.".encode()).decode()
    assert one(head(), PID, OBR, obx(f"RIS^TEXT^PLAIN^Base64^{plain}", "ED"))["text"] == "Kein Erguß.\nNormal."
    assert one(head(), PID, OBR, obx("RIS^TEXT^^A^No edema.\\.br\\Normal.", "ED"))["text"] == "No edema.\nNormal."
    page = base64.b64encode(b"<html><style>p {}</style><p>No edema.</p><p>5 &lt; 6</p></html>").decode()
    assert one(head(), PID, OBR, obx(f"RIS^text^html^Base64^{page}", "ED"))["text"] == "No edema.\n\n5 < 6"


@pytest.mark.parametrize(
    "enclosed",
    [
        "AP^RTF^Base64^" + base64.b64encode(rb"{\rtf1\ansi No edema.\par Normal.}").decode(),
        "AP^RTF^Hex^" + rb"{\rtf1\ansi No edema.\par Normal.}".hex(),
        r"TEXT^RTF^A^{\E\rtf1\E\ansi No edema.\E\par Normal.}",
        r"TEXT^RTF^A^{\rtf1\ansi No edema.\par Normal.}",
        "application/rtf^^Base64^" + base64.b64encode(rb"{\rtf1 No edema.\line Normal.}").decode(),
        "FT^HTML^Base64^" + base64.b64encode(b"<p>No edema.<br>Normal.<del>Edema.</del></p>").decode(),
        "TEXT^PLAIN^Base64^" + base64.b64encode(b"No edema.\r\nNormal.").decode().replace("=", ""),
        "TEXT^^Base64^" + base64.b64encode("No edema.\nNormal.".encode("utf-16")).decode(),
    ],
)
def test_enclosed_text_is_read_whatever_it_is_written_in(enclosed: str) -> None:
    assert one(head(), PID, OBR, obx(f"RIS^{enclosed}", "ED"))["text"] == "No edema.\nNormal."


def test_enclosed_text_that_looks_like_base64_is_text_where_it_is_not_said_to_be_encoded() -> None:
    assert one(head(), PID, OBR, obx("RIS^TEXT^PLAIN^A^Unchange", "ED"))["text"] == "Unchange"


def test_enclosed_text_beside_a_picture_is_read() -> None:
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
    assert (
        one(head(), PID, OBR, obx(f"RIS^IM^PNG^Base64^{png}~RIS^TEXT^PLAIN^A^No edema.", "ED"))["text"] == "No edema."
    )


def test_documents_pointers_and_nothing_are_told_apart() -> None:
    def flaw(*segments: str) -> object:
        return read(message(head(), PID, OBR, *segments))[0]

    pdf = base64.b64encode(b"%PDF-1.7").decode()
    assert flaw(obx(f"RIS^AP^PDF^Base64^{pdf}", "ED")) == Flaw.DOCUMENT
    assert flaw(obx("RIS^TEXT^^Base64^!!", "ED")) == Flaw.DAMAGED
    assert flaw(obx("http://pacs/1", "RP")) == Flaw.NOT_INCLUDED
    assert flaw(obx("  ~ "), obx('""')) == Flaw.NO_TEXT
    assert flaw() == Flaw.NO_TEXT
    assert read(message(head(), PID)) == [Flaw.UNSUPPORTED]
    assert read(message(head("ADT^A01"), PID)) == [Flaw.UNSUPPORTED]
    assert read(message(head("ACK"), "MSA|AA|1")) == [Flaw.UNSUPPORTED]


def test_notes_count_where_there_is_no_other_text() -> None:
    assert one(head(), PID, OBR, "NTE|1|L|Clear lungs.", "NTE|2|L|Normal.")["text"] == "Clear lungs.\nNormal."
    assert one(head(), PID, OBR, obx("Report."), "NTE|1|L|A note.")["text"] == "Report."


# --- status ---------------------------------------------------------------------------------------------


@cases("statuses_and_their_contradictions")
def test_statuses_and_their_contradictions(of_order: str, of_texts: str, status: str) -> None:
    assert report_status(of_order, of_texts) == status
    if status != "cancelled":
        texts = [obx(f"Part {n}.", status=code) for n, code in enumerate(of_texts)] or [obx("Part.", status="")]
        assert one(head(), PID, order(_25=of_order), *texts)["status"] == status


@pytest.mark.parametrize("status", ["D", "W", "X"])
def test_withdrawn_observations_are_left_out(status: str) -> None:
    found = one(head(), PID, OBR, obx("Large effusion.", status=status), obx("No effusion."))
    assert found["text"] == "No effusion."
    assert read(message(head(), PID, OBR, obx("Large effusion.", status=status))) == [Flaw.WITHDRAWN]


# --- people ---------------------------------------------------------------------------------------------


@cases("names_of_radiologists")
def test_names_of_radiologists(written: str, name: str) -> None:
    assert one(head(), PID, order(_32=written), obx("Clear."))["signer"] == name


def readers(status: str = "F", text: str = "Clear.", observer: str = "", **fields: str) -> tuple[str, str]:
    found = one(head(), PID, order(_25=status, **fields), obx(text, status=status, _16=observer))
    return found["dictator"], found["signer"]


def test_who_dictated_and_who_signed() -> None:
    resident, attending = "R2^Roe^Tim", "R1^Smith^Ann"
    assert readers(_32=attending) == ("", "Smith, Ann")
    assert readers(_32=attending, _33=resident) == ("Roe, Tim", "Smith, Ann")
    assert readers(_32="", _33=resident) == ("Roe, Tim", "Roe, Tim")
    assert readers("P", _32="", _33=resident) == ("Roe, Tim", "")
    assert readers(_32="", observer=attending) == ("", "Smith, Ann")
    assert readers(_32="", _34="T1^Tech^Tom", observer="T1^Tech^Tom") == ("", "")
    assert readers(_32=attending, observer="T1^Tech^Tom") == ("", "Smith, Ann")


def test_what_the_text_says_of_its_readers_counts() -> None:
    one, two = "R1^Smith^Ann", "R2^Roe^Tim"
    said = "Clear.~~Dictated by: Ann Smith, MD on 5 March~~Electronically signed by: Tim~Roe, MD"
    assert readers(text=said, _32=one, _33=two) == ("Smith, Ann", "Roe, Tim")
    pending = "Clear.~~Dictated By: Ann Smith, M.D.~~Pending review by: Tim Roe, M.D."
    assert readers("P", text=pending, _32=one, _33=two) == ("Smith, Ann", "")
    assert readers(text="Dictated by: Somebody Else", _32=one) == ("", "Smith, Ann")


# --- numbers, exams, times -----------------------------------------------------------------------------


@cases("accession_numbers")
def test_accession_numbers(fields: dict[str, str], accession: str) -> None:
    control = segment("ORC", {1: "RE", 2: "O2", 3: "O3"})
    assert one(head(), PID, control, order(**fields), obx("Clear."))["accession"] == accession


def test_names_of_exams_and_modalities() -> None:
    found = one(head(), PID, order(_4="X1^Radiology Event^L^^CHEST 1 VIEW", _24="RUS"), obx("Clear."))
    assert (found["exam_code"], found["exam"], found["modality"]) == ("X1", "Radiology Event (CHEST 1 VIEW)", "US")
    assert one(head(), PID, order(_4="", _44="71250^CT CHEST"), obx("Clear."))["exam"] == "CT CHEST"


@cases("time_stamps")
def test_time_stamps(written: str, iso: str) -> None:
    assert moment(written).written == iso


@given(
    st.datetimes(datetime(1990, 1, 2), datetime(2090, 1, 1)).map(lambda t: t.replace(microsecond=0)),
    st.integers(-12, 14), st.integers(-12, 14),
)  # fmt: skip
def test_times_are_those_of_the_place_of_the_examination(at: datetime, place: int, reporting: int) -> None:
    zones = timezone(timedelta(hours=place or 1)), timezone(timedelta(hours=reporting))
    taken, written = at.replace(tzinfo=zones[0]), (at + timedelta(hours=2)).replace(tzinfo=zones[0])
    found = one(
        head(), PID,
        order(_7=taken.strftime("%Y%m%d%H%M%S%z"), _22=written.astimezone(zones[1]).strftime("%Y%m%d%H%M%S%z")),
        obx("Clear."),
    )  # fmt: skip
    assert found["exam_time"] == taken.isoformat()
    assert found["report_time"] == written.isoformat()


def test_times_in_utc_are_moved_to_the_zone_of_the_message() -> None:
    found = one(head(_7="20240305150000-0500"), PID, order(_7="20240305193000+0000", _22="20240305145000"), obx("C."))
    assert (found["exam_time"], found["report_time"]) == ("2024-03-05T14:30:00-05:00", "2024-03-05T14:50:00-05:00")
    found = one(head(), PID, order(_7="20240305193000+0000"), obx("C."))
    assert found["exam_time"] == "2024-03-05T19:30:00+00:00"


def test_the_examination_time_may_stand_elsewhere() -> None:
    assert one(head(), PID, order(_7="", _6="202403051400"), obx("C."))["exam_time"] == "2024-03-05T14:00:00"
    assert one(head(), PID, order(_7=""), obx("C.", _14="202403051401"))["exam_time"] == "2024-03-05T14:01:00"
    # A line that bears the time of the signature does not tell when the examination was.
    signed = one(head(), PID, order(_7="", _22="202403051700"), obx("C.", _14="202403051700"))
    assert (signed["exam_time"], signed["report_time"]) == ("", "2024-03-05T17:00:00")
    assert one(head(), PID, order(_22=""), obx("C."))["report_time"] == "2024-03-05T15:00:00"


# --- several orders, several versions ---------------------------------------------------------------------


def test_each_order_with_observations_is_a_report() -> None:
    data = message(head(), PID, OBR, obx("Chest."), order(_3="A2", _4="2^CT CHEST", _24="CT"), obx("CT."))
    assert [(r["accession"], r["text"]) for r in read(data) if isinstance(r, dict)] == [("A1", "Chest."), ("A2", "CT.")]


def chest(control: str, status: str, text: str, at: str, **fields: str) -> bytes:
    return message(head(control=control), PID, order(_25=status, _22=at, **fields), obx(text, status=status))


def test_versions_of_a_report_in_an_import(tmp_path: Path) -> None:
    data = b"".join(
        (
            chest("M1", "P", "Perhaps pneumonia.", "20240305144000", _32="", _33="R2^Roe^Tim"),
            chest("M2", "F", "No pneumonia.", "20240305150000"),
            chest("M3", "A", "There is a rib fracture.", "20240306090000"),
        )
    )
    path = tmp_path / "all.hl7"
    path.write_bytes(data)
    found = read_reports([path])
    [report] = found.reports.to_dict("records")
    assert (report["report_id"], report["author"], report["age"]) == ("xray:A1", "Smith, Ann", 64)
    assert report["text"] == "No pneumonia.\n\nADDENDUM:\nThere is a rib fracture."
    assert found.rows_read == 3
    assert found.versions is not None
    assert sorted(found.versions["row"]) == [1, 2, 3]
    corrected = data + chest("M4", "C", "Pneumonia.", "20240307090000")
    path.write_bytes(corrected)
    assert "Pneumonia." in read_reports([path]).reports["text"].item()


def test_a_folder_is_read_like_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "messages"
    (folder / "later").mkdir(parents=True)
    (folder / "a.hl7").write_bytes(chest("M1", "P", "Same words.", "20240305144000", _32="", _33="R2^Roe^Tim"))
    (folder / "later/b").write_bytes(chest("M2", "F", "Same words.", "20240305150000"))
    (folder / "c.hl7").write_bytes(message(head("ADT^A08"), PID) + chest("M3", "F", "", "20240305"))
    (folder / "d.hl7").write_bytes(b"not a message")
    (folder / "readme.txt").write_bytes(b"not a message")
    (folder / ".hidden.hl7").write_bytes(b"not a message")
    found = read_reports([folder], sources=["s"])
    [report] = found.reports.to_dict("records")
    assert (report["file"], report["row"], report["status"]) == ("messages/later/b", 1, "final")
    rejected = found.rejected[["file", "row"]].apply(tuple, axis=1).tolist()
    assert rejected == [("messages/c.hl7", 1), ("messages/c.hl7", 2), ("messages/d.hl7", 1)]
    assert len(set(found.rejected["reason"])) == 3
    assert found.versions is not None
    assert list(found.versions["file"]) == ["messages/a.hl7", "messages/later/b"]
    documents, failures, _ = read_documents_csv(folder)
    assert [document.report_id for document in documents] == ["A1", "A1/M2"]
    assert len(failures) == 3


def test_ids_are_unique_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "all.hl7"
    same = chest("M1", "F", "Text.", "20240305")
    path.write_bytes(same + chest("M2", "F", "Text.", "20240305") + same + chest("", "F", "Text.", "", _3="", _2=""))
    documents, failures, _ = read_documents_csv(path)
    assert [document.report_id for document in documents] == ["A1", "A1/M2", "A1/M1", "4"]
    assert failures.empty
    path.write_bytes(same * 4)
    documents, _, _ = read_documents_csv(path)
    assert [document.report_id for document in documents] == ["A1", "A1/M1", "A1/M1/3", "A1/M1/4"]


def test_reports_of_any_examination_are_extracted(tmp_path: Path) -> None:
    path = tmp_path / "mr.hl7"
    path.write_bytes(
        chest("M1", "F", "No mass.", "20240305", _4="M^MRI BRAIN", _24="MR")
        + chest("M2", "F", "No mass.", "20240305", _3="A2", _24="CT")
    )
    documents, failures, _ = read_documents_csv(path)
    assert [(document.report_id, document.modality) for document in documents] == [("A1", None), ("A2", Modality.CT)]
    assert failures.empty


# --- damage ---------------------------------------------------------------------------------------------

GOOD = b"".join(
    (
        b"FHS|^~\\&\r",
        b"\x0b" + chest("M1", "F", "CANARY text\\.br\\of~a report", "20240305150000-0500") + b"\x1c\r",
        b"\x0b" + message(head(_18="8859/1"), PID, order(_3="A2"), obx("RIS^TEXT^^Base64^Tm8=", "ED")) + b"\x1c\r",
    )
)


def positions(data: bytes) -> list[int]:
    return [line for _, line, _ in rows(data)]


@given(st.data())
def test_damage_is_listed_and_nothing_breaks(data: st.DataObject) -> None:
    damaged = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(damaged)))
        length = data.draw(st.integers(0, 20))
        damaged[at : at + length] = data.draw(
            st.binary(max_size=8) | st.sampled_from((b"|", b"^", b"\\", b"\r", b"\0"))
        )
    found = positions(bytes(damaged))
    assert found[0] == 0
    assert all(now >= before for before, now in pairwise(found))
    assert set(found) == set(range(max(found) + 1))  # each message is a report or a fault
    assert positions_of(raw(bytes(damaged))) == list(range(max(found) + 1))


def positions_of(parsed: Iterable[tuple[int, int, object]]) -> list[int]:
    return [line for _, line, _ in parsed]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(noise: bytes) -> None:
    for data in (noise, b"MSH" + noise, b"MSH|^~\\&" + noise, GOOD + noise):
        assert positions(data)[0] == 0


@pytest.mark.parametrize("marks", ["^^^^", "^~\\^", "    ", "ABCD", "^ ~"])
def test_impossible_separators(marks: str) -> None:
    assert read(b"MSH|" + marks.encode() + b"|RIS\rOBX|1|TX|||Text.") == [Flaw.DAMAGED]


@pytest.mark.parametrize("mark", ["^", "&", "~", "|", "\\", "\r", "\\.br\\"])
def test_nests_of_separators_are_refused_or_read(mark: str) -> None:
    data = message(head(), PID, OBR) + b"OBX|1|TX|||" + mark.encode() * 600_000
    assert read(data) == [Flaw.NESTED]
    few = message(head(), PID, OBR) + b"OBX|1|TX|||" + mark.encode() * 50_000 + b"Text."
    assert len(read(few)) == 1


def test_messages_that_are_too_long_are_not_looked_into() -> None:
    long = message(head(), PID, OBR) + b"OBX|1|TX|||" + b"x" * (17 << 20)
    found = read(long + b"\r" + GOOD[9:])
    assert (found[0], len(found)) == (Flaw.TOO_LONG, 3)


def test_nothing_of_a_message_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read(message(head(), PID, OBR, obx("CANARY \\Xzz\\ \\C1\\ \\\\ \\.in-x\\ text", "FT")))
    assert "CANARY" not in caplog.text
    assert not caplog.records


# --- the samples at hand --------------------------------------------------------------------------------


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the sample messages of shared/data")
def test_all_samples_are_read() -> None:
    for path in sorted(SAMPLES.glob("*.hl7")):
        [found] = read(path.read_bytes())
        assert isinstance(found, dict), path.name
        written = path.read_bytes().decode().split("\r")
        order = next(line for line in written if line.startswith("OBR")).split("|")
        texts = [line.split("|") for line in written if line.startswith("OBX") and line.split("|")[2] in ("ST", "TX")]
        words = " ".join("\n".join(line[5].replace("~", "\n") for line in texts).split())
        assert " ".join(f"{found['text']} {found['findings']} {found['impression']}".split()) == words, path.name
        assert found["accession"] == order[3], path.name
        final = texts[0][11].upper().startswith("F")
        assert found["status"] == ("final" if final else "preliminary"), path.name
        said = words.split("Dictated by: " if "Dictated by: " in words else "Dictated By: ")[1].split()[:2]
        assert found["dictator"].lower() == f"{said[1]}, {said[0]}".lower().replace(",,", ","), path.name
        assert found["signer"] == (found["dictator"] if final else ""), path.name
        assert found["staff_names"], path.name
        assert len(found["exam_time"]) == 19, path.name


# --- files of any size -----------------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=12), st.integers(150, 2000), st.integers(1, 700), st.booleans()
)
@example([700, 3, 3], 200, 8, True)
@example([270, 0], 287, 11, True)
@example([270, 0], 284, 11, True)
@example([270, 0], 283, 300, False)
def test_pieces_hold_whole_messages(lengths: list[int], most: int, step: int, framed: bool) -> None:
    start, end = (b"\x0b", b"\x1c\r") if framed else (b"", b"\r")
    texts = [b"MSH|^~\\&|%d|" % n + b"x" * length for n, length in enumerate(lengths)]
    data = b"".join(start + text + end for text in texts)
    pieces = list(pieces_of((data[at : at + step] for at in range(0, len(data), step)), most))
    if max(map(len, texts)) + 3 < most / 2:
        assert b"".join(pieces) == data
    for piece in pieces:
        assert len(piece) <= max(most + 8, step)
        assert piece.startswith(start + b"MSH")
    numbers = [int(text.split(b"|")[2]) for piece in pieces for text in piece.split(b"MSH")[1:]]
    assert numbers == list(range(len(texts)))


def test_a_line_without_end_takes_two_pieces_of_memory() -> None:
    part = b"x" * 100_000

    def endless() -> Iterator[bytes]:
        yield message(head(), PID, OBR, obx("Before."))
        yield b"MSH|^~\\&|" + part
        for _ in range(600):
            yield part
        yield b"\r" + message(head(control="M3"), PID, OBR, obx("After."))

    tracemalloc.start()
    pieces = list(pieces_of(endless(), 1_000_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6_000_000
    assert [piece.count(b"MSH") for piece in pieces] == [1, 1, 1]
    assert b"After." in pieces[-1]


def test_positions_go_on_from_piece_to_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_of, "__defaults__", (600,))
    path = tmp_path / "all.hl7"
    path.write_bytes(
        b"".join(chest(f"M{n}", "F", f"Text {n}.", "20240305", _3=f"A{n}") for n in range(1, 9))
        + message(head("ACK"))
        + chest("M10", "F", "Text 10.", "20240305", _3="A10")
    )
    found = read_reports([path])
    assert list(zip(found.reports["accession"], found.reports["row"], strict=True)) == [
        (f"A{n}", n) for n in (*range(1, 9), 10)
    ]
    assert found.rejected["row"].tolist() == [9]


# --- several orders of one message, and what is no longer read ------------------------------------------


_OTHER_ORDER, _OTHER_PATIENT = order(_3="A2"), segment("PID", {3: "P2^^^H^MR"})


@pytest.mark.parametrize(
    ("segments", "given"),
    [
        ((PID, OBR, obx("Clear."), _OTHER_PATIENT, _OTHER_ORDER, obx("Mass.")), [Flaw.IN_PARTS]),
        ((PID, OBR, obx("Clear."), "DSC|C7|F"), [Flaw.IN_PARTS]),
        ((obx("IMPRESSION: Mass."),), [Flaw.UNSUPPORTED]),
        ((PID, OBR, "OBX|1|TX|||No pneumo", "ADD|thorax.||||||F"), [Flaw.IN_PARTS]),
        ((PID, OBR, "IPC|ACC77^RIS|RP1", obx("Clear.")), [Flaw.IN_PARTS]),
        ((PID, OBR, _OTHER_ORDER, obx("Mass.")), ["Mass.", "Mass."]),
        ((PID, OBR, obx("3.5", "NM"), _OTHER_ORDER, obx("Mass.")), [Flaw.NO_TEXT, "Mass."]),
        ((PID, OBR, obx("x", "RP"), _OTHER_ORDER, obx("Mass.")), [Flaw.NOT_INCLUDED, "Mass."]),
        ((PID, OBR, obx("Wrong.", status="X"), _OTHER_ORDER, obx("Mass.")), [Flaw.WITHDRAWN, "Mass."]),
        ((PID, OBR, obx("Clear."), OBR, obx("Clear.")), ["Clear."]),
        ((PID, order(_25="A"), obx("Rib fracture."), order(_25="A"), obx("Nodule.")), ["Rib fracture.", "Nodule."]),
        ((PID, order(_4="X^CHEST"), OBR, obx("Clear.")), ["Clear."]),
        (("  " + PID, "  " + OBR, "  " + obx("Clear.")), [Flaw.UNSUPPORTED]),
        ((PID, OBR, obx("胸水 \x1b$B")), [Flaw.ENCODING]),
    ],
)
def test_what_is_no_longer_read_is_listed_or_read_plainly(segments: Sequence[str], given: list[Flaw | str]) -> None:
    found = read(message(head(), *segments))
    assert [row if isinstance(row, Flaw) else row["text"] for row in found] == given


def test_procedures_that_are_reported_together_share_their_text() -> None:
    data = message(head(), PID, OBR, order(_3="A2"), obx("Both."), order(_3="A3"), order(_3="A2", _4="X^again"))
    assert [(r["accession"], r["text"]) for r in read(data) if isinstance(r, dict)] == [
        ("A1", "Both."),
        ("A2", "Both."),
        ("A3", "Both."),
    ]
    many = [order(_3=f"B{i}") for i in range(60)]
    found = read(message(head(), PID, *many, obx("All.")))
    assert [row if isinstance(row, Flaw) else row["accession"] for row in found] == [
        *(f"B{i}" for i in range(50)),
        *[Flaw.CROWDED] * 9,
        "B59",
    ]


def test_orders_of_one_number_are_one_report() -> None:
    found = one(
        head(), PID, OBR, obx("Clear lungs.", what="&GDT"), order(_22="20240305160000"), obx("Normal.", what="&IMP")
    )
    assert (found["findings"], found["impression"]) == ("Clear lungs.", "Normal.")
    assert found["report_time"] == "2024-03-05T16:00:00"  # it is complete with its last part


def test_who_is_named_by_role_alone_is_known_and_signs_nothing() -> None:
    """A technician who observed is not taken for the radiologist whom PRT names."""
    role = segment("PRT", {4: "PI^^HL70912", 5: "R1^Smith^Ann"})
    found = one(head(_12="2.8"), PID, order(_32=""), role, obx("Clear.", _16="T1^Tech^Tom"))
    assert (found["signer"], found["dictator"]) == ("", "")
    assert "Ann Smith" in found["staff_names"].split("; ")


def test_the_accession_number_of_last_resort() -> None:
    assert one(head(), PID, order(_3=""), obx("Clear."))["accession"] == "PL1"
    assert one(head(), PID, order(_2="", _3=""), obx("Clear."))["accession"] == ""


def test_a_cancelled_order_is_listed_and_shares_nothing(tmp_path: Path) -> None:
    lines = [
        head(),
        PID,
        order(_25="X"),
        obx("Withdrawn mass."),
        order(_3="A2"),
        obx("Clear."),
        order(_3="A3", _25="X"),
    ]
    found = read(message(*lines))
    assert [r if isinstance(r, Flaw) else r["text"] for r in found] == [Flaw.WITHDRAWN, "Clear.", Flaw.WITHDRAWN]
    assert read(message(head(), PID, order(_25="X"), obx("Gone."))) == [Flaw.WITHDRAWN]
    (tmp_path / "one.hl7").write_bytes(message(*lines))
    documents, rejected, _ = read_documents_csv(tmp_path / "one.hl7")
    assert [d.report_id for d in documents] == ["A2"]
    assert rejected["reason"].tolist() == [OF_FLAW[Flaw.WITHDRAWN].sentence] * 2


def test_an_addendum_in_a_message_is_joined_to_the_last_version_of_its_report(tmp_path: Path) -> None:
    """It has its own time, by which the reader of a later CT may have written it."""
    data = message(
        head(), PID, order(_25="P"), obx("Draft.", status="P"), OBR, obx("No effusion."),
        order(_25="C", _22="20240306090000"), obx("ADDENDUM: Nodule.", what="&ADT"),
    )  # fmt: skip
    found = [r for r in read(data) if isinstance(r, dict)]
    assert [(r["status"], r["report_time"], r["text"]) for r in found] == [
        ("preliminary", "2024-03-05T14:50:00", "Draft."),
        ("final", "2024-03-05T14:50:00", "No effusion."),
        ("addendum", "2024-03-06T09:00:00", "ADDENDUM: Nodule."),
    ]
    (tmp_path / "one.hl7").write_bytes(data)
    [text] = read_reports([tmp_path / "one.hl7"]).reports["text"]
    assert text == "No effusion.\n\nADDENDUM: Nodule."


@pytest.mark.parametrize("label", ["&ADT", "55107-7^Addendum^LN"])
@pytest.mark.parametrize("status", ["F", "C", "A", "P", ""])
def test_a_message_of_addendum_lines_alone_is_an_addendum(label: str, status: str) -> None:
    found = one(head(), PID, order(_25=status), obx("Nodule.", what=label, status="F"), obx("Left.", what=label))
    assert found["status"] == "addendum"
    mixed = one(head(), PID, order(_25="F"), obx("Clear."), obx("Nodule.", what=label))
    assert mixed["status"] == "final"


def test_an_observation_before_the_first_order_is_no_report() -> None:
    found = one(head(), PID, obx("Height 180."), OBR, obx("Clear."))
    assert (found["accession"], found["text"]) == ("A1", "Clear.")


# --- what interfaces do to files -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "good"), [("UNICODE UTF-8", "Größe"), ("", "Größe, Höhe"), ("8859/1", "Größe, Höhe")]
)
def test_a_damaged_byte_does_not_garble_the_rest(stated: str, good: str) -> None:
    data = message(head(_18=stated), PID, OBR, obx(f"{good} @.")).replace(b"@", b"\xe9")
    [found] = read(data)
    assert isinstance(found, dict)
    assert found["text"] == f"{good} \ufffd."


@cases("characters_by_number_are_in_the_charset_of_the_message")
def test_characters_by_number_are_in_the_charset_of_the_message(stated: str, written: str, text: str) -> None:
    assert one(head(_18=stated), PID, OBR, obx(written, "FT"))["text"] == text


def test_base64_may_be_wrapped_by_escapes() -> None:
    plain = base64.b64encode(b"No edema. Normal heart size.").decode()
    wrapped = f"{plain[:20]}\\.br\\{plain[20:]}"
    assert one(head(), PID, OBR, obx(f"RIS^TEXT^^Base64^{wrapped}", "ED"))["text"] == "No edema. Normal heart size."


def test_empty_frames(tmp_path: Path) -> None:
    (tmp_path / "empty.hl7").write_bytes(b"\x0b\x1c\r\x0b\x1c\r")
    documents, rejected, _ = read_documents_csv(tmp_path / "empty.hl7")
    assert (documents, rejected["reason"].tolist()) == ([], ["The message has no text."])
