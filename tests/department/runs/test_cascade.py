"""A cascade in a department: two runs from one reading, which everything that compares runs works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radcal.cli.run import write_results
from radcal.department import Department
from radcal.findings.cascade import Cascade
from radcal.findings.engines import make_engine
from radcal.findings.records import Finding
from radcal.opening import open_department
from radcal.review.records import Draw
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.words.records import UNREAD

PASSPHRASE = "plum tree in blossom"


def doubting(findings: tuple[Finding, ...]) -> list[Finding]:
    """What the rules say, but for what they say of the heart, which they do not understand."""
    kept = [
        replace(f, phrase=UNREAD, cue_start=f.start, cue_end=f.end) if f.pathology == "cardiomegaly" else f
        for f in findings
    ]
    return list({(f.pathology, f.phrase, f.start): f for f in kept}.values())


def of_hearts(findings: tuple[Finding, ...]) -> list[Finding]:
    """Every heart is possibly enlarged, and there is nothing else."""
    return [
        replace(f, phrase="possibly", engine="llama", probability=0.6, cue_start=-1, cue_end=-1)
        for f in findings
        if f.pathology == "cardiomegaly"
    ]


@pytest.fixture
def rules(stand_in: Callable[..., Any]) -> Any:
    """Rules that do not understand everything."""
    return stand_in("rules", doubting)


@pytest.fixture
def llama(rules: Any, stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Llama in a cascade with these rules."""
    made = stand_in("llama", of_hearts, settings_hash="own")
    engines: dict[str, Any] = {"rules": rules, "llama": made}

    def make(name: str = "rules", _model: str = "", settings: Any = None, *_: object) -> Any:
        if name == "cascade":
            return Cascade(rules, made, settings.cascade_asks)
        return engines[name]

    monkeypatch.setattr("radcal.findings.runs.make_engine", make)
    return made


@pytest.fixture
def chosen(filled: Department, llama: Any) -> Department:
    filled.runs.choose({"engine": "cascade"})
    return filled


def runs(department: Department) -> dict[str, int]:
    return {r.engine: r.run_id for r in department.runs.all()}


def hearts(department: Department, run: int) -> Any:
    """What a run says of the heart."""
    found = department._workspace.findings(run, department.runs.paired_ids())
    return found[found["pathology"] == "cardiomegaly"]


def test_the_llamas_own_reading_is_a_run_of_its_own(chosen, llama):
    summary = chosen.runs.read()
    assert (summary.n_done, summary.n_unread) == (160, 0)
    both = runs(chosen)
    assert both.keys() == {"cascade", "llama"}
    said = hearts(chosen, both["cascade"])
    assert set(zip(said["phrase"], said["engine"], strict=True)) == {("possibly", "llama")}
    asked = set(said["report_id"])
    workspace, ids = chosen._workspace, chosen.runs.paired_ids()
    assert workspace.read_by(both["llama"], ids) == asked  # reports of the same text among them
    assert set(llama.asked) <= asked < set(ids)
    assert len(llama.asked) == len(workspace.distinct_texts([i for i in ids if i in asked]))
    assert {r.engine: r.model for r in chosen.runs.all()} == {"cascade": "tiny.gguf", "llama": "tiny.gguf"}
    status = chosen.runs.status()
    assert (status.engine, status.n_read, status.n_second, status.n_second_failed) == ("cascade", 160, len(asked), 0)
    assert chosen.analyse().provenance.engine == "cascade"


def test_a_report_that_the_llama_cannot_read_is_one_of_its_run(chosen, llama):
    llama.failing = lambda report_id: report_id.endswith("7")
    chosen.runs.read()
    both = runs(chosen)
    said = hearts(chosen, both["cascade"])
    failed = {f.report_id for f in chosen.runs.failures(both["llama"])}
    assert failed
    assert set(said.loc[said["phrase"] == UNREAD, "report_id"]) == failed
    assert chosen.runs.failures() == ()
    assert chosen.runs.status().n_second_failed == len(failed)
    table = chosen.runs.review()
    assert set(table.loc[table["concern"] == "unread", "report_id"]) == failed


