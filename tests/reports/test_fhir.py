"""FHIR files: reports of valid R4 and R5 resources, made with models of their own, and of damaged or hostile ones."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.reports.documents import read_documents_csv
from radcal.reports.formats import FIELDS_OF_MESSAGES, Failure
from radcal.reports.formats.fhir import is_fhir, rows, rows_of_files
from radcal.reports.formats.fhir.report import moment
from radcal.reports.reasons import OF_FLAW, Doubt, Flaw
from radcal.reports.records import Section
from radcal.reports.sections import document
from tests.cases import cases_of

cases = cases_of(__file__)

MADE = Path(__file__).parents[3] / "shared/data/import/fhir"
FINDINGS, IMPRESSION = "Small right effusion.\nLungs are clear.", "Probable pneumonia."
LOINC = "http://loinc.org"

Json = dict[str, Any]


def read(*files: bytes | str | Json) -> list[tuple[int, int, Json | Flaw]]:
    """File, position, and cells by field or flaw, of everything in some files."""
    found = []
    for file, position, cells in rows_of_files([as_bytes(file) for file in files]):
        if position and not isinstance(cells, Doubt):
            read_as = cells.flaw if isinstance(cells, Failure) else dict(zip(FIELDS_OF_MESSAGES, cells, strict=True))
            found.append((file, position, read_as))
        elif not position:
            assert cells == list(FIELDS_OF_MESSAGES)
    return found


def one(*files: bytes | str | Json) -> Any:
    """The cells of the only report, or its flaw."""
    [(_, _, cells)] = read(*files)
    return cells


def as_bytes(file: bytes | str | Json) -> bytes:
    return file if isinstance(file, bytes) else (file if isinstance(file, str) else json.dumps(file)).encode()


def valid(version: str, resource: Json) -> Json:
    """A resource as the models of a version write it.

    Raises:
        pydantic.ValidationError: it is not valid.
    """
    from fhir.resources import R4B, get_fhir_model_class

    model = (R4B.get_fhir_model_class if version == "R4" else get_fhir_model_class)(resource["resourceType"])
    dumped: Json = json.loads(model.model_validate(resource).model_dump_json())
    return dumped


def concept(code: str, display: str, system: str = LOINC) -> Json:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def observation(name: str, code: str, display: str, **value: Any) -> Json:
    return {"resourceType": "Observation", "id": name, "status": "final", "code": concept(code, display), **value}


def form(text: str | bytes, kind: str = "text/plain", **more: str) -> Json:
    data = text.encode() if isinstance(text, str) else text
    return {"contentType": kind, "data": base64.b64encode(data).decode(), **more}


def report(**fields: Any) -> Json:
    return {
        "resourceType": "DiagnosticReport",
        "id": "r1",
        "status": "final",
        "code": concept("36643-5", "XR Chest 2 Views"),
        **fields,
    }


def bundle(*resources: Json, kind: str = "collection", base: str = "urn:uuid:") -> Json:
    return {
        "resourceType": "Bundle",
        "type": kind,
        "entry": [{"fullUrl": f"{base}{r['id']}", "resource": r} for r in resources],
    }


UUID = "7f0d1ac0-4a1b-4e0c-9f53-1f6b5a0c3e5{}"


def department(version: str, point: Callable[[str, str], str]) -> list[Json]:
    """A report with all that it refers to; ``point`` writes a reference from type and id."""
    ids = {
        name: UUID.format(i) for i, name in enumerate(("pat", "doc", "role", "res", "org", "ord", "img", "fin", "imp"))
    }
    to = lambda kind, name: {"reference": point(kind, ids[name])}  # noqa: E731
    r5 = version == "R5"
    made = [
        {
            "resourceType": "Patient",
            "id": ids["pat"],
            "gender": "female",
            "birthDate": "1950-01-02",
            "name": [{"use": "maiden", "family": "Roe"}, {"use": "official", "family": "Doe", "given": ["Jane", "Q"]}],
            "identifier": [
                {"type": concept("SS", "SSN", "http://terminology.hl7.org/CodeSystem/v2-0203"), "value": "999-1"},
                {"type": concept("MR", "MRN", "http://terminology.hl7.org/CodeSystem/v2-0203"), "value": "M7"},
            ],
            "telecom": [{"system": "phone", "value": "555-0100"}],
            "address": [{"line": ["12 Hill Street"], "city": "Reading", "postalCode": "RG1"}],
            "contact": [{"name": {"family": "Doe", "given": ["Max"]}}],
        },
        {
            "resourceType": "Practitioner",
            "id": ids["doc"],
            "name": [{"family": "Smith", "given": ["John"], "prefix": ["Dr"]}],
        },
        {"resourceType": "Practitioner", "id": ids["res"], "name": [{"family": "Young", "given": ["Rita"]}]},
        {"resourceType": "PractitionerRole", "id": ids["role"], "practitioner": to("Practitioner", "doc")},
        {"resourceType": "Organization", "id": ids["org"], "name": "General Hospital"},
        {
            "resourceType": "ServiceRequest",
            "id": ids["ord"],
            "status": "completed",
            "intent": "order",
            "subject": to("Patient", "pat"),
            "requester": {"reference": "Practitioner/9", "display": "Ann Refer"},
            "identifier": [
                {"type": concept("PLAC", "Placer", "http://terminology.hl7.org/CodeSystem/v2-0203"), "value": "PL1"}
            ],
        },
        {
            "resourceType": "ImagingStudy",
            "id": ids["img"],
            "status": "available",
            "subject": to("Patient", "pat"),
            "identifier": [
                {"system": "urn:dicom:uid", "value": "urn:oid:1.2.840.99.1.2"},
                {"type": concept("ACSN", "Accession", "http://terminology.hl7.org/CodeSystem/v2-0203"), "value": "A1"},
            ],
            "modality": [concept("DX", "DX", "http://dicom.nema.org/resources/ontology/DCM")]
            if r5
            else [{"system": "http://dicom.nema.org/resources/ontology/DCM", "code": "DX"}],
            "started": "2024-03-05T14:28:00+01:00",
        },
        {
            **observation(ids["fin"], "18782-3", "Radiology Study observation", valueString=FINDINGS),
            "subject": to("Patient", "pat"),
        },
        {**observation(ids["imp"], "19005-8", "Impression", valueString=IMPRESSION), "subject": to("Patient", "pat")},
        report(
            subject=to("Patient", "pat"),
            effectiveDateTime="2024-03-05T14:30:00+01:00",
            issued="2024-03-05T15:00:00.123+01:00",
            category=[concept("RAD", "Radiology", "http://terminology.hl7.org/CodeSystem/v2-0074")],
            basedOn=[to("ServiceRequest", "ord")],
            **{"study" if r5 else "imagingStudy": [to("ImagingStudy", "img")]},
            performer=[to("Organization", "org"), to("Practitioner", "res")],
            resultsInterpreter=[to("PractitionerRole", "role")],
            result=[to("Observation", "fin"), to("Observation", "imp")],
        ),
    ]
    return [valid(version, resource) for resource in made]


EXPECTED = {
    "report_id": "r1",
    "accession": "A1",
    "study_uid": "1.2.840.99.1.2",
    "patient_id": "M7",
    "patient_name": "Jane Q Doe; Roe",
    "birth_date": "1950-01-02",
    "sex": "female",
    "exam_code": "36643-5",
    "exam": "XR Chest 2 Views",
    "modality": "DX",
    "body_part": "",
    "exam_time": "2024-03-05T14:30:00",
    "report_time": "2024-03-05T15:00:00",
    "status": "final",
    "dictator": "Rita Young",
    "signer": "John Smith",
    "site": "General Hospital",
    "text": f"FINDINGS:\n{FINDINGS}\n\nIMPRESSION:\n{IMPRESSION}",
}


def ways(version: str) -> dict[str, Callable[[], list[Any]]]:
    """The same report as systems hand it out: the files of each way."""
    relative = lambda kind, name: f"{kind}/{name}"  # noqa: E731
    absolute = lambda kind, name: f"https://ehr.example/fhir/{kind}/{name}"  # noqa: E731
    urn = lambda _, name: f"urn:uuid:{name}"  # noqa: E731

    def searched() -> list[Any]:
        found = department(version, relative)
        return [
            valid(
                version,
                {
                    "resourceType": "Bundle",
                    "type": "searchset",
                    "entry": [
                        {"fullUrl": absolute(r["resourceType"], r["id"]), "resource": r, "search": {"mode": "match"}}
                        for r in found
                    ],
                },
            )
        ]

    def contained() -> list[Any]:
        *others, its = department(version, lambda _, name: f"#{name}")
        return [{**its, "contained": others}]

    def exported() -> list[Any]:
        found = department(version, relative)
        return [
            "\n".join(json.dumps(r) for r in found if r["resourceType"] == kind) + "\n"
            for kind in dict.fromkeys(r["resourceType"] for r in found)
        ]

    return {
        "searchset": searched,
        "collection of uuids": lambda: [bundle(*department(version, urn))],
        "contained": contained,
        "bulk export": exported,
        "one ndjson": lambda: ["\r\n".join(json.dumps(r) for r in department(version, absolute))],
        "a folder": lambda: list(department(version, relative)),
        "versioned": lambda: [bundle(*department(version, lambda k, n: f"{k}/{n}/_history/2"), base="http://a/X/")],
        "an array": lambda: [json.dumps(department(version, relative))],
        "UTF-16": lambda: [json.dumps(bundle(*department(version, urn))).encode("utf-16")],
        "with a byte order mark": lambda: [b"\xef\xbb\xbf" + as_bytes(bundle(*department(version, urn)))],
        "transaction": lambda: [bundle(*department(version, urn), kind="transaction")],
    }


@pytest.mark.parametrize("version", ["R4", "R5"])
@pytest.mark.parametrize("way", list(ways("R4")))
def test_a_report_and_all_that_it_refers_to(version: str, way: str) -> None:
    """References of every kind are resolved, and each field comes from where the standard has it."""
    files = ways(version)[way]()
    cells = one(*files)
    assert {name: cells[name] for name in EXPECTED} == EXPECTED
    assert set(cells["staff_names"].split("; ")) >= {"Max Doe", "John Smith", "Rita Young", "Ann Refer"}
    assert set(cells["identifiers"].split("; ")) >= {"999-1", "555-0100", "12 Hill Street", "RG1", "PL1"}
    assert all(is_fhir(as_bytes(file)) for file in files)


# --- which text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forms", "text"),
    [
        ([form("Plain.")], "Plain."),
        ([form("<p>One</p><p>two</p>", "text/html")], "One\n\ntwo"),
        ([form("<p>One</p>", "application/xhtml+xml; charset=utf-8")], "One"),
        ([form("<html><body>One", "application/octet-stream")], "One"),
        ([form(rb"{\rtf1 One\par two}", "text/rtf")], "One\ntwo"),
        ([form("Größe".encode("latin-1"), "text/plain; charset=ISO-8859-1")], "Größe"),
        ([form("Größe".encode("cp1252"), "text/plain")], "Größe"),
        ([form("Größe".encode("utf-16"))], "Größe"),
        ([form("<p>Other words</p>", "text/html"), form("Plain.")], "Plain."),
        ([form("%PDF-1.7", "application/pdf"), form("Plain.")], "Plain."),
        ([form("Report."), form("ADDENDUM: more.")], "Report.\n\nADDENDUM: more."),
        ([form("Report."), form("Report. ADDENDUM: more.")], "Report. ADDENDUM: more."),
        ([form("Report.", language="en"), form("Befund.", language="de")], "Report."),
    ],
)
def test_the_presented_form_comes_first(forms: list[Json], text: str) -> None:
    """As plain text, else HTML, else rich text; Observations do not repeat it."""
    said = observation("o", "19005-8", "Impression", valueString="Not this.")
    assert one(bundle(report(presentedForm=forms, result=[{"reference": "Observation/o"}]), said))["text"] == text


def test_a_presented_form_may_lie_in_a_binary() -> None:
    """As servers hand out references to it."""
    binary = {"resourceType": "Binary", "id": "b7", **form("<p>One</p>", "text/html")}
    assert one(report(presentedForm=[{"contentType": "text/html", "url": "Binary/b7"}]), binary)["text"] == "One"


@cases("the_conclusion_is_not_lost_and_not_doubled")
def test_the_conclusion_is_not_lost_and_not_doubled(presented: str, conclusion: str, text: str) -> None:
    """It follows a presented form that lacks both it and an impression."""
    assert one(report(presentedForm=[form(presented)], conclusion=conclusion))["text"] == text


@pytest.mark.parametrize(
    ("conclusion", "text"),
    [
        ("Probable pneumonia.", f"FINDINGS:\n{FINDINGS}\n\nIMPRESSION:\nProbable pneumonia."),
        ("Possible mass.", f"FINDINGS:\n{FINDINGS}\n\nIMPRESSION:\n{IMPRESSION}\nPossible mass."),
        (f"FINDINGS: {FINDINGS} IMPRESSION: {IMPRESSION}", f"FINDINGS: {FINDINGS} IMPRESSION: {IMPRESSION}"),
        ("", f"FINDINGS:\n{FINDINGS}\n\nIMPRESSION:\n{IMPRESSION}"),
    ],
)
def test_observations_and_conclusion(conclusion: str, text: str) -> None:
    """What both say stands once, in whichever is longer."""
    findings = observation("f", "18782-3", "Findings", valueString=FINDINGS)
    impression = observation("i", "19005-8", "Impression", valueString=IMPRESSION)
    its = report(conclusion=conclusion, result=[{"reference": "Observation/f"}, {"reference": "Observation/i"}])
    assert one(bundle(its, findings, impression))["text"] == text


def test_observations_of_other_kinds() -> None:
    """Members in order and once, components, numbers with units, codes, and names that are no section."""
    made = [
        observation("top", "18782-3", "Findings", hasMember=[{"reference": f"Observation/{n}"} for n in "abc"]),
        observation("a", "x", "Lungs", valueString="Clear.", hasMember=[{"reference": "Observation/top"}]),
        observation(
            "b",
            "y",
            "Nodule",
            component=[
                {"code": {"text": "Diameter"}, "valueQuantity": {"value": 12.50, "unit": "mm", "comparator": "<"}},
                {"code": {"text": "Margin"}, "valueCodeableConcept": concept("m", "spiculated")},
                {"code": {"text": "Calcified"}, "valueBoolean": False},
                {"code": {"text": "Gone"}, "dataAbsentReason": concept("unknown", "Unknown")},
            ],
        ),
        {**observation("c", "z", "Withdrawn", valueString="No."), "status": "entered-in-error"},
    ]
    its = report(result=[{"reference": "Observation/top"}, {"reference": "Observation/a"}])
    text = one(bundle(its, *made))["text"]
    assert text == "FINDINGS:\nLungs: Clear.\nDiameter: <12.5 mm.\nMargin: spiculated.\nCalcified: no."


def test_headings_are_those_that_sections_reads() -> None:
    """The sections of the made text are the sections of the Observations."""
    codes = {
        "18785-6": Section.INDICATION,
        "18834-2": Section.COMPARISON,
        "55111-9": Section.TECHNIQUE,
        "18782-3": Section.FINDINGS,
        "19005-8": Section.IMPRESSION,
    }
    made = [observation(code, code, code, valueString=f"Words of {section} here.") for code, section in codes.items()]
    text = one(bundle(report(result=[{"reference": f"Observation/{code}"} for code in codes]), *made))["text"]
    assert {s.text: s.section for s in document("1", text).sentences} == {
        f"Words of {section} here.": section for section in codes.values()
    }


def test_coded_conclusions_stand_in_where_there_is_no_text() -> None:
    """By their text or display."""
    coded = [concept("1", "Pneumonia", "http://snomed.info/sct"), {"text": "Pleural effusion"}]
    assert one(report(conclusionCode=coded))["text"] == "IMPRESSION:\nPneumonia.\nPleural effusion."
    assert one(report(conclusionCode=coded, conclusion="Clear."))["text"] == "IMPRESSION:\nClear."


# --- fields --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "read_as"),
    [
        ("registered", "preliminary"),
        ("partial", "preliminary"),
        ("preliminary", "preliminary"),
        ("final", "final"),
        ("amended", "corrected"),
        ("corrected", "corrected"),
        ("appended", "addendum"),
        ("unknown", ""),
        ("cancelled", Flaw.WITHDRAWN),
        ("entered-in-error", Flaw.WITHDRAWN),
    ],
)
def test_statuses(status: str, read_as: str) -> None:
    """Each status of the standard; what was withdrawn is listed."""
    found = one(report(status=status, conclusion="Clear."))
    assert (found if isinstance(found, Flaw) else found["status"]) == read_as


@cases("times")
def test_times(written: str, read_as: str) -> None:
    """By the clock at the place of the examination; UTC is marked, and what is no time is left to be listed."""
    assert moment(written) == read_as


@cases("radiologists")
def test_radiologists(fields: Json, signer: str, dictator: str) -> None:
    """The interpreter signed; a performer who is another person dictated."""
    cells = one(report(conclusion="Clear.", **fields))
    assert (cells["signer"], cells["dictator"]) == (signer, dictator)


@pytest.mark.parametrize(
    ("numbers", "accession"),
    [
        ([{"value": "R1"}, {"value": "A1", "type": concept("ACSN", "")}], "A1"),
        ([{"value": "R1"}, {"value": "A1", "system": "urn:hospital:Accession"}], "A1"),
        ([{"value": "P1", "type": concept("PLAC", "")}, {"value": "F1", "type": concept("FILL", "")}], "F1"),
        ([{"value": "urn:oid:1.2.3.4.5.6"}, {"value": "R1"}], "R1"),
        ([], "r1"),
    ],
)
def test_accession_numbers(numbers: list[Json], accession: str) -> None:
    """The identifier that says so, else the filler's number, else any of the report, else its id."""
    assert one(report(conclusion="Clear.", identifier=numbers))["accession"] == accession


