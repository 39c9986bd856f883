"""Which modality an examination is, and whether it shows the chest."""

from __future__ import annotations

import pytest

from radcal.ingest.exams import classify


@pytest.mark.parametrize(
    "exam",
    ["XR CHEST 2 VIEWS", "CXR", "X-RAY CHEST PA AND LATERAL", "CHEST 1 VIEW PORTABLE", "XRCHEST2V", "XR_CHEST_PORTABLE",
     "71046", "Röntgen Thorax in 2 Ebenen", "Rö Thorax", "Radiographie du thorax", "Rx tórax PA y lateral",
     "Thorax p.a.",
     "IMG36 XR CHEST AP PORTABLE", "XR RIBS LEFT WITH PA CHEST", "Portable chest radiograph", "CHEST (PA & LAT)"],
)  # fmt: skip
def test_chest_x_rays(exam: str) -> None:
    assert classify("", exam, "") == ("xray", True)


@pytest.mark.parametrize(
    "exam",
    ["CT CHEST W CONTRAST", "CTA CHEST", "CTPA", "CT ANGIOGRAM CHEST", "CT CHEST ABDOMEN PELVIS WITH CONTRAST",
     "CT C/A/P",
     "CT CAP", "CTCHESTWC", "CT PE PROTOCOL", "CT ANGIO PE", "71275", "CT Thorax mit KM", "TDM thoracique",
     "TAC de tórax",
     "HRCT", "CT lung cancer screening low dose", "CT pulmonary angiogram", "CTA THORACIC AORTA",
     "CT CHEST WITHOUT CONTRAST, THORACIC SPINE RECON", "Computed tomography, thorax"],
)  # fmt: skip
def test_chest_cts(exam: str) -> None:
    assert classify("", exam, "") == ("ct", True)


@pytest.mark.parametrize(
    ("exam", "modality"),
    [("CT HEAD", "ct"), ("CT ABDOMEN AND PELVIS", "ct"), ("XR KNEE 3 VIEWS", "xray"), ("XR THORACIC SPINE", "xray"),
     ("CT T-SPINE", "ct"), ("CT CARPAL", "ct"), ("XR ABDOMEN 1 VIEW", "xray"), ("CT coronary angiogram", "ct"),
     ("MRI BRAIN", "other"), ("PET/CT SKULL TO THIGH", "other"), ("US ABDOMEN", "other"), ("", ""), ("Visit", "")],
)  # fmt: skip
def test_not_of_the_chest(exam: str, modality: str) -> None:
    assert classify("", exam, "") == (modality, False)


@pytest.mark.parametrize(
    ("column", "modality"),
    [("CR", "xray"), ("dx", "xray"), ("X-Ray", "xray"), ("Radiography", "xray"), ("Computed Radiography", "xray"),
     ("CT", "ct"), ("CT\\SR", "ct"), ("CT\\DX", "ct"),
     ("DX\\CT", "xray"), ("ct scan", "ct"), ("TDM", "ct"), ("MR", "other"), ("US", "other"),
     ("PT\\CT", "other"), ("CT;PET", "other"), ("SR\\CT", "ct"), ("SC, D.X.", "xray"),
     ("IO", "other"), ("RF|SR", "other"),
     ("Röntgen", "xray"), ("whatever", "")],
)  # fmt: skip
def test_the_modality_column(column: str, modality: str) -> None:
    assert classify(column, "Chest", "") == (modality, True)


def test_the_modality_column_beats_the_exam_and_the_body_part_counts() -> None:
    assert classify("CT", "CHEST RADIOGRAPH COMPARED", "") == ("ct", True)
    assert classify("DX", "", "CHEST") == ("xray", True)
    assert classify("", "Chest", "") == ("", True)