def test_what_the_llama_could_not_read_is_asked_again(chosen, llama):
    llama.failing = lambda report_id: report_id.endswith("7")
    chosen.runs.read()
    both = runs(chosen)
    second = chosen.runs.second_reading()
    stayed = {f.report_id for f in second.failures}
    assert {f.reason for f in second.failures} == {"it took too long"}
    status = chosen.runs.status()
    assert second.n_asked == status.n_second + status.n_second_failed
    assert chosen.runs.second_reading(both["llama"]).n_asked == 0
    told = write_results(chosen, chosen.path.parent / "out")
    assert told["second_asked"] == second.n_asked
    assert len(told["second_failures"]) == len(stayed)
    assert f"The Llama was asked about {second.n_asked:,} reports, and could not read {len(stayed):,}" in told["text"]
    assert "it took too long" in told["text"]
    llama.failing = lambda report_id: False
    asked = len(llama.asked)
    one = min(stayed)
    assert chosen.runs.retry([one, "nobody"]) == 1
    alike = stayed - {f.report_id for f in chosen.runs.second_reading().failures}  # of the same text
    assert chosen.runs.retry() == len(stayed - alike)
    assert chosen.runs.retry() == 0
    assert chosen.runs.status().n_pending == len(stayed)
    assert chosen.runs.read().n_unread == 0
    assert chosen.runs.second_reading().failures == ()
    assert len(llama.asked) - asked <= len(stayed)
    assert set(hearts(chosen, both["cascade"])["phrase"]) == {"possibly"}
    assert runs(chosen) == both


def test_a_cascade_and_its_engines_say_nothing_of_each_others_errors(chosen, llama):
    workspace, ids = chosen._workspace, chosen.runs.paired_ids()
    rules = chosen.runs._read_with(chosen.runs.engine("rules"), ids, SILENT)
    chosen.runs.read()
    both = runs(chosen)
    assert len(workspace.read_by(both["llama"], ids)) < len(ids)
    assert [chosen.runs.independent_of(r) for r in (rules, both["cascade"], both["llama"])] == [(), (), ()]
    assert chosen.gold.engines_agree(both["cascade"]) == chosen.gold.engines_agree(rules) == ""
    other = workspace.begin_run("llama", "9", "other")
    assert set(chosen.runs.independent_of(both["cascade"])) == {other}
    assert set(chosen.runs.independent_of(rules)) == {other}
    chosen.runs.choose({"cascade_asks": "all"})
    chosen.runs.read()
    assert both["llama"] in chosen.runs.independent_of(rules)  # it has read every report


def test_a_stopped_cascade_goes_on_where_it_was_and_asks_nothing_twice(chosen, llama):
    llama.stop_after = 10
    with pytest.raises(Cancelled):
        chosen.runs.read()
    begun = runs(chosen)
    kept = chosen.runs.status()
    assert 0 < kept.n_read < 160
    chosen.close()
    llama.stop_after = None
    with open_department(chosen.path, PASSPHRASE) as again:
        assert again.runs.read().n_done == 160
        assert runs(again) == begun
        assert len(llama.asked) == len(set(llama.asked))
        said = hearts(again, begun["cascade"])
        assert set(said["phrase"]) == {"possibly"}


def test_another_question_is_another_run_of_the_cascade_and_the_same_of_the_llama(chosen, llama):
    chosen.runs.read()
    before = {r.run_id for r in chosen.runs.all()}
    n = len(llama.asked)
    chosen.runs.choose({"cascade_asks": "all"})
    assert chosen.runs.status().n_pending == 160
    chosen.runs.read()
    after = {r.run_id: r.engine for r in chosen.runs.all()}
    assert sorted(after.values()) == ["cascade", "cascade", "llama"]
    assert before < after.keys()
    assert len(llama.asked) > n
    assert chosen.runs.status().n_second == 160


def test_review_compares_a_cascade_with_its_llama_where_that_was_asked(chosen):
    chosen.runs.choose({"cascade_asks": "hedged", "review_below": 0.7})
    table = chosen.runs.review()
    asked = chosen._workspace.read_by(runs(chosen)["llama"], chosen.runs.paired_ids())
    assert set(table["report_id"]) <= asked
    alone = table[table["concern"] == "one sided"]
    assert set(alone["second_opinion"]) == {""}  # the Llama reads only hearts
    on_hearts = table[table["pathology"] == "cardiomegaly"]
    assert set(on_hearts["concern"]) == {"unsure"}
    assert table["effect"].is_monotonic_decreasing
    assert table["effect"].max() > 0


