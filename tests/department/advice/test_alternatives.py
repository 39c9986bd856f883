"""Questions about advice, asked of a small department."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from radcal.advice.advice import advise
from radcal.advice.report import to_json
from radcal.reliability.reliability import measure
from radcal.reliability.tables import build_tables
from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.selection import Days, Selection


def _groups(department):
    return [a for a in department.analysis().advices if a.n >= department.settings.min_group_n]


def _select(group):
    return Selection(group.author, group.topic)


def test_checked_answers_are_those_of_the_analysis(analysed):
    groups = _groups(analysed)
    assert groups
    for stored in groups:
        view = analysed.alternatives.advice(_select(stored))
        assert to_json([view.advice]) == to_json([stored])
        assert view.before is next(
            r for r in analysed.analysis().reliabilities if (r.author, r.topic) == (stored.author, stored.topic)
        )
        if not view.advice.recommendations:
            assert view.after is view.before
            np.testing.assert_array_equal(view.plan, np.eye(len(view.phrases)))


@pytest.mark.parametrize("pooling", ["topics", "both"])
def test_rates_that_borrow_strength_are_those_of_an_analysis_with_that_setting(analysed, pooling):
    """The quick answer, that of a date range holding all days, and the slow path over the whole department."""
    groups = _groups(analysed)
    statements = analysed.groups.all_statements()
    tables = build_tables(statements[["author", "topic", "phrase", "outcome"]], analysed.lexicon.phrases)
    settings = analysed.settings.changed(pooling=pooling)
    slow = {
        (a.author, a.topic): a
        for a in advise(tables, analysed.analysis().reliabilities, analysed.lexicon.phrases, settings)
    }
    for group in groups[:3]:
        view = analysed.alternatives.advice(_select(group), overrides={"pooling": pooling})
        (quick,), (whole,) = (to_json([a])["groups"] for a in (view.advice, slow[group.author, group.topic]))
        assert quick["advised"] == whole["advised"]
        assert quick["plan"] == whole["plan"]
        assert {p.over for p in view.pooled} == {pooling}
        assert {p.phrase for p in view.pooled} == {r.phrase for r in view.before.phrases}
        for p in view.pooled:
            assert 0 <= p.low <= p.rate <= p.high <= 1
    assert analysed.alternatives.advice(_select(groups[0])).pooled == ()


def test_what_is_told_is_what_the_words_become(analysed):
    """Under some setting something is advised; the reliability after it is of the reworded statements."""
    found = []
    for group in _groups(analysed):
        view = analysed.alternatives.advice(_select(group))
        if view.advice.recommendations:
            found.append(view)
            n = {r.phrase: r.n for r in view.before.phrases}
            uses = np.array([n.get(p.name, 0.0) for p in view.phrases])
            after = {r.phrase: r.n for r in view.after.phrases}
            for k, p in enumerate(view.phrases):
                assert after.get(p.name, 0.0) == pytest.approx(float(uses @ view.plan[:, k]), abs=1e-9)
            assert view.after.n == view.before.n
            assert view.after.word_error < view.before.word_error
    assert found, "the made-up radiologists are not all calibrated"


def test_settings_are_tried_without_being_kept(analysed):
    group = _groups(analysed)[0]
    before = analysed.settings
    view = analysed.alternatives.advice(_select(group), overrides={"min_phrase_n": 10_000})
    assert view.settings == before.changed(min_phrase_n=10_000)
    assert view.advice.reason.startswith("No word was used the 10000 times that advice needs")
    assert analysed.settings == before
    paper = analysed.alternatives.advice(_select(group), overrides={"solver": "paper", "tau2": 0.01})
    assert paper.advice.solver == "paper"
    with pytest.raises(InputError, match="cannot be tried"):
        analysed.alternatives.advice(_select(group), overrides={"bootstrap": 3})
    with pytest.raises(InputError, match="outside"):
        analysed.alternatives.advice(_select(group), overrides={"tau2": 300.0})


def test_days_limit_what_is_looked_at(analysed):
    group = max(_groups(analysed), key=lambda a: a.n)
    rows = analysed.groups.evidence(_select(group))
    days = sorted(rows["xray_time"].dt.date)
    first, last = days[len(days) // 4], days[len(days) // 2]
    view = analysed.alternatives.advice(Selection(group.author, group.topic, Days(first, last)))
    inside = rows[(rows["xray_time"].dt.date >= first) & (rows["xray_time"].dt.date <= last)]
    assert 0 < len(inside) < len(rows)
    assert view.before.n == len(inside) == view.advice.n
    # The same statements, brought in by hand.
    tables = build_tables(inside[["author", "topic", "phrase", "outcome"]], analysed.phrases())
    reliabilities = measure(tables, analysed.phrases(), analysed.settings)
    (slow,) = advise(tables, reliabilities, analysed.phrases(), analysed.settings)
    assert view.advice.agreeing == slow.agreeing
    assert view.advice.withheld == slow.withheld
    with pytest.raises(DataError, match="in these days"):
        analysed.alternatives.advice(Selection(group.author, group.topic, Days(days[-1] + timedelta(days=400))))


def test_other_words(analysed):
    group = max(_groups(analysed), key=lambda a: a.n)
    names = [p.name for p in analysed.phrases()]
    said = max(analysed.alternatives.advice(_select(group)).before.phrases, key=lambda r: r.n).phrase
    other = next(name for name in names if name != said)
    view = analysed.alternatives.what_if(_select(group), {said: {other: 0.5}})
    assert view.result.n == group.n == view.after.n
    assert view.plan[names.index(said), names.index(other)] == 0.5
    assert view.after.ece == pytest.approx(view.result.ece.after, abs=1e-9)
    with pytest.raises(InputError, match="never heard of"):
        analysed.alternatives.what_if(_select(group), {"never heard of": {other: 0.5}})


def test_questions_can_be_stopped(analysed, onlooker):
    group = max(_groups(analysed), key=lambda a: a.n)
    with pytest.raises(Cancelled):
        analysed.alternatives.advice(_select(group), progress=onlooker(looks=0))
    with pytest.raises(Cancelled):
        analysed.alternatives.what_if(_select(group), {}, progress=onlooker(looks=0))


def test_strangers_are_told_of(analysed):
    with pytest.raises(DataError, match="Nobody"):
        analysed.alternatives.advice(Selection("Nobody", "edema"))


def test_nothing_is_asked_before_an_analysis(department):
    with pytest.raises(DataError, match="no analysis"):
        department.alternatives.advice(Selection("Nobody", "edema", Days(date(2026, 1, 1))))


def test_other_settings_of_the_department_are_heeded_at_once(analysed):
    group = _groups(analysed)[0]
    analysed.alternatives.advice(_select(group))
    analysed.save_settings(analysed.settings.changed(min_phrase_n=5_000))
    view = analysed.alternatives.advice(_select(group))
    assert view.settings.min_phrase_n == 5_000
    assert "5000" in view.advice.reason
