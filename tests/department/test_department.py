"""Extraction goes on where it was, loses nothing, and what was not read is left out and told."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pandas as pd
import pytest

from radcal import department as module
from radcal.advice import analysis as making
from radcal.advice.stored_analysis import Analysis
from radcal.findings import engines
from radcal.findings import runs as extracting
from radcal.findings.engines import make_engine
from radcal.opening import open_department, sample_department
from radcal.reports.importing import as_files
from radcal.system.errors import Cancelled, DataError, EngineError, InputError
from radcal.system.files import record_to_plain
from radcal.system.settings import Settings
from radcal.workspace.store import Workspace

UNREAD = "pairs left out because one of their reports could not be read"


def _plain(analysis: Analysis, *, dated: bool = True) -> str:
    plain = record_to_plain(analysis)
    if not dated:
        del plain["provenance"]["created"]
    return json.dumps(plain, sort_keys=True)


def test_every_paired_report_is_extracted_once(filled, spy, onlooker):
    bar = onlooker()
    summary = filled.runs.extract(progress=bar)
    assert summary.n_reports == summary.n_done == len(spy.asked) == len(set(spy.asked)) == 160
    assert (bar.done, bar.total) == (160, 160)
    assert filled.runs.extract() == summary
    assert len(spy.asked) == 160


def test_only_new_reports_are_extracted_when_more_come(department, small, make, spy, tmp_path):
    rows = make.read(small.xray)
    department.importing.import_reports(
        as_files(xray=[make.write(tmp_path / "1.csv", rows[: len(rows) // 2])], ct=[small.ct])
    )
    department.importing.pair()
    first = department.runs.extract().n_reports
    assert 0 < first == len(spy.asked) < 160
    department.importing.import_reports(as_files(xray=[make.write(tmp_path / "2.csv", rows[len(rows) // 2 :])]))
    department.importing.pair()
    summary = department.runs.extract()
    # An addendum in the second file changes a report of the first: that one is new.
    assert summary.n_done == summary.n_reports == 160
    assert len(spy.asked) - len(set(spy.asked)) <= len(spy.asked) - 160 <= 3


def test_another_version_of_the_engine_reads_everything_anew(filled, spy):
    filled.runs.extract()
    spy.version = "spy 2"
    filled.runs.extract()
    assert len(spy.asked) == 320


def test_what_was_extracted_before_a_stop_is_kept_to_the_last_report(filled, spy, onlooker):
    with pytest.raises(Cancelled):
        filled.runs.extract(progress=onlooker(parts=37))
    assert filled.runs.extract().n_done == 160
    assert len(spy.asked) == len(set(spy.asked)) == 160


@pytest.mark.parametrize("batch", [7, 1000])
def test_an_engine_that_breaks_in_the_middle_loses_nothing_and_quotes_nothing(filled, spy, monkeypatch, batch):
    monkeypatch.setattr(extracting, "_BATCH", batch)
    spy.raising = lambda report_id: len(spy.asked) == 51
    with pytest.raises(
        EngineError, match=r"'rules' failed \(ValueError in conftest\.py, line \d+\) after 50 reports"
    ) as e:
        filled.runs.extract()
    assert e.value.__suppress_context__
    assert "parse" not in str(e.value)
    broken = spy.asked[-1]
    spy.raising = lambda report_id: False
    assert filled.runs.extract().n_done == 160
    assert [i for i in spy.asked if spy.asked.count(i) > 1] == [broken, broken]


def test_findings_are_committed_at_least_every_few_seconds(filled, spy, monkeypatch):
    monkeypatch.setattr(extracting, "_BATCH_SECONDS", 0.0)
    saved: list[int] = []
    save = extracting.save_extractions
    monkeypatch.setattr(
        extracting, "save_extractions", lambda ws, run, batch: (saved.append(len(batch)), save(ws, run, batch))
    )
    filled.runs.extract()
    assert max(saved) == 1
    assert sum(saved) == 160


def _doomed(report_id: str) -> bool:
    return int(report_id[-5:]) % 10 == 3


@pytest.mark.slow
def test_pairs_with_an_unread_report_are_left_out_and_counted(filled, spy):
    spy.failing = _doomed
    summary = filled.runs.extract()
    pairs = filled._workspace.pairs()
    unread = pairs["xray_id"].map(_doomed) | pairs["ct_id"].map(_doomed)
    assert 5 < unread.sum() < 40
    failed = filled.runs.failures()
    assert summary.n_failed == len(failed) == sum(_doomed(i) for i in [*pairs["xray_id"], *pairs["ct_id"]])
    assert {f.reason for f in failed} == {"it took too long"}
    assert summary.n_done == 160

    analysis = filled.analyse()
    observed = filled._workspace.observations()
    assert not observed["xray_id"].isin(pairs.loc[unread, "xray_id"]).any()
    assert not observed["ct_id"].isin(pairs.loc[unread, "ct_id"]).any()
    assert set(observed["xray_id"]) == set(pairs.loc[~unread, "xray_id"])
    assert analysis.provenance.n_pairs == (~unread).sum()
    assert {p.author: (p.n_pairs, p.unread) for p in analysis.pairs} == {
        author: (int((~mine).sum()), int(mine.sum())) for author, mine in unread.groupby(pairs["author"])
    }
    for data in filled.pages.inputs():
        mine = unread[pairs["author"] == data.author]
        assert data.counts[UNREAD] == mine.sum()
        assert data.provenance.n_pairs == (~mine).sum()


@pytest.mark.slow
def test_reports_that_are_still_to_be_read_are_no_silent_reports(filled, spy, onlooker):
    with pytest.raises(Cancelled):
        filled.runs.extract(progress=onlooker(parts=100))
    analysis = filled.analyse()
    done = set(spy.asked)
    pairs = filled._workspace.pairs()
    assert analysis.provenance.n_pairs == (pairs["xray_id"].isin(done) & pairs["ct_id"].isin(done)).sum()
    assert sum(p.unread for p in analysis.pairs) == 80 - analysis.provenance.n_pairs > 0
    filled.runs.extract()
    assert filled.analyse().provenance.n_pairs == 80


def test_an_analysis_without_any_read_pair_says_so(filled, spy):
    spy.failing = lambda report_id: True
    filled.runs.extract()
    with pytest.raises(DataError, match="No pair of an X-ray report"):
        filled.analyse()
    assert filled.analysis() is None


@pytest.mark.slow
def test_an_analysis_is_made_again_only_when_something_changed(analysed, make, tmp_path, monkeypatch):
    first = analysed.analysis()
    assert analysed.analysis() is first
    monkeypatch.setattr("radcal.advice.analysis.measure", lambda *_: pytest.fail("measured again"))
    assert analysed.analyse() is first
    monkeypatch.undo()
    analysed.save_settings(make.settings.changed(seed=1))
    assert analysed.analyse() is not first
    analysed.save_settings(make.settings)
    assert _plain(analysed.analyse(), dated=False) == _plain(first, dated=False)


@pytest.mark.slow
def test_an_analysis_is_made_again_under_other_packages_and_for_other_pairs(analysed, monkeypatch):
    """Though no observation has changed."""
    first = analysed.analysis()
    with monkeypatch.context() as patch:
        patch.setattr(making, "versions", lambda: {"numpy": "99"})
        newer = analysed.analyse()
        assert newer is not first
        assert newer.provenance.versions == {"numpy": "99"}
        assert analysed.analyse() is newer
    assert _plain(analysed.analyse(), dated=False) == _plain(first, dated=False)
    pairs = tuple(replace(p, n_pairs=p.n_pairs + 1) for p in first.pairs)
    monkeypatch.setattr(making, "coverage", lambda *_: pairs)
    assert analysed.analyse().pairs == pairs


def test_the_analysis_is_there_for_whoever_opens_the_workspace_later(analysed, make, ask):
    first = analysed.analysis()
    with open_department(analysed.path, make.passphrase, read_only=True) as reader:
        assert _plain(reader.analysis()) == _plain(first)
        assert reader.authors() == analysed.authors()
        assert reader.pseudonyms() == analysed.pseudonyms()
        author, topic = first.reliabilities[0].author, first.reliabilities[0].topic
        asked = ask(author, topic)
        pd.testing.assert_frame_equal(reader.groups.evidence(asked), analysed.groups.evidence(asked))
        assert reader.title == "new"


def test_later_imports_leave_the_last_analysis_whole(analysed, make, small, tmp_path):
    """Until it is made anew, also where an author's reports have gone meanwhile."""
    before = [(d.author, d.provenance) for d in analysed.pages.inputs()]
    author = before[0][0]
    rows = [r | {"Report Text": "Other text."} for r in make.read(small.xray) if r["Signing Radiologist"] == author]
    analysed.importing.import_reports(as_files(xray=[make.write(tmp_path / "other.csv", rows)]))
    analysed.importing.pair()
    assert author not in analysed._workspace.pairs_by_author()
    assert [(d.author, d.provenance) for d in analysed.pages.inputs()] == before
    assert analysed.pages.write(author, tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        (lambda d: d.importing.pair(), "no reports yet"),
        (lambda d: d.authors(), "no analysis yet"),
        (lambda d: d.pseudonyms(), "no analysis yet"),
        (lambda d: d.groups.all_statements(), "no analysis yet"),
        (lambda d: d.pages.input("A"), "no analysis yet"),
        (lambda d: list(d.pages.inputs()), "no analysis yet"),
        (lambda d: d.analyse(), "No pair of an X-ray report"),
    ],
)
def test_steps_out_of_turn_say_what_is_missing(department, ask: Callable[[module.Department], object], shown):
    with pytest.raises(DataError, match=shown):
        ask(department)
    assert department.analysis() is None


