"""FHIR files to rows, one for each report; runs in the child process that parses foreign files.

A report is a DiagnosticReport, or the Composition of a document that has none.  What it refers to is looked for in all
files that are read together: the patient, the radiologists, the order, the images, the findings.

Source: HL7 FHIR R4 (4.0.1), R5 (5.0.0), DiagnosticReport; fields that earlier versions name otherwise are read, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, islice
from operator import itemgetter

from radcal.ingest.authors import author_name
from radcal.ingest.fhir_files import Entry, Item, Resource, Resources, Unreadable, dicts, objects_in, scalar, scalars
from radcal.ingest.fhir_text import codes_of, name_of, text_of, text_of_composition
from radcal.ingest.markup import joined, one_line
from radcal.ingest.parsers import FIELDS_OF_MESSAGES, Doubted, Failure, Flawed, Row
from radcal.ingest.reasons import OF_LETTERS, Doubt, Flaw
from radcal.ingest.table import Cell

_STATUS = {
    "registered": "preliminary", "partial": "preliminary", "preliminary": "preliminary", "modified": "preliminary",
    "final": "final", "amended": "corrected", "corrected": "corrected", "appended": "addendum",
}  # fmt: skip
_WITHDRAWN = frozenset(("cancelled", "entered-in-error"))
_OF_SERVICE = {
    "CT": "CT", "RX": "DX", "XRC": "RF", "NMR": "MR", "MRI": "MR", "NMS": "NM", "RUS": "US", "OUS": "US", "CUS": "US",
    "VUS": "US", "US": "US", "XR": "DX", "DX": "DX", "CR": "CR", "MR": "MR", "MG": "MG", "NM": "NM", "PT": "PT",
}  # fmt: skip
"""Diagnostic service sections (HL7 table 0074) and modalities as categories, to DICOM modalities."""
_IMAGING = frozenset(("RAD", "IMG", "RADIOLOGY", "IMAGING", "LP29684-5", "18748-4", "363679005", "394914008"))
_OTHER_SERVICES = frozenset(
    [
        "LAB",
        "CH",
        "HM",
        "MB",
        "SR",
        "SP",
        "CP",
        "PAT",
        "PATH",
        "CG",
        "TX",
        "IMM",
        "GE",
        "BLB",
        "CTH",
        "ICU",
        "NRS",
        "OTH",
        "OT",
        "PF",
        "PHR",
        "PHY",
        "RC",
        "LP29693-6",
        "LP7839-6",
        "LP29708-2",
        "LP7796-8",
        "LP31388-9",
        "LP7786-9",
        "LP7819-8",
        "26436-6",
    ]
)
_IMAGING_WORDS = re.compile(r"radiolog|imaging|x-?ray|radiograph|tomograph|röntgen|bildgeb", re.IGNORECASE)
_GENERIC = re.compile(
    r"(?:diagnostic |medical )?(?:imaging|radiology|x-?ray)? ?(?:diagnostic )?(?:study|report|note|result|imaging)?"
    r"(?: ?\((?:procedure|note|report|document)\))?",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,12})?)?\s*(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE
)
_MOST_PARTS = 5000
"""Objects of one resource in which people and numbers are looked for."""
_UTC = frozenset(("Z", "+00:00", "-00:00", "+0000"))
_UID = re.compile(r"(?:urn:oid:)?[0-2](?:\.\d+){4,}")
_PEOPLE = frozenset(("Practitioner", "PractitionerRole", "RelatedPerson"))
_PERSON_FIELDS = frozenset(
    [
        "actor",
        "approver",
        "asserter",
        "assertedBy",
        "attester",
        "author",
        "authorReference",
        "careProvider",
        "contact",
        "contributor",
        "dataEnterer",
        "enterer",
        "enteredBy",
        "generalPractitioner",
        "individual",
        "informant",
        "informationSource",
        "interpreter",
        "issuer",
        "legalAuthenticator",
        "member",
        "operator",
        "orderer",
        "participant",
        "party",
        "performer",
        "practitioner",
        "provider",
        "receiver",
        "recipient",
        "recorder",
        "referrer",
        "reportedReference",
        "requester",
        "responsible",
        "resultsInterpreter",
        "sender",
        "signatory",
        "source",
        "supervisor",
        "verifier",
        "whoReference",
        "who",
        "witness",
    ]
)
"""Fields that refer to people, in any resource: a name may be all that they say of one."""
_PERSON_STRINGS = frozenset(f"{name.removesuffix('Reference')}String" for name in _PERSON_FIELDS)
_MAIDEN_NAME = "mothersMaidenName"
_NO_PERSON = re.compile(
    r"\d{3}|\b(?:hospital|clinic|klinik\w*|department|dept|abteilung|institut\w*|radiology|radiologie|imaging|cent(?:er|re)"
    r"|zentrum|university|universit\w+|praxis|practice|associates|group|system|service|ward|station|device|scanner|unknown"
    r"|health|healthcare|medical|laboratory|lab|team|self|patient)\b",
    re.IGNORECASE,
)
"""Words of what is shown in such a field without being a person's name."""


