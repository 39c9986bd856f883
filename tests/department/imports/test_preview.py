"""What is seen of a report file before it is imported, and going on with a workspace that was left half done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.reports.preview import preview_file
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT

HEADER = "Acc,Who,When,Sort,Words,Signer"
ROWS = (
    "1,P1,2026-03-04 08:00,XR chest,Findings: Likely edema.,Ash",
    '2,P2,2026-03-04 09:00,XR chest,"Line one\nline two",Ash',
    "3,P1,2026-03-04 12:00,CT chest,Edema.,Birch",
    "4,P2,2026-03-04 12:30,CT chest,No edema.,Birch",
)
MAPPING = {"patient_id": "Who", "exam_time": "When", "exam": "Sort", "text": "Words"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "march.csv"
    path.write_text("\n".join((HEADER, *ROWS)), encoding="utf-8")
    return path


def test_columns_first_rows_and_what_was_recognised(table: Path) -> None:
    seen = preview_file(table)
    assert seen.columns == tuple(HEADER.split(","))
    assert [row[0] for row in seen.rows] == ["1", "2", "3", "4"]
    assert seen.rows[1][4] == "Line one\nline two"
    assert seen.mapping == {"accession": "Acc", "signer": "Signer"}
    assert ("patient_id",) in seen.needed
    assert ("modality", "exam", "exam_code") in seen.needed_of_both
    assert dict(seen.fields)["patient_id"] == "the patient"
    assert {f for group in (*seen.needed, *seen.needed_of_both, *seen.needed_of_xray) for f in group} <= dict(
        seen.fields
    ).keys()


def test_what_was_mapped_comes_first(table: Path) -> None:
    seen = preview_file(table, MAPPING | {"accession": "Signer"})
    assert {field: seen.mapping[field] for field in MAPPING} == MAPPING
    assert seen.mapping["accession"] == "Signer"
    assert "signer" not in seen.mapping


def test_mapping_from_a_preview_is_what_an_import_needs(table: Path, tmp_path: Path) -> None:
    with open_department(tmp_path / "w.radcal", "correct horse battery", create=True) as department:
        with pytest.raises(InputError, match="the patient"):
            department.importing.import_reports(as_files([table]))
        imported = department.importing.import_reports(as_files([table], mapping=preview_file(table, MAPPING).mapping))
        assert (imported.rows_read, len(imported.rejected)) == (4, 0)
        assert department.importing.pair().n_pairs == 2


def test_manifest_of_a_folder_is_shown(tmp_path: Path) -> None:
    (tmp_path / "manifest.csv").write_text("file,accession,mrn\na.txt,1,P1\n", encoding="utf-8")
    seen = preview_file(tmp_path)
    assert seen.mapping == {"accession": "accession", "patient_id": "mrn", "file": "file"}
    assert ("file",) in seen.needed
    assert ("text", "findings", "impression") not in seen.needed


def test_long_cells_are_cut_and_short_rows_filled(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"accession,text,zzz\n1,{'word ' * 500},3\n2,short\n", encoding="utf-8")
    seen = preview_file(path)
    assert len(seen.rows[0][1]) <= 160
    assert {len(row) for row in seen.rows} == {3}


def test_files_without_a_table_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.touch()
    with pytest.raises(InputError, match=r"empty\.csv is empty"):
        preview_file(empty)
    with pytest.raises(InputError, match="no file"):
        preview_file(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="to map a column to"):
        preview_file(empty, {"colour": "red"})


def test_preview_can_be_stopped(table: Path, onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        preview_file(table, progress=onlooker(looks=0))


def test_workspace_knows_whether_its_analysis_is_of_all_that_was_imported(table: Path, tmp_path: Path) -> None:
    with open_department(tmp_path / "w.radcal", "correct horse battery", create=True) as department:
        assert not department.up_to_date
        assert not department.read_only
        department.importing.import_reports(as_files([table], mapping=MAPPING), SILENT)
        department.importing.pair()
        department.analysis()
        assert not department.up_to_date
        department.runs.extract()
        department.analyse()
        assert department.up_to_date
        more = tmp_path / "more.csv"
        more.write_text(
            f"{HEADER}\n5,P5,2026-03-05 08:00,XR chest,Likely edema.,Ash\n6,P5,2026-03-05 12:00,CT chest,Edema.,Ash\n",
            encoding="utf-8",
        )
        department.importing.import_reports(as_files([more], mapping=MAPPING))
        assert not department.up_to_date
        department.importing.pair()
        department.analyse()  # before the new reports were read
        assert not department.up_to_date
    with open_department(tmp_path / "w.radcal", "correct horse battery", read_only=True) as department:
        assert department.read_only
        assert department.analysis() is not None
        assert not department.up_to_date
    with open_department(tmp_path / "w.radcal", "correct horse battery") as department:
        department.runs.extract()
        department.analyse()
        assert department.up_to_date
