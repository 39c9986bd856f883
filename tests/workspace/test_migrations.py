from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from radcal import workspace as w
from radcal.errors import DataError
from radcal.records import VERSION_COLUMNS
from radcal.workspace import Workspace, migrations, store

FIRST = "\n".join(migrations.steps())
"""The present schema as the first of those that are to come."""
SECOND = "CREATE TABLE later (a TEXT) STRICT;\nINSERT INTO later SELECT text FROM texts;\n-- the end; really\n"
THIRD = "ALTER TABLE later RENAME COLUMN a TO b;\n"


@pytest.mark.parametrize("schema", range(1, len(migrations.steps()) + 1))
def test_a_file_of_every_schema_opens_with_all_that_it_holds(tmp_path, old_file, schema):
    path = old_file(schema, tmp_path / "w.radcal")
    with Workspace.open(path, "archive") as ws:
        assert (ws.settings.seed, ws.settings.allowed_phrases) == (7, ("likely", "possible"))
        if schema == 1:
            assert ws.settings.max_steps == 6  # the default at that time
        assert ws.pseudonym_seed > 0
        assert ws.get_meta("department") == "Radiology"
        reports = ws.reports()
        assert reports["report_id"].tolist() == ["xray:A1", "ct:A2", "xray:A3"]
        assert reports["text"].tolist()[2] == "IMPRESSION: Clear lungs."
        assert reports["author"].tolist() == ["Dr. Ähre", "Dr. Brook", "Dr. Ähre"]
        assert reports["exam_time"].tolist()[1] == pd.Timestamp("2024-03-01 11:30")
        places = ["North", "North", ""] if schema >= 4 else [""] * 3
        assert reports["site"].tolist() == places
        assert reports["age"].tolist() == [67 if place else -1 for place in places]
        assert ws.rejected()["row"].tolist() == [5]
        assert ws.rejected()["unit"].tolist() == ["row" if schema >= 6 else ""]
        assert ws.pairs()["gap_hours"].tolist() == [3.5]
        assert ws.attrition()["dropped"].tolist() == [1]
        run = ws.begin_run("rules", "1", "abc")
        assert run == 1
        (finding,) = ws.findings(run).to_dict("records")
        assert (finding["sentence"], finding["start"], finding["probability"]) == ("Likely edema.", 12, 0.75)
        assert ws.failures(run)["failure"].tolist() == ["timed out"]
        assert ws.pending(run, reports["report_id"]) == ["xray:A3"]
        assert ws.results("reliability")["Dr. Ähre|edema"].payload == {"n": 1, "ece": 0.25}
        assert ws.observations().to_dict("list") == {"author": ["Dr. Ähre"], "topic": ["edema"], "outcome": [1.0]}
        assert ws.load_frame("match counts")["n"].tolist() == [1]
        assert "reports imported" in ws.audit()["what"].tolist()
        texts, words = ws.marker("recommendations 1"), ws.marker("words 1")
        counts = ws.habit_counts(run, texts, words)
        sums = counts[["reports", "searched", "follow_up", "read", "hedged", "standard"]].sum()
        assert sums.tolist() == [3, *([1] * 5 if schema >= 7 else [0] * 5)]
        assert ws.recommended(texts)["n"].tolist() == ([1] if schema >= 7 else [])
        if schema >= 2:
            (gold,) = ws.gold_sets()
            assert (gold.drawn, gold.seed, gold.blind, gold.run_id) == ("random", 7, True, 1)
            assert ws.gold_reports(gold.set_id) == [("ct:A2", True), ("xray:A1", True)]
            (action,) = ws.gold_actions(gold.set_id, "read")
            assert (action.reader, json.loads(action.detail)["done"], action.undone) == ("R. Ähre", True, True)
        assert reports["text"].tolist()[0] == "IMPRESSION: Likely edema."
        versions = ws.versions()
        assert len(versions) == (2 if schema >= 3 else 0)
        if schema >= 3:
            assert versions["text"].tolist() == ["IMPRESSION: Likely edema.", "Edema on CT."]
            assert versions["signer"].isna().all()
            assert versions["report_time"].isna().tolist() == [False, True]
            assert [json.loads(uses)[0][2] for uses in versions["uses"]] == ["counted", "after the CT"]
        rows = ws.reports(("report_id", *VERSION_COLUMNS))
        assert rows["report_id"].tolist() == (reports["report_id"].tolist() if schema >= 8 else [])
        assert ws.deidentified() == ({"ct:A2"} if schema >= 8 else set())
        assert ws.count_as_read() == (2 if schema >= 8 else 3)
        assert [s.words for s in ws.suspects()] == (["Pulmonary"] if schema >= 8 else [])
        if schema >= 8:
            assert rows["addendum"].tolist() == [0, 1, 1]
            assert rows["report_time"].isna().tolist() == [False, True, True]
            assert (set(rows["source"]), set(rows["dictator"])) == ({"c0ffee"}, {"Dr. Ähre"})
            assert rows["signer"].isna().all()
        tables = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        now = ws._db.execute(tables)
    with Workspace.create(tmp_path / "new", "p") as new:
        assert new._db.execute(tables) == now  # migrated and new files have the same schema
    assert Workspace.check(path, "archive") == ()


