"""Dates of a text, shifted in the form in which they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from radcal.ingest.deidentify.dates_in_words import UNREAD, Found, dates_in_words, day_before
from radcal.ingest.deidentify.months import (
    GERMAN_TEXT,
    MONTH,
    ONLY_GERMAN,
    SPELLINGS,
    cased,
    full_year,
    month_like,
    ordinal,
    year_like,
)
from radcal.ingest.deidentify.spans import SHIFTED, Claims

_WEEKDAYS = (
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
)
_UNIT = (
    r"(?![ ]?(?:mm|cm|ml|mg|mcg|mgy|gy|hu|kv|kvp|ma|mas|%|x\s?\d|×|by\s\d"
    r"|percent|french|fr\b|weeks?|years?|days?|hours?|months?)\b|%)"
)
_NUMERIC = re.compile(
    r"(?<![\w/-])(?<!\d[.])(?P<a>\d{4}|\d{1,2})(?P<s>[./-]|\. )(?P<b>\d{1,2})(?P=s)(?P<c>\d{4}|\d{1,2})"
    r"(?!\d|[./-]\d)(?![^\W\dTt_])",
    re.IGNORECASE,
)
_NO_UNIT = re.compile(_UNIT, re.IGNORECASE)
_COMPACT = re.compile(
    r"(?<!\w)(?P<y>19[2-9]\d|20[0-4]\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d"
    r"|3[01])(?=(?:[0-2]\d[0-5]\d(?:[0-5]\d)?)?(?![\w]))"
)
_DAY = r"(?P<d>0?[1-9]|[12]\d|3[01])"
_YEAR = rf"(?P<y>(?:19|20)\d{{2}}|['’]?\d{{2}}(?!\.?[ -]?{MONTH}))(?!\w|:\d|[./-]\d)"
_DAY_FIRST = re.compile(
    rf"(?<![\w./:-]){_DAY}(?P<o>st|nd|rd|th)?(?P<s>\. ?|[ -]|[ ]?of[ ]|(?<=[stdh])[ ]+of[ ]"
    rf"|/)?(?P<m>{MONTH})(?![^\W\d_]|-[^\W\d_])\.?"
    rf"(?:(?P<t>,? |[-/.]|, ?)?{_YEAR})?" + _UNIT,
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?<![^\W\d_])(?P<m>{MONTH})(?:\.? |[-./])(?:the )?{_DAY}(?P<o>st|nd|rd|th)?(?![\w]|[.:/]\d)"
    rf"(?:(?P<t>,? |[-/.]|, ?){_YEAR}(?!\s?[ap]\.?m\b))?" + _UNIT,
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(
    rf"(?<![^\W\d_])(?P<m>{MONTH})(?:\.? of |\.?,? |[-/.]|\. ?)?(?P<y>(?:19|20)\d{{2}}|['’]\d{{2}}"
    rf"|(?<=-)\d\d|(?<=[ ])[4-9]\d)(?![\w]|[./-]\d)" + _UNIT,
    re.IGNORECASE,
)
_NUMBERS_OF_MONTH = re.compile(
    r"(?<![\w./-])(?:(?P<m>0?[1-9]|1[0-2])(?P<s>[/.-])(?P<y>(?:19|20)\d{2})|(?P<y2>(?:19"
    r"|20)\d{2})(?P<s2>[/-])(?P<m2>0[1-9]|1[0-2]))(?![\w]|[./-]\d)" + _UNIT
)
_MONTH_ALONE = re.compile(
    r"(?<![^\W\d_])(?P<b>(?:in|since|of|from|until|till|through|last|this|early|mid|late|during|between|im|seit"
    r"|anfang|mitte"
    r"|ende|vom|bis|zum|next|beginning of|end of|middle of|back in|dated|prior|previous)[ -]+)"
    rf"(?P<m>{MONTH})(?![^\W_]|[.]?[ -]\d)",
    re.IGNORECASE,
)
_PARTS = ("early", "mid", "late", "beginning of", "end of", "middle of", "anfang", "mitte", "ende")
"""What makes a few days of a month, which else stays if it has neither a day nor a year."""
_NO_YEAR = re.compile(
    r"(?<![\w./:,-])(?P<a>0?[1-9]|[12]\d|3[01])(?P<s>[/])(?P<b>0?[1-9]|[12]\d|3[01])(?![\w/%]|[.:-]\d)"
    r"(?!\s?(?:mm|cm|of|views?|images?|lobes?|segments?|thick|height|width|sided?|power|systolic|murmur|nodes?"
    r"|biops)\b)" + _UNIT
)
_NO_YEAR_GERMAN = re.compile(
    r"(?<![^\W\d_])(?:am|vom|seit|bis|zum|ab|dem|der|den)\s(?P<a>0?[1-9]|[12]\d|3[01])(?P<s>\. ?)(?P<b>0?[1-9]"
    r"|1[0-2])\.(?! ?\d)",
    re.IGNORECASE,
)
_NO_YEAR_BARE = re.compile(
    r"(?:(?<=[^\s\d.] )|(?<=(?:Mo|Di|Mi|Do|Fr|Sa|So)\. )|(?<= v\. )|(?<=[(/\n]))(?P<a>0?[1-9]|[12]\d|3[01])(?P<s>\.)"
    r"(?P<b>0?[1-9]|1[0-2])\."
    r"(?=[ ]?[,);:/–—-]|\s*\Z|\n| (?:um|mit|und|and|at|durchgeführt|erfolgt|zeigt|im|in|nach|wurde|war|aufgenommen)\b"
    r"| \d{1,2}[:.]\d\d)",
    re.IGNORECASE,
)
_BEFORE_NO_YEAR = re.compile(
    r"(?:(?<![^\W_])(?:than|addendum|on|from|dated?|since|until|till|prior|previous|exam(?:ination)?s?|stud(?:y|ies)|radiographs?"
    r"|films?|ct|mri|cxr|x-ray|comparison"
    r"|compar\w*(?: \w+){0,4} (?:with|to)|(?:stud(?:y|ies)|exams?|examinations?|radiographs?|films?|ct|mri|scans?"
    r"|cxr|x-ray) of|performed|done|obtained"
    r"|vom|am|seit|date|born|dob|admitted|scheduled|discharged|mon|tues?|wed|thurs?|fri|sat|sun"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|\ufffc(?: of|,| and|, and| through| to| -|;))"
    r"[\s:,;(-]{0,3}(?<=[\s:,;(-])(?:the )?$",
    re.IGNORECASE,
)
_FILMED = re.compile(
    r"(?<![^\W_])(?:ap|pa|lat|port|portable|film|vs|v|versus|compared?|comp|cf|prev|chest|supine|erect|upright|mobile|bedside"
    r"|zu|thorax|vgl|liegend)\.?[ ]$",
    re.IGNORECASE,
)
"""What stands before the day of a film in hasty English: "AP port 3/19", "better vs 3/18"."""
_NOT_A_DAY = re.compile(
    r"\b(?:series|image|images|im|se|slice|slices|img|grade|score|stage|level|rib|ribs|segments?|grading|gleason"
    r"|vertebra\w*"
    r"|views?|phase|lobe|scale|risk|reads?|strength|power|version|v|software|abb|abbildung|grad|stufe|kapitel|punkt|abschnitt|höhe|bild|serie)\b[\s:#(of]{0,5}$",
    re.IGNORECASE,
)
_MAY_MEANS = re.compile(
    r"\s+(?:be|represents?|reflects?|relate|indicate|suggest|also|have|not|correspond|simply|well|mimic|mask|obscure"
    r"|cause"
    r"|account|result|explain|still|just|only|partly|in\s+part|contain|require|need|benefit|necessitate|actually"
    r"|potentially"
    r"|possibly|show|show\w*|appear|simulate|warrant|exist|develop|persist|help|or\s+may|even|include|consider"
    r"|limit)\b",
    re.IGNORECASE,
)
_FAR, _AHEAD = 1900, 2100
_TIMED = re.compile(r",? ?(?:@|at) ?\d|,? (?:[01]\d|2[0-3]):?[0-5]\d(?!\d| ?(?:mm|cm))")
"""A time of day behind a day and a month."""
_PADDED = 2
"""Figures of a day and a month in "02/14", as nothing is counted or measured."""


def shift_dates(claims: Claims, by: timedelta) -> None:
    """Claim every date for the same form of the day that is ``by`` later."""
    text = claims.text
    for finder in (_echoes, _numeric, _compact, dates_in_words, _named, _months, _short, _unread):
        for start, end, written in finder(text, by):
            if text[end : end + 1] == SHIFTED:
                claims.keep(start, end + 1)
            elif claims.add(start, end, "date", written if written == UNREAD else written + SHIFTED):
                _shift_weekday(claims, text, start, by)
        claims.settle()
        text = claims.text


def date_at(text: str, at: int) -> int | None:
    """The end of a date that is written at this place, with its year; None where there is none."""
    ends = []
    for pattern in (_NUMERIC, _COMPACT, _DAY_FIRST, _MONTH_FIRST, _MONTH_YEAR, _NUMBERS_OF_MONTH):
        m = pattern.match(text, at)
        if m is not None and any(m[part] for part in ("y", "y2", "c") if part in pattern.groupindex):
            ends.append(m.end())
    return max(ends, default=None)


def _shift_weekday(claims: Claims, text: str, start: int, by: timedelta) -> None:
    match = _WEEKDAY.search(text, max(0, start - 14), start)
    if match is None or match[1].lower() == "mit" or (len(match[1]) == 2 and not match[1].istitle()):
        return
    for names in _WEEKDAYS:
        for short in (0, 4, 3, 2):
            known = [name[: short or None].lower() for name in names]
            if match[1].lower() in known:
                name = names[(known.index(match[1].lower()) + by.days) % 7]
                if short == 4 and names is _WEEKDAYS[0] and not name.startswith("T"):
                    short = 3  # "Tues" becomes "Fri"
                claims.add(match.start(1), match.end(1), "date", cased(name[: short or None], match[1]) + SHIFTED)
                return


_WEEKDAY = re.compile(
    "(?<![^\\W_])("
    + "|".join(sorted({n[: s or None] for ns in _WEEKDAYS for n in ns for s in (0, 4, 3, 2)}, key=len, reverse=True))
    + ")\\.?,? (?:the |dem |den |der )?$",
    re.IGNORECASE,
)


def _numeric(text: str, by: timedelta) -> Iterator[Found]:
    found = [
        m
        for m in _NUMERIC.finditer(text)
        if (4 in (len(m["a"]), len(m["c"])) or (len(m["c"]) == 2 and _NO_UNIT.match(text, m.end())))
        and (
            len(m["c"]) == 4
            or (
                m["s"] == "/" and text[max(0, m.start() - 6) : m.start()].lower().endswith(("view ", "views "))
            )  # "two views 9/9/09"
            or not _NOT_A_DAY.search(text, max(0, m.start() - 24), m.start())
        )
    ]
    month_first = not any(_order(m) == "d" for m in found) and (
        any(_order(m) == "m" for m in found) or not GERMAN_TEXT.search(text)
    )
    for m in found:
        a, b, c = m["a"], m["b"], m["c"]
        orders = ("ymd",) if len(a) == 4 else (("mdy", "dmy") if month_first and m["s"] != ". " else ("dmy", "mdy"))
        if m["s"] == "." and not any(_order(other) == "m" for other in found if other["s"] == "."):
            orders = ("ymd",) if len(a) == 4 else ("dmy", "mdy")
        if len(a) == 2 and len(c) == 2 and m["s"] == "-":
            orders = (*orders, "ymd")
        for order in orders:
            part = dict(zip(order, (a, b, c), strict=True))
            day = _day(full_year(part["y"]), int(part["m"]), int(part["d"]))
            if day is None:
                continue
            new = day + by
            pad = any(p.startswith("0") for p in (part["m"], part["d"])) or min(map(len, (part["m"], part["d"]))) == 2
            values = {
                "y": str(new.year) if len(part["y"]) == 4 else f"{new.year % 100:02d}",
                "m": f"{new.month:02d}" if pad else str(new.month),
                "d": f"{new.day:02d}" if pad else str(new.day),
            }
            yield Found(m.start(), m.end(), m["s"].join(values[letter] for letter in order))
            break


def _echoes(text: str, by: timedelta) -> Iterator[Found]:
    """Days without a year a few days from a whole date of the same form: "11.3.22 ... Previous: 9.3, 10.3."."""
    whole: dict[str, list[tuple[date, bool]]] = {}
    for m in _NUMERIC.finditer(text):
        if len(m["a"]) < 4 and (len(m["c"]) == 4 or m["s"] != "."):
            for month_first in (False, True):
                d, month = (m["b"], m["a"]) if month_first else (m["a"], m["b"])
                if day := _day(full_year(m["c"]), int(month), int(d)):
                    whole.setdefault(m["s"], []).append((day, month_first))
        elif len(m["a"]) < 4 and (day := _day(full_year(m["c"]), int(m["b"]), int(m["a"]))):
            whole.setdefault(m["s"], []).append((day, False))
    for m in _ECHO.finditer(text) if whole else ():
        sep = m["s"]
        if sep == "." and not (_OPENS.search(text, max(0, m.start() - 16), m.start()) and _CLOSES.match(text, m.end())):
            continue
        if not _NO_UNIT.match(text, m.end()) or _NOT_A_DAY.search(text, max(0, m.start() - 24), m.start()):
            continue
        for of, month_first in whole.get(sep, ()):
            d, month = (m["b"], m["a"]) if month_first else (m["a"], m["b"])
            day = _day(of.year, int(month), int(d))
            if day is not None and abs((day - of).days) <= _NEAR:
                yield from _no_year(m, (day.month, day.day), month_first, by)
                break


_ECHO = re.compile(
    r"(?<![\w./:,-])(?<!\d )(?P<a>0?[1-9]|[12]\d|3[01])(?P<s>[./-])(?P<b>0?[1-9]|[12]\d|3[01])(?![\w%/-]"
    r"|[.:,]\d| ?[x×]| of\b)"
)
_OPENS = re.compile(
    r"(?:[:;,(]|\d\.?\d?\d?,|\b(?:am|vom|on|from|seit|since|prior|previous|vor)) ?$|(?:^|\n)$", re.IGNORECASE
)
_CLOSES = re.compile(r"\.?[,;:)]|\.(?:\s|$)|\s*$")
_NEAR = 14
"""Days between a day without a year and the whole date that tells its form."""


def _order(m: re.Match[str]) -> str:
    if len(m["a"]) == 4:
        return ""
    if int(m["a"]) > 12:
        return "d"
    return "m" if int(m["b"]) > 12 else ""


def _compact(text: str, by: timedelta) -> Iterator[Found]:
    for m in _COMPACT.finditer(text):
        if day := _day(int(m["y"]), int(m["m"]), int(m["d"])):
            yield Found(m.start(), m.end(), (day + by).strftime("%Y%m%d"))


def _named(text: str, by: timedelta) -> Iterator[Found]:
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for m in pattern.finditer(text):
            if m["y"] is None and not _is_month(text, m):
                continue
            year = full_year(m["y"].lstrip("'’")) if m["y"] else 2000 if int(m["d"]) == 29 else 2023
            day = _day(year, SPELLINGS[m["m"].lower()], int(m["d"]))
            if day is None:
                continue
            new = day + by
            written = {"d": _like(new.day, m["d"]), "m": month_like(new, m["m"], text, m.start())}
            if m["o"]:
                written["o"] = cased(ordinal(new.day), m["o"])
            if m["y"]:
                written["y"] = year_like(new, m["y"])
            yield Found(m.start(), _end(text, m), _rewritten(m, written, _end(text, m)))


def _end(text: str, m: re.Match[str]) -> int:
    """The end of a match without a full stop that may end the sentence."""
    return m.end() - (text[m.end() - 1] == "." and m["y"] is None)


def _months(text: str, by: timedelta) -> Iterator[Found]:
    for m in _MONTH_YEAR.finditer(text):
        if (of := day_before(text, m.start())) is not None:
            yield Found(of, m.end(), UNREAD)
            continue
        day = _day(full_year(m["y"].lstrip("'’")), SPELLINGS[m["m"].lower()], 15)
        if day:
            new = day + by
            written = {"m": month_like(new, m["m"], text, m.start()), "y": year_like(new, m["y"])}
            yield Found(m.start(), m.end(), _rewritten(m, written, m.end()))
    for m in _NUMBERS_OF_MONTH.finditer(text):
        y, month = (m["y"], m["m"]) if m["y"] else (m["y2"], m["m2"])
        if _NOT_A_DAY.search(text, max(0, m.start() - 24), m.start()) or not (day := _day(int(y), int(month), 15)):
            continue
        new = day + by
        names = ("y", "m") if m["y"] else ("y2", "m2")
        written = {names[0]: str(new.year), names[1]: _like(new.month, month)}
        yield Found(m.start(), m.end(), _rewritten(m, written, m.end()))


def _short(text: str, by: timedelta) -> Iterator[Found]:
    for m in _MONTH_ALONE.finditer(text):
        german = m["b"].strip(" -").lower() in ("im", "seit", "anfang", "mitte", "ende", "vom", "bis", "zum")
        if not _is_month(text, m) or (m["m"].lower() in ONLY_GERMAN and not german):
            continue
        if (of := day_before(text, m.start("m"))) is not None:
            yield Found(of, m.end("m"), UNREAD)
        elif m["b"].strip(" -").lower() in _PARTS:
            new = date(2023, SPELLINGS[m["m"].lower()], 15) + by
            yield Found(m.start("m"), m.end("m"), month_like(new, m["m"], text, m.start("m")))
    for m in _NO_YEAR.finditer(text):
        before = text[max(0, m.start() - 48) : m.start()]
        padded = len(m["a"]) == len(m["b"]) == _PADDED and "0" in (m["a"][0], m["b"][0])
        timed = _TIMED.match(text, m.end())
        listed = max(int(m["a"]), int(m["b"])) > 12 and (
            text[m.end() : m.end() + 1] == ":" or (before[-2:] in (", ", ": ") and _CLOSES.match(text, m.end()))
        )
        filmed = max(int(m["a"]), int(m["b"])) > 12 and _FILMED.search(before)
        if (padded or timed or listed or filmed or _BEFORE_NO_YEAR.search(before)) and not _NOT_A_DAY.search(before):
            a, b = int(m["a"]), int(m["b"])
            month_first = a <= 12 and not (b <= 12 and GERMAN_TEXT.search(text))
            yield from _no_year(m, (a, b) if month_first else (b, a), month_first, by)
    for m in _NO_YEAR_GERMAN.finditer(text):
        yield from _no_year(m, (int(m["b"]), int(m["a"])), False, by)
    for m in _NO_YEAR_BARE.finditer(text):
        padded = len(m["a"]) == len(m["b"]) == _PADDED
        if (padded or GERMAN_TEXT.search(text)) and not _NOT_A_DAY.search(text, max(0, m.start() - 24), m.start()):
            yield from _no_year(m, (int(m["b"]), int(m["a"])), False, by)


def _no_year(m: re.Match[str], of: tuple[int, int], month_first: bool, by: timedelta) -> Iterator[Found]:
    day = _day(2000 if of == (2, 29) else 2023, *of)
    if day is None:
        return
    new = day + by
    pad = "0" in (m["a"][0], m["b"][0]) or len(m["a"]) == len(m["b"]) == 2
    month, number = ((f"{n:02d}" if pad else str(n)) for n in (new.month, new.day))
    pair = (month, number) if month_first else (number, month)
    yield Found(m.start("a"), m.end("b"), m["s"].join(pair))


def _is_month(text: str, m: re.Match[str]) -> bool:
    """Whether the name of a month without a year means one: "may", "march", "mar" and "sun" do not always."""
    name = m["m"]
    if name.lower() in ("may", "march", "mar", "sep", "dec", "jan", "mai", "aug"):
        if name.islower() and not m.groupdict().get("o"):
            return False
        if name.lower() == "may" and _MAY_MEANS.match(text, m.end()):
            return False
        if (
            name.isupper()
            and m.groupdict().get("o") is None
            and name.lower() in ("may", "march")
            and re.match(r"[ \t]+[A-Z]{2}", text[m.end() : m.end() + 8])
        ):
            return (
                re.match(r"[ \t]+(?:AT|AND|TO|THROUGH|EXAM|STUDY|CT|RADIOGRAPH)\b", text[m.end() : m.end() + 14])
                is not None
            )
    return True


def _day(year: int, month: int, number: int) -> date | None:
    if not _FAR <= year <= _AHEAD:
        return None
    try:
        return date(year, month, number)
    except ValueError:
        return None


def _like(value: int, written: str) -> str:
    return f"{value:02d}" if written.startswith("0") else str(value)


def _rewritten(m: re.Match[str], written: dict[str, str], end: int) -> str:
    """A match with some groups replaced."""
    parts, at = [], m.start()
    for start, stop, name in sorted((m.start(name), m.end(name), name) for name in written):
        parts += [m.string[at:start], written[name]]
        at = stop
    return "".join([*parts, m.string[at:end]])


_RANGE = re.compile(r"(?<![\w.])\d{1,2}\.[ ]?(?:[-–]|bis|und|/)[ ]?\d{1,2}\.[ ]?\d{1,2}\.(?:\d{2,4})?(?!\d)")
"""Days of one month: "9.–11.4."."""
_ON = re.compile(
    r"(?<![^\W_])(?:mo|di|mi|do|fr|sa|so|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)[.,]{0,2} \d{1,2}"
    r"(?:\.[ ]?\d{1,2}\.?|/\d{1,2})(?![\d/]|[.,]\d| ?(?:mm|cm|mg|%|uhr))",
    re.IGNORECASE,
)
"""A weekday with a day and a month: "Fr., 14.02.", "thurs 10/1"."""
_ROMAN = re.compile(r"(?<![\w.])\d{1,2}\.[ ]?(?:I{1,3}|I?V|VI{0,3}|I?X|XI{1,2})\.(?!\w)", re.IGNORECASE)
"""A day and a month in Roman figures without a year: "22.XI."."""


def _unread(text: str, by: timedelta) -> Iterator[Found]:
    """Days that are found by their form and not read, as no year and no other date tells what they are."""
    for pattern in (_RANGE, _ON, _ROMAN):
        yield from (Found(*m.span(), UNREAD) for m in pattern.finditer(text))