def test_two_runs_of_one_cascade_are_compared_and_drawn_from(chosen):
    chosen.runs.read()
    both = runs(chosen)
    found = chosen.runs.compare(both["cascade"], both["llama"])
    assert found.n_same
    assert {d.after for d in found.differences} == {""}
    far = [d.effect for d in found.differences]
    assert far == sorted(far, reverse=True)
    assert far[0] > 0
    chosen.analyse()
    first = chosen.gold.draw(3, order=Draw.WORST_FIRST).report_ids[0]
    ranked = chosen.runs.review()["report_id"]
    drawn = chosen._workspace.distinct_texts(chosen.runs.paired_ids())
    assert first == next(i for i in ranked if i in drawn)


def test_a_pause_holds_the_llama(chosen, llama):
    chosen.runs.pause()
    chosen.runs.read()
    assert llama.held == ["pause", "resume"]


def test_the_engines_with_a_model_are_not_in_memory_together(chosen):
    cascade = chosen.runs.engine()
    chosen.runs.choose({"engine": "llama"})
    chosen.runs.engine()
    assert cascade not in chosen.runs._engines.values()


# --- with the shipped engines ---------------------------------------------------------------------------


def test_the_shipped_engines_fit_and_read_together(filled, tmp_path):
    fit = filled.runs.fit({"engine": "cascade"})
    assert (fit.engine, fit.model, fit.problem) == ("cascade", "radcal-mini-q8_0.gguf", "")
    filled.runs.choose({"engine": "cascade", "cascade_asks": "hedged"})
    ids = filled.runs.paired_ids()[:12]
    filled.runs._read_with(filled.runs.engine(), ids, SILENT)
    both = runs(filled)
    rules = filled.runs._read_with(make_engine(), ids, SILENT)
    workspace = filled._workspace
    said = workspace.findings(rules, ids)
    hedged = set(said.loc[~said["phrase"].isin(["present", "absent"]), "report_id"])
    assert workspace.read_by(both["llama"], ids) == hedged
    assert 0 < len(hedged) < 12
    columns = ["report_id", "pathology", "phrase", "start"]
    assert workspace.findings(both["cascade"], ids)[columns].equals(said[columns])  # nothing was unread
    told = workspace.findings(both["llama"], ids)
    assert set(told["engine"]) == {"llama"}


def test_a_table_of_reports_is_read_by_both(command, tmp_path):
    (tmp_path / "r.csv").write_text(
        "report_id,text\na,A small effusion I would guess.\nb,No pneumothorax.\n", encoding="utf-8"
    )
    summary = command("extract", tmp_path / "r.csv", "--out", tmp_path / "f.csv", settings=Settings(engine="cascade"))
    assert (summary["reports"], summary["findings"], summary["failures"]) == (2, 2, [])
    assert summary["unread"] == 0
    guess = pd.read_csv(tmp_path / "f.csv").set_index("report_id").loc["a"]
    assert (guess["engine"], guess["phrase"], guess["verbatim"]) == ("llama", "likely", "I would guess")


@pytest.mark.parametrize(("failing", "n"), [("", 0), ("a", 1), ("ab", 2)])
def test_an_extraction_tells_what_the_llama_was_asked_and_could_not_read(
    command: Callable[..., Any],
    tmp_path: Path,
    rules: Any,
    llama: Any,
    monkeypatch: pytest.MonkeyPatch,
    failing: str,
    n: int,
) -> None:
    llama.failing = lambda report_id: report_id in failing
    heart = "The heart is enlarged.\n"
    (tmp_path / "r.csv").write_text(f"report_id,text\na,{heart}b,{heart}c,No pneumothorax.\n", encoding="utf-8")
    made = Cascade(rules, llama)
    monkeypatch.setattr("radcal.cli.findings.make_engine", lambda *_: made)
    summary = command("extract", tmp_path / "r.csv", "--out", tmp_path / "f.csv", settings=Settings(engine="cascade"))
    assert (summary["reports"], summary["failures"], summary["second_asked"], summary["unread"]) == (3, [], 2, n)
    assert [f["reason"] for f in summary["second_failures"]] == ["it took too long"] * n
    assert "The Llama was asked about 2 reports" in summary["text"]
    assert summary["text"].count("it took too long") == n
    assert ("as the rules read" in summary["text"]) == bool(n)


def test_a_cascade_takes_a_model_and_says_if_it_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.gguf"):
        make_engine("cascade", str(tmp_path / "nowhere.gguf"))
    one, other = (make_engine("cascade"), make_engine("llama"))
    assert one.settings_hash not in (other.settings_hash, make_engine().settings_hash)
