"""Days, months and years as texts write them, in figures and in words: read, and written again in the same form."""

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
ROMAN = {roman: n for n, roman in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), 1)}  # noqa: SIM905
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
_BEHIND_TENS = {word.rpartition("-")[2] for word in (*ORDINALS, *NUMBERS) if "-" in word}
"""What may stand behind tens: "twenty first", "forty four"."""
_CENTURIES = (
    *(("two-thousand", 2000), ("twenty", 2000), ("nineteen", 1900)),
    *(("zweitausend", 2000), ("neunzehnhundert", 1900), ("zwanzig", 2000)),
)


def number(written: str) -> int | None:
    """Return the number of a day or a month, in figures or words; None where it is none."""
    if m := re.match(r"\d+", written):
        return int(m[0])
    word = folded(written)
    return ORDINALS.get(word) or NUMBERS.get(word) or GERMAN_ORDINALS.get(_ENDING.sub("", word))


def month_number(written: str) -> int | None:
    """Return the number of a month by its name, in Roman or other figures, or as a German ordinal."""
    return SPELLINGS.get(written.lower()) or ROMAN.get(written.lower()) or number(written)


def year_number(written: str) -> int | None:
    """Return a year in words, or in two or four figures; None where it is none."""
    digits = written.lstrip("'’")
    if digits.isdigit():
        return int(digits) + (0 if len(digits) == 4 else 1900 if int(digits) > _PIVOT else 2000)
    word = folded(written).replace("-and-", "-").replace("-oh-", "-").replace("-o-", "-")
    for begin, century in _CENTURIES:
        if word.startswith(begin):
            rest = word[len(begin) :].strip("-")
            rest = rest if rest in GERMAN_NUMBERS else rest.removeprefix("und")
            return century + (NUMBERS.get(rest) or GERMAN_NUMBERS.get(rest) or 0)
    return None


def month_names(month: int) -> list[str]:
    """Return the spellings of a month in English and German, in lower case, the longest first."""
    return sorted((name for name, n in SPELLINGS.items() if n == month), key=len, reverse=True)


def cased(name: str, like: str) -> str:
    """Return a word in the capitals of another."""
    return name.upper() if like.isupper() else name.lower() if like.islower() else name


def ordinal_ending(n: int) -> str:
    """Return the ending of an English ordinal in figures."""
    return "th" if n in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def word_like(word: str, like: str) -> str:
    """Return a number in words in the capitals and the spelling of another."""
    lower = like.lower()
    if "-" not in like and lower.split()[-1] in _BEHIND_TENS and " " in like:
        word = word.replace("-", " ")
    if "ß" not in lower and any(plain in lower for plain in ("ss", "ue", "oe")):
        word = word.replace("ß", "ss").replace("ü", "ue").replace("ö", "oe")
    if like.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if like[0].isupper() else word


def number_like(n: int, written: str) -> str:
    """Return the number of a day or a month in the form of another: "07", "22nd", "22.", "twenty-second"."""
    if m := re.fullmatch(r"(\d+)(\D*)", written):
        padded = f"{n:02d}" if m[1].startswith("0") else str(n)
        return padded + (cased(ordinal_ending(n), m[2]) if m[2].lower() in ("st", "nd", "rd", "th") else m[2])
    word = folded(written)
    if (ending := _ENDING.search(word)) and (word[: ending.start()] in GERMAN_ORDINALS or word.startswith("letzt")):
        return word_like(german_ordinal(n) + ending[0], written)
    return word_like(english(n) if word in NUMBERS else english_ordinal(n), written)


