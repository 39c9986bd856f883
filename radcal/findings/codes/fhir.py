"""Findings as FHIR Observations, in the form that R4 and R5 share.

One Observation a finding: what is looked for is its code, how certain it is its value, and what radiologists take the
word to mean, in percent, a component.  Sources: HL7 FHIR R4 and R5, Observation; category "imaging".
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from radcal.findings.codes.codes import CERTAINTY, Code, CodedFinding
from radcal.system.cells import printable
from radcal.system.files import Json
from radcal.words.records import UNREAD

_CATEGORY = {"system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "imaging"}
_MISSING = {"system": "http://terminology.hl7.org/CodeSystem/data-absent-reason", "code": "unknown"}
_ACCESSION = {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "ACSN"}]}
_NAMESPACE = uuid.UUID("6f0a3c8e-55c2-5d0e-9c44-3f1f0a7b9d21")
"""Of the ids, so that the same finding of the same report has the same one."""


def observations(report_id: str, findings: Iterable[CodedFinding], accession: str = "") -> Iterator[Json]:
    """The findings of a report as Observations, in order; they name its study by ``accession``, or by ``report_id``.

    Their status is "preliminary": a program read them, and nobody has confirmed them.  A finding whose words were not
    understood has a reason in place of a value; words that are in no list are the text of a value without a code.
    """
    for n, coded in enumerate(findings):
        finding = coded.finding
        observation: dict[str, Any] = {
            "resourceType": "Observation",
            "id": str(uuid.uuid5(_NAMESPACE, f"{report_id}\x1f{n}")),
            "status": "preliminary",
            "category": [{"coding": [_CATEGORY]}],
            "code": _concept(coded.pathology, finding.pathology),
            "derivedFrom": [
                {
                    "type": "ImagingStudy",
                    "identifier": {"type": _ACCESSION, "value": printable(accession or report_id)},
                },
            ],
            "method": {"text": f"Read from the report by RadCal ({finding.engine})"},
            "note": [{"text": printable(finding.sentence)}],
        }
        if finding.phrase == UNREAD:
            absent = _concept(None, f"Words of doubt that were not understood: {finding.verbatim}")
            observation["dataAbsentReason"] = {"coding": [_MISSING], **absent}
        else:
            observation["valueCodeableConcept"] = _concept(coded.context, finding.verbatim or finding.phrase)
        if coded.percent is not None:
            percent = {
                "value": round(coded.percent, 1),
                "unit": "%",
                "system": "http://unitsofmeasure.org",
                "code": "%",
            }
            observation["component"] = [{"code": _concept(CERTAINTY), "valueQuantity": percent}]
        yield observation


def bundle(resources: Iterable[Json]) -> Json:
    """Resources as a Bundle of the type "collection"."""
    entries = [{"fullUrl": f"urn:uuid:{resource['id']}", "resource": resource} for resource in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def line(resource: Json) -> bytes:
    """A resource as a line of newline-delimited JSON."""
    return json.dumps(resource, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _concept(code: Code | None, text: str = "") -> dict[str, Any]:
    coding = [] if code is None else [{"system": code.system, "code": code.value, "display": code.meaning}]
    return {**({"coding": coding} if coding else {}), **({"text": printable(text)} if text else {})}
