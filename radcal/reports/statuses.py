"""The words of systems for the status of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from radcal.reports.column_names import simplified

NO_WORDS: Mapping[str, str] = MappingProxyType({})
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 4
_STATUS = {
    word: status
    for status, words in {
        "final": "f final finalized finalised signed verified approved authenticated complete completed"
        " released validated auth authverified finalresult"
        " freigegeben vidiert signiert endbefund endgultig endgultiger endgultige abgeschlossen valide definitif"
        " definitivo validado firmado finalreport signerad signerat granskad definitiv",
        "preliminary": "p prelim preliminary draft dictated transcribed unsigned pending inprogress unverified wetread"
        " diktiert vorlaufig vorlaufiger vorlaufige vorbefund geschrieben provisoire preliminaire brouillon preliminar"
        " provisional borrador preliminarreport preliminaryresult dikterad preliminart",
        "addendum": "a addend addendum addended addenda finalwithaddendum finaladdendum nachtrag nachgetragen adenda"
        " tillagg",
        "corrected": "c corrected correction amended revised modified correctedresult korrigiert corrige corregido"
        " rattad andrad",
        "cancelled": "x cancel canc cancelled canceled deleted void enteredinerror error inerror storniert annule"
        " anulado cancelado makulerad",
    }.items()
    for word in words.split()
}


STATUSES = tuple(dict.fromkeys(_STATUS.values()))
"""'final', 'preliminary', 'addendum', 'corrected' and 'cancelled'."""


_FINAL_REPORTS = (
    "final finalized finalised signed verified approved authenticated auth authverified finalresult finalreport"
    " freigegeben vidiert signiert endbefund endgultig valide definitif definitivo validado firmado signerad signerat"
    " granskad definitiv"
)
_OF_ORDERS = "pending inprogress modified andrad"
_ADDING_NOTHING = (
    "report reports result results status with read rad radiology imaging diagnostic befund bericht mit informe compte"
    " rendu svar"
)


@cache
def _of_reports() -> frozenset[str]:
    """Words that are said of reports, and hardly of orders and examinations."""
    versions = {w for w, status in _STATUS.items() if status not in ("final", "cancelled") and len(w) > 1}
    return frozenset(versions - {*_OF_ORDERS.split()} | {*_FINAL_REPORTS.split()})


_RISING = ("final", "preliminary", "cancelled", "corrected", "addendum")
"""Of several words, the last of these counts: "final, addended" is an addendum."""


def status_of(cell: str, own: Mapping[str, str] = NO_WORDS) -> str | None:
    """One of STATUSES; '' of an empty cell, None of unknown words.

    own: further words, simplified, and their meanings
    """
    if not cell:
        return ""
    if (whole := _of_word(cell, own)) is not None:
        return whole
    words = [word for word in _WORD.findall(cell) if simplified(word) not in _ADDING_NOTHING.split()]
    each = {_of_word(word, own) if len(word) > 1 else None for word in words}
    known = [status for status in each if status is not None]
    return max(known, key=_RISING.index) if 0 < len(known) == len(each) and len(words) <= _MOST_WORDS else None


def is_of_report(cell: str) -> bool:
    """Whether a status is one that reports have, and orders and examinations hardly have."""
    words = (_trimmed(cell), *map(_trimmed, _WORD.findall(cell)))
    return status_of(cell) in STATUSES and any(word in _of_reports() for word in words)


def _of_word(cell: str, own: Mapping[str, str]) -> str | None:
    return own.get(simplified(cell)) or _STATUS.get(_trimmed(cell))


def _trimmed(cell: str) -> str:
    """A word without a number before or behind it."""
    return re.sub(r"^[0-9]{1,2}|[0-9]{1,2}$", "", simplified(cell))
