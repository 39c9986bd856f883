"""Dates of birth, which are taken out because even shifted their year tells an age over 89; and such ages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache

from radcal.reports.deidentify.date_parts import month_names
from radcal.reports.deidentify.dates import date_at
from radcal.reports.deidentify.rules import Found, Part, Rule
from radcal.reports.deidentify.spans import Claims
from radcal.system.number_words import ENGLISH_ONES, GERMAN_ONES, german

# Dates of birth

_LABEL = re.compile(
    r"(?<![^\W_])(?:d\.?o\.?b\.?|(?:date|year|day)[ ]of[ ]birth|birth[ -]?(?:date|day|year)|yob|born|geb\.?|geboren"
    r"|geburts(?:datum|tag|jahr)|jahrgang|(?<=\S[ ])\*)(?![^\W_])"
    r"(?:[ ]?/[ ]?(?:age|sex|gender|alter|geschlecht))*(?:[ ](?:on|in|am|im|is|was|date|the))*"
    r"[\s:.,=#(\[-]{0,4}",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\d{1,2} \d{1,2} (?:18|19|20)\d\d(?!\w)")
_YEAR = re.compile(r"(?:18|19|20)\d\d(?![\w/-]|[.,:]\d)")
_BEHIND = re.compile(r"[ ]{0,2}\(?(?:dob|d\.o\.b\.|date of birth|geb\.|birth ?date)(?![^\W_])\)?", re.IGNORECASE)
_ORDERS = ("%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d-%b-%Y", "%d %b %Y",
           "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y")  # fmt: skip


def _after_label(m: re.Match[str], _: timedelta) -> Found | None:
    text, start = m.string, m.end()
    only = _SPACED.match(text, start) or _YEAR.match(text, start)
    end = date_at(text, start) or (only.end() if only else None)
    return Found(start, end) if end else None


def _before_label(m: re.Match[str], _: timedelta) -> Found | None:
    text, end = m.string, m.start()
    start = next((at for at in range(max(0, end - 18), end) if date_at(text, at) == end), None)
    return None if start is None or text[max(0, start - 1) : start].isalnum() else Found(start, end)


def find_known_births(claims: Claims, known: Collection[str]) -> None:
    """Claim known dates of birth in any form for "[date of birth]".

    known: as columns have them; a day and a month that may be either are tried both ways
    """
    for day in {day for cell in known for day in _days(cell)}:
        for m in _written(day).finditer(claims.text):
            claims.add(m.start(), m.end(), "birth")
    claims.settle()


def _days(cell: str) -> Iterator[date]:
    """The days that a cell may mean."""
    written = " ".join(cell.split())
    with suppress(ValueError):
        yield datetime.fromisoformat(written).date()
        return
    with suppress(ValueError):
        yield datetime.strptime(written[:8], "%Y%m%d").date()  # noqa: DTZ007 - a day
        return
    for order in _ORDERS:
        with suppress(ValueError):
            yield datetime.strptime(written, order).date()  # noqa: DTZ007 - a day


@cache
def _written(day: date) -> re.Pattern[str]:
    """A day in all usual forms, with two digits of the year or four."""
    d, m, y = f"0?{day.day}", f"0?{day.month}", f"(?:{day.year}|{day.year % 100:02d})"
    name = f"(?:{'|'.join(map(re.escape, month_names(day.month)))})"
    forms = (
        rf"{m}(?P<s1>[./-]){d}(?P=s1){y}",
        rf"{d}(?P<s2>[./-]|\. ){m}(?P=s2){y}",
        rf"{day.year}(?P<s3>[./-]){m}(?P=s3){d}",
        f"{day:%Y%m%d}",
        rf"{d}(?:st|nd|rd|th)?(?:\. ?|[ -]| of )?{name}\.?(?:,? |-)?{y}",
        rf"{name}\.?[ -]{d}(?:st|nd|rd|th)?(?:,? |-){y}",
    )
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(forms)})(?![\w/-]|[.,:]\d)", re.IGNORECASE)


# Ages over 89

_ONES = "|".join(ENGLISH_ONES[1:10])
_WORDS = rf"(?:ninety(?:[ -](?:{_ONES}))?|(?:one|a) hundred(?:[ -](?:and[ -])?(?:{_ONES}|ten|eleven|twelve))?)"
_ZAHL = (
    rf"(?:{'|'.join(german(n) for n in range(99, 89, -1))}|fuenfundneunzig"
    rf"|(?:ein)?hundert(?:und)?(?:eins?|{'|'.join(GERMAN_ONES[2:8])})?)"
)
_AGE = rf"(?:(?P<n>9\d|1[0-2]\d|89\+)|(?P<w>{_WORDS})|(?P<z>{_ZAHL}))"
_OLD = re.compile(
    rf"(?<![\w.,/:-]){_AGE}"
    r"(?=[ -]?(?:(?:years?|yrs?)[ -]old\b|years?[ -]of[ -]age|(?:y/o|yo|y\.o\.|y\. o\.|yr old|yrs old)(?![^\W_])"
    r"|yo(?:[fmFM])?\b"
    r"|j(?:ä|ae)hrig|Jahre?n? alt|a\))"
    r"|(?-i:[ ]?(?:[FMfm]|[yY])(?![\w/'-]))|[ ]?J(?:\.|(?![\w.]))|[ ]?/[ ]?[FMW](?![\w/-])"
    r"|[ -]?(?:years?|yrs?|yr|y\.?o|jahre?)?[ -]?(?:old[ ])?(?:(?:white|black|asian|hispanic|caucasian"
    r"|african[ -]american|elderly|frail)[ ])?"
    r"(?:male|female|man|woman|gentleman|lady|patient|mann|frau)\b)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"(?<![^\W_])(?:aged?(?:[ ]of|[ ]is)?|alter(?:[ ]von)?|years[ ]of[ ]age|age ?/ ?sex|(?:he|she|patient) is"
    rf"|died at)[ ]?[-:=]?[ ]{{0,2}}{_AGE}(?![\w%]|[.,]\d|[ ]?(?:mm|cm|days?|weeks?|months?|tage|wochen|monate)\b)",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?<![\w.,/:-])(?<!over[ ])(?<!above[ ])(?<!than[ ])(?<!über[ ])(?<![<>][ ])(?P<n>9\d|1[0-2]\d)"
    r"(?=[ ](?:years?|yrs?|jahre)\b(?!ago|[ ]ago|[ ](?:history|experience|later)))",
    re.IGNORECASE,
)
_SEX_BEFORE = re.compile(r"(?<![\w/-])[FMWfmw][ ]?/[ ]?(?P<n>9\d|1[0-2]\d)(?![\w/%-]|[.,:]\d)")
_NOUN = re.compile(r"(?<![^\W_])(?P<n>nonagenarian|(?:super)?centenarian)(?![^\W_])", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![^\W_])a[ ]$", re.IGNORECASE)


def _age(m: re.Match[str], _: timedelta) -> Found:
    """Write "over 89", with the article before it: "a 94-year-old" is "an over-89-year-old"."""
    text, groups = m.string, m.groupdict()
    name = next(name for name in "nwz" if groups.get(name))
    start, end = m.span(name)
    behind = text[end : end + 6]
    if name == "z" or "j" in behind[:2].lower() or m[0].lower().startswith("alter"):
        return Found(start, end, "über 89")
    if groups[name].isalpha() and name == "n":
        written = "over-89-year-old"
    else:
        written = "over-89" if behind.startswith("-") else "over 89 " if behind[:1].isalpha() else "over 89"
    article = _ARTICLE.search(text, max(0, start - 3), start)
    if article is None:
        return Found(start, end, written)
    an = "AN" if article[0][0] == "A" and behind.lstrip(" -")[:2].isupper() else f"{article[0][0]}n"
    return Found(article.start(), end, f"{an} {written}")


# fmt: off
BIRTHS = (
    Part((
        Rule("date behind its label", "birth", _LABEL, _after_label,
             "DATE OF BIRTH: APRIL 7, 1931; D.O.B.: 1931-04-07; born on 7 April 1931; born in 1931;"
             " Geburtsdatum: 07.04.31 -> DATE OF BIRTH: [date of birth]; D.O.B.: [date of birth];"
             " born on [date of birth]; born in [date of birth]; Geburtsdatum: [date of birth]",
             unlike="A stillborn twin. Born at term."),
        Rule("date before its label", "birth", _BEHIND, _before_label,
             "04/07/1931 (DOB) -> [date of birth] (DOB)",
             unlike="Seen 4 times (DOB unknown)"),
    )),
)
AGES = (
    Part((
        Rule("age before its unit or its person", "age", _OLD, _age,
             "A 92-year-old woman, 95-jähriger Mann, ninety-two yo, a 94F, 94/F"
             " -> An over-89-year-old woman, über 89-jähriger Mann, over 89 yo, an over 89 F, over 89/F",
             unlike="A 45-year-old man, level 92, 95 mm."),
        Rule("age behind its label", "age", _AGED, _age,
             "Aged 101, Age/Sex: 94/F, Alter: 93 -> Aged over 89, Age/Sex: over 89/F, Alter: über 89",
             unlike="Aged 101 days, age 45"),
        Rule("years", "age", _YEARS, _age,
             "DOB unknown, 94 years. -> DOB unknown, over 89 years.",
             unlike="Over 90 years, 95 years ago."),
        Rule("age behind the sex", "age", _SEX_BEFORE, _age,
             "F/94 -> F/over 89",
             unlike="M/45, F/94.5"),
        Rule("noun of an age", "age", _NOUN, _age,
             "She is a nonagenarian. -> She is an over-89-year-old.",
             unlike="A septuagenarian."),
    )),
)
# fmt: on
