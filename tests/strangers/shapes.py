"""The shapes in which systems hand out reports: one writer each, by the names that such systems give their columns.

A shape writes the rows of a department as files into a folder and says how they are given to RadCal.  It imports
nothing of RadCal; formats are written by the ordinary libraries, or by hand where that is what systems do.
"""

from __future__ import annotations

import base64
import csv
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import xlwt
from openpyxl.styles import Font
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

from .department import CT, Department, Person, Row, draw
from .sentences import ENGLISH, GERMAN, Language

Files = list[tuple[str, Path]]
"""The option of the command line that a file or folder is given with, and its path."""

NEEDS_STATUS = ("preliminary", "addendum", "addendum after the CT", "cancelled", "unsigned")
NEEDS_A_ROW = ("no time", "impossible time", "no text", "no number", "no patient", "no radiologist", "two patients")
"""Oddities of tables: what a message lacks is the matter of the tests of messages."""


@dataclass(frozen=True)
class Shape:
    """One way in which a system hands out a department.

    write: makes the files;  without: oddities that it has no place for
    called: an author's name as RadCal shows it, who keeps the order in which a system writes a name
    options: what the command line is told besides
    """

    name: str
    write: Callable[[Path, Department], Files]
    language: Language = ENGLISH
    without: tuple[str, ...] = ()
    called: Callable[[Person], str] = lambda person: last_first(person)
    options: tuple[str, ...] = ()

    def department(self, seed: int, n_pairs: int = 66) -> Department:
        """The department of this seed as the system knows it."""
        return draw(seed, self.language, n_pairs).without(self.without)


# --- cells ---------------------------------------------------------------------------------------------


def last_first(person: Person | None) -> str:
    """'Ravensworth, Odile'."""
    return "" if person is None else f"{person.family}, {person.given}"


def first_last(person: Person) -> str:
    """'Odile Ravensworth'."""
    return f"{person.given} {person.family}"


def capitals(person: Person | None) -> str:
    """'RAVENSWORTH, ODILE'."""
    return last_first(person).upper()


def with_degree(person: Person | None) -> str:
    """'Odile Ravensworth, MD'."""
    return "" if person is None else f"{person.given} {person.family}, MD"


def caret(person: Person | None) -> str:
    """'Ravensworth^Odile'."""
    return "" if person is None else f"{person.family}^{person.given}"


def doctor(person: Person | None) -> str:
    """'Dr. med. Ravensworth, Odile'."""
    return "" if person is None else f"Dr. med. {person.family}, {person.given}"


def stamp(row: Row, form: str) -> str:
    """The time of the examination; of an impossible one, the 31st of February."""
    if row.impossible:
        return datetime(2025, 2, 28, 19, 47).strftime(form).replace("28", "31")
    return "" if row.time is None else row.time.strftime(form)


def in_german(exam: str) -> str:
    """What a German system calls an examination."""
    return {
        "XR CHEST PA AND LATERAL": "Röntgen Thorax in 2 Ebenen",
        "XR CHEST PORTABLE 1 VIEW": "Röntgen Thorax Bettaufnahme",
        "CT CHEST WITH CONTRAST": "CT Thorax mit Kontrastmittel",
        "CT THORAX WITHOUT CONTRAST": "CT Thorax nativ",
        "XR KNEE 3 VIEWS LEFT": "Röntgen Knie links",
        "CT ABDOMEN AND PELVIS": "CT Abdomen und Becken",
        "MR CHEST WITHOUT CONTRAST": "MRT Thorax nativ",
    }[exam]


Columns = Mapping[str, Callable[[Row], Any]]


def table(columns: Columns, rows: Iterable[Row]) -> list[list[Any]]:
    """The header and the cells of the rows."""
    return [list(columns), *([cell(row) for cell in columns.values()] for row in rows)]


def write_csv(path: Path, lines: Sequence[Sequence[Any]], encoding: str = "utf-8", **manner: Any) -> Path:
    """A text table."""
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, **manner).writerows(lines)
    return path


