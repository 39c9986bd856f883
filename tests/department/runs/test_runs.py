"""Runs of engines: which is shown, what failed and is tried again, what changed between two."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from radcal.department import Department
from radcal.findings.differences import compare_findings
from radcal.findings.engines import make_engine
from radcal.findings.records import Extraction, Finding
from radcal.findings.run_records import Change
from radcal.findings.side_by_side import BROKE_DOWN
from radcal.findings.storage import save_extractions
from radcal.opening import open_department
from radcal.reports.records import Import
from radcal.reports.storage import save_import
from radcal.reports.table import rejected_frame
from radcal.system.errors import Cancelled, DataError, EngineError, InputError
from radcal.system.progress import SILENT, Silent
from radcal.words.records import ABSENT, PRESENT
from radcal.workspace.errors import NoAccess

PASSPHRASE = "plum tree in blossom"


def otherwise(findings: tuple[Finding, ...]) -> list[Finding]:
    """Every cardiomegaly is present, and every pneumothorax overlooked."""
    return [
        replace(f, phrase=PRESENT) if f.pathology == "cardiomegaly" else f
        for f in findings
        if f.pathology != "pneumothorax"
    ]


@pytest.fixture
def other(stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Takes the Llama's place."""
    engine = stand_in("llama", otherwise)
    made = {"rules": make_engine(), "llama": engine}
    monkeypatch.setattr("radcal.findings.runs.make_engine", lambda name="rules", *_: made[name])
    return engine


LLAMA = {"engine": "llama"}


def engines(department: Department) -> list[tuple[str, bool, bool]]:
    return [(r.engine, r.shown, r.chosen) for r in department.runs.all()]


def begun(department: Department, other: Any, n: int) -> None:
    """The other engine is chosen, reads n reports and is stopped."""
    department.runs.choose(LLAMA)
    other.stop_after = n
    with pytest.raises(Cancelled):
        department.runs.read()
    other.stop_after = None


# --- which run is shown ---------------------------------------------------------------------------------


def test_a_department_that_was_not_read_says_so(filled):
    status = filled.runs.status()
    assert (status.run_id, status.n_read, status.n_failed, status.problem) == (None, 0, 0, "")
    assert status.n_pending == status.n_reports == 160
    assert filled.runs.all() == ()
    assert filled.runs.failures() == ()
    assert filled.runs.retry() == 0


@pytest.mark.slow
def test_a_new_engines_results_are_shown_when_somebody_says_so(analysed, other):
    assert engines(analysed) == [("rules", True, True)]
    begun(analysed, other, 20)
    status = analysed.runs.status()
    assert (status.engine, status.n_read, status.n_pending) == ("llama", 20, 140)
    assert analysed.analyse().provenance.engine == "rules"  # half a run is no result
    assert analysed.up_to_date
    assert ("rules", True, False) in engines(analysed)
    assert analysed.runs.read().n_done == 160
    assert analysed.analyse().provenance.engine == "rules"
    assert sorted(engines(analysed)) == [("llama", False, True), ("rules", True, False)]
    analysed.runs.use(None)
    assert analysed.analyse().provenance.engine == "llama"
    assert sorted(engines(analysed)) == [("llama", True, True), ("rules", False, False)]


def test_without_results_the_first_reading_is_shown_at_once(filled, other):
    filled.runs.choose(LLAMA)
    filled.runs.read()
    assert filled.runs.used() is None
    assert filled.analyse().provenance.engine == "llama"


def test_what_an_earlier_version_of_the_engine_read_stays_on_show(analysed, stand_in, monkeypatch):
    newer = stand_in("rules", otherwise, settings_hash="of the next version")
    monkeypatch.setattr("radcal.findings.runs.make_engine", lambda *_: newer)
    assert analysed.runs.status().n_read == 0
    assert engines(analysed) == [("rules", True, False)]


@pytest.mark.slow
def test_an_import_goes_on_with_the_engine_on_show(analysed, other):
    begun(analysed, other, 20)
    rules = analysed.runs.used()
    first = analysed._workspace.pairs()["ct_id"].iloc[0]
    changed = analysed._workspace.reports(ids=[first]).assign(text="IMPRESSION: Clear lungs, in other words.")
    save_import(analysed._workspace, Import(changed, rejected_frame([]), 1, {}))
    assert analysed._workspace.pending(rules, [first]) == [first]
    assert analysed.runs.extract().n_done == 160
    assert analysed._workspace.pending(rules, [first]) == []
    assert analysed.runs.status().n_read in (19, 20)  # the other engine waits to be asked
    assert analysed.analyse().provenance.engine == "rules"


