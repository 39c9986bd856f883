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
from radcal.system.resources import resource

# Patterns of numbers in words


def _any(words: Iterable[str]) -> str:
    """Return a pattern for any of some folded words, the longest first."""
    spelt = (re.escape(w).replace(r"\-", "[ -]") for w in sorted(words, key=len, reverse=True))
    umlauts = (w.replace("ss", "(?:ss|ß)").replace("oe", "(?:oe|ö)").replace("ue", "(?:ue|ü)") for w in spelt)
    return f"(?:{'|'.join(umlauts)})"


_TH = _any(ORDINALS)
_TE = rf"(?:{_any(GERMAN_ORDINALS)}e[nrsm]?|\d{{1,2}}\.?te[nrs]?)"
_N = _any(NUMBERS)
_Z = _any(GERMAN_NUMBERS)
_TEENS = _any([word for word, n in NUMBERS.items() if n > 9])
_Y_WORDS = rf"(?:two thousand(?:(?: and)?[ -]{_N})?|(?:twenty|nineteen) (?:(?:oh|o)[ -]{_N}|{_TEENS})(?! (?:mm|cm)\b))"
_J_WORDS = rf"(?:zweitausend(?:und)?(?:{_Z})?|neunzehnhundert(?:und)?(?:{_Z})?|zwanzig ?{_Z})"
_Y = rf"(?:(?:19|20)\d\d|{_Y_WORDS})"
_J = rf"(?:(?:19|20)\d\d|{_J_WORDS}|\d\d(?![\w.:,]| ?{MONTH}))"
_YEAR = rf"(?:,? (?:of |in |in the year )?(?P<y>{_Y}))?"
_JAHR = rf"(?: (?:des Jahres )?(?P<y>{_J}))"
_END = r"(?![^\W_])"
_BEGIN = r"(?<![^\W_])(?<![^\W_][-/])"

# Forms

