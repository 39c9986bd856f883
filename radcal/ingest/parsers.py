"""Which parser reads which kind of foreign file, what it may cost, and why it may give up.

A parser runs in a child process (:mod:`radcal.ingest.parsing_child`), never in the process that holds the workspace.
A further format is one more entry here and one function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from radcal.ingest.table import Cell

Row = tuple[int, int, list[Cell]]
"""The number of its table (1 for the first), the line it stands in (1 for the first), its cells."""
Parse = Callable[[bytes], Iterable[Row]]
"""Rows of each table in order, tables in order; raises Refused."""

WORKBOOK = "workbook"
PARSERS: dict[str, str] = {WORKBOOK: "radcal.ingest.excel:rows"}
"""Kind of file -> module and function (a Parse)."""

_MB, _GB = 1 << 20, 1 << 30
_LONGEST = 600
LARGEST = 512 * _MB
"""Bytes of a file that is handed to a parser."""
UNPACKED = _GB
"""Bytes of all members of an archive, unpacked."""


class Why(StrEnum):
    """Why a file was not read. The child reports only this code, so that no message can hold text of the file."""

    DAMAGED = "damaged"
    PROTECTED = "protected"
    UNPACKED = "unpacked"
    CELLS = "cells"
    MEMORY = "memory"
    TIME = "time"
    OUTPUT = "output"
    CRASHED = "crashed"


class Refused(Exception):
    """A file is not read any further; ``table`` is the number of the table at fault, 0 if it is none of them."""

    def __init__(self, why: Why, table: int = 0) -> None:
        super().__init__(str(why))
        self.why, self.table = why, table


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost.

    memory: bytes of address space of the child, the file itself not counted
    cpu: seconds of computing;  seconds: of the clock on the wall
    output: bytes of what the child may say;  cells: cells of all tables, up to the last filled one of each row
    """

    memory: int = 2 * _GB
    cpu: int = 20
    seconds: int = 200
    output: int = _GB
    cells: int = 32 * 1000 * 1000

    @classmethod
    def of(cls, size: int) -> Limits:
        """The limits for a file of ``size`` bytes: a larger one may take longer and return more."""
        cpu = min(cls().cpu + 10 * size // _MB, _LONGEST)
        return cls(cpu=cpu, seconds=10 * cpu, output=min(64 * _MB + 100 * size, _GB))
