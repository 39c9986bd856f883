"""Dates are shifted in the form in which they are written, and none is falsified; dates of birth leave no year."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise

import pytest

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Known
from tests.cases import cases_of

cases = cases_of(__file__)

NOBODY = Known()
Plain = Callable[..., str]
ENGLISH = (  # noqa: SIM905
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth"
    " twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
).split()
GERMAN = (  # noqa: SIM905
    "ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften dreizehnten"
    " vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten einundzwanzigsten"
    " zweiundzwanzigsten dreiundzwanzigsten vierundzwanzigsten fünfundzwanzigsten sechsundzwanzigsten"
    " siebenundzwanzigsten achtundzwanzigsten neunundzwanzigsten dreißigsten einunddreißigsten"
).split()
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
MONATE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905
UNITS = "one two three four five six seven eight nine".split()  # noqa: SIM905
DAYS = [date(2025, 1, 1) + timedelta(37 * n) for n in range(10)]
FORMS = [
    lambda d: f"CT of the {ENGLISH[d.day - 1]} of {MONTHS[d.month - 1]}, twenty twenty-{UNITS[d.year % 10 - 1]} shows",
    lambda d: f"seen on {MONTHS[d.month - 1]} {ENGLISH[d.day - 1]}, {d.year} and",
    lambda d: f"SEEN ON {MONTHS[d.month - 1]} {ENGLISH[d.day - 1]} TWO THOUSAND AND"
    f" TWENTY-{UNITS[d.year % 10 - 1]}".upper(),
    lambda d: f"on {ENGLISH[d.day - 1].replace('-', ' ')} {MONTHS[d.month - 1]} {d.year} there",
    lambda d: f"vom {GERMAN[d.day - 1]} {MONATE[d.month - 1]} {d.year} liegt vor",
    lambda d: f"am {GERMAN[d.day - 1]} {GERMAN[d.month - 1]}"
    f" zweitausend{['fünf', 'sechs', 'sieben'][d.year % 10 - 5]}undzwanzig.",
    lambda d: f"am {d.day}ten {MONATE[d.month - 1]} {d.year} mit",
    lambda d: folded(f"am {GERMAN[d.day - 1]} {MONATE[d.month - 1]} {d.year}"),
]  # fmt: skip
IN_WORDS = {*map(str.lower, (*ENGLISH, *GERMAN, *MONTHS, *MONATE)), "2025", "twenty", "two", "thousand"}
WRITTEN = {
    "2024-03-05": "%Y-%m-%d",
    "03/05/24": "%m/%d/%y",
    "05MAR2024": "%d%b%Y",
    "05.03.2024": "%d.%m.%Y",
    "Mar 05, 2024": "%b %d, %Y",
    "05-Mar-2024": "%d-%b-%Y",
    "20240305": "%Y%m%d",
}


@pytest.mark.parametrize("form", FORMS)
def test_days_in_words_are_taken_out_whole(plain: Plain, form: Callable[[date], str]) -> None:
    for day in DAYS:
        done = plain(form(day))
        assert done.count("[date]") == 1
        assert not {*re.findall(r"\w+", done.lower().replace("[date]", ""))} & IN_WORDS, done


def folded(text: str) -> str:
    """A text in one of the spellings that a number may have."""
    return text.replace("-", " ").translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}))


@cases("other_forms_are_replaced")
def test_other_forms_are_replaced(plain: Plain, text: str, left: str) -> None:
    done = plain(text)
    assert not re.search(left, done), done


@cases("a_month_does_not_move_without_its_day")
def test_a_month_does_not_move_without_its_day(plain: Plain, text: str, expected: str) -> None:
    assert plain(text) == expected


@cases("dates_of_these_forms_are_replaced")
def test_dates_of_these_forms_are_replaced(plain: Plain, text: str, gone: tuple[str, ...]) -> None:
    made = plain(text)
    assert not [part for part in gone if part in made]


@pytest.mark.parametrize(("written", "form"), WRITTEN.items())
def test_dates_keep_their_form(plain: Plain, deidentify: Deidentifier, written: str, form: str) -> None:
    day = date(2024, 3, 5) + deidentify.shift("p")
    expected = day.strftime(form)
    assert plain(f"Compared with {written}.").lower() == f"compared with {expected}.".lower()


def test_intervals_between_dates_stay(plain: Plain) -> None:
    text = plain("CT of 2024-02-27, X-ray of 2024-03-05, next on 2025-01-01.")
    days = [date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", text)]
    assert [b - a for a, b in pairwise(days)] == [timedelta(7), timedelta(302)]


def test_the_shift_is_of_whole_days_and_never_none() -> None:
    deidentify = Deidentifier(b"x")
    shifts = {deidentify.shift(str(n)) for n in range(4_000)}
    assert timedelta(0) not in shifts
    assert all(shift.seconds == 0 and abs(shift.days) <= 365 for shift in shifts)
    assert len(shifts) > 650
    assert deidentify.shift("1") == Deidentifier(b"x").shift("1") != Deidentifier(b"y").shift("1")


@pytest.mark.parametrize("cell", ["1931-04-07", "19310407", "04/07/1931", "7-Apr-1931", "1931-04-07T00:00:00"])
@pytest.mark.parametrize(
    "written", ["4/7/31", "04/07/1931", "1931-04-07", "19310407", "April 7, 1931", "7. April 1931", "07-APR-1931"]
)
def test_a_known_date_of_birth_is_taken_out_in_any_form(plain: Plain, cell: str, written: str) -> None:
    known = Known(births=(cell,))
    assert plain(f"Chest, {written}. Compared with 5/6/2020.", known).startswith("Chest, [date of birth].")
    again = plain("Chest, [date of birth].", known)
    assert again == "Chest, [date of birth]."


def test_the_year_of_a_birth_stays_nowhere(deidentify: Deidentifier) -> None:
    for patient in map(str, range(40)):
        done = deidentify("DOB: 04/07/1931. Comparison: 4/7/2021.", NOBODY, patient)
        assert done.text.startswith("DOB: [date of birth]. Comparison: ")
        assert [e.kind for e in done.edits] == ["birth", "date"]