_DAY_FIRST = re.compile(
    rf"{_BEGIN}(?P<d>{_TH})(?: day)?(?:,? of |,? in |,? )(?P<m>{MONTH}){_END}\.?{_YEAR}{_END}", re.IGNORECASE
)
_MONTH_FIRST = re.compile(rf"{_BEGIN}(?P<m>{MONTH})\.?,? (?:the )?(?P<d>{_TH}){_END}{_YEAR}{_END}", re.IGNORECASE)
_MONTH_NUMBER = re.compile(rf"{_BEGIN}(?P<m>{MONTH}),? (?P<d>{_N}),? (?P<y>{_Y}){_END}", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"{_BEGIN}(?P<m>{MONTH}),? (?:of )?(?P<y>{_Y_WORDS}|{_J_WORDS}){_END}", re.IGNORECASE)
_TAG = re.compile(rf"{_BEGIN}(?P<d>{_TE}) (?:Tag des )?(?P<m>{MONTH}){_END}\.?{_JAHR}?{_END}", re.IGNORECASE)
_TAG_ZAHL = re.compile(
    rf"(?<![^\W_])(?:am|vom|seit|seit dem|zum|bis|bis zum|ab|ab dem|dem|den|der)[ ](?P<d>{_TE}) (?P<m>{_TE})"
    rf"(?:{_JAHR}{_END}|(?![ -]?[^\W\d_])| (?:um|und|mit|bis|war|ist|im|in|nach|wurde|zeigt|erfolgt)\b)",
    re.IGNORECASE,
)
_ROMAN = re.compile(
    r"(?<![\w.])(?:0?[1-9]|[12]\d|3[01])(?P<s>\. ?|[/-]|(?= [IVX]+ (?:19|20)\d\d) )"
    r"(?:(?:VIII|VII|VI|IV|IX|XII|XI|III|II|V|X|I)|(?:viii|vii|vi|iv|ix|xii|xi|iii|ii|v|x|i))"
    r"(?P=s)(?:(?:19|20)\d\d|\d\d)(?!\w|\.\d)"
)
_RANGE = re.compile(
    r"(?<![\w./:-])(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?(?: ?[-–/] ?| to | and | bis | und )"
    rf"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)? (?:of )?{MONTH}{_END}(?:,? (?:19|20)\d\d(?!\w))?",
    re.IGNORECASE,
)
_DAYS_OF_WEEK = (
    r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag"
    r"|Mittwoch|Sonnabend)"
)
_NTH = re.compile(
    rf"{_BEGIN}(?:{_TH}|\d{{1,2}}(?:st|nd|rd|th)) of (?:this|last|next|the) month{_END}|"
    rf"{_BEGIN}(?:{_TH}|last|{_TE}|letzten?) {_DAYS_OF_WEEK}s? (?:in|of|im) (?P<m>{MONTH}){_END}"
    rf"|{_BEGIN}{_DAYS_OF_WEEK}\.?,? (?:the |den |dem )?(?:\d{{1,2}}(?:st|nd|rd|th)|{_TH})(?!(?: of)? {MONTH}){_END}"
    rf"|{_BEGIN}(?:{_TE}|\d{{1,2}}\.) des (?:Monats |Folgemonats ?)(?P<n>{MONTH})?{_END}",
    re.IGNORECASE,
)
"""Days that are not read, and taken out whole."""
_INSTANT = re.compile(
    r"(?<![\w./-])\d{1,2}(?:(?:st|nd|rd|th)? (?:inst|ult|prox)\b\.?|\. ?(?:d(?:s|ieses)?\.? ?M(?:ts?|onats)?\.?"
    r"(?!\w)|lfd\. ?M\w*))"
    r"|(?<=Termin )\d{1,2}\.(?= um )|(?<![^\W_])(?<=am )\d{1,2}\.(?= (?:um|gegen|ab) \d)"
)
"""A day of this, the last or the next month, as letters say: "the 3rd inst.", "3. d. M."."""
_WEEK = re.compile(
    rf"{_BEGIN}(?P<w>first|second|third|fourth|last|final|[1-4](?:st|nd|rd|th)) week (?:of|in) (?P<m>{MONTH}){_END}"
    rf"{_YEAR}{_END}",
    re.IGNORECASE,
)
_WOCHE = re.compile(
    rf"{_BEGIN}(?P<w>ersten?|zweiten?|dritten?|vierten?|letzten?|[1-4]\.) (?P<m>{MONTH})-?woche{_END}", re.IGNORECASE
)
_ALONE = re.compile(
    rf"(?P<b>(?<![^\W_])(?:on|since|from|until|till|before|after|by|dated|of) the |(?<![^\W_])(?:am|vom|seit dem"
    rf"|bis zum|ab dem|zum) )(?P<d>{_TH}|{_TE}|\d{{1,2}}(?:st|nd|rd|th)){_END}"
    r"(?=[ ]?(?:[,;)]|\.(?:\s|$)|$)|\s(?:and|at|with|by|um|und|mit|von|may|will|is|was|shows?|showed|for|for|as|to)\b)",
    re.IGNORECASE,
)
_NO_RIB = 12
"""Up to this ordinal, ribs, vertebrae and images are numbered."""
_DAY_LIKE = re.compile(
    r"(?:(?<![\w.,/:-])[0-3]?\d\.?(?:st|nd|rd|th|te[nrsm]?)?|(?<![^\W_])[^\W\d_]*(?:ides|first|second|third|[fx]o?u?rth|[fx]th"
    r"|enth|[ei]ghth?|ninth|elfth|ieth|teen\w{0,4}|nt[eh]{2,4}|zehnte[nrs]?|[zß]igste[nrs]?|ssigste[nrs]?|(?:erst|zweit"
    r"|dritt|viert|fünft|sechst|siebt|acht|neunt|elft|zwölft)e[nrs]?))"
    r"(?: day)?(?:,? of(?: the month of)? | in | |, )$",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_SUFFIXED = re.compile(r"\d(?:st|nd|rd|th|\.?te[nrs]?)(?![^\W_])")
_COUNTING = {
    *(part for word in ORDINALS for part in word.split("-")), *(f"{stem}e" for stem in GERMAN_ORDINALS),
    *(f"{german_ordinal(n)}e" for n in range(1, 32)), "thousand", "nineteen",
}  # fmt: skip
"""Parts of numbers in words; a text without any has no day in words."""
_MAY_MEANS = re.compile(
    r"\s+(?:be|represents?|reflects?|relate|indicate|suggest|also|have|not|correspond|simply|well|mimic|mask|obscure"
    r"|cause"
    r"|account|result|explain|still|just|only|partly|in\s+part|contain|require|need|benefit|necessitate|actually"
    r"|potentially"
    r"|possibly|show|show\w*|appear|simulate|warrant|exist|develop|persist|help|or\s+may|even|include|consider"
    r"|limit)\b",
    re.IGNORECASE,
)
"""What "may" stands before as a verb."""
_CAPITALS = re.compile(r"[ \t]+[A-Z]{2}")
_AFTER_DATE = re.compile(r"[ \t]+(?:AT|AND|TO|THROUGH|EXAM|STUDY|CT|RADIOGRAPH)\b")
_NAMES = sorted(
    (
        line
        for line in resource("deidentify", "holidays.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ),
    key=lambda names: -len(re.sub(r"\(\?:[^()]*\)\?", "", names)),  # "Christmas Eve" before "Christmas"
)
_HOLIDAY = re.compile(
    rf"{_BEGIN}(?P<h>{'|'.join(_NAMES)}){_END}"
    r"(?![ -](?:tree|disease|factor|baby|party|egg|lily|station|road|street|hospital)|-)"
    rf"(?: (?:weekend|eve)(?!\w))?(?:,? (?:of |in )?(?:{_Y}|{_J}))?{_END}",
    re.IGNORECASE,
)
_WISHED = re.compile(r"(?<![^\W_])(?:happy|merry|blessed|frohe[sn]?|schöne[sn]?|gesegnete[sn]?)[ ]$", re.IGNORECASE)


def is_month(m: re.Match[str]) -> bool:
    """Whether the name of a month without a year means one: "may", "march" and "mar" do not always."""
    name, lower = m["m"], m["m"].lower()
    ending = m.groupdict().get("o")
    if lower not in ("may", "march", "mar", "sep", "dec", "jan", "mai", "aug"):
        return True
    if (name.islower() and not ending) or (lower == "may" and _MAY_MEANS.match(m.string, m.end())):
        return False
    if name.isupper() and ending is None and lower in ("may", "march"):
        return _CAPITALS.match(m.string, m.end()) is None or _AFTER_DATE.match(m.string, m.end()) is not None
    return True


def day_before(text: str, at: int) -> int | None:
    """Return where a day begins that stands before the month at a place of a text; None where none does."""
    m = _DAY_LIKE.search(text, max(0, at - 40), at)
    return m.start() if m else None


def _has_numbers(text: str) -> bool:
    """Whether a text may have a day in words."""
    low = text.lower()
    words = set(_LETTERS.findall(low))
    return any(w in _COUNTING or w.rstrip("nrsm") in _COUNTING for w in words) or bool(_SUFFIXED.search(low))


def _has_months(text: str) -> bool:
    return not SPELLINGS.keys().isdisjoint(_LETTERS.findall(text.lower()))


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
    is_none = m["h"] in ("may day", "easter") or _WISHED.search(m.string, max(0, m.start() - 20), m.start())
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


# fmt: off
IN_WORDS = (
    Part((
        Rule("two German ordinals", "date", _TAG_ZAHL, _if(lambda m: (number(m["m"]) or 13) < 13),
             "am vierzehnten dritten 2024 -> am [date]",
             unlike="Der dritte und vierte Finger."),
    ), reads=_has_numbers),
    Part((
        Rule("ordinal and month", "date", _DAY_FIRST, _if(_is_english_date),
             "the fourteenth of March, 2024 -> the [date]",
             unlike="The second of three nodules."),
        Rule("month and ordinal", "date", _MONTH_FIRST, _if(_is_english_date),
             "March fourteenth, twenty twenty-six -> [date]",
             unlike="May first be followed."),
        Rule("German ordinal and month", "date", _TAG, _named,
             "am vierzehnten März -> am [date]",
             unlike="Am zweiten Brustwirbel."),
        Rule("month and number", "date", _MONTH_NUMBER, _if(lambda m: not m["m"].islower()),
             "March five, twenty twenty-six -> [date]",
             unlike="may two thousand"),
    ), reads=lambda text: _has_months(text) and _has_numbers(text)),
    Part((
        Rule("month in Roman figures", "date", _ROMAN, whole,
             "Film vom 14-VIII-1989. -> Film vom [date].",
             unlike="Stage 4-IV, segment 2.V"),
    )),
    Part((
        Rule("two days of one month", "date", _RANGE, whole,
             "30th/31st May -> [date]",
             unlike="30 to 31 mm in May"),
    ), reads=_has_months),
    Part((
        Rule("day of a month that is not named", "date", _NTH, whole,
             "Seen Tuesday the ninth, on the second Friday in May -> Seen [date], on the [date]",
             unlike="On the ninth image."),
    ), reads=_has_numbers),
    Part((
        Rule("week of a month", "date", _WEEK, _named,
             "the second week of March 2024 -> the [date]",
             unlike="the second week of treatment"),
        Rule("German week of a month", "date", _WOCHE, whole,
             "In der ersten Märzwoche -> In der [date]",
             unlike="In der ersten Lebenswoche"),
    ), reads=lambda text: "week" in text.lower() or "woche" in text.lower()),
    Part((
        Rule("month with its year in words", "date", _MONTH_YEAR, _if(_is_month_with_year),
             "in March twenty twenty-four -> in [date]",
             unlike="may twenty twenty times"),
    ), reads=lambda text: _has_months(text) and _has_numbers(text)),
    Part((
        Rule("holiday", "date", _HOLIDAY, _holiday,
             "Easter Monday 2025, an Heiligabend, on Good Friday -> [date], an [date], on [date]",
             unlike="Happy Christmas. Christmas tree appearance."),
    ), reads=lambda text: _FESTIVE.search(text.lower())),
    Part((
        Rule("day of this or another month", "date", _INSTANT, whole,
             "Your letter of the 3rd inst. was read. -> Your letter of the [date] was read.",
             unlike="Am 3. Brustwirbel."),
    )),
    Part((
        Rule("ordinal without its month", "date", _ALONE, _day_alone,
             "Seen on the fourteenth. -> Seen on the [date].",
             unlike="Fracture on the fourth."),
    ), reads=_has_numbers),
)
# fmt: on