def rows(data: bytes) -> Iterator[Row | Flawed | Doubted]:
    """The reports of one file."""
    return rows_of_files([data])


def rows_of_files(files: Sequence[bytes]) -> Iterator[Row | Flawed | Doubted]:
    """The reports of several files, each a table of its number; references between the files are resolved.

    A file without reports is a flaw, unless it stands beside one that has some.
    """
    resources = Resources(files)
    flaws: list[list[Flawed]] = [[] for _ in files]
    for file, position, flaw in resources.faults:
        flaws[file - 1].append((file, position, Failure(flaw)))
    any_reports = any(resources.counts)
    entries = iter(resources.reports)
    for number, (own, count) in enumerate(zip(flaws, resources.counts, strict=True), start=1):
        if not count and not any_reports and not own:
            own.append((number, 1, Failure(Flaw.UNSUPPORTED)))
        if count or own:
            yield number, 0, list[Cell](FIELDS_OF_MESSAGES)
        its = chain.from_iterable(_rows(entry, resources) for entry in islice(entries, count))
        yield from merge(own, its, key=itemgetter(1))


def _rows(entry: Entry, resources: Resources) -> Iterator[Row | Flawed | Doubted]:
    """The row of a report, or what is wrong with it, and what is doubtful about it."""
    file, position = entry.file, entry.position
    try:
        item = resources.item(entry)
    except Unreadable as error:
        yield file, position, Failure(error.flaw)
        return
    doubts: list[Doubt] = []
    report = _read(item, resources, doubts)
    if isinstance(report, Flaw):
        yield file, position, Failure(report, next(iter(_numbers(_Around(item, resources))), ""))
        return
    cells = [report.get(name, "") for name in FIELDS_OF_MESSAGES]
    yield file, position, list[Cell](cells)
    of_letters = [resources.doubt_of(entry), *(doubt for doubt in doubts if doubt in OF_LETTERS)]
    doubt = next(filter(None, of_letters), None)
    if any("\ufffd" in cell for cell in cells):
        doubt = Doubt.DAMAGED
    if doubt and not all(cell.isascii() for cell in cells):
        yield file, position, doubt
    for doubt in sorted(set(doubts) - OF_LETTERS):
        yield file, position, doubt


def raw(data: bytes) -> Iterator[Row | Flawed]:
    """Each report as it is written, and what could not be read; encoded documents are shortened."""
    resources = Resources([data])
    yield 1, 0, list[Cell](["message"])
    written = [(entry.position, resources.written(entry)) for entry in resources.reports]
    written += [(position, resources.line(position)) for _, position, _ in resources.faults]
    for position, text in sorted(written):
        yield 1, position, list[Cell]([text])


