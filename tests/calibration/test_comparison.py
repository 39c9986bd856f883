"""Radiologists beside each other and over time: against counts made by hand, and against what was put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from radcal.calibration.comparison import Radiologists, lying_apart
from radcal.calibration.comparison_records import HEDGES, Comparison, Trend
from radcal.calibration.days import Unit
from radcal.calibration.pooled import APART, measure_pooled
from radcal.calibration.records import SURE, Part, PhraseRate, Reliability, Spread
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.stored_analysis import Basis
from radcal.calibration.tables import build_tables
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon, mean_of

PHRASES = load_lexicon().phrases
AUTHORS = ("Birch, Ada", "Elm, Bo", "Fir, Cy", "Oak, Di", "Yew, Ed")
ALIASES = dict(zip(AUTHORS, ("Wren", "Kai", "Blair", "Quinn", "Arlo"), strict=True))
CLOSE = Spread(0.2, 0.2, 0.2, 0.5, 0.8, 0.05)
"""A department whose radiologists are much alike."""
QUICK = Settings(bootstrap=60, min_group_n=20, min_phrase_n=8)


def _observations(rates: dict[str, float], n: int = 120, seed: int = 0) -> pd.DataFrame:
    """n findings each, half of them 'likely', confirmed at the author's rate; spread over the days of 2026."""
    rng = np.random.default_rng(seed)
    parts = []
    for author, rate in rates.items():
        words = rng.choice(["likely", "possibly", "absent"], n, p=[0.5, 0.3, 0.2])
        chance = np.select([words == "likely", words == "possibly"], [rate, 0.4], 0.05)
        day = pd.Timestamp(2026, 1, 1) + pd.to_timedelta(rng.integers(0, 240, n), unit="D")
        outcome = (rng.random(n) < chance).astype(float)
        parts.append(
            pd.DataFrame({"author": author, "topic": "edema", "phrase": words, "outcome": outcome, "xray_time": day})
        )
    frame = pd.concat(parts, ignore_index=True)
    return frame.astype({"author": "category", "topic": "category", "phrase": "category"})


def _compare(
    observations: pd.DataFrame, phrase: str = HEDGES, settings: Settings = QUICK, progress: Progress = SILENT
) -> Comparison:
    return Radiologists(observations, phrase, Basis(PHRASES, settings), progress).compare(ALIASES)


def _trend(
    observations: pd.DataFrame,
    phrase: str = HEDGES,
    author: str = "",
    unit: Unit = "quarter",
    dates: Mapping[str, date | None] | None = None,
    progress: Progress = SILENT,
) -> Trend:
    return Radiologists(observations, phrase, Basis(PHRASES, QUICK), progress).trend(author, unit, dates or {})


@pytest.fixture(name="observations", scope="module")
def observations_fixture() -> pd.DataFrame:
    return _observations(dict(zip(AUTHORS, (0.75, 0.75, 0.75, 0.75, 0.15), strict=True)))


def test_rates_are_those_of_counting(observations):
    made = _compare(observations, "likely")
    said = observations[observations["phrase"] == "likely"].groupby("author", observed=True)["outcome"]
    n, y = said.size(), said.sum()
    for m in made.members:
        assert (m.n, m.positives, m.value) == (n[m.name], y[m.name], pytest.approx(y[m.name] / n[m.name]))
        assert m.low < m.value < m.high
        rest_n, rest_y = n.sum() - n[m.name], y.sum() - y[m.name]
        assert (m.others.n, m.others.value, m.others.low, m.others.high) == pytest.approx(
            (rest_n, rest_y / rest_n, *stats.beta.ppf((0.025, 0.975), rest_y + 0.5, rest_n - rest_y + 0.5))
        )
    assert made.together.value == pytest.approx(y.sum() / n.sum())
    assert dict(made.words) == observations.groupby("phrase", observed=True).size().to_dict()


