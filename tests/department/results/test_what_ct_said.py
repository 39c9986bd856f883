"""What CT said of a finding, from the texts of both reports to the evidence on show."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from radcal.calibration.records import ALL_AUTHORS
from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system.selection import Selection
from radcal.system.settings import Settings

CASES = [
    # X-ray, CT, pathology, how far CT confirms it, the CT pathology by which
    ("Rounded 8 mm density, likely pulmonary nodule.", "Pulmonary nodule is present.", "opacity", 1, "nodule"),
    ("Rounded 8 mm density, likely pulmonary nodule.", "Pulmonary nodule is present.", "nodule", 1, "nodule"),
    ("Opacity at the left base.", "There is scarring at the left base.", "opacity", 1, "fibrosis"),
    ("Possible opacity at the left base.", "Small left pleural effusion.", "opacity", 1, "pleural effusion"),
    ("No focal opacity.", "Calcified granuloma in the right upper lobe.", "opacity", 0, ""),
    ("No focal opacity.", "Dependent atelectasis.", "opacity", 0, ""),
    ("No focal opacity.", "Right lower lobe consolidation.", "opacity", 1, "consolidation"),
    ("Opacity at the left base.", "No pleural effusion. No mass.", "opacity", 0, ""),
    ("Opacity at the left base.", "No pulmonary opacity.", "opacity", 0, "opacity"),
    ("Likely pneumonia.", "No pneumonia. Findings of aspiration.", "infection", 0, "infection"),
    ("Likely pneumonia.", "Findings of aspiration.", "infection", 1, "aspiration"),
    ("Pneumonia is unlikely.", "No pneumonia. Findings of aspiration.", "infection", 0, "infection"),
    ("Likely pneumonia.", "No consolidation. No pleural effusion.", "infection", 0, "consolidation"),
    ("Likely pneumonia.", "No consolidation. Findings of aspiration.", "infection", 1, "aspiration"),
    ("No pneumonia.", "No consolidation.", "infection", 0, "consolidation"),
    ("Lungs are hyperinflated.", "Moderate emphysema.", "hyperinflation", 1, "emphysema"),
    ("Possible pulmonary mass.", "3 mm nodule.", "mass", 0, ""),
]
LEFT_OUT = [
    ("Likely pneumonia.", "Right lower lobe consolidation.", "infection"),
    ("Pneumonia is unlikely.", "Findings of aspiration.", "infection"),
    ("Lungs are hyperinflated.", "No emphysema.", "hyperinflation"),
    ("Likely vascular congestion.", "No pulmonary edema.", "vascular congestion"),
]


@pytest.fixture(scope="module")
def department(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Department]:
    folder = tmp_path_factory.mktemp("said")
    files: list[Path] = []
    for place, (kind, hour) in enumerate((("X", 8), ("C", 10))):
        path = folder / f"{kind}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["Accession Number", "MRN", "Exam Time", "Exam", "Radiologist", "Report Text"])
            for i, case in enumerate([*CASES, *LEFT_OUT]):
                exam = "XR CHEST" if kind == "X" else "CT CHEST"
                text = f"FINDINGS:\n{case[place]}"
                out.writerow([f"{kind}{i:03}", f"P{i:03}", f"2025-03-{i + 1:02} {hour:02}:00", exam, "Ada, B", text])
        files.append(path)
    settings = Settings(bootstrap=0, workers=1, deidentify="off")
    with open_department(folder / "w.radcal", "plum tree in blossom", create=True, settings=settings) as opened:
        opened.importing.import_reports(as_files(xray=files[:1], ct=files[1:]))
        opened.importing.pair()
        opened.runs.extract()
        opened.analyse()
        yield opened


@pytest.mark.parametrize(("i", "case"), list(enumerate(CASES)))
def test_the_evidence_is_what_ct_said_of_the_finding(
    department: Department, i: int, case: tuple[str, str, str, float, str]
) -> None:
    _, ct, topic, outcome, decided_by = case
    rows = department.groups.evidence(Selection(ALL_AUTHORS, topic))
    (row,) = rows[rows["xray_id"] == f"xray:X{i:03}"].to_dict("records")
    assert (row["outcome"], row["ct_pathology"]) == (outcome, decided_by)
    assert bool(row["ct_sentence"]) == bool(decided_by)
    assert row["ct_sentence"] in ct


@pytest.mark.parametrize(("i", "case"), list(enumerate(LEFT_OUT, start=len(CASES))))
def test_what_says_nothing_of_a_finding_is_left_out_where_silence_is(
    department: Department, i: int, case: tuple[str, str, str]
) -> None:
    observed = department._workspace.observations()
    assert observed is not None
    own = observed[observed["xray_id"] == f"xray:X{i:03}"]
    assert case[2] not in set(own["topic"])
