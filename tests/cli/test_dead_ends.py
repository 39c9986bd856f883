"""What a command says where it cannot go on: what is there, what must be kept, and where to go."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.cli.program import parser

HEADER = "accession,patient_id,modality,exam,exam_time,signer,text\n"
ROW = 'A{n},P{n},XR,XR CHEST 2 VIEWS,2026-0{n}-03 10:00,"Nakagawa, Haruki MD",Possible pneumonia.\n'


@pytest.mark.parametrize(
    "line",
    [
        "review-file merge --workspace W.radcal --passphrase-file F A.radcal B.radcal",
        "review-file --workspace W.radcal merge A.radcal B.radcal",
        "review-file merge A.radcal B.radcal --workspace W.radcal",
    ],
)
def test_files_that_came_back_may_stand_anywhere(line):
    args = parser().parse_args(line.split())
    assert (args.do, args.files, args.workspace) == ("merge", [Path("A.radcal"), Path("B.radcal")], Path("W.radcal"))


def test_a_run_without_pairs_says_what_is_stored_and_what_to_keep(radcal, refused, key, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("RADCAL_PASSPHRASE", key)
    reports = tmp_path / "reports.csv"
    reports.write_text(HEADER + "".join(ROW.format(n=n) for n in (1, 2)), encoding="utf-8")
    workspace = tmp_path / "w.radcal"
    said = refused("run", "--reports", reports, "--workspace", workspace, "--out", tmp_path / "out")
    assert f"2 reports were stored in {workspace}." in said
    assert f"Their names are in {tmp_path / 'w.names'}: keep this file apart" in said
    said = refused("review-file", "make", "--reader", "R", "--workspace", workspace, "--out", tmp_path / "r.radcal")
    assert "Draw one on the page Review of the window." in said
