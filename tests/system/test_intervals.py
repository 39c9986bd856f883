"""Intervals and p-values in closed form agree with what they are approximated, inverted or published as."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from radcal.system import coarse, intervals
from radcal.system.intervals import false_discovery, jeffreys, of_cells, sorted_quantiles, wilson


def test_jeffreys_agrees_with_the_beta_quantiles() -> None:
    n = np.array([1, 7, 7, 87, 1000, 12.0])
    y = np.array([0.5, 1, 6, 41, 3, 4.25])
    low, high = jeffreys(y, n, 0.9)
    assert low == pytest.approx(stats.beta.ppf(0.05, y + 0.5, n - y + 0.5))
    assert high == pytest.approx(stats.beta.ppf(0.95, y + 0.5, n - y + 0.5))


def test_jeffreys_reaches_certainty_at_the_ends_and_has_width_there() -> None:
    low, high = jeffreys(np.array([[0.0, 12.0], [0.0, 0.0]]), np.array([[12.0, 12.0], [0.0, 3.0]]))
    assert low[0].tolist() == [0, pytest.approx(stats.beta.ppf(0.025, 12.5, 0.5))]
    assert high[0].tolist() == [pytest.approx(stats.beta.ppf(0.975, 0.5, 12.5)), 1]
    assert np.isnan([low[1, 0], high[1, 0]]).all()


def test_jeffreys_takes_more_than_all_by_rounding_for_all() -> None:
    y, n = np.array([3 * 0.1]), np.array([0.3])
    assert y > n
    low, high = jeffreys(y, n)
    assert (low, high) == (pytest.approx(stats.beta.ppf(0.025, 0.8, 0.5)), 1)


def test_jeffreys_covers_the_truth() -> None:
    """500 simulated authors with 12 phrases of many rates and counts: 93-97 % of intervals hold the true rate."""
    rng = np.random.default_rng(11)
    rate = rng.uniform(0.05, 0.95, (500, 12))
    n = rng.integers(10, 200, (500, 12))
    low, high = jeffreys(rng.binomial(n, rate).astype(float), n.astype(float))
    assert 0.93 <= ((low <= rate) & (rate <= high)).mean() <= 0.97


@pytest.mark.parametrize(("y", "n", "readers"), [(1, 9, 12), (1, 14, 8), (1, 29, 10), (5, 19, 8), (8, 9, 12)])
def test_readers_who_are_all_rounded_to_the_same_side_are_not_missed(y: int, n: int, readers: int) -> None:
    low, high = of_cells(coarse.cells([(n, y)] * readers))
    assert low < y / n < high


@given(st.lists(st.integers(5, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), min_size=1))
def test_the_interval_of_cells_holds_that_of_their_rates(readers: list[tuple[int, int]]) -> None:
    cells = coarse.cells(readers)
    n = sum(c.n.middle for c in cells)
    low, high = jeffreys(np.array(sum(c.n.middle * c.rate for c in cells)), np.array(n))
    made = of_cells(cells)
    assert made[0] <= low + 1e-9
    assert high - 1e-9 <= made[1]
    assert all(round(end * 100) % 5 == 0 and 0 <= end <= 1 for end in made)
    with pytest.raises(ValueError, match="needs a cell"):
        of_cells([])


def test_false_discovery_agrees_with_scipy() -> None:
    p = np.random.default_rng(2).random(50) ** 2
    assert false_discovery(p) == pytest.approx(stats.false_discovery_control(p))
    p[[3, 40]] = np.nan
    q = false_discovery(p)
    kept = ~np.isnan(p)
    assert q[kept] == pytest.approx(stats.false_discovery_control(p[kept]))
    assert np.isnan(q[~kept]).all()


@settings(deadline=None)
@given(arrays(np.float32, (3, 9), elements=st.floats(0, 1, width=32) | st.just(np.nan)))
def test_quantiles_of_sorted_rows_agree_with_numpy(x: np.ndarray) -> None:
    result = sorted_quantiles(np.sort(x, axis=1), (0.025, 0.5, 0.95, 1.0))
    for row, found in zip(x, result.T, strict=True):
        valid = row[~np.isnan(row)].astype(float)
        expected = np.quantile(valid, [0.025, 0.5, 0.95, 1.0]) if len(valid) else np.full(4, np.nan)
        assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_wilson_s_limits_are_where_the_score_test_no_longer_rejects_and_never_beyond_0_and_1() -> None:
    for n in range(1, 200):
        for hits in range(0, n + 1, max(1, n // 7)):
            share = hits / n
            low, high = wilson(share, n)
            assert 0 <= low <= share <= high <= 1
            assert (low == 0) is (hits == 0)
            assert (high == 1) is (hits == n)
            # |share - p| is 1.96 standard errors of p at the ends
            for p in (low, high):
                if 0 < p < 1:
                    assert abs(share - p) == pytest.approx(1.959964 * (p * (1 - p) / n) ** 0.5, abs=1e-6)
    assert all(isnan(end) for end in wilson(0.5, 0))
    assert wilson(0.5, 10, 0.5)[0] > wilson(0.5, 10, 0.9)[0] > wilson(0.5, 10)[0]


def test_units_are_drawn_anew_in_parts_of_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "_CHUNK", 12)
    parts = list(intervals.drawn_anew(4, 7, np.random.default_rng(1)))
    assert [part.shape for part in parts] == [(3, 4), (3, 4), (1, 4)]
    assert all((part.sum(axis=1) == 4).all() for part in parts)
    assert [part.shape for part in intervals.drawn_anew(12, 0, np.random.default_rng(1))] == [(0, 12)]
    monkeypatch.undo()
    often = np.concatenate(list(intervals.drawn_anew(4, 4000, np.random.default_rng(1))))
    assert often.mean(axis=0) == pytest.approx(1, abs=0.06)


@given(st.integers(5, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_interval_of_a_cell_holds_that_of_its_counts(counts: tuple[int, int]) -> None:
    n, y = counts
    [cell] = coarse.cells([counts])
    made = intervals.of_cell(cell)
    low, high = jeffreys(np.array(float(y)), np.array(float(n)))
    assert made[0] <= low + 1e-9
    assert high - 1e-9 <= made[1]
    assert all(round(end * 100) % 5 == 0 and 0 <= end <= 1 for end in made)
