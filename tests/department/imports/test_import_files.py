"""Files may come together or one after the other, once or again: the workspace ends up the same."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from radcal.department import Department
from radcal.reports.importing import as_files
from radcal.system.errors import InputError
from radcal.workspace.columns import VERSION_COLUMNS

Row = dict[str, str]


def _versions(department: Department) -> pd.DataFrame:
    frame = department._workspace.reports(("report_id", *VERSION_COLUMNS))
    return frame.sort_values("report_id", ignore_index=True)


def _state(department: Department) -> tuple[pd.DataFrame, ...]:
    """Everything that later steps use, in an order of its own."""
    pairing = department.importing.pair()
    reports = department._workspace.reports().drop(columns="file").sort_values("report_id", ignore_index=True)
    rejected = department._workspace.rejected().drop(columns=["file", "import_id"])
    own = _versions(department).drop(columns="source")
    return (
        department._workspace.pairs(),
        pairing.attrition,
        own,
        reports[reports["report_id"].isin(own["report_id"])].reset_index(drop=True),
        rejected.sort_values(list(rejected.columns), ignore_index=True),
    )


def _assert_same(one: tuple[pd.DataFrame, ...], other: tuple[pd.DataFrame, ...]) -> None:
    for a, b in zip(one, other, strict=True):
        pd.testing.assert_frame_equal(a, b, check_dtype=True)


def _padded(rows: list[Row], wanted: set[int]) -> list[Row]:
    """The rows in their places, blank ones elsewhere: row numbers stay those of the whole file."""
    return [row if i in wanted else dict.fromkeys(row, "") for i, row in enumerate(rows)]


@pytest.mark.parametrize("seed", range(3))
def test_two_calls_are_as_good_as_one(few, make, opened, tmp_path, seed):
    """Whichever call a version, an addendum, a bad row or a contradiction comes with."""
    rows = make.read(few.xray)
    assert len({r["Accession"] for r in rows}) < len(rows) - 3
    first = {i for i in range(len(rows)) if random.Random(seed * 1000 + i).random() < 0.5}  # noqa: S311 - no secret
    halves = [first, set(range(len(rows))) - first]
    files = []
    for k, half in enumerate(halves):
        (folder := tmp_path / f"half-{k}").mkdir()
        files.append(make.write(folder / "xray.csv", _padded(rows, half)))
    with opened("together") as together, opened("apart") as apart:
        together.importing.import_reports(as_files(xray=files, ct=[few.ct]))
        apart.importing.import_reports(as_files(xray=files[:1], ct=[few.ct]))
        apart.importing.pair()
        apart.importing.import_reports(as_files(xray=files[1:]))
        _assert_same(_state(apart), _state(together))


def test_the_same_file_again_changes_nothing(holding, few, make):
    before = _state(holding)
    again = holding.importing.import_reports(as_files(xray=[few.xray], ct=[few.ct]))
    assert (again.rows_read, len(again.reports), len(again.rejected)) == (0, 0, 0)
    assert again.notes == ("Imported before, and not read again: xray.csv, ct.csv.",)
    _assert_same(_state(holding), before)


def test_the_same_rows_under_another_name_are_repeated_rows_only(holding, few, make, tmp_path):
    good = [r for r in make.read(few.xray) if r["Status"] == "Final" and r["Accession"].startswith("XR")]
    seen = {i.partition(":")[2] for i in _versions(holding)["report_id"]}
    copies = [r for r in good if r["Accession"] in seen and r["Exam Time"]]
    statuses = holding._workspace.reports(["accession", "status"])
    final = set(statuses.loc[statuses["status"] == "final", "accession"])
    once = {r["Accession"] for r in copies if sum(c["Accession"] == r["Accession"] for c in good) == 1} & final
    copies = [r for r in copies if r["Accession"] in once]
    pairs, attrition, versions, reports, rejected = _state(holding)
    holding.importing.import_reports(as_files(xray=[make.write(tmp_path / "copy.csv", copies)]))
    after = _state(holding)
    for k, frame in ((0, pairs), (2, versions), (4, rejected)):
        pd.testing.assert_frame_equal(after[k], frame)
    pd.testing.assert_frame_equal(after[3].drop(columns="row"), reports.drop(columns="row"))
    more = (after[1]["dropped"] - attrition["dropped"]).to_numpy() if len(after[1]) == len(attrition) else None
    repeated = after[1].query("modality == 'xray' and step == 'is not a repeated row'")["dropped"].sum()
    before = attrition.query("modality == 'xray' and step == 'is not a repeated row'")["dropped"].sum()
    assert repeated - before == len(copies)
    assert after[1]["dropped"].sum() - attrition["dropped"].sum() == len(copies)
    assert more is None or sorted(set(more)) == [0, len(copies)]


def test_a_file_that_has_grown_is_read_again(department, few, make, tmp_path):
    rows = make.read(few.ct)
    file = make.write(tmp_path / "ct.csv", rows[:-3])
    department.importing.import_reports(as_files(ct=[file]))
    n = len(_versions(department))
    make.write(file, rows)
    assert department.importing.import_reports(as_files(ct=[file])).rows_read == len(rows)
    assert len(_versions(department)) > n


def test_an_addendum_of_a_later_file_outlives_reading_the_first_file_again(department, few, make, tmp_path):
    row = next(r for r in make.read(few.ct) if r["Status"] == "Final")
    first = make.write(
        tmp_path / "first.csv", [row, {**row, "Status": "Addendum", "Report Text": "ADDENDUM: One effusion."}]
    )
    later = make.write(tmp_path / "later.csv", [{**row, "Status": "Addendum", "Report Text": "ADDENDUM: Two nodules."}])
    department.importing.import_reports(as_files(ct=[first]))
    department.importing.import_reports(as_files(ct=[later]))
    department.importing.import_reports(as_files(ct=[first], mapping={"exam_time": "Exam Time"}))
    (text,) = department._workspace.reports()["text"]
    assert text.startswith(row["Report Text"].strip())
    assert (text.count("One effusion."), text.count("Two nodules.")) == (1, 1)


def test_a_folder_with_a_manifest_is_known_again(department, tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "a.txt").write_text("FINDINGS: No pneumothorax.", encoding="utf-8")
    (folder / "manifest.csv").write_text(
        "file,accession,patient id,modality,exam,exam time,radiologist\n"
        "a.txt,A1,P1,CR,XR CHEST,2025-01-01 10:00,Quill\n",
        encoding="utf-8",
    )
    assert len(department.importing.import_reports(as_files([folder])).reports) == 1
    assert department.importing.import_reports(as_files([folder])).rows_read == 0
    (folder / "a.txt").write_text("FINDINGS: Small pneumothorax. No effusion.", encoding="utf-8")
    assert department.importing.import_reports(as_files([folder])).rows_read == 1


def test_a_named_column_may_be_in_the_files_of_one_modality_only(department, few, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text(few.xray.read_text(encoding="utf-8").replace("Exam Time", "Spalte X", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"No column 'Zeitpunkt Y', to which exam_time was mapped, is in any of"):
        department.importing.import_reports(
            as_files(xray=[few.xray], ct=[few.ct], mapping={"exam_time": "Zeitpunkt Y"})
        )
    department.importing.import_reports(as_files(xray=[file], ct=[few.ct], mapping={"exam_time": "spalte x"}))
    assert department.importing.pair().n_pairs == 34
    more = tmp_path / "more.csv"
    more.write_text(few.ct.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    again = department.importing.import_reports(as_files(xray=[file], ct=[more], mapping={"exam_time": "spalte x"}))
    assert again.rows_read > 0


def test_without_files_or_with_a_missing_one(department, tmp_path):
    with pytest.raises(InputError, match="No report files"):
        department.importing.import_reports(as_files())
    with pytest.raises(InputError, match=r"There is no file .*nothere\.csv"):
        department.importing.import_reports(as_files([tmp_path / "nothere.csv"]))
