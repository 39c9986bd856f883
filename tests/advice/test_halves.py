"""Halves and resamples of a contingency table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from radcal.advice.judge import halvings, resample
from radcal.system.errors import DataError


def halve(counts, rng):
    return next(halvings(counts, 1, rng))


tables = arrays(np.int64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(0, 40))


@settings(deadline=None)
@given(tables, st.integers(0, 99))
def test_halves_add_up_and_deal_every_phrase_out_evenly(counts, seed):
    first, second = halve(counts.astype(float), np.random.default_rng(seed))
    np.testing.assert_array_equal(first + second, counts)
    assert (first >= 0).all()
    assert (second >= 0).all()
    assert (np.abs(first.sum(axis=1) - second.sum(axis=1)) == counts.sum(axis=1) % 2).all()
    assert abs(first.sum() - second.sum()) == counts.sum() % 2


def test_of_statements_that_each_occur_once_neighbours_go_to_different_halves():
    first, _ = halve(np.tile([0.0, 1.0], (200, 1)), np.random.default_rng(1))
    assert (first.sum(axis=1).reshape(-1, 2).sum(axis=1) == 1).all()


def test_halves_are_drawn_as_without_replacement():
    rng = np.random.default_rng(5)
    counts = np.array([[30.0, 10.0]])
    drawn = np.array([halve(counts, rng)[0][0, 1] for _ in range(4000)])
    assert drawn.mean() == pytest.approx(5, abs=0.1)
    # Hypergeometric, not binomial: 20 * 1/4 * 3/4 * (40 - 20) / (40 - 1)
    assert drawn.var() == pytest.approx(20 * 0.25 * 0.75 * 20 / 39, rel=0.08)


def test_shared_statements_are_dealt_whole():
    counts = np.array([[0.4, 0.6, 2.0, 1.3, 0.7], [0.0, 0.0, 0.0, 0.0, 0.0]])
    positive = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    first, second = halve(counts, np.random.default_rng(0))
    whole = first + second
    assert (whole == np.rint(whole)).all()
    assert whole[0].sum() == 5
    assert abs(whole @ positive - counts @ positive).max() <= 0.5


def test_shares_that_add_up_but_for_rounding_are_whole():
    """Ten times 0.1 is not quite 1 in floating point."""
    counts = np.full((1, 10), 0.1)
    assert counts.cumsum()[-1] != 1
    assert sum(halve(counts, np.random.default_rng(0))).sum() == 1
    assert resample(counts, 3, np.random.default_rng(0)).sum() == 3


def test_resamples_keep_the_number_of_statements_and_the_shares():
    counts = np.array([[30.0, 10.0], [0.0, 0.0], [5.5, 14.5]])
    drawn = resample(counts, 4000, np.random.default_rng(1))
    assert drawn.shape == (4000, 3, 2)
    assert (drawn.sum(axis=(1, 2)) == 60).all()
    np.testing.assert_allclose(drawn.mean(axis=0), counts, atol=0.3)
    assert (drawn[:, 1] == 0).all()


def test_an_empty_table_has_empty_resamples():
    assert (resample(np.zeros((2, 2)), 3, np.random.default_rng(0)) == 0).all()


@pytest.mark.parametrize("counts", [[[-1.0, 3.0]], [[0.5, 1.0]], [[100_000.4, 0.0]], [[0.5, 1.0], [2.0, 1.0]]])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(DataError, match="counts"):
        halve(np.array(counts), np.random.default_rng(0))
    with pytest.raises(DataError, match="counts"):
        resample(np.array(counts), 2, np.random.default_rng(0))


def test_the_odd_statement_falls_to_either_half_alike():
    rng = np.random.default_rng(11)
    counts = np.array([[7.0, 0.0], [0.0, 1.0]])
    first = np.array([halve(counts, rng)[0].sum(axis=1) for _ in range(2000)])
    assert set(first[:, 0]) == {3.0, 4.0}
    assert first.mean(axis=0) == pytest.approx([3.5, 0.5], abs=0.05)
