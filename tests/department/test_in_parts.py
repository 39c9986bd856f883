"""Long work in parts: what is computed a part at a time is what was computed at once, with few texts in memory."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from radcal.advice import analysis as analysis_module
from radcal.advice.analysis import by_authors
from radcal.calibration import matched_pairs
from radcal.calibration.matched_pairs import match_pairs
from radcal.calibration.matching import added_up
from radcal.department import Department
from radcal.findings import runs as reading
from radcal.reports.exams import projection
from radcal.system.errors import Cancelled
from radcal.system.files import record_to_plain
from radcal.system.selection import Days
from radcal.workspace.records import PAIRED


def whole(department: Department, first: int | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Observations and counts of all pairs, or of the first ones, matched at once."""
    workspace, settings = department._workspace, department.settings
    pairs = workspace.pairs()[:first]
    return match_pairs(workspace, department.runs.on_show(), pairs, settings, department.lexicon.phrases)


@pytest.mark.parametrize(("at_once", "pairs"), [(1, 24), (7, 80), (79, 80)])
def test_pairs_matched_in_parts_give_what_they_give_at_once(
    shown: Department, monkeypatch: pytest.MonkeyPatch, at_once: int, pairs: int
) -> None:
    observations, counts = whole(shown, pairs)
    monkeypatch.setattr(matched_pairs, "_PAIRS", at_once)
    in_parts, counted = whole(shown, pairs)
    assert_frame_equal(in_parts, observations)
    assert_frame_equal(counted, counts)
    assert len(observations) > 2.5 * pairs


def test_counts_of_parts_add_up_in_any_order(shown: Department) -> None:
    _, counts = whole(shown)
    parts = [counts.iloc[k::3] for k in (2, 0, 1)]
    assert_frame_equal(added_up(parts), counts)
    assert_frame_equal(added_up([counts, counts]), counts.assign(n=2 * counts["n"]))