def month_like(new: date, written: str, text: str, at: int, german: bool | None = None) -> str:
    """Return the month of a day in the language, length and capitals of the one written at a place of a text.

    german: the language of the words around it, where these tell it
    """
    lower = written.lower()
    if lower in ROMAN:
        return cased([*ROMAN][new.month - 1], written)
    if lower not in SPELLINGS:
        return number_like(new.month, written)
    told = german is not None and (len(lower) > 3 or lower in ("may", "mai"))
    if not told:
        german = lower in ONLY_GERMAN or (
            lower[:3] in ("apr", "aug", "sep", "nov", "jan", "feb")
            and lower not in ("january", "february")
            and (text[max(0, at - 2) : at] == ". " or GERMAN_TEXT.search(text) is not None)
        )
    name = (GERMAN_MONTHS if german else ENGLISH_MONTHS)[new.month - 1]
    full = told or (len(lower) > 3 and lower in (name.lower() for name in (*ENGLISH_MONTHS, *GERMAN_MONTHS)))
    if not told and lower in ("may", "mai"):
        full = not (written.isupper() or re.match(r"\. ?\d", text[at + 3 : at + 6]))
    return cased(name if full else name[:3], written)


def year_like(new: date, written: str) -> str:
    """Return the year of a day with as many figures, the apostrophe or the words of another."""
    digits = written.lstrip("'’")
    if digits.isdigit():
        return written[: -len(digits)] + (str(new.year) if len(digits) == 4 else f"{new.year % 100:02d}")
    word, rest, old = folded(written), new.year % 100, new.year < 2000
    if word.startswith("zwanzig") and rest > 9 and not old:
        year = f"zwanzig{german(rest)}"
    elif word.startswith(("zwei", "neunz", "zwanzig")):
        year = ("neunzehnhundert" if old else "zweitausend") + (german(rest) if rest else "")
    elif word.startswith("two-thousand") and not old:
        year = "two thousand" + (" and" if "-and-" in word else "") + (f" {english(rest)}" if rest else "")
    else:
        year = ("nineteen " if old else "twenty ") + (english(rest) if rest > 9 else f"oh {english(rest or 1)}")
    return word_like(year, written)


def day_of(year: int, month: int, number: int) -> date | None:
    """Return a day; None where there is none or its year is no date of a report."""
    try:
        return date(year, month, number) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    except ValueError:
        return None


def rewritten(m: re.Match[str], parts: dict[str, str]) -> Found:
    """Return what is found from the first to the last of some groups, with these written anew."""
    pieces, at = [], min(map(m.start, parts))
    begin = at
    for name in sorted(parts, key=m.start):
        pieces += [m.string[at : m.start(name)], parts[name]]
        at = m.end(name)
    return Found(begin, at, "".join(pieces) + SHIFTED)


def shifted(m: re.Match[str], by: timedelta, german: bool | None = None) -> Found:
    """Return a date shifted in its form; taken out whole where there is no such day.

    Groups of the match: d, the day; w, the week of its month; m, the month; y, the year; o, the ending of the day.  A
    month without a day is read as its middle.  german: the language of the words around it, where these tell it
    """
    found = {name: written for name, written in m.groupdict().items() if written and name in "dwmyo"}
    month = month_number(found["m"]) or 0
    if "w" in found:
        day = {1: 4, 2: 11, 3: 18}.get(number(found["w"]) or 0, 25)
    else:
        day = (number(found["d"]) or 0) if "d" in found else 15
    year = (year_number(found["y"]) or 2023) if "y" in found else 2000 if (month, day) == (2, 29) else 2023
    old = day_of(year, month, day)
    if old is None:
        return Found(min(map(m.start, found)), max(map(m.end, found)))
    new = old + by
    parts = {"m": month_like(new, found["m"], m.string, m.start("m"), german)}
    if "d" in found:
        parts["d"] = number_like(new.day, found["d"])
    if "w" in found:
        parts["w"] = number_like(min(4, (new.day - 1) // 7 + 1), found["w"])
    if "o" in found:
        parts["o"] = cased(ordinal_ending(new.day), found["o"])
    if "y" in found:
        parts["y"] = year_like(new, found["y"])
    return rewritten(m, parts)
