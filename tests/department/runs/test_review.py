"""Another engine takes the rules' place, and what the two disagree on is listed for a person."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace

import pytest

from radcal import cli
from radcal.findings.engines import make_engine
from radcal.findings.records import Finding
from radcal.findings.to_review import REVIEW_COLUMNS
from radcal.opening import open_department
from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.words.records import ABSENT, PRESENT

PASSPHRASE = "plum tree in blossom"


def turned(findings: tuple[Finding, ...]) -> list[Finding]:
    """The first statement of every report is turned into its opposite, unsurely."""
    first, *others = (replace(f, engine="llama", probability=0.99) for f in findings)
    return [replace(first, phrase=ABSENT if first.phrase == PRESENT else PRESENT, probability=0.4), *others]


@pytest.fixture
def contrary(stand_in, monkeypatch):
    engine = stand_in("llama", turned)
    made = {"rules": make_engine(), "llama": engine}
    for module in ("radcal.findings.runs", "radcal.cli.findings"):
        monkeypatch.setattr(f"{module}.make_engine", lambda name="rules", *_: made[name])
    return engine


@pytest.mark.slow
def test_the_settings_choose_the_engine_and_what_was_read_by_another_is_kept(filled, contrary):
    filled.save_settings(filled.settings.changed(engine="llama"))
    filled.runs.extract()
    assert filled.analyse().provenance.engine == "llama"
    filled.save_settings(filled.settings.changed(engine="rules"))
    filled.runs.extract()
    assert filled.analyse().provenance.engine == "rules"


def test_what_two_engines_disagree_on_is_listed_worst_first(filled, contrary):
    assert filled.runs.review().empty
    filled.save_settings(filled.settings.changed(engine="llama"))
    n = filled.runs.extract().n_reports
    table = filled.runs.review()
    assert list(table.columns) == list(REVIEW_COLUMNS)
    turned = table[table["phrase"] != table["second_opinion"]]
    assert table["report_id"].nunique() == len(turned["report_id"].unique()) == n
    assert set(table["probability"].dropna()) <= {0.4, 0.99}
    order = {"opposite": 0, "one sided": 1, "hedged": 2, "other phrase": 3, "unsure": 4}
    ranked = list(zip(-table["effect"], table["concern"].map(order), strict=True))
    assert ranked == sorted(ranked)
    assert table["effect"].max() > 0
    assert (table["concern"] == "opposite").any()
    plain = table[table["concern"] == "opposite"]
    assert set(zip(plain["phrase"], plain["second_opinion"], strict=True)) <= {(PRESENT, ABSENT), (ABSENT, PRESENT)}


def test_closing_a_department_ends_its_engines(filled, contrary):
    filled.save_settings(filled.settings.changed(engine="llama"))
    filled.runs.extract()
    filled.close()
    assert contrary.closed == 1


def test_closing_a_department_lets_its_engine_forget_what_it_read(filled, monkeypatch):
    engine, forgotten = make_engine(), []
    monkeypatch.setattr("radcal.findings.runs.make_engine", lambda name="rules", *_: engine)
    monkeypatch.setattr(type(engine), "forget", lambda self: forgotten.append(self))
    filled.runs.extract()
    assert not forgotten
    filled.close()
    assert forgotten == [engine]


def test_the_command_line_writes_the_list(files, contrary, tmp_path, monkeypatch, capsys):
    workspace = shutil.copy(files.filled, tmp_path / "w.radcal")
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    words = ["review", "--workspace", str(workspace), "--out", str(tmp_path / "review.csv")]
    assert cli.main(words) == 0
    assert "no other engine was asked" in capsys.readouterr().out
    assert cli.main([*words, "--engine", "llama", "--set", "seed=3"]) == 0
    with (tmp_path / "review.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert f"{len(rows)} statements to look at (" in capsys.readouterr().out
    with open_department(workspace, PASSPHRASE) as department:
        assert (department.settings.engine, department.settings.seed) == ("llama", 3)


def test_a_step_on_files_closes_its_engine(command, contrary, tmp_path):
    (tmp_path / "r.csv").write_text("report_id,text\na,There is a small pleural effusion.\n")
    (tmp_path / "g.tsv").write_text("a\t0\tpleural effusion\tpresent\t-\n")
    scored = command("gold", tmp_path / "g.tsv", "--reports", tmp_path / "r.csv", settings=Settings(engine="llama"))
    assert contrary.closed == 1
    assert scored["reports"] == 1


def test_a_model_belongs_to_the_llama(tmp_path):
    with pytest.raises(InputError, match="uses no model file"):
        make_engine("rules", "some.gguf")
    with pytest.raises(InputError, match=r"nowhere\.gguf"):
        make_engine("llama", str(tmp_path / "nowhere.gguf"))