def test_an_unknown_author_is_told_who_there_is(analysed):
    with pytest.raises(InputError, match=r"no radiologist 'Nobody'.*Quillfeather, Avery"):
        analysed.pages.input("Nobody")


def test_the_seed_of_pseudonyms_can_be_given(tmp_path, analysed, monkeypatch):
    given = []
    monkeypatch.setattr("radcal.workspace.store.secrets.randbits", lambda _: 6)  # as it might be drawn
    for name in "abc":
        seed = None if name == "c" else 5
        with open_department(tmp_path / name, "plum tree in blossom", create=True, pseudonym_seed=seed) as department:
            monkeypatch.setattr(department._stored, "last", analysed.analysis)
            given.append(department.pseudonyms())
    assert given[0] == given[1] != given[2]


def test_unknown_engines_are_refused():
    with pytest.raises(InputError, match=r"no extraction engine 'nothing'\. Known: rules, llama"):
        make_engine("nothing")


def test_what_is_known_of_an_engine_is_of_this_very_version(monkeypatch, tmp_path):
    engine = make_engine()
    file = tmp_path / "accuracy.json"
    entry = {"engine": "rules", "version": engine.version, "settings_hash": engine.settings_hash}
    entry |= {"f1": 0.9, "low": 0.85, "high": 0.94, "reports": 40, "earlier": False}
    monkeypatch.setattr(engines, "resource", lambda *_: file)
    file.write_text(json.dumps([entry]), encoding="utf-8")
    assert engines.extraction_accuracy(engine) == "F1 0.90 (0.85\u20130.94) on 40 made-up reports, unseen before"
    file.write_text(json.dumps([entry | {"version": "0"}]), encoding="utf-8")
    assert engines.extraction_accuracy(engine) == ""


