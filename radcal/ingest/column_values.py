"""What the values of a column say of its field: whether they look like times, names, reports, modalities, ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from radcal.ingest import times
from radcal.ingest.ages import age_in
from radcal.ingest.authors import people
from radcal.ingest.exams import classify, is_modality
from radcal.ingest.statuses import status_of
from radcal.ingest.table import Cell, cell_text

SAMPLE = 300
"""First filled cells of a column that are looked at."""
FEW = 5
"""Fewest filled cells of which it can be said that none looks like what it should be."""
_SHRUNK = 3.0
"""Evidence of n cells counts n / (n + 3)."""
_MANY = 12
"""Fewest cells that tell whether values repeat."""

_ID = re.compile(r"(?=.*\d)[\w./:#^&-]{1,60}")
_PERSON = re.compile(r"[^\W\d_][^\d@<>|\"\t\n:;!?]{1,59}")
_LOGIN = re.compile(r"[^\W\d_]{2,14}\d{0,12}|[^\W\d_]?\d{3,12}|[^\W\d_]+[._-][^\W\d_]+\d{0,4}")
"""Fewer signs are those of rooms, machines and counts, such as R2."""
_LONGEST_PEOPLE = 200
_NUMBER_OF_A_PERSON = re.compile(r"^\w*\d\w*\s*(?:\^|[:-]\s)\s*|\s*[(\[]\s*\w*\d\w*\s*[)\]]$")
"""Such as in 123^Birch^John, and in Birch, John (123)."""
_CODE = re.compile(r"(?=.*[A-Z\d])[\w./^-]{1,20}")
_CLOCK = re.compile(r"\d[:h]\d\d|\d{12}|[ t]\d{1,2}\.\d\d\b(?!\.)|^\d{1,2}\.\d\d$|^\d{6}\.\d+$", re.IGNORECASE)
_MIDNIGHT = re.compile(r"(?<![\d:])0?0:00(?::00(?:\.0+)?)?\b|(?<=\d{8})0{4,6}")
_FILE = re.compile(r"[^\n]{0,300}\.[A-Za-z]{2,4}")
_LONGEST_PLACE = 60
_COUNT = re.compile(r"\d{1,2}")
_FLAG = re.compile(r"(?:y|n|yes|no|ja|nein|nej|true|false|t|f)", re.IGNORECASE)


def _is_date(cell: Cell) -> bool:
    return not (isinstance(cell, str) and len(cell) > 60) and times.has_date(cell)


def _has_clock(cell: Cell) -> bool:
    """Whether a cell has a time of day: databases write a date without one as midnight."""
    return _CLOCK.search(_MIDNIGHT.sub("", cell_text(cell))) is not None


def _is_moment(cell: Cell) -> float:
    if isinstance(cell, str) and len(cell) > 60:
        return 0.0
    if not _is_date(cell):
        return 0.6 if times.parse_clock(cell) is not None and _has_clock(cell) else 0.0
    return 1.0 if _has_clock(cell) else 0.7


def _is_day(cell: Cell) -> float:
    return 0.0 if not _is_date(cell) else 0.9 if _has_clock(cell) else 1.0


def _is_id(cell: Cell) -> float:
    text = cell_text(cell)
    if _ID.fullmatch(text) is None:
        return 0.0
    return 0.0 if not text.isdecimal() and _is_date(cell) else 1.0


def _is_person(cell: Cell) -> float:
    text = cell_text(cell)
    if len(text) > _LONGEST_PEOPLE or _is_date(cell):
        return 0.0
    return min(map(_is_name, people(_NUMBER_OF_A_PERSON.sub("", text))), default=0.0)


def _is_name(text: str) -> float:
    if classify("", text, "")[0] or is_modality(text) or status_of(text):
        return 0.0
    words = text.replace(",", " ").split()
    if _PERSON.fullmatch(text) and 1 < len(words) <= 6:
        return 1.0
    return 0.6 if _LOGIN.fullmatch(text) else 0.0


def _is_exam(cell: Cell) -> float:
    text = cell_text(cell)
    if len(text) > 120:
        return 0.0
    kind, chest = classify("", text, "")
    if is_modality(text):
        return 0.4
    return 1.0 if kind or chest else 0.35 if len(text) > 5 and not _is_date(cell) and not text.isdecimal() else 0.0


def _is_code(cell: Cell) -> float:
    return float(_CODE.fullmatch(cell_text(cell)) is not None and not ("-" in str(cell) and _is_date(cell)))


def _is_region(cell: Cell) -> float:
    text = cell_text(cell)
    return 1.0 if classify("", "", text)[1] else 0.5 if len(text) <= 40 and text.replace(" ", "").isalpha() else 0.0


def _is_long(cell: Cell) -> float:
    text = cell_text(cell)
    n = len(text)
    return 1.0 if n >= 60 else 0.5 if n >= 20 else 0.1 if text.endswith(".") and text[0].isalpha() else 0.0


def _is_sentence(cell: Cell) -> float:
    text = cell_text(cell)
    return 1.0 if len(text) >= 12 and " " in text and (text[-1] in ".:!" or text.count(" ") >= 4) else 0.0


def _is_addendum(cell: Cell) -> float:
    text = cell_text(cell)
    return float(_COUNT.fullmatch(text) is not None or _FLAG.fullmatch(text) is not None)


def _is_place(cell: Cell) -> float:
    text = cell_text(cell)
    if len(text) > _LONGEST_PLACE or _is_date(cell) or is_modality(text) or _FLAG.fullmatch(text) is not None:
        return 0.0
    return 1.0 if any(c.isalpha() for c in text) else 0.3


def _is_birth(cell: Cell) -> float:
    return 0.0 if not _is_date(cell) else 0.7 if _has_clock(cell) else 1.0


@dataclass(frozen=True, slots=True)
class _Kind:
    """fits: how well a cell fits, in 0-1;  gain, loss: evidence where all cells fit, where none does

    repeats: how much evidence is lost where values repeat as they should not (> 0), or never repeat though they
        should (< 0)
    """

    fits: Callable[[Cell], float]
    gain: float
    loss: float
    repeats: float = 0.0


_KINDS: Mapping[str, _Kind] = {
    "report_id": _Kind(_is_id, 0.05, 0.3, 0.3),
    "accession": _Kind(_is_id, 0.1, 0.4, 0.35),
    "patient_id": _Kind(_is_id, 0.1, 0.35),
    "exam": _Kind(_is_exam, 0.25, 0.4),
    "exam_code": _Kind(_is_code, 0.1, 0.3),
    "body_part": _Kind(_is_region, 0.15, 0.3),
    "modality": _Kind(lambda cell: float(is_modality(cell_text(cell))), 0.35, 0.5),
    "exam_time": _Kind(_is_moment, 0.25, 0.6),
    "exam_date": _Kind(_is_day, 0.25, 0.6),
    "text": _Kind(_is_long, 0.3, 0.5),
    "findings": _Kind(_is_sentence, 0.2, 0.45),
    "impression": _Kind(_is_sentence, 0.2, 0.45),
    "dictator": _Kind(_is_person, 0.2, 0.5, -0.25),
    "signer": _Kind(_is_person, 0.2, 0.5, -0.25),
    "status": _Kind(lambda cell: float(bool(status_of(cell_text(cell)))), 0.3, 0.3),
    "addendum": _Kind(_is_addendum, 0.1, 0.5),
    "report_time": _Kind(_is_day, 0.2, 0.6),
    "site": _Kind(_is_place, 0.05, 0.5, -0.3),
    "age": _Kind(lambda cell: float(age_in(cell) >= 0), 0.1, 0.6),
    "birth_date": _Kind(_is_birth, 0.1, 0.6),
    "file": _Kind(lambda cell: float(_FILE.fullmatch(cell_text(cell)) is not None), 0.3, 0.4),
}


class Values:
    """The filled cells of the first rows of a column, and how they fit a field."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = [cell for cell in cells if cell_text(cell)][:SAMPLE]
        self._fits: dict[Callable[[Cell], float], float] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self.cells == other.cells

    __hash__ = None  # type: ignore[assignment]  # compared, never kept in a set

    def fits(self, field: str) -> float:
        """How well the cells fit the field, in 0-1: the mean over the cells; 0 without any."""
        fits = _KINDS[field].fits
        if fits not in self._fits:
            found: dict[tuple[type, Cell], float] = {}  # cells repeat, and True is no 1
            for cell in self.cells:
                if (key := (type(cell), cell)) not in found:
                    found[key] = fits(cell)
            each = [found[type(cell), cell] for cell in self.cells]
            self._fits[fits] = sum(each) / len(each) if each else 0.0
        return self._fits[fits]

    def evidence(self, field: str) -> float:
        """Evidence for (> 0) and against (< 0) the field, on the scale of the resemblance of names."""
        kind, n = _KINDS[field], len(self.cells)
        if not n:
            return 0.0
        fit = 2 * self.fits(field) - 1
        found = kind.gain * fit if fit > 0 else kind.loss * fit
        if kind.repeats and n >= _MANY:
            distinct = len(set(map(cell_text, self.cells))) / n
            if kind.repeats > 0 and distinct < 0.5:
                found -= kind.repeats
            if kind.repeats < 0 and distinct > 0.95:
                found += kind.repeats
        return found * n / (n + _SHRUNK)

    def strange(self, field: str, least: float = 0.05) -> bool:
        """Whether there are enough cells, and none of them looks like what the field holds."""
        return len(self.cells) >= FEW and self.fits(field) < least
