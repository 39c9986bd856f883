"""The reports of one HL7 v2 message, as rows of the fields that messages tell."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from radcal.reports.formats import Failure
from radcal.reports.formats.hl7.fields import Moment, Person, Reader, Value, moment
from radcal.reports.formats.hl7.texts import WITHDRAWN, ReportText, report_status, report_text, tells_study
from radcal.reports.markup import joined
from radcal.reports.reasons import Doubt, Flaw
from radcal.system.resources import meanings, patterns, word_lists
from radcal.system.viewer import is_study_uid

Segment = Sequence[Any]

_RECORD_TYPES = ("MR", "MRN", "PI", "PT", "PE")
"""Types of identifiers (PID-3.5) of a patient in the hospital, the most usual first."""
_MODALITIES = meanings("reading", "hl7.toml", table="modalities")
_NUMBER = re.compile(r"(?=(?:\D*\d){4})[^\s()]{4,64}")
"""What may be an accession number, in a field that systems also use for others."""
_SAID = patterns("reading", "hl7.toml")
"""What stands before the names of those who dictated and who signed."""
_MANY = 50
"""Orders of a message whose people and numbers are known to all of them, and most orders that share a text."""
_OF_ORDERS = frozenset(("ORC", "OBR", "OBX", "PRT", "NTE"))
_PLACES = {
    what: [place.partition("-") for place in places]
    for what, places in word_lists("reading", "hl7.toml", table="places").items()
}
"""Fields with people and what else may identify the patient, by segment and number."""
_WORD = re.compile(r"[^\W\d_]+")
_STATEMENT = 60
"""Characters behind "dictated by" in which a name is looked for."""
_NEXT = re.compile(r"\n\s*\n|\b\w+\s+(?:by|von)\b", re.IGNORECASE)
"""Where another statement begins."""


@dataclass(slots=True, eq=False)
class _Group:
    """An order (OBR), its ORC, the segments below it, the text that they hold, and its number and status."""

    order: Segment
    control: Segment | None
    below: list[Segment]
    text: ReportText
    number: str
    status: str
    last: Segment
    """The order of its last part."""

    @property
    def is_report(self) -> bool:
        """Whether there is a text to read."""
        return bool(self.text) and self.status != WITHDRAWN


Report = tuple[dict[str, str], frozenset[Doubt]]
"""What a report tells, and what is doubtful about it."""


def reports(message: Sequence[Segment], reader: Reader) -> Iterator[Report | Failure]:
    """The reports of a message: one for each order that has an accession number of its own.

    An order without observations shares the text of the next order that has one, or of the last: procedures that are
    reported together, _MANY of them at most.  One whose own observations hold no text that can be read, or that was
    cancelled, is a failure; so is a message without any text.
    """
    about = _About(reader, message)
    groups = _with_parts(_groups(message, reader), reader)
    told = [group for group in groups if group.is_report]
    if not told:
        flaws = [Flaw.WITHDRAWN if group.status == WITHDRAWN else group.text.flaw for group in groups]
        at = next((n for n, flaw in enumerate(flaws) if flaw is not Flaw.NO_TEXT), 0)
        number = next((group.number for group in groups[at:] if group.number), "")
        yield Failure(flaws[at] if flaws else Flaw.NO_TEXT, number)
        return
    numbers = {group.number for group in told}
    behind, shared = iter([*told, told[-1]]), Counter[int]()
    following = next(behind)
    for group in groups:
        if group.is_report:
            yield about.report(group)
            following = next(behind)
        elif group.number not in numbers:
            numbers.add(group.number)
            if group.status == WITHDRAWN:
                yield Failure(Flaw.WITHDRAWN, group.number)
            elif any(reader.first(segment, 5).strip('"') for segment in group.below if str(segment[0]) == "OBX"):
                yield Failure(group.text.flaw, group.number)
            elif shared[id(following)] == _MANY:
                yield Failure(Flaw.CROWDED, group.number)
            else:
                shared[id(following)] += 1
                status = report_status(reader.first(group.order, 25), following.text.statuses)
                yield about.report(replace(group, text=following.text, status=status))


def _with_parts(groups: Sequence[_Group], reader: Reader) -> list[_Group]:
    """The orders, those of one accession number and status as one report, which is complete with its last part.

    Of several statuses they are versions, as a preliminary and a final one.
    """
    first: dict[tuple[str, str], _Group] = {}
    parts: defaultdict[int, set[str]] = defaultdict(set)
    kept = []
    for group in groups:
        base = group
        if group.is_report and group.number and group.status != "addendum":
            base = first.setdefault((group.number, group.status or "final"), group)
        if base is group:
            kept.append(group)
        elif group.text.whole not in parts[id(base)]:
            base.below += group.below
            base.last = group.order
        parts[id(base)].add(group.text.whole)
    for base in first.values():
        if len(parts[id(base)]) > 1:
            base.text = report_text(reader, base.below)
    return kept


def _groups(message: Sequence[Segment], reader: Reader) -> list[_Group]:
    """The orders of a message."""
    parts: list[tuple[Segment, Segment | None, list[Segment]]] = []
    control: Segment | None = None
    for segment in message:
        name = str(segment[0])
        if name == "ORC":
            control = segment
        elif name == "OBR":
            parts.append((segment, control, []))
            control = None
        elif name in ("OBX", "NTE", "PRT", "ZDS") and parts:
            parts[-1][2].append(segment)
    groups = []
    for order, its, below in parts:
        text = report_text(reader, below)
        status = report_status(reader.first(order, 25), text.statuses)
        if text.is_addendum and status != WITHDRAWN:
            status = "addendum"
        groups.append(_Group(order, its, below, text, _accession(reader, order, its), status, order))
    return groups


def _accession(reader: Reader, order: Segment, control: Segment | None) -> str:
    """The accession number of an order.

    The filler's number (OBR-3) is the accession number in most interfaces and one of its own in all; else OBR-18 or
    OBR-20, where IHE and others put it, if it looks like a number; else ORC-3, and at last the placer's number (OBR-2,
    ORC-2).
    """
    first = reader.first
    further = [number for n in (18, 20) if _NUMBER.fullmatch(number := first(order, n))]
    found = (first(order, 3), *further, first(control, 3), first(order, 2), first(control, 2))
    return next(filter(None, found), "")


class _About:
    """What a message tells of its patient and of the people in it."""

    def __init__(self, reader: Reader, message: Sequence[Segment]) -> None:
        self.reader = reader
        self.message = message
        first: dict[str, Segment] = {}
        for segment in message:
            first.setdefault(str(segment[0]), segment)
        self.head, self.pid, self.visit = first.get("MSH"), first.get("PID"), first.get("PV1")
        self.sent = moment(reader.first(self.head, 7))
        numbers = [value for n in (3, 2, 4) for value in reader.repetitions(self.pid, n)]
        self.patient = self._record_number(numbers)
        self.numbers = [value.part(1) for value in numbers]
        # Of all orders, so that a text that names another one is known to; of very many those of the order itself do.
        few = sum(str(segment[0]) == "OBR" for segment in message) <= _MANY
        around = message if few else [s for s in message if str(s[0]) not in _OF_ORDERS]
        self.people = list(dict.fromkeys(person.natural for person in self._people(around)))
        self.further = list(dict.fromkeys((*self.numbers, *self._identifiers(around))))
        self.has_participants = "PRT" in first

    def _record_number(self, numbers: Sequence[Value]) -> str:
        by_type = {value.part(5).upper(): value.part(1) for value in reversed(numbers) if value.part(1)}
        kept = next((by_type[kind] for kind in _RECORD_TYPES if kind in by_type), "")
        return kept or next((value.part(1) for value in numbers if value.part(1)), "")

    def report(self, group: _Group) -> Report:
        """The row of one order."""
        reader, order, text = self.reader, group.order, group.text
        dictator, signer = self._readers(group)
        taken, written = self.times(group)
        code, names = self._exam(order)
        own = [*([group.control] if group.control else []), order, *group.below]
        told = {
            "report_id": reader.first(self.head, 10),
            "accession": group.number,
            "study_uid": self._study_uid(group.below),
            "patient_id": self.patient,
            "patient_name": joined(v.patient().natural for n in (5, 9) for v in reader.repetitions(self.pid, n)),
            "birth_date": moment(reader.first(self.pid, 7)).written[:10],
            "sex": reader.first(self.pid, 8),
            "exam_code": code,
            "exam": names,
            "modality": self._modality(order),
            "body_part": self._body_part(order),
            "exam_time": taken,
            "report_time": written,
            "status": group.status,
            "dictator": dictator,
            "signer": signer,
            "staff_names": joined((*self.people, *(p.natural for p in self._people(own)))),
            "identifiers": joined(
                n for n in (*self.further, *self._identifiers(own)) if n not in (group.number, self.patient)
            ),
            "site": reader.first(self.visit, 3) or reader.first(self.head, 4),
            "text": text.text,
            "findings": text.findings,
            "impression": text.impression,
        }
        return told, text.doubts

    def _study_uid(self, below: Sequence[Segment]) -> str:
        """The UID of an order's study, else of that of the message (ZDS); '' where several are named."""
        first = self.reader.first
        for some in (below, [s for s in self.message if str(s[0]) == "ZDS"]):
            told = [first(s, 1) for s in some if str(s[0]) == "ZDS"]
            own = [s for s in some if str(s[0]) == "OBX" and tells_study(self.reader, s)]
            told += [uid for s in own for n in (1, 2) if is_study_uid(uid := first(s, 5, n))]
            if len(found := set(filter(None, told))) == 1:
                return found.pop()
        return ""

    def _exam(self, order: Segment) -> tuple[str, str]:
        """Code and name of the examination, with its other name where that says more."""
        for value in (*self.reader.repetitions(order, 4), *self.reader.repetitions(order, 44)):
            names = [name for name in (value.part(2), value.part(5)) if name]
            if len(names) > 1 and names[1].casefold() not in names[0].casefold():
                names[0] = f"{names[0]} ({names[1]})"
            if names or value.part(1):
                return value.part(1), names[0] if names else ""
        return "", ""

    def _modality(self, order: Segment) -> str:
        code = self.reader.first(order, 24)
        return _MODALITIES.get(code.upper(), code)

    def _body_part(self, order: Segment) -> str:
        sites = (value.part(4, sub) for value in self.reader.repetitions(order, 15) for sub in (2, 1))
        return next(filter(None, sites), "")

    def times(self, group: _Group) -> tuple[str, str]:
        """When the examination was done and the report was written, by the clock at the place of the examination.

        Times without a zone are of that of the message (MSH-7).  A time in UTC is moved to that of the message, too;
        any other zone of the examination is that of its place, to which the time of the report is moved.  The zone
        stands behind the time where it is known, because a sender may use UTC in some of its messages alone.
        """
        reader, order = self.reader, group.order
        stamps = [moment(reader.first(order, n)) for n in (7, 6)]
        # Some systems date every line of the report by its signature (OBR-22): that is no time of the examination.
        signed = reader.first(group.last, 22)
        lines = [reader.first(s, 14) for s in group.below if str(s[0]) == "OBX"]
        stamps += [moment(written) for written in lines if written != signed]
        some = [stamp for stamp in stamps if stamp.written]
        taken = next((stamp for stamp in some if stamp.has_day), some[0] if some else Moment(""))
        place = taken.zone or (self.sent.zone if self.sent.zone is not None else taken.zone)
        reported = moment(signed)
        if not reported.has_day:
            reported = self.sent if self.sent.has_day else Moment("")
        elif reported.zone is None:
            reported = Moment(reported.written, self.sent.zone)
        return taken.placed(place), reported.placed(place)

    def _readers(self, group: _Group) -> tuple[str, str]:
        """Who dictated and who signed, as lists of names.

        The principal interpreter (OBR-32) signs and an assistant (OBR-33) dictates.  Of a report that is not
        preliminary and names an assistant alone, that is who signed.  Where neither is named, the observer (OBX-16) is
        taken who is no technician or typist (OBR-34, 35), unless the message names people by their roles (PRT), which
        are not read.  Where the text says which of these people dictated or signed, that counts.
        """
        principal, assistant, *helpers = (
            [p for value in self.reader.repetitions(group.order, n) if (p := value.person()).listed]
            for n in (32, 33, 34, 35)
        )
        if not principal and not assistant and not self.has_participants:
            observers = [v.person() for s in group.below if str(s[0]) == "OBX" for v in self.reader.repetitions(s, 16)]
            principal = [
                p for p in observers if p.listed and not any(p.same(other) for some in helpers for other in some)
            ]
        signer, dictator = principal, assistant
        known = [*principal, *assistant]
        text = "\n".join((group.text.text, group.text.findings, group.text.impression))
        said = {role: _said(_words_behind(pattern, text), known) for role, pattern in _SAID.items()}
        if said["dictator"]:
            dictator = said["dictator"]
            if group.status == "preliminary" and all(any(p.same(d) for d in dictator) for p in signer):
                signer = []  # who dictated has not signed yet
        if said["signer"]:
            signer = said["signer"]
        elif not signer and group.status != "preliminary":
            signer = dictator
        return joined(p.listed for p in dictator), joined(p.listed for p in signer)

    def _people(self, segments: Sequence[Segment]) -> Iterator[Person]:
        """Everyone that segments name besides the patient."""
        yield from map(Value.person, self._values(segments, "staff"))
        yield from map(Value.patient, self._values(segments, "relatives"))

    def _identifiers(self, segments: Sequence[Segment]) -> Iterator[str]:
        """Further numbers of the patient, telephones, addresses, and the numbers of orders."""
        for value in self._values(segments, "addresses"):
            yield from (value.part(1), value.part(2))
            rest = " ".join(filter(None, (value.part(4), value.part(5))))
            yield ", ".join(filter(None, (value.part(3), rest)))
        for value in self._values(segments, "telephones"):
            yield from (value.part(1) or value.part(12), value.part(4))
            yield " ".join(filter(None, (value.part(6), value.part(7))))
        for value in self._values(segments, "numbers"):
            yield value.part(1)

    def _values(self, segments: Sequence[Segment], what: str) -> Iterator[Value]:
        for name, places in groupby(_PLACES[what], itemgetter(0)):
            numbers = [int(n) for _, _, n in places]
            for segment in segments:
                if str(segment[0]) == name:
                    for n in numbers:
                        yield from self.reader.repetitions(segment, n)


def _words_behind(pattern: re.Pattern[str], text: str) -> set[str]:
    """The words that a text has behind such as "dictated by"."""
    return {
        word.casefold()
        for found in pattern.finditer(text)
        for word in _WORD.findall(_NEXT.split(text[found.end() : found.end() + _STATEMENT], maxsplit=1)[0])
    }


def _said(said: set[str], people: Sequence[Person]) -> list[Person]:
    """Those of these people whose names are among the words."""
    named = [p for p in people if p.family and set(_WORD.findall(p.family.casefold())) <= said]
    given = [p for p in named if p.given and p.given.casefold().split()[0] in said]
    return given or named
