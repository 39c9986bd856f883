"""Whether a text speaks of a CT that was made, and whether of one made after the X-ray.

A text that speaks of a CT that was made cannot be shown to be from before the CT; one that speaks of a CT made after
the X-ray shows that it is from after it.  A CT that is recommended, awaited, missing or called an earlier one was not
made in between.
"""

from __future__ import annotations

import datetime as dt
from enum import IntEnum

from radcal.reports.records import Section
from radcal.reports.sections import document
from radcal.reports.times import DATE, DAY, nanoseconds, readings
from radcal.system.resources import patterns


class NamedCt(IntEnum):
    """The CT that a text speaks of: none that was made, one that was, one that was made after the X-ray."""

    NOT_ASKED = -1
    NONE = 0
    MADE = 1
    LATER = 2


_P = patterns("reading", "named_ct.toml", date=DATE.pattern)

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
        for sentence in _P["sentence"].split(text)
        if _may_name(sentence) and not _P["compared"].match(sentence)
        for clause in _P["clause"].split(sentence)
    )
    return NamedCt.MADE if made else NamedCt.NONE


def _speaks_of_a_later(text: str, exam_time: dt.datetime | None) -> bool:
    if not _P["after"].search(text) and (exam_time is None or not _P["dated"].search(text)):
        return False
    exam = None if exam_time is None else nanoseconds(exam_time)
    for sentence in document("", text).sentences:
        if sentence.section in _OF_THE_PATIENT or not _may_name(sentence.text):
            continue
        before = ""
        for clause in _P["clause"].split(" ".join(sentence.text.split())):
            of_one_made = _of_one_made(clause) and not _P["ahead"].search(clause)
            shown = sentence.section is Section.COMPARISON or _P["shown"].search(clause)
            if of_one_made and shown and _is_later(clause, before, exam):
                return True
            before = f"{before}{clause}, "[-_REACH:]
    return False


def _is_later(clause: str, before: str, exam: int | None) -> bool:
    """Whether the CT of a clause was made after the X-ray; ``before`` is what precedes it in its sentence."""
    if exam is not None and (found := _P["dated"].search(clause)) and (date := DATE.match(clause, found.end())):
        read = readings(date.group())
        if read and max(read) < exam:
            return False
        # If day and month may be either way, both must be after the X-ray, and a mere date on a later day.
        if read and min(read) - (DAY - 1 if min(read) % DAY == DAY - 1 else 0) > exam:
            return True
    if (found := _P["after"].search(clause)) is None:
        return False
    return not _P["formerly"].search(_P["against"].sub("", before + clause[: found.start()]))


def _may_name(text: str) -> bool:
    """False where no CT can be named; much quicker than to look for all its names."""
    if "CT" in text:
        return True
    lower = text.lower()
    return "comput" in lower or "cat scan" in lower or "thoraxct" in lower


def _of_one_made(clause: str) -> bool:
    named = len(_P["ct"].findall(clause)) if _may_name(clause) else 0
    if not named or _P["wished"].search(clause) or len(_P["earlier"].findall(clause)) >= named:
        return False
    return not (_P["for_further"].search(clause) and not _P["seen"].search(clause))