def divided(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """The X-rays, with what is neither, and the CTs."""
    rows = list(rows)
    return [row for row in rows if row.kind != CT], [row for row in rows if row.kind == CT]


# --- tables of five systems ----------------------------------------------------------------------------


def epic(folder: Path, department: Department) -> Files:
    """One CSV from a reporting database: findings and impression apart, names of patients and referrers beside."""
    language = department.language
    status = {"final": "Final result", "preliminary": "Prelim", "addendum": "Addendum", "cancelled": "Canceled"}
    columns: Columns = {
        "ACCESSION_NUM": lambda r: r.number,
        "PAT_MRN_ID": lambda r: r.patient,
        "PAT_NAME": lambda r: capitals(r.name),
        "BIRTH_DATE": lambda r: f"{r.born} 00:00:00",
        "PROC_NAME": lambda r: r.exam,
        "PROC_CODE": lambda r: r.code,
        "MODALITY": lambda r: r.modality,
        "ORDERING_PROV_NAME": lambda r: "VESTERHOLM, AASTA",
        "BEGIN_EXAM_DTTM": lambda r: stamp(r, "%Y-%m-%d %H:%M:%S"),
        "NARRATIVE": lambda r: "" if r.status == "addendum" else _narrative(r, language),
        "IMPRESSION": lambda r: r.parts[4],
        "READING_PROV_NAME": lambda r: capitals(r.dictator),
        "FINALIZING_PROV_NAME": lambda r: capitals(r.signer),
        "RADIOLOGY_STATUS": lambda r: status[r.status],
        "FINALIZING_DTTM": lambda r: f"{r.reported:%Y-%m-%d %H:%M:%S}",
    }
    return [("reports", write_csv(folder / "img_study.csv", table(columns, department.rows)))]


def _narrative(row: Row, language: Language) -> str:
    told = list(zip(language.headings, row.parts, strict=True))[:4]
    return "\n\n".join(f"{heading}:\n{part}" for heading, part in told if part)


def cerner(folder: Path, department: Department) -> Files:
    """Two files divided by bars, with breaks as the text of a message, and dates with the month in letters."""
    status = {"final": "Auth (Verified)", "preliminary": "In Progress", "addendum": "Addendum", "cancelled": "In Error"}
    columns: Columns = {
        "ACCESSION_NBR": lambda r: r.number,
        "PERSON_ID": lambda r: r.patient,
        "NAME_FULL_FORMATTED": lambda r: last_first(r.name),
        "CATALOG_DISP": lambda r: r.exam.title().replace("Xr ", "XR ").replace("Ct ", "CT ").replace("Mr ", "MR "),
        "COMPLETE_DT_TM": lambda r: stamp(r, "%d-%b-%Y %H:%M").upper(),
        "REPORT_TEXT": lambda r: r.text(department.language).replace("\n", "\\.br\\"),
        "DICTATED_BY": lambda r: last_first(r.dictator),
        "REPORT_PRSNL_NAME": lambda r: last_first(r.signer),
        "REPORT_STATUS_DISP": lambda r: status[r.status],
        "VERIFIED_DT_TM": lambda r: f"{r.reported:%d-%b-%Y %H:%M}".upper(),
    }
    return [
        ("reports", write_csv(folder / name, table(columns, rows), delimiter="|"))
        for name, rows in zip(("radnet_dr.txt", "radnet_ct.txt"), divided(department.rows), strict=True)
    ]


def powerscribe(folder: Path, department: Department) -> Files:
    """The results of two searches, saved as CSV of Windows, with American dates and the names of people in full."""
    status = {"final": "Final", "preliminary": "Draft", "addendum": "Addendum", "cancelled": "Cancelled"}
    columns: Columns = {
        "Accession": lambda r: r.number,
        "MRN": lambda r: r.patient,
        "Patient Name": lambda r: last_first(r.name),
        "Site": lambda r: "Main Campus",
        "Procedure Description": lambda r: r.exam,
        "Modality": lambda r: r.modality,
        "Exam Date": lambda r: stamp(r, "%m/%d/%Y %I:%M %p"),
        "Report Text": lambda r: r.text(department.language).replace("\n", "\r\n"),
        "Dictated By": lambda r: with_degree(r.dictator),
        "Signed By": lambda r: with_degree(r.signer),
        "Report Status": lambda r: status[r.status],
        "Signed Date": lambda r: f"{r.reported:%m/%d/%Y %I:%M %p}",
    }
    return [
        (option, write_csv(folder / name, table(columns, rows), "cp1252", quoting=csv.QUOTE_ALL))
        for option, name, rows in zip(
            ("reports", "ct"), ("CXR search.csv", "CT search.csv"), divided(department.rows), strict=True
        )
    ]


def sectra(folder: Path, department: Department) -> Files:
    """One list with a mark of its encoding, divided by semicolons, with headings in one word."""
    status = {"final": "Signed", "preliminary": "Preliminary", "addendum": "Addendum", "cancelled": "Deleted"}
    columns: Columns = {
        "ExaminationAccessionNumber": lambda r: r.number,
        "PatientId": lambda r: r.patient,
        "PatientBirthDate": lambda r: f"{r.born:%Y%m%d}",
        "ExaminationName": lambda r: r.exam,
        "ExaminationCode": lambda r: r.code,
        "Modality": lambda r: r.modality,
        "BodyPart": lambda r: r.region,
        "ExaminationStartDateTime": lambda r: stamp(r, "%Y-%m-%dT%H:%M:%S"),
        "ReportText": lambda r: r.text(department.language),
        "DictatedBy": lambda r: caret(r.dictator),
        "SignedBy": lambda r: caret(r.signer),
        "ReportStatus": lambda r: status[r.status],
        "SignedDateTime": lambda r: f"{r.reported:%Y-%m-%dT%H:%M:%S}",
    }
    lines = table(columns, department.rows)
    return [("reports", write_csv(folder / "examinations.csv", lines, "utf-8-sig", delimiter=";"))]


def centricity(folder: Path, department: Department) -> Files:
    """Tabs, compact times, one column of radiologists for each of two readers."""
    status = {"final": "Signed", "preliminary": "Transcribed", "addendum": "Addendum", "cancelled": "Cancelled"}
    columns: Columns = {
        "EXAM_CODE": lambda r: r.code,
        "EXAM_DESC": lambda r: r.exam,
        "PATIENT_NUMBER": lambda r: r.patient,
        "ACCESSION_NUMBER": lambda r: r.number,
        "MODALITY": lambda r: r.modality,
        "EXAM_BEGIN_DATE_TIME": lambda r: stamp(r, "%Y%m%d%H%M"),
        "REPORT_STATUS": lambda r: status[r.status],
        "DICTATED_BY": lambda r: last_first(r.dictator),
        "SIGNED_BY": lambda r: last_first(r.signer),
        "SIGNED_DATE_TIME": lambda r: f"{r.reported:%Y%m%d%H%M}",
        "REPORT_TEXT": lambda r: r.text(department.language),
    }
    return [("reports", write_csv(folder / "exam_list.tsv", table(columns, department.rows), delimiter="\t"))]


# --- tables of other makes -----------------------------------------------------------------------------


def order_status(folder: Path, department: Department) -> Files:
    """A query that somebody wrote: the status of the report stands in the column of the order's."""
    status = {"final": "Final", "preliminary": "Preliminary", "addendum": "Addendum", "cancelled": "Cancelled"}
    columns: Columns = {
        "ORDER_ID": lambda r: r.number,
        "MRN": lambda r: r.patient,
        "PATIENT_NAME": lambda r: last_first(r.name),
        "PROCEDURE": lambda r: r.exam,
        "EXAM_DATETIME": lambda r: stamp(r, "%Y-%m-%d %H:%M"),
        "REPORT": lambda r: r.text(department.language),
        "RESIDENT": lambda r: last_first(r.dictator) if r.dictator != r.signer else "",
        "ATTENDING": lambda r: last_first(r.signer),
        "ORDER_STATUS": lambda r: status[r.status],
        "RESULT_DATETIME": lambda r: f"{r.reported:%Y-%m-%d %H:%M}",
    }
    return [("reports", write_csv(folder / "query_result.csv", table(columns, department.rows)))]


def running_text(folder: Path, department: Department) -> Files:
    """Two extracts of a warehouse: the report runs on behind its indication, and some times are a day alone."""
    status = {"final": "Final", "preliminary": "Preliminary", "addendum": "Addendum", "cancelled": "Cancelled"}
    exams = {
        "CT ABDOMEN AND PELVIS": "CT SPINE THORACIC WO CONTRAST",
        "XR KNEE 3 VIEWS LEFT": "XR SPINE THORACIC 2 VIEWS",
    }

    def text(row: Row) -> str:
        history, technique, comparison, findings, impression = row.parts
        if row.status == "addendum" or not any(row.parts):
            return impression
        return f"Indication: {history} {technique} {comparison} {findings}\nImpression \N{EN DASH} {impression}"

    columns: Columns = {
        "MRN": lambda r: r.patient,
        "NAME_FULL_FORMATTED": lambda r: last_first(r.name),
        "ACCESSION_NBR": lambda r: r.number,
        "PROCEDURE_DISP": lambda r: exams.get(r.exam, r.exam),
        "REPORT_STATUS_DISP": lambda r: status[r.status],
        "EXAM_START_DT_TM": lambda r: stamp(r, "%d/%m/%Y %H:%M") or f"{r.reported:%d/%m/%Y}",
        "FINAL_SIGN_DT_TM": lambda r: "" if r.status == "preliminary" else f"{r.reported:%d/%m/%Y %H:%M}",
        "DICTATING_PRSNL": lambda r: last_first(r.dictator),
        "SIGNING_PRSNL": lambda r: last_first(r.signer),
        "REPORT_TEXT": text,
    }
    return [
        ("reports", write_csv(folder / name, table(columns, rows), "cp1252", delimiter=";"))
        for name, rows in zip(("extract_xray.csv", "extract_ct.csv"), divided(department.rows), strict=True)
    ]


def two_dates(folder: Path, department: Department) -> Files:
    """Two systems in one table, one after a change of system: one writes 2025-03-14 08:12, one 14.03.2025 08:12."""

    def time(row: Row) -> str:
        return stamp(row, "%d.%m.%Y %H:%M" if row.patient[-1:] in "02468" else "%Y-%m-%d %H:%M")

    columns: Columns = {
        "Study ID": lambda r: r.number,
        "Patient ID": lambda r: r.patient,
        "Study Description": lambda r: r.exam,
        "Study Date/Time": time,
        "Report": lambda r: r.text(department.language),
        "Radiologist": lambda r: last_first(r.signer),
    }
    return [
        ("reports", write_csv(folder / name, table(columns, rows)))
        for name, rows in zip(("xrays.csv", "cts.csv"), divided(department.rows), strict=True)
    ]


def titled_excel(folder: Path, department: Department) -> Files:
    """A workbook for people: a title over merged cells, a line about the query, an empty one; day and clock apart."""
    status = {"final": "Final", "preliminary": "Preliminary", "addendum": "Addendum", "cancelled": "Cancelled"}
    columns: Columns = {
        "Accession No.": lambda r: r.number,
        "Patient No.": lambda r: int(r.patient) if r.patient else None,
        "Date of Birth": lambda r: r.born,
        "Examination": lambda r: r.exam,
        "Exam Date": lambda r: stamp(r, "%d/%m/%Y") if r.impossible else r.time and r.time.date(),
        "Exam Time": lambda r: stamp(r, "%H:%M") if r.impossible else r.time and r.time.time(),
        "Report": lambda r: r.text(department.language),
        "Dictated by": lambda r: last_first(r.dictator),
        "Approved by": lambda r: last_first(r.signer),
        "Report status": lambda r: status[r.status],
        "Approved on": lambda r: r.reported,
    }
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Chest examinations of the first half-year 2025"])
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.merge_cells(start_row=1, start_column=1, end_row=1, end_column=len(columns))
    sheet.append(["Query: exam contains CHEST", None, None, "Rows:", len(department.rows)])
    sheet.append([])
    for line in table(columns, department.rows):
        sheet.append(line)
    sheet.freeze_panes = "A5"
    path = folder / "Chest 2025.xlsx"
    book.save(path)
    return [("reports", path)]


def old_excel(folder: Path, department: Department) -> Files:
    """A German workbook of the old kind, a sheet for each modality, with the name of the ward above."""
    columns: Columns = {
        "Auftragsnummer": lambda r: r.number,
        "Patienten-ID": lambda r: r.patient,
        "Untersuchung": lambda r: in_german(r.exam),
        "Untersuchungszeitpunkt": lambda r: stamp(r, "%d.%m.%Y %H:%M"),
        "Befundtext": lambda r: r.text(department.language),
        "Befunder": lambda r: doctor(r.dictator),
        "Vidiert von": lambda r: doctor(r.signer),
    }
    book = xlwt.Workbook()
    for name, rows in zip(("Röntgen", "CT"), divided(department.rows), strict=True):
        sheet = book.add_sheet(name)
        sheet.write_merge(0, 0, 0, len(columns) - 1, "Institut für Radiologie, Auszug 2025")
        for i, line in enumerate(table(columns, rows), 2):
            for j, cell in enumerate(line):
                sheet.write(i, j, cell)
    path = folder / "Auszug.xls"
    book.save(str(path))
    return [("reports", path)]


def german(folder: Path, department: Department) -> Files:
    """A German RIS: semicolons, Windows' letters, day and clock apart, findings and impression apart."""
    status = {"final": "freigegeben", "preliminary": "vorläufig", "addendum": "Nachtrag", "cancelled": "storniert"}
    columns: Columns = {
        "Auftragsnummer": lambda r: r.number,
        "Patientennummer": lambda r: r.patient,
        "Name, Vorname": lambda r: last_first(r.name),
        "Geburtsdatum": lambda r: f"{r.born:%d.%m.%Y}",
        "Untersuchung": lambda r: in_german(r.exam),
        "Modalität": lambda r: r.modality,
        "Untersuchungsdatum": lambda r: stamp(r, "%d.%m.%Y"),
        "Uhrzeit": lambda r: stamp(r, "%H:%M"),
        "Klinische Angaben": lambda r: r.parts[0],
        "Befund": lambda r: r.parts[3],
        "Beurteilung": lambda r: r.parts[4],
        "Diktiert von": lambda r: doctor(r.dictator),
        "Freigegeben von": lambda r: doctor(r.signer),
        "Befundstatus": lambda r: status[r.status],
        "Freigabezeit": lambda r: f"{r.reported:%d.%m.%Y %H:%M}",
    }
    lines = table(columns, department.rows)
    return [("reports", write_csv(folder / "RIS-Auszug.csv", lines, "cp1252", delimiter=";"))]


def manifest(folder: Path, department: Department) -> Files:
    """A folder of texts, and a table that says which belongs to which examination."""
    export = folder / "texts"
    export.mkdir()

    def file(row: Row) -> str:
        text = row.text(department.language)
        name = f"{row.kind}/{row.number or 'none'}-{row.status}-{len(text)}.txt"
        path = export / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    columns: Columns = {
        "file": file,
        "accession": lambda r: r.number,
        "patient": lambda r: r.patient,
        "exam": lambda r: r.exam,
        "exam time": lambda r: stamp(r, "%Y-%m-%d %H:%M"),
        "signed by": lambda r: last_first(r.signer),
        "dictated by": lambda r: last_first(r.dictator),
        "report status": lambda r: r.status,
        "report time": lambda r: f"{r.reported:%Y-%m-%d %H:%M}",
    }
    write_csv(export / "manifest.csv", table(columns, department.rows))
    return [("reports", export)]


# --- messages ------------------------------------------------------------------------------------------

_CODES = {"final": "F", "preliminary": "P", "addendum": "A", "cancelled": "X"}


def _escaped(text: str) -> str:
    for mark, code in (("\\", "E"), ("|", "F"), ("^", "S"), ("&", "T"), ("~", "R")):
        text = text.replace(mark, f"\\{code}\\")
    return text


def _segments(row: Row, n: int, language: Language) -> list[str]:
    """A result message as an interface engine writes it: an OBX for each paragraph."""
    signer, dictator = (
        "" if p is None else f"D{len(p.family)}&{p.family}&{p.given}" for p in (row.signer, row.dictator)
    )
    code, kind = _CODES[row.status], {"DX": "RAD", "CR": "RAD"}.get(row.modality, row.modality)
    made = [
        f"MSH|^~\\&|RIS|STVITUS|RADCAL|LAB|{row.reported:%Y%m%d%H%M%S}||ORU^R01^ORU_R01|M{n}|P|2.5.1"
        "|||||||UNICODE UTF-8",
        f"PID|1||{row.patient}^^^STVITUS^MR||{row.name.family}^{row.name.given}||{row.born:%Y%m%d}|U",
        "PV1|1|I|4N^12^A",
        f"ORC|RE|{row.number}|{row.number}||CM",
        f"OBR|1|{row.number}|{row.number}|{row.code}^{row.exam}^CPT|||{stamp(row, '%Y%m%d%H%M%S')}|||||||||||||||"
        f"{row.reported:%Y%m%d%H%M%S}||{kind}|{code}|||||||{signer}|{dictator}",
    ]
    for i, paragraph in enumerate(row.text(language).splitlines(), 1):
        made.append(f"OBX|{i}|TX|{row.code}&GDT^{row.exam}||{_escaped(paragraph)}||||||{code}")
    return made


def hl7(folder: Path, department: Department) -> Files:
    """A batch file of results, with header and trailer that counts them."""
    lines = ["FHS|^~\\&|RIS|STVITUS", "BHS|^~\\&|RIS|STVITUS"]
    for n, row in enumerate(department.rows):
        lines += _segments(row, n, department.language)
    lines += [f"BTS|{len(department.rows)}", "FTS|1", ""]
    path = folder / "results.hl7"
    path.write_bytes("\r".join(lines).encode())
    return [("reports", path)]


def hl7_frames(folder: Path, department: Department) -> Files:
    """What a listener wrote down: framed messages, in two files."""
    made: Files = []
    for name, rows in zip(("dr.oru", "ct.oru"), divided(department.rows), strict=True):
        frames = ("\r".join([*_segments(row, n, department.language), ""]) for n, row in enumerate(rows))
        path = folder / name
        path.write_bytes(b"".join(b"\x0b" + frame.encode() + b"\x1c\r" for frame in frames))
        made.append(("reports", path))
    return made


_BARE = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "é": "e"})
_SHORT = {
    "XR CHEST PA AND LATERAL": "Thorax p.a. und seitlich", "XR CHEST PORTABLE 1 VIEW": "Thoraxaufnahme am Bett",
    "XR KNEE 3 VIEWS LEFT": "Knie links 2 Ebenen",
}  # fmt: skip


