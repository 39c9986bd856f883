"""Names of hospitals, practices and services."""

from __future__ import annotations

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.records.identifiers import Known

NOBODY = Known()


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"secret")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Films from Quarry Hollow Imaging were compared.", "Films from [place] were compared."),
        ("The scan was made at Dunmore Valley Medical Pavilion.", "The scan was made at [place]."),
        ("Seen in Tallowgate X-ray with a cough.", "Seen in [place] with a cough."),
        ("Transferred from ST ANSGAR'S. The lungs are clear.", "Transferred from [place]. The lungs are clear."),
        ("Site: Tullamarra\nThe lungs are clear.", "Site: [place]\nThe lungs are clear."),
        ("VAMC Cold Springs\nThe lungs are clear.", "[place]\nThe lungs are clear."),
        ("Discussed at the Severn Estuary lung MDM.", "Discussed at the [place] lung MDM."),
        ("He was sent by Umlazi Provincial with pain.", "He was sent by [place] with pain."),
        ("Wrexley Memorial Imaging Center\nThe lungs are clear.", "[place]\nThe lungs are clear."),
        ("Transferred from Lawrence Memorial Hospital.", "Transferred from [place]."),
        ("LOCATION: UNIVERSITY OF HARLINBERG HOSPITAL, WARD 7", "LOCATION: [place], WARD 7"),
        ("95-jährige Pat. aus dem Seniorenstift Wiesenauer Höhe. Kein Erguss.",
         "95-jährige Pat. aus dem [place]. Kein Erguss."),
        ("Die Meldung ging an das Gesundheitsamt Wolkenburg. Kein Erguss.",
         "Die Meldung ging an das [place]. Kein Erguss."),
        ("Seen at Granite Cove Cardiology Associates last week.", "Seen at [place] last week."),
        ("Films from Tall Elm Urgent Care were compared.", "Films from [place] were compared."),
        ("He was followed at Three Lakes Cancer Center.", "He was followed at [place]."),
        ("Gemeinschaftspraxis am Rosenbrunnen\nThorax: Kein Erguss.", "[place]\nThorax: Kein Erguss."),
        ("Aufnahmen des Städtischen Spitals Gurtwil. Kein Erguss.", "Aufnahmen des [place]. Kein Erguss."),
        ("Brief der Hautpraxis Dr. Ebnet & Partner. Kein Erguss.", "Brief der [place]. Kein Erguss."),
        ("Material an Labor Dres. Ebnet. Kein Erguss.", "Material an [place]. Kein Erguss."),
        ("Zuletzt im St.-Ulrike-Krankenhaus untersucht. Kein Erguss.", "Zuletzt im [place] untersucht. Kein Erguss."),
    ],
)  # fmt: skip
def test_places_are_replaced(deidentify: Deidentifier, text: str, kept: str) -> None:
    assert deidentify(text.replace("95-", "45-"), NOBODY, "p").text == kept.replace("95-", "45-")


@pytest.mark.parametrize(
    "text",
    [
        "Reviewed in the Rapid Access Clinic and on the Acute Medical Unit. Diagnostic Imaging was called.",
        "Right Upper Zone. Chest Imaging. Interventional Radiology. Intensive Care Unit. Oncology Day Ward.",
        "St Jude valve in place. ST elevation was seen. The burns centre was told.",
        "Vorstellung im Lungenkrebszentrum. Klinik: Sklerodermie. Kein Erguss.",
        "Referred to the Pulmonary Clinic and the Urgent Care. Comprehensive Cancer Center. Clear.",
        "Zuletzt in der Klinik am Abend untersucht. Kontrolle im Zentrum am Montag. Kein Erguss.",
        "Mutter lebt im Pflegeheim. Die Frau lebt bei der Tochter. Kein Erguss.",
    ],
)
def test_departments_and_devices_stay(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text == text
