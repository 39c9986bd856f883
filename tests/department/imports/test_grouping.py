"""Files in several groups come to what they come to in one; what was imported before a stop or a failure stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.department import Department
from radcal.reports import grouping, importing
from radcal.reports.dry_run import Rehearsal
from radcal.reports.importing import ReportFile, as_files
from radcal.system.errors import Cancelled, EngineError, InputError
from radcal.system.language.catalogue import language
from radcal.workspace.columns import VERSION_COLUMNS

FILES = 3


@pytest.fixture
def each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a group of its own."""
    monkeypatch.setattr(grouping, "GROUP_BYTES", 1)


@pytest.fixture
def months(few, make, tmp_path) -> list[ReportFile]:
    """The few reports in several files: versions, addenda and contradictions of a report in any of them."""
    rows = [[(kind, row) for row in make.read(file)] for kind, file in (("xray", few.xray), ("ct", few.ct))]
    files = []
    for kind, own in zip(("xray", "ct"), rows, strict=True):
        for k in range(FILES):
            path = make.write(tmp_path / f"{kind}-{k}.csv", [row for i, (_, row) in enumerate(own) if i % FILES == k])
            files += as_files(**{kind: [path]})
    return files


def _state(department: Department) -> list[pd.DataFrame]:
    """Everything that later steps use, in an order of its own."""
    pairing = department.importing.pair()
    workspace = department._workspace
    rows = workspace.reports(("report_id", *VERSION_COLUMNS)).sort_values("report_id", ignore_index=True)
    reports = workspace.reports()
    reports = reports[reports["report_id"].isin(rows["report_id"])].sort_values("report_id", ignore_index=True)
    versions = workspace.versions().sort_values(["report_id", "position"], ignore_index=True)
    rejected = department._workspace.rejected().drop(columns="import_id")
    rejected = rejected.sort_values(list(rejected.columns), ignore_index=True)
    return [workspace.pairs(), pairing.attrition, rows, reports, versions, rejected]


def _assert_same(one: list[pd.DataFrame], other: list[pd.DataFrame]) -> None:
    for a, b in zip(one, other, strict=True):
        pd.testing.assert_frame_equal(a, b)


@settings(deadline=None)
@given(sizes=st.lists(st.integers(0, 9), max_size=12), most=st.integers(1, 20))
def test_groups_are_the_files_in_order_as_many_as_fit(sizes, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "GROUP_BYTES", most)
        patch.setattr(grouping, "size_of", lambda path: sizes[int(path.name)])
        files = list(range(len(sizes)))
        groups = grouping.in_groups(files, lambda i: Path(str(i)), first=lambda i: i % 3 == 0)
    order = files if sum(sizes) <= most else sorted(files, key=lambda i: i % 3 > 0)
    assert [i for group in groups for i in group] == order
    totals = [sum(sizes[i] for i in group) for group in groups]
    assert all(total <= most or len(group) == 1 for total, group in zip(totals, groups, strict=True))
    for total, following in zip(totals, groups[1:], strict=False):
        assert total + sizes[following[0]] > most  # no group could have taken one file more


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 6000])
def test_several_groups_are_as_good_as_one(opened, months, monkeypatch, size):
    with opened("one") as one, opened("several") as several:
        said = Rehearsal().run(months, one)
        whole = one.importing.import_reports(months)
        monkeypatch.setattr(grouping, "GROUP_BYTES", size)
        told = several.importing.import_reports(months)
        assert len(one.importing.history()) == 1
        assert len(several.importing.history()) > (len(months) - 1 if size == 1 else 1)
        _assert_same(_state(several), _state(one))
        assert (
            (told.rows_read, len(told.rejected)) == (whole.rows_read, len(whole.rejected)) == (said.rows, said.rejected)
        )
        assert told.mapping == whole.mapping
        assert (len(told.reports), told.versions) == (0, None)  # no text of all groups is kept
        names = [name for past in reversed(several.importing.history()) for name in past.files]
        assert names == [file.path.name for file in months]
        assert several.importing.import_reports(months).rows_read == 0


