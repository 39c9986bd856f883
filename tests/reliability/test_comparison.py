"""Radiologists beside each other and over time: against counts made by hand, and against what was put in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from radcal.reliability.comparison import Radiologists, rate_funnel
from radcal.reliability.comparison_records import HEDGES, Comparison, Trend
from radcal.reliability.days import Unit
from radcal.reliability.pooling import pool_means
from radcal.reliability.reliability import measure
from radcal.reliability.tables import build_tables
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon

PHRASES = load_lexicon().phrases
AUTHORS = ("Birch, Ada", "Elm, Bo", "Fir, Cy", "Oak, Di", "Yew, Ed")
ALIASES = dict(zip(AUTHORS, ("Wren", "Kai", "Blair", "Quinn", "Arlo"), strict=True))
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
    return Radiologists(observations, phrase, PHRASES, settings, progress).compare(ALIASES)


def _trend(
    observations: pd.DataFrame,
    phrase: str = HEDGES,
    author: str = "",
    unit: Unit = "quarter",
    dates: Mapping[str, date | None] | None = None,
    progress: Progress = SILENT,
) -> Trend:
    return Radiologists(observations, phrase, PHRASES, QUICK, progress).trend(author, unit, dates or {})


@pytest.fixture(name="observations", scope="module")
def observations_fixture() -> pd.DataFrame:
    return _observations(dict(zip(AUTHORS, (0.75, 0.75, 0.75, 0.75, 0.15), strict=True)))


def test_rates_are_those_of_counting(observations):
    made = _compare(observations, "likely")
    said = observations[observations["phrase"] == "likely"].groupby("author", observed=True)["outcome"]
    for m in made.members:
        n, y = said.size()[m.name], said.sum()[m.name]
        assert (m.n, m.positives, m.value) == (n, y, pytest.approx(y / n))
        assert (m.low, m.high) == pytest.approx(tuple(stats.beta.ppf((0.025, 0.975), y + 0.5, n - y + 0.5)))
        assert m.pooled_low < m.pooled < m.pooled_high
    assert dict(made.words) == observations.groupby("phrase", observed=True).size().to_dict()


def test_radiologists_stand_by_pseudonym_and_never_by_value(observations):
    for phrase in ("likely", ""):
        made = _compare(observations, phrase)
        assert [m.alias for m in made.members] == sorted(ALIASES.values())
        assert {m.name: m.alias for m in made.members} == ALIASES


def test_who_differs_lies_outside_the_limits_and_who_does_not_lies_within(observations):
    made = _compare(observations, "likely")
    places = {m.name: m.place for m in made.members}
    assert places.pop("Yew, Ed") == "outside"
    assert made.funnel.outside == sum(place != "inside" for place in {**places, "x": "outside"}.values())
    assert made.funnel.phi > 2
    assert made.funnel.p_value < 0.02
    assert not made.alike
    assert made.spread_low < 0.3 < made.spread_high


def test_place_is_that_of_fishers_exact_test_against_all_others(observations):
    made = _compare(observations, "likely")
    for m in made.members:
        others = [o for o in made.members if o is not m]
        n, y = sum(o.n for o in others), sum(o.positives for o in others)
        assert (m.others.n, m.others.value) == (n, pytest.approx(y / n))
        assert (m.others.low, m.others.high) == pytest.approx(
            tuple(stats.beta.ppf((0.025, 0.975), y + 0.5, n - y + 0.5))
        )
        table = [[m.positives, m.n - m.positives], [y, n - y]]
        rare = min(stats.fisher_exact(table, side).pvalue for side in ("less", "greater"))
        assert m.place == ("inside" if rare >= 0.025 else "between" if rare >= 0.001 else "outside")
    assert made.funnel.centre[0] == pytest.approx(
        sum(m.positives for m in made.members) / sum(m.n for m in made.members)
    )


def test_two_radiologists_are_compared_with_each_other():
    made = _compare(_observations({"Elm, Bo": 0.9, "Fir, Cy": 0.4}, n=200, seed=3), "likely")
    assert {m.place for m in made.members} == {"outside"}
    alike = _compare(_observations({"Elm, Bo": 0.7, "Fir, Cy": 0.7}, n=200, seed=3), "likely")
    assert {m.place for m in alike.members} == {"inside"}
    scores = _compare(_observations({"Elm, Bo": 0.7, "Fir, Cy": 0.1}, n=200, seed=3))
    assert scores.funnel.n.max() <= sum(m.n for m in scores.members)
    assert next(m for m in scores.members if m.name == "Fir, Cy").beyond > 0.05


def test_equal_radiologists_are_alike(observations):
    likely = observations[observations["phrase"] == "likely"]
    turn = likely.groupby("author", observed=True).cumcount()
    made = _compare(likely.assign(outcome=(turn % 3 > 0).astype(float)), "likely")
    assert made.alike
    assert made.funnel.outside == 0
    assert made.funnel.p_value > 0.9


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
    ed = next(m for m in made.members if m.name == "Yew, Ed")
    assert ed.beyond > 0.1
    assert ed.place == "outside"
    assert made.funnel.low_998.max() < 0 < made.funnel.high_998.min()


def test_scores_are_pooled_with_the_errors_of_their_intervals(observations):
    made = _compare(observations)
    value, low, high, luck = (
        np.array([getattr(m, end) for m in made.members]) for end in ("value", "low", "high", "luck")
    )
    half = np.maximum(high - value, value - luck - low)
    pooled = pool_means(value, half / stats.norm.ppf(0.975), least=0.0)
    assert (made.mean, made.mean_low, made.mean_high) == pytest.approx(
        (pooled.mean, pooled.mean_low, pooled.mean_high), rel=1e-6
    )
    assert [m.pooled for m in made.members] == pytest.approx(pooled.value.tolist(), rel=1e-6)


def test_too_little_is_told_and_not_guessed():
    few = pd.concat([_observations({"Elm, Bo": 0.7}, n=120), _observations({"Fir, Cy": 0.7}, n=10)], ignore_index=True)
    made = _compare(few)
    bo, cy = sorted(made.members, key=lambda m: m.name)
    assert bo.value is not None
    assert (cy.value, cy.reason) == (None, "statements")
    assert (made.funnel, made.mean, made.reason) == (None, None, "radiologists")
    unhedged = few.assign(phrase=pd.Categorical(["absent"] * len(few)))
    assert {m.reason for m in _compare(unhedged).members} == set(), "nobody hedged"
    no_resamples = _compare(few, settings=Settings(bootstrap=0, min_group_n=5, min_phrase_n=5))
    assert {m.name: m.reason for m in no_resamples.members} == {"Elm, Bo": "interval", "Fir, Cy": "hedges"}


def test_one_radiologist_is_not_pooled():
    made = _compare(_observations({"Elm, Bo": 0.7}), "likely")
    assert (len(made.members), made.mean, made.funnel, made.reason) == (1, None, None, "radiologists")
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


def test_who_is_inside_the_limits_is_drawn_inside() -> None:
    """The limits drawn are straight between the n at which they were worked out; theirs are among them."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        n = rng.integers(3, 90, size=6).astype(float)
        y = rng.binomial(n.astype(int), rng.choice([0.5, 0.6, 0.9], size=6)).astype(float)
        funnel, places = rate_funnel(y, n, 0)
        low, high = (np.interp(n, funnel.n, limit) for limit in (funnel.low_95, funnel.high_95))
        drawn_inside = (low <= y / n) & (y / n <= high)
        assert [place == "inside" for place in places] == drawn_inside.tolist()
