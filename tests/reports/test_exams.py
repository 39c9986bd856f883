"""The modality of an examination, and whether it shows the chest."""

from __future__ import annotations

import pytest

from radcal.reports.exams import classify
from tests.cases import cases_of

cases = cases_of(__file__)


@pytest.mark.parametrize(
    ("exam", "modality", "chest"),
    [
        *((exam, "xray", True) for exam in (
            "XR CHEST 2 VIEWS", "CXR", "X-RAY CHEST PA AND LATERAL", "CHEST 1 VIEW PORTABLE", "XRCHEST2V",
            "XR_CHEST_PORTABLE", "71046", "Röntgen Thorax in 2 Ebenen", "Rö Thorax", "Radiographie du thorax",
            "Rx tórax PA y lateral", "Thorax p.a.", "IMG36 XR CHEST AP PORTABLE", "XR RIBS LEFT WITH PA CHEST",
            "Portable chest radiograph", "CHEST (PA & LAT)", "Thorax liegend a.p.", "Thorax, im Liegen", "Thorax d.v.",
            "Thorax seitlich", "Thoraxaufnahme am Bett", "Bettlunge", "RXTHXL", "Chest supine", "Thorax-Übersicht")),
        *((exam, "ct", True) for exam in (
            "CT CHEST W CONTRAST", "CTA CHEST", "CTPA", "CT ANGIOGRAM CHEST", "CT CHEST ABDOMEN PELVIS WITH CONTRAST",
            "CT C/A/P", "CT CAP", "CTCHESTWC", "CT PE PROTOCOL", "CT ANGIO PE", "71275", "CT Thorax mit KM",
            "TDM thoracique", "TAC de tórax", "HRCT", "CT lung cancer screening low dose", "CT pulmonary angiogram",
            "CTA THORACIC AORTA", "CT CHEST WITHOUT CONTRAST, THORACIC SPINE RECON",
            "CT THORAX AND SPINE THORACIC", "CT CHEST, SPINE THORACIC REFORMATS", "Computed tomography, thorax")),
        *((exam, "ct", False) for exam in (
            "CT HEAD", "CT ABDOMEN AND PELVIS", "CT T-SPINE", "CT CARPAL", "CT coronary angiogram",
            "CCT Schädel nativ", "CT SPINE THORACIC WO CONTRAST", "CT SPINE, CERVICAL/THORACIC",
            "CT THORACIC AND LUMBAR SPINE", "CT Spine Thor w/o", "TAC columna torácica",
            "CT vertebral column thoracic")),
        *((exam, "xray", False) for exam in ("XR KNEE 3 VIEWS", "XR THORACIC SPINE", "XR ABDOMEN 1 VIEW", "Becken a.p.",
            "XR SPINE THORACIC 2 VIEWS", "Röntgen Wirbelsäule thorakal",
            "Abdomen-Leeraufnahme", "Hand rechts 2 Ebenen", "Röntgen Hemithorax links", "Rö knöcherner Thorax")),
        *((exam, "other", False) for exam in ("MRI BRAIN", "PET/CT SKULL TO THIGH", "US ABDOMEN")),
        ("", "", False), ("Visit", "", False), ("Rippen Hemithorax links", "", False),
        ("Chest tube, bedside", "", True),
        ("CT Thorax C.A.P.", "ct", True), ("C.A.P. mit KM", "", False), ("Sono Thorax liegend", "other", True),
    ],
)  # fmt: skip
def test_the_name_of_an_exam(exam: str, modality: str, chest: bool) -> None:
    assert classify("", exam, "") == (modality, chest)


@cases("the_modality_column")
def test_the_modality_column(column: str, modality: str) -> None:
    assert classify(column, "Chest", "") == (modality, True)


def test_the_modality_column_beats_the_exam_and_the_body_part_counts() -> None:
    assert classify("CT", "CHEST RADIOGRAPH COMPARED", "") == ("ct", True)
    assert classify("DX", "", "CHEST") == ("xray", True)
    assert classify("", "Chest", "") == ("", True)
