from __future__ import annotations

import dataclasses
import math

import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from radcal.findings.records import Extraction, Finding
from radcal.findings.storage import save_extractions
from radcal.reports.records import Pairing, Section
from radcal.reports.storage import save_import
from radcal.system.errors import DataError
from radcal.workspace import extractions
from radcal.workspace.columns import ATTRITION_COLUMNS, PAIR_COLUMNS
from radcal.workspace.records import PAIRED
from radcal.workspace.store import Workspace

TEXTS = {"xray:1": "Likely edema.", "ct:1": "No edema.", "xray:2": "Clear.", "xray:3": "Clear.", "ct:3": "Clear."}


@pytest.fixture
def run(ws, make) -> int:
    save_import(ws, make.imp(TEXTS))
    return ws.begin_run("rules", "1.0", "abc")


def test_the_same_engine_version_and_settings_are_the_same_run(ws, run, reopen):
    assert ws.begin_run("rules", "1.0", "abc") == run
    keys = (("rules", "1.0", "abd"), ("rules", "1.1", "abc"), ("llama", "1.0", "abc"))
    others = {ws.begin_run(*key) for key in keys}
    assert len(others | {run}) == 4
    runs = reopen().runs()
    assert runs["engine"].tolist() == ["rules", "rules", "rules", "llama"]
    assert runs[["texts", "failed", "findings"]].to_numpy().sum() == 0
    assert str(runs["begun"].dtype) == "datetime64[ns, UTC]"


def test_each_text_is_pending_once_and_no_more_when_done(ws, run, make):
    everything = list(TEXTS)
    assert ws.pending(run, everything) == ["xray:1", "ct:1", "xray:2", "ct:3"]  # xray:3 is the same text as xray:2
    assert ws.pending(run, ["xray:3", "ct:3", "xray:2", "none"]) == ["xray:3", "ct:3"]
    save_extractions(ws, run, [make.extraction("xray:3", "edema"), make.extraction("ct:1")])
    assert ws.pending(run, everything) == ["xray:1", "ct:3"]
    assert ws.pending(ws.begin_run("rules", "2.0", "abc"), everything) == ["xray:1", "ct:1", "xray:2", "ct:3"]
    save_import(ws, make.imp({"xray:4": "Clear.", "xray:5": "Other."}))
    assert ws.pending(run, ["xray:4", "xray:5"]) == ["xray:5"]
    assert ws.pending(run, []) == []


def test_findings_come_back_whole_and_under_each_report_with_the_text(ws, run, make, reopen):
    spans = {"cue_start": -1, "cue_end": -1}
    readings = {"probability": 0.25, "rules": "present", "second": "not stated"}
    full = make.finding("xray:2", verbatim="é \0", section=Section.FINDINGS, **spans, **readings)
    plain = make.finding("xray:2", "effusion")
    save_extractions(ws, run, [Extraction("xray:2", (full, plain)), make.extraction("xray:1", "opacity")])
    reader = reopen()
    frame = reader.findings(run)
    assert list(frame.columns) == [f.name for f in dataclasses.fields(Finding)]
    assert frame["report_id"].tolist() == ["xray:1", "xray:2", "xray:2", "xray:3", "xray:3"]
    assert [str(t) for t in frame.dtypes] == ["str"] * 6 + ["int64"] * 6 + ["str", "float64"] + ["str"] * 3

    def record(row) -> Finding:
        values = row._asdict()
        values.pop("Index")
        probability = None if math.isnan(values["probability"]) else values["probability"]
        return Finding(**{**values, "section": Section(values["section"]), "probability": probability})

    back = [record(row) for row in frame.itertuples()]
    assert back[1:3] == [full, plain]
    assert back[3:] == [dataclasses.replace(f, report_id="xray:3") for f in (full, plain)]
    assert reader.findings(run, ["xray:3", "ct:1", "xray:1"])["report_id"].tolist() == ["xray:3", "xray:3", "xray:1"]
    assert reader.findings(run, []).empty
    assert list(reader.findings(run, []).dtypes) == list(frame.dtypes)
    reader.close()


def test_failures_are_listed_not_retried_by_themselves_and_cleared_on_request(ws, run, make):
    save_extractions(ws, run, [make.extraction("xray:2", failure="timed out"), make.extraction("xray:1", "edema")])
    assert ws.failures(run).to_dict("list") == {"report_id": ["xray:2", "xray:3"], "failure": ["timed out"] * 2}
    assert ws.pending(run, list(TEXTS)) == ["ct:1", "ct:3"]
    assert ws.runs()[["texts", "failed", "findings"]].to_numpy().tolist() == [[2, 1, 1]]
    ws.retry(run, ["xray:1", "xray:3"])
    assert ws.failures(run).empty
    assert ws.pending(run, list(TEXTS)) == ["ct:1", "xray:2", "ct:3"]
    assert len(ws.findings(run)) == 1
    save_extractions(ws, run, [make.extraction("xray:2", "edema")])
    assert ws.findings(run)["report_id"].tolist() == ["xray:1", "xray:2", "xray:3"]


