"""Messages that are read in doubt, and those that fail: where they are, their accession numbers, and what is said."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from radcal.cli.summaries import left_out
from radcal.reports.documents import read_documents_csv
from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure, fhir, hl7
from radcal.reports.formats.dicom import rows as dicom_rows
from radcal.reports.preview import preview_file
from radcal.reports.readers import read_reports
from radcal.reports.reasons import OF_DOUBT, OF_FLAW, Doubt, Flaw
from tests.cases import cases_of

from .structured_reports import as_file, structured_report, text

cases = cases_of(__file__)

Json = dict[str, Any]

_PID = "PID|1||P1^^^H^MR||Doe^Jane||19600101|F"


def head(charset: str = "", kind: str = "ORU^R01") -> str:
    return f"MSH|^~\\&|RIS|H|X|Y|20240305150000||{kind}|M1|P|2.5{'|' * 6}{charset}"


def order(number: str = "A1", status: str = "F", parent: str = "") -> str:
    time = "20240305143000"
    return (
        f"OBR|1|PL{number}|{number}|71046^XR CHEST|||{time}{'|' * 15}{time}||CR|{status}|{parent}{'|' * 6}R1&Smith&Ann"
    )


def obx(said: str, kind: str = "TX", status: str = "F") -> str:
    return f"OBX|1|{kind}|||{said}||||||{status}"


def message(*segments: str, encoding: str = "utf-8") -> bytes:
    return "\r".join((*segments, "")).encode(encoding)


def in_hl7(*segments: str, encoding: str = "utf-8") -> list[Any]:
    """What a message gives: cells by field, failures, doubts."""
    return named(list(hl7.rows(message(*segments, encoding=encoding)))[1:])


def named(rows: Sequence[tuple[int, int, Any]]) -> list[Any]:
    return [
        dict(zip(FIELDS_OF_MESSAGES, cells, strict=True)) if isinstance(cells, list) else cells for _, _, cells in rows
    ]


# --- characters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "encoding", "doubt"),
    [
        ("", "utf-8", None), ("UNICODE UTF-8", "utf-8", None), ("8859/1", "latin-1", None), ("8859/1", "cp1252", None),
        ("8859/1", "utf-8", Doubt.MISNAMED), ("UNICODE UTF-8", "latin-1", Doubt.MISNAMED),
        ("ASCII", "cp1252", Doubt.MISNAMED), ("KLINGON", "utf-8", Doubt.MISNAMED), ("", "latin-1", Doubt.GUESSED),
        ("UNICODE UTF-16", "utf-8", None),
    ],
)  # fmt: skip
def test_doubts_about_the_encoding(charset: str, encoding: str, doubt: Doubt | None) -> None:
    found, *doubts = in_hl7(head(charset), _PID, order(), obx("Kein Erguß, keine Stauung."), encoding=encoding)
    assert found["text"] == "Kein Erguß, keine Stauung."
    assert doubts == ([] if doubt is None else [doubt])
    _, *doubts = in_hl7(head(charset), _PID, order(), obx("No effusion."), encoding=encoding)
    assert doubts == []  # whatever it is, it has the letters of ASCII


@pytest.mark.parametrize(
    "said", ["Kein Ergu\ufffd.", "Kein Erguß, Stauung mäßig groß.\udcff", "Ergu\\C2D7F\\s\\M243F42\\ab."]
)
def test_damaged_characters_stand_out(said: str) -> None:
    data = "\r".join((head("UNICODE UTF-8"), _PID, order(), obx(said), "")).encode(errors="surrogateescape")
    found, *doubts = named(list(hl7.rows(data))[1:])
    assert ("\ufffd" in found["text"]) == (doubts == [Doubt.DAMAGED])
    assert doubts == [Doubt.DAMAGED] or "C2D7F" in said


def fhir_report(**more: Any) -> Json:
    return {
        "resourceType": "DiagnosticReport",
        "id": "r1",
        "status": "final",
        "identifier": [{"type": {"coding": [{"code": "ACSN"}]}, "value": "ACC-7"}],
        "code": {"text": "XR chest"},
        "subject": {"reference": "Patient/p1"},
        "effectiveDateTime": "2024-03-05T14:30:00",
        "conclusion": "Kein Erguß.",
        **more,
    }


def in_fhir(*files: bytes | Json) -> list[Any]:
    made = [file if isinstance(file, bytes) else json.dumps(file).encode() for file in files]
    return named([row for row in fhir.rows_of_files(made) if row[1]])


def test_doubts_about_fhir() -> None:
    written = json.dumps(fhir_report(), ensure_ascii=False)
    for data, doubts in (
        (written.encode(), []),
        (written.encode("latin-1"), [Doubt.MISNAMED]),
        (b"\xef\xbb\xbf" + written.encode(), []),
        (written.encode("utf-16"), []),
        (written.replace("ß", "\ufffd").encode(), [Doubt.DAMAGED]),
    ):
        found, *rest = in_fhir(data)
        assert found["accession"] == "ACC-7"
        assert rest == doubts
    lines = b"\n".join((written.encode("latin-1"), written.replace("r1", "r2").encode(), b""))
    assert [type(part).__name__ for part in in_fhir(lines)] == ["dict", "Doubt", "dict"]


@pytest.mark.parametrize(
    ("media_type", "encoding", "doubts"),
    [
        ("text/plain", "utf-8", []), ("text/plain;charset=iso-8859-1", "latin-1", []),
        ("text/plain", "latin-1", [Doubt.GUESSED]), ("text/plain; charset=utf-8", "latin-1", [Doubt.MISNAMED]),
    ],
)  # fmt: skip
def test_doubts_about_what_is_enclosed(media_type: str, encoding: str, doubts: list[Doubt]) -> None:
    data = base64.b64encode("Kein Erguß.".encode(encoding)).decode()
    form = [{"contentType": media_type, "data": data}]
    found, *rest = in_fhir(fhir_report(presentedForm=form, conclusion=""))
    assert (found["text"], rest) == ("Kein Erguß.", doubts)
    if ";" not in media_type:
        found, *rest = in_hl7(head(), _PID, order(), obx(f"^TEXT^plain^Base64^{data}", "ED"))
        assert (found["text"], rest) == ("Kein Erguß.", doubts)


@pytest.mark.parametrize(
    ("charset", "encoding", "doubts"),
    [("ISO_IR 192", "utf-8", []), ("ISO_IR 100", "latin-1", []), ("ISO_IR 100", "utf-8", [Doubt.MISNAMED]),
     (None, "utf-8", [Doubt.GUESSED]), (None, "cp1252", [Doubt.GUESSED])],
)  # fmt: skip
def test_doubts_about_structured_reports(charset: str | None, encoding: str, doubts: list[Doubt]) -> None:
    whole = as_file(structured_report(text(("121070", "Findings"), "Kein Ergu@@."), SpecificCharacterSet=charset))
    raw = "ß".encode(encoding)
    data = whole.replace(b"@@", raw if len(raw) == 2 else raw + b" ")
    found, *rest = named([row for row in dicom_rows(data) if row[1]])
    assert found["text"].startswith("FINDINGS:\nKein Erguß") or "Kein Erguß" in found["text"]
    assert rest == doubts


def test_notes_and_lists_name_file_position_what_was_done_and_the_remedy(tmp_path: Path) -> None:
    parts = [
        message(head(), _PID, order(f"A{n}"), obx("Kein Erguß."), encoding="latin-1" if n in (2, 4) else "utf-8")
        for n in range(1, 5)
    ]
    (tmp_path / "a.hl7").write_bytes(b"".join(parts))
    imported, doubt = read_reports([tmp_path / "a.hl7"]), OF_DOUBT[Doubt.GUESSED]
    said = f"a.hl7, message 2; a.hl7, message 4: {doubt.sentence} {doubt.remedy}"
    assert said in map(str, imported.notes)
    assert len(imported.reports) == 4
    assert imported.rejected.empty
    documents, rejected, notes = read_documents_csv(tmp_path / "a.hl7")
    assert (len(documents), len(rejected), list(map(str, notes))) == (4, 0, [said])
    places = preview_file(tmp_path / "a.hl7").places
    assert [(p.position, p.reason) for p in places if p.reason] == [(2, doubt.sentence), (4, doubt.sentence)]


def test_many_places_are_counted(tmp_path: Path) -> None:
    for n in range(11):
        data = message(head(), _PID, order(f"A{n}"), obx("Kein Erguß."), encoding="latin-1")
        (tmp_path / f"{n:02}.hl7").write_bytes(data)
    _, _, notes = read_documents_csv(tmp_path)
    [note] = map(str, notes)
    assert f"{tmp_path.name}/00.hl7, message 1; " in note
    assert "; and 3 more: No encoding is named" in note


# --- what fails -----------------------------------------------------------------------------------------


def test_failures_have_the_accession_number_that_the_message_gives(tmp_path: Path) -> None:
    bad = "\udce4\udc81"
    parts = (
        (head(), _PID, order("A1")),
        (head(), _PID, order("A2", status="X"), obx("Gone.")),
        (head(), _PID, order("A3"), obx("^PDF^^Base64^JVBERi0xLjQK", "ED")),
        (head("KLINGON"), _PID, order("A4"), obx(bad)),
        (head(kind="ADT^A08"), _PID, order("A5"), obx("Clear.")),
        (head(), _PID, order("A6"), obx("Clear."), "DSC|more"),
        (head(), _PID, order("Jane Doe"), obx("")),
    )
    data = b"".join("\r".join((*p, "")).encode(errors="surrogateescape") for p in parts)
    (tmp_path / "a.hl7").write_bytes(data)
    _, rejected, _ = read_documents_csv(tmp_path / "a.hl7")
    assert rejected["accession"].tolist() == ["A1", "A2", "A3", "A4", "A5", "A6", ""]  # no name is a number
    assert rejected["row"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert set(rejected["unit"]) == {"message"}
    imported = read_reports([tmp_path / "a.hl7"])
    assert imported.rejected["accession"].tolist() == rejected["accession"].tolist()


def test_failures_of_fhir_and_dicom_have_it_too(tmp_path: Path) -> None:
    entered = fhir_report(status="entered-in-error")
    assert in_fhir(entered) == [Failure(Flaw.WITHDRAWN, "ACC-7")]
    assert in_fhir(fhir_report(conclusion="")) == [Failure(Flaw.NO_TEXT, "ACC-7")]
    empty = as_file(structured_report(AccessionNumber="A77"))
    other = as_file(structured_report(AccessionNumber="A78", kind="1.2.840.10008.5.1.4.1.1.88.67"))
    assert named(list(dicom_rows(empty))[1:]) == [Failure(Flaw.NO_TEXT, "A77")]
    assert named(list(dicom_rows(other))[1:]) == [Failure(Flaw.UNSUPPORTED, "A78")]
    assert named(list(dicom_rows(other[:-40]))[1:])[0].accession == "A78"
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.dcm").write_bytes(empty)
    (tmp_path / "x" / "b.ndjson").write_text(json.dumps(fhir_report()) + "\n" + json.dumps(entered) + "\n")
    _, rejected, _ = read_documents_csv(tmp_path / "x")
    assert rejected[["file", "row", "accession", "unit"]].to_numpy().tolist() == [
        ["x/a.dcm", 1, "A77", "file"], ["x/b.ndjson", 2, "ACC-7", "resource"],
    ]  # fmt: skip
    listed = left_out(rejected.to_dict("records"))
    assert "x/a.dcm: The message has no text." in listed
    assert "x/b.ndjson, resource 2: " in listed
    assert not re.search(r"\b(row|rows|cell|column)s?\b", listed)


def test_many_orders_of_one_message_are_read(tmp_path: Path) -> None:
    own = [segment for n in range(3000) for segment in (order(f"B{n}"), obx(f"Nodule {n}."))]
    (tmp_path / "a.hl7").write_bytes(message(head(), _PID, *own))
    documents, rejected, _ = read_documents_csv(tmp_path / "a.hl7")
    assert [d.report_id for d in documents] == [f"B{n}" for n in range(3000)]
    assert rejected.empty


# --- people of FHIR ------------------------------------------------------------------------------------


def test_people_who_are_known_by_what_is_shown_alone_in_any_field() -> None:
    """A name of its own in each place; all of them must be known, and nothing else."""
    file = Path(__file__).parent / "cases" / "fhir_people.json"
    places: dict[str, Json] = json.loads(file.read_text(encoding="utf-8"))
    for place, fields in places.items():
        written = json.dumps(fields)
        [found] = (row for row in in_fhir(fhir_report(**fields)) if isinstance(row, dict))
        names = found["staff_names"].split("; ") if found["staff_names"] else []
        wanted = set(re.findall(r"\b([A-Z][a-z]+)(?= Quill)", written))
        wanted |= set(re.findall(r'"given": \["([A-Z][a-z]+)"\]', written)) - {"Pat"} | (
            {"Cai"} if "Cai" in written else set()
        )
        first = {name.replace("Dr. ", "").split()[0] for name in names}
        assert first == wanted, place
        if place == "patient":
            assert found["patient_name"] == "Pat Patient"
            assert "555-7788" in found["identifiers"].split("; ")


def test_numbers_are_known_wherever_they_stand() -> None:
    subject = {"identifier": {"value": "MRN-9"}, "display": "Jane Doe"}
    encounter = {"identifier": {"value": "VISIT-3"}}
    [found] = (row for row in in_fhir(fhir_report(subject=subject, encounter=encounter)) if isinstance(row, dict))
    assert (found["patient_id"], found["patient_name"]) == ("MRN-9", "Jane Doe")
    assert found["identifiers"].split("; ") == ["VISIT-3"]


# --- HL7, chapter by chapter ----------------------------------------------------------------------------


@cases("character_sets_of_table_0211")
def test_character_sets_of_table_0211(charset: str, encoding: str, said: str) -> None:
    data = message(head(charset), _PID, order(), obx("@ A.")).replace(b"@", said.encode(encoding))
    found, *doubts = named(list(hl7.rows(data))[1:])
    assert (found["text"], doubts) == (f"{said} A.", [])


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("", "iso2022_jp"), ("~ISO IR87", "iso2022_jp"), ("ISO IR87", "iso2022_jp"), ("GB 18030-2000", "gb18030")],
)
def test_switches_between_character_sets_are_listed(charset: str, encoding: str) -> None:
    data = message(head(charset), _PID, order(), obx("@")).replace(b"@", "肺部".encode(encoding))
    assert named(list(hl7.rows(data))[1:]) == [Failure(Flaw.ENCODING, "A1")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\r", "\x1c\r\x0b"])
def test_wide_characters(encoding: str, end: str) -> None:
    whole = [message(head(), _PID, order(f"A{n}"), obx("Kein Erguß.")).decode() for n in (1, 2)]
    found = named(list(hl7.rows(f"\ufeff{end[2:]}{end.join(whole)}{end[:2]}".encode(encoding)))[1:])
    assert [(row["accession"], row["text"]) for row in found] == [("A1", "Kein Erguß."), ("A2", "Kein Erguß.")]


@pytest.mark.parametrize("between", [b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\r\n\xef\xbb\xbf", b""])
def test_what_stands_between_messages(between: bytes) -> None:
    data = between.join(message(head(), _PID, order(f"A{n}"), obx("Clear.")).rstrip(b"\r") for n in (1, 2, 3))
    found = named(list(hl7.rows(data + b"\r\n"))[1:])
    read = [row for row in found if isinstance(row, dict)]
    assert [(row["accession"], row["text"]) for row in read] == [(f"A{n}", "Clear.") for n in (1, 2, 3)]
    ends = b"\r" in between or b"\n" in between
    assert (Doubt.UNENDED in found) == (not ends)


@pytest.mark.parametrize("line", ["==== message 2 ====", "2024-03-01 10:01:00,123 INFO sent ACK"])
def test_a_message_with_a_line_behind_it_is_left_out_until_somebody_has_looked(line: str) -> None:
    first, second = (message(head(), _PID, order(f"A{n}"), obx("Clear.")) for n in (1, 2))
    found = list(hl7.rows(first + line.encode() + b"\r" + second))[1:]
    assert [(at, part) for _, at, part in found if not isinstance(part, list)] == [(1, Doubt.STRAY)]


def test_mixed_line_ends_in_one_message() -> None:
    data = b"".join(
        segment.encode() + end
        for segment, end in zip(
            (head(), _PID, order(), obx("One."), obx("Two.")), (b"\r", b"\r\n", b"\n", b"\n\r", b""), strict=True
        )
    )
    assert named(list(hl7.rows(data))[1:])[0]["text"].split() == ["One.", "Two."]


def test_markup_in_text_and_texts_that_are_there_twice() -> None:
    rich = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\f0 FINDINGS:\\par Kein Ergu\\'df.\\par}"
    [found] = in_hl7(head(), _PID, order(), obx(rich.replace("\\", "\\E\\"), "FT"))
    assert found["text"] == "FINDINGS:\nKein Erguß."
    [found] = in_hl7(head(), _PID, order(), obx("<p>FINDINGS:</p>"), obx("<p>Kein Erguß, 3 \\T\\lt; 4.</p>"))
    assert found["text"].split("\n\n") == ["FINDINGS:", "Kein Erguß, 3 < 4."]
    [found] = in_hl7(head(), _PID, order(), obx("Size <3 mm> in </ region."))
    assert found["text"] == "Size <3 mm> in </ region."
    enclosed = base64.b64encode(b"<p>FINDINGS: clear.</p>").decode()
    for twice in ([obx("FINDINGS: clear."), obx(f"^TEXT^HTML^Base64^{enclosed}", "ED")],
                  [obx(f"^TEXT^HTML^Base64^{enclosed}", "ED"), obx("Findings:"), obx("clear.")]):  # fmt: skip
        [found] = in_hl7(head(), _PID, order(), *twice)
        assert found["text"].lower().count("clear") == 1


def test_every_flaw_and_doubt_has_its_words() -> None:
    assert set(OF_FLAW) == set(Flaw)
    assert set(OF_DOUBT) == set(Doubt)


def test_no_codec_is_a_character_set() -> None:
    for name in ("unicode_escape", "punycode", "utf-7", "zlib"):
        data = message(head(name), _PID, order(), obx("Kein Erguß \\X41\\."), encoding="latin-1")
        assert named(list(hl7.rows(data))[1:]) == [Failure(Flaw.ENCODING, "A1")]