def test_an_accession_number_in_a_logical_reference() -> None:
    """To an order that is not among the files."""
    order = {"identifier": {"value": "A9", "type": concept("ACSN", "")}}
    assert one(report(conclusion="Clear.", basedOn=[order]))["accession"] == "A9"


def test_the_name_of_the_examination() -> None:
    """Where the code only says that it is a radiology report, the order tells more."""
    order = {"resourceType": "ServiceRequest", "id": "o", "code": {"text": "CT CHEST WITH CONTRAST"}}
    its = report(
        code=concept("18748-4", "Diagnostic imaging study"),
        conclusion="Clear.",
        basedOn=[{"reference": "ServiceRequest/o"}],
    )
    assert one(bundle(its, order))["exam"] == "CT CHEST WITH CONTRAST"
    assert one(its)["exam"] == "Diagnostic imaging study"


def test_reports_of_other_departments_are_listed() -> None:
    """By their category; one without a category may be of radiology."""
    lab = report(category=[concept("LAB", "Laboratory")], conclusion="Sodium 140.")
    assert one(lab) is Flaw.ELSEWHERE
    assert one(report(category=[concept("LAB", ""), concept("LP29684-5", "Radiology")], conclusion="Clear."))["text"]
    assert one(report(category=[concept("CT", "CAT Scan")], conclusion="Clear."))["modality"] == "CT"


