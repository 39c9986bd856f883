"""The words of systems for the status of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from radcal.ingest.column_names import simplified

NO_WORDS: Mapping[str, str] = MappingProxyType({})
_STATUS = {
    word: status
    for status, words in {
        "final": "f final finalized finalised signed verified approved authenticated complete completed"
        " released validated auth authverified finalresult"
        " freigegeben vidiert signiert endbefund valide definitif definitivo validado firmado finalreport"
        " signerad signerat granskad definitiv",
        "preliminary": "p prelim preliminary draft dictated transcribed unsigned pending unverified wetread diktiert"
        " vorlaufig geschrieben provisoire preliminaire brouillon preliminar provisional borrador"
        " preliminarreport preliminaryresult dikterad preliminart",
        "addendum": "a addendum addended addenda finalwithaddendum finaladdendum nachtrag adenda tillagg",
        "corrected": "c corrected correction amended revised modified correctedresult korrigiert corrige corregido"
        " rattad andrad",
        "cancelled": "x cancelled canceled deleted void enteredinerror error inerror storniert annule anulado cancelado"
        " makulerad",
    }.items()
    for word in words.split()
}


STATUSES = tuple(dict.fromkeys(_STATUS.values()))
"""'final', 'preliminary', 'addendum', 'corrected' and 'cancelled'."""


def status_of(cell: str, own: Mapping[str, str] = NO_WORDS) -> str | None:
    """One of STATUSES; '' of an empty cell, None of an unknown word.

    own: further words, simplified, and their meanings
    """
    if not cell:
        return ""
    word = simplified(cell)
    return own.get(word) or _STATUS.get(re.sub(r"^[0-9]{1,2}|[0-9]{1,2}$", "", word))
