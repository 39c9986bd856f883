"""The cells of a FHIR report, from itself and from its patient, radiologists, orders, images and findings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from radcal.reports.authors import author_name
from radcal.reports.formats.fhir.resources import Item, Resource, Resources, dicts, objects_in, scalar, scalars
from radcal.reports.formats.fhir.texts import codes_of, name_of, text_of
from radcal.reports.markup import joined, one_line
from radcal.reports.reasons import Doubt, Flaw
from radcal.system.resources import patterns, resource

_P = patterns("reading", "fhir.toml")
_IMAGING_WORDS, _GENERIC, _NO_PERSON = (_P[name] for name in ("imaging_words", "generic", "no_person"))
_TABLES = tomllib.loads(resource("reading", "fhir.toml").read_text(encoding="utf-8"))
_WITHDRAWN = ("cancelled", "entered-in-error")
_IMAGING, _OTHER_SERVICES, _PERSON_FIELDS = (
    frozenset(_TABLES["words"][name].split()) for name in ("imaging", "other_services", "person_fields")
)
_NO_IMAGES = ("SR", "KO", "PR", "DOC", "OT")
"""Modalities of what stands beside images."""
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,12})?)?\s*(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE
)
_UTC = ("Z", "+00:00", "-00:00", "+0000")
_UID = re.compile(r"(?:urn:oid:)?[0-2](?:\.\d+){4,}")
_DICOM = "urn:dicom:uid"
"""System of the identifiers of DICOM."""
_MOST_PARTS = 5000
"""Objects of one resource in which people and numbers are looked for."""
_PEOPLE = frozenset(("Practitioner", "PractitionerRole", "RelatedPerson"))
_PERSON_STRINGS = frozenset(f"{name.removesuffix('Reference')}String" for name in _PERSON_FIELDS)
_MAIDEN_NAME = "mothersMaidenName"


def cells_of(report: Item, resources: Resources, doubts: set[Doubt]) -> Mapping[str, str] | Flaw:
    """The cells of a report by field, or why it is left out; what is doubtful about it is added to ``doubts``."""
    resource = report.resource
    status = scalar(resource.get("status")).lower()
    if status in _WITHDRAWN:
        return Flaw.WITHDRAWN
    modality = _service(resource)
    if modality is None:
        return Flaw.ELSEWHERE
    text = text_of(report, resources, doubts)
    if isinstance(text, Flaw):
        return text
    around = _Around(report, resources)
    patient = _patient(around)
    accession = next(iter(_numbers(around)), scalar(resource.get("id")))
    signer, dictator = _radiologists(around)
    return {
        **patient,
        "report_id": scalar(resource.get("id")) or _last(report.url) or accession,
        "accession": one_line(accession),
        "study_uid": _study_uid(around),
        "exam_code": next(iter(codes_of(resource.get("code"))), ""),
        "exam": _exam(around),
        "modality": _modality(around) or modality,
        "body_part": _body_part(around),
        "exam_time": _exam_time(around),
        "report_time": moment(scalar(resource.get("issued"))),
        "status": _TABLES["statuses"].get(status, ""),
        "signer": signer,
        "dictator": dictator,
        "staff_names": joined(map(_in_order, around.people())),
        "identifiers": joined(n for n in around.identifiers() if n not in (accession, patient["patient_id"])),
        "site": _site(around),
        "text": text,
    }


def accession_of(report: Item, resources: Resources) -> str:
    """The accession number of a report that is left out, '' if it has none."""
    return next(iter(_numbers(_Around(report, resources))), "")


class _Around:
    """A report with its patient, orders, image studies and encounter, as far as they are among the files."""

    def __init__(self, report: Item, resources: Resources) -> None:
        self.report, self.resources = report, resources
        self.patients = self.linked(report, "subject")
        self.orders = self.linked(report, "basedOn")
        self.studies = self.linked(report, "imagingStudy", "study")
        for study in self.studies:
            self.orders += self.linked(study, "basedOn")
        self.observations = self.linked(report, "result")[:200]
        encounters = self.linked(report, "encounter")
        self.all = [report, *self.patients, *self.orders, *self.studies, *encounters, *self.observations]

    def linked(self, item: Item, *fields: str) -> list[Item]:
        """The resources that fields of another refer to, each once."""
        references = [reference for field in fields for reference in dicts(item.resource.get(field))]
        found = [target for reference in references if (target := self.resources.find(reference, item)) is not None]
        return list({target.identity: target for target in found}.values()) if len(found) > 1 else found

    def references(self, *fields: str) -> list[Resource]:
        """The references in fields of the report."""
        return [reference for field in fields for reference in dicts(self.report.resource.get(field))]

    def people(self) -> Iterator[str]:
        """The names of all people other than the patient, in natural order, wherever one of the resources has them.

        They are names of people (HumanName) themselves, or stand in references to them, or in fields for people.
        """
        for item in self.all:
            own: set[int] = set()
            for part in objects_in(item.resource, _MOST_PARTS):
                if part.get("resourceType") == "Patient":  # known as the patient's own
                    own |= set(map(id, dicts(part.get("name"))))
                if id(part) not in own and part.keys() & {"family", "given"}:
                    yield _natural(part)
                if ("reference" in part or "display" in part) and "system" not in part:
                    yield from self.names_of(part, item)
                for field in filter(_PERSON_FIELDS.__contains__, part):
                    yield from self._shown_in(part[field], item)
                for field in filter(_PERSON_STRINGS.__contains__, part):
                    yield from map(one_line, scalars(part[field]))
                if scalar(part.get("url")).endswith(_MAIDEN_NAME):
                    yield one_line(scalar(part.get("valueString")))

    def _shown_in(self, field: object, item: Item) -> Iterator[str]:
        """The names that a field for people shows, where nothing tells that one is of something else."""
        for value in dicts(field):
            _, of = self.target_of(value, item)
            for name in filter(None, (one_line(scalar(value.get(key))) for key in ("display", "name"))):
                if of in _PEOPLE or (not of and not _NO_PERSON.search(name)):
                    yield name
        if not isinstance(field, dict | list) and (name := one_line(scalar(field))) and not _NO_PERSON.search(name):
            yield name

    def target_of(self, reference: Resource, item: Item) -> tuple[Item | None, str]:
        """What a reference points to, None if it is not among the files, and its type, '' if nothing tells it."""
        target = self.resources.find(reference, item)
        if target is not None:
            return target, target.kind
        return None, scalar(reference.get("type")) or _type_of(scalar(reference.get("reference")))

    def names_of(self, reference: Resource, item: Item) -> list[str]:
        """The names of the person that a reference points to; none if it points to something else."""
        target, kind = self.target_of(reference, item)
        shown = [name] if (name := one_line(scalar(reference.get("display")))) else []
        if kind not in _PEOPLE or target is None:
            return shown if kind in _PEOPLE else []
        if kind == "PractitionerRole":
            people = dicts(target.resource.get("practitioner"))
            return [name for person in people for name in self.names_of(person, target)] or shown
        return list(dict.fromkeys([*_names(target.resource), *shown]))

    def identifiers(self) -> Iterator[str]:
        """Further numbers and addresses of the patient, the orders, the examination and the stay."""
        for item in self.all:
            for part in objects_in(item.resource, _MOST_PARTS):
                for field in ("identifier", "telecom"):
                    for number in dicts(part.get(field)):
                        yield one_line(scalar(number.get("value")))
                for address in dicts(part.get("address")) if part is item.resource or item in self.patients else []:
                    for field in ("line", "postalCode", "text"):
                        yield from map(one_line, scalars(address.get(field)))


def _type_of(reference: str) -> str:
    return next((part for part in reversed(reference.split("/")[:-1]) if part[:1].isupper()), "")


def _last(reference: str) -> str:
    """The id in a reference."""
    return reference.partition("/_history/")[0].rstrip("/").rpartition("/")[2].removeprefix("urn:uuid:")


# --- people --------------------------------------------------------------------------------------------


def _names(resource: Resource) -> list[str]:
    """The names of a person in natural order, the official or usual one first."""
    names = sorted(dicts(resource.get("name")), key=lambda n: scalar(n.get("use")) not in ("official", "usual", ""))
    return list(dict.fromkeys(said for name in names if (said := _natural(name))))


def _natural(name: Resource) -> str:
    parts = [*scalars(name.get("given")), *scalars(name.get("family"))]
    return one_line(" ".join(parts)) if parts else one_line(scalar(name.get("text")))


def _in_order(name: str) -> str:
    """A name as "Jane Q Doe" that may be written "Doe, Jane Q"."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() and "," not in given else name


