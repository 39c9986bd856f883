"""Judging plans: scores before and after, order, directions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal import scoring
from radcal.advise.halves import resample
from radcal.advise.judge import FITS_BETWEEN_STOPS, directions, held_out, held_out_errors, judged, split_half
from radcal.advise.solve import make_solver, order_violations
from radcal.errors import Cancelled
from radcal.lexicon.bins import bin_phrases
from radcal.progress import SILENT
from radcal.settings import Settings

POSITIVE = np.array([0.0, 1.0])


def _stay(n, _y):
    return np.tile(np.eye(n.shape[1]), (len(n), 1, 1))


def test_a_judgement_is_the_scores_before_and_after(lexicon, draw):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 300, lambda m: m**2)
    plan = np.eye(len(n))[:, ::-1]
    j = judged(plan, n, y, bins)
    assert j.n == 300
    assert j.ece_before == scoring.ece(n, y, bins)
    assert j.brier_before == scoring.brier(n, y, bins)
    assert j.ece_after == pytest.approx(scoring.ece(n[::-1], y[::-1], bins))
    assert j.brier_after == pytest.approx(scoring.brier(n[::-1], y[::-1], bins))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 6), st.booleans())
def test_order_violations_are_counted_pair_by_pair(seed, size, tied):
    rng = np.random.default_rng(seed)
    mean = rng.choice([0.2, 0.5, 0.8], size) if tied else rng.permutation(np.linspace(0.1, 0.9, size))
    plan = rng.dirichlet(np.full(size, 0.3), size=size)
    covered = rng.random(size) < 0.8
    expected = 0
    for weak, strong in itertools.permutations(np.flatnonzero(covered), 2):
        if mean[weak] < mean[strong]:
            words = np.unique(mean)
            expected += any(plan[strong][mean <= w].sum() > plan[weak][mean <= w].sum() + 1e-3 for w in words)
    assert order_violations(plan, mean, covered) == expected


def test_swapped_words_are_a_violation_and_uncovered_ones_do_not_count():
    mean = np.array([0.1, 0.5, 0.9])
    swap = np.eye(3)[[1, 0, 2]]
    everything = np.ones(3, bool)
    assert order_violations(np.eye(3), mean, everything) == 0
    assert order_violations(swap, mean, everything) == 1
    assert order_violations(swap, mean, np.array([True, False, True])) == 0


def test_halves_are_judged_on_what_the_solver_did_not_see(lexicon):
    bins = bin_phrases(lexicon)
    seen = []

    def solver(n, y):
        seen.append((n[0], y[0]))
        return _stay(n, y)

    counts = np.tile([7.0, 4.0], (len(lexicon), 1))
    train, test = split_half(counts, POSITIVE, bins, solver, np.random.default_rng(0))
    (n, y) = seen[0]
    assert train.n == n.sum()
    assert test.n == counts.sum() - n.sum()
    assert train.ece_before == train.ece_after == scoring.ece(n, y, bins)
    assert test.ece_before == pytest.approx(scoring.ece(counts.sum(axis=1) - n, counts[:, 1] - y, bins))


def test_held_out_error_of_staying_is_the_error_itself(lexicon):
    bins = bin_phrases(lexicon)
    counts = np.tile([7.0, 4.0], (len(lexicon), 1))
    before, after = held_out_errors(counts, POSITIVE, bins, _stay, np.random.default_rng(0), SILENT).mean(axis=0)
    assert before == after
    assert before > 0.1


def test_held_out_plans_are_judged_on_the_half_that_they_were_not_fitted_to(lexicon):
    """Whatever a plan was fitted to, the rest of the table is what it is judged on: all less the half that was seen."""
    bins = bin_phrases(lexicon)
    counts = np.random.default_rng(3).integers(0, 12, (len(lexicon), 2)).astype(float)
    plan = np.eye(len(lexicon))[::-1]
    seen = []

    def solver(n, y):
        seen.extend(zip(n, y, strict=True))
        return np.tile(plan, (len(n), 1, 1))

    errors = held_out_errors(counts, POSITIVE, bins, solver, np.random.default_rng(0), SILENT)
    expected = []
    for n, y in seen:
        unseen_n, unseen_y = counts.sum(axis=1) - n, counts[:, 1] - y
        expected.append([scoring.ece(unseen_n, unseen_y, bins), scoring.ece(unseen_n[::-1], unseen_y[::-1], bins)])
    np.testing.assert_allclose(errors, expected)
    # Each halving is used both ways: its two plans have seen the whole table together.
    first, second = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    for (n, y), (other_n, other_y) in zip(first, second, strict=True):
        np.testing.assert_array_equal(n + other_n, counts.sum(axis=1))
        np.testing.assert_array_equal(y + other_y, counts[:, 1])


def test_held_out_errors_have_their_mean_and_the_ends_of_nine_in_ten():
    """Of 0, 1, ... 20 hundredths the 5th percentile is the second least and the 95th the second largest."""
    rng = np.random.default_rng(1)
    before, after = np.arange(21) / 100, 0.5 - np.arange(21) ** 2 / 1000
    order = rng.permutation(21)
    found = held_out(np.stack([before[order], after[order]], axis=1))
    assert found.halves == 21
    assert (found.before, found.before_low, found.before_high) == pytest.approx((0.10, 0.01, 0.19))
    assert (found.after, found.after_low, found.after_high) == pytest.approx((0.5 - 2870 / 21_000, 0.139, 0.499))
    assert found.lower == pytest.approx(sum(0.5 - i * i / 1000 < i / 100 for i in range(21)) / 21)
    undecided = np.array([[0.2, 0.2], [0.3, 0.1], [0.1, 0.3], [0.4, 0.4]])
    assert held_out(undecided).lower == 0.25, "an error that stays as it was is not lowered"


def test_directions_count_every_fit_of_many_once():
    """More fits than are made at a time: as if each table had been fitted alone."""
    fits = 2 * FITS_BETWEEN_STOPS + 7
    mean = np.array([0.2, 0.5, 0.8])
    counts = np.array([[6.0, 2.0], [5.0, 5.0], [1.0, 7.0]])
    sizes = []

    def plan(n, y):
        """Up where more than half were confirmed, down where fewer, as far as there are words."""
        step = np.sign(2 * y - n).astype(int)
        return np.eye(3)[np.clip(np.arange(3) + step, 0, 2)]

    def solver(n, y):
        sizes.append(len(n))
        return np.array([plan(*one) for one in zip(n, y, strict=True)])

    shares = directions(counts, POSITIVE, mean, solver, fits, np.random.default_rng(5), SILENT)
    expected = np.zeros((3, 3))
    for table in resample(counts, fits, np.random.default_rng(5)):
        moved = plan(table.sum(axis=1), table[:, 1]).argmax(axis=1)
        for k in range(3):
            expected[np.sign(moved[k] - k) + 1, k] += 1 / fits
    np.testing.assert_allclose(shares, expected)
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    assert max(sizes) <= FITS_BETWEEN_STOPS, "others get their turn in between"
    assert sum(sizes) == fits


def test_directions_are_shares_of_the_fits():
    mean = np.array([0.2, 0.5, 0.8])
    counts = np.array([[10.0, 10.0], [10.0, 10.0], [10.0, 10.0]])
    fits = itertools.cycle([np.eye(3)[[0, 0, 2]], np.eye(3), np.eye(3)[[0, 2, 2]], np.eye(3)[[0, 2, 2]]])

    def solver(n, _y):
        return np.array([next(fits) for _ in n])

    shares = directions(counts, POSITIVE, mean, solver, 100, np.random.default_rng(0), SILENT)
    np.testing.assert_allclose(shares[:, 1], [0.25, 0.25, 0.5])
    np.testing.assert_allclose(shares[:, 0], [0, 1, 0])
    assert np.isnan(directions(counts, POSITIVE, mean, _stay, 0, np.random.default_rng(0), SILENT)).all()


def test_bootstrap_and_halvings_can_be_stopped(lexicon, stopping):
    bins = bin_phrases(lexicon)
    counts = np.tile([7.0, 4.0], (len(lexicon), 1))
    with pytest.raises(Cancelled):
        directions(counts, POSITIVE, bins.mean, _stay, 10, np.random.default_rng(0), stopping)
    with pytest.raises(Cancelled):
        held_out_errors(counts, POSITIVE, bins, _stay, np.random.default_rng(0), stopping)


@pytest.mark.parametrize("solver", ["joint", "paper"])
def test_every_solver_answers_with_rows_that_add_to_one(lexicon, draw, solver):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 200, lambda m: m / 2, spread=0.5)
    everything = np.ones(len(n), bool)
    for target in (None, np.arange(1.0, len(n) + 1)):
        plan = make_solver(bins, n >= 10, everything, Settings(solver=solver), target)(n[None], y[None])[0]
        np.testing.assert_allclose(plan.sum(axis=1), 1)
        assert (plan >= 0).all()
        np.testing.assert_array_equal(plan[n == 0], np.eye(len(n))[n == 0])
    reached = (n / n.sum()) @ plan
    np.testing.assert_allclose(reached, target / target.sum(), atol=5e-3)


FAMILIES = {
    "hedges too little": lambda m: 0.5 + (m - 0.5) * 0.5,
    "confirmed half as often": lambda m: 0.55 * m,
    "confirmed too often": lambda m: m**0.5,
    "confirmed too rarely": lambda m: m**2,
    "calibrated": lambda m: m,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_joint_solver_beats_the_published_one_on_unseen_halves(lexicon, draw, family):
    """Held-out ECE at most 0.9 times the published solver's, over 20 splits of 4 authors with 300 statements."""
    bins = bin_phrases(lexicon)
    everything = np.ones(len(lexicon), bool)
    after = {"joint": 0.0, "paper": 0.0}
    for author in range(4):
        n, y = draw(lexicon, 300, FAMILIES[family], seed=author)
        counts = np.stack([n - y, y], axis=1)
        for solver in after:
            solve = make_solver(bins, n >= 10, everything, Settings(solver=solver), None)
            for seed in range(20):
                _, test = split_half(counts, POSITIVE, bins, solve, np.random.default_rng(seed))
                after[solver] += test.ece_after
    assert after["joint"] <= 0.9 * after["paper"]
