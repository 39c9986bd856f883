"""Whether a text speaks of a CT that was made, and whether of one made after the X-ray.

A text that speaks of a CT that was made cannot be shown to be from before the CT; one that speaks of a CT made after
the X-ray shows that it is from after it.  A CT that is recommended, awaited, missing or called an earlier one was not
made in between.
"""

from __future__ import annotations

import datetime as dt
import re
from enum import IntEnum

from radcal.reports.records import Section
from radcal.reports.sections import document
from radcal.reports.times import DATE, DAY, nanoseconds, readings


class NamedCt(IntEnum):
    """The CT that a text speaks of: none that was made, one that was, one that was made after the X-ray."""

    NOT_ASKED = -1
    NONE = 0
    MADE = 1
    LATER = 2


_CT = re.compile(
    r"(?<![\w/])(?:(?:MD|HR|LD|PET[-/ ]?)?CT(?:A|PA|s)?(?![\w/])(?!\s+ratio)|(?:Thorax|Brust)-?CT\b|Thoraxct\b|"
    r"[Cc][Aa][Tt] scans?\b|(?i:computed tomograph|computer-?tomogra[fp]|computerized tomograph))"
)
_USEFUL = r"(?:considered|warranted|helpful|useful|needed|required|indicated|of (?:value|use))"
_MADE = rf"(?:obtained|performed|done|made|{_USEFUL})"
_WISHED = re.compile(
    r"recommend|\badvis|\badvocat|\bplease\b|\bif\b|\bwould\b|\bsuggest(?:ed)?\b(?=.{0,300}\b(?:CT|comput))|"
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
_CLAUSE = re.compile(
    r",\s+(?!(?:which was |that was )?(?:performed|obtained|done|acquired|made|durchgeführt)\b)|"
    r"(?<!\s)\s+(?:but|although|however|aber|jedoch)\s+",
    re.IGNORECASE,
)

_A_CT = r"(?:\b[\w/-]{0,15}CT(?:A|PA|s)?\b|\bCAT scan|\bcomput(?:ed|eri[sz]ed|er)[ -]?tomogra\w{1,6})"
_WORDS = r"(?:[\w/.-]{1,25}\s){0,4}?"
_AFTER = re.compile(
    rf"\b(?:subsequent(?:ly)?|later|ensuing|(?:next|following)[- ]day|nachfolgend\w*|anschließend\w*|nachträglich\w*|"
    rf"später\w*|danach|im anschluss|am (?:folgetag|nächsten tag))\s{_WORDS}{_A_CT}|"
    rf"{_A_CT},?\s{_WORDS}(?:subsequently|later|afterwards?|thereafter|(?:next|following) day|"
    r"after (?:this|the (?:present|current))|(?:hours?|h|hrs?|minutes?|min|days?) after|"
    r"später|danach|anschließend|nachfolgend)\b",
    re.IGNORECASE,
)
_DATED = re.compile(rf"{_A_CT}\s{_WORDS}(?={DATE.pattern})", re.IGNORECASE)
_AHEAD = re.compile(
    r"\b(?:will|shall|attention|await\w*|proceed\w*|going|undergo|to follow|wird|werden|soll\w*|abwarten|folgt)\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\b(?:show|demonstrat|reveal|confirm|detect|exclude[sd]|perform|obtained|acquired|done|made|seen|see\b|found|noted|"
    r"identified|depicted|characteri[sz]ed|evaluated|assessed|visuali[sz]ed|appreciated|correspond|correlat|compar|was|"
    r"were|is|are|has|had|prove[nds]|zeigt|bestätigt|nachgewiesen|durchgeführt|ergab|gesehen|sieht|sichtbar|erkennbar|"
    r"abgrenzbar|entspr)",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:prior|previous(?:ly)?|earlier|known|history|remote|old|last|ago|früher\w*|(?:vor)?bekannt\w*|damals|"
    r"vor(?:aufnahme|untersuchung)\w*|(?<![\d./-])(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:compar\w* (?:to|with)|since|unchanged from|new from|im vergleich|seit)\b[^,;:]{0,80}", re.IGNORECASE
)
"""What the X-ray is held against, which says nothing of when the CT was made."""
_REACH = 400
"""Characters of a sentence before a clause that are searched."""
_OF_THE_PATIENT = (Section.INDICATION, Section.TECHNIQUE)
"""Sections whose "subsequent" is not of this X-ray."""


def names_ct(text: str, exam_time: dt.datetime | None = None) -> NamedCt:
    """The CT that a text speaks of.  A date beside it tells only with the time of the X-ray."""
    if not _may_name(text):
        return NamedCt.NONE
    if _speaks_of_a_later(text, exam_time):
        return NamedCt.LATER
    made = any(
        _of_one_made(clause)
        for sentence in _SENTENCE.split(text)
        if _may_name(sentence) and not _COMPARED.match(sentence)
        for clause in _CLAUSE.split(sentence)
    )
    return NamedCt.MADE if made else NamedCt.NONE


def _speaks_of_a_later(text: str, exam_time: dt.datetime | None) -> bool:
    if not _AFTER.search(text) and (exam_time is None or not _DATED.search(text)):
        return False
    exam = None if exam_time is None else nanoseconds(exam_time)
    for sentence in document("", text).sentences:
        if sentence.section in _OF_THE_PATIENT or not _may_name(sentence.text):
            continue
        before = ""
        for clause in _CLAUSE.split(" ".join(sentence.text.split())):
            of_one_made = _of_one_made(clause) and not _AHEAD.search(clause)
            shown = sentence.section is Section.COMPARISON or _SHOWN.search(clause)
            if of_one_made and shown and _is_later(clause, before, exam):
                return True
            before = f"{before}{clause}, "[-_REACH:]
    return False


def _is_later(clause: str, before: str, exam: int | None) -> bool:
    """Whether the CT of a clause was made after the X-ray; ``before`` is what precedes it in its sentence."""
    if exam is not None and (found := _DATED.search(clause)) and (date := DATE.match(clause, found.end())):
        read = readings(date.group())
        if read and max(read) < exam:
            return False
        # If day and month may be either way, both must be after the X-ray, and a mere date on a later day.
        if read and min(read) - (DAY - 1 if min(read) % DAY == DAY - 1 else 0) > exam:
            return True
    if (found := _AFTER.search(clause)) is None:
        return False
    return not _FORMERLY.search(_AGAINST.sub("", before + clause[: found.start()]))


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
