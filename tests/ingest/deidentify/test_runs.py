"""What follows a name on its line stays, and lists of eponyms are none of names."""

from __future__ import annotations

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.records.identifiers import Known

STAYS = [
    ("Resident: Tilda Brommer, PGY-3", "Resident: [name], PGY-3"),
    ("Technologist: J. Brommer RT(R)", "Technologist: [name] RT(R)"),
    ("Patient: Tilda Brommer MRN: ", "Patient: [name] MRN: "),
    ("PATIENT NAME: TILDA BROMMER FINDINGS: No effusion.", "PATIENT NAME: [name] FINDINGS: No effusion."),
    ("Signed: Tilda Brommer See also the addendum.", "Signed: [name] See also the addendum."),
    ("READ BY: BROMMER, TILDA Befund besprochen.", "READ BY: [name] Befund besprochen."),
    ("Exam: MR Enterography. Findings: none.", "Exam: MR Enterography. Findings: none."),
    ("MR ANKLE without contrast.", "MR ANKLE without contrast."),
    ("MR BROMMER was seen.", "MR [name] was seen."),
    ("Scaphoid waist (Herbert B2). Rutherford 3.", "Scaphoid waist (Herbert B2). Rutherford 3."),
    ("Fracture (Anderson and D'Alonzo).", "Fracture (Anderson and D'Alonzo)."),
    ("Wells-Score 3. May-Thurner.", "Wells-Score 3. May-Thurner."),
]


@pytest.mark.parametrize(("raw", "expected"), STAYS)
def test_what_follows_a_name_stays(raw: str, expected: str) -> None:
    deidentify = Deidentifier(b"a secret")
    text = deidentify(raw, Known(), "p").text
    assert text == expected
    assert deidentify(text, Known(), "p").text == text