@pytest.mark.slow
def test_the_shipped_sample_opens_analysed_and_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    quick = Settings(bootstrap=20)
    monkeypatch.setattr("radcal.workspace.store._settings_in", lambda _text: quick)
    department = sample_department()
    with department:
        assert len(list(tmp_path.iterdir())) == 1
        assert len(department.authors()) == 3
        assert department.title == "Sample department"
        analysis = department.analysis()
        assert sum(not r.reason for r in analysis.reliabilities) >= 3
    department.close()
    assert list(tmp_path.iterdir()) == []


def test_samples_of_programs_that_were_killed_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    in_use, killed, begun = (tmp_path / f"radcal-sample-{name}" for name in ("in-use", "killed", "begun"))
    old = tmp_path / "radcal-sample-begun-long-ago"
    for folder in (in_use, killed, begun, old):
        folder.mkdir()
    os.utime(old, (0, 0))
    elsewhere = tmp_path / "kept"
    Workspace.create(killed / "sample.radcal", "a passphrase").close()
    shutil.copytree(killed, elsewhere)
    (tmp_path / "radcal-sample-link").symlink_to(elsewhere)
    first = "radcal.reports.importing.Importing.import_reports"
    monkeypatch.setattr(first, Mock(side_effect=Cancelled("Stopped.")))
    with Workspace.create(in_use / "sample.radcal", "a passphrase") as workspace:
        with pytest.raises(Cancelled):
            sample_department()
        assert workspace.path.exists()
    assert {p.name for p in tmp_path.iterdir()} == {"kept", "radcal-sample-link", in_use.name, begun.name}
    assert (elsewhere / "sample.radcal").exists()


@pytest.mark.parametrize("at", ["workspace.store.Workspace.create", "reports.importing.Importing.import_reports"])
def test_a_sample_that_cannot_be_opened_leaves_nothing_behind(monkeypatch, tmp_path, at):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(f"radcal.{at}", Mock(side_effect=Cancelled("Stopped.")))
    with pytest.raises(Cancelled):
        sample_department()
    assert list(tmp_path.iterdir()) == []