@pytest.mark.parametrize("lacking", [[], ["names_ct", "parts"], ["source", "names_ct", "parts"]])
def test_what_was_known_of_rows_moves_from_data_frames_into_the_reports(tmp_path, old_file, monkeypatch, lacking):
    path = old_file(7, tmp_path / "w.radcal")
    rows = pd.DataFrame(
        {
            "report_id": ["ct:A2", "xray:A1"],
            "dictator": ["", "Dr. Ähre"],
            "signer": pd.Series([None, "Dr. Brook"], dtype="str"),
            "addendum": [0, 2],
            "report_time": pd.to_datetime(["2024-03-01 12:30", None]),
            "corrected": [True, False],
            "source": ["c0ffee", ""],
            "names_ct": [0, 1],
            "parts": ["", "[]"],
        }
    )
    suspects = pd.DataFrame(
        {
            "report_id": ["xray:A1", "xray:A1", "xray:gone"],
            "kind": "name",
            "words": ["Likely", "edema", "edema"],
            "place": [3, 0, 1],
            "left": [False, True, False],
        }
    )
    earlier = migrations.steps()[:7]
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "steps", lambda: earlier)
        with Workspace.open(path, "archive") as ws:
            ws.save_frame("versions of reports", rows.drop(columns=lacking))
            ws.save_frame("de-identified reports", pd.DataFrame({"report_id": ["xray:A3", "xray:gone"]}))
            ws.save_frame("suspected identifiers", suspects)
    with Workspace.open(path, "archive") as ws:
        assert ws.load_frame("versions of reports") is None
        assert ws.load_frame("de-identified reports") is None
        assert ws.load_frame("suspected identifiers") is None
        assert ws.load_frame("match counts") is not None
        assert ws.suspects() == [("xray:A1", "name", "Likely", 3)]
        assert ws._db.execute("SELECT words FROM suspects WHERE kept") == [("edema",)]
        assert ws.deidentified() == {"xray:A3"}
        not_kept = {"source": "", "names_ct": -1, "parts": ""}
        expected = rows.assign(**{name: not_kept[name] for name in lacking}).iloc[::-1].reset_index(drop=True)
        found = ws.reports(("report_id", *VERSION_COLUMNS))
        pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)
        assert len(ws.reports(["report_id"])) == 3


def with_steps(monkeypatch, *scripts: str) -> None:
    monkeypatch.setattr(migrations, "steps", lambda: list(scripts))


@pytest.fixture
def old(path, make, monkeypatch) -> Path:
    with_steps(monkeypatch, FIRST)
    with Workspace.create(path, make.passphrase) as ws, ws.transaction() as db:
        db.execute("INSERT INTO imports VALUES (1, '2024-03-01T08:00:00+00:00', 1, 1, 0, 0, 0, '{}')")
        db.execute("INSERT INTO texts VALUES (1, x'00', 'xray', 'Clear lungs; no edema.')")
        db.execute("""
            INSERT INTO reports (seq, report_id, text_id, version, import_id, modality, accession, patient_id, exam,
                exam_time, author, author_rule, status, file, row)
            VALUES (1, 'xray:1', 1, 1, 1, 'xray', '1', 'P1', '', 0, 'Dr. 1', 'signed by', 'final', 'reports.csv', 2)
        """)
    return path