def _patient(around: _Around) -> dict[str, str]:
    references = [s for item in around.all for field in ("subject", "patient") for s in dicts(item.resource.get(field))]
    shown = [one_line(scalar(subject.get("display"))) for subject in references]
    subject = next(iter(around.references("subject", "patient")), {})
    said = scalar(subject.get("reference"))
    number = next((scalar(own.get("value")) for own in dicts(subject.get("identifier"))), "")
    number = number or ("" if said.startswith("#") else _last(said))
    patient = around.patients[0].resource if around.patients else {}
    # The id of a contained resource is one within its report alone: "p1" may be somebody else in the next.
    own_id = scalar(patient.get("id")) if around.patients and around.patients[0].root is None else ""
    return {
        "patient_id": one_line(_record_number(patient) or own_id or number),
        "patient_name": joined([*_names(patient), *shown]),
        "birth_date": scalar(patient.get("birthDate")),
        "sex": scalar(patient.get("gender")),
    }


def _record_number(patient: Resource) -> str:
    """The medical record number of a patient: the identifier of type MR, else the usual one of no public office."""
    ranked: list[tuple[bool, bool, bool, int, str]] = []
    for number in dicts(patient.get("identifier")):
        value, use = scalar(number.get("value")), scalar(number.get("use"))
        types = set(codes_of(number.get("type")))
        if value and use != "old":
            is_public = bool(types & {"SS", "SB", "DL", "PPN", "NI", "NIIP"}) or "us-ssn" in scalar(
                number.get("system")
            )
            of_hospital = bool(types & {"MR", "MRN"})
            ranked.append((of_hospital, not is_public, use in ("usual", "official"), -len(ranked), value))
    return max(ranked)[-1] if ranked else ""


