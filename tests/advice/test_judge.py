"""Judging plans: scores before and after, order, and halves that a plan has not seen."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.advice.judge import HALVINGS, judged, tried
from radcal.advice.ordered import Guards
from radcal.advice.solve import make_solver, order_violations
from radcal.calibration import scoring
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases

POSITIVE = np.array([0.0, 1.0])


def test_a_judgement_is_the_scores_before_and_after(lexicon, draw):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 300, lambda m: m**2)
    plan = np.eye(len(n))[:, ::-1]
    j = judged(n, y, n @ plan, y @ plan, bins)
    assert j.n == 300
    for name, score in (("ece", scoring.ece), ("brier", scoring.brier), ("word_error", scoring.word_error)):
        assert getattr(j, f"{name}_before") == pytest.approx(float(score(n, y, bins)))
        assert getattr(j, f"{name}_after") == pytest.approx(float(score(n[::-1], y[::-1], bins)))


def test_a_judgement_of_several_halves_is_their_mean_where_there_is_one(lexicon):
    """Without a hedge there is no word error to take the mean of."""
    bins = bin_phrases(lexicon)
    plain = (bins.mean == 0) | (bins.mean == 1)
    n = np.stack([np.where(plain, 10.0, 0.0), np.full(len(lexicon), 10.0)])
    j = judged(n, n / 2, n, n / 2, bins)
    assert j.n == n.sum() / 2
    assert j.word_error_before == pytest.approx(float(scoring.word_error(n[1], n[1] / 2, bins)))
    assert j.ece_before == pytest.approx(float(scoring.ece(n, n / 2, bins).mean()))
    assert np.isnan(judged(*[n[:1]] * 4, bins).word_error_after)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 6), st.booleans(), st.booleans())
def test_order_violations_are_counted_pair_by_pair(seed, size, tied, whole):
    rng = np.random.default_rng(seed)
    mean = rng.choice([0.2, 0.5, 0.8], size) if tied else rng.permutation(np.linspace(0.1, 0.9, size))
    plan = rng.permuted(np.eye(size), axis=1) if whole else rng.dirichlet(np.full(size, 0.3), size=size)
    covered = rng.random(size) < 0.8
    expected = 0
    for weak, strong in itertools.permutations(np.flatnonzero(covered & (np.diag(plan) < 1)), 2):
        if mean[weak] < mean[strong]:
            words = np.unique(mean)
            expected += any(plan[strong][mean <= w].sum() > plan[weak][mean <= w].sum() + 1e-3 for w in words)
    assert order_violations(plan, mean, covered) == expected


def test_halves_are_judged_on_what_the_solver_did_not_see(lexicon):
    """Whatever a plan was fitted to, the rest of the table is what it is judged on: all less the half that was seen."""
    bins = bin_phrases(lexicon)
    counts = np.random.default_rng(3).integers(0, 12, (len(lexicon), 2)).astype(float)
    seen, made = [], []

    def solver(n, y):
        """Every half has a plan of its own."""
        seen.extend(zip(n, y, strict=True))
        plans = [np.eye(n.shape[1])[np.argsort(confirmed)] for confirmed in y]
        made.extend(plans)
        return np.array(plans)

    train, test = tried(counts, POSITIVE, bins, solver, np.random.default_rng(0))
    assert len(seen) == 2 * HALVINGS
    unseen = [(counts.sum(axis=1) - n, counts[:, 1] - y) for n, y in seen]
    assert train.n == test.n == counts.sum() / 2
    assert train.ece_before == pytest.approx(np.mean([scoring.ece(n, y, bins) for n, y in seen]))
    assert test.ece_before == pytest.approx(np.mean([scoring.ece(n, y, bins) for n, y in unseen]))
    for judged_on, judgement in ((seen, train), (unseen, test)):
        after = [scoring.brier(n @ plan, y @ plan, bins) for (n, y), plan in zip(judged_on, made, strict=True)]
        assert judgement.brier_after == pytest.approx(np.mean(after))
    # Each halving is used both ways: its two plans have seen the whole table together.
    for (n, y), (other_n, other_y) in zip(seen[::2], seen[1::2], strict=True):
        np.testing.assert_array_equal(n + other_n, counts.sum(axis=1))
        np.testing.assert_array_equal(y + other_y, counts[:, 1])


@pytest.mark.parametrize("solver", ["ordered", "paper"])
def test_every_solver_answers_with_rows_that_add_to_one(lexicon, draw, solver):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 200, lambda m: m / 2, spread=0.5)
    guards = Guards(10, np.ones(len(n), bool), 12, 0.95)
    for target in (None, np.arange(1.0, len(n) + 1)):
        plan = make_solver(bins, guards, Settings(solver=solver), target)(n[None], y[None])[0]
        np.testing.assert_allclose(plan.sum(axis=1), 1)
        assert (plan >= 0).all()
        np.testing.assert_array_equal(plan[n < 10], np.eye(len(n))[n < 10])
    everything = make_solver(bins, Guards(0, guards.allowed, 12, 0.95), Settings(), target)(n[None], y[None])[0]
    np.testing.assert_allclose((n / n.sum()) @ everything, target / target.sum(), atol=5e-3)
