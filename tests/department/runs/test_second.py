"""The rules with a second reader in a department: one run, in which both readings of what is unread are kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.department import Department
from radcal.findings import engines
from radcal.findings.engines import fit_engine, make_engine, model_name
from radcal.findings.readers.pairs import NOT_STATED, Answers, Question, phrases_of
from radcal.findings.records import Finding
from radcal.review.records import Draw
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon
from radcal.words.records import UNREAD

HEART = "cardiomegaly"
SECOND = {"engine": "rules", "second": "served", "served_url": "https://llm.example/v1", "served_model": "m"}


def doubted(findings: tuple[Finding, ...]) -> list[Finding]:
    """In every fourth report, what the rules say of the heart is unread: to the second reader, nothing is stated."""
    return [
        replace(f, phrase=UNREAD, rules=f.phrase, second=NOT_STATED, probability=0.2)
        if f.pathology == HEART and zlib.crc32(f.report_id.encode()) % 4 == 0
        else replace(f, second=f.phrase, probability=0.99)
        for f in findings
    ]


@pytest.fixture
def both(stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Takes the place of the rules with a second reader; the rules alone and the Llama are there as well."""
    made = stand_in("rules", doubted, settings_hash="both")
    alone = engines.make_engine

    def make(name: str = "rules", model: str = "", settings: Settings | None = None, *rest: Any) -> Any:
        if name == "rules":
            return made if settings and settings.second == "served" else alone(name, model, settings, *rest)
        return stand_in("llama")

    monkeypatch.setattr("radcal.findings.runs.make_engine", make)
    return made


@pytest.fixture
def chosen(filled: Department, both: Any) -> Department:
    filled.runs.choose(SECOND)
    return filled


def test_what_both_read_is_kept_in_one_run(chosen: Department, tmp_path: Path) -> None:
    summary = chosen.runs.read()
    [run] = chosen.runs.all()
    assert (run.engine, run.model, run.n_read) == ("rules", "tiny.gguf", 160)
    assert chosen.runs.described(run.run_id) == chosen.analyse().provenance.engine == "rules and tiny.gguf"
    assert chosen.runs.status().n_unread == summary.n_unread > 0
    chosen.findings_export.write(tmp_path / "f.csv")
    table = pd.read_csv(tmp_path / "f.csv", keep_default_na=False)
    unread, others = table[table["phrase"] == UNREAD], table[table["phrase"] != UNREAD]
    assert len(unread) == summary.n_unread
    assert set(unread["pathology"]) == {HEART}
    assert (set(unread["second"]), set(unread["unread"]), set(unread["probability"])) == ({NOT_STATED}, {"yes"}, {0.2})
    assert set(unread["rules"]) >= {"present", "absent"}
    assert set(others["rules"]) == {""}
    assert (others["second"] == others["phrase"]).all()
    assert set(table["engine"]) == {"rules and tiny.gguf"}


@pytest.mark.slow
def test_the_unread_is_reviewed_first_with_both_readings(chosen: Department) -> None:
    table = chosen.runs.review()
    assert set(table["concern"]) == {"unread"}, "no other run is needed for a second opinion"
    assert set(table["pathology"]) == {HEART}
    assert set(table["second_opinion"]) == {NOT_STATED}
    assert "" not in set(table["rules"])
    assert table["effect"].is_monotonic_decreasing
    assert table["effect"].max() > 0
    assert [r.engine for r in chosen.runs.all()] == ["rules"]
    chosen.analyse()
    first = chosen.gold.draw(3, order=Draw.WORST_FIRST).report_ids[0]
    drawn = chosen._workspace.distinct_texts(chosen.runs.paired_ids())
    assert first == next(i for i in table["report_id"] if i in drawn)