def _radiologists(around: _Around) -> tuple[str, str]:
    """Who signed and who dictated, '' where nothing tells.

    The interpreter of the results has signed, the performer dictated if that is somebody else; of several interpreters
    without another performer, the second has dictated.
    """
    signers = _people(around, around.references("resultsInterpreter"))
    dictators = _people(around, around.references("performer"))
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
        _, kind = around.target_of(reference, around.report)
        names = around.names_of(reference, around.report) or [one_line(scalar(reference.get("display")))]
        if kind not in ("Organization", "Patient") and names[0]:
            found.append((scalar(reference.get("reference")) or names[0], names[0]))
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
    own = dicts(around.report.resource.get("identifier"))
    holders = [
        *own,
        *(n for item in (*around.studies, *around.orders) for n in dicts(item.resource.get("identifier"))),
        *(n for of in around.references("basedOn", "imagingStudy", "study") for n in dicts(of.get("identifier"))),
    ]
    for n, number in enumerate(holders):
        value = one_line(scalar(number.get("value")))
        if not value or _UID.fullmatch(value):
            continue
        system, said = scalar(number.get("system")).lower(), name_of(number.get("type")).lower()
        types = set(codes_of(number.get("type"))) | {said.upper()}  # Epic has codes as words alone
        if "ACSN" in types or "accession" in system or "accession" in said or "akzession" in said:
            ranked.append((0, n, value))
        elif "FILL" in types or "filler" in said:
            ranked.append((1, n, value))
        elif "PLAC" in types or "placer" in said:
            ranked.append((2, n, value))
        elif n < len(own):
            ranked.append((3, n, value))
    return [value for _, _, value in sorted(ranked)]


def _study_uid(around: _Around) -> str:
    """The UID of the image study, '' where none or several are named."""
    holders = [*(s.resource for s in around.studies), *around.references("imagingStudy", "study")]
    numbers = (number for holder in holders for number in dicts(holder.get("identifier")))
    uids = (scalar(n.get("value")).removeprefix("urn:oid:") for n in numbers if scalar(n.get("system")) == _DICOM)
    found = set(filter(None, map(one_line, uids)))
    return found.pop() if len(found) == 1 else ""


# --- the examination -----------------------------------------------------------------------------------


def _service(report: Resource) -> str | None:
    """The modality that the category tells, '' if none, None if the report is of another department."""
    codes = set(map(str.upper, codes_of(report.get("category"))))
    if known := sorted(codes & _TABLES["services"].keys()):
        return str(_TABLES["services"][known[0]])
    if not codes & _OTHER_SERVICES or codes & _IMAGING:
        return ""
    parts = objects_in(report.get("category"), _MOST_PARTS)
    words = " ".join(scalar(part.get(key)) for part in parts for key in ("text", "display"))
    return "" if _IMAGING_WORDS.search(words) else None


def _exam(around: _Around) -> str:
    """The name of the examination by report, order or images: the first that says more than "radiology report"."""
    studies = [study.resource for study in around.studies]
    said = [
        name_of(around.report.resource.get("code")),
        *(name_of(order.resource.get("code")) for order in around.orders),
        *(scalar(study.get("description")) for study in studies),
        *(name_of(study.get("procedureCode") or study.get("procedure")) for study in studies),
        *(scalar(reference.get("display")) for reference in around.references("basedOn", "imagingStudy", "study")),
    ]
    names = [one_line(name) for name in said if name]
    return next((name for name in names if not _GENERIC.fullmatch(name)), names[0] if names else "")


def _modality(around: _Around) -> str:
    holders = (holder for s in around.studies for holder in (s.resource, *dicts(s.resource.get("series"))))
    codes = [code.upper() for holder in holders for code in codes_of(holder.get("modality"))]
    return "\\".join(dict.fromkeys(code for code in codes if code not in _NO_IMAGES))


def _body_part(around: _Around) -> str:
    for item in (*around.studies, *around.orders):
        for holder in (item.resource, *dicts(item.resource.get("series"))):
            sites = dicts(holder.get("bodySite"))
            if found := name_of(sites) or next(filter(None, (scalar(site.get("display")) for site in sites)), ""):
                return one_line(found)
    return ""


def _exam_time(around: _Around) -> str:
    """When the examination was: of the report, the images or the findings; the time of the report is none."""
    found = [
        _effective(around.report.resource),
        *(moment(scalar(study.resource.get("started"))) for study in around.studies),
        *(_effective(observation.resource) for observation in around.observations),
    ]
    return next(filter(None, found), "")


def _effective(resource: Resource) -> str:
    period = next(iter(dicts(resource.get("effectivePeriod"))), {})
    written = (resource.get("effectiveDateTime"), period.get("start"), period.get("end"))
    return next(filter(None, (moment(scalar(value)) for value in written)), "")


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
    for party in around.references("performer"):
        target, kind = around.target_of(party, around.report)
        if kind == "Organization":
            return one_line(scalar(target.resource.get("name") if target else party.get("display")))
    return ""
