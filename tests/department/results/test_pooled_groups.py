"""All pathologies of a radiologist, and all radiologists on a pathology, in an analysis and within days."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.advice.stored_analysis import Analysis
from radcal.calibration.pooled import measure_pooled
from radcal.calibration.records import ALL_AUTHORS, Reliability, pool_of
from radcal.calibration.repeats import design_effects
from radcal.calibration.tables import build_tables
from radcal.department import Department
from radcal.opening import open_workspace
from radcal.system.errors import DataError
from radcal.system.files import plain_to_record
from radcal.system.selection import Days, Selection
from radcal.system.settings import ALL_TOPICS
from radcal.workspace.context import ANALYSIS, ANALYSIS_KEY, CURRENT
from ui.operations import opened_results

TOPIC = "pleural effusion"
Plain = Callable[[Reliability], dict[str, Any]]


@pytest.fixture(params=["author", "topic"])
def pooled(request: pytest.FixtureRequest, anyone: str) -> Selection:
    return Selection(anyone, ALL_TOPICS) if request.param == "author" else Selection(ALL_AUTHORS, TOPIC)


def of(everything: pd.DataFrame, chosen: Selection) -> pd.DataFrame:
    """The observations of a pooled selection, as they are stored."""
    if chosen.topic == ALL_TOPICS:
        found = everything[everything["author"] == chosen.author]
    else:
        found = everything[everything["topic"] == chosen.topic]
    days = found["xray_time"].dt.date
    if chosen.days.first is not None:
        found = found[days >= chosen.days.first]
    if chosen.days.last is not None:
        found = found[days <= chosen.days.last]
    return found


def test_an_analysis_has_them_beside_the_single_groups(shown: Department, everything: pd.DataFrame) -> None:
    analysis = shown.analysis()
    single = {(r.author, r.topic) for r in analysis.reliabilities}
    assert all(pool_of(*group) is None for group in single)
    expected = {(author, ALL_TOPICS) for author, _ in single} | {(ALL_AUTHORS, topic) for _, topic in single}
    assert {(r.author, r.topic) for r in analysis.pooled} == expected
    assert {(a.author, a.topic) for a in analysis.pooled_advices} == expected
    for by in ("author", "topic"):
        assert sum(r.n for r in analysis.pooled if pool_of(r.author, r.topic) == by) == len(everything)
    assert any(part.probability for r in analysis.pooled for part in r.parts)
    assert shown.authors() == tuple(sorted({author for author, _ in single}))


def test_without_dates_it_is_the_analysis_and_within_them_that_of_these_days(
    shown: Department, everything: pd.DataFrame, pooled: Selection, plain: Plain
) -> None:
    (stored,) = (r for r in shown.analysis().pooled if (r.author, r.topic) == (pooled.author, pooled.topic))
    assert plain(shown.groups.reliability(pooled)) == plain(stored)
    middle = of(everything, pooled)["xray_time"].median().date()
    days = of(everything, pooled)["xray_time"].dt.date
    first, last = days.min(), days.max()
    for limits in (Days(middle, None), Days(None, middle), Days(first, last)):
        chosen = replace(pooled, days=limits)
        part = of(everything, chosen)
        by = pool_of(pooled.author, pooled.topic)
        assert by is not None
        tables = build_tables(part, shown.phrases(), mixes=shown.analysis().mixes)
        (expected,) = measure_pooled(tables, shown.phrases(), shown.settings, by, spread=shown.analysis().spread)
        found = shown.groups.reliability(chosen)
        assert plain(found) == plain(replace(expected, q_value_star=None, q_value_word=None))
        assert found.n == sum(p.n for p in found.parts) == len(part)


def test_single_and_pooled_can_be_asked_for_together(shown: Department, anyone: str, plain: Plain) -> None:
    days = Days(None, shown.groups.evidence(Selection(anyone, TOPIC))["xray_time"].max().date())
    asked = [
        Selection(anyone, ALL_TOPICS, days),
        Selection(anyone, TOPIC, days),
        Selection(ALL_AUTHORS, TOPIC, days),
        Selection(anyone, TOPIC),
    ]
    for one, found in zip(asked[:3], shown.groups.reliabilities(asked[:3]), strict=True):
        assert (found.author, found.topic) == (one.author, one.topic)
        assert found.n == shown.groups.reliability(one).n
    never = Selection(anyone, ALL_TOPICS, Days(None, pd.Timestamp(1990, 1, 1).date()))
    assert (shown.groups.reliability(never).n, shown.groups.reliability(never).parts) == (0, ())


def test_statements_evidence_and_words_are_those_of_all_parts(
    shown: Department, everything: pd.DataFrame, pooled: Selection
) -> None:
    part = of(everything, pooled)
    assert len(shown.groups.statements(pooled)) == len(part)
    found = shown.groups.evidence(pooled)
    key = ["author", "topic", "xray_id"]
    assert Counter(found[key].itertuples(index=False, name=None)) == Counter(
        part[key].itertuples(index=False, name=None)
    )
    assert found["xray_time"].is_monotonic_decreasing
    likely = shown.groups.evidence(pooled, ("likely",))
    assert set(likely["phrase"]) == {"likely"}
    assert len(likely) == (part["phrase"] == "likely").sum()
    assert shown.groups.evidence(pooled, ("no such word",)).empty
    said = Counter(part["phrase"])
    assert all(w.n == said[w.phrase] for w in shown.groups.words_at(pooled, 0.99))
    parts = shown.groups.parts(pooled)
    assert {(p.author, p.topic) for p in parts} == set(part[["author", "topic"]].itertuples(index=False, name=None))
    with pytest.raises(DataError, match="no statement"):
        shown.groups.statements(Selection("nobody", ALL_TOPICS))
    with pytest.raises(DataError, match="no statement"):
        shown.groups.evidence(Selection(ALL_AUTHORS, "no such pathology"))


def test_advice_can_be_tried_on_them(shown: Department, pooled: Selection) -> None:
    view = shown.alternatives.advice(pooled)
    assert (view.advice.author, view.advice.topic) == (pooled.author, pooled.topic)
    assert view.before.n == view.advice.n == shown.groups.reliability(pooled).n


def test_what_no_ct_decided_on_adds_up(shown: Department, pooled: Selection) -> None:
    whole = shown.verification.of(pooled)
    parts = [shown.verification.of(part) for part in shown.groups.parts(pooled)]
    for name in ("said", "judged", "positives"):
        added: Counter[str] = Counter()
        for r in (r for part in parts for r in part.rates):
            added[r.phrase] += getattr(r, name)
        assert {r.phrase: getattr(r, name) for r in whole.rates} == pytest.approx(dict(added))
    if pooled.topic == ALL_TOPICS:
        assert {part.n_reports for part in parts} == {whole.n_reports}
    else:
        assert sum(part.n_reports for part in parts) == whole.n_reports


@pytest.mark.slow
def test_an_author_has_all_pathologies_but_not_all_authors(analysed: Department, everything: pd.DataFrame) -> None:
    author = analysed.authors()[0]
    for days in (Days(), Days(everything["xray_time"].median().date(), None)):
        found = analysed.author_results.analysis(author, days)
        assert [(r.author, r.topic) for r in found.pooled] == [(author, ALL_TOPICS)]
        assert [(a.author, a.topic) for a in found.pooled_advices] == [(author, ALL_TOPICS)]
        assert found.pooled[0].n == sum(r.n for r in found.reliabilities)
        data = analysed.pages.input(author, days)
        assert data.pooled is not None
        assert data.pooled_advice is not None
        assert data.pooled.n == found.pooled[0].n
    nothing = analysed.author_results.analysis(author, Days(None, pd.Timestamp(1990, 1, 1).date()))
    assert (nothing.pooled, nothing.pooled_advices) == ((), ())


def test_a_personal_file_has_its_own_alone(analysed: Department, tmp_path: Any) -> None:
    author = analysed.authors()[0]
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    with open_workspace(path, "own words of hers") as personal:
        opened = opened_results(personal, personal.analysis())
        assert {(g.author, g.topic) for g in opened.pooled} == {(author, ALL_TOPICS)}
        chosen = Selection(author, ALL_TOPICS)
        assert len(personal.groups.evidence(chosen)) == personal.groups.reliability(chosen).n


def test_an_analysis_of_an_earlier_radcal_opens_without_them(analysed: Department, plain: Plain) -> None:
    stored = analysed._workspace.load_result(ANALYSIS, CURRENT)
    earlier = {name: value for name, value in stored.items() if not name.startswith("pooled")}
    read = plain_to_record(earlier, Analysis)
    assert (read.pooled, read.pooled_advices) == ((), ())
    assert [plain(r) for r in read.reliabilities] == [plain(r) for r in analysed.analysis().reliabilities]
    opened = opened_results(analysed, read)
    assert opened.pooled == {}
    assert opened.groups
    analysed._workspace.save_result(ANALYSIS, CURRENT, earlier, {})
    analysed._workspace.set_meta(ANALYSIS_KEY, "another")
    author = analysed.authors()[0]
    made = analysed.groups.reliability(Selection(author, ALL_TOPICS))  # measured where it is asked for
    assert made.n == sum(r.n for r in analysed.analysis().reliabilities if r.author == author)


def test_verdicts_of_before_the_departments_model_are_open(analysed: Department) -> None:
    stored = analysed._workspace.load_result(ANALYSIS, CURRENT) | {"spread": None}
    earlier = json.loads(re.sub('"verdict": "[a-z ]+"', '"verdict": "agrees"', json.dumps(stored)))
    analysed._workspace.save_result(ANALYSIS, CURRENT, earlier, {})
    analysed._workspace.set_meta(ANALYSIS_KEY, "another")
    assert {p.verdict for r in analysed.analysis().reliabilities for p in r.phrases} == {"undecided"}


def test_findings_of_one_patient_go_together_in_everything_made_of_them(
    analysed: Department, everything: pd.DataFrame, ask: Any
) -> None:
    reports = analysed._workspace.reports(("report_id", "patient_id"))
    named = everything.merge(reports, left_on="xray_id", right_on="report_id")
    assert len(named) == len(everything)
    pairs = named[["patient", "patient_id"]].drop_duplicates()
    assert len(pairs) == named["patient"].nunique() == named["patient_id"].nunique()
    (anyone, *_) = analysed.authors()
    rows = named[named["author"] == anyone].assign(topic=ALL_TOPICS, patient=named["patient_id"])
    expected = design_effects(build_tables(rows, analysed.phrases()))
    assert expected.max() > 1.05
    np.testing.assert_array_equal(design_effects(analysed.groups.tables(ask(anyone, ALL_TOPICS))), expected)