def test_of_a_model_that_reads_alone_the_unread_comes_first_too(
    filled: Department, stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(findings: tuple[Finding, ...]) -> list[Finding]:
        kept = (f for f in findings if f.pathology != "pneumothorax")
        return [replace(f, phrase=UNREAD) if f.pathology == HEART else f for f in kept]

    llama, alone = stand_in("llama", change), engines.make_engine
    monkeypatch.setattr(
        "radcal.findings.runs.make_engine", lambda name, *rest: llama if name == "llama" else alone(name, *rest)
    )
    filled.runs.choose({"engine": "llama"})
    concerns = filled.runs.review()["concern"].tolist()
    first = concerns.count("unread")
    assert 0 < first < len(concerns)
    assert concerns[:first] == ["unread"] * first
    [run] = [r for r in filled.runs.all() if r.engine == "rules"]
    assert run.model == "", "the rules alone are its second opinion"


def test_the_rules_beside_a_reader_say_nothing_of_the_errors_of_that_reader(chosen: Department) -> None:
    chosen.runs.read()
    rules = chosen.runs.own()
    chosen.runs.choose({"engine": "llama"})
    chosen.runs.read()
    llama = chosen.runs.own()
    assert rules is not None
    assert llama is not None
    assert chosen.runs.independent_of(rules) == chosen.runs.independent_of(llama) == ()
    other = chosen._workspace.begin_run("served", "1", "other")
    assert chosen.runs.independent_of(rules) == (other,)


def test_the_rules_alone_and_with_a_second_reader_are_two_runs(chosen: Department) -> None:
    chosen.runs.read()
    chosen.runs.choose({"second": "none"})
    chosen.runs.read()
    assert sorted((r.engine, r.model, r.shown) for r in chosen.runs.all()) == [
        ("rules", "", True),
        ("rules", "tiny.gguf", False),
    ]
    with_both, alone = (next(r.run_id for r in chosen.runs.all() if r.model == m) for m in ("tiny.gguf", ""))
    found = chosen.runs.compare(with_both, alone)
    assert found.n_changed == len(found.differences) > 0
    assert {d.before for d in found.differences} == {UNREAD}


# --- with both readers ----------------------------------------------------------------------------------


class Unconvinced:
    """A pair reader that gives the same to everything: nothing is stated."""

    name, version, settings_hash = "llama", "1", "one"
    model = Path("tiny.gguf")
    phrases = phrases_of(load_lexicon())

    def __init__(self) -> None:
        self.held: list[str] = []

    def answer(self, reports: Iterable[Sequence[Question]], _progress: Progress) -> Iterator[Answers]:
        for questions in reports:
            if any(zlib.crc32(q.sentence.encode()) % 20 == 0 for q in questions):
                yield Answers((), "it took too long")
                continue
            rows = [np.full((len(q.pathologies), len(self.phrases)), 0.01 / (len(self.phrases) - 1)) for q in questions]
            for row in rows:
                row[:, -1] = 0.99
            yield Answers(tuple(rows))

    def pause(self) -> None:
        self.held.append("pause")

    def resume(self) -> None:
        self.held.append("resume")

    def close(self) -> None:
        self.held.append("close")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Unconvinced:
    """Takes the place of every pair reader."""
    made = Unconvinced()
    monkeypatch.setattr(engines, "pair_reader", lambda *_: made)
    return made


def test_what_the_second_reader_finds_improbable_is_unread_and_where_it_fails_the_report_has_failed(
    filled: Department, reader: Unconvinced
) -> None:
    filled.runs.choose({"second": "tiny.gguf", "unread_below": 1.0})
    filled.runs.pause()
    summary = filled.runs.read()
    assert reader.held == ["pause", "resume"]
    assert summary.n_unread == summary.n_findings > 0
    failed = filled.runs.failures()
    assert len(failed) == summary.n_failed > 0
    assert summary.n_failed < summary.n_done
    assert {f.reason for f in failed} == {"it took too long"}
    found = filled._workspace.findings(filled.runs.own(), filled.runs.paired_ids())
    assert set(found["second"]) == {NOT_STATED}
    assert not {f.report_id for f in failed} & set(found["report_id"])
    assert filled.runs.retry() == len(failed)
    assert filled.runs.status().n_pending == len(failed)
    filled.close()
    assert reader.held[-1] == "close"


@pytest.mark.usefixtures("with_trial")
def test_a_model_that_fails_its_trial_reads_nothing_unless_it_may_untested(
    filled: Department, reader: Unconvinced
) -> None:
    filled.runs.choose({"second": "tiny.gguf"})
    for _ in range(2):
        with pytest.raises(InputError, match=r"tiny\.gguf read 30 sentences .* nearly always the same answer"):
            filled.runs.read()
    assert not filled.runs.all()
    tried = [e for e in filled.audit_log.entries() if "language model tried" in e.what]
    assert len(tried) == 1, "the outcome is remembered"
    filled.runs.choose({"untested": "allowed"})
    assert filled.runs.read().n_done > 0


def test_a_lower_bound_is_another_run_and_leaves_less_unread(filled: Department, reader: Unconvinced) -> None:
    filled.runs.choose({"second": "tiny.gguf"})
    strict = filled.runs.read().n_unread
    filled.runs.choose({"unread_below": 0.0})
    assert filled.runs.read().n_unread < strict
    assert len(filled.runs.all()) == 2


def test_an_engine_says_what_reads_in_it_and_refuses_a_file_that_is_not_its_own(
    reader: Unconvinced, tmp_path: Path
) -> None:
    made = make_engine("rules", settings=Settings(second="x.gguf"))
    assert (made.name, model_name(made)) == ("rules", "tiny.gguf")
    alone = make_engine("rules", settings=Settings(second="none", workers=1))
    assert model_name(alone) == ""
    assert made.version != alone.version
    assert made.settings_hash != alone.settings_hash
    assert fit_engine(Settings(second="none")).model == ""
    with pytest.raises(InputError, match="uses no model file"):
        make_engine("rules", "x.gguf")


def test_a_second_reader_that_is_not_there_is_told(tmp_path: Path) -> None:
    gone = str(tmp_path / "nowhere.gguf")
    with pytest.raises(InputError, match=r"nowhere\.gguf"):
        make_engine("rules", settings=Settings(second=gone))
    fit = fit_engine(Settings(second=gone))
    assert (fit.engine, fit.model) == ("rules", "nowhere.gguf")
    assert "nowhere.gguf" in fit.problem


@pytest.mark.usefixtures("with_bundled")
def test_out_of_the_box_the_bundled_model_reads_beside_the_rules(filled: Department) -> None:
    ids = filled.runs.paired_ids()[:12]
    filled.runs.read_reports(ids)
    [run] = filled.runs.all()
    assert (run.engine, run.model, run.n_failed) == ("rules", "radcal-mini-q8_0.gguf", 0)
    found = filled._workspace.findings(run.run_id, ids)
    assert "" not in set(found["second"])
    assert found["probability"].between(0, 1).any()
    known = {phrase for phrase, n in found["phrase"].value_counts().items() if phrase != UNREAD}
    assert known & {"present", "absent"}, "of plain sentences most are read"
    assert filled.runs.fit().model == "radcal-mini-q8_0.gguf"