def test_where_the_engine_on_show_cannot_go_on_the_one_in_the_settings_does(analysed, other):
    run = analysed._workspace.begin_run("rules", "0.1", "x")
    save_extractions(analysed._workspace, run, [Extraction(analysed._workspace.pairs()["ct_id"].iloc[0], ())])
    analysed.runs.use(run)
    analysed.runs.choose(LLAMA)
    analysed.runs.extract()
    assert analysed.runs.status().n_read == 160


def test_an_engine_that_goes_on_with_its_own_run_keeps_its_results_on_show(analysed, other):
    analysed.runs.read()
    assert engines(analysed) == [("rules", True, True)]
    assert analysed.runs.used() is None


@pytest.mark.slow
def test_another_run_can_be_shown_and_is_remembered(analysed, other, tmp_path):
    rules = analysed.analyse()
    analysed.runs.choose(LLAMA)
    analysed.runs.read()
    analysed.runs.use(None)
    llama = analysed.analyse()
    by_engine = {r.engine: r.run_id for r in analysed.runs.all()}
    analysed.runs.use(by_engine["rules"])
    again = analysed.analyse()
    assert again.provenance.engine == "rules"
    assert again.counts == rules.counts
    assert again.provenance.extraction_accuracy == rules.provenance.extraction_accuracy
    path = analysed.path
    analysed.close()
    with open_department(path, PASSPHRASE) as opened:
        assert opened.runs.used() == by_engine["rules"]
        assert opened.analysis().provenance.engine == "rules"
        opened.runs.use(None)
        assert opened.analyse().provenance.engine == "llama"
        assert opened.analyse().counts == llama.counts


@pytest.mark.slow
def test_a_run_shown_before_is_not_computed_again(analysed, other, monkeypatch):
    analysed.runs.choose(LLAMA)
    analysed.runs.read()
    analysed.runs.use(None)
    first = analysed.analyse()
    by_engine = {r.engine: r.run_id for r in analysed.runs.all()}
    analysed.runs.use(by_engine["rules"])
    analysed.analyse()
    monkeypatch.setattr("radcal.advice.analysis.measure", Mock(side_effect=AssertionError("computed again")))
    analysed.runs.use(None)
    assert analysed.analyse().provenance == first.provenance
    analysed.runs.use(by_engine["rules"])
    assert analysed.analyse().provenance.engine == "rules"
    analysed.save_settings(analysed.settings.changed(min_group_n=11))
    with pytest.raises(AssertionError, match="computed again"):
        analysed.analyse()


def test_a_run_that_is_not_there_or_is_empty_cannot_be_shown(analysed, other):
    with pytest.raises(DataError, match="no extraction run 77"):
        analysed.runs.use(77)
    begun(analysed, other, 0)
    empty = analysed.runs.status().run_id
    with pytest.raises(DataError, match="has not read any"):
        analysed.runs.use(empty)
    assert engines(analysed) == [("rules", True, False)]


def test_what_is_shown_of_a_run(analysed):
    [run] = analysed.runs.all()
    summary = analysed.runs.extract()
    assert (run.n_reports, run.n_read, run.n_failed, run.n_findings) == (160, 160, 0, summary.n_findings)
    assert run.begun <= run.last
    status = analysed.runs.status()
    assert (status.n_read, status.n_pending, status.n_findings) == (160, 0, summary.n_findings)
    assert status.n_unknown == sum(n for _, n in summary.unknown_phrases)
    assert status.n_unknown_phrases == len(summary.unknown_phrases)


def test_a_model_that_is_gone_is_told_and_nothing_else_is_lost(analysed, tmp_path):
    analysed.runs.choose({"engine": "llama", "model": str(tmp_path / "gone.gguf")})
    status = analysed.runs.status()
    assert "There is no model file" in status.problem
    assert (status.model, status.n_pending) == ("gone.gguf", 160)
    assert engines(analysed) == [("rules", True, False)]
    assert "There is no model file" in analysed.runs.fit().problem


# --- failures -------------------------------------------------------------------------------------------


def test_failures_are_listed_and_tried_again_on_request(filled, other):
    filled.runs.choose(LLAMA)
    other.failing = lambda report_id: report_id.endswith(("1", "2"))
    failed = filled.runs.read().n_failed
    listed = filled.runs.failures()
    assert len(listed) == failed > 10
    assert {f.reason for f in listed} == {"it took too long"}
    assert filled.runs.read().n_failed == failed  # not by itself
    other.failing = lambda report_id: False
    assert filled.runs.retry([listed[0].report_id, "nobody", *(f.report_id for f in listed[:2])]) == 2
    assert filled.runs.read().n_failed == failed - 2
    assert filled.runs.retry() == failed - 2
    assert filled.runs.read().n_failed == 0
    assert filled.runs.failures() == ()


