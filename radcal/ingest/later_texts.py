"""What the text of an X-ray report says about when it was written: addenda within it, and whether it names a CT.

A text that speaks of a CT that was made cannot be shown to be from before the CT.  A CT that is recommended, missing
or called an earlier one was not made in between.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass

from radcal.ingest import times

_QUICK = ("addend", "nachtrag", "ergänzung")
"""One of these is in every heading of an addendum; much quicker to look for than the headings."""
_ADDENDUM = re.compile(
    r"^[ \t*=\-_#>\[(]*(?:(?:start|begin(?:ning)?)\s+of\s+)?(?:addend(?:um|a)\b|nachtrag\b|ergänzung\s+zum\s+befund\b)"
    r"(?![ \t]+(?:is|was|will|to\s+follow|wird|folgt)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_ORIGINAL = re.compile(
    r"^[ \t*=\-_#>\[(]*(?:end\s+of\s+addend(?:um|a)\b[^\n]*\n?|(?:original|initial|previous|final)\s+(?:report|"
    r"interpretation|findings|dictation)\b|(?:original|ursprünglicher\s+)befund\b|exam(?:ination)?(?:\s+type)?\s*:|"
    r"(?:clinical\s+)?(?:indications?|history|information)\s*:|procedure\s*:|study\s*:|untersuchung\s*:|"
    r"fragestellung\s*:|klinische\s+angaben\s*:)",
    re.IGNORECASE | re.MULTILINE,
)
_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:(?:\s*,\s*|\s+at\s+|\s+um\s+|\s+|T)\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?)?",
    re.IGNORECASE,
)
_HEAD = 160
"""Characters of an addendum in which its date may stand."""
DAY = 86_400 * 10**9
"""Nanoseconds of a day."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """The span of an addendum in a report, or of the report without its addenda.

    time: own date of the addendum, nanoseconds since 1970, the end of the day where it has no time of day; None if it
        has none;  names_ct: speaks of a CT that was made
    """

    start: int
    end: int
    addendum: bool
    time: int | None = None
    names_ct: bool = False


def text_parts(text: str, exam_time: dt.datetime | None = None) -> tuple[TextPart, ...]:
    """The report and its addenda within one text, in order; () if it has no addendum.

    An addendum begins at its heading and ends at the next, or, where it stands before the report, at the report's first
    heading.  Of a date that fits both orders of day and month, the one nearest after ``exam_time`` is meant.
    """
    lower = text.lower()
    if not any(word in lower for word in _QUICK):
        return ()
    starts = [found.start() for found in _ADDENDUM.finditer(text)]
    if not starts:
        return ()
    edges = [(0, False)] if text[: starts[0]].strip() else []
    edges += [(start, True) for start in starts]
    if edges[0][1] and (original := _ORIGINAL.search(text, starts[-1] + 1)):
        edges.append((original.start(), False))
    ends = [start for start, _ in edges[1:]] + [len(text)]
    return tuple(
        TextPart(start, end, later, _own_time(text[start:end], exam_time) if later else None, names_ct(text[start:end]))
        for (start, later), end in zip(edges, ends, strict=True)
        if text[start:end].strip()
    )


def packed(parts: tuple[TextPart, ...]) -> str:
    """The parts as short JSON, '' for none."""
    rows = [[p.start, p.end, int(p.addendum), p.time, int(p.names_ct)] for p in parts]
    return json.dumps(rows, separators=(",", ":")) if rows else ""


def unpacked(parts: str) -> tuple[TextPart, ...]:
    """The inverse of :func:`packed`."""
    rows = json.loads(parts) if parts else ()
    return tuple(TextPart(start, end, bool(later), time, bool(named)) for start, end, later, time, named in rows)


def _own_time(addendum: str, exam_time: dt.datetime | None) -> int | None:
    head = addendum[:_HEAD].strip().partition("\n")[0]
    if (found := _DATE.search(head)) is None:
        return None
    read = {
        int(of.time[0].astype("datetime64[ns]").astype("int64"))
        for day_first in (True, False)
        for of in (times.parse_times([found.group()], day_first=day_first),)
        if of.state[0] == times.OK
    }
    if exam_time is not None:
        begin = int(dt.datetime(exam_time.year, exam_time.month, exam_time.day, tzinfo=dt.UTC).timestamp()) * 10**9
        read = {time for time in read if time >= begin}
    return shown_by(min(read)) if read else None


def shown_by(time: int) -> int:
    """The latest moment that a time stands for: midnight is how a date without a time of day is written."""
    return time + DAY - 1 if time % DAY == 0 else time


_CT = re.compile(
    r"(?<![\w/])(?:(?:MD|HR|LD|PET[-/ ]?)?CT(?:A|PA|s)?(?![\w/])(?!\s+ratio)|(?:Thorax|Brust)-?CT\b|Thoraxct\b|"
    r"[Cc][Aa][Tt] scans?\b|(?i:computed tomograph|computer-?tomogra[fp]|computerized tomograph))"
)
_USEFUL = r"(?:considered|warranted|helpful|useful|needed|required|indicated|of (?:value|use))"
_MADE = rf"(?:obtained|performed|done|made|{_USEFUL})"
_WISHED = re.compile(
    r"recommend|\badvis|\badvocat|\bplease\b|\bif\b|\bwould\b|\bsuggest(?:ed)?\b(?=.*\b(?:CT|omput))|"
    r"\bsuggest (?:a )?(?:further|follow)|\bconsider\b|\bconsideration\b|"
    rf"\b(?:could|should|can|may|might|must) (?:also |then |further )?be (?:\w+ )?{_MADE}|\b(?:is|are) {_USEFUL}\b|"
    r"\b(?:could|may|might|can|should) (?:help|further|better|aid|provide|follow)|"
    r"correlat\w* with (?:a )?(?:follow|dedic)|"
    r"\bpending\b|\bplanned\b|\bscheduled\b|\bordered\b|\bto be\b|"
    r"empf(?:ohlen|ehl|iehlt)|\berwäg|\bggf\b|gegebenenfalls|\bsollte|\bkönnte|\bkann\b|ratsam|indiziert|anzuraten|"
    r"angeraten|\bbitte\b|\bbei (?:bedarf|persist)|\bgeplant|\berbeten|ausstehend|wünschenswert|sinnvoll",
    re.IGNORECASE,
)
_FOR_FURTHER = re.compile(
    r"for further|for better|follow[- ]?up (?:chest )?CT|dedicated CT|weitere\w* abklärung|zur abklärung", re.IGNORECASE
)
_SEEN = re.compile(
    r"\b(?:show|demonstrat|reveal|confirm|detect|exclude[sd]|perform|obtained|seen|found|identified|was|were|prove[nds]|"
    r"subsequent|zeigt|bestätigt|nachgewiesen|durchgeführt|ergab|gesehen|sieht)",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:prior|previous|earlier|old|older|outside|remote|preceding|no|without|not|unavailable|"
    r"vor-?|vorherig\w*|früher\w*|voran\w*|ältere\w*|kein\w*|ohne)\b[\s,]+(?:[\w/.-]+\s+){0,3}?(?:\w+-)?(?=CT|CAT|PET|"
    r"MDCT|HRCT|[Cc]omput|Thorax)|\bvor-?CT\b|\bCTs? (?:was|were|is) not\b|\bCT (?:nicht|not available|unavailable)",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"^\W*(?:comparisons?|technique|(?:clinical )?(?:history|indications?)|vergleich|"
    r"voraufnahmen?|voruntersuchung(?:en)?|klinische angaben|fragestellung)\s*:",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(r",\s+|\s+(?:but|although|however|aber|jedoch)\s+", re.IGNORECASE)


def names_ct(text: str) -> bool:
    """Whether a text speaks of a CT that was made: not of one recommended, planned, missing or earlier."""
    return _may_name(text) and any(
        _of_one_made(clause)
        for sentence in _SENTENCE.split(text)
        if _may_name(sentence) and not _COMPARED.match(sentence)
        for clause in _CLAUSE.split(sentence)
    )


def _may_name(text: str) -> bool:
    """False where no CT can be named; much quicker than to look for all its names."""
    if "CT" in text:
        return True
    lower = text.lower()
    return "comput" in lower or "cat scan" in lower or "thoraxct" in lower


def _of_one_made(clause: str) -> bool:
    named = len(_CT.findall(clause)) if _may_name(clause) else 0
    if not named or _WISHED.search(clause) or len(_EARLIER.findall(clause)) >= named:
        return False
    return not (_FOR_FURTHER.search(clause) and not _SEEN.search(clause))