def test_a_stop_keeps_the_groups_before_and_the_import_can_be_repeated(opened, months, onlooker, each_alone):
    with opened("one") as one, opened("stopped") as stopped:
        for its in (one, stopped):
            its.save_settings(its.settings.changed(deidentify="off"))
        one.importing.import_reports(months)
        look, kept = 0, set()
        while True:
            try:
                stopped.importing.import_reports(months, onlooker(looks=look))
            except Cancelled as error:
                history = stopped.importing.history()
                assert sorted(stopped.importing.known()) == sorted(mark for past in history for mark in past.readings)
                kept.add(len(history))
                done = str(error).removeprefix("Stopped.").strip()
                if done:
                    assert done.endswith(
                        "were imported before that and stay. Import all of them again: these are skipped."
                    )
                look += 37
            else:
                break
        assert len(kept) > 2
        _assert_same(_state(stopped), _state(one))


@pytest.mark.parametrize("error", [InputError, EngineError])
def test_a_failure_says_how_many_files_were_imported(opened, months, each_alone, monkeypatch, error):
    with opened("one") as one, opened("failed") as failed:
        for its in (one, failed):
            its.save_settings(its.settings.changed(deidentify="off"))
        one.importing.import_reports(months)
        asked: list[Any] = []

        def fails(*given: Any) -> None:
            asked.append(given)
            if len(asked) == 3:
                raise error("Something is {what}.", what="wrong")

        with monkeypatch.context() as patch:
            patch.setattr(importing, "require_consent", fails)
            with pytest.raises(error) as caught:
                failed.importing.import_reports(months)
        assert str(caught.value) == (
            "Something is wrong. 2 of 6 files were imported before that and stay. Import all of them again: these are "
            "skipped."
        )
        assert language("de").write(caught.value.text).startswith("Something is wrong. 2 von 6 Dateien")
        assert [past.files for past in failed.importing.history()] == [("xray-1.csv",), ("xray-0.csv",)]
        again = failed.importing.import_reports(months)
        assert again.notes[0] == "Imported before, and not read again: xray-0.csv, xray-1.csv."
        _assert_same(_state(failed), _state(one))


def test_what_all_files_must_have_is_asked_before_anything_is_stored(department, months, tmp_path, each_alone):
    (tmp_path / "page.csv").write_text("<html>Session expired</html>", encoding="utf-8")
    broken = ReportFile(tmp_path / "page.csv")
    with pytest.raises(InputError, match=r"page\.csv is a web page") as caught:
        department.importing.import_reports([*months, broken])
    assert "imported" not in str(caught.value)
    mapped = [ReportFile(file.path, file.modality, {"site": "Nowhere"}) for file in months]
    with pytest.raises(InputError, match="No column 'Nowhere'"):
        department.importing.import_reports(mapped)
    assert department._workspace.imports().empty
    left_out = department.importing.import_reports([*months, broken], leave_out=True)
    assert [file.file for file in left_out.unread] == ["page.csv"]
    assert len(department.importing.history()) == len(months)
    with pytest.raises(InputError, match="web page"):
        department.importing.import_reports([broken, broken], leave_out=True)


def test_consent_is_asked_for_before_anything_is_stored_where_a_file_was_read_otherwise(
    department, make, months, tmp_path, each_alone
):
    rows = [row | {"Other Number": f"S{i}"} for i, row in enumerate(make.read(months[0].path))]
    again = make.write(tmp_path / "again.csv", rows)
    department.importing.import_reports(as_files(xray=[again]))
    before = len(department.importing.history())
    otherwise = as_files(xray=[again], mapping={"accession": "Other Number"})
    with pytest.raises(InputError, match=r"again\.csv was imported before and is read in another way now") as caught:
        department.importing.import_reports([*months[1:], *otherwise])
    assert "skipped" not in str(caught.value)
    assert len(department.importing.history()) == before
    replaced = as_files(xray=[again], mapping={"accession": "Other Number"}, replaces=True)
    department.importing.import_reports([*months[1:], *replaced])
    assert department.importing.history()[-2].files == ("again.csv",)