def _read(report: Item, resources: Resources, doubts: list[Doubt]) -> Mapping[str, str] | Flaw:
    """The cells of a report by field, or why it is left out; what is doubtful about it is added to ``doubts``."""
    resource = report.resource
    if resources.is_ambiguous(report):
        return Flaw.AMBIGUOUS
    status = scalar(resource.get("status")).lower()
    if status in _WITHDRAWN:
        return Flaw.WITHDRAWN
    modality = _service(resource)
    if modality is None:
        return Flaw.ELSEWHERE
    is_document = report.kind == "Composition"
    text = (text_of_composition if is_document else text_of)(report, resources, doubts)
    if isinstance(text, Flaw):
        return text
    around = _Around(report, resources)
    about_patient = _patient(around)
    numbers = _numbers(around)
    accession = numbers[0] if numbers else scalar(resource.get("id"))
    signer, dictator = _radiologists(around, is_document=is_document)
    used = {accession, about_patient["patient_id"]}
    return {
        **about_patient,
        "report_id": scalar(resource.get("id")) or _last(report.url) or accession,
        "accession": one_line(accession),
        "exam_code": next((code for _, code in codes_of(resource.get("code"))), ""),
        "exam": _exam(around),
        "modality": _modality(around) or modality,
        "body_part": _body_part(around),
        "exam_time": _exam_time(around),
        "report_time": moment(scalar(resource.get("issued")) or (scalar(resource.get("date")) if is_document else "")),
        "status": _STATUS.get(status, ""),
        "signer": signer,
        "dictator": dictator,
        "staff_names": joined(map(_in_order, around.people())),
        "identifiers": joined(n for n in around.identifiers() if n not in used),
        "site": _site(around),
        "text": text,
    }


# --- what a report refers to ---------------------------------------------------------------------------


class _Around:
    """A report with its patient, orders, image studies and encounter, as far as they are among the files."""

    def __init__(self, report: Item, resources: Resources) -> None:
        self.report, self.resources = report, resources
        resource = report.resource
        self.patients = self._linked(report, "subject", "patient")
        self.orders = self._linked(report, "basedOn", "request", "requestDetail")
        self.studies = self._linked(report, "imagingStudy", "study")
        if not self.studies:
            self.studies = [study for order in self.orders for study in resources.studies_of(order)]
        for study in list(self.studies):
            self.orders += self._linked(study, "basedOn", "procedureRequest")
        self.encounters = self._linked(report, "encounter", "context")
        self.observations = self._linked(report, "result")[:200]
        self.is_document = resource.get("resourceType") == "Composition"

    def _linked(self, item: Item, *fields: str) -> list[Item]:
        found = [
            target
            for field in fields
            for reference in dicts(item.resource.get(field))
            if (target := self.resources.find(reference, item)) is not None
        ]
        return list({target.identity: target for target in found}.values())

    @property
    def all(self) -> list[Item]:
        """The report and all of these."""
        return [self.report, *self.patients, *self.orders, *self.studies, *self.encounters, *self.observations]

    def people(self) -> Iterator[str]:
        """The names of all people other than the patient, in natural order, wherever one of the resources has them.

        They are names of people (HumanName) themselves, or stand in references to them, or in fields for people.
        """
        for item in [*self.all, *self.resources.compositions_beside(self.report)]:
            own: set[int] = set()
            for part in objects_in(item.resource, _MOST_PARTS):
                if part.get("resourceType") == "Patient":  # known as the patient's own
                    own |= set(map(id, dicts(part.get("name"))))
                if id(part) not in own and part.keys() & {"family", "given"}:
                    yield _natural(part)
                if ("reference" in part or "display" in part) and "system" not in part:
                    yield from self.names_of(part, item)
                for field in part.keys() & _PERSON_FIELDS:
                    yield from self._shown_in(part[field], item)
                for field in part.keys() & _PERSON_STRINGS:
                    yield from map(one_line, scalars(part[field]))
                if scalar(part.get("url")).endswith(_MAIDEN_NAME):
                    yield one_line(scalar(part.get("valueString")))

    def _shown_in(self, field: object, item: Item) -> Iterator[str]:
        """The names that a field for people shows, where nothing tells that one is of something else."""
        for value in dicts(field):
            target = self.resources.find(value, item)
            of = target.kind if target else scalar(value.get("type")) or _type_of(scalar(value.get("reference")))
            for name in filter(None, (one_line(scalar(value.get(key))) for key in ("display", "name"))):
                if of in _PEOPLE or (not of and not _NO_PERSON.search(name)):
                    yield name
        if not isinstance(field, dict | list) and (name := one_line(scalar(field))) and not _NO_PERSON.search(name):
            yield name

    def names_of(self, reference: Resource, item: Item) -> list[str]:
        """The names of the person that a reference points to; none if it points to something else."""
        target = self.resources.find(reference, item)
        shown = one_line(scalar(reference.get("display")))
        if target is None:
            of = scalar(reference.get("type")) or _type_of(scalar(reference.get("reference")))
            return [shown] if shown and of in _PEOPLE else []
        if target.kind == "PractitionerRole":
            names = [
                name for person in dicts(target.resource.get("practitioner")) for name in self.names_of(person, target)
            ]
            return names or ([shown] if shown else [])
        if target.kind in _PEOPLE:
            names = _names(target.resource)
            return names + ([shown] if shown and shown not in names else [])
        return []

    def shown_patients(self) -> list[str]:
        """The names with which references to the patient are shown."""
        return [
            one_line(scalar(subject.get("display")))
            for item in self.all
            for field in ("subject", "patient")
            for subject in dicts(item.resource.get(field))
        ]

    def identifiers(self) -> Iterator[str]:
        """Further numbers and addresses of the patient, the orders, the examination and the stay."""
        for item in self.all:
            for part in objects_in(item.resource, _MOST_PARTS):
                for field in ("identifier", "telecom", "accession"):
                    for number in dicts(part.get(field)):
                        yield one_line(scalar(number.get("value")))
                for address in dicts(part.get("address")) if part is item.resource or item in self.patients else []:
                    for line in scalars(address.get("line")) + scalars(address.get("postalCode")):
                        yield one_line(line)
                    yield one_line(scalar(address.get("text")))