def hl7_wrapped(folder: Path, department: Department) -> Files:
    """A German RIS that breaks lines at 62 letters, an OBX each, dates every line by its signature, and calls X-rays
    by their projection; every third message has no umlauts in names, and some state their times in UTC."""
    timed = sorted((row for row in department.rows if row.time is not None), key=lambda row: row.time or row.reported)
    in_utc = {id(row) for row in timed[4:-4:7]}
    lines: list[str] = []
    for n, row in enumerate(department.rows):
        utc = id(row) in in_utc
        zone, back = ("+0000", timedelta(hours=1)) if utc else ("+0100", timedelta())
        signed = f"{row.reported - back:%Y%m%d%H%M%S}{zone}"
        taken = stamp(row, "%Y%m%d%H%M%S") if row.time is None else f"{row.time - back:%Y%m%d%H%M%S}{zone}"
        head, patient, visit, control, order, *_ = _segments(row, n, department.language)
        fields = order.split("|")
        fields[4], fields[7], fields[22] = f"X^{_SHORT.get(row.exam) or in_german(row.exam)}^L", taken, signed
        if n % 3 == 0:
            fields[32:] = [field.translate(_BARE) for field in fields[32:]]
        head = head.replace(f"{row.reported:%Y%m%d%H%M%S}", signed)
        lines += [head, patient, visit, control, "|".join(fields)]
        broken = [
            part for line in row.text(department.language).splitlines() for part in textwrap.wrap(line, 62) or [""]
        ]
        for i, line in enumerate(broken, 1):
            lines.append(f"OBX|{i}|TX|18782-3^Observation^LN||{_escaped(line)}||||||{_CODES[row.status]}|||{signed}")
    path = folder / "befunde.hl7"
    path.write_bytes("\r".join([*lines, ""]).encode())
    return [("reports", path)]


