"""What more findings would show, against simulated departments in which they come."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, gamma, norm

from radcal.reliability.days import difference
from radcal.reliability.power import POWER, detectable_error, detectable_rates, group_ahead, pace, weeks_until
from radcal.reliability.reliability import measure
from radcal.reliability.sensitivity_records import NeededUses
from radcal.reliability.tables import build_tables
from radcal.system.intervals import jeffreys
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon

SHIPPED = load_lexicon().phrases


@pytest.mark.parametrize(("rate", "n", "more"), [(0.5, 80, 40), (0.3, 40, 40), (0.75, 200, 60), (0.1, 60, 100)])
def test_a_change_as_large_is_seen_in_four_of_five_departments(rate, n, more):
    """By the very interval that the trend of the Compare page shows."""
    rng = np.random.default_rng(0)
    for to in detectable_rates(rate, n, more):
        if to is None:
            continue
        before, after = rng.binomial(n, rate, 1500), rng.binomial(more, to, 1500)
        ends = [np.stack([y / m, *jeffreys(y, np.full(1500, m))], axis=1) for y, m in ((before, n), (after, more))]
        seen = 0
        for one, other in zip(*ends, strict=True):
            _, low, high = difference(tuple(one), tuple(other))
            seen += not low <= 0 <= high
        # Near 0 and 1 the formula is a careful one.
        assert POWER - 0.03 < seen / 1500 < (0.85 if 0.15 < to < 0.85 else 0.95)


def test_no_change_is_seen_where_there_are_too_few_for_any():
    assert detectable_rates(0.1, 10, 2)[0] is None
    assert detectable_rates(0.5, 3, 1) == (None, None)


@given(st.floats(0, 1), st.integers(1, 500), st.floats(0.1, 500))
def test_more_findings_show_smaller_changes(rate, n, more):
    low, high = detectable_rates(rate, n, more)
    later_low, later_high = detectable_rates(rate, n, 2 * more)
    if low is not None:
        assert 0 <= low <= rate
        assert low <= later_low + 1e-6
    if high is not None:
        assert rate <= high <= 1
        assert later_high <= high + 1e-6
    mirrored = detectable_rates(1 - rate, n, more)
    assert (mirrored[1] is None) == (low is None)
    if low is not None:
        assert mirrored[1] == pytest.approx(1 - low, abs=1e-5)


def test_a_smaller_word_error_is_seen_in_four_of_five_departments():
    """The two word errors are those of the estimator, and their intervals are its own."""
    phrase = next(p for p in SHIPPED if p.name == "likely")
    settings = Settings(bootstrap=200, min_group_n=30)
    n, more, meaning = 400, 300, phrase.alpha / (phrase.alpha + phrase.beta)

    def measured(rate, size, seed):
        rng = np.random.default_rng(seed)
        import pandas as pd

        frame = pd.DataFrame({"author": "a", "topic": "t", "phrase": "likely"}, index=range(size))
        (r,) = measure(build_tables(frame.assign(outcome=1.0 * (rng.random(size) < rate)), SHIPPED), SHIPPED, settings)
        return r

    first = measured(meaning - 0.3, n, 0)
    outlook = group_ahead(first, (), more, None, settings)
    change = outlook.seen_change
    assert 0.03 < change < 0.2
    half = first.word_error_high - first.word_error
    assert change <= detectable_error(max(half, first.word_error - first.word_error_low), n, more) * 1.05
    seen, tries = 0, 60
    for seed in range(tries):
        before, after = measured(meaning - 0.3, n, 100 + seed), measured(meaning - 0.3 + change, more, 500 + seed)
        spread = [np.sqrt(r.phrases[0].rate * (1 - r.phrases[0].rate) / r.n) for r in (before, after)]
        seen += abs(before.word_error - after.word_error) > norm.ppf(0.975) * np.hypot(*spread)
    assert binomtest(seen, tries, POWER).pvalue > 0.01


def test_pace_is_a_poisson_rate():
    found = pace(12, date(2026, 1, 1), date(2026, 3, 11))
    assert (found.n, found.weeks, found.per_week) == (12, 10, 1.2)
    assert (found.low, found.high) == pytest.approx(tuple(gamma.ppf([0.025, 0.975], 12.5) / 10))
    assert pace(0, date(2026, 1, 1), date(2026, 1, 1))[1:4] == (1, 0, 0)


def test_pace_holds_the_true_rate():
    rng = np.random.default_rng(0)
    n = rng.poisson(2.5 * 8, 2000)
    held = [(p := pace(int(k), date(2026, 1, 1), date(2026, 2, 25))).low <= 2.5 <= p.high for k in n]
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


def test_weeks_until():
    at = pace(20, date(2026, 1, 1), date(2026, 3, 11))
    when, soonest, latest = weeks_until(10, at)
    assert when == 5
    assert soonest < 5 < latest
    assert weeks_until(0, at) == (0, 0, 0)
    assert weeks_until(3, pace(0, date(2026, 1, 1), date(2026, 1, 1)))[0] is None


def test_a_group_is_looked_ahead_for():
    import pandas as pd

    frame = pd.DataFrame({"author": "a", "topic": "t", "phrase": ["likely"] * 20 + ["possibly"] * 4 + ["absent"] * 16})
    frame["outcome"] = ([1.0, 0.0] * 40)[: len(frame)]
    settings = Settings(bootstrap=50)
    (r,) = measure(build_tables(frame, SHIPPED), SHIPPED, settings)
    needs = (
        NeededUses("possibly", 4, 6, None, 0, "", Text("few")),
        NeededUses("likely", 20, 0, None, 0, "", Text("sure")),
    )
    days = date(2026, 1, 1), date(2026, 3, 11)
    outlook = group_ahead(r, needs, 40, days, settings)
    assert (outlook.n, outlook.hedged, outlook.pace.per_week) == (40, 24, 4)
    assert outlook.seen_change is None  # 24 hedged statements have no interval
    assert outlook.needed == 60  # until there are 60 hedged ones: 36 of 24 in 40
    assert outlook.weeks == 15
    words = {w.phrase: w for w in outlook.words}
    assert words["likely"].expected == 20
    assert words["likely"].seen_below < 0.5 < words["likely"].seen_above
    assert words["likely"].weeks is None
    assert words["possibly"].weeks == pytest.approx(15)
    assert words["possibly"].weeks_low < 15 < words["possibly"].weeks_high
    assert words["absent"].needed is None
    undated = group_ahead(r, needs, 40, None, settings)
    assert (undated.pace, undated.weeks, undated.words[1].weeks) == (None, None, None)
