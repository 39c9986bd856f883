"""Ages of patients in whole years, as systems write them or from a date of birth, which is never kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.reports.column_names import simplified
from radcal.reports.table import Cell, cell_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = -1
_OLDEST = 120
"""Greater numbers stand for something else, such as 999 for an unknown age."""
_AGE = re.compile(r"[>≥]?=?\s*(\d{1,3})(?:[.,]\d+)?\s*\+?\s*([^\W\d_.]*)\.?(?:\s*old)?", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_UNITS = {
    1: "y yr yrs year years yo j jahr jahre a an ans ano anos ar jaar anni",
    12: "m mo mon mth mths month months monat monate mois mes meses",
    52: "w wk wks week weeks woche wochen semaine semaines semana semanas",
    365: "d day days tag tage jour jours dia dias",
}
"""How many make up a year."""
_PER_YEAR = {name: n for n, names in _UNITS.items() for name in names.split()} | {"": 1}


def age_in(cell: Cell) -> int:
    """The age that a cell states, in whole years: '67', '067Y' (DICOM), '67 years', '8 M' (months), '90+'.

    UNKNOWN for anything else, and beyond 120 years.
    """
    match = _AGE.fullmatch(cell_text(cell))
    if match is None:
        return UNKNOWN
    per_year = _PER_YEAR.get(simplified(match[2]))
    age = UNKNOWN if per_year is None else int(match[1]) // per_year
    return age if age <= _OLDEST else UNKNOWN


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
