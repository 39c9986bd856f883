"""Ages of patients in whole years, as systems write them or from a date of birth, which is never kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.ingest.column_names import simplified
from radcal.ingest.table import Cell, cell_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = -1
_OLDEST = 120
"""Greater numbers stand for something else, such as 999 for an unknown age."""
_AGE = re.compile(r"[>≥]?=?\s*(\d{1,3})(?:[.,]\d+)?\s*\+?\s*([^\W\d_.]*)\.?(?:\s*old)?", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_YEARS = frozenset(map(simplified, "y yr yrs year years yo j jahr jahre a an ans ano anos años år jaar anni".split()))
_PARTS_OF_A_YEAR = {
    12: frozenset(map(simplified, "m mo mon mth mths month months monat monate mois mes meses".split())),
    52: frozenset(map(simplified, "w wk wks week weeks woche wochen semaine semaines semana semanas".split())),
    365: frozenset(map(simplified, "d day days tag tage jour jours dia dias día días".split())),
}
"""How many make up a year."""


def age_in(cell: Cell) -> int:
    """The age that a cell states, in whole years: '67', '067Y' (DICOM), '67 years', '8 M' (months), '90+'.

    UNKNOWN for anything else, and beyond 120 years.
    """
    match = _AGE.fullmatch(cell_text(cell))
    if match is None:
        return UNKNOWN
    n, unit = int(match[1]), simplified(match[2])
    if unit and unit not in _YEARS:
        parts = next((parts for parts, names in _PARTS_OF_A_YEAR.items() if unit in names), 0)
        return n // parts if parts else UNKNOWN
    return n if n <= _OLDEST else UNKNOWN


def years_between(cells: Sequence[Cell], born: NDArray[np.datetime64], at: NDArray[np.datetime64]) -> list[int]:
    """Whole years from each date of birth to each time, (n,) each; UNKNOWN where one is missing or it cannot be.

    cells: the dates as written; a birth after the examination, of a year of two digits, was a century earlier
    """
    short = np.array([isinstance(cell, str) and _YEAR.search(cell) is None for cell in cells], dtype=bool)
    known = ~(np.isnat(born) | np.isnat(at))
    years = np.full(len(born), UNKNOWN, dtype=np.int64)
    birth, exam = (_parts(of[known]) for of in (born, at))
    found = exam[0] - birth[0] - (exam[1] * 100 + exam[2] < birth[1] * 100 + birth[2])
    found = np.where((found < 0) & short[known], found + 100, found)
    years[known] = np.where((found >= 0) & (found <= _OLDEST), found, UNKNOWN)
    return [int(n) for n in years]


def _parts(of: NDArray[np.datetime64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Year, month (0-11) and day (0-30)."""
    day, month, year = (of.astype(f"datetime64[{unit}]") for unit in "DMY")
    return (
        year.astype(np.int64) + 1970,
        (month - year).astype(np.int64),
        (day - month).astype(np.int64),
    )
