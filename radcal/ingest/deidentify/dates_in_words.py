"""Days whose number is written in words, weeks of a month, and holidays, shifted like other dates.

    form                                       example                                  becomes (by 100 days)
    ordinal and month                          the fourteenth of March                  the twenty-second of June
    month and ordinal, month and number        March fourteenth, twenty twenty-six      June twenty-second, twenty ...
    ordinal and month, German                  am vierzehnten März                      am zweiundzwanzigsten Juni
    two ordinals, German                       vom vierzehnten dritten                  vom zweiundzwanzigsten sechsten
    week of a month                            the second week of March                 the third week of June
    holiday of a fixed day                     on Christmas Eve; an Heiligabend         on April 3; an 3. April
    holiday of another day each year           Easter Monday 2025                       July 30, 2025
    the same without its year; no such day     on Easter Monday; the thirtieth of Feb   on [date]; the [date]
    a day without its month                    seen on the fourteenth                   seen on the [date]

A year goes with each in figures or in words.  What has a day that is not understood is taken out whole, because a month
that moves alone would make another day of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from radcal.ingest.deidentify.holidays import FESTIVE, HOLIDAYS
from radcal.ingest.deidentify.months import (
    ENGLISH_MONTHS,
    GERMAN_MONTHS,
    MONTH,
    SPELLINGS,
    cased,
    month_like,
    ordinal,
)
from radcal.ingest.deidentify.words import KNOWN, Is, what, word_set
from radcal.records.identifiers import PLACEHOLDERS

UNREAD = PLACEHOLDERS["date"]
_SHORT_MONTH = 4

# Numbers in words

_ONES = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_EINS = (
    "ein",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
)
_ZIG = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
_UMLAUTS: Final = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue"})
_ODD = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"}
_ODD_GERMAN = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}


def _english(n: int) -> str:
    if n < 20:
        return _ONES[n - 1]
    return _TENS[n // 10 - 2] + (f"-{_ONES[n % 10 - 1]}" if n % 10 else "")


def _english_ordinal(n: int) -> str:
    if n < 20:
        return _ODD.get(n, f"{_english(n)}th")
    tens = _TENS[n // 10 - 2]
    return f"{tens}-{_english_ordinal(n % 10)}" if n % 10 else f"{tens[:-1]}ieth"


def _german(n: int) -> str:
    if n < 20:
        return _EINS[n - 1]
    return (f"{_EINS[n % 10 - 1]}und" if n % 10 else "") + _ZIG[n // 10 - 2]


def _german_ordinal(n: int) -> str:
    """Without its ending."""
    return _ODD_GERMAN.get(n, _german(n) + "t") if n < 20 else _german(n) + "st"


def _folded(word: str) -> str:
    """A word as numbers are looked up: in lower case, umlauts as vowels, one hyphen for what parts it."""
    plain = word.lower().translate(_UMLAUTS)
    return re.sub(r"[\s-]+", "-", plain)


_MOST = 99
_ORDINALS = {_folded(_english_ordinal(n)): n for n in range(1, _MOST + 1)}
_ORDINALE = {_folded(_german_ordinal(n)): n for n in range(1, _MOST + 1)} | {"siebent": 7, "zwot": 2}
_NUMBERS = {_folded(_english(n)): n for n in range(1, _MOST + 1)}
_ZAHLEN = {_folded(_german(n)): n for n in range(1, _MOST + 1)} | {"eins": 1, "zwo": 2}


def _any(words: object) -> str:
    """A pattern for any of some folded words, the longest first."""
    spelt = (re.escape(w).replace(r"\-", "[ -]") for w in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]
    umlauts = (w.replace("ss", "(?:ss|ß)").replace("oe", "(?:oe|ö)").replace("ue", "(?:ue|ü)") for w in spelt)
    return f"(?:{'|'.join(umlauts)})"


_TH = _any(_ORDINALS)
_TE = rf"(?:{_any(_ORDINALE)}e[nrsm]?|\d{{1,2}}\.?te[nrs]?)"
_N = _any(_NUMBERS)
_Z = _any(_ZAHLEN)
_TEENS = _any([word for word, n in _NUMBERS.items() if n > 9])
_Y = (
    rf"(?:(?:19|20)\d\d|two thousand(?:(?: and)?[ -]{_N})?"
    rf"|(?:twenty|nineteen) (?:(?:oh|o)[ -]{_N}|{_TEENS})(?! (?:mm|cm)\b))"
)
_J = (
    rf"(?:(?:19|20)\d\d|zweitausend(?:und)?(?:{_Z})?|neunzehnhundert(?:und)?(?:{_Z})?|zwanzig ?{_Z}|\d\d"
    rf"(?![\w.:,]| ?{MONTH}))"
)
_YEAR = rf"(?:(?P<t>,? (?:of |in |in the year )?)(?P<y>{_Y}))?"
_JAHR = rf"(?:(?P<t> (?:des Jahres )?)(?P<y>{_J}))?"
_END = r"(?![^\W_])"
_BEGIN = r"(?<![^\W_])(?<![^\W_][-/])"

# Forms

_DAY_FIRST = re.compile(
    rf"{_BEGIN}(?P<d>{_TH})(?: day)?(?:,? of |,? in |,? )(?P<m>{MONTH}){_END}\.?{_YEAR}{_END}", re.IGNORECASE
)
_MONTH_FIRST = re.compile(rf"{_BEGIN}(?P<m>{MONTH})\.?,? (?:the )?(?P<d>{_TH}){_END}{_YEAR}{_END}", re.IGNORECASE)
_MONTH_NUMBER = re.compile(
    rf"{_BEGIN}(?P<m>{MONTH}),? (?P<d>{_N})(?P<t>,? )(?P<y>{_Y}){_END}"
    rf"|{_BEGIN}(?P<m2>{MONTH}),? (?P<d2>{_N})(?=[,;)]|\.(?:\s|$)|$| (?:at|and|to|through)\b)",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"{_BEGIN}(?P<m>{MONTH})(?P<t>,? (?:of )?)(?P<y>(?!\d){_Y}){_END}", re.IGNORECASE)
_MONAT_JAHR = re.compile(rf"{_BEGIN}(?P<m>{MONTH})(?P<t> )(?P<y>(?!\d){_J}){_END}", re.IGNORECASE)
_TAG = re.compile(rf"{_BEGIN}(?P<d>{_TE})(?P<s> (?:Tag des )?)(?P<m>{MONTH}){_END}\.?{_JAHR}{_END}", re.IGNORECASE)
_TAG_ZAHL = re.compile(
    rf"(?<![^\W_])(?:am|vom|seit|seit dem|zum|bis|bis zum|ab|ab dem|dem|den|der)[ ](?P<d>{_TE}) (?P<m>{_TE})"
    rf"(?:{_JAHR[:-1]}{_END}|(?![ -]?[^\W\d_])| (?:um|und|mit|bis|war|ist|im|in|nach|wurde|zeigt|erfolgt)\b)",
    re.IGNORECASE,
)
_CARDINAL_FIRST = re.compile(rf"{_BEGIN}(?P<d>{_N}) (?P<m>{MONTH})(?P<t>,? )(?P<y>{_Y}){_END}", re.IGNORECASE)
_ROMAN = re.compile(
    r"(?<![\w.])(?P<d>\d{1,2})(?P<s>\. ?|[/-]|(?= [IVX]+ (?:19|20)\d\d) )(?P<m>(?:VIII|VII|VI|IV|IX|XII|XI|III"
    r"|II|V|X|I)|(?:viii|vii|vi|iv|ix"
    r"|xii|xi|iii|ii|v|x|i))"
    r"(?P=s)(?P<y>(?:19|20)\d\d|\d\d)(?!\w|\.\d)"
)
_RANGE = re.compile(
    r"(?<![\w./:-])(?P<a>\d{1,2})(?P<o>st|nd|rd|th|\.)?(?P<s> ?[-–/] ?| to | and | bis | und )"
    rf"(?P<b>\d{{1,2}})(?P<p>st|nd|rd|th|\.)?(?P<t> (?:of )?)(?P<m>{MONTH}){_END}(?:(?P<u>,? )(?P<y>(?:19"
    rf"|20)\d\d)(?!\w))?",
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
_SOME_DAY = re.compile(r"Day|Night|Eve|Holiday|feiertag|entag")
_NAMED_DAY = re.compile(
    r"(?<![^\W_])(?:on|of|since|from|before|after|until)[ ](?P<d>(?:[A-Z][\w'’.]+[ ]){1,3}(?:Day|Night|Eve|Bank"
    r" Holiday))(?!\w)"
    r"|(?<![^\W_])(?:am|vom|zum|seit|an|bis|zu|nach|vor)[ ](?:de[mr][ ])?(?P<t>(?:[A-ZÄÖÜ]\w+er["
    r" ])?[A-ZÄÖÜ][\w-]*(?:feiertag|seelentag|heiligentag))(?!\w)"
)
_INSTANT = re.compile(
    r"(?<![\w./-])\d{1,2}(?:(?:st|nd|rd|th)? (?:inst|ult|prox)\b\.?|\. ?(?:d(?:s|ieses)?\.? ?M(?:ts?|onats)?\.?"
    r"(?!\w)|lfd\. ?M\w*))"
    r"|(?<=Termin )\d{1,2}\.(?= um )|(?<![^\W_])(?<=am )\d{1,2}\.(?= (?:um|gegen|ab) \d)"
)
"""A day of this, the last or the next month, as letters say: "the 3rd inst.", "3. d. M."."""
_YEAR_FIRST = re.compile(rf"(?<![\w./-])(?:19|20)\d\d[/ .-]{MONTH}[/ .-]\d{{1,2}}(?![\w./-]\w)", re.IGNORECASE)
_FOREIGN = re.compile(
    r"(?<![\w./-])(?:(?P<w>[^\W\d_a-z][^\W\d_]{1,9})[.,]? )?(?P<d>\d{1,2})(?:\.|er|º|°)? (?:de |d['’])?"
    r"(?P<m>[^\W\d_]{3,10})\.?"
    r" (?:de |del )?(?:19|20)\d\d(?!\w)"
)
_FOREIGN_MONTHS = word_set(
    "janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre"
    " gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre dicembre enero febrero"
    " abril mayo junio julio septiembre octubre noviembre diciembre januarie februarie maart april mei"
    " junie julie augustus oktober desember ionawr chwefror mawrth ebrill mehefin gorffennaf awst medi"
    " hydref tachwedd rhagfyr"
)
"""Of French, Italian, Spanish, Dutch, Afrikaans and Welsh: dates that are taken out whole."""
_BESIDE = re.compile(
    r"(?:(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d\.)[ ]?(?:\(|, |– |- )(?P<d>"
    r"(?:[^\W\d_a-z][\w'’.]+ ){1,3}(?:Day|Night|Eve)"
    r"|[^\W\d_a-z]\w*(?:feiertag|tag))(?=\)|[.,;:]|\s*$|\n)"
    r"|(?<![^\W_])(?P<e>(?:[^\W\d_a-z][\w'’.]+ ){1,3}(?:[Dd]ay|[Ee]ve|[Nn]ight))(?=,? \(?(?:\d{1,2}[./ -]|\ufffc))"
)
"""A day that has a name beside its date: "24 September 2021 (Heritage Day)"."""
_WEEK = re.compile(
    rf"{_BEGIN}(?P<w>first|second|third|fourth|last|final|[1-4](?:st|nd|rd|th)) week (?:of|in) (?P<m>{MONTH}){_END}"
    rf"{_YEAR}{_END}",
    re.IGNORECASE,
)
_WOCHE = re.compile(
    rf"{_BEGIN}(?P<w>ersten?|zweiten?|dritten?|vierten?|letzten?|[1-4]\.)(?P<s> )(?P<m>{MONTH})(?P<c>-?woche){_END}",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"(?P<b>(?<![^\W_])(?:on|since|from|until|till|before|after|by|dated|of) the |(?<![^\W_])(?:am|vom|seit dem"
    rf"|bis zum|ab dem|zum) )(?P<d>{_TH}|{_TE}|\d{{1,2}}(?:st|nd|rd|th)){_END}"
    r"(?=[ ]?(?:[,;)]|\.(?:\s|$)|$)|\s(?:and|at|with|by|um|und|mit|von|may|will|is|was|shows?|showed|for|for|as|to)\b)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:ct|cxr|mri|scan(?:ned)?|exam\w*|study|film|radiograph|x-ray|seen|performed|done|admitted|discharged"
    r"|dated|obtained|imaging|operation|surgery|procedure|born|appointment|visit|voraufnahme|aufnahme|untersuch\w*"
    r"|kontrolle|operation|op|aufgenommen|entlassen|termin|röntgen)\b",
    re.IGNORECASE,
)
"""What a day without its month may be of, so that "on the second" is one."""
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
    *(part for word in _ORDINALS for part in word.split("-")), *(_german_ordinal(n) + "e" for n in range(1, 32)),
    *(_folded(_german_ordinal(n)) + "e" for n in range(1, 32)), "thousand", "nineteen",
}  # fmt: skip
"""Parts of numbers in words; a text without any has no day in words."""
_DECEMBER = 12
_TWO, _THIS_CENTURY = 2, 60
_ROMANS = "i ii iii iv v vi vii viii ix x xi xii".split()  # noqa: SIM905
_DOES = re.compile(r" (?:be|have|also|not|appear|represent|reflect|need|require|\w+ed)\b")
"""What "May first" is no day before."""
_SAYS = ("may", "march", "mar", "mai", "sun")


def day_before(text: str, at: int) -> int | None:
    """Where a day begins that stands before the month at a place of a text; None where none does."""
    m = _DAY_LIKE.search(text, max(0, at - 40), at)
    return m.start() if m else None


class Found(NamedTuple):
    """A date: its span, and what is written in its place."""

    start: int
    end: int
    written: str


def dates_in_words(text: str, by: timedelta) -> Iterator[Found]:
    """The dates of a text in words, and what is written in their place when they are shifted."""
    low = text.lower()
    words = set(_LETTERS.findall(low))
    numbered = any(w in _COUNTING or w.rstrip("nrsm") in _COUNTING for w in words) or bool(_SUFFIXED.search(low))
    months = not words.isdisjoint(SPELLINGS)
    if numbered:
        yield from _days(text, by, months)
    yield from (f for m in _ROMAN.finditer(text) if (f := _roman(m, by)))
    if months:
        yield from (f for m in _RANGE.finditer(text) if (f := _range(m, by)))
    if numbered:
        yield from (Found(*m.span(), UNREAD) for m in _NTH.finditer(text))
    if "week" in low or "woche" in low:
        yield from (_week(m, by) for m in _WEEK.finditer(text))
        yield from (_woche(m, by) for m in _WOCHE.finditer(text))
    if numbered and months:
        yield from _months(text, by)
    if FESTIVE.search(low):
        yield from _holidays(text, by)
    yield from (Found(*m.span(), UNREAD) for m in _INSTANT.finditer(text))
    yield from (Found(*m.span(), UNREAD) for m in _YEAR_FIRST.finditer(text))
    for m in _FOREIGN.finditer(text):
        if m["m"].lower() not in SPELLINGS and (m["m"].lower() in _FOREIGN_MONTHS or not what(m["m"].lower())):
            start = m.start() if m["w"] and not what(m["w"].lower()) & (KNOWN | Is.LABEL) else m.start("d")
            yield Found(start, m.end(), UNREAD)
    for m in _BESIDE.finditer(text) if _SOME_DAY.search(text) or "day," in text or "eve," in text else ():
        yield Found(*(m.span("d") if m["d"] else m.span("e")), UNREAD)
    for m in _NAMED_DAY.finditer(text) if _SOME_DAY.search(text) else ():
        group = "d" if m["d"] else "t"
        yield Found(m.start(group), m.end(group), UNREAD)
    if numbered:
        for m in _ALONE.finditer(text):
            number = _number(m["d"])
            if number and (number > _NO_RIB or _DATED.search(text, max(0, m.start() - 40), m.start())):
                yield Found(m.start("d"), m.end("d"), UNREAD)


def _days(text: str, by: timedelta, months: bool) -> Iterator[Found]:
    """Days with a month; ``months``: whether the text has names of months."""
    for m in _TAG_ZAHL.finditer(text):
        month = _number(m["m"])
        if month and month <= _DECEMBER:
            yield _day(m, by, month, german=True, ordinal_month=True)
    if not months:
        return
    for pattern, german in ((_DAY_FIRST, False), (_MONTH_FIRST, False), (_TAG, True)):
        for m in pattern.finditer(text):
            verb = m["m"].lower() in _SAYS and m.start("m") < m.start("d") and not m["y"]
            if not (verb and (m["m"].islower() or _DOES.match(text, m.end()))):
                yield _day(m, by, SPELLINGS[m["m"].lower()], german=german)
    for m in _CARDINAL_FIRST.finditer(text):
        yield _day(m, by, SPELLINGS[m["m"].lower()], german=False)
    for m in _MONTH_NUMBER.finditer(text):
        name = m["m"] or m["m2"]
        if not name.islower():
            yield _day(m, by, SPELLINGS[name.lower()], german=False, second=not m["m"])


def _roman(m: re.Match[str], by: timedelta) -> Found | None:
    """A date with its month in Roman figures."""
    year = int(m["y"]) + (0 if len(m["y"]) > _TWO else 2000 if int(m["y"]) <= _THIS_CENTURY else 1900)
    try:
        new = date(year, _ROMANS.index(m["m"].lower()) + 1, int(m["d"])) + by
    except ValueError:
        return None
    month = cased(_ROMANS[new.month - 1], m["m"])
    day = f"{new.day:02d}" if m["d"].startswith("0") else str(new.day)
    return Found(*m.span(), f"{day}{m['s']}{month}{m['s']}{str(new.year)[-len(m['y']) :]}")


def _range(m: re.Match[str], by: timedelta) -> Found | None:
    """Two days of one month, such as "30th/31st December"."""
    year, month = int(m["y"] or 2023), SPELLINGS[m["m"].lower()]
    try:
        first, last = (date(year, month, int(m[day])) + by for day in "ab")
    except ValueError:
        return None
    a, b = (f"{new.day}{of if of in (None, '.') else ordinal(new.day)}" if of else str(new.day)
            for new, of in ((first, m["o"]), (last, m["p"])))  # fmt: skip
    names = [month_like(new, m["m"], m.string, m.start("m")) for new in (first, last)]
    written = a if first.month == last.month else f"{a} {names[0]}"
    return Found(*m.span(), f"{written}{m['s']}{b}{m['t']}{names[1]}" + (f"{m['u']}{last.year}" if m["y"] else ""))


def _months(text: str, by: timedelta) -> Iterator[Found]:
    """Months with a year in words."""
    for pattern, german in ((_MONTH_YEAR, False), (_MONAT_JAHR, True)):
        for m in pattern.finditer(text):
            year = _year(m["y"])
            if year is not None and day_before(text, m.start()) is None and not (m["m"].islower() and not german):
                new = date(year, SPELLINGS[m["m"].lower()], 15) + by
                yield Found(m.start(), m.end(), _name_of(new, m["m"], text, m.start("m"), german) + _years(m, new))


def _day(
    m: re.Match[str], by: timedelta, month: int, *, german: bool, ordinal_month: bool = False, second: bool = False
) -> Found:
    """A day in words, shifted; taken out where there is no such day."""
    d, name = ("d2", "m2") if second else ("d", "m")
    written, number = m[d], _number(m[d])
    stated = None if second else m["y"]
    year = _year(stated) if stated else 2000 if number == 29 and month == 2 else 2023
    start, end = min(m.start(d), m.start(name)), max(m.end(d), m.end(name), m.end("y") if stated else 0)
    try:
        new = date(year or 2023, month, number or 0) + by
    except ValueError:
        return Found(start, end, UNREAD)
    if german:
        at = re.search(r"e[nrsm]?$", written)
        ending = at.group() if at else "en"
        day = f"{new.day}.te{ending[1:]}" if "." in written else f"{new.day}te{ending[1:]}"
        day = day if written[0].isdigit() else _like_word(_german_ordinal(new.day) + ending, written)
    else:
        form = _english if _folded(written) in _NUMBERS else _english_ordinal
        day = _like_word(form(new.day), written, parted=" " in written)
    if ordinal_month:
        tail = re.search(r"e[nrsm]?$", m[name])
        to = _like_word(_german_ordinal(new.month) + (tail.group() if tail else "en"), m[name])
        to = f"{new.month}te{tail.group()[1:] if tail else 'n'}" if m[name][0].isdigit() else to
    else:
        to = _name_of(new, m[name], m.string, m.start(name), german)
    parts = {m.span(d): day, m.span(name): to}
    if stated:
        parts[m.span("y")] = _year_written(new, stated)
    pieces, at_ = [], start
    for (a, b), piece in sorted(parts.items()):
        pieces += [m.string[at_:a], piece]
        at_ = b
    return Found(start, end, "".join([*pieces, m.string[at_:end]]))


def _name_of(new: date, written: str, text: str, at: int, german: bool) -> str:
    if len(written) < _SHORT_MONTH and written.lower() not in ("may", "mai"):
        return month_like(new, written, text, at)
    return cased((GERMAN_MONTHS if german else ENGLISH_MONTHS)[new.month - 1], written)


def _like_word(word: str, like: str, parted: bool = False) -> str:
    """A number in words in the capitals and the spelling of another."""
    word = word.replace("-", " ") if parted else word
    plain = like.lower()
    if "ß" not in plain and ("ss" in plain or "ue" in plain or "oe" in plain):
        word = word.replace("ß", "ss").replace("ü", "ue").replace("ö", "oe")
    if like.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if like[0].isupper() else word


def _number(written: str) -> int | None:
    """The number that an ordinal or a number of days in figures or words tells."""
    figures = re.match(r"\d+", written)
    if figures:
        return int(figures.group())
    folded = _folded(written)
    stem = re.sub(r"e[nrsm]?$", "", folded)
    return _ORDINALS.get(folded) or _NUMBERS.get(folded) or _ORDINALE.get(stem)


def _year(written: str) -> int | None:
    """A year in figures or in words."""
    if written.isdigit():
        return int(written) if len(written) == 4 else 2000 + int(written)
    folded = _folded(written).replace("-and-", "-").replace("-oh-", "-").replace("-o-", "-")
    for begin, century in (("two-thousand", 2000), ("twenty", 2000), ("nineteen", 1900), ("zweitausend", 2000),
                           ("neunzehnhundert", 1900), ("zwanzig", 2000)):  # fmt: skip
        if folded.startswith(begin):
            rest = folded[len(begin) :].strip("-")
            rest = rest.removeprefix("und") if rest not in _ZAHLEN else rest
            return century + (_NUMBERS.get(rest) or _ZAHLEN.get(rest) or 0)
    return None


def _years(m: re.Match[str], new: date) -> str:
    """A year behind a month, with what parts them."""
    return m["t"] + _year_written(new, m["y"])


def _year_written(new: date, like: str) -> str:
    """The year of a day in the words, or the figures, of another."""
    if like.isdigit():
        return str(new.year) if len(like) == 4 else f"{new.year % 100:02d}"
    folded, rest, old = _folded(like), new.year % 100, new.year < 2000
    if folded.startswith(("zwei", "neunz", "zwanzig")):
        word = ("neunzehnhundert" if old else "zweitausend") + (_german(rest) if rest else "")
        word = f"zwanzig{_german(rest)}" if folded.startswith("zwanzig") and rest > 9 and not old else word
        return _like_word(word, like)
    if folded.startswith("two-thousand") and not old:
        word = "two thousand" + (" and" if "-and-" in folded else "") + (f" {_english(rest)}" if rest else "")
    else:
        word = ("nineteen " if old else "twenty ") + (_english(rest) if rest > 9 else f"oh {_english(rest or 1)}")
    return _like_word(word, like)


def _in_week(word: str, month: int, year: int) -> date:
    """A day in the middle of a week of a month."""
    number = int(word[0]) if word[0].isdigit() else _number(word) or _number(word + "t") or 4
    return date(year, month, {1: 4, 2: 11, 3: 18}.get(number, 25))


def _week_of(day: date) -> int:
    return min(4, (day.day - 1) // 7 + 1)


def _week(m: re.Match[str], by: timedelta) -> Found:
    year = (_year(m["y"]) if m["y"] else None) or 2023
    new = _in_week(m["w"], SPELLINGS[m["m"].lower()], year) + by
    n = _week_of(new)
    week = f"{n}{_english_ordinal(n)[-2:]}" if m["w"][0].isdigit() else _like_word(_english_ordinal(n), m["w"])
    between = m.string[m.end("w") : m.start("m")]
    name = _name_of(new, m["m"], m.string, m.start("m"), german=False)
    return Found(m.start(), m.end(), f"{week}{between}{name}" + (_years(m, new) if m["y"] else ""))


def _woche(m: re.Match[str], by: timedelta) -> Found:
    new = _in_week(m["w"], SPELLINGS[m["m"].lower()], 2023) + by
    n = _week_of(new)
    week = f"{n}." if m["w"][0].isdigit() else _like_word(f"{_german_ordinal(n)}e{'n' * m['w'].endswith('n')}", m["w"])
    return Found(m.start(), m.end(), f"{week} {cased(GERMAN_MONTHS[new.month - 1], m['m'])}{m['c']}")


# Holidays

_HOLIDAY = re.compile(
    rf"{_BEGIN}(?:" + "|".join(f"(?P<h{n}>{one.names})" for n, one in enumerate(HOLIDAYS)) + rf"){_END}"
    r"(?![ -](?:tree|disease|factor|baby|party|egg|lily|station|road|street|hospital)|-)"
    rf"(?: (?:weekend|eve)(?!\w))?(?:(?P<t>,? (?:of |in )?)(?P<y>{_Y}|{_J}))?{_END}",
    re.IGNORECASE,
)


_PLAIN_HOLIDAYS = {
    "christmas",
    "christmas eve",
    "christmas day",
    "xmas",
    "boxing day",
    "new year's eve",
    "new year's day",
    "thanksgiving",
    "halloween",
    "good friday",
    "easter monday",
    "easter sunday",
    "ash wednesday",
}
"""Those that nothing else is called by, so that they need no capitals."""
_WISHED = re.compile(r"(?<![^\W_])(?:happy|merry|blessed|frohe[sn]?|schöne[sn]?|gesegnete[sn]?)[ ]$", re.IGNORECASE)


def _holidays(text: str, by: timedelta) -> Iterator[Found]:
    for m in _HOLIDAY.finditer(text):
        n = next(n for n in range(len(HOLIDAYS)) if m[f"h{n}"] is not None)
        _, rule, german, fixed = HOLIDAYS[n]
        if (
            m[f"h{n}"].islower() and not german and m[f"h{n}"] not in _PLAIN_HOLIDAYS and " bank" not in m[f"h{n}"]
        ) or _WISHED.search(text, max(0, m.start() - 20), m.start()):
            continue  # "may day", "easter" as a word; "Happy Christmas"
        year = _year(m["y"]) if m["y"] else None
        if rule is None or (year is None and not fixed):
            yield Found(m.start(), m.end(), UNREAD)
            continue
        new = rule(year or 2023) + by
        if german:
            day = f"{new.day}. {cased(GERMAN_MONTHS[new.month - 1], m[f'h{n}'])}"
        else:
            day = f"{cased(ENGLISH_MONTHS[new.month - 1], m[f'h{n}'])} {new.day}"
        between = "" if year is None else " " if german else ", "
        yield Found(m.start(), m.end(), day + (f"{between}{new.year}" if year else ""))