def test_different_people_of_one_id_are_not_mixed_up() -> None:
    """A bundle's own patient counts; between different ones of other files nothing is chosen."""
    first = bundle({"resourceType": "Patient", "id": "1", "name": [{"text": "Ann"}]}, base="http://a/Patient/")
    second = bundle(
        {"resourceType": "Patient", "id": "1", "name": [{"text": "Bea"}]},
        report(conclusion="Clear.", subject={"reference": "Patient/1"}),
        base="http://b/Patient/",
    )
    lone = report(conclusion="Clear.", subject={"reference": "Patient/1"})
    assert [cells["patient_name"] for _, _, cells in read(first, second, lone) if isinstance(cells, dict)] == [
        "Bea",
        "",
    ]
    assert one(lone, first)["patient_name"] == "Ann"


def test_the_latest_version_of_a_resource_counts() -> None:
    """Of a history, whichever version the reference names."""
    old, new = (
        {"resourceType": "Patient", "id": "1", "name": [{"text": name}], "meta": {"versionId": v, "lastUpdated": at}}
        for name, v, at in (("Ann", "1", "2024-01-01"), ("Ann Lee", "2", "2024-02-01"))
    )
    for reference in ("Patient/1", "Patient/1/_history/1"):
        its = report(conclusion="Clear.", subject={"reference": reference})
        assert one(bundle(new, old, its))["patient_name"] == "Ann Lee"


