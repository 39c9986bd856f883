"""`radcal run` as its users meet it: from files to pages, and every way to go wrong with files and folders."""

from __future__ import annotations

import json
import os
import shutil
import sys

import pytest

from radcal.findings.model.local_pairs import DEFAULT_MODEL
from radcal.opening import open_department
from radcal.system.resources import model_file
from radcal.system.settings import Settings
from tests.cli.conftest import KEY


def test_a_run_from_files_to_pages(radcal, words, tmp_path, stored):
    done = radcal(*words, "--without-ct", "--set", "window_hours=12h", "--json")
    assert (done.status, done.err) == (1, "")  # some rows of the sample cannot be used, and are listed
    summary = json.loads(done.out, parse_constant=lambda word: pytest.fail(word))
    assert summary.pop("backup").startswith("A backup of the workspace is ")  # made when all is written
    written = json.loads((tmp_path / "out/summary.json").read_text(encoding="utf-8"))
    shown = summary.keys() - {"workspace", "files"}
    assert {key: written[key] for key in written.keys() & shown} == {key: summary[key] for key in shown}
    assert summary["pairs"] == 40
    assert {"file", "row", "reason", "remedy", "accession", "unit"} == set(summary["failures"][0])
    assert (tmp_path / "out/department.pdf").exists()
    assert (stored()["window_hours"], stored()["min_group_n"]) == (12, 10)
    with open_department(tmp_path / "w.radcal", KEY, read_only=True) as department:
        shares = [r.verification for r in department.analysis().reliabilities]
    assert all(v is not None and v.n_unread == 0 for v in shares)


def test_what_a_run_says_is_for_people(tmp_path, words, has_run):
    assert "were left out: see rejected.csv" in has_run(tmp_path, "--names-in-workspace")


def test_the_use_of_a_vocabulary_is_told_and_listed_for_enough_radiologists(radcal, words, done, tmp_path, stored):
    assert "vocabulary" not in json.loads((tmp_path / "out/summary.json").read_text(encoding="utf-8"))
    assert not (tmp_path / "out/vocabulary.csv").exists()
    summary = json.loads(radcal(*words, "--set", "vocabulary=brigham", "--json").out)
    assert stored()["vocabulary"] == "brigham"
    assert summary["vocabulary"] == []  # two are too few to be shown under pseudonyms
    assert not (tmp_path / "out/vocabulary.csv").exists()
    outside, none = summary["notes"][-2:]
    assert outside.startswith("Worded outside the Brigham scale: ")
    assert none == "There is no vocabulary.csv: it is made from 5 radiologists on."


@pytest.mark.slow
def test_a_column_of_both_modalities_can_be_mapped_and_clean_input_leaves_nothing_to_list(
    radcal, refused, words, tmp_path, small, table
):
    rows = table.read(small.xray) + table.read(small.ct)
    once = [r for r in rows if sum(r["Accession"] == o["Accession"] for o in rows) == 1]
    clean = [r for r in once if r["Report Text"] and r["Exam Time"][:2] == "20" and r["Modality"] != "??"]
    named = [{"Wann" if name == "Exam Time" else name: cell for name, cell in row.items()} for row in clean]
    files = ["run", "--reports", table.write(tmp_path / "both.csv", named), *words[5:]]
    told = refused(*files)
    assert "both.csv" in told
    assert "time" in told
    done = radcal(*files, "--map", "exam_time=Wann", "--json")
    assert done.status == 0
    assert json.loads(done.out)["failures"] == []
    assert json.loads(done.out)["pairs"] > 30
    for wrong in ("exam_time", "=Wann", "exam_time="):
        assert "write OUR_NAME=COLUMN" in refused(*files, "--map", wrong)
    assert radcal(*files, "--map", "moonphase=Wann").status == 2


@pytest.mark.parametrize(
    ("given", "day_first"), [((), None), (("--dates", "day-first"), True), (("--dates", "month-first"), False)]
)
def test_the_order_of_day_and_month_can_be_told(radcal, words, monkeypatch, given, day_first):
    read = []
    monkeypatch.setattr("radcal.cli.run.write_results", lambda _, __, files, **___: read.extend(files) or {"text": ""})
    assert radcal(*words, *given).status == 0
    assert [file.day_first for file in read] == [day_first] * 2


