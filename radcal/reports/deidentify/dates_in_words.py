"""Days whose number is written in words, weeks of a month, and holidays: taken out whole.

Dates in figures are shifted (:mod:`radcal.reports.deidentify.dates`); those in words are rare, and nobody computes with
them.  A month that went alone would make another day of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta

from radcal.reports.deidentify.date_parts import (
    GERMAN_NUMBERS,
    GERMAN_ORDINALS,
    MONTH,
    NUMBERS,
    ONLY_GERMAN,
    ORDINALS,
    SPELLINGS,
    number,
)
from radcal.reports.deidentify.rules import Action, Found, Part, Rule, whole
from radcal.system.number_words import german_ordinal
from radcal.system.resources import patterns, resource


def _any(words: Iterable[str]) -> str:
    """Return a pattern for any of some folded words, the longest first."""
    spelt = (re.escape(w).replace(r"\-", "[ -]") for w in sorted(words, key=len, reverse=True))
    umlauts = (w.replace("ss", "(?:ss|ß)").replace("oe", "(?:oe|ö)").replace("ue", "(?:ue|ü)") for w in spelt)
    return f"(?:{'|'.join(umlauts)})"


_NO_RIB = 12
"""Up to this ordinal, ribs, vertebrae and images are numbered."""
_COUNTING = {
    *(part for word in ORDINALS for part in word.split("-")), *(f"{stem}e" for stem in GERMAN_ORDINALS),
    *(f"{german_ordinal(n)}e" for n in range(1, 32)), "thousand", "nineteen",
}  # fmt: skip
"""Parts of numbers in words; a text without any has no day in words."""
_NAMES = sorted(
    (
        line
        for line in resource("deidentify", "holidays.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ),
    key=lambda names: -len(re.sub(r"\(\?:[^()]*\)\?", "", names)),  # "Christmas Eve" before "Christmas"
)
_P = patterns(
    "deidentify",
    "dates_in_words.toml",
    month=MONTH,
    th=_any(ORDINALS),
    te=rf"(?:{_any(GERMAN_ORDINALS)}e[nrsm]?|\d{{1,2}}\.?te[nrs]?)",
    n=_any(NUMBERS),
    z=_any(GERMAN_NUMBERS),
    teens=_any([word for word, n in NUMBERS.items() if n > 9]),
    holidays="|".join(_NAMES),
)


def is_month(m: re.Match[str]) -> bool:
    """Whether the name of a month without a year means one: "may", "march" and "mar" do not always."""
    name, lower = m["m"], m["m"].lower()
    ending = m.groupdict().get("o")
    if lower not in ("may", "march", "mar", "sep", "dec", "jan", "mai", "aug"):
        return True
    if (name.islower() and not ending) or (lower == "may" and _P["may_means"].match(m.string, m.end())):
        return False
    if name.isupper() and ending is None and lower in ("may", "march"):
        return _P["capitals"].match(m.string, m.end()) is None or _P["after_date"].match(m.string, m.end()) is not None
    return True


def day_before(text: str, at: int) -> int | None:
    """Return where a day begins that stands before the month at a place of a text; None where none does."""
    m = _P["day_like"].search(text, max(0, at - 40), at)
    return m.start() if m else None


def _has_numbers(text: str) -> bool:
    """Whether a text may have a day in words."""
    low = text.lower()
    words = set(_P["letters"].findall(low))
    return any(w in _COUNTING or w.rstrip("nrsm") in _COUNTING for w in words) or bool(_P["suffixed"].search(low))


def _has_months(text: str) -> bool:
    return not SPELLINGS.keys().isdisjoint(_P["letters"].findall(text.lower()))


def _named(m: re.Match[str], _: timedelta) -> Found:
    """Take what stands from the first to the last of day, week, month and year."""
    spans = [m.span(name) for name, written in m.groupdict().items() if written]
    return Found(min(start for start, _ in spans), max(end for _, end in spans))


def _if(is_date: Callable[[re.Match[str]], object]) -> Action:
    """The same where it is a date after all."""
    return lambda m, by: _named(m, by) if is_date(m) else None


def _is_english_date(m: re.Match[str]) -> bool:
    verb = m["m"].lower() in ("may", "march", "mar") and m.start("m") < m.start("d") and not m["y"]
    return not verb or is_month(m)


def _is_month_with_year(m: re.Match[str]) -> bool:
    unsure = m["m"].islower() and m["m"].lower() not in ONLY_GERMAN
    return not unsure and day_before(m.string, m.start()) is None


def _holiday(m: re.Match[str], _: timedelta) -> Found | None:
    is_none = m["h"] in ("may day", "easter") or _P["wished"].search(m.string, max(0, m.start() - 20), m.start())
    return None if is_none else Found(*m.span())


def _day_alone(m: re.Match[str], _: timedelta) -> Found | None:
    return Found(*m.span("d")) if (number(m["d"]) or 0) > _NO_RIB else None


def _stems(names: str) -> Iterable[str]:
    """Yield what stands in any text that has one of the names of a pattern."""
    while (less := re.sub(r"\(\?:[^()]*\)\??", "\n", names)) != names:
        names = less
    for name in re.sub(r".['’\]]*\?|\[|\.", "\n", names).split("|"):
        yield max(re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", name), key=len)


_FESTIVE = re.compile("|".join(sorted({stem for names in _NAMES for stem in _stems(names)})))
"""What stands in texts with a holiday, in lower case."""


IN_WORDS = (
    Part(
        (Rule("two German ordinals", "date", _P["tag_zahl"], _if(lambda m: (number(m["m"]) or 13) < 13)),),
        reads=_has_numbers,
    ),
    Part(
        (
            Rule("ordinal and month", "date", _P["day_first"], _if(_is_english_date)),
            Rule("month and ordinal", "date", _P["month_first"], _if(_is_english_date)),
            Rule("German ordinal and month", "date", _P["tag"], _named),
            Rule("month and number", "date", _P["month_number"], _if(lambda m: not m["m"].islower())),
        ),
        reads=lambda text: _has_months(text) and _has_numbers(text),
    ),
    Part((Rule("month in Roman figures", "date", _P["roman"], whole),)),
    Part((Rule("two days of one month", "date", _P["range"], whole),), reads=_has_months),
    Part((Rule("day of a month that is not named", "date", _P["nth"], whole),), reads=_has_numbers),
    Part(
        (
            Rule("week of a month", "date", _P["week"], _named),
            Rule("German week of a month", "date", _P["woche"], whole),
        ),
        reads=lambda text: "week" in text.lower() or "woche" in text.lower(),
    ),
    Part(
        (Rule("month with its year in words", "date", _P["month_year"], _if(_is_month_with_year)),),
        reads=lambda text: _has_months(text) and _has_numbers(text),
    ),
    Part((Rule("holiday", "date", _P["holiday"], _holiday),), reads=lambda text: _FESTIVE.search(text.lower())),
    Part((Rule("day of this or another month", "date", _P["instant"], whole),)),
    Part((Rule("ordinal without its month", "date", _P["alone"], _day_alone),), reads=_has_numbers),
)
