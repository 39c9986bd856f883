"""Months and years as texts write them, read and written again in the same form."""

from __future__ import annotations

import re
from datetime import date

ENGLISH_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
GERMAN_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905
SPELLINGS = {
    **{name.lower(): n for names in (ENGLISH_MONTHS, GERMAN_MONTHS) for n, name in enumerate(names, 1)},
    **{name.lower()[:3]: n for names in (ENGLISH_MONTHS, GERMAN_MONTHS) for n, name in enumerate(names, 1)},
    "sept": 9,
    "maerz": 3,
    "jänner": 1,
    "feber": 2,
    "mrz": 3,
    "juno": 6,
    "julei": 7,
}
ONLY_GERMAN = {
    *(name.lower() for name in GERMAN_MONTHS), *(name.lower()[:3] for name in GERMAN_MONTHS),
    "maerz", "jänner", "feber", "mrz",
} - {*(name.lower() for name in ENGLISH_MONTHS), *(name.lower()[:3] for name in ENGLISH_MONTHS)}  # fmt: skip
MONTH = "(?:" + "|".join(sorted(SPELLINGS, key=len, reverse=True)) + ")"
"""A pattern for the name of a month."""
GERMAN_TEXT = re.compile(
    r"\b(?:der|die|das|und|kein|keine|keinen|mit|ohne|vom|ist|im|zum|beurteilung|befund|nachweis|bei)\b", re.IGNORECASE
)


def month_names(month: int) -> list[str]:
    """The spellings of a month in English and German, in lower case, the longest first."""
    return sorted((name for name, n in SPELLINGS.items() if n == month), key=len, reverse=True)


def year_like(new: date, written: str) -> str:
    """The year of a day with as many figures, and the apostrophe, of another."""
    digits = written.lstrip("'’")
    return written[: len(written) - len(digits)] + (str(new.year) if len(digits) == 4 else f"{new.year % 100:02d}")


def full_year(written: str) -> int:
    """A year of two or four figures."""
    year = int(written)
    return year if len(written) == 4 else year + (1900 if year > 60 else 2000)


def month_like(new: date, written: str, text: str, at: int) -> str:
    """The month of a day in the language, length and capitals of the one that is written at a place of a text."""
    lower = written.lower()
    german = lower in ONLY_GERMAN or (
        lower[:3] in ("apr", "aug", "sep", "nov", "jan", "feb")
        and lower not in ("january", "february")
        and (text[max(0, at - 2) : at] == ". " or GERMAN_TEXT.search(text) is not None)
    )
    name = (GERMAN_MONTHS if german else ENGLISH_MONTHS)[new.month - 1]
    full = lower in (name.lower() for name in (*ENGLISH_MONTHS, *GERMAN_MONTHS)) and (
        len(lower) > 3 or len(written) == 0
    )
    if len(lower) == 3 and lower in ("may", "mai"):
        full = text[at + 3 : at + 4] != "." and not written.isupper()
    return cased(name if full else name[:3], written)


def cased(name: str, like: str) -> str:
    """A word in the capitals of another."""
    return name.upper() if like.isupper() else name.lower() if like.islower() else name


def ordinal(number: int) -> str:
    """The ending of an English ordinal in figures."""
    return "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
