"""The reports of one HL7 v2 message, as rows of the fields that messages tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from radcal.reports.formats import Failure
from radcal.reports.formats.hl7.fields import Moment, Person, Reader, Value, moment
from radcal.reports.formats.hl7.texts import ReportText, is_withdrawn, report_status, report_text
from radcal.reports.markup import joined
from radcal.reports.reasons import Doubt, Flaw

Segment = Sequence[Any]

_RECORD_TYPES = ("MR", "MRN", "PI", "PT", "PE")
"""Types of identifiers (PID-3.5) of a patient in the hospital, the most usual first."""
_MODALITIES = {
    "RX": "XR", "XR": "XR", "XRC": "RF", "NMR": "MR", "NMS": "NM", "RUS": "US", "OUS": "US", "VUS": "US", "CUS": "US",
    "CTH": "XA", "RAD": "",
}  # fmt: skip
"""Codes of OBR-24 (HL7 table 0074) that are none of DICOM."""
_NUMBER = re.compile(r"(?=(?:\D*\d){4})[^\s()]{4,64}")
"""What may be an accession number, in a field that systems also use for others."""
_SAID = {
    "dictator": re.compile(r"\b(?:dictated|dict\.?|interpreted|prepared|diktiert)\s+(?:by|von)\b[:\s]*", re.IGNORECASE),
    "signer": re.compile(
        r"\b(?:signed|approved|verified|finali[sz]ed|authenticated|validated|freigegeben|signiert)\s+(?:by|von)\b[:\s]*",
        re.IGNORECASE,
    ),
}
_MANY, SHARING = 2000, 50
"""Segments, and orders, of a message with more orders than belong together; so many share one text at most."""
_OF_ORDERS = frozenset(("ORC", "OBR", "OBX", "PRT", "NTE", "IPC"))
_WORD = re.compile(r"[^\W\d_]+")
_STATEMENT = 60
"""Characters behind "dictated by" in which a name is looked for."""
_NEXT = re.compile(r"\n\s*\n|\b\w+\s+(?:by|von)\b", re.IGNORECASE)
"""Where another statement begins."""


@dataclass(slots=True)
class _Group:
    """An order (OBR), its ORC, and the segments below it; ``further`` orders are those whose text is joined to its."""

    order: Segment | None
    control: Segment | None
    below: list[Segment] = field(default_factory=list)
    further: list[Segment] = field(default_factory=list)
    text: ReportText = field(default_factory=ReportText)


Report = tuple[dict[str, str], frozenset[Doubt]]
"""What a report tells, and what is doubtful about it."""


def reports(message: Sequence[Segment], reader: Reader) -> Iterator[Report | Failure]:
    """The reports of a message: one for each order that has an accession number of its own.

    An order without observations shares the text of the next order that has one, or of the last: procedures that are
    reported together, SHARING of them at most.  One whose own observations hold no text that can be read, or that was
    cancelled, is a failure; so is a message without any text.  Each patient (PID) begins a group of their own (HL7
    v2.5, 7.3.1).
    """
    for of_patient in _by_patient(message):
        yield from _of_patient(of_patient, reader)


def _by_patient(message: Sequence[Segment]) -> list[list[Segment]]:
    """The message once for each of its patients who has results: what stands before the first, and what is theirs."""
    places = [n for n, segment in enumerate(message) if str(segment[0]) == "PID"]
    before = list(message[: places[0]]) if places else list(message)
    ends = [*places[1:], len(message)]
    parts = [[*before, *message[start:end]] for start, end in zip(places, ends, strict=False)]
    with_results = [part for part in parts if any(str(segment[0]) in ("OBR", "OBX") for segment in part)]
    return with_results or [list(message)]


def _of_patient(message: Sequence[Segment], reader: Reader) -> Iterator[Report | Failure]:
    about = _About(reader, message)
    groups = _groups(message)
    for group in groups:
        group.text = report_text(reader, group.below)
    cancelled = [is_withdrawn(reader.first(group.order, 25)) for group in groups]
    told = [group for group, was in zip(groups, cancelled, strict=True) if group.text and not was]
    numbers = [about.accession(group) for group in groups]
    if not told:
        flaws = [Flaw.WITHDRAWN if was else group.text.flaw for group, was in zip(groups, cancelled, strict=True)]
        at = next((n for n, flaw in enumerate(flaws) if flaw is not Flaw.NO_TEXT), 0)
        yield Failure(flaws[at] if flaws else Flaw.NO_TEXT, next(filter(None, numbers[at:]), ""))
        return
    own = {about.accession(group) for group in told}
    joined_to = _joined_orders(groups, numbers, told, about)
    shared = _next_texts(groups, told)
    sharing = Counter(map(id, shared))
    for group, number, was, text in zip(groups, numbers, cancelled, shared, strict=True):
        sharing[id(text)] -= 1
        if was:
            if number not in own:
                yield Failure(Flaw.WITHDRAWN, number)
        elif group.text:
            if id(group) not in joined_to:
                yield about.report(group, group.text)
        elif number and number not in own:
            own.add(number)
            if group.text.has_content:
                yield Failure(group.text.flaw, number)
            elif sharing[id(text)] > SHARING:
                yield Failure(Flaw.CROWDED, number)
            else:
                yield about.report(group, text)


def _joined_orders(groups: Sequence[_Group], numbers: Sequence[str], told: Sequence[_Group], about: _About) -> set[int]:
    """Join texts of one accession number and status to the first of them; the ids of the groups that were joined.

    Of several statuses they are versions, as a preliminary and a final one.  Addenda go to the last version, under
    the time at which they were written.
    """
    first: dict[tuple[str, str], _Group] = {}
    last: dict[str, _Group] = {}
    joined_to: set[int] = set()
    grown: dict[int, _Group] = {}
    addenda: list[tuple[str, _Group]] = []
    chosen = {id(group) for group in told}
    for group, number in zip(groups, numbers, strict=True):
        if id(group) not in chosen or not number:
            continue
        status = _status(about.reader, group, group.text)
        if status == "addendum":
            addenda.append((number, group))
            continue
        base = last[number] = first.setdefault((number, status or "final"), group)
        if base is not group and group.order is not None:
            base.below += group.below
            base.further.append(group.order)
            joined_to.add(id(group))
            grown[id(base)] = base
    for base in grown.values():
        base.text = report_text(about.reader, base.below)
    for number, group in addenda:
        if number in last and not group.text.contains(last[number].text):
            base = last[number]
            base.text = base.text.with_addendum(group.text, about.written(group, about.written(base)))
            joined_to.add(id(group))
    return joined_to


def _next_texts(groups: Sequence[_Group], told: Sequence[_Group]) -> list[ReportText]:
    """For each order the text of the next that has one, or of the last."""
    chosen = {id(group) for group in told}
    text = told[-1].text
    found = []
    for group in reversed(groups):
        text = group.text if id(group) in chosen else text
        found.append(text)
    return found[::-1]


def _status(reader: Reader, group: _Group, text: ReportText) -> str:
    """The status of a report; one that has lines of an addendum alone is one, whatever the order says."""
    others = (reader.first(order, 25) for order in group.further)
    status = report_status(reader.first(group.order, 25), [*text.statuses, *filter(None, others)])
    return "addendum" if text.is_addendum and not is_withdrawn(status) else status


def _groups(message: Sequence[Segment]) -> list[_Group]:
    """The orders of a message; its observations alone where it has none.

    Participations (PRT) between an order's ORC and its OBR are of that order.
    """
    has_orders = any(str(segment[0]) == "OBR" for segment in message)
    groups: list[_Group] = []
    control: Segment | None = None
    outlook: list[Segment] = []
    for segment in message:
        name = str(segment[0])
        if name == "ORC":
            control, outlook = segment, []
        elif name == "OBR":
            groups.append(_Group(segment, control, outlook))
            control, outlook = None, []
        elif name == "PRT" and control is not None:
            outlook.append(segment)
        elif name in ("OBX", "NTE", "IPC", "PRT"):
            if groups:
                groups[-1].below.append(segment)
            elif name == "OBX" and not has_orders:
                groups.append(_Group(None, control, [segment]))
    return groups


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
        orders = sum(str(segment[0]) == "OBR" for segment in message)
        few = len(message) <= _MANY and orders <= SHARING
        around = message if few else [s for s in message if str(s[0]) not in _OF_ORDERS]
        self.people = list(dict.fromkeys(person.natural for person in self._people(around)))
        self.further = list(dict.fromkeys((*self.numbers, *self._identifiers(around))))
        self._heard: dict[int, dict[str, set[str]]] = {}

    def _record_number(self, numbers: Sequence[Value]) -> str:
        by_type = {value.part(5).upper(): value.part(1) for value in reversed(numbers) if value.part(1)}
        kept = next((by_type[kind] for kind in _RECORD_TYPES if kind in by_type), "")
        return kept or next((value.part(1) for value in numbers if value.part(1)), "")

    def accession(self, group: _Group) -> str:
        """The accession number of an order.

        That of an imaging order (IPC-1), if the message has one; else the filler's number (OBR-3), which is the
        accession number in most interfaces and one of its own in all; else OBR-18 or OBR-20, where IHE and others put
        it, if it looks like a number; else ORC-3, and at last the placer's number (OBR-2, ORC-2).
        """
        first, order = self.reader.first, group.order
        imaging = next((s for s in group.below if str(s[0]) == "IPC"), None)
        further = [number for n in (18, 20) if _NUMBER.fullmatch(number := first(order, n))]
        found = (first(imaging, 1), first(order, 3), *further, first(group.control, 3), first(order, 2))
        return next((number for number in (*found, first(group.control, 2)) if number), "")

    def report(self, group: _Group, text: ReportText) -> Report:
        """The row of one order."""
        reader, order = self.reader, group.order
        status = _status(reader, group, text)
        dictator, signer = self._readers(group, status, text)
        taken, written = self._times(group)
        accession = self.accession(group)
        code, names = self._exam(order)
        told = {
            "report_id": reader.first(self.head, 10),
            "accession": accession,
            "patient_id": self.patient,
            "patient_name": joined(v.patient().natural for n in (5, 9) for v in reader.repetitions(self.pid, n)),
            "birth_date": moment(reader.first(self.pid, 7)).written[:10],
            "sex": reader.first(self.pid, 8),
            "exam_code": code,
            "exam": names,
            "modality": self._modality(order),
            "body_part": self._body_part(group),
            "exam_time": taken,
            "report_time": written,
            "status": status,
            "dictator": dictator,
            "signer": signer,
            "staff_names": joined((*self.people, *(p.natural for p in self._people(_of(group))))),
            "identifiers": joined(
                n for n in (*self.further, *self._identifiers(_of(group))) if n not in (accession, self.patient)
            ),
            "site": reader.first(self.visit, 3) or reader.first(self.head, 4),
            "text": text.text,
            "findings": text.findings,
            "impression": text.impression,
        }
        return told, text.doubts

    def _exam(self, order: Segment | None) -> tuple[str, str]:
        """Code and name of the examination, with its other name where that says more."""
        for value in (*self.reader.repetitions(order, 4), *self.reader.repetitions(order, 44)):
            names = [name for name in (value.part(2), value.part(5)) if name]
            if len(names) > 1 and names[1].casefold() not in names[0].casefold():
                names[0] = f"{names[0]} ({names[1]})"
            if names or value.part(1):
                return value.part(1), names[0] if names else ""
        return "", ""

    def _modality(self, order: Segment | None) -> str:
        code = self.reader.first(order, 24)
        return _MODALITIES.get(code.upper(), code)

    def _body_part(self, group: _Group) -> str:
        values = self.reader.repetitions(group.order, 15)
        sites = [value.part(4, sub) for value in values for sub in (2, 1)]
        return next((site for site in sites if site), "") or next(
            (site for s in group.below if str(s[0]) == "OBX" and (site := self.reader.first(s, 20, 2))), ""
        )

    def _times(self, group: _Group) -> tuple[str, str]:
        """When the examination was done and the report was written, by the clock at the place of the examination.

        Times without a zone are of that of the message (MSH-7).  A time in UTC is moved to that of the message, too;
        any other zone of the examination is that of its place, to which the time of the report is moved.  The zone
        stands behind the time where it is known, because a sender may use UTC in some of its messages alone.
        """
        reader, order = self.reader, group.order
        stamps = [moment(reader.first(order, n)) for n in (7, 6, 36)]
        stamps += [moment(reader.first(order, 27, 4)), moment(reader.first(group.control, 7, 4))]
        # Some systems date every line of the report by its signature (OBR-22): that is no time of the examination.
        signed = {reader.first(one, n) for one in (order, *group.further) for n in (22, 8)}
        lines = [reader.first(s, 14) for s in group.below if str(s[0]) == "OBX"]
        stamps += [moment(written) for written in lines if written not in signed]
        some = [stamp for stamp in stamps if stamp.written]
        taken = next((stamp for stamp in some if stamp.has_day), some[0] if some else Moment(""))
        place = taken.zone or (self.sent.zone if self.sent.zone is not None else taken.zone)
        written = [
            next((m for n in (22, 8) if (m := moment(reader.first(one, n))).has_day), Moment(""))
            for one in (order, *group.further)
        ]
        reported = max(written, key=lambda m: m.written)
        if not reported.written:
            reported = self.sent if self.sent.has_day else reported
        elif reported.zone is None:
            reported = Moment(reported.written, self.sent.zone)
        return taken.placed(place), reported.placed(place)

    def written(self, group: _Group, unless: str = "") -> str:
        """When a report was written, as "2024-03-05 14:30"; '' where this is not known, or is ``unless``."""
        time = self._times(group)[1].replace("T", " ")[:16]
        return "" if time == unless else time

    def _readers(self, group: _Group, status: str, text: ReportText) -> tuple[str, str]:
        """Who dictated and who signed, as lists of names.

        The principal interpreter (OBR-32) signs and an assistant (OBR-33) dictates; from version 2.7 on they are
        participations (PRT) by their roles.  Of a report that is not
        preliminary and names an assistant alone, that is who signed.  Where neither is named, the observer (OBX-16) is
        taken who is no technician or typist (OBR-34, 35).  Where the text says which of these people dictated or
        signed, that counts.
        """
        principal, assistant, technicians, typists = (
            [value.person() for value in self.reader.repetitions(group.order, n)] + self._participants(group, role)
            for n, role in ((32, "PI"), (33, "AI"), (34, "TN"), (35, "TR"))
        )
        principal, assistant = ([p for p in people if p.listed] for people in (principal, assistant))
        if not principal and not assistant:
            observers = [v.person() for s in group.below if str(s[0]) == "OBX" for v in self.reader.repetitions(s, 16)]
            helpers = [*technicians, *typists]
            principal = [p for p in observers if p.listed and not any(p.same(other) for other in helpers)]
        signer, dictator = principal, assistant
        known = [*principal, *assistant]
        if id(text) not in self._heard:
            whole = "\n".join((text.text, text.findings, text.impression))
            self._heard[id(text)] = {role: _words_behind(pattern, whole) for role, pattern in _SAID.items()}
        said = {role: _said(words, known) for role, words in self._heard[id(text)].items()}
        if said["dictator"]:
            dictator = said["dictator"]
            if status == "preliminary" and all(any(p.same(d) for d in dictator) for p in signer):
                signer = []  # who dictated has not signed yet
        if said["signer"]:
            signer = said["signer"]
        elif not signer and status != "preliminary":
            signer = dictator
        return joined(p.listed for p in dictator), joined(p.listed for p in signer)

    def _participants(self, group: _Group, role: str) -> list[Person]:
        """Who takes part in a role (HL7 table 0912), as PRT segments say."""
        return [
            value.person()
            for segment in group.below
            if str(segment[0]) == "PRT" and self.reader.first(segment, 4).upper() == role
            for value in self.reader.repetitions(segment, 5)
        ]

    def _people(self, segments: Sequence[Segment]) -> Iterator[Person]:
        """Everyone that segments name besides the patient."""
        places = (
            ("PV1", (7, 8, 9, 17, 52)), ("PD1", (4,)), ("ORC", (10, 11, 12, 19)), ("OBR", (10, 16, 28, 32, 33, 34, 35)),
            ("OBX", (16,)), ("ROL", (4,)), ("PRT", (5,)), ("TXA", (5, 9, 10, 11, 22, 23)),
        )  # fmt: skip
        relatives = (("PID", (6,)), ("NK1", (2, 30)), ("GT1", (3, 4)), ("IN1", (16,)))
        for names, read in ((places, Value.person), (relatives, Value.patient)):
            for name, numbers in names:
                for segment in _named(segments, name):
                    for n in numbers:
                        yield from map(read, self.reader.repetitions(segment, n))

    def _identifiers(self, segments: Sequence[Segment]) -> Iterator[str]:
        """Further numbers of the patient, telephones, addresses, and the numbers of orders."""
        reader = self.reader
        for name, addresses, phones, numbers in (
            ("PID", (11,), (13, 14), (18, 19, 20, 21)),
            ("PV1", (), (), (5, 19, 50)),
            ("NK1", (4,), (5, 6, 7), (33, 37)),
            ("GT1", (5,), (6, 7), (2, 12)),
            ("IN1", (19,), (), (36, 49)),
            ("ORC", (), (), (2, 3)),
            ("OBR", (), (), (2, 3)),
            ("TXA", (), (), (12, 13, 14, 15)),
        ):
            for segment in _named(segments, name):
                for n in addresses:
                    for value in reader.repetitions(segment, n):
                        yield value.part(1)
                        yield value.part(2)
                        rest = " ".join(part for part in (value.part(4), value.part(5)) if part)
                        yield ", ".join(part for part in (value.part(3), rest) if part)
                for n in phones:
                    for value in reader.repetitions(segment, n):
                        yield value.part(1) or value.part(12)
                        yield value.part(4)
                        yield " ".join(part for part in (value.part(6), value.part(7)) if part)
                for n in numbers:
                    yield from (value.part(1) for value in reader.repetitions(segment, n))


def _named(segments: Sequence[Segment], name: str) -> Iterator[Segment]:
    return (segment for segment in segments if str(segment[0]) == name)


def _of(group: _Group) -> list[Segment]:
    """All segments of an order."""
    return [s for s in (group.control, group.order, *group.further, *group.below) if s is not None]


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