def test_a_file_that_cannot_be_read_is_listed_and_the_others_are_read(radcal, refused, words, tmp_path):
    (tmp_path / "march.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    done = radcal(*words, "--reports", tmp_path / "march.xlsx")
    assert done.status == 1
    assert "\nNot read: march.xlsx is damaged or not an Excel workbook." in done.out
    summary = json.loads((tmp_path / "out/summary.json").read_text(encoding="utf-8"))
    assert {k: summary["failures"][0][k] for k in ("file", "row")} == {"file": "march.xlsx", "row": None}
    assert (summary["pairs"], len(summary["failures"])) == (40, summary["rows_rejected"] + 1)
    assert "march.xlsx is damaged" in refused(
        "run", "--reports", tmp_path / "march.xlsx", "--workspace", tmp_path / "third.radcal", *words[7:]
    )


def test_without_the_ct_reports_the_message_says_which_file_was_not_read(refused, words, tmp_path, small):
    (tmp_path / "ct.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    assert "Not read: ct.xlsx is damaged or not an Excel workbook." in refused(
        "run", "--xray", small.xray, "--ct", tmp_path / "ct.xlsx", *words[5:]
    )


@pytest.mark.slow
def test_files_read_again_by_another_number_replace_what_they_gave_only_when_told_to(
    radcal, refused, words, tmp_path, small, key, table
):
    for path in (small.xray, small.ct):
        rows = [row | {"Order": f"S{row['Accession']}"} for row in table.read(path) if row["Accession"]]
        table.write(tmp_path / path.name, rows)
    files = ["run", "--xray", tmp_path / "xray.csv", "--ct", tmp_path / "ct.csv", *words[5:]]
    pairs = json.loads(radcal(*files, "--json").out)["pairs"]
    told = refused(*files, "--map", "accession=Order")
    assert "xray.csv was imported before and is read in another way now." in told
    assert "would be counted twice" in told
    assert "--replace" in told
    replaced = radcal(*files, "--map", "accession=Order", "--replace", "--json")
    assert replaced.status == 1
    assert json.loads(replaced.out)["pairs"] == pairs > 0
    with open_department(tmp_path / "w.radcal", key, read_only=True) as department:
        assert department._workspace.reports(["report_id"])["report_id"].str.contains(":S").all()


def test_a_file_that_is_not_there_makes_no_workspace(refused, words, tmp_path):
    assert "There is no file" in refused("run", "--reports", tmp_path / "typo.csv", *words[5:])
    assert "There is no workspace" in refused("run", *words[5:])
    assert not (tmp_path / "w.radcal").exists()


def test_a_workspace_in_no_folder_and_pages_in_no_place(radcal, refused, words, tmp_path):
    nowhere = [tmp_path / "no" / "w.radcal" if w == tmp_path / "w.radcal" else w for w in words]
    assert "There is no folder" in radcal(*nowhere).err
    (tmp_path / "out").write_text("", encoding="utf-8")
    assert "cannot be written" in refused(*words)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_rights_is_named(refused, words, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    assert "cannot be written" in refused(*words)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"allowed_phrases": ["wibble"]}, "The allowed phrase 'wibble' is not in the lexicon"),
        ({"vocabulary": "wibble"}, "there is no such scale. Known: brigham"),
        ({"silence_left_out": ["wibble"]}, "has no pathology 'wibble'"),
        ({"silence_absent": ["mass"], "silence_left_out": ["mass"]}, "both name 'mass'"),
        ({"include_other_confirmations": ["mass>wibble"]}, "no optional confirmation 'mass>wibble'"),
        ({"engine": "llama", "model": "wibble.gguf"}, "no model file wibble.gguf"),
        ({"model": "wibble.gguf"}, "The engine 'rules' uses no model file"),
    ],
)
def test_settings_that_name_what_there_is_not_are_refused_and_not_kept(
    radcal, refused, words, tmp_path, key, stored, setting, reason
):
    (tmp_path / "wrong.json").write_text(json.dumps(setting), encoding="utf-8")
    wrong = [*words, "--settings", tmp_path / "wrong.json"]
    assert reason in refused(*wrong)
    assert not (tmp_path / "w.radcal").exists()
    open_department(tmp_path / "w.radcal", key, create=True).close()
    assert reason in radcal(*wrong).err
    assert stored() == Settings().to_dict()


def test_a_model_is_forgotten_when_the_rules_are_chosen_again(radcal, words, tmp_path, opens_only, stored):
    model = tmp_path / "own.gguf"
    shutil.copyfile(model_file(DEFAULT_MODEL), model)
    radcal(*words, "--set", "engine=llama", "--set", f"model={model}")
    assert (stored()["engine"], stored()["model"]) == ("llama", str(model))
    radcal(*words, "--set", "window_hours=6h")
    assert (stored()["engine"], stored()["model"]) == ("llama", str(model))
    assert radcal(*words, "--set", "engine=rules", "--set", f"model={model}").status == 2
    assert radcal(*words, "--set", "engine=rules").status == 1
    assert (stored()["engine"], stored()["model"]) == ("rules", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete an open file")
def test_a_workspace_that_is_deleted_during_a_run_is_saved(refused, words, tmp_path, monkeypatch, key):
    def run(department, *_: object, **__: object) -> None:
        department.save_settings(department.settings.changed(seed=7))
        department.path.unlink()
        department.save_settings(department.settings.changed(seed=8))

    monkeypatch.setattr("radcal.cli.run.write_results", run)
    told = refused(*words)
    assert "was deleted, moved or replaced while it was open" in told
    assert "saved as w-rescued.radcal beside it" in told
    assert sorted(p.name for p in tmp_path.glob("*.radcal*")) == ["w-rescued.radcal"]
    with open_department(tmp_path / "w-rescued.radcal", key) as department:
        assert department.settings.seed == 7
