"""The parsers of foreign files, their limits, and the reasons why they may give up.

Parsers run in a child process (:mod:`radcal.ingest.parsing_child`), never in the process that holds the workspace.
A further format needs an entry here and a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from radcal.ingest.table import Cell

Row = tuple[int, int, list[Cell]]
"""Number of the table and line of the row, both from 1, and the cells of the row."""
Parse = Callable[[bytes], Iterable[Row]]
"""Rows of each table in order, tables in order; raises Refused."""

WORKBOOK = "workbook"
PARSERS: dict[str, str] = {WORKBOOK: "radcal.ingest.excel:rows"}
"""Kind of file -> module and function (a Parse)."""

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
