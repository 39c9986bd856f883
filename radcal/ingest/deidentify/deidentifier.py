"""All detectors, in the order of their certainty, on one text."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from radcal.ingest.deidentify.addresses import find_structured
from radcal.ingest.deidentify.ages import round_ages
from radcal.ingest.deidentify.births import find_births
from radcal.ingest.deidentify.contacts import find_contacts, find_phones
from radcal.ingest.deidentify.dates import shift_dates
from radcal.ingest.deidentify.features import Called, called, frequency
from radcal.ingest.deidentify.known import People, find_known_numbers
from radcal.ingest.deidentify.numbers import find_long_numbers, find_numbers
from radcal.ingest.deidentify.places import find_addresses, is_german
from radcal.ingest.deidentify.spans import FILLED, NAMED, SHIFTED, Claims
from radcal.ingest.deidentify.tagging import find_tagged
from radcal.ingest.deidentify.words import Is, is_noun, what
from radcal.ingest.stand_ins import StandIns
from radcal.records.identifiers import Deidentified, Known

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
        find_births(claims, known.births)
        find_known_numbers(claims, known.numbers)
        find_contacts(claims)
        find_structured(claims)
        find_numbers(claims)
        shift_dates(claims, self.shift(patient))
        find_phones(claims)
        find_long_numbers(claims)
        round_ages(claims)
        find_addresses(claims)
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
