"""Findings of a workspace for other programs: the same in every form, and those of the run that was asked for."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pydicom
import pytest

from radcal.department import Department
from radcal.system.errors import Cancelled, InputError


def kept(department: Department, run: int) -> Counter[tuple[str, str]]:
    """What the run has read in the paired reports, counted from the workspace itself."""
    found = department._workspace.findings(run, dict.fromkeys(department.runs.paired_ids()))
    return Counter(zip(found["report_id"], found["pathology"], strict=True))


def test_a_table_and_observations_hold_every_finding_of_the_paired_reports(shown: Department, tmp_path: Path) -> None:
    run = shown.runs.on_show()
    n, m = (
        shown.findings_export.write(tmp_path / name, form, accession_numbers=True)
        for name, form in (("f.csv", "table"), ("f.ndjson", "fhir-ndjson"))
    )
    assert n == m
    table = pd.read_csv(tmp_path / "f.csv", keep_default_na=False)
    assert Counter(zip(table["report_id"], table["pathology"], strict=True)) == kept(shown, run)
    lines = [json.loads(line) for line in (tmp_path / "f.ndjson").read_bytes().splitlines()]
    assert [(o["derivedFrom"][0]["identifier"]["value"], o["code"]["text"], o["note"][0]["text"]) for o in lines] == [
        (report.partition(":")[2], pathology, sentence)
        for report, pathology, sentence in table[["report_id", "pathology", "sentence"]].itertuples(index=False)
    ]


def test_it_is_entered_in_the_audit_log_with_the_number_of_findings(analysed: Department, tmp_path: Path) -> None:
    n = analysed.findings_export.write(tmp_path / "f.json", "fhir-bundle")
    last = analysed._workspace.audit().iloc[-1]
    assert "findings as FHIR" in last["what"]
    assert json.loads(last["counts"])["findings"] == n


def test_each_report_with_findings_is_a_structured_report_and_all_are_one_entry_of_the_audit_log(
    analysed: Department, tmp_path: Path
) -> None:
    last = analysed.audit_log.head.entry
    n = analysed.findings_export.write(tmp_path / "sr", "dicom")
    files = sorted((tmp_path / "sr").iterdir())
    documents = [pydicom.dcmread(path) for path in files]
    assert sum(len(document.ContentSequence) for document in documents) == n
    reports = {report for report, _ in kept(analysed, analysed.runs.on_show())}
    assert len(documents) == len(reports) == len({document.SOPInstanceUID for document in documents}) > 1
    assert files[0].stat().st_mode & 0o77 == 0
    (entry,) = [e for e in analysed.audit_log.entries() if e.entry > last]
    assert entry.what == "exported findings as DICOM: sr"
    assert json.loads(entry.counts) == {"files": len(files), "findings": n}


def test_a_folder_with_files_is_not_added_to(shown: Department, tmp_path: Path) -> None:
    (tmp_path / "report-00001.dcm").write_bytes(b"of somebody else")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match="not an empty folder"):
        shown.findings_export.write(tmp_path, "dicom")
    assert sorted(tmp_path.iterdir()) == before


def test_a_stop_leaves_no_folder(shown: Department, tmp_path: Path, onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        shown.findings_export.write(tmp_path / "sr", "dicom", progress=onlooker(looks=0))
    assert list(tmp_path.iterdir()) == []


def test_a_stop_leaves_no_file(shown: Department, tmp_path: Path, onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        shown.findings_export.write(tmp_path / "f.json", "fhir-bundle", progress=onlooker(looks=0))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(shown: Department, tmp_path: Path) -> None:
    (tmp_path / "sr").write_text("a file")
    with pytest.raises(InputError, match="sr"):
        shown.findings_export.write(tmp_path / "sr", "dicom")