def test_an_older_file_is_copied_and_brought_up_to_date_step_by_step(old, make, monkeypatch):
    with_steps(monkeypatch, FIRST, SECOND, THIRD)
    with pytest.raises(w.OlderWorkspace, match=r"schema 1, now 3.*Open it once for writing"):
        Workspace.open(old, make.passphrase, read_only=True)
    assert [p.name for p in old.parent.iterdir()] == [old.name]
    with Workspace.open(old, make.passphrase) as ws:
        assert ws._db.execute("SELECT b FROM later") == [("Clear lungs; no edema.",)]
        assert ws._db.number("user_version") == 3
        last = ws.audit().iloc[-1]
        assert last["what"] == "workspace brought up to date"
        assert json.loads(last["counts"]) == {"from_schema": 1, "to_schema": 3}
        assert len(ws.reports(["report_id"])) == 1
    Workspace.open(old, make.passphrase, read_only=True).close()
    with_steps(monkeypatch, FIRST)
    (kept,) = old.parent.glob("department.schema-1-*.radcal")
    assert re.fullmatch(r"department\.schema-1-\d{8}T\d{6}Z\.radcal", kept.name)
    with Workspace.open(kept, make.passphrase) as copy:
        assert copy.reports(["text"])["text"].tolist() == ["Clear lungs; no edema."]
        assert copy._db.number("user_version") == 1


def test_a_copy_of_an_earlier_attempt_is_not_overwritten(old, make, monkeypatch):
    at = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
    monkeypatch.setattr(store, "datetime", SimpleNamespace(now=lambda _: at))
    names = [f"department.schema-1-20260301T080000Z{more}.radcal" for more in ("", "-2")]
    for name in names:
        old.with_name(name).write_text("keep")
    with_steps(monkeypatch, FIRST, SECOND)
    Workspace.open(old, make.passphrase).close()
    assert [old.with_name(name).read_text() for name in names] == ["keep", "keep"]
    assert old.with_name("department.schema-1-20260301T080000Z-3.radcal").stat().st_size > 4096


def test_a_step_that_fails_leaves_the_file_as_it_was(old, make, monkeypatch):
    with_steps(monkeypatch, FIRST, SECOND, "CREATE TABLE more (a TEXT);\nINSERT INTO none VALUES (1);")
    with pytest.raises(DataError, match="no such table"):
        Workspace.open(old, make.passphrase)
    assert [p.name for p in old.parent.iterdir()] == [old.name]  # the copy would be of no use
    with_steps(monkeypatch, FIRST)
    with Workspace.open(old, make.passphrase) as ws:  # neither locked nor changed
        assert ws._db.execute("SELECT name FROM sqlite_master WHERE name IN ('later', 'more')") == []
        assert len(ws.reports(["report_id"])) == 1


def test_a_newer_file_says_which_radcal_it_needs_and_stays_untouched(path, make, monkeypatch):
    with_steps(monkeypatch, FIRST, SECOND)
    monkeypatch.setattr("radcal.__version__", "7.8.9")
    Workspace.create(path, make.passphrase).close()
    with_steps(monkeypatch, FIRST)
    monkeypatch.setattr("radcal.__version__", "0.1.0")
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(w.NewerWorkspace) as caught:
            Workspace.open(path, make.passphrase, read_only=read_only)
        assert "newer RadCal (7.8.9) and has schema 2; this is RadCal 0.1.0" in str(caught.value)
        assert "Install RadCal 7.8.9 or later" in str(caught.value)
    assert path.read_bytes() == before


def test_a_newer_file_that_keeps_its_facts_elsewhere_is_still_called_newer(path, make, monkeypatch):
    with_steps(monkeypatch, FIRST, "DELETE FROM meta WHERE key = 'none';")
    with Workspace.create(path, make.passphrase) as ws:
        ws._db.execute("ALTER TABLE meta RENAME TO facts")
    with_steps(monkeypatch, FIRST)
    with pytest.raises(w.NewerWorkspace, match="Install a newer RadCal"):
        Workspace.open(path, make.passphrase)


def test_the_chain_has_no_gap(tmp_path):
    for name in ("0001_a.sql", "0002_b.sql", "README.md"):
        (tmp_path / name).write_text(name)
    assert migrations.steps(tmp_path) == ["0001_a.sql", "0002_b.sql"]
    for extra in ("0004_d.sql", "0002_double.sql"):
        (tmp_path / extra).write_text("")
        with pytest.raises(RuntimeError, match="gap or a double"):
            migrations.steps(tmp_path)
        (tmp_path / extra).unlink()