def hl7_documents(folder: Path, department: Department) -> Files:
    """The same reports as documents, of a system that sends MDM^T02: who wrote, who signed, and the status in TXA."""
    lines = []
    for n, row in enumerate(department.rows):
        head, *middle = _segments(row, n, department.language)
        wrote, signed = (
            "" if p is None else f"D{len(p.family)}^{p.family}^{p.given}" for p in (row.dictator, row.signer)
        )
        times = f"{stamp(row, '%Y%m%d%H%M%S')}||{row.reported:%Y%m%d%H%M%S}"
        txa = f"TXA|1|DI|TX|{times}|||{wrote}|{signed}||T{n}||{row.number}|{row.number}||AU"
        head = head.replace("ORU^R01^ORU_R01", "MDM^T02^MDM_T02")
        lines += [head, f"EVN|T02|{row.reported:%Y%m%d%H%M%S}", *middle[:4], txa, *middle[4:]]
    path = folder / "documents.hl7"
    path.write_bytes("\r".join([*lines, ""]).encode())
    return [("reports", path)]


def _concept(code: str, display: str, system: str = "http://loinc.org") -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": display}], "text": display}


def _resources(department: Department) -> list[dict[str, Any]]:
    """The reports of a department with their patients, practitioners and orders."""
    found: dict[str, dict[str, Any]] = {}

    def person(who: Person | None) -> list[dict[str, str]]:
        if who is None:
            return []
        key = f"Practitioner/{who.family.lower()}"
        name = [{"family": who.family, "given": [who.given]}]
        found.setdefault(key, {"resourceType": "Practitioner", "id": who.family.lower(), "name": name})
        return [{"reference": key}]

    status = {"final": "final", "preliminary": "preliminary", "addendum": "appended", "cancelled": "cancelled"}
    for n, row in enumerate(department.rows):
        found.setdefault(
            f"Patient/{row.patient}",
            {
                "resourceType": "Patient", "id": row.patient, "birthDate": f"{row.born}",
                "identifier": [{"type": _concept("MR", "MRN"), "value": row.patient}],
                "name": [{"family": row.name.family, "given": [row.name.given]}],
            },
        )  # fmt: skip
        text = row.text(department.language)
        data = base64.b64encode(text.encode()).decode()
        made = {
            "resourceType": "DiagnosticReport", "id": f"dr{n}", "status": status[row.status],
            "identifier": [{"type": {"coding": [{"code": "ACSN"}]}, "value": row.number}],
            "category": [_concept("RAD", "Radiology", "http://terminology.hl7.org/CodeSystem/v2-0074")],
            "code": {"text": row.exam}, "subject": {"reference": f"Patient/{row.patient}"},
            "effectiveDateTime": "" if row.time is None else f"{row.time:%Y-%m-%dT%H:%M:%S}+01:00",
            "issued": f"{row.reported:%Y-%m-%dT%H:%M:%S}+01:00",
            "performer": person(row.dictator), "resultsInterpreter": person(row.signer),
            "presentedForm": [{"contentType": "text/plain; charset=utf-8", "data": data}] if text else [],
        }  # fmt: skip
        found[f"DiagnosticReport/dr{n}"] = {key: value for key, value in made.items() if value}
    return list(found.values())


