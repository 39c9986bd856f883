"""Calibration within partitions against loops over rows, and what must not change it."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.groups.comparison import (
    THRESHOLDS,
    accuracy_confidence,
    answered,
    calibration_error,
    exact_error,
    expected_error,
    grouped_error,
    largest_error,
    selective_accuracy,
)


def by_hand(scores, outcomes, partition):
    """(CE(h; beta), beta-MCE) row by row, for at most 10 values in a partition."""
    cells = {}
    for s, y, k in zip(scores, outcomes, partition, strict=True):
        cells.setdefault((k, s), []).append(y)
    gaps = {(k, s): abs(sum(ys) / len(ys) - s) for (k, s), ys in cells.items()}
    return sum(len(cells[c]) * gap for c, gap in gaps.items()) / len(scores), max(gaps.values())


rows = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.8, 0.95, 1.0]), st.sampled_from([0.0, 1.0]), st.integers(0, 3)),
    min_size=1,
    max_size=60,
)


@given(rows)
def test_values_are_counted_one_by_one(drawn):
    scores, outcomes, partition = (np.array(column) for column in zip(*drawn, strict=True))
    error, largest = by_hand(scores, outcomes, partition)
    assert grouped_error(scores, outcomes, partition) == pytest.approx(error)
    assert largest_error(scores, outcomes, partition) == pytest.approx(largest)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 1.0]), st.integers(0, 2)), min_size=1, max_size=40))
def test_by_its_definition_every_number_is_counted_and_bins_find_less(drawn):
    scores, outcomes, partition = (np.array(column) for column in zip(*drawn, strict=True))
    assert exact_error(scores, outcomes, partition) == pytest.approx(by_hand(scores, outcomes, partition)[0])
    assert grouped_error(scores, outcomes, partition) <= exact_error(scores, outcomes, partition) + 1e-12


def test_selective_answering_and_the_area_by_hand():
    scores, outcomes = np.array([0.2, 0.4, 0.4, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    found = dict(zip(THRESHOLDS, answered(scores, outcomes), strict=True))
    assert found[0.0] == found[0.2] == (1.0, 0.5)
    assert found[0.25] == found[0.4] == (0.75, pytest.approx(2 / 3))
    assert found[0.9] == (0.25, 1.0)
    assert found[1.0][0] == 0
    assert math.isnan(found[1.0][1])
    # Above 0-0.2 one in two is right, above 0.2-0.4 two in three, above 0.4-0.9 all; above 0.9 there is none.
    assert accuracy_confidence(scores, outcomes) == pytest.approx(0.2 / 2 + 0.2 * 2 / 3 + 0.5, abs=2e-3)
    assert math.isnan(accuracy_confidence(scores[:0], outcomes[:0]))


def test_the_paper_s_two_examples():
    """Figure 1: always wrong for one user and always right for the other.  Table 1: 0.6, 0.7 and 0.9, 1.0 of cases."""
    said, users = np.full(400, 0.8), np.repeat([0, 1], 200)
    figure = np.repeat([0.0, 1.0], 200)
    assert grouped_error(said, figure, users) == pytest.approx(0.5)
    assert calibration_error(said, figure) == pytest.approx(0.3)  # not the mean of 0.8 and 0.2
    table = np.concatenate([np.arange(100) < right for right in (60, 70, 90, 100)]).astype(float)
    assert calibration_error(said, table) == pytest.approx(0)
    assert grouped_error(said, table, users) == pytest.approx(0.15)
    assert [table[users == k].mean() for k in (0, 1)] == [0.65, 0.95]


def test_the_largest_gap_may_be_that_of_cells_with_enough_rows():
    scores, partition = np.array([0.9, 0.5, 0.5, 0.5]), np.zeros(4, dtype=int)
    outcomes = np.array([0.0, 1.0, 1.0, 0.0])
    assert largest_error(scores, outcomes, partition) == pytest.approx(0.9)
    assert largest_error(scores, outcomes, partition, 3) == pytest.approx(2 / 3 - 0.5)
    assert math.isnan(largest_error(scores, outcomes, partition, 4))


@given(rows, st.randoms(use_true_random=False), st.permutations(range(4)))
def test_order_of_rows_and_names_of_partitions_do_not_matter(drawn, rng, renamed):
    shuffled = rng.sample(drawn, len(drawn))
    a, b = ([np.array(column) for column in zip(*listed, strict=True)] for listed in (drawn, shuffled))
    for measure in (grouped_error, largest_error):
        assert measure(b[0], b[1], np.array(renamed)[b[2]]) == pytest.approx(measure(*a))
    assert selective_accuracy(*b[:2]) == pytest.approx(selective_accuracy(*a[:2]))
    # Calibration on average forgives what calibration in every partition does not.
    assert calibration_error(*a[:2]) <= grouped_error(*a) + 1e-12


def test_more_than_ten_values_are_counted_in_ten_bins_of_equal_mass():
    rng = np.random.default_rng(3)
    scores = rng.random(200)
    outcomes = (rng.random(200) < scores**2).astype(float)
    bins = np.array_split(np.argsort(scores), 10)
    assert calibration_error(scores, outcomes) == pytest.approx(
        sum(abs((outcomes - scores)[b].sum()) for b in bins) / 200
    )


def test_equal_scores_are_never_parted():
    scores = np.concatenate([np.full(95, 0.5), np.linspace(0.6, 0.9, 11)])
    outcomes = np.concatenate([np.tile([0.0, 1.0], 48)[:95], np.ones(11)])
    order = np.random.default_rng(0).permutation(106)
    assert calibration_error(scores[order], outcomes[order]) == pytest.approx(calibration_error(scores, outcomes))


@given(st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.sampled_from([0.0, 1.0])), min_size=1, max_size=5))
def test_selective_accuracy_is_the_mean_over_orders_of_equal_scores(drawn):
    areas = []
    for order in permutations(drawn):
        kept = [y for s, y in sorted(order, key=lambda row: -row[0])]
        areas.append(np.mean([np.mean(kept[:k]) for k in range(1, len(kept) + 1)]))
    scores, outcomes = (np.array(column) for column in zip(*drawn, strict=True))
    assert selective_accuracy(scores, outcomes) == pytest.approx(np.mean(areas))


def test_luck_is_what_outcomes_drawn_from_the_scores_give():
    rng = np.random.default_rng(0)
    partition = rng.integers(0, 3, 150)
    for scores in (rng.choice([0.0, 0.2, 0.5, 0.93, 1.0], 150), rng.random(150)):
        drawn = [grouped_error(scores, (rng.random(150) < scores).astype(float), partition) for _ in range(4000)]
        exact = len(np.unique(scores)) < 10
        assert expected_error(scores, partition) == pytest.approx(np.mean(drawn), rel=0.02 if exact else 0.06)
    assert expected_error(np.ones(5), np.zeros(5, dtype=np.intp)) == 0
    assert expected_error(np.array([0.25]), np.zeros(1, dtype=np.intp)) == pytest.approx(2 * 0.25 * 0.75)


def test_nothing_is_undefined():
    none, partition = np.zeros(0), np.zeros(0, dtype=np.intp)
    assert math.isnan(calibration_error(none, none))
    assert math.isnan(grouped_error(none, none, partition))
    assert math.isnan(largest_error(none, none, partition))
    assert math.isnan(expected_error(none, partition))
    assert math.isnan(selective_accuracy(none, none))
