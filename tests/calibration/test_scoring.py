"""Scores against their definitions, quadrature, counting and Monte Carlo."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from radcal.calibration import scoring
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase


def phrase(name: str, alpha: float, beta: float) -> Phrase:
    return Phrase(name, alpha, beta, 0, 1)


WORDS = (
    phrase("absent", 0, 1),
    phrase("unlikely", 1.3, 12.4),
    phrase("possible", 2.0, 2.6),
    phrase("likely", 3.9, 1.1),
    phrase("present", 1, 0),
)
BINS = bin_phrases(WORDS, 100)
COUNTS = arrays(np.float64, (2, 5), elements=st.integers(0, 40)).filter(np.any)
"""Unconfirmed and confirmed uses of each phrase."""
OF_BINS = (
    scoring.ece, scoring.ece_star, scoring.mce, scoring.word_error, scoring.brier, scoring.accuracy, scoring.auroc,
)  # fmt: skip


def test_mean_certainty_of_a_bin_lies_in_the_bin_to_the_farthest_tail() -> None:
    bins = bin_phrases([phrase("low", 1.3, 60), phrase("high", 60, 1.3)], 100)
    held = bins.weight > 0
    assert (bins.weight >= 0).all()
    stated = bins.moment[held] / bins.weight[held]
    m = np.nonzero(held)[1]
    assert (stated >= bins.edges[m] - 1e-9).all()
    assert (stated <= bins.edges[m + 1] + 1e-9).all()


def test_scores_of_plain_statements_by_hand() -> None:
    """10 times present, 8 confirmed; 10 times absent, 1 confirmed."""
    n, y = np.array([10.0, 0, 0, 0, 10]), np.array([1.0, 0, 0, 0, 8])
    assert scoring.ece(n, y, BINS) == pytest.approx((1 + 2) / 20)
    assert scoring.mce(n, y, BINS) == pytest.approx(0.2)
    assert scoring.brier(n, y, BINS) == pytest.approx(3 / 20)
    assert scoring.accuracy(n, y, BINS) == pytest.approx(17 / 20)
    assert scoring.auroc(n, y, BINS) == pytest.approx((8 * 9 + 0.5 * (8 * 2 + 1 * 9)) / (9 * 11))
    assert scoring.resolution(n, y) == pytest.approx(((0.8 - 0.45) ** 2 + (0.1 - 0.45) ** 2) / 2)
    assert scoring.sharpness(n, BINS) == pytest.approx(0.25)
    assert np.isnan(scoring.ece_star(n, y, BINS))


def test_ece_is_the_mean_gap_between_the_curve_and_the_diagonal() -> None:
    n, y = np.array([5.0, 20, 30, 25, 7]), np.array([0.0, 3, 20, 15, 7])
    mass = n @ BINS.weight
    rate, stated = y @ BINS.weight / mass, n @ BINS.moment / mass
    gap = np.abs(rate - stated)
    assert scoring.ece(n, y, BINS) == pytest.approx((mass * gap).sum() / n.sum())
    assert scoring.mce(n, y, BINS) == pytest.approx(gap.max())
    inner = slice(1, -1)
    assert scoring.ece_star(n, y, BINS) == pytest.approx((mass * gap)[inner].sum() / mass[inner].sum())
    hedged = slice(1, 4)
    off = np.abs(y - n * [0, 1.3 / 13.7, 2 / 4.6, 3.9 / 5, 1])[hedged].sum()
    assert scoring.word_error(n, y, BINS) == pytest.approx(off / n[hedged].sum())
    assert scoring.word_error(n, y, BINS, np.array([True] * 5)) == pytest.approx((off + 0) / n.sum())


def test_brier_and_accuracy_agree_with_drawn_certainties() -> None:
    rng = np.random.default_rng(1)
    n, y = np.array([5.0, 20, 30, 25, 7]), np.array([0.0, 3, 20, 15, 7])
    draws = 200_000
    k = rng.choice(5, size=draws, p=n / n.sum())
    spread = [np.zeros(draws), *(rng.beta(p.alpha, p.beta, draws) for p in WORDS[1:4]), np.ones(draws)]
    certainty = np.choose(k, spread)
    outcome = rng.random(draws) < (y / n)[k]
    assert scoring.brier(n, y, BINS) == pytest.approx(((certainty - outcome) ** 2).mean(), abs=0.003)
    assert scoring.accuracy(n, y, BINS) == pytest.approx(((certainty > 0.5) == outcome).mean(), abs=0.005)


@settings(deadline=None)
@given(COUNTS)
def test_auroc_agrees_with_counting_pairs(table: np.ndarray) -> None:
    no, yes = table
    wins = total = 0.0
    for i, a in enumerate(BINS.mean):
        for j, b in enumerate(BINS.mean):
            total += yes[i] * no[j]
            wins += yes[i] * no[j] * ((a > b) + 0.5 * (a == b))
    result = scoring.auroc(no + yes, yes, BINS)
    assert result == pytest.approx(wins / total, nan_ok=True) if total else np.isnan(result)


@settings(deadline=None)
@given(COUNTS)
def test_murphy_decomposition_adds_up(table: np.ndarray) -> None:
    yes, n = table[1], table.sum(axis=0)
    used = n > 0
    total, rate, base = n.sum(), yes[used] / n[used], yes.sum() / n.sum()
    squared = (yes * (1 - BINS.mean) ** 2 + (n - yes) * BINS.mean**2).sum() / total
    reliability = (n[used] * (BINS.mean[used] - rate) ** 2).sum() / total
    assert squared == pytest.approx(reliability - scoring.resolution(n, yes) + base * (1 - base), abs=1e-12)


@settings(deadline=None)
@given(COUNTS, st.permutations(range(5)), st.integers(2, 9))
def test_order_of_phrases_and_size_of_the_sample_do_not_matter(table: np.ndarray, order: list[int], times: int) -> None:
    n, y = table.sum(axis=0), table[1]
    other = bin_phrases([WORDS[i] for i in order], 100)
    for score in OF_BINS:
        assert score(times * n[order], times * y[order], other) == pytest.approx(float(score(n, y, BINS)), nan_ok=True)
    assert scoring.resolution(times * n, times * y) == pytest.approx(float(scoring.resolution(n, y)), abs=1e-12)


@settings(deadline=None)
@given(COUNTS)
def test_scores_stay_in_their_ranges(table: np.ndarray) -> None:
    n, y = table.sum(axis=0), table[1]
    for score in (scoring.ece, scoring.mce, scoring.brier, scoring.accuracy):
        assert -1e-12 <= score(n, y, BINS) <= 1 + 1e-12
    assert scoring.ece(n, y, BINS) <= scoring.mce(n, y, BINS) + 1e-12
    assert -1e-12 <= scoring.resolution(n, y) <= 0.25 + 1e-12
    assert -1e-12 <= scoring.sharpness(n, BINS) <= 0.25 + 1e-12


def test_groups_and_resamples_are_leading_axes_and_nothing_is_nan() -> None:
    n = np.array([[[5.0, 20, 30, 25, 7], [0, 0, 0, 0, 0], [9, 1, 2, 8, 0]]])
    y = n / 2
    for score in OF_BINS:
        result = score(n, y, BINS)
        assert result.shape == (1, 3)
        assert np.isnan(result[0, 1])
        for q in (0, 2):
            assert result[0, q] == pytest.approx(float(score(n[0, q], y[0, q], BINS)))
    assert np.isnan(scoring.resolution(n, y)[0, 1])
    assert np.isnan(scoring.sharpness(n, BINS)[0, 1])


def test_resolution_and_sharpness_of_many_groups_are_variances_over_the_statements_of_each() -> None:
    """Every statement written out, with the rate and the meaning of its phrase."""
    rng = np.random.default_rng(4)
    n = rng.integers(0, 30, (3, 4, 5))
    n[1, 2] = 0
    n[0, 1, 3] = 0
    y = rng.binomial(n, rng.random((3, 4, 1)))
    resolution, sharpness = scoring.resolution(1.0 * n, 1.0 * y), scoring.sharpness(1.0 * n, BINS)
    assert resolution.shape == sharpness.shape == (3, 4)
    for group in np.ndindex(3, 4):
        if not n[group].any():
            assert np.isnan(resolution[group])
            assert np.isnan(sharpness[group])
            continue
        rates = [yes / of for of, yes in zip(n[group], y[group], strict=True) for _ in range(of)]
        meanings = [mean for of, mean in zip(n[group], BINS.mean, strict=True) for _ in range(of)]
        assert resolution[group] == pytest.approx(np.var(rates))
        assert sharpness[group] == pytest.approx(np.var(meanings))