def test_rates_and_intervals_are_those_of_the_groups(observations):
    """What stands on the page of a radiologist stands here."""
    tables = build_tables(observations, PHRASES)
    spread = spread_of(tables, PHRASES, QUICK)
    made = Radiologists(observations, "likely", Basis(PHRASES, QUICK, spread=spread)).compare(ALIASES)
    for r in measure(tables, PHRASES, QUICK, spread=spread):
        (rate,) = (p for p in r.phrases if p.phrase == "likely")
        (m,) = (m for m in made.members if m.name == r.author)
        assert (m.value, m.low, m.high) == (rate.rate, rate.low, rate.high)


def test_radiologists_stand_by_pseudonym_and_never_by_value(observations):
    for phrase in ("likely", ""):
        made = _compare(observations, phrase)
        assert [m.alias for m in made.members] == sorted(ALIASES.values())
        assert {m.name: m.alias for m in made.members} == ALIASES


def test_who_differs_lies_apart_and_who_does_not_does_not():
    frame = _observations(dict.fromkeys(map(str, range(11)), 0.75) | {"Yew, Ed": 0.15})
    for phrase in ("likely", HEDGES):
        parts = {m.name: m.part for m in _compare(frame, phrase).members}
        assert [name for name, part in parts.items() if part.differs] == ["Yew, Ed"]
        ed = parts["Yew, Ed"]
        said = frame[frame["phrase"] == "likely"]
        own = said[said["author"] == "Yew, Ed"]["outcome"]
        assert (ed.phrase, ed.said, ed.positives) == ("likely", len(own), own.sum())
        assert (ed.others_said, ed.others_positives) == (len(said) - len(own), said["outcome"].sum() - own.sum())


def test_the_range_of_the_department_holds_the_rates_of_its_radiologists():
    """95 of 100 radiologists whose rates are as far apart as those put in."""
    rng, held = np.random.default_rng(4), []
    for seed in range(6):
        rates = dict(zip(map(str, range(12)), rng.beta(14, 6, 12), strict=True))
        low, high = _compare(_observations(rates, n=80, seed=seed), "likely", Settings(bootstrap=0)).spread
        held += [low <= rate <= high for rate in rates.values()]
        assert high - low < 0.6
    assert 0.85 <= np.mean(held) <= 1


def test_what_is_said_of_a_department_is_true_as_often_as_it_says():
    """Each word of each radiologist is near its meaning or private; what lies apart is known."""
    rng = np.random.default_rng(9)
    words = [p for p in PHRASES if p.name in ("likely", "possibly", "unlikely", "probably")]
    rows, true = [], {}
    for author in map(str, range(12)):
        for topic in ("edema", "mass", "pneumonia", "fracture"):
            for p in words:
                private = rng.random() < 0.1
                h = np.log(mean_of(p) / (1 - mean_of(p))) + rng.normal(0, 1.5 if private else 0.15)
                rate = true[author, topic, p.name] = 1 / (1 + np.exp(-h))
                rows.append((author, topic, p.name, rng.random(80) < rate))
    frame = pd.DataFrame([(a, t, w, float(y)) for a, t, w, ys in rows for y in ys])
    tables = build_tables(frame.set_axis(["author", "topic", "phrase", "outcome"], axis=1), PHRASES)
    settings = Settings(bootstrap=0)
    spread = spread_of(tables, PHRASES, settings)
    found = lying_apart(
        measure(tables, PHRASES, settings, spread=spread),
        measure_pooled(tables, PHRASES, settings, "topic", spread=spread),
        {"3": "Wren"},
    )
    assert len(found) > 15
    assert all(row.probability >= SURE for row in found)
    assert [row.probability for row in found] == sorted((row.probability for row in found), reverse=True)
    assert {row.alias for row in found if row.name == "3"} <= {"Wren"}
    wrong = 0
    for row in found:
        rate = true[row.name, row.topic, row.rate.phrase]
        if row.part is not None:
            others = [true[a, row.topic, row.rate.phrase] for a in map(str, range(12)) if a != row.name]
            wrong += abs(rate - np.mean(others)) < APART
        else:
            wrong += rate >= row.rate.meant_low if row.rate.verdict == "stronger" else rate <= row.rate.meant_high
    assert wrong <= 0.05 * len(found) + 1