def test_a_batch_saved_twice_counts_once(ws, run, make):
    batch = [make.extraction("xray:2", "edema", "edema"), make.extraction("xray:3", "opacity")]
    save_extractions(ws, run, batch)
    save_extractions(ws, run, batch)
    assert ws.findings(run, ["xray:3"])["pathology"].tolist() == ["edema", "edema"]
    assert ws.runs()["findings"].tolist() == [2]


def test_a_changed_text_has_no_findings_until_it_is_extracted_again(ws, run, make):
    save_extractions(ws, run, [make.extraction("xray:1", "edema"), make.extraction("xray:2", "opacity")])
    save_import(ws, make.imp({"xray:1": "Now clear.", "xray:2": "Edema."}))
    assert ws.findings(run)["report_id"].tolist() == ["xray:3"]  # which still has the old text of xray:2
    assert ws.pending(run, list(TEXTS)) == ["xray:1", "ct:1", "xray:2", "ct:3"]
    assert ws._db.execute("SELECT count(*) FROM extractions")[0] == (1,)
    assert ws._db.execute("SELECT count(*) FROM findings")[0] == (1,)


def test_a_batch_with_a_mistake_is_refused_whole(ws, run, make):
    good = make.extraction("xray:1", "edema")
    for bad, message in (
        (make.extraction("none"), "Report none is not in the workspace"),
        (Extraction("ct:1", (make.finding("xray:1"),)), "Report ct:1 has a finding of report xray:1"),
        (Extraction("ct:1", (make.finding("ct:1", start=None),)), "does not take these values"),
    ):
        with pytest.raises(DataError, match=message):
            save_extractions(ws, run, [good, bad])
        assert ws.findings(run).empty
        assert ws.pending(run, ["xray:1"]) == ["xray:1"]


def test_unknown_runs_are_refused(ws, run):
    for ask in (lambda: ws.run_of(99), lambda: save_extractions(ws, 99, [])):
        with pytest.raises(DataError, match="no extraction run 99"):
            ask()


class Runs(RuleBasedStateMachine):
    """Random sequences of imports, batches, retries and reopening, compared with a model of dictionaries."""

    reports = Bundle("reports")

    @initialize()
    def start(self) -> None:
        import tempfile
        from pathlib import Path

        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "w"
        self.ws = Workspace.create(self.path, "p")
        self.runs = [self.ws.begin_run("rules", v, "h") for v in "12"]
        self.texts: dict[str, str] = {}
        self.done: dict[tuple[int, str], tuple[list[str], str]] = {}

    @rule(target=reports, name=st.sampled_from("abcdef"), text=st.sampled_from("uvwxyz"))
    def save(self, name, text):
        save_import(self.ws, self.make.imp({name: text}, modality="xray"))
        self.texts[name] = text
        self.done = {key: value for key, value in self.done.items() if key[1] in self.texts.values()}
        return name

    @rule(
        name=reports, run=st.integers(0, 1), found=st.lists(st.sampled_from(["edema", "opacity"])), failed=st.booleans()
    )
    def extract(self, name, run, found, failed):
        made = self.make.extraction(name, failure="why") if failed else self.make.extraction(name, *found)
        save_extractions(self.ws, self.runs[run], [made])
        self.done.setdefault((run, self.texts[name]), ([], "why") if failed else (found, ""))

    @rule(name=consumes(reports), run=st.integers(0, 1))
    def retry(self, name, run):
        self.ws.retry(self.runs[run], [name])
        if self.done.get((run, self.texts[name]), ([], ""))[1]:
            del self.done[run, self.texts[name]]

    @rule()
    def reopen(self):
        self.ws.close()
        self.ws = Workspace.open(self.path, "p")

    @invariant()
    def same_as_the_model(self):
        for i, run in enumerate(self.runs):
            expected = [(n, p) for n, t in self.texts.items() for p in self.done.get((i, t), ([], ""))[0]]
            frame = self.ws.findings(run)
            assert list(zip(frame["report_id"], frame["pathology"], strict=True)) == expected
            failed = [n for n, t in self.texts.items() if self.done.get((i, t), ([], ""))[1]]
            assert self.ws.failures(run)["report_id"].tolist() == failed
            seen: set[str] = set()
            todo = [n for n, t in self.texts.items() if (i, t) not in self.done and not (t in seen or seen.add(t))]
            assert self.ws.pending(run, self.texts) == todo

    def teardown(self):
        if hasattr(self, "ws"):
            self.ws.close()
            assert Workspace.check(self.path, "p") == ()
            self.folder.cleanup()