def fhir_bundle(folder: Path, department: Department) -> Files:
    """The answer of a server to a search."""
    resources = _resources(department)
    entries = [{"fullUrl": f"https://fhir.example/{r['resourceType']}/{r['id']}", "resource": r} for r in resources]
    path = folder / "search.json"
    path.write_text(json.dumps({"resourceType": "Bundle", "type": "searchset", "entry": entries}), encoding="utf-8")
    return [("reports", path)]


def fhir_bulk(folder: Path, department: Department) -> Files:
    """A bulk export: a file for each kind of resource, one resource a line."""
    export = folder / "bulk"
    export.mkdir()
    resources = _resources(department)
    for kind in sorted({r["resourceType"] for r in resources}):
        lines = (json.dumps(r, ensure_ascii=False) for r in resources if r["resourceType"] == kind)
        (export / f"{kind}.ndjson").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [("reports", export)]


def _coded(value: str, meaning: str, scheme: str = "DCM") -> list[Dataset]:
    made = Dataset()
    made.CodeValue, made.CodingSchemeDesignator, made.CodeMeaning = value, scheme, meaning
    return [made]


def _section(heading: tuple[str, str], inner: tuple[str, str], words: str) -> Dataset:
    text, made = Dataset(), Dataset()
    text.RelationshipType, text.ValueType, text.TextValue = "CONTAINS", "TEXT", words
    text.ConceptNameCodeSequence = _coded(*inner)
    made.RelationshipType, made.ValueType, made.ContinuityOfContent = "CONTAINS", "CONTAINER", "SEPARATE"
    made.ConceptNameCodeSequence, made.ContentSequence = _coded(*heading), [text]
    return made


