"""What the values of a column say of its field: whether they look like times, names, reports, modalities, ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from radcal.reports import times
from radcal.reports.authors import people
from radcal.reports.exams import classify, is_modality
from radcal.reports.statuses import is_of_report, status_of
from radcal.reports.table import Cell, cell_text
from radcal.system.viewer import is_study_uid

SAMPLE = 300
"""First filled cells of a column that are looked at."""
FEW = 5
"""Fewest filled cells of which it can be said that none looks like what it should be."""
FITS, _A_LITTLE = 0.8, 0.3
"""How well the cells of a column fit what it may be, and what its name alone says."""
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
_LONGEST_PLACE, _LONGEST_EXAM, _LONGEST_DATE = 60, 120, 60
_LONG = 60
"""Characters of a text that is hardly anything but a report or a part of one."""
_YEAR_OF_BIRTH = re.compile(r"(?<!\d)19\d\d(?!\d)")
"""Few exams are as old, and few patients younger."""
_NAMED = re.compile(r"^[^\W\d_][^\d@:;!?]{0,40}[,^]\s?[^\W\d_]|^(?:dr|prof|md)\b|,\s*(?:md|do|phd)\b", re.IGNORECASE)
_COUNT = re.compile(r"\d{1,2}")
_FLAG = re.compile(r"(?:y|n|yes|no|ja|nein|nej|true|false|t|f)", re.IGNORECASE)


def _is_date(cell: Cell) -> bool:
    return not (isinstance(cell, str) and len(cell) > _LONGEST_DATE) and times.has_date(cell)


def _has_clock(cell: Cell) -> bool:
    """Whether a cell has a time of day: databases write a date without one as midnight."""
    return _CLOCK.search(_MIDNIGHT.sub("", cell_text(cell))) is not None


def _is_moment(cell: Cell) -> float:
    if isinstance(cell, str) and len(cell) > _LONGEST_DATE:
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
    if len(text) > _LONGEST_EXAM:
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
    return 1.0 if n >= _LONG else 0.5 if n >= 20 else 0.1 if text.endswith(".") and text[0].isalpha() else 0.0


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


def _is_name_of_patient(cell: Cell) -> float:
    """A whole name, or a part of one in a column of its own."""
    text = cell_text(cell)
    return max(_is_person(cell), float(_PERSON.fullmatch(text) is not None and len(text.split()) == 1))


def _is_number_or_address(cell: Cell) -> float:
    """Numbers, telephones, mail addresses and streets with a number: anything short with a digit, or with an @."""
    text = cell_text(cell)
    return float(len(text) <= _LONGEST_EXAM and ("@" in text or any(map(str.isdecimal, text))))


def _is_told_moment(cell: Cell) -> float:
    return float(_has_clock(cell) and (_is_date(cell) or times.parse_clock(cell) is not None))


def _is_told_day(cell: Cell) -> float:
    return float(not cell_text(cell).isdecimal() and not _is_told_birth(cell) and _is_date(cell))


def _is_told_birth(cell: Cell) -> float:
    return float(_YEAR_OF_BIRTH.search(cell_text(cell)) is not None and _is_date(cell))


def _is_told_exam(cell: Cell) -> float:
    text = cell_text(cell)
    return float(len(text) <= _LONGEST_EXAM and all(classify("", text, "")))


def _is_told_region(cell: Cell) -> float:
    text = cell_text(cell)
    return float(len(text) <= _LONGEST_PLACE and classify("", "", text)[1])


def _is_modality(cell: Cell) -> float:
    return float(is_modality(cell_text(cell)))


def _is_told_status(cell: Cell) -> float:
    """Words for reports alone; codes of one letter tell half, words for orders and exams as well even less."""
    text = cell_text(cell)
    return 0.0 if not status_of(text) else 0.5 if len(text) == 1 else 1.0 if is_of_report(text) else 0.3


def _is_told_age(cell: Cell) -> float:
    return float(times.age_in(cell) >= 0 and any(c.isalpha() for c in cell_text(cell)))


def _is_told_person(cell: Cell) -> float:
    """Names as lists of people have them: with a comma, a caret or a title."""
    return float(_NAMED.search(cell_text(cell)) is not None and _is_person(cell) == 1.0)


@dataclass(frozen=True, slots=True)
class Looks:
    """How the values of a field look.

    fits: how well a cell fits, in 0-1
    telling: how surely a cell is of this field, in 0-1; None if no cell tells that
    alone: cells tell it whatever their column is called
    repeats: whether values repeat: False where each is another one, True where they do, None where either may be
    """

    fits: Callable[[Cell], float]
    telling: Callable[[Cell], float] | None = None
    alone: bool = False
    repeats: bool | None = None


ID_OF_EXAM = Looks(_is_id, repeats=False)
ID_OF_PATIENT = Looks(_is_id)
UID_OF_STUDY = Looks(lambda cell: is_study_uid(cell_text(cell)), repeats=False)
EXAM = Looks(_is_exam, _is_told_exam, alone=True)
CODE = Looks(_is_code)
REGION = Looks(_is_region, _is_told_region)
MODALITY = Looks(_is_modality, _is_modality, alone=True)
MOMENT = Looks(_is_moment, _is_told_moment)
DAY = Looks(_is_day, _is_told_day)
TEXT = Looks(_is_long, lambda cell: len(cell_text(cell)) >= _LONG)
SENTENCES = Looks(_is_sentence, _is_sentence)
PERSON = Looks(_is_person, _is_told_person, repeats=True)
STATUS = Looks(lambda cell: bool(status_of(cell_text(cell))), _is_told_status, alone=True)
ADDENDUM = Looks(_is_addendum)
PLACE = Looks(_is_place, repeats=True)
AGE = Looks(lambda cell: times.age_in(cell) >= 0, _is_told_age)
BIRTH = Looks(_is_day, _is_told_birth)
NAME = Looks(_is_name_of_patient, _is_told_person, repeats=False)
NAMES = Looks(_is_person, _is_told_person, repeats=True)
NUMBERS = Looks(_is_number_or_address)
FILE = Looks(lambda cell: _FILE.fullmatch(cell_text(cell)) is not None)


class Values:
    """The filled cells of the first rows of a column, and how they look."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = [cell for cell in cells if cell_text(cell)][:SAMPLE]
        self._means: dict[Callable[[Cell], float], float] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self.cells == other.cells

    __hash__ = None  # type: ignore[assignment]  # compared, never kept in a set

    def fits(self, looks: Looks) -> float:
        """How well the cells fit a field, in 0-1: the mean over the cells; 0 without any."""
        return self._mean(looks.fits)

    def tells(self, looks: Looks) -> float:
        """How surely the cells are of a field whatever the column is called, in 0-1; 0 of fewer than FEW."""
        if looks.telling is None or len(self.cells) < FEW:
            return 0.0
        # Names repeat in a column of radiologists, and no two patients are called alike.
        wrong = len(self.cells) >= _MANY and looks.repeats is not None and looks.repeats != (self._distinct() < 0.4)
        return 0.0 if wrong else self._mean(looks.telling)

    def degree(self, looks: Looks) -> int:
        """How the cells fit a field: 2 well, 1 a little or nobody knows, 0 not."""
        if len(self.cells) < FEW:
            return 1
        fits = self.fits(looks)
        distinct = self._distinct() if len(self.cells) >= _MANY and looks.repeats is not None else 0.7
        against = distinct > 0.95 if looks.repeats else distinct < 0.5  # repeat though they should not, or never do
        return 0 if fits < _A_LITTLE else 1 if fits < FITS or against else 2

    def strange(self, looks: Looks, least: float = 0.05) -> bool:
        """Whether there are enough cells, and none of them looks like what the field holds."""
        return len(self.cells) >= FEW and self.fits(looks) < least

    def _distinct(self) -> float:
        """The share of the cells that differ from each other."""
        return len(set(map(cell_text, self.cells))) / len(self.cells)

    def _mean(self, test: Callable[[Cell], float]) -> float:
        if test not in self._means:
            found: dict[tuple[type, Cell], float] = {}  # cells repeat, and True is no 1
            for cell in self.cells:
                if (key := (type(cell), cell)) not in found:
                    found[key] = test(cell)
            each = [found[type(cell), cell] for cell in self.cells]
            self._means[test] = sum(each) / len(each) if each else 0.0
        return self._means[test]