def _type_of(reference: str) -> str:
    return next((part for part in reversed(reference.split("/")[:-1]) if part[:1].isupper()), "")


def _last(reference: str) -> str:
    """The id in a reference."""
    return reference.partition("/_history/")[0].rstrip("/").rpartition("/")[2].removeprefix("urn:uuid:")


def _in_order(name: str) -> str:
    """A name as "Jane Q Doe" that may be written "Doe, Jane Q"."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() and "," not in given else name


# --- people --------------------------------------------------------------------------------------------


def _names(resource: Resource) -> list[str]:
    """The names of a person in natural order, the official or usual one first."""
    names = sorted(dicts(resource.get("name")), key=lambda n: scalar(n.get("use")) not in ("official", "usual", ""))
    return list(dict.fromkeys(said for name in names if (said := _natural(name))))


def _natural(name: Resource) -> str:
    parts = [*scalars(name.get("given")), *scalars(name.get("family"))]
    return one_line(" ".join(parts)) if parts else one_line(scalar(name.get("text")))


def _patient(around: _Around) -> dict[str, str]:
    shown = around.shown_patients()
    subject = (dicts(around.report.resource.get("subject")) or dicts(around.report.resource.get("patient")) or [{}])[0]
    own = (dicts(subject.get("identifier")) or [{}])[0]
    said = scalar(subject.get("reference"))
    number = scalar(own.get("value")) or ("" if said.startswith("#") else _last(said))
    if not around.patients:
        return {"patient_id": one_line(number), "patient_name": joined(shown), "birth_date": "", "sex": ""}
    found = around.patients[0]
    patient = found.resource
    # The id of a contained resource is one within its report alone: "p1" may be somebody else in the next.
    own_id = scalar(patient.get("id")) if found.root is patient else ""
    names = _names(patient)
    return {
        "patient_id": one_line(_record_number(patient) or own_id or number),
        "patient_name": joined([*names, *shown]),
        "birth_date": scalar(patient.get("birthDate")),
        "sex": scalar(patient.get("gender")),
    }


def _record_number(patient: Resource) -> str:
    """The medical record number of a patient: the identifier of type MR, else the usual one of no public office."""
    ranked: list[tuple[bool, bool, bool, int, str]] = []
    for number in dicts(patient.get("identifier")):
        value = scalar(number.get("value"))
        types = {code for _, code in codes_of(number.get("type"))}
        system = scalar(number.get("system")).lower()
        use = scalar(number.get("use"))
        if not value or use == "old":
            continue
        is_public = bool(types & {"SS", "SB", "DL", "PPN", "NI", "NIIP"}) or "us-ssn" in system
        ranked.append((bool(types & {"MR", "MRN"}), not is_public, use in ("usual", "official"), -len(ranked), value))
    return max(ranked)[-1] if ranked else ""


def _radiologists(around: _Around, *, is_document: bool) -> tuple[str, str]:
    """Who signed and who dictated, '' where nothing tells.

    The interpreter of the results has signed, the performer dictated if that is somebody else; of several interpreters
    without another performer, the second has dictated.  A document is signed by its attester, dictated by its author.
    """
    report = around.report
    if is_document:
        attesters = [
            party for attester in dicts(report.resource.get("attester")) for party in dicts(attester.get("party"))
        ]
        signers, dictators = _people(around, attesters), _people(around, dicts(report.resource.get("author")))
    else:
        signers = _people(around, dicts(report.resource.get("resultsInterpreter")))
        performers = [
            party
            for performer in dicts(report.resource.get("performer"))
            for party in (dicts(performer.get("actor")) or [performer])  # STU3 has an actor
        ]
        dictators = _people(around, performers)
    if not signers:
        signers, dictators = dictators[:1], dictators[1:]
    if not signers:
        return "", ""
    signer_key, signer = signers[0]
    others = [name for key, name in [*dictators, *signers[1:]] if key != signer_key and _bare(name) != _bare(signer)]
    return signer, others[0] if others else ""


def _people(around: _Around, references: Iterable[Resource]) -> list[tuple[str, str]]:
    """An identity and a name for each person that references point to."""
    found = []
    for reference in references:
        said = scalar(reference.get("reference"))
        target = around.resources.find(reference, around.report)
        kind = target.kind if target else scalar(reference.get("type")) or _type_of(said)
        shown = one_line(scalar(reference.get("display")))
        if kind == "Organization" or (not kind and not shown):
            continue
        names = around.names_of(reference, around.report) or ([shown] if shown and kind != "Patient" else [])
        if names:
            found.append((said or names[0], names[0]))
    return found


def _bare(name: str) -> frozenset[str]:
    """The words of a name without titles, in any order."""
    return frozenset(re.findall(r"\w+", author_name(name).casefold()))


# --- numbers -------------------------------------------------------------------------------------------


def _numbers(around: _Around) -> list[str]:
    """Accession numbers, the likeliest first.

    The identifier that is marked as one, of report, image study or order; else the filler's, else the placer's number;
    else a number of the report.
    """
    ranked: list[tuple[int, int, str]] = []
    holders = [
        *dicts(around.report.resource.get("identifier")),
        *(n for study in around.studies for n in dicts(study.resource.get("accession"))),  # DSTU2
        *(n for item in (*around.studies, *around.orders) for n in dicts(item.resource.get("identifier"))),
        *(n for field in ("basedOn", "imagingStudy", "study") for reference in dicts(around.report.resource.get(field))
          for n in dicts(reference.get("identifier"))),
    ]  # fmt: skip
    own = len(dicts(around.report.resource.get("identifier")))
    for n, number in enumerate(holders):
        value = one_line(scalar(number.get("value")))
        if not value or _UID.fullmatch(value):
            continue
        system, said = scalar(number.get("system")).lower(), name_of(number.get("type")).lower()
        types = {code for _, code in codes_of(number.get("type"))} | {said.upper()}  # Epic has codes as words alone
        if "ACSN" in types or "accession" in system or "accession" in said or "akzession" in said:
            ranked.append((0, n, value))
        elif "FILL" in types or "filler" in said:
            ranked.append((1, n, value))
        elif "PLAC" in types or "placer" in said:
            ranked.append((2, n, value))
        elif n < own:
            ranked.append((3, n, value))
    return [value for _, _, value in sorted(ranked)]


# --- the examination -----------------------------------------------------------------------------------


def _service(report: Resource) -> str | None:
    """The modality that the category tells, '' if none, None if the report is of another department."""
    codes = {code.upper() for _, code in codes_of(report.get("category"))}
    words = " ".join(
        [*(scalar(c.get("text")) for c in dicts(report.get("category"))),
         *(scalar(coding.get("display")) for c in dicts(report.get("category")) for coding in dicts(c.get("coding")))]
    )  # fmt: skip
    for code in sorted(codes):
        if code in _OF_SERVICE:
            return _OF_SERVICE[code]
    if codes & _IMAGING or _IMAGING_WORDS.search(words):
        return ""
    return None if codes & _OTHER_SERVICES else ""


def _exam(around: _Around) -> str:
    """The name of the examination by report, order or images: the first that says more than "radiology report"."""
    resource = around.report.resource
    said = [
        name_of(resource.get("type")) if around.is_document else name_of(resource.get("code")),
        one_line(scalar(resource.get("title"))),
        *(name_of(order.resource.get("code")) for order in around.orders),
        *(one_line(scalar(study.resource.get("description"))) for study in around.studies),
        *(name_of(study.resource.get("procedureCode") or study.resource.get("procedure")) for study in around.studies),
        *(one_line(scalar(r.get("display"))) for field in ("basedOn", "imagingStudy", "study")
          for r in dicts(resource.get(field))),
    ]  # fmt: skip
    names = [one_line(name) for name in said if name]
    return next((name for name in names if not _GENERIC.fullmatch(name)), names[0] if names else "")


def _modality(around: _Around) -> str:
    codes = [
        code.upper()
        for study in around.studies
        for holder in (study.resource, *dicts(study.resource.get("series")))
        for field in ("modality", "modalityList")
        for _, code in codes_of(holder.get(field))
    ]
    return "\\".join(dict.fromkeys(code for code in codes if code not in ("SR", "KO", "PR", "DOC", "OT")))


def _body_part(around: _Around) -> str:
    for item in (*around.studies, *around.orders):
        for holder in (item.resource, *dicts(item.resource.get("series"))):
            if found := name_of(holder.get("bodySite")) or next(
                (one_line(scalar(site.get("display"))) for site in dicts(holder.get("bodySite")) if "display" in site),
                "",
            ):
                return one_line(found)
    return ""


def _exam_time(around: _Around) -> str:
    """When the examination was: of the report, the images or the findings; the time of the report is none."""
    found = [_effective(around.report.resource)]
    if around.is_document:
        found += [moment(scalar(p.get("start"))) for event in dicts(around.report.resource.get("event"))
                  for p in dicts(event.get("period"))]  # fmt: skip
    found += [moment(scalar(study.resource.get("started"))) for study in around.studies]
    found += [_effective(observation.resource) for observation in around.observations]
    return next(filter(None, found), "")


def _effective(resource: Resource) -> str:
    period = (dicts(resource.get("effectivePeriod")) or [{}])[0]
    for value in (
        resource.get("effectiveDateTime"),
        resource.get("effectiveInstant"),
        period.get("start"),
        period.get("end"),
    ):
        if found := moment(scalar(value)):
            return found
    return ""


def moment(value: str) -> str:
    """A FHIR date or time as local wall-clock time; only UTC is marked, by a Z, as it may be no local time.

    Anything else stays as it is, so that it is listed as unreadable.
    """
    match = _MOMENT.fullmatch(value)
    if match is None:
        return one_line(value)
    day, clock, zone = match.groups()
    if clock is None:
        return day
    return f"{day}T{clock}{'Z' if zone and zone.upper() in _UTC else ''}"


def _site(around: _Around) -> str:
    resource = around.report.resource
    for field in ("performer", "custodian"):
        for reference in dicts(resource.get(field)):
            for party in dicts(reference.get("actor")) or [reference]:
                target = around.resources.find(party, around.report)
                if target is not None and target.kind == "Organization":
                    return one_line(scalar(target.resource.get("name")))
                if _type_of(scalar(party.get("reference"))) == "Organization":
                    return one_line(scalar(party.get("display")))
    return ""
