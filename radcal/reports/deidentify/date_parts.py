"""Days, months and years as texts write them: read, and those in figures written again in the same form."""

from __future__ import annotations

import re
from datetime import date, timedelta

from radcal.reports.deidentify.rules import Found
from radcal.reports.deidentify.spans import SHIFTED
from radcal.system.number_words import english, english_ordinal, german, german_ordinal

ENGLISH_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
GERMAN_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905
SPELLINGS = {
    **{name.lower(): n for names in (ENGLISH_MONTHS, GERMAN_MONTHS) for n, name in enumerate(names, 1)},
    **{name.lower()[:3]: n for names in (ENGLISH_MONTHS, GERMAN_MONTHS) for n, name in enumerate(names, 1)},
} | {"sept": 9, "maerz": 3, "jänner": 1, "feber": 2, "mrz": 3, "juno": 6, "julei": 7}
ONLY_GERMAN = {
    *(name.lower() for name in GERMAN_MONTHS), *(name.lower()[:3] for name in GERMAN_MONTHS),
    "maerz", "jänner", "feber", "mrz",
} - {*(name.lower() for name in ENGLISH_MONTHS), *(name.lower()[:3] for name in ENGLISH_MONTHS)}  # fmt: skip
MONTH = "(?:" + "|".join(sorted(SPELLINGS, key=len, reverse=True)) + ")"
"""A pattern for the name of a month."""
GERMAN_TEXT = re.compile(
    r"\b(?:der|die|das|und|kein|keine|keinen|mit|ohne|vom|ist|im|zum|beurteilung|befund|nachweis|bei)\b", re.IGNORECASE
)
_UMLAUTS = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue"})
_ENDING = re.compile(r"e[nrsm]?$")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_PIVOT = 60
"""Years of two figures up to this are of the present century."""


def folded(word: str) -> str:
    """Return a word as numbers are looked up: in lower case, without umlauts, with one hyphen for what parts it."""
    return re.sub(r"[\s-]+", "-", word.lower().translate(_UMLAUTS))


ORDINALS = {folded(english_ordinal(n)): n for n in range(1, 100)}
GERMAN_ORDINALS = {folded(german_ordinal(n)): n for n in range(1, 100)} | {"siebent": 7, "zwot": 2}
NUMBERS = {folded(english(n)): n for n in range(1, 100)}
GERMAN_NUMBERS = {folded(german(n)): n for n in range(1, 100)} | {"eins": 1, "zwo": 2}


def number(written: str) -> int | None:
    """Return the number of a day or a month, in figures or words; None where it is none."""
    if m := re.match(r"\d+", written):
        return int(m[0])
    word = folded(written)
    return ORDINALS.get(word) or NUMBERS.get(word) or GERMAN_ORDINALS.get(_ENDING.sub("", word))


def year_number(written: str) -> int:
    """Return a year that is written in two or four figures."""
    digits = written.lstrip("'’")
    return int(digits) + (0 if len(digits) == 4 else 1900 if int(digits) > _PIVOT else 2000)


def month_names(month: int) -> list[str]:
    """Return the spellings of a month in English and German, in lower case, the longest first."""
    return sorted((name for name, n in SPELLINGS.items() if n == month), key=len, reverse=True)


def cased(name: str, like: str) -> str:
    """Return a word in the capitals of another."""
    return name.upper() if like.isupper() else name.lower() if like.islower() else name


def ordinal_ending(n: int) -> str:
    """Return the ending of an English ordinal in figures."""
    return "th" if n in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def day_like(n: int, written: str) -> str:
    """Return the number of a day or a month with as many figures as another: "07", "22"."""
    return f"{n:02d}" if written.startswith("0") else str(n)


def month_like(new: date, written: str, text: str, at: int) -> str:
    """Return the month of a day in the language, length and capitals of the one written at a place of a text."""
    lower = written.lower()
    if lower.isdigit():
        return day_like(new.month, written)
    german = lower in ONLY_GERMAN or (
        lower[:3] in ("apr", "aug", "sep", "nov", "jan", "feb")
        and lower not in ("january", "february")
        and (text[max(0, at - 2) : at] == ". " or GERMAN_TEXT.search(text) is not None)
    )
    name = (GERMAN_MONTHS if german else ENGLISH_MONTHS)[new.month - 1]
    full = len(lower) > 3 and lower in (name.lower() for name in (*ENGLISH_MONTHS, *GERMAN_MONTHS))
    if lower in ("may", "mai"):
        full = not (written.isupper() or re.match(r"\. ?\d", text[at + 3 : at + 6]))
    return cased(name if full else name[:3], written)


def year_like(new: date, written: str) -> str:
    """Return the year of a day with as many figures and the apostrophe of another."""
    digits = written.lstrip("'’")
    return written[: -len(digits)] + (str(new.year) if len(digits) == 4 else f"{new.year % 100:02d}")


def day_of(year: int, month: int, number: int) -> date | None:
    """Return a day; None where there is none or its year is no date of a report."""
    try:
        return date(year, month, number) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    except ValueError:
        return None


def shifted(m: re.Match[str], by: timedelta) -> Found:
    """Return a date shifted in its form; taken out whole where there is no such day.

    Groups of the match: d, the day; m, the month, in figures or by its name; y, the year; o, the ending of the day.  A
    month without a day is read as its middle.
    """
    found = {name: written for name, written in m.groupdict().items() if written and name in "dmyo"}
    month = SPELLINGS.get(found["m"].lower()) or int(found["m"])
    day = int(found["d"]) if "d" in found else 15
    year = year_number(found["y"]) if "y" in found else 2000 if (month, day) == (2, 29) else 2023
    begin, end = min(map(m.start, found)), max(map(m.end, found))
    old = day_of(year, month, day)
    if old is None:
        return Found(begin, end)
    new = old + by
    parts = {"m": month_like(new, found["m"], m.string, m.start("m"))}
    if "d" in found:
        parts["d"] = day_like(new.day, found["d"])
    if "o" in found:
        parts["o"] = cased(ordinal_ending(new.day), found["o"])
    if "y" in found:
        parts["y"] = year_like(new, found["y"])
    pieces, at = [], begin
    for name in sorted(parts, key=m.start):
        pieces += [m.string[at : m.start(name)], parts[name]]
        at = m.end(name)
    return Found(begin, end, "".join(pieces) + SHIFTED)