def dicom(folder: Path, department: Department) -> Files:
    """An archive of Basic Text reports, in folders by patient."""
    export = folder / "archive"
    titles = (
        (("121060", "History"), ("121060", "History")),
        (("121064", "Current Procedure Descriptions"), ("121065", "Procedure Description")),
        (("121068", "Previous Findings"), ("121069", "Previous Finding")),
        (("121070", "Findings"), ("121071", "Finding")),
        (("121072", "Impressions"), ("121073", "Impression")),
    )
    for n, row in enumerate(department.rows):
        assert row.time is not None
        made = Dataset()
        made.SpecificCharacterSet = "ISO_IR 192"
        made.SOPClassUID, made.SOPInstanceUID, made.Modality = "1.2.840.10008.5.1.4.1.1.88.11", f"2.25.{n + 7000}", "SR"
        made.StudyInstanceUID, made.AccessionNumber, made.PatientID = f"2.25.{n + 90000}", row.number, row.patient
        made.PatientName, made.PatientBirthDate = caret(row.name), f"{row.born:%Y%m%d}"
        made.StudyDescription, made.StudyDate, made.StudyTime = row.exam, f"{row.time:%Y%m%d}", f"{row.time:%H%M%S}"
        made.ContentDate, made.ContentTime = f"{row.reported:%Y%m%d}", f"{row.reported:%H%M%S}"
        made.CompletionFlag, made.VerificationFlag = "COMPLETE", "VERIFIED"
        verified, wrote = Dataset(), Dataset()
        verified.VerifyingObserverName = caret(row.signer)
        verified.VerificationDateTime = f"{row.reported:%Y%m%d%H%M%S}"
        verified.VerifyingOrganization, wrote.ObserverType = "St Vitus", "PSN"
        verified.VerifyingObserverIdentificationCodeSequence, wrote.PersonName = [], caret(row.dictator)
        made.VerifyingObserverSequence, made.AuthorObserverSequence = [verified], [wrote]
        made.ValueType, made.ContinuityOfContent = "CONTAINER", "SEPARATE"
        made.ConceptNameCodeSequence = _coded("18748-4", "Diagnostic imaging report", "LN")
        made.ContentSequence = [_section(*title, part) for title, part in zip(titles, row.parts, strict=True) if part]
        made.file_meta = FileMetaDataset()
        made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
        made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
        made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
        path = export / f"P{row.patient}" / f"SR{n:04}"
        path.parent.mkdir(parents=True, exist_ok=True)
        made.save_as(path, enforce_file_format=True)
    return [("reports", export)]


