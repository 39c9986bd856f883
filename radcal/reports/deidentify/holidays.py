"""Holidays in English and German, as texts name them, and the days that they fall on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

Day = Callable[[int], date]
"""The day of a holiday in a year."""


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    h = (19 * a + b - d - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i, k = divmod(c, 4)
    j = (32 + 2 * e + 2 * i - h - k) % 7
    month, day = divmod(h + j - 7 * ((a + 11 * h + 22 * j) // 451) + 114, 31)
    return date(year, month, day + 1)


def _from_easter(days: int) -> Day:
    return lambda year: _easter(year) + timedelta(days)


def _fixed(month: int, day: int) -> Day:
    return lambda year: date(year, month, day)


def _weekday(month: int, weekday: int, n: int) -> Day:
    """Return the n-th weekday (Monday is 0) of a month; the last for -1."""

    def rule(year: int) -> date:
        if n < 0:
            last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
            return last - timedelta((last.weekday() - weekday) % 7)
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1))

    return rule


def _advent(n: int) -> Day:
    def rule(year: int) -> date:
        eve = date(year, 12, 24)
        return eve - timedelta((eve.weekday() + 1) % 7 + 7 * (4 - n))

    return rule


_FIXED: dict[str, tuple[int, int]] = {
    "new year['’]?s eve|hogmanay": (12, 31),
    "new year['’]?s(?: day)?(?! eve)": (1, 1),
    "burns night": (1, 25),
    "australia day": (1, 26),
    "groundhog day": (2, 2),
    "valentine['’]?s day": (2, 14),
    "st\\.? patrick['’]?s day": (3, 17),
    "april fools['’]?(?: day)?": (4, 1),
    "anzac day": (4, 25),
    "may day": (5, 1),
    "cinco de mayo": (5, 5),
    "juneteenth": (6, 19),
    "canada day": (7, 1),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "halloween": (10, 31),
    "all saints['’]? day": (11, 1),
    "guy fawkes (?:night|day)|bonfire night": (11, 5),
    "veterans['’]? day|armistice day|remembrance day": (11, 11),
    "christmas eve|xmas eve": (12, 24),
    "christmas(?: day)?(?! eve)|xmas(?: day)?(?! eve)": (12, 25),
    "boxing day|st\\.? stephen['’]?s day": (12, 26),
}
_FEST: dict[str, tuple[int, int]] = {
    "neujahr(?:stag)?": (1, 1),
    "(?:heiligen? )?(?:drei|3) ?könige?n?(?:stag|tag)?|dreikönigstag|epiphanias": (1, 6),
    "valentinstag": (2, 14),
    "walpurgisnacht": (4, 30),
    "tag der arbeit|maifeiertag": (5, 1),
    "schweizer bundesfeier(?:tag)?": (8, 1),
    "mariä himmelfahrt": (8, 15),
    "tag der deutschen einheit": (10, 3),
    "(?:österreichischer )?nationalfeiertag": (10, 26),
    "reformationstag": (10, 31),
    "allerheiligen": (11, 1),
    "allerseelen(?:tag)?": (11, 2),
    "martinstag|sankt martin": (11, 11),
    "nikolaustag": (12, 6),
    "mariä empfängnis": (12, 8),
    "heilig(?:en |er |e |em | )?abend|weihnachtsabend|christabend": (12, 24),
    "(?:(?:ersten?r?|1\\.) )?weihnachts(?:feier)?tag|weihnachten": (12, 25),
    "(?:zweiten?r?|2\\.) weihnachts(?:feier)?tag|stephanitag|stefanitag|stephanstag": (12, 26),
    "silvester(?:abend|tag|nacht)?": (12, 31),
}
_MOVING: dict[str, Day | None] = {
    "ash wednesday": _from_easter(-46),
    "shrove tuesday|mardi gras|pancake day": _from_easter(-47),
    "palm sunday": _from_easter(-7),
    "maundy thursday|holy thursday": _from_easter(-3),
    "good friday": _from_easter(-2),
    "holy saturday": _from_easter(-1),
    "easter monday": _from_easter(1),
    "easter(?: sunday)?": _from_easter(0),
    "ascension day": _from_easter(39),
    "pentecost sunday|whit sunday": _from_easter(49),
    "whit monday": _from_easter(50),
    "corpus christi": _from_easter(60),
    "thanksgiving(?: day)?": _weekday(11, 3, 4),
    "memorial day": _weekday(5, 0, -1),
    "labou?r day": _weekday(9, 0, 1),
    "columbus day|indigenous peoples['’]? day": _weekday(10, 0, 2),
    "presidents?['’]?s? day": _weekday(2, 0, 3),
    "mlk day|martin luther king(?:,? jr\\.?)? day": _weekday(1, 0, 3),
    "black friday": lambda year: _weekday(11, 3, 4)(year) + timedelta(1),
    "mother['’]?s['’]? day|father['’]?s['’]? day|(?:(?:spring|summer|august|may) )?bank holiday(?: monday)?": None,
    "eid(?: al[- ](?:fitr|adha))?|ramadan|diwali|hanukkah|chanukah|passover|yom kippur|rosh hashanah": None,
    "(?:lunar|chinese) new year": None,
}
_BEWEGLICH: dict[str, Day | None] = {
    "weiberfastnacht": _from_easter(-52),
    "rosenmontag": _from_easter(-48),
    "faschingsdienstag": _from_easter(-47),
    "aschermittwoch": _from_easter(-46),
    "palmsonntag": _from_easter(-7),
    "gründonnerstag": _from_easter(-3),
    "karfreitag": _from_easter(-2),
    "karsamstag": _from_easter(-1),
    "ostersonntag|ostern": _from_easter(0),
    "ostermontag": _from_easter(1),
    "(?:christi )?himmelfahrt(?:stag)?": _from_easter(39),
    "pfingstsonntag|pfingsten": _from_easter(49),
    "pfingstmontag": _from_easter(50),
    "fronleichnam": _from_easter(60),
    "vatertag": _from_easter(39),
    "muttertag": _weekday(5, 6, 2),
    "erntedank(?:fest)?": _weekday(10, 6, 1),
    "bu(?:ß|ss)-? und bettag": lambda year: _advent(1)(year) - timedelta(11),
    "totensonntag|ewigkeitssonntag": lambda year: _advent(1)(year) - timedelta(7),
    "volkstrauertag": lambda year: _advent(1)(year) - timedelta(14),
    "(?:ersten?r?|1\\.) advent(?:ssonntag)?": _advent(1),
    "(?:zweiten?r?|2\\.) advent(?:ssonntag)?": _advent(2),
    "(?:dritten?r?|3\\.) advent(?:ssonntag)?": _advent(3),
    "(?:vierten?r?|4\\.) advent(?:ssonntag)?": _advent(4),
}


class Holiday(NamedTuple):
    """A holiday.

    Attributes:
        names: a pattern.
        day: on which it falls in a year; None where no rule tells.
        is_german: whether its names are.
        is_fixed: whether it is the same day of every year.
    """

    names: str
    day: Day | None
    is_german: bool
    is_fixed: bool


HOLIDAYS = sorted(
    [
        *(Holiday(names, _fixed(*on), False, True) for names, on in _FIXED.items()),
        *(Holiday(names, _fixed(*on), True, True) for names, on in _FEST.items()),
        *(Holiday(names, day, False, False) for names, day in _MOVING.items()),
        *(Holiday(names, day, True, False) for names, day in _BEWEGLICH.items()),
    ],
    key=lambda holiday: -len(re.sub(r"\(\?:[^()]*\)\?", "", holiday.names)),  # "Christmas Eve" before "Christmas"
)


def _stems(names: str) -> Iterator[str]:
    """Yield what stands in any text that has one of the names of a pattern."""
    while (less := re.sub(r"\(\?:[^()]*\)\??", "\n", names)) != names:
        names = less
    for name in re.sub(r".['’\]]*\?|\[|\.", "\n", names).split("|"):
        yield max(re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", name), key=len)


FESTIVE = re.compile("|".join(sorted({stem for holiday in HOLIDAYS for stem in _stems(holiday.names)})))
"""What stands in texts with a holiday, in lower case."""