def test_one_backup_is_made_before_the_first_group_that_replaces_something(department, make, months, each_alone):
    department.save_settings(department.settings.changed(deidentify="off"))
    department.importing.import_reports(months[2:4])
    assert not department.backups.made
    department.save_settings(department.settings.changed(deidentify="on"))
    replacing = [replace(file, replaces=True) for file in months[2:4]]
    department.importing.import_reports([*months[:2], *replacing])
    assert len(department.importing.history()) == 6
    assert len(department.backups.made) == 1


HEADER = "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Signing Radiologist,Status"


def _file(path: Path, number: str, text: str, signer: str) -> Path:
    row = f"{number},P{number},XR CHEST,CR,2024-03-01 08:00,{text},{signer},Final"
    path.write_text(f"{HEADER}\n{row}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_names_of_radiologists_are_known_from_all_files_and_from_what_is_stored(
    department, tmp_path, monkeypatch, size
):
    monkeypatch.setattr(grouping, "GROUP_BYTES", size)
    department.save_settings(department.settings.changed(deidentify="on"))
    texts = ("No edema, Odalys saw it.", "Likely edema, Zebulon saw it.", "Clear lungs.")
    signers = ("Quillfeather Zebulon", "Thistlewood Barnaby", "Harkness Odalys")
    files = [
        _file(tmp_path / f"{i}.csv", f"A{i}", text.replace(",", ";"), signer)
        for i, (text, signer) in enumerate(zip(texts, signers, strict=True))
    ]
    department.importing.import_reports(as_files(files))
    stored = " ".join(department._workspace.reports(["text"])["text"])
    assert stored == "No edema; [name] saw it. Likely edema; [name] saw it. Clear lungs."
    later = _file(tmp_path / "later.csv", "A9", "No effusion; Odalys and Barnaby saw it.", "Somebody Else")
    department.importing.import_reports(as_files([later]))
    (text,) = department._workspace.reports(["text"], ["xray:A9"])["text"]
    assert text == "No effusion; [name] and [name] saw it."


@pytest.mark.parametrize("size", [1, 1 << 20])
@pytest.mark.parametrize("named_first", [True, False])
def test_names_of_patients_are_known_from_all_files(department, tmp_path, monkeypatch, size, named_first):
    monkeypatch.setattr(grouping, "GROUP_BYTES", size)
    department.save_settings(department.settings.changed(deidentify="on"))
    named = tmp_path / "named.csv"
    named.write_text(
        f"Patient Name,{HEADER}\n"
        "Quillfeather Zebulon,A1,P1,XR CHEST,CR,2024-03-01 08:00,No edema.,Somebody Else,Final\n",
        encoding="utf-8",
    )
    bare = tmp_path / "bare.csv"
    bare.write_text(
        f"{HEADER}\nA2,P1,CT CHEST,CT,2024-03-01 09:00,Zebulon has no edema.,Somebody Else,Final\n", encoding="utf-8"
    )
    department.importing.import_reports(as_files([named, bare] if named_first else [bare, named]))
    (text,) = department._workspace.reports(["text"], ["ct:A2"])["text"]
    assert text == "[name] has no edema."


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_file_that_is_read_in_two_ways_at_once_needs_no_consent(department, tmp_path, monkeypatch, size):
    monkeypatch.setattr(grouping, "GROUP_BYTES", size)
    path = tmp_path / "both.csv"
    path.write_text(
        "Accession,MRN,Exam Description,Exam Time,Report Text,Signing Radiologist\n"
        "A1,P1,CHEST,2024-03-01 08:00,No edema.,Somebody Else\n",
        encoding="utf-8",
    )
    department.importing.import_reports(as_files(xray=[path], ct=[path]))
    assert sorted(department._workspace.reports(["report_id"])["report_id"]) == ["ct:A1", "xray:A1"]