# --- what cannot be read -------------------------------------------------------------------------------

CLEAR = json.dumps(report(conclusion="Clear."))


@pytest.mark.parametrize(
    ("file", "flaw"),
    [
        (report(), Flaw.NO_TEXT),
        (report(presentedForm=[form("%PDF-1.7 ...", "application/pdf")]), Flaw.DOCUMENT),
        (report(presentedForm=[form("%PDF-1.7 ...", "text/plain")]), Flaw.DOCUMENT),
        (report(presentedForm=[{"contentType": "application/pdf", "url": "Binary/1"}]), Flaw.NOT_INCLUDED),
        (report(presentedForm=[{"contentType": "text/plain", "url": "data:text/plain,Clear."}]), Flaw.NOT_INCLUDED),
        (report(codedDiagnosis=[{"text": "Pneumonia"}]), Flaw.NO_TEXT),  # of DSTU2
        (report(presentedForm=[{"contentType": "text/plain", "data": "A?"}]), Flaw.DAMAGED),
        (report(presentedForm=[{"contentType": "text/plain", "data": "Left as it is, no base64."}]), Flaw.DAMAGED),
        (report(presentedForm=[form("a" * (7 << 20))]), Flaw.TOO_LONG),
        (report(result=[{"reference": "Observation/9"}]), Flaw.NOT_INCLUDED),
        ({"resourceType": "Patient", "id": "1"}, Flaw.UNSUPPORTED),
        ({"resourceType": "Bundle", "type": "collection"}, Flaw.UNSUPPORTED),
        (CLEAR[:-3], Flaw.DAMAGED),
        ('{"resourceType": "DiagnosticReport", "x": ' + "[" * 100_000, Flaw.NESTED),
        (json.dumps(report(conclusion="A."), indent=1) + json.dumps(report(conclusion="B."), indent=1), Flaw.DAMAGED),
    ],
)
def test_what_cannot_be_read_is_listed(file: str | Json, flaw: Flaw) -> None:
    """Each with its reason, and never as an empty or a guessed report."""
    assert one(file) is flaw


