"""Days in words, weeks of a month and holidays are shifted like other dates, and none is falsified."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.ingest.deidentify.spans import SHIFTED
from radcal.records.identifiers import Known

NOBODY = Known()
ENGLISH = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
)
GERMAN = (
    "ersten",
    "zweiten",
    "dritten",
    "vierten",
    "fünften",
    "sechsten",
    "siebten",
    "achten",
    "neunten",
    "zehnten",
    "elften",
    "zwölften",
    "dreizehnten",
    "vierzehnten",
    "fünfzehnten",
    "sechzehnten",
    "siebzehnten",
    "achtzehnten",
    "neunzehnten",
    "zwanzigsten",
    "einundzwanzigsten",
    "zweiundzwanzigsten",
    "dreiundzwanzigsten",
    "vierundzwanzigsten",
    "fünfundzwanzigsten",
    "sechsundzwanzigsten",
    "siebenundzwanzigsten",
    "achtundzwanzigsten",
    "neunundzwanzigsten",
    "dreißigsten",
    "einunddreißigsten",
)
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
MONATE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905
UNITS = "one two three four five six seven eight nine".split()  # noqa: SIM905
DAYS = [date(2025, 1, 1) + timedelta(37 * n) for n in range(10)]


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"a secret")


def plain(deidentify: Deidentifier, text: str) -> str:
    done = deidentify(text, NOBODY, "p")
    assert deidentify(done.text, NOBODY, "p").text == done.text
    return done.text.replace(SHIFTED, "")


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


@pytest.mark.parametrize("form", FORMS)
def test_days_in_words_keep_their_form_and_intervals(deidentify: Deidentifier, form) -> None:  # type: ignore[no-untyped-def]
    for day in DAYS:
        assert folded(plain(deidentify, form(day))) == folded(form(day + deidentify.shift("p")))


def folded(text: str) -> str:
    """A text in one of the spellings that a number may have."""
    return text.replace("-", " ").translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Compared with the fourteenth of March.", "fourteenth|March"),
        ("Seen on the 2nd of Feb.", "2nd|Feb"),
        ("In the first week of March 2026 and the 3rd week of May.", "of March 2026|of May"),
        ("In der ersten Märzwoche.", "März"),
        ("Film on Christmas Eve, then on New Year's Day.", "Christmas|Eve|New Year"),
        ("Aufnahme an Heiligabend, Kontrolle Neujahr.", "Heilig|Neujahr"),
        ("Easter Monday 2025, Thanksgiving 2024, Karfreitag 2023, Pfingstmontag 2024.", "Easter|Thanks|Karf|Pfingst"),
        ("Mittwoch, den zweiten April.", "Mittwoch|zweiten"),
        ("Seen in March twenty twenty-four.", "twenty-four"),
        ("March five, twenty twenty-six.", "March five"),
    ],
)
def test_other_forms_are_shifted(deidentify: Deidentifier, text: str, left: str) -> None:
    done = plain(deidentify, text)
    assert not re.search(left, done), done
    assert "[date]" not in done


def test_holidays_are_shifted_by_the_days_between(deidentify: Deidentifier) -> None:
    """Easter Sunday of 2025 was on April 20, Whit Monday on June 9, Thanksgiving of 2024 on November 28."""
    shift = deidentify.shift("p")
    for holiday, day in (
        ("Easter Sunday 2025", date(2025, 4, 20)),
        ("Easter Monday 2038", date(2038, 4, 26)),
        ("Whit Monday 2025", date(2025, 6, 9)),
        ("Thanksgiving 2024", date(2024, 11, 28)),
        ("Memorial Day 2026", date(2026, 5, 25)),
        ("Christmas Eve 2025", date(2025, 12, 24)),
    ):
        new = day + shift
        assert plain(deidentify, f"On {holiday}, film.") == f"On {MONTHS[new.month - 1]} {new.day}, {new.year}, film."
    new = date(2024, 12, 1) + shift
    assert plain(deidentify, "Am ersten Advent 2024.") == f"Am {new.day}. {MONATE[new.month - 1]} {new.year}."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fortieth of March.", "The [date]."),
        ("Am 31. Februar 2024 aufgenommen.", "Am [date] aufgenommen."),
        ("On the thirty-first of February 2024.", "On the [date]."),
        ("Film of the fourteenht of March.", "Film of the [date]."),
        ("Film on Easter Monday.", "Film on [date]."),
        ("Seen on the fourteenth.", "Seen on the [date]."),
    ],
)
def test_a_month_does_not_move_without_its_day(deidentify: Deidentifier, text: str, expected: str) -> None:
    assert plain(deidentify, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Fracture of the twelfth rib. The second of three nodules. On the fourth image. First of all, no effusion.",
        "May first be followed. Christmas tree appearance. Christmas disease.",
        "In one third of cases. The first and second ribs march in line. Nineteen and twenty nodules.",
        "Am zweiten Brustwirbel. Der dritte und vierte Finger. Erste Rippe, zweite Rippe. Im ersten Segment.",
    ],
)
def test_ordinals_of_anatomy_stay(deidentify: Deidentifier, text: str) -> None:
    assert plain(deidentify, text) == text
