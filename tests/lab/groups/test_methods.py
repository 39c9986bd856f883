"""The methods against scikit-learn and loops; test rows are never looked at."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaln
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from radcal.lab.groups.comparison import BASELINES, METHODS, grouped_error, selective_accuracy
from radcal.lab.groups.methods import (
    Rows,
    apply_methods,
    bin_of,
    few_numbers,
    informative_cuts,
    misspecified,
    pooled_shares,
    split_rows,
)

TREE, CALIBRATION, TUNING, TEST = range(4)


def made_up(n=2000, partitions=4, seed=0, values=(0.6, 0.8, 0.9, 0.95, 1.0)):
    """An author who is right in 45 to 90 %, by partition, and no more often where more certain than a little."""
    rng = np.random.default_rng(seed)
    partition = rng.integers(0, partitions, n)
    scores = rng.choice(values, n)
    truth = np.linspace(0.45, 0.9, partitions)[partition] + 0.3 * (scores - 0.85)
    outcomes = (rng.random(n) < truth).astype(float)
    return Rows(scores, outcomes, split_rows(n, rng), partition, partitions)


def applied(rows, points=None, seed=7):
    return apply_methods(rows, points, np.random.default_rng(seed))


def test_the_split_is_20_60_10_10():
    split = split_rows(1000, np.random.default_rng(0))
    assert np.bincount(split).tolist() == [200, 600, 100, 100]
    assert split_rows(1000, np.random.default_rng(0)).tolist() == split.tolist()
    assert (np.bincount(split_rows(101, np.random.default_rng(1))) >= 10).all()


def test_maps_of_all_partitions_are_those_of_scikit_learn_on_the_calibration_rows():
    rows = made_up()
    said, *_ = applied(rows)
    own = rows.at(CALIBRATION)
    line = LogisticRegression(C=1e9, tol=1e-10).fit(rows.scores[own, None], rows.outcomes[own])
    assert said["platt"] == pytest.approx(line.predict_proba(rows.scores[:, None])[:, 1], abs=0.005)
    steps = IsotonicRegression(out_of_bounds="clip").fit(rows.scores[own], rows.outcomes[own])
    assert said["isotonic"] == pytest.approx(steps.predict(rows.scores))
    assert said["none"].tolist() == rows.scores.tolist()


@pytest.mark.parametrize("points", [30, 100])
def test_binning_is_of_equal_mass_though_certainties_are_tied(points):
    rows = made_up()
    said, b, *_ = applied(rows, points)
    assert b == points
    own = rows.at(CALIBRATION)
    values, n = np.unique(said["umd"][own], return_counts=True)
    assert len(values) <= len(own) // points
    assert n.min() >= points
    for k in range(rows.partitions):
        here = own[rows.partition[own] == k]
        for value in np.unique(said["qab"][here]):
            bin_ = here[said["qab"][here] == value]
            assert len(bin_) >= points
            assert rows.outcomes[bin_].mean() == pytest.approx(value)


def test_hierarchical_binning_is_near_the_share_of_bins_that_are_large_enough():
    rows = made_up()
    said, b, moved, *_ = applied(rows)
    own = rows.at(CALIBRATION)
    for k in range(rows.partitions):
        here = own[rows.partition[own] == k]
        values = np.unique(said["hs_qab"][here])
        assert len(values) <= 10
        bins = [here[said["hs_qab"][here] == value] for value in values]
        assert min(map(len, bins)) >= b
        assert max(abs(rows.outcomes[bin_].mean() - value) for bin_, value in zip(bins, values, strict=True)) == (
            pytest.approx(moved[k])
        )
    assert 0 < moved.max() < 0.03


def test_scaling_qa_binning_is_algorithm_3_to_the_letter():
    """The map is fitted on one half of the calibration rows, and its values stand for outcomes of the other."""
    rows = made_up(3000)
    made = applied(rows, 60)
    said, binned = made.scores, made.binned
    to_scale = np.setdiff1d(rows.at(CALIBRATION), binned)
    assert abs(len(to_scale) - len(binned)) <= 1
    line = LogisticRegression(C=1e9, tol=1e-10).fit(rows.scores[to_scale, None], rows.outcomes[to_scale])
    design = np.column_stack([rows.scores, *((rows.partition == k) * f for k in range(4) for f in (1, rows.scores))])
    apart = LogisticRegression(C=1.0, max_iter=10_000).fit(design[to_scale], rows.outcomes[to_scale])
    labels = {
        "s_qab": line.predict_proba(rows.scores[:, None])[:, 1],
        "hs_qab_paper": apart.predict_proba(design)[:, 1],  # another way to pool in part: nearly the same
    }
    for method, label in labels.items():
        for k in range(4):
            own = binned[rows.partition[binned] == k]
            values = np.unique(said[method][own])
            assert 2 <= len(values) <= len(own) // 60
            for value in values:
                bin_ = own[said[method][own] == value]
                assert len(bin_) >= 60
                assert label[bin_].mean() == pytest.approx(value, abs=0.01 if method == "s_qab" else 0.04)
    # One map for all partitions cannot be right in each.
    test = rows.at(TEST)
    errors = {m: grouped_error(said[m][test], rows.outcomes[test], rows.partition[test]) for m in labels}
    assert errors["hs_qab_paper"] < 0.6 * errors["s_qab"]


def test_nu_is_the_largest_difference_at_any_certainty():
    scores, outcomes = np.array([0.5, 0.5, 0.9, 0.9, 0.9, 0.9]), np.array([0.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    assert misspecified(scores, outcomes, np.full(6, 0.6)) == pytest.approx(0.15)  # 0.5 - 0.6 and 0.75 - 0.6
    assert misspecified(scores, outcomes, outcomes) == 0
    # Where the rate is 0.8 and one label in ten is turned round, labels are right in 0.74.
    rng = np.random.default_rng(0)
    scores = rng.choice([0.2, 0.8], 200_000)
    outcomes = (rng.random(200_000) < scores).astype(float)
    labels = np.where(rng.random(200_000) < 0.1, 1 - outcomes, outcomes)
    assert misspecified(scores, outcomes, labels) == pytest.approx(0.06, abs=0.005)
    assert np.isnan(misspecified(scores[:0], outcomes[:0], labels[:0]))


def test_a_small_partition_leans_on_the_others():
    rng = np.random.default_rng(0)
    n = 2000
    partition = np.where(np.arange(n) < 20, 0, 1 + np.arange(n) % 4)
    outcomes = (rng.random(n) < 0.8).astype(float)
    outcomes[partition == 0] = 0.0
    rows = Rows(rng.choice([0.7, 0.9], n), outcomes, split_rows(n, rng), partition, 5)
    said = applied(rows)[0]
    small = partition == 0
    assert 0.02 < said["hs_qab"][small].max() < 0.5
    assert said["qab"][small].max() == 0


def test_shares_are_pooled_as_an_integral_says():
    y, n, expected = np.array([8.0, 3.0, 0.0]), np.array([10.0, 12.0, 0.0]), np.array([0.6, 0.4, 0.3])
    strengths = [2.0**k for k in range(13)]
    weights = [
        np.prod(
            [
                np.exp(betaln(a + s * m, b - a + s * (1 - m)) - betaln(s * m, s * (1 - m)))
                for a, b, m in zip(y, n, expected, strict=True)
            ]
        )
        for s in strengths
    ]
    by_hand = [
        sum(w * (a + s * m) / (b + s) for w, s in zip(weights, strengths, strict=True)) / sum(weights)
        for a, b, m in zip(y, n, expected, strict=True)
    ]
    assert pooled_shares(y, n, expected) == pytest.approx(by_hand)
    assert pooled_shares(y, n, expected)[2] == pytest.approx(0.3)
    # Many bins that agree with what is expected are drawn to it, many that do not are left alone.
    n, m = np.full(200, 50.0), np.linspace(0.2, 0.8, 200)
    agreed = np.random.default_rng(0).binomial(50, m)
    assert np.abs(pooled_shares(agreed, n, m) - m).max() < 0.02
    assert np.abs(pooled_shares(n * (1 - m), n, m) - (1 - m)).max() < 0.03


@pytest.mark.parametrize("points", [None, 40])
def test_no_outcome_of_a_test_row_is_used(points):
    rows = made_up(seed=3)
    changed = rows.outcomes.copy()
    changed[rows.at(TEST)] = 1 - changed[rows.at(TEST)]
    before, after = applied(rows, points), applied(rows._replace(outcomes=changed), points)
    assert before.points == after.points
    for method in METHODS:
        assert before[0][method].tolist() == after[0][method].tolist()


def test_no_outcome_of_a_tuning_row_is_used_where_b_is_given():
    rows = made_up(seed=4)
    changed = rows.outcomes.copy()
    changed[rows.at(TUNING)] = 1 - changed[rows.at(TUNING)]
    before, after = applied(rows, 50)[0], applied(rows._replace(outcomes=changed), 50)[0]
    assert all(before[method].tolist() == after[method].tolist() for method in METHODS)


def test_the_baselines_know_no_partitions_and_the_others_not_their_names():
    rows = made_up(seed=5)
    before, moved = applied(rows)[0], rows._replace(partition=(rows.partition + 1) % 4)
    after = applied(moved, applied(rows)[1])[0]
    for method in METHODS:
        assert before[method] == pytest.approx(after[method], abs=1e-9)
    one = applied(rows._replace(partition=np.zeros_like(rows.partition), partitions=1), 60)[0]
    other = applied(rows, 60)[0]
    assert all(one[method].tolist() == other[method].tolist() for method in BASELINES)


def test_hierarchical_binning_is_calibrated_in_partitions_where_the_baselines_are_not():
    errors = {method: [] for method in METHODS}
    for seed in range(6):
        rows = made_up(4000, 6, seed)
        said, *_ = applied(rows)
        test = rows.at(TEST)
        for method in METHODS:
            errors[method].append(grouped_error(said[method][test], rows.outcomes[test], rows.partition[test]))
    mean = {method: np.mean(e) for method, e in errors.items()}
    assert mean["hs_qab"] <= 0.6 * min(mean[method] for method in BASELINES)
    assert mean["hs_qab"] <= mean["qab"]


def test_certainty_that_tells_something_is_kept():
    rng = np.random.default_rng(0)
    scores, partition = rng.choice([0.5, 0.7, 0.99], 4000), rng.integers(0, 2, 4000)
    outcomes = (rng.random(4000) < np.where(scores > 0.9, 0.95, np.where(scores > 0.6, 0.6, 0.3))).astype(float)
    rows = Rows(scores, outcomes, split_rows(4000, rng), partition, 2)
    said, *_ = applied(rows)
    test = rows.at(TEST)
    assert len(np.unique(said["hs_qab"][(partition == 0)])) >= 2
    kept, possible = (selective_accuracy(said[m][test], outcomes[test]) for m in ("hs_qab", "isotonic"))
    assert kept > possible - 0.02


hard = st.tuples(
    st.integers(100, 260),
    st.sampled_from([(0.9,), (0.0, 1.0), (0.5, 0.9), tuple(np.linspace(0, 1, 101))]),
    st.sampled_from([0.0, 0.03, 0.5, 1.0]),
    st.integers(1, 40),
    st.integers(0, 10**6),
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(hard, st.sampled_from([None, 2, 500]))
def test_anything_can_be_fitted(drawn, points):
    n, values, rate, partitions, seed = drawn
    rng = np.random.default_rng(seed)
    # Most rows in the first partitions, so that some have none in a split.
    partition = np.minimum(rng.geometric(0.3, n) - 1, partitions - 1)
    outcomes = (rng.random(n) < rate).astype(float)
    rows = Rows(rng.choice(values, n), outcomes, split_rows(n, rng), partition, partitions)
    said, b, *_ = applied(rows, points)
    assert b >= 2
    assert list(said) == list(METHODS)
    for method, scores in said.items():
        assert np.isfinite(scores).all(), method
        assert scores.min() >= 0, method
        assert scores.max() <= 1, method
    assert len(np.unique(said["hs_qab"])) <= 10


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), min_size=1, max_size=13).filter(
        lambda d: sum(n for _, n in d)
    )
)
def test_numbers_that_lie_nearest_become_one(drawn):
    """Against all ways to cut the sorted values into ten."""
    values, counts = (np.array(column) for column in zip(*drawn, strict=True))
    values = np.round(values, 6)
    said = few_numbers(values, counts)
    assert len(np.unique(said)) <= 10
    assert said @ counts == pytest.approx(values @ counts)
    there = np.unique(values[counts > 0])
    n = np.array([counts[values == v].sum() for v in there])

    def lost(cuts):
        parts = np.split(np.arange(len(there)), cuts)
        return sum(n[p] @ (there[p] - np.average(there[p], weights=n[p])) ** 2 for p in parts)

    least = min(map(lost, combinations(range(1, len(there)), min(10, len(there)) - 1)))
    assert counts @ (values - said) ** 2 == pytest.approx(least, abs=1e-9)
    if len(there) <= 10:
        assert said[counts > 0] == pytest.approx(values[counts > 0])


def test_ten_numbers_serve_all_partitions_and_the_bound_knows_what_they_cost():
    rows = made_up(20000, 16)
    said, _, moved, *_ = applied(rows, 100)
    assert 8 <= len(np.unique(said["hs_qab"])) <= 10
    own = rows.at(CALIBRATION)
    for k in range(16):
        here = own[rows.partition[own] == k]
        for number in np.unique(said["hs_qab"][here]):
            share = rows.outcomes[here[said["hs_qab"][here] == number]].mean()
            assert abs(share - number) <= moved[k] + 1e-12


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.4, 0.8]), st.sampled_from([0.0, 1.0])), min_size=4, max_size=120),
    st.integers(2, 8),
)
def test_bins_hold_enough_rows_and_rise_by_more_than_chance(drawn, points):
    scores, outcomes = (np.array(column) for column in zip(*drawn, strict=True))
    points = min(points, len(scores))
    cuts = informative_cuts(scores, outcomes, points)
    place = bin_of(scores, cuts)
    n = np.bincount(place, minlength=len(cuts) + 1)
    assert n.min() >= points
    share = [outcomes[place == k].mean() for k in range(len(n))]
    reach = np.log(2 * len(scores) / (points * 0.1)) / 2
    assert (np.diff(share) > np.sqrt(reach * (1 / (n[1:] - 1) + 1 / (n[:-1] - 1)))).all()


def test_many_different_scores_are_cut_as_fast_as_few():
    rng = np.random.default_rng(0)
    scores = rng.random(20000)
    outcomes = (rng.random(20000) < scores).astype(float)
    cuts = informative_cuts(scores, outcomes, 500)
    assert cuts == pytest.approx(np.linspace(0.1, 0.9, 9), abs=0.05)
