"""Names at the end of texts and beside rooms and numbers, numbers in groups, days beside films."""

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
        ("The lungs are clear. No effusion. Larkwell", "The lungs are clear. No effusion. [name]"),
        ("The lungs are clear.\nTamsin Quillby, Reporting Radiographer",
         "The lungs are clear.\n[name], Reporting Radiographer"),
        ("the lungs are clear. no effusion. quillby / dk", "the lungs are clear. no effusion. [name] / [name]"),
        ("The lungs are clear. No effusion. ro/kz", "The lungs are clear. No effusion. [name]"),
        ("The lungs are clear. No effusion. MT", "The lungs are clear. No effusion. [name]"),
        ("Cardiomegaly.\n\nM. Quillby-Aske, M.D.\nMQ/jrw", "Cardiomegaly.\n\n[name], M.D.\n[name]"),
        ("Kein Erguss. Befund mitgeteilt. Strohmüßer", "Kein Erguss. Befund mitgeteilt. [name]"),
        ("Kein Erguss. Stabiler Befund. Hedda Steinbrand", "Kein Erguss. Stabiler Befund. [name]"),
        ("Kein Erguss. Schreibkraft Bo, Tel. 4412", "Kein Erguss. Schreibkraft [name], Tel. [phone]"),
        ("No effusion. Transcriptionist: cb.", "No effusion. Transcriptionist: [name]."),
        ("pt marlowe, ingeborg prior none. lungs clear.", "pt [name] prior none. lungs clear."),
        ("Pat. Steinstück, Aufnahmenr. 2014-44812. Kein Erguss.", "Pat. [name], Aufnahmenr. [number]. Kein Erguss."),
        ("Chest, Vu, room 47. Clear.", "Chest, [name], room 47. Clear."),
        ("Thorax: Achterkamp, Zimmer 31. Kein Erguss.", "Thorax: [name], Zimmer 31. Kein Erguss."),
        ("PA chest: Quy presents with fever.", "PA chest: [name] presents with fever."),
        ("Frühgeborenes Achterkamp, 2. Lebenstag. Kein Erguss.", "Frühgeborenes [name], 2. Lebenstag. Kein Erguss."),
    ],
)  # fmt: skip
def test_names_are_replaced(deidentify: Deidentifier, text: str, kept: str) -> None:
    assert deidentify(text, NOBODY, "p").text == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ins. ID QRS 118-20-3345. Lungs clear.", "Ins. ID [number]. Lungs clear."),
        ("DVA NX 118 203. Lungs clear.", "DVA [number]. Lungs clear."),
        ("VA claim C-31 552 904. Lungs clear.", "VA claim [number]. Lungs clear."),
        ("Nr. B22 118 904. Kein Erguss.", "Nr. [number]. Kein Erguss."),
        ("Az. KG 14/91 Ab 552. Kein Erguss.", "Az. [number]. Kein Erguss."),
        ("CT chest, 0055817-QX. Lungs clear.", "CT chest, [number]. Lungs clear."),
        ("Tel 555-0172 x4410. Clear.", "Tel [phone]. Clear."),
    ],
)
def test_numbers_are_replaced_whole(deidentify: Deidentifier, text: str, kept: str) -> None:
    assert deidentify(text, NOBODY, "p").text == kept


@pytest.mark.parametrize("text", ["AP port 3/19. ETT ok.", "Better vs 3/18. Clear."])
def test_days_beside_films_are_shifted(deidentify: Deidentifier, text: str) -> None:
    assert [edit.kind for edit in deidentify(text, NOBODY, "p").edits] == ["date"]


@pytest.mark.parametrize(
    "text",
    [
        "The lungs are clear. Stable. Gynecomastia",
        "Lungs clear\nScoliosis\nBronchiectasis",
        "Comparison: none. Impression: Stable. Sarcoidosis",
        "Kein Erguss. Keine Stauung. Pneumothorax",
        "Kein Erguss. Weichteile o. B. Regelrecht",
        "No effusion. Kindly refer to pulmonology.\n\nRegards",
        "Quinton line in the RIJ, tip in the RA. Known LAM. CPT 71046. AP PORTABLE CHEST.",
        "Simple cyst in segment IVa of the liver. Asymmetric opacity. PUNCTATE NODULE ABOVE THE CARINA.",
        "36 J. Myasthenia gravis. Z. n. Thymektomie. V. a. Rezidiv bei Nikotinabusus.",
        "Patient presents with cough. Child presents with fever. Chest, lateral, room air.",
        "COPD, GERD, ESRD on HD. WBC 12000. BP 120/80. Stable.",
        "Mediastinum, lungs, bed 12. Bild Nr. 3 von 12. Serie 4.",
    ],
)
def test_words_of_reports_stay(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text == text


def test_an_address_ends_before_what_somebody_came_for(deidentify: Deidentifier) -> None:
    text = "Wohnhaft Deichreihe 7, 25999 Osterhever-Koog, zur CT des Thorax am 5. September 2023."
    made = deidentify(text, NOBODY, "p").text
    assert made.startswith("Wohnhaft [address], zur CT des Thorax am ")
    assert not made.endswith("September 2023.")