def test_scores_are_those_of_each_group_alone(observations):
    made = _compare(observations)
    for m in made.members:
        own = observations[observations["author"] == m.name]
        (alone,) = measure(build_tables(own, PHRASES), PHRASES, QUICK)
        assert (m.value, m.low, m.high, m.luck) == pytest.approx(
            (alone.word_error, alone.word_error_low, alone.word_error_high, alone.luck_word_mean)
        )
        assert m.n == (own["phrase"] != "absent").sum()
        assert m.positives is None
    assert (made.together, made.spread, made.reason) == (None, None, "")


def test_too_little_is_told_and_not_guessed():
    few = pd.concat([_observations({"Elm, Bo": 0.7}, n=120), _observations({"Fir, Cy": 0.7}, n=10)], ignore_index=True)
    made = _compare(few)
    bo, cy = sorted(made.members, key=lambda m: m.name)
    assert bo.value is not None
    assert (cy.value, cy.reason) == (None, "statements")
    assert made.reason == "radiologists"
    unhedged = few.assign(phrase=pd.Categorical(["absent"] * len(few)))
    assert {m.reason for m in _compare(unhedged).members} == set(), "nobody hedged"
    no_resamples = _compare(few, settings=Settings(bootstrap=0, min_group_n=5, min_phrase_n=5))
    assert {m.name: m.reason for m in no_resamples.members} == {"Elm, Bo": "interval", "Fir, Cy": "hedges"}


def test_one_radiologist_is_beside_nobody():
    made = _compare(_observations({"Elm, Bo": 0.7}), "likely")
    ((bo,), together) = made.members, made.together
    assert (bo.part, bo.others, together, made.spread, made.reason) == (None, None, None, None, "radiologists")
    assert _compare(_observations({"Elm, Bo": 0.7}), "most likely").members == ()


@pytest.mark.parametrize("ask", [_compare, _trend])
def test_a_phrase_in_no_list_is_refused(observations, ask):
    with pytest.raises(InputError, match="'perhaps'"):
        ask(observations, "perhaps")


def test_comparing_stops_when_asked(observations, onlooker):
    for phrase in ("", "likely"):
        with pytest.raises(Cancelled):
            _compare(observations, phrase, progress=onlooker(looks=0))
        with pytest.raises(Cancelled):
            _trend(observations, phrase, progress=onlooker(looks=0))


# --- over time


def test_periods_follow_each_other_and_add_up(observations):
    for unit, months in (("quarter", 3), ("month", 1)):
        made = _trend(observations, "likely", unit=unit)
        assert sum(p.n for p in made.periods) == (observations["phrase"] == "likely").sum()
        for p, q in zip(made.periods, made.periods[1:], strict=False):
            assert p.end == q.start
            assert (q.start.year - p.start.year) * 12 + q.start.month - p.start.month == months
        first = made.periods[0]
        own = observations[
            (observations["phrase"] == "likely") & (observations["xray_time"] < pd.Timestamp(first.end))
        ]["outcome"]
        assert (first.n, first.value) == (len(own), pytest.approx(own.mean()))
    assert made.reason == "date"
    one = _trend(observations, "likely", author="Elm, Bo")
    assert sum(p.n for p in one.periods) < sum(p.n for p in made.periods)


def test_a_phrase_that_nobody_used_has_no_periods(observations):
    never = _trend(observations, "most likely")
    assert (never.periods, never.reason) == ((), "date")
    never = _trend(observations, "most likely", dates={"": date(2026, 5, 1)})
    assert (never.periods, never.before.n, never.after.n, never.reason) == ((), 0, 0, "before")