def test_reports_that_processes_broke_down_over_are_read_again_by_themselves(filled, other, monkeypatch):
    filled.runs.choose(LLAMA)
    doomed, read = filled.runs.paired_ids()[:3], other.extract

    def broken(*given: Any) -> Any:
        return (replace(e, findings=(), failure=BROKE_DOWN) if e.report_id in doomed else e for e in read(*given))

    with monkeypatch.context() as patched:
        patched.setattr(other, "extract", broken)
        assert filled.runs.read().n_failed >= 3
    assert {f.report_id for f in filled.runs.failures()} >= set(doomed)
    assert filled.runs.read().n_failed == 0
    assert filled.runs.status().n_read == 160


# --- pause ----------------------------------------------------------------------------------------------


def test_a_pause_reaches_the_engine_that_reads_from_any_thread(filled, other):
    filled.runs.choose(LLAMA)
    filled.runs.pause()
    filled.runs.resume()
    assert other.held == []  # nothing is being read

    class Watched(Silent):
        done = 0

        def advance(self, n: int = 1, note: str = "") -> None:
            self.done += n
            if self.done == 5:
                thread = threading.Thread(target=filled.runs.pause)
                thread.start()
                thread.join()

    filled.runs.read(Watched())
    assert other.held == ["pause", "resume"]  # a run that has ended leaves no pause behind
    filled.runs.read()
    assert other.held == ["pause", "resume"]


def test_a_pause_before_the_engine_reads_holds_it_from_the_start(filled, other):
    filled.runs.choose(LLAMA)
    filled.runs.pause()
    filled.runs.read()
    assert other.held == ["pause", "resume"]


def test_the_shipped_llama_reads_and_its_model_is_noted(filled):
    filled.runs.choose(LLAMA)
    ids = filled.runs.paired_ids()[:6]
    filled.runs._read_with(filled.runs.engine(), ids, SILENT)
    [run] = filled.runs.all()
    assert (run.engine, run.model, run.n_read + run.n_failed) == ("llama", "radcal-mini-q8_0.gguf", 6)
    assert "F1 0." in run.accuracy
    status = filled.runs.status()
    assert (status.model, status.n_read, status.n_pending) == ("radcal-mini-q8_0.gguf", run.n_read, 154)


def test_a_pause_is_no_matter_to_engines_that_know_none(filled):
    class Watched(Silent):
        def advance(self, n: int = 1, note: str = "") -> None:
            filled.runs.pause()

    filled.runs.choose({"workers": 1})
    assert filled.runs.read(Watched()).n_done == 160


@pytest.mark.slow
def test_the_rules_are_paused_and_go_on_where_several_processes_read(filled):
    class Watched(Silent):
        def advance(self, n: int = 1, note: str = "") -> None:
            filled.runs.pause()
            threading.Timer(0.01, filled.runs.resume).start()

    filled.runs.choose({"workers": 2})
    assert filled.runs.read(Watched()).n_done == 160


# --- engines --------------------------------------------------------------------------------------------


def test_an_engine_is_made_anew_when_its_options_change(filled, stand_in, monkeypatch):
    made: list[Any] = []

    def make(*_: object) -> Any:
        made.append(stand_in())
        return made[-1]

    monkeypatch.setattr("radcal.findings.runs.make_engine", make)
    filled.runs.choose(LLAMA)
    assert filled.runs.engine() is filled.runs.engine()
    filled.runs.choose({"llama_context": 2048})
    assert filled.runs.engine() is made[1]
    assert [m.closed for m in made] == [1, 0]  # two models are not in memory at once
    filled.save_settings(filled.settings.changed(min_group_n=12))
    assert filled.runs.engine() is made[1]
    filled.close()
    assert made[1].closed == 1


def test_a_setting_out_of_bounds_is_refused_and_changes_nothing(filled):
    before = filled.settings
    with pytest.raises(InputError, match="llama_context"):
        filled.runs.choose({"llama_context": 1})
    assert filled.settings == before


def test_an_engine_fits_or_says_why_not(filled, tmp_path):
    rules = filled.runs.fit()
    assert (rules.engine, rules.problem, rules.weights) == ("rules", "", 0)
    assert "F1 0." in rules.accuracy
    llama = filled.runs.fit({"engine": "llama"})
    assert llama.problem == ""
    assert llama.model == "radcal-mini-q8_0.gguf"
    assert "F1 0." in llama.accuracy
    assert llama.weights > 1 << 20
    assert min(llama.keys_and_values, llama.computing, llama.main) > 0
    assert llama.reasons
    asked = filled.runs.fit({"engine": "llama", "llama_threads": 1})
    assert any(reason.startswith("Threads: 1;") for reason in asked.reasons)
    (tmp_path / "none.gguf").write_bytes(b"nothing")
    assert filled.runs.fit({"engine": "llama", "model": str(tmp_path / "none.gguf")}).problem
    assert filled.settings.engine == "rules"  # looking stores nothing


