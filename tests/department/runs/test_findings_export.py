"""Findings of a workspace for other programs: those of the run that was asked for, whole or not at all."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radcal.department import Department
from radcal.system.errors import Cancelled


def kept(department: Department, run: int) -> Counter[tuple[str, str]]:
    """What the run has read in the paired reports, counted from the workspace itself."""
    found = department._workspace.findings(run, dict.fromkeys(department.runs.paired_ids()))
    return Counter(zip(found["report_id"], found["pathology"], strict=True))


def test_a_table_holds_every_finding_of_the_paired_reports(shown: Department, tmp_path: Path) -> None:
    n = shown.findings_export.write(tmp_path / "f.csv", accession_numbers=True)
    table = pd.read_csv(tmp_path / "f.csv", keep_default_na=False)
    assert len(table) == n
    assert Counter(zip(table["report_id"], table["pathology"], strict=True)) == kept(shown, shown.runs.on_show())


def test_it_is_entered_in_the_audit_log_with_the_number_of_findings(analysed: Department, tmp_path: Path) -> None:
    n = analysed.findings_export.write(tmp_path / "f.csv")
    last = analysed._workspace.audit().iloc[-1]
    assert "exported findings as CSV: f.csv" in last["what"]
    assert json.loads(last["counts"])["rows"] == n


def test_a_stop_leaves_no_file(shown: Department, tmp_path: Path, onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        shown.findings_export.write(tmp_path / "f.csv", progress=onlooker(looks=0))
    assert list(tmp_path.iterdir()) == []