def test_empty_months_are_shown_unless_there_are_centuries_of_them():
    times = pd.to_datetime(["2026-01-05", "2026-05-05"] * 20)
    frame = _observations({"Elm, Bo": 0.7}, n=40).assign(xray_time=times)
    made = _trend(frame, "likely", unit="month")
    assert [p.start.month for p in made.periods] == [1, 2, 3, 4, 5]
    assert [p.reason for p in made.periods] == ["", "statements", "statements", "statements", ""]
    shifted = frame.assign(xray_time=pd.to_datetime(["2026-01-05", "2126-05-05"] * 20))
    assert len(_trend(shifted, "likely", unit="month").periods) == 2


def test_before_and_after_are_told_by_each_ones_own_date():
    frame = _observations(dict.fromkeys(AUTHORS[:3], 0.7), n=100, seed=2)
    dates = {"": date(2026, 5, 1), "Elm, Bo": date(2026, 3, 1), "Fir, Cy": None}
    made = _trend(frame, "likely", dates=dates)
    likely = frame[frame["phrase"] == "likely"]
    cut = likely["author"].astype(str).map({"Birch, Ada": "2026-05-01", "Elm, Bo": "2026-03-01"})
    known = likely[cut.notna()]
    before = known[known["xray_time"] < pd.to_datetime(cut[cut.notna()])]["outcome"]
    after = known.drop(before.index)["outcome"]
    assert (made.before.n, made.after.n) == (len(before), len(after))
    assert (made.before.value, made.after.value) == pytest.approx((before.mean(), after.mean()))
    change, low, high = made.change
    assert change == pytest.approx(after.mean() - before.mean())
    assert low < change < high
    assert (made.given, _trend(frame, author="Elm, Bo", dates=dates).given) == (date(2026, 5, 1), date(2026, 3, 1))
    assert _trend(frame, author="Fir, Cy", dates=dates).reason == "date"
    assert _trend(frame).reason == "date"


def test_a_change_that_was_put_in_is_found():
    frame = _observations({"Elm, Bo": 0.9}, n=300, seed=1)
    late = (frame["xray_time"] >= "2026-05-01") & (frame["phrase"] == "likely")
    frame.loc[late, "outcome"] = (np.arange(late.sum()) % 5 == 0).astype(float)
    dates = {"": date(2026, 5, 1)}
    assert _trend(frame, "likely", dates=dates).change[2] < -0.4
    scores = _trend(frame, dates=dates)
    assert scores.change[2] < -0.2, "from one side of the meaning far to the other"
    assert scores.change[0] == scores.distances.after.value - scores.distances.before.value
    assert 0.3 < scores.distances.n_before / scores.before.n < 0.7, "the other half says on which side words lay"
    assert scores.distances.n_after == scores.after.n


def test_too_little_on_one_side_is_told(observations):
    made = _trend(observations, "likely", dates={"": date(2025, 1, 1)})
    assert (made.change, made.reason, made.before.n) == (None, "before", 0)
    assert _trend(observations, dates={"": date(2027, 1, 1)}).reason == "after"


def test_findings_without_a_time_are_counted_and_left_out(observations):
    undated = observations.assign(xray_time=observations["xray_time"].where(observations.index % 3 > 0))
    made = _trend(undated, "likely")
    assert made.undated == undated["xray_time"].isna().sum()
    none = _trend(observations.assign(xray_time=pd.NaT))
    assert (none.periods, none.reason) == ((), "times")


def test_what_lies_between_two_is_told_once() -> None:
    """Each is all that the other is compared with: the one with fewer findings is named."""
    one = Part("a", 60, 0.99, True, "likely", 20, 4, 45, 40)
    other = Part("b", 90, 0.99, True, "likely", 45, 40, 20, 4)
    rates = [
        Reliability(p.name, "edema", p.n, (PhraseRate("likely", p.said, p.positives, 0.5, 0.4, 0.6, 0.77),))
        for p in (one, other)
    ]
    whole = Reliability("all radiologists", "edema", 150, (), parts=(other, one))
    assert [row.name for row in lying_apart(rates, [whole], {})] == ["a"]
    third = replace(other, others_said=70.0)
    assert {row.name for row in lying_apart(rates, [replace(whole, parts=(third, one))], {})} == {"a", "b"}