def test_the_shipped_engines_figures_are_known(filled):
    known = filled.runs.accuracies()
    assert set(known) == {"rules", "llama", "served"}
    assert not known["served"], "of a model that each hospital measures itself"
    assert all("F1 0." in known[name] for name in ("rules", "llama"))
    assert filled.runs.accuracies() is known


def test_a_reader_looks_and_changes_nothing(analysed, other):
    analysed.close()
    with open_department(analysed.path, PASSPHRASE, read_only=True) as department:
        assert department.runs.status().n_read == 160
        assert engines(department) == [("rules", True, True)]
        assert department.runs.failures() == ()
        with pytest.raises(NoAccess):
            department.runs.choose(LLAMA)


def test_an_engine_that_breaks_keeps_the_old_results_on_show(analysed, other):
    analysed.runs.choose(LLAMA)
    other.failing = Mock(side_effect=ValueError("broken"))
    with pytest.raises(EngineError, match="'llama' failed"):
        analysed.runs.read()
    assert analysed.analyse().provenance.engine == "rules"


# --- what changed ---------------------------------------------------------------------------------------


def test_two_runs_differ_where_the_engines_do(analysed, other):
    analysed.runs.choose(LLAMA)
    other.failing = lambda report_id: report_id.endswith("7")
    analysed.runs.read()
    runs = {r.engine: r.run_id for r in analysed.runs.all()}
    found = analysed.runs.compare(runs["rules"], runs["llama"])
    both = {f.report_id for f in analysed.runs.failures()}
    assert found.n_reports == 160 - len(both)
    assert not any(d.report_id in both for d in found.differences)
    removed = [d for d in found.differences if d.change is Change.REMOVED]
    changed = [d for d in found.differences if d.change is Change.CHANGED]
    assert (len(removed), len(changed)) == (found.n_removed, found.n_changed)
    assert removed
    assert changed
    assert {d.pathology for d in removed} <= {"pneumothorax", "cardiomegaly"}  # two of one sentence become one
    assert all((d.pathology, d.after) == ("cardiomegaly", PRESENT) for d in changed)
    assert {d.before for d in changed} >= {ABSENT}
    back = analysed.runs.compare(runs["llama"], runs["rules"])
    assert (back.n_same, back.n_added, back.n_removed) == (found.n_same, found.n_removed, found.n_added)
    nothing = analysed.runs.compare(runs["rules"], runs["rules"])
    assert nothing.differences == ()
    assert nothing.n_reports == 160


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["r1", "r2"]), st.integers(0, 1), st.sampled_from(["edema", "mass"]), st.sampled_from("abc")
    ),
    max_size=12,
)


def frame(rows: list[tuple[str, int, str, str]]) -> pd.DataFrame:
    columns = ["report_id", "start", "pathology", "phrase"]
    made = pd.DataFrame(rows, columns=columns)
    return made.assign(sentence=[f"sentence {r} {s}" for r, s, _, _ in rows], section="findings")


@examples(deadline=None)
@given(before=ROWS, after=ROWS)
def test_differences_turn_one_run_into_the_other(
    before: list[tuple[str, int, str, str]], after: list[tuple[str, int, str, str]]
) -> None:
    found = compare_findings(1, 2, 2, frame(before), frame(after))
    rest = Counter((r, f"sentence {r} {s}", p, phrase) for r, s, p, phrase in before)
    for d in found.differences:
        if d.before:
            rest[d.report_id, d.sentence, d.pathology, d.before] -= 1
        if d.after:
            rest[d.report_id, d.sentence, d.pathology, d.after] += 1
        assert (d.change is Change.CHANGED) == bool(d.before and d.after)
        assert d.before != d.after
    assert +rest == Counter((r, f"sentence {r} {s}", p, phrase) for r, s, p, phrase in after)
    assert min(rest.values(), default=0) >= 0
    assert found.n_same + found.n_changed + found.n_removed == len(before)
    assert found.n_same + found.n_changed + found.n_added == len(after)


def test_a_comparison_can_be_cancelled(analysed, onlooker):
    with pytest.raises(Cancelled):
        analysed.runs.compare(1, 1, onlooker(looks=0))
