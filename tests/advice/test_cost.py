"""The cost matrix against plain re-computation of the calibration error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.advice.cost import blocks, cost_matrix
from radcal.calibration import scoring
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase

meaning = st.tuples(st.floats(0.05, 0.95), st.floats(1.0, 60.0))
words = st.lists(meaning, min_size=2, max_size=6)


def _bins(meanings, method="exact", points=False):
    phrases = [Phrase(f"w{i}", m * c, (1 - m) * c, 0, 1) for i, (m, c) in enumerate(meanings)]
    if points:
        phrases += [Phrase("absent", 0, 1, 0, 0), Phrase("present", 1, 0, 1, 1)]
    return bin_phrases(phrases, 40, method)


def _brute_force(n, y, bins):
    """Move all statements of one phrase to another, and score again."""
    before = scoring.ece(n, y, bins)
    cost = np.full((len(n), len(n)), np.nan)
    for k in np.flatnonzero(n):
        for w in range(len(n)):
            plan = np.eye(len(n))
            plan[k] = plan[w]
            cost[k, w] = (scoring.ece(n @ plan, y @ plan, bins) - before) / (n[k] / n.sum())
    return cost


@settings(deadline=None, max_examples=60)
@given(words, st.data(), st.sampled_from(["exact", "midpoint"]), st.booleans())
def test_all_substitutions_at_once_are_those_one_by_one(own, data, method, points):
    bins = _bins(own, method, points)
    n = np.array(data.draw(st.lists(st.integers(0, 60), min_size=len(bins.mean), max_size=len(bins.mean))), float)
    n[0] += 1
    y = n * np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(n), max_size=len(n))))
    np.testing.assert_allclose(cost_matrix(n, y, bins), _brute_force(n, y, bins), atol=1e-11)


def test_staying_costs_nothing_and_unused_words_have_no_cost():
    bins = _bins([(0.2, 8), (0.5, 4), (0.8, 9)])
    cost = cost_matrix(np.array([20.0, 0.0, 7.0]), np.array([3.0, 0.0, 2.0]), bins)
    assert cost[0, 0] == pytest.approx(0, abs=1e-14)
    assert cost[2, 2] == pytest.approx(0, abs=1e-14)
    assert np.isnan(cost[1]).all()
    assert np.isfinite(cost[[0, 2]]).all()


def test_the_right_word_is_the_cheapest():
    bins = _bins([(0.1, 200), (0.5, 200), (0.9, 200)])
    cost = cost_matrix(np.array([0.0, 0.0, 40.0]), np.array([0.0, 0.0, 20.0]), bins)
    assert cost[2].argmin() == 1
    assert cost[2, 1] < -0.3


def test_no_statements_at_all_have_no_cost():
    bins = _bins([(0.1, 20), (0.5, 20)])
    assert np.isnan(cost_matrix(np.zeros(2), np.zeros(2), bins)).all()


@pytest.mark.parametrize(("each", "sizes"), [(400_000, [2, 2, 2, 1]), (10**7, [1] * 7), (0, [7])])
def test_the_words_are_taken_in_parts_each_of_them_once(each, sizes):
    parts = list(blocks(np.arange(7), each))
    assert [len(part) for part in parts] == sizes
    np.testing.assert_array_equal(np.concatenate(parts), np.arange(7))