@cases("xml_is_refused_unread_with_a_remedy")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_xml_is_refused_unread_with_a_remedy(before: str, encoding: str) -> None:
    xml = f'{before}<DiagnosticReport xmlns="http://hl7.org/fhir"><conclusion value="Clear.&b;"/></DiagnosticReport>'
    assert is_fhir(xml.encode(encoding))
    assert one(xml.encode(encoding)) is Flaw.XML
    assert one("<a xmlns='http://hl7.org/fhir'>" * 5000) is Flaw.XML
    assert "Export it as JSON" in OF_FLAW[Flaw.XML].remedy


def test_numbers_and_characters_out_of_bounds() -> None:
    """Huge numbers, NaN, lone halves of characters and control characters are read as what they are worth."""
    text = CLEAR[:-1] + ', "x": ' + "9" * 100_000 + ', "y": NaN, "z": 1e999999, "issued": "\\ud800\\u0000"}'
    assert one(text)["report_time"] == "\ufffd"
    assert one(CLEAR.replace("Clear", "Cl\\udc00e\\u0000ar"))["text"].endswith("Cl\ufffdear.")
    assert one(CLEAR.replace("Clear", "Größe").encode("cp1252"))["text"].endswith("Größe.")


def test_lines_of_an_export_fail_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged, a nested and an overlong line are listed by their numbers; the others are read."""
    monkeypatch.setattr("radcal.reports.formats.fhir.resources._LONGEST_LINE", 200_000)
    lines = [CLEAR, CLEAR[:-3], "", "[" * 100_000, "{" + " " * 200_000 + "}", "[1]", CLEAR]
    lines[3] = '{"x":' + lines[3]
    found = read("\n".join(lines))
    flaws = {position: flaw for _, position, flaw in found if isinstance(flaw, Flaw)}
    assert flaws == {2: Flaw.DAMAGED, 4: Flaw.NESTED, 5: Flaw.TOO_LONG, 6: Flaw.DAMAGED}
    assert sorted(position for _, position, cells in found if isinstance(cells, dict)) == [1, 7]


def test_positions_are_those_of_entries() -> None:
    """Of a bundle; resources of no interest count."""
    found = read(
        bundle({"resourceType": "Patient", "id": "1"}, report(conclusion="A."), report(), report(conclusion="B."))
    )
    assert [(position, cells if isinstance(cells, Flaw) else cells["text"][-2:]) for _, position, cells in found] == [
        (2, "A."),
        (3, Flaw.NO_TEXT),
        (4, "B."),
    ]


def test_references_that_go_round() -> None:
    """Observations that are members of each other, contained resources that contain themselves, a '#' alone."""
    a = observation("a", "x", "A", valueString="One.", hasMember=[{"reference": "Observation/b"}])
    b = observation("b", "x", "B", valueString="Two.", hasMember=[{"reference": "Observation/a"}, {"reference": "#"}])
    its = report(result=[{"reference": "Observation/a"}, {"reference": "Observation/b"}], subject={"reference": "#"})
    for file in (bundle(its, a, b), "\n".join(json.dumps(r) for r in (its, a, b))):
        text = one(file)["text"]
        assert (text.count("One."), text.count("Two.")) == (1, 1)


def test_entries_of_a_bundle_that_are_no_resources_are_listed() -> None:
    right = {"resource": report(conclusion="Clear.")}
    entries = [{"resource": 5}, right, {"foo": 1}, {"resource": {"id": "x"}}, 7, {"response": {"status": "201"}}, {}]
    deleted = {"request": {"method": "DELETE", "url": "DiagnosticReport/3"}}
    found = read({"resourceType": "Bundle", "type": "batch", "entry": [*entries, deleted]})
    assert [(flaw, at) for _, at, flaw in found if isinstance(flaw, Flaw)] == [
        (Flaw.UNSUPPORTED, at) for at in (1, 3, 4, 5)
    ]
    assert len(found) == 5


def test_bundles_within_bundles() -> None:
    """As answers to a batch hold them, on whatever level."""
    inner: Json = report(conclusion="Clear.")
    for _ in range(40):
        inner = {"resourceType": "Bundle", "type": "batch-response", "entry": [{"resource": inner}]}
        assert one(inner)["text"].endswith("Clear.")


def nested(levels: int, n: int = 0) -> list[Json]:
    """Observations that are members of each other, each with a sentence of its own."""
    members = [{"reference": f"Observation/o{level + 1}"} for level in range(levels)] + [None]
    return [
        observation(f"o{level}", "x", "Lungs", valueString=f"Sentence {level}.", **({"hasMember": [to]} if to else {}))
        for level, to in enumerate(members)
    ]


@pytest.mark.parametrize("levels", [1, 19, 20, 21, 300, 1999])
def test_observations_nested_on_any_level_are_read(levels: int) -> None:
    text = one(bundle(report(result=[{"reference": "Observation/o0"}]), *nested(levels)))["text"]
    assert [f"Sentence {n}." in text for n in range(levels + 1)] == [True] * (levels + 1)


@pytest.mark.parametrize(
    "made",
    [
        [report(result=[{"reference": "Observation/o0"}, {"reference": "Observation/gone"}]), *nested(0)],
        [report(conclusion="Normal.", result=[{"reference": "Observation/gone"}])],
        [report(result=[{"reference": "Observation/o0"}]), *nested(5)[:3]],
        [report(result=[{"reference": "Observation/o0"}]), *nested(2000)],
    ],
)
def test_a_report_without_parts_that_it_refers_to_is_left_out_until_somebody_has_looked(made: list[Json]) -> None:
    found = [cells for _, at, cells in rows(as_bytes(bundle(*made))) if at]
    assert found[1:] == [Doubt.INCOMPLETE]


def test_parts_that_the_text_does_not_need_may_be_missing() -> None:
    form = {"contentType": "text/plain", "data": base64.b64encode(b"Clear.").decode()}
    its = report(presentedForm=[form], result=[{"reference": "Observation/gone"}])
    assert [cells for _, at, cells in rows(as_bytes(its)) if at and isinstance(cells, Doubt)] == []


@pytest.mark.parametrize("shape", ["one", "bundle", "lines", "array"])
def test_no_cut_is_silent(shape: str) -> None:
    its = [report(id=f"r{n}", conclusion=f"Pneumonia is unlikely {n}. Erguß.") for n in (1, 2)]
    data = {
        "one": json.dumps(its[0], ensure_ascii=False),
        "bundle": json.dumps(bundle(*its), ensure_ascii=False),
        "lines": "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in its),
        "array": json.dumps(its, ensure_ascii=False),
    }[shape].encode()
    whole = {cells["text"] for _, _, cells in read(data)}
    for n in range(1, len(data)):
        found = [cells for _, _, cells in read(data[:n])]
        texts = {cells["text"] for cells in found if isinstance(cells, dict)}
        assert texts <= whole, n
        ended = data[:n].endswith(b"}") or data[:n].endswith(b"\n")  # behind a whole line of several
        assert any(isinstance(cells, Flaw) for cells in found) or (shape == "lines" and ended), n


_PARTS = """
    reference display coding code text value div data url contentType type id name entry resource resourceType
    valueString component hasMember section fullUrl identifier
