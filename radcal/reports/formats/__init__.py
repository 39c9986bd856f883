"""The formats of report files, what their readers return, and the limits within which they read.

Each module of this folder is a format: it defines ``FORMAT``, which says how its files are called and recognised, and
which functions read them.  What lists formats asks :func:`formats`, so that a further format is one more module.

Readers run in a child process (:mod:`radcal.reports.parsing_child`), never in the process that holds the workspace.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module

from radcal.reports.reasons import Doubt, Flaw, Unit
from radcal.reports.table import Cell
from radcal.system.text import EMPTY, Text

Row = tuple[int, int, list[Cell]]
"""Number of the table, from 1, line of the row, from 1 or 0 for a header that the file itself lacks, and its cells."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with a message, and the accession number that it nevertheless gives, '' if none."""

    flaw: Flaw
    accession: str = ""


class Unreadable(Exception):
    """A file or message that cannot be read, with its flaw."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(str(flaw))
        self.flaw = flaw


Flawed = tuple[int, int, Flaw | Failure]
"""A row or message that could not be read: number of its table, its line or position from 1, and what is wrong."""
Doubted = tuple[int, int, Doubt]
"""What is doubtful about the message in a position, beside its rows."""
Parsed = tuple[int, int, list[Cell] | Flaw | Failure | Doubt]
"""A Row, a Flawed in place of one, or a Doubted beside one."""
Parse = Callable[[bytes], Iterable[Parsed]]
"""Rows of each table in order, tables in order; raises Refused.

A reader of messages gives one table.  Its first row, in line 0, holds the names of fields; every other is a report,
whose line is the position of its message in the file, 1 for the first.
"""
ParseAll = Callable[[Sequence[bytes]], Iterable[Parsed]]
"""The same for several files of messages, each of which is the table of its number."""
HEAD = 1 << 16
"""Bytes of the beginning of a file that show what it is."""


def _always(_head: bytes) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Format:
    """A format of report files.

    name: that of its module in this folder
    title: in lists of formats, such as "HL7";  file: in messages about a file, such as "HL7 file"
    suffixes: of such files, each with its dot; '' where they often have none
    recognises: whether a file that begins with these bytes is of the format
    rows: reads a file in the child process; None of text, which Python's own code reads (:mod:`~radcal.reports.files`)
    together: reads several files that refer to each other; None where each stands alone
    raw: gives each message as it is written, below a header, to be shown
    pieces: a file of any size in pieces of whole messages; None where it is read whole
    unit: what its positions count: rows of tables, or what files of messages are made of
    may_be_report: whether a file of the format that begins with these bytes may be a report at all: in a folder,
        others are left out and counted
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    rows: Parse | None
    together: ParseAll | None = None
    raw: Parse | None = None
    pieces: Callable[[Iterable[bytes]], Iterator[bytes]] | None = None
    unit: Unit = Unit.ROW
    file: Text = EMPTY
    may_be_report: Callable[[bytes], bool] = _always

    @property
    def has_messages(self) -> bool:
        """Whether files hold messages, each a report, and no table."""
        return self.unit is not Unit.ROW


def named(name: str) -> Format:
    """The format of a module of this folder."""
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found


@cache
def formats() -> tuple[Format, ...]:
    """All formats, those of tables first."""
    found = (named(module.name) for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(found, key=lambda form: (form.has_messages, form.title)))


def message_formats() -> tuple[Format, ...]:
    """The formats of messages."""
    return tuple(form for form in formats() if form.has_messages)


def table_suffixes() -> frozenset[str]:
    """The suffixes of tables; a text file that a manifest lists is none."""
    return frozenset(s for form in formats() if not form.has_messages for s in form.suffixes) - {".txt"}


def format_of(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes; None of text."""
    return next((form for form in formats() if form.rows is not None and form.recognises(head)), None)


FIELDS_OF_MESSAGES = (
    "report_id", "accession", "study_uid", "patient_id", "patient_name", "birth_date", "sex", "exam_code", "exam",
    "modality", "body_part", "exam_time", "report_time", "status", "dictator", "signer", "staff_names", "identifiers",
    "site", "text", "findings", "impression",
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