MESSAGE = (*NEEDS_A_ROW, "cancelled")
SHAPES = {
    shape.name: shape
    for shape in (
        Shape("epic", epic),
        Shape("cerner", cerner, options=("--preset", "cerner")),
        Shape("powerscribe", powerscribe, called=first_last),
        Shape("sectra", sectra),
        Shape("centricity", centricity),
        Shape("order status", order_status),
        Shape("running text", running_text),
        Shape("two dates", two_dates, without=NEEDS_STATUS),
        Shape("titled Excel", titled_excel),
        Shape("old Excel", old_excel, GERMAN, without=(*NEEDS_STATUS, "no radiologist")),
        Shape("German", german, GERMAN),
        Shape("manifest", manifest),
        Shape("HL7", hl7, without=MESSAGE),
        Shape("HL7 wrapped", hl7_wrapped, GERMAN, without=MESSAGE),
        Shape("HL7 frames", hl7_frames, without=MESSAGE),
        Shape("HL7 documents", hl7_documents, without=(*MESSAGE, *NEEDS_STATUS[:3], "unsigned")),
        Shape("FHIR bundle", fhir_bundle, without=MESSAGE, called=first_last),
        Shape("FHIR bulk", fhir_bulk, without=MESSAGE, called=first_last),
        Shape("DICOM SR", dicom, without=(*MESSAGE, *NEEDS_STATUS[:3], "unsigned", "repeated"), called=first_last),
    )
}
"""All shapes by name."""