"""
_REPORTS = """
    id status code subject identifier category effectiveDateTime effectivePeriod issued performer resultsInterpreter
    result presentedForm conclusion conclusionCode contained basedOn imagingStudy study encounter composition text note
"""
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["final", "#", "Patient/1", "r1"]),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(_PARTS.split()), parts, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(_REPORTS.split()), JSON, max_size=8), st.lists(JSON, max_size=3))
def test_fields_of_any_shape(fields: Json, others: list[Any]) -> None:
    """No value of a wrong type breaks the reader: the report is read or listed."""
    found = read(bundle_of({"resourceType": "DiagnosticReport", **fields}, others))
    assert len(found) >= 1
    for _, _, cells in found:
        assert isinstance(cells, Flaw) or all(isinstance(cell, str) for cell in cells.values())


def bundle_of(its: Json, others: Sequence[Any]) -> Json:
    return {"resourceType": "Bundle", "entry": [{"resource": its}, *({"resource": other} for other in others)]}


@given(st.data())
def test_damaged_bytes(data: st.DataObject) -> None:
    """Bytes cut off, flipped or put in: read or listed, never anything else."""
    whole = bytearray(as_bytes(bundle(*department_once())))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=6))
    for _, position, cells in rows(bytes(whole)):
        assert position >= 0
        assert isinstance(cells, Failure | Doubt) or all(isinstance(cell, str) for cell in cells)


_MADE: list[Json] = []


def department_once() -> list[Json]:
    if not _MADE:
        _MADE.extend(department("R4", lambda kind, name: f"{kind}/{name}"))
    return _MADE


@pytest.mark.skipif(not MADE.is_dir(), reason="the shared examples are not at hand")
def test_the_shared_example() -> None:
    """Its HTML is the text; without it, the two Observations beside it are."""
    files = [path.read_bytes() for path in sorted(MADE.glob("*.json"))]
    its = json.loads(files[0])
    cells = one(*files)
    assert cells["signer"] == "Dr Ronald Bone"
    assert cells["dictator"] == ""
    assert "Amy Shaw" in cells["patient_name"]
    assert cells["text"] == one(files[0])["text"]
    assert len([s for s in document("1", cells["text"]).sentences if s.section is Section.FINDINGS]) > 5
    del its["presentedForm"]
    text = one(json.dumps(its), *files[1:])["text"]
    sections = {s.section for s in document("1", text).sentences}
    assert sections == {Section.FINDINGS, Section.IMPRESSION}
    assert one(json.dumps(its)) is Flaw.NOT_INCLUDED


def test_a_contained_patient_without_a_number_is_nobody() -> None:
    """The id of what is contained means nothing outside of its report; that of a resource does."""
    patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Doe"}]}
    inside = {"contained": [patient], "subject": {"reference": "#p1"}, "conclusion": "Clear."}
    assert (one(report(**inside))["patient_id"], one(report(**inside))["patient_name"]) == ("", "Doe")
    named = {**inside, "subject": {"reference": "#p1", "identifier": {"value": "M7"}}}
    assert one(report(**named))["patient_id"] == "M7"
    assert one(report(subject={"reference": "#lost"}, conclusion="Clear."))["patient_id"] == ""
    apart = bundle(patient, report(subject={"reference": "Patient/p1"}, conclusion="Clear."))
    assert one(apart)["patient_id"] == "p1"


def test_types_of_numbers_in_words() -> None:
    numbers = [{"type": {"text": "PLAC"}, "value": "1066"}, {"type": {"text": "FILL"}, "value": "E12"}]
    assert one(report(identifier=numbers, conclusion="Clear."))["accession"] == "E12"
    numbers.append({"type": {"text": "ACSN"}, "value": "A5"})
    assert one(report(identifier=numbers, conclusion="Clear."))["accession"] == "A5"


def test_the_latest_version_of_a_history_counts(tmp_path: Path) -> None:
    """Of findings; an import keeps all, as a CT may stand between them."""
    number = [{"value": "A1"}]
    versions = [
        report(identifier=number, status=status, conclusion=words)
        for status, words in (("amended", "Large effusion."), ("final", "No effusion."), ("preliminary", "Draft."))
    ]
    path = tmp_path / "history.json"
    for order in (versions, versions[::-1]):
        path.write_text(json.dumps(bundle(*order, kind="history")), encoding="utf-8")
        documents, rejected, _ = read_documents_csv(path)
        assert [(d.report_id, d.text) for d in documents] == [("A1", "IMPRESSION:\nLarge effusion.")]
        assert rejected.empty
        found = [cells["status"] for _, _, cells in read(bundle(*order, kind="history")) if isinstance(cells, dict)]
        assert sorted(found) == ["corrected", "final", "preliminary"]