@pytest.mark.parametrize("few", [1, 5000])
def test_the_observations_of_an_analysis_are_those_of_all_pairs_in_their_order(
    analysed: Department, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    observations, counts = whole(analysed)
    monkeypatch.setattr(analysis_module, "_FEW", few)  # radiologists one by one, or together
    analysed.save_settings(analysed.settings.changed(min_phrase_n=9))
    analysed.analyse()
    stored = analysed._workspace.observations()
    assert stored is not None
    assert_frame_equal(stored.drop(columns="patient"), observations, check_dtype=False)
    patients = stored["xray_id"].map(analysed._workspace.pairs().set_index("xray_id")["patient_id"])
    assert pd.factorize(stored["patient"])[0].tolist() == pd.factorize(patients)[0].tolist()
    analysis = analysed.analysis()
    assert analysis is not None
    assert sorted(analysis.counts) == sorted(counts.itertuples(index=False, name=None))


@pytest.mark.parametrize("few", [1, 20, 5000])
def test_an_analysis_starts_from_the_counts_of_all_observations(
    shown: Department, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    observations, _ = whole(shown)
    monkeypatch.setattr(analysis_module, "_FEW", few)
    pairs = shown._workspace.pairs()
    first = pairs["xray_time"].median().date()
    matched = shown._analyser.match(shown.runs.current(), by_authors(pairs), days=Days(first))
    observations["within"] = observations["xray_time"] >= pd.Timestamp(first)
    exams = shown._workspace.reports().set_index("report_id")
    where = [f"{exams['site'][i]}|{projection(exams['exam'][i])}" for i in observations["xray_id"]]
    alike = ["author", "topic", "phrase", "outcome", "within", "stratum"]
    observations["patient"] = observations["xray_id"].map(pairs.set_index("xray_id")["patient_id"])
    found, expected = (part.groupby(alike) for part in (matched.entered, observations.assign(stratum=where)))
    assert_frame_equal(found["n"].sum().reset_index(), expected.size().rename("n").reset_index())
    assert_frame_equal(found["patient"].nunique().reset_index(), expected["patient"].nunique().reset_index())
    assert not matched.entered.duplicated([*alike, "patient"]).any()
    assert set(matched.entered["within"]) == {False, True}
    assert matched.n_read == len(pairs)
    of_author = pairs.groupby("author")["xray_time"]
    assert [(c.author, c.n_pairs, c.unread) for c in matched.coverage] == [
        (a, n, 0) for a, n in of_author.size().items()
    ]
    assert [c.first_exam for c in matched.coverage] == of_author.min().dt.to_pydatetime().tolist()
    assert [c.last_exam for c in matched.coverage] == of_author.max().dt.to_pydatetime().tolist()


def test_the_pairs_of_some_authors_are_those_among_all_in_their_order(shown: Department) -> None:
    pairs = shown._workspace.pairs()
    authors = shown._workspace.pairs_by_author()
    assert authors == pairs.groupby("author").size().to_dict()
    assert list(authors) == sorted(authors)
    some = [*authors][1:3]
    found = shown._workspace.pairs(some)
    assert found.index.is_monotonic_increasing
    assert_frame_equal(found.reset_index(drop=True), pairs[pairs["author"].isin(some)].reset_index(drop=True))
    assert shown._workspace.pairs(["nobody"]).empty


def test_findings_of_few_pairs_are_in_memory(analysed: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    findings = type(analysed._workspace).findings

    def counting(self: Any, run: int, ids: Any = None, columns: Any = None) -> pd.DataFrame:
        asked.append(len(ids))
        return findings(self, run, ids, columns)

    monkeypatch.setattr(type(analysed._workspace), "findings", counting)
    monkeypatch.setattr(matched_pairs, "_PAIRS", 5)
    analysed.save_settings(analysed.settings.changed(min_phrase_n=9))
    analysed.analyse()
    assert max(asked) <= 10
    assert sum(asked) == 2 * len(analysed._workspace.pairs())


def made(department: Department) -> list[str]:
    """The frames of observations that are being made."""
    rows = department._workspace._db.execute("SELECT name FROM frames WHERE name LIKE 'observations being made%'")
    return [str(name) for (name,) in rows]


@pytest.mark.slow
def test_a_stopped_analysis_leaves_the_present_one_and_nothing_else(analysed: Department, onlooker: Any) -> None:
    before, observations = analysed.analysis(), analysed._workspace.observations()
    assert observations is not None
    analysed.save_settings(analysed.settings.changed(min_phrase_n=9))
    for parts in range(1, 4):
        with pytest.raises(Cancelled):
            analysed.analyse(onlooker(looks=parts))
        assert not made(analysed)
    assert analysed.analysis() == before
    kept = analysed._workspace.observations()
    assert kept is not None
    assert_frame_equal(kept, observations)
    analysed.analyse()
    assert not made(analysed)


def test_analysing_again_changes_nothing(analysed: Department) -> None:
    before = json.dumps(record_to_plain(analysed.analysis()), sort_keys=True)
    assert json.dumps(record_to_plain(analysed.analyse()), sort_keys=True) == before


def test_few_texts_are_in_memory_while_reports_are_read(filled: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_TEXTS", 10)
    asked: list[int] = []
    reports = type(filled._workspace).reports

    def counting(self: Any, columns: Any = None, ids: Any = None) -> pd.DataFrame:
        found = reports(self, columns, ids)
        if columns is None or "text" in columns:
            asked.append(len(found))
        return found

    monkeypatch.setattr(type(filled._workspace), "reports", counting)
    filled.runs.extract()
    assert sum(asked) > 100
    assert max(asked) <= 10


def test_counting_the_paired_reports_is_counting_a_list_of_them(filled: Department) -> None:
    workspace, runs = filled._workspace, filled.runs
    run = runs._begin(runs.engine())
    ids = runs.paired_ids()

    def agree() -> None:
        assert workspace.pending(run, PAIRED) == workspace.pending(run, ids)
        assert workspace.count_pending(run, PAIRED) == len(workspace.pending(run, ids))
        assert workspace.read_by(run, PAIRED) == workspace.read_by(run, ids)
        assert workspace.count_findings(run, PAIRED) == workspace.count_findings(run, ids)
        read, failed = workspace.count_read(run, PAIRED)
        assert read == len(workspace.read_by(run, ids))
        assert failed == len(set(workspace.failures(run)["report_id"]) & set(ids))
        assert_frame_equal(workspace.findings(run, PAIRED), workspace.findings(run, ids))

    agree()
    runs.read_reports(ids[:40:3])
    agree()
    runs.extract()
    agree()
    assert not workspace.count_pending(run, PAIRED)
