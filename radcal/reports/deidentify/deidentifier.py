"""All detectors, in the order of their certainty, on one text."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from radcal.reports.deidentify.addresses import ADDRESSES, LISTED_ADDRESSES
from radcal.reports.deidentify.births import AGES, BIRTHS, find_known_births
from radcal.reports.deidentify.contacts import CONTACTS, PHONES
from radcal.reports.deidentify.dates import DATES
from radcal.reports.deidentify.features import Called, called, frequency
from radcal.reports.deidentify.known import People, find_known_numbers
from radcal.reports.deidentify.numbers import LONG_NUMBERS, NUMBERS
from radcal.reports.deidentify.rules import claim
from radcal.reports.deidentify.spans import FILLED, NAMED, SHIFTED, Claims
from radcal.reports.deidentify.tagging import find_tagged
from radcal.reports.deidentify.words import Is, is_german, is_noun, what
from radcal.reports.identifiers import Deidentified, Known
from radcal.workspace.stand_ins import StandIns

PARTS = (*(*BIRTHS, *CONTACTS, *LISTED_ADDRESSES, *NUMBERS, *DATES, *PHONES, *LONG_NUMBERS, *AGES, *ADDRESSES),)
"""All rules of form; dates are claimed before what has figures without a label."""
_SHIFTED = re.compile(rf"[^\s{SHIFTED}{FILLED}{NAMED}]+{SHIFTED}")
"""The end of a date that an earlier pass shifted, which reads like none now: "14.3<mark>."."""
_WRITTEN_AS_NAMED = 2.0
"""How suspicious a word is that somebody named in a column bears as a name."""


class ByForm(NamedTuple):
    """A text of which the tagger has not read anything.

    claims: what was found, settled;  german: whether the text is;  who: what columns call its people
    words: where a known name stands that may be a word
    """

    claims: Claims
    german: bool
    who: Called
    words: list[tuple[int, int]]


def _is_also_a_word(written: str, german: bool) -> bool:
    """Whether a name is also a word that is written so: any noun of German, "Stein", and small letters, "lively"."""
    lower = written.lower()
    if not (written.islower() or (german and not written.isupper())):
        return False
    kind = what(lower)
    return bool(kind & (Is.WORD | Is.CLINICAL | Is.FUNCTION) or is_noun(lower)) or frequency(lower, german) > 1


class Deidentifier:
    """Takes identifiers out of texts, the same way for the same secret.

    Args:
        secret: what the shifts of dates are derived from; whoever has it can undo them.
        staff: names of people of the hospital that are known in the whole import.
    """

    def __init__(self, secret: bytes, staff: Collection[str] = ()) -> None:
        self._stand_ins = StandIns(secret)
        self._staff = People(staff)

    def __call__(self, text: str, known: Known, patient: str) -> Deidentified:
        """The text without identifiers.

        Args:
            text: of one report.
            known: what columns or headers say of its people.
            patient: the id that the shift of the dates is derived from.
        """
        claims, german, who, words = self.by_form(text, known, patient)
        left = find_tagged(claims, german, who)
        return claims.apply([*left, *((start, end, _WRITTEN_AS_NAMED) for start, end in words)])

    def by_form(self, text: str, known: Known, patient: str) -> ByForm:
        """What is found by its form or is known, before the tagger reads the rest."""
        claims = Claims(text)
        find_known_births(claims, known.births)
        find_known_numbers(claims, known.numbers)
        claim(claims, PARTS, self.shift(patient))
        names = (*known.patient, *known.staff)
        people = People(names)
        german = is_german(claims.text)
        (own, words), (others, _) = people.spans(claims.text), self._staff.spans(claims.text)
        for start, end in own:
            claims.add(start, end, "name")
        for start, end in others:
            if not _is_also_a_word(text[start:end], german):
                claims.add(start, end, "name")
        for m in _SHIFTED.finditer(claims.text):
            claims.keep(m.start(), m.end())
        claims.settle()
        return ByForm(claims, german, called(names, people), words)

    def shift(self, patient: str) -> timedelta:
        """By how much a patient's dates are shifted: :meth:`StandIns.shift`."""
        return self._stand_ins.shift(patient)
