"""P-values from luck draws: counted while there are some, then from a fitted tail, against far more draws."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from radcal.calibration.bands import _judge
from radcal.calibration.records import Tables
from radcal.calibration.reliability import measure
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon, mean_of

WORDS = load_lexicon().phrases
MEAN = np.array([mean_of(p) for p in WORDS])
HEDGES = np.flatnonzero((MEAN > 0) & (MEAN < 1))


def p_values(luck: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """(S,) p-values of S scores under one row of draws (B,)."""
    return _judge(np.broadcast_to(luck.astype(np.float32), (len(observed), len(luck))), observed).p_value


def word_errors(rng: np.random.Generator, said: np.ndarray, draws: int) -> np.ndarray:
    """(draws,) word errors of calibrated authors who said each hedge so often (H,)."""
    mean = MEAN[HEDGES]
    return np.abs(rng.binomial(said, mean, (draws, len(said))) - said * mean).sum(axis=1) / said.sum()


def test_p_values_are_counted_up_to_the_tenth_highest_draw_and_fall_on_from_there() -> None:
    luck = np.random.default_rng(3).gamma(3.0, 0.02, 1000).astype(np.float32)
    highest = np.sort(luck)[::-1].astype(float)
    scores = np.linspace(0, 3 * highest[0], 400)
    p = p_values(luck, scores)
    assert (np.diff(p) <= 0).all()
    assert p[-1] > 0
    some = scores <= highest[9]
    tied = np.abs(luck - scores[:, None]) <= 2e-6
    counted = (1 + ((luck > scores[:, None]) & ~tied).sum(axis=1) + tied.sum(axis=1) / 2) / 1001
    assert p[some] == pytest.approx(counted[some], abs=1e-12)
    at, beyond = p_values(luck, highest[9] + np.array([0.0, 1e-9]))
    assert at == pytest.approx(10.5 / 1001)
    assert beyond == pytest.approx(at, rel=1e-6)


@pytest.mark.parametrize("draws", [stats.norm, stats.pearson3(1.0)])
def test_a_tail_of_the_fitted_family_is_found_again(draws) -> None:
    """Draws are exact quantiles of a curve; the tenth highest stands for 9.5 of them and is counted as 10.5."""
    luck = draws.ppf((np.arange(200_000) + 0.5) / 200_000)
    beyond = np.array([1e-5, 1e-7, 1e-9])
    assert p_values(luck, draws.isf(beyond)) == pytest.approx(beyond * 10.5 / 9.5, rel=0.1)


def test_fitted_p_values_are_those_of_a_hundred_times_the_draws() -> None:
    """At the score that 1 in 10,000 reaches, counting 1,000 draws gives ten times the p-value."""
    rng = np.random.default_rng(5)
    ratios = []
    for n in (30, 100, 300, 1000):
        for words in (2, 5, 14):
            said = np.zeros(len(HEDGES), dtype=int)
            said[rng.choice(len(HEDGES), words, replace=False)] = rng.multinomial(n, rng.dirichlet(np.ones(words)))
            many = word_errors(rng, said, 100_000)
            for share in (1e-3, 1e-4):
                seen = np.quantile(many, 1 - share)
                tied = np.abs(many - seen) <= 2e-6
                true = (((many > seen) & ~tied).sum() + tied.sum() / 2) / len(many)
                few = rng.choice(many, (20, 1000)).astype(np.float32)
                ratios.append(_judge(few, np.full(20, seen)).p_value / true)
    of_all = np.concatenate(ratios)
    assert 0.8 < np.median(of_all) < 1.8
    assert ((of_all > 1 / 4) & (of_all < 6)).mean() > 0.9


def test_draws_of_one_score_and_a_handful_of_draws_are_counted() -> None:
    assert p_values(np.zeros(1000), np.array([0.0, 0.1])) == pytest.approx([501 / 1001, 1 / 1001])
    assert p_values(np.arange(99) / 99, np.array([2.0])) == pytest.approx(1 / 100)
    assert np.isnan(p_values(np.full(1000, np.nan), np.array([np.nan]))).all()


def test_five_of_560_groups_that_use_words_as_their_opposites_are_found() -> None:
    rng = np.random.default_rng(11)
    use = rng.dirichlet(np.ones(len(HEDGES)), 560)
    said = np.zeros((560, len(MEAN)), dtype=int)
    said[:, HEDGES] = rng.multinomial(100, use)
    rate = np.tile(MEAN, (560, 1))
    rate[:5, HEDGES] = expit(-logit(MEAN[HEDGES]))
    there = rng.binomial(said, rate)
    counts = np.stack([said - there, there], axis=2).astype(float)
    groups = tuple((f"reader {i // 14}", f"pathology {i % 14}") for i in range(560))
    made = Tables(groups, tuple(p.name for p in WORDS), ("no", "yes"), counts, np.array([0.0, 1.0]))
    results = measure(made, WORDS, Settings(n_bins=10))
    found = [r.q_value_word < 0.05 for r in results]
    assert all(found[:5])
    assert sum(found[5:]) <= 2
