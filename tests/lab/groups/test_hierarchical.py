"""The partially pooled logistic map: its mode against a general optimiser, and pooling where it is due."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from radcal.lab.groups import hierarchical


def made_up(spread, slope_spread=0.0, partitions=12, n=200, seed=0):
    rng = np.random.default_rng(seed)
    partition = np.repeat(np.arange(partitions), n)
    scores = rng.choice([0.6, 0.8, 0.9, 0.95, 0.99], partitions * n)
    intercept, slope = rng.normal(0, spread, partitions), 0.8 + rng.normal(0, slope_spread, partitions)
    truth = expit(intercept[partition] + slope[partition] * np.log(scores / (1 - scores)) - 1)
    return scores, (rng.random(len(truth)) < truth).astype(float), partition, truth


def test_the_mode_is_that_of_a_general_optimiser():
    scores, outcomes, partition, _ = made_up(0.7, 0.3, partitions=4, n=80)
    fitted = hierarchical.fit(scores, outcomes, partition, 4)
    z = (np.log(scores / (1 - scores)) - fitted.centre) / fitted.scale
    positives, negatives = outcomes.sum(), (1 - outcomes).sum()
    target = outcomes * (positives + 1) / (positives + 2) + (1 - outcomes) / (negatives + 2)

    def loss(x):
        overall, own = x[:2], x[2:].reshape(4, 2)
        line = (overall + own)[partition]
        eta = line[:, 0] + line[:, 1] * z
        likelihood = target @ log_expit(eta) + (1 - target) @ log_expit(-eta)
        return -likelihood + 0.005 * (overall**2).sum() + (own**2 / fitted.variance).sum() / 2

    best = minimize(loss, np.zeros(10), method="BFGS", options={"gtol": 1e-7, "maxiter": 5000}).x
    assert fitted.overall == pytest.approx(best[:2], abs=0.01)
    assert fitted.line == pytest.approx(best[:2] + best[2:].reshape(4, 2), abs=0.01)


def test_partitions_that_behave_alike_are_pooled_and_others_are_not():
    alike, unlike = (hierarchical.fit(*made_up(spread)[:3], 12) for spread in (0.0, 1.0))
    assert alike.variance[0] < 0.05 < 0.4 < unlike.variance[0] < 2.5
    assert np.ptp(alike.line[:, 0]) < 0.3
    assert np.ptp(unlike.line[:, 0]) > 1.5


@pytest.mark.parametrize("spread", [0.0, 0.4, 1.5])
def test_pooling_is_nearer_to_the_truth_than_either_extreme(spread):
    errors = np.zeros(3)
    for seed in range(4):
        scores, outcomes, partition, truth = made_up(spread, 0.2, 8, n=40, seed=seed)
        together = np.zeros_like(partition)
        said = [
            hierarchical.fit(scores, outcomes, partition, 8)(scores, partition),
            hierarchical.fit(scores, outcomes, together, 1)(scores, together),
            np.concatenate(
                [
                    hierarchical.fit(scores[own], outcomes[own], together[own], 1)(scores[own], together[own])
                    for own in (partition == k for k in range(8))
                ]
            ),
        ]
        errors += [((s - truth) ** 2).mean() for s in said]
    assert errors[0] <= 1.1 * errors[1:].min()


@pytest.mark.parametrize("outcome", [0.0, 1.0])
def test_one_class_one_certainty_and_unseen_partitions_have_an_answer(outcome):
    scores, outcomes = np.full(50, 0.9), np.full(50, outcome)
    partition = np.zeros(50, dtype=np.intp)
    fitted = hierarchical.fit(scores, outcomes, partition, 3)
    said = fitted(np.array([0.0, 0.9, 1.0]), np.array([0, 1, 2]))
    assert np.isfinite(said).all()
    assert np.abs(said[1] - outcome) < 0.1
    assert fitted.line[2] == pytest.approx(fitted.overall)
