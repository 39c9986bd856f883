"""The parsers of foreign files, their limits, and the reasons why they may give up.

Parsers run in a child process (:mod:`radcal.ingest.parsing_child`), never in the process that holds the workspace.
A further format needs an entry here and a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from radcal.ingest.reasons import Doubt, Flaw
from radcal.ingest.table import Cell, Mark

Row = tuple[int, int, list[Cell]]
"""Number of the table, from 1, line of the row, from 1 or 0 for a header that the file itself lacks, and its cells."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with a message, and the accession number that it nevertheless gives, '' if none."""

    flaw: Flaw
    accession: str = ""


Flawed = tuple[int, int, Flaw | Failure]
"""A row or message that could not be read: number of its table, its line or position from 1, and what is wrong."""
Doubted = tuple[int, int, Doubt]
"""What is doubtful about the message in a position, beside its rows."""
Parsed = tuple[int, int, list[Cell] | Flaw | Failure | Doubt | Mark]
"""A Row, a Flawed in place of one, a Doubted beside one, or the Mark of a batch."""
Parse = Callable[[bytes], Iterable[Parsed]]
"""Rows of each table in order, tables in order; raises Refused.

A parser of messages gives one table.  Its first row, in line 0, holds the names of fields; every other is a report,
whose line is the position of its message in the file, 1 for the first.
"""
ParseAll = Callable[[Sequence[bytes]], Iterable[Parsed]]
"""The same for several files of messages, each of which is the table of its number."""

WORKBOOK = "workbook"
HL7, FHIR, DICOM = "hl7", "fhir", "dicom"
MESSAGES = (HL7, FHIR, DICOM)
"""Kinds of files of messages, many of which may be parsed by one child."""
PARSERS: dict[str, str] = {
    WORKBOOK: "radcal.ingest.excel:rows",
    HL7: "radcal.ingest.hl7:rows",
    FHIR: "radcal.ingest.fhir:rows",
    DICOM: "radcal.ingest.dicom_sr:rows",
}
"""Kind of file -> module and function (a Parse)."""
TOGETHER: dict[str, str] = {FHIR: "radcal.ingest.fhir:rows_of_files"}
"""Kinds of messages that refer to each other across files -> module and function that reads several files at once."""
RAW: dict[str, str] = {
    HL7: "radcal.ingest.hl7:raw",
    FHIR: "radcal.ingest.fhir:raw",
    DICOM: "radcal.ingest.dicom_sr:raw",
}
"""Kind of file of messages -> a Parse that gives each message as it is written, below a header, to be shown.

Of a kind that has none the file is shown, if it is text.
"""

FIELDS_OF_MESSAGES = (
    "report_id", "accession", "patient_id", "patient_name", "birth_date", "sex", "exam_code", "exam", "modality",
    "body_part", "exam_time", "report_time", "status", "dictator", "signer", "staff_names", "identifiers", "site",
    "text", "findings", "impression",
)  # fmt: skip
"""What a message may tell, in the order of the table that it becomes a row of.

report_id:   what the message itself is called, such as its control ID
staff_names: further people, separated by "; ", each as "Jane Q Doe"
identifiers: further numbers and addresses of the patient, separated by "; "
exam_time, report_time: ISO 8601, by the clock at the place of the examination, without a zone
text, findings, impression: the report, of which a part may be marked as its findings or its impression
"""

_MB, _GB = 1 << 20, 1 << 30
_LONGEST = 600
LARGEST = 512 * _MB
"""Largest file that is parsed, in bytes."""
HEAD = 1 << 16
"""Bytes of the beginning of a file that show what it is."""
UNPACKED = _GB
"""Largest total of the unpacked members of an archive, in bytes."""


class Why(StrEnum):
    """Why a file was not read.  The child reports only this code, so that no message can contain text of the file."""

    DAMAGED = "damaged"
    PROTECTED = "protected"
    UNPACKED = "unpacked"
    CELLS = "cells"
    MEMORY = "memory"
    TIME = "time"
    OUTPUT = "output"
    CRASHED = "crashed"


class Refused(Exception):
    """Reading was given up; ``table`` is the number of the table at fault, 0 if there is none."""

    def __init__(self, why: Why, table: int = 0) -> None:
        super().__init__(str(why))
        self.why, self.table = why, table


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that reading one file may take.

    memory: bytes of address space of the child, excluding the file itself
    cpu: seconds of CPU time;  seconds: of wall-clock time
    output: bytes of the child's output;  cells: of all tables, up to the last filled one of each row
    """

    memory: int = 2 * _GB
    cpu: int = 20
    seconds: int = 200
    output: int = _GB
    cells: int = 32 * 1000 * 1000

    @classmethod
    def of(cls, size: int) -> Limits:
        """The limits for a file of ``size`` bytes: time and output grow with it."""
        cpu = min(cls().cpu + 10 * size // _MB, _LONGEST)
        return cls(cpu=cpu, seconds=10 * cpu, output=min(64 * _MB + 100 * size, _GB))