@pytest.mark.slow
def test_any_sequence_of_steps_agrees_with_a_model(make):
    from hypothesis.stateful import run_state_machine_as_test

    machine = type("Runs", (Runs,), {"make": make})
    run_state_machine_as_test(machine, settings=settings(deadline=None, max_examples=12, stateful_step_count=15))


def test_what_was_read_and_how_often_is_counted_by_report_not_by_text(ws, run, make):
    """xray:2 and xray:3 are two reports with one text."""
    plain = make.finding("xray:2", "mass", phrase="absent", verbatim="")
    save_extractions(
        ws,
        run,
        [
            make.extraction("xray:1", "edema", "mass"),
            Extraction("xray:2", (plain,)),
            make.extraction("ct:1", failure="the engine gave up"),
        ],
    )
    everything = list(TEXTS)
    assert ws.read_by(run, everything) == {"xray:1", "xray:2", "xray:3"}
    assert ws.read_by(run, ["ct:1", "xray:3"]) == {"xray:3"}
    assert ws.count_findings(run, everything) == [("absent", "", 2), ("likely", "likely", 2)]
    assert ws.count_findings(run, ["xray:2", "ct:3"]) == [("absent", "", 1)]


def test_hedges_of_the_paired_x_rays_are_counted_by_author_and_day(ws, run, make):
    """A pair's CT is not counted, an X-ray of two pairs once, one without a pair not at all."""
    save_extractions(ws, run, [make.extraction("xray:1", "edema", "mass"), make.extraction("ct:1", "edema")])
    plain = make.finding("xray:2", "mass", phrase="absent", verbatim="")
    save_extractions(ws, run, [Extraction("xray:2", (plain, make.finding("xray:2", "edema")))])
    when = pd.Timestamp("2026-03-02 23:59")
    rows = [
        (xray, ct, "P", "Avery", when, when, 1.0)
        for xray, ct in (("xray:1", "ct:1"), ("xray:1", "ct:3"), ("xray:2", "ct:3"))
    ]
    pairs = pd.DataFrame(rows, columns=list(PAIR_COLUMNS))
    for column in ("xray_time", "ct_time"):
        pairs[column] = pairs[column].astype("datetime64[ns]")
    make.save_pairs(ws, Pairing(pairs, pd.DataFrame(columns=list(ATTRITION_COLUMNS))))
    [said] = ws.xray_wordings(run).to_dict("records")
    assert said == {
        "author": "Avery",
        "day": pd.Timestamp("2026-03-02"),
        "phrase": "likely",
        "verbatim": "likely",
        "n": 3,
    }
    assert ws.xray_wordings(run, "Avery").to_dict("records") == [said]
    assert ws.xray_wordings(run, "Brook").empty


def test_what_two_runs_have_read_of_the_pairs_is_counted_and_found_by_its_place(ws, run, make, monkeypatch):
    make.save_pairs(ws, make.pairing([("xray:1", "ct:1"), ("xray:3", "ct:3")]))
    one, other = run, ws.begin_run("llama", "1", "")
    texts = ["xray:1", "ct:1", "xray:2", "ct:3"]  # xray:2, in no pair, has the text of xray:3
    save_extractions(ws, one, [make.extraction(i, "edema") for i in texts])
    assert ws.count_read_by_both(one, other) == 0
    save_extractions(ws, other, [make.extraction("ct:1"), make.extraction("xray:2"), make.extraction("xray:1", "mass")])
    save_extractions(ws, other, [Extraction("ct:3", (), "timed out")])
    both = sorted(ws.read_by(one, PAIRED) & ws.read_by(other, PAIRED))
    assert ws.count_read_by_both(one, other) == len(both)
    assert ws.read_by_both(one, other, [*range(len(both))][::-1]) == both[::-1]
    assert ws.failures(other)["report_id"].tolist() == ws.failures(other, PAIRED)["report_id"].tolist()
    assert ws.failures(other, ["xray:1"]).empty
    counted = ws.count_findings(one, PAIRED), ws.runs().to_dict("list")
    monkeypatch.setattr(extractions, "_GROUPED", 1)
    assert (ws.count_findings(one, PAIRED), ws.runs().to_dict("list")) == counted
    assert sum(counted[1]["texts"]) == 8
    assert ws.xrays_of_pairs(["ct:1", "xray:2", "xray:3"]) == {"xray:3"}


def test_a_few_columns_of_the_findings_are_those_of_all(ws, run, make):
    save_extractions(ws, run, [make.extraction("xray:1", "edema", "mass"), make.extraction("ct:1", "edema")])
    columns = ["pathology", "end", "report_id", "section"]
    few = ws.findings(run, ["ct:1", "xray:1"], columns)
    pd.testing.assert_frame_equal(few, ws.findings(run, ["ct:1", "xray:1"])[columns])
    with pytest.raises(KeyError):
        ws.findings(run, columns=["colour"])
