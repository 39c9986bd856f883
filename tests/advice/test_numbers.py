"""Numbers in place of words: scores counted statement by statement, and intervals that hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.advice.judge import halved
from radcal.advice.numbers import FITS, estimate, numbers, scores, scores_of_numbers
from radcal.words.bins import bin_phrases
from radcal.words.phrases import point

POSITIVE = np.array([0.0, 1.0])


def test_numbers_are_scored_as_single_statements_are(lexicon, draw):
    """Brier score, ECE, word error and accuracy from lists of statements, with numbers on the edges of bins."""
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 300, lambda m: m**2)
    q = np.random.default_rng(0).random(len(lexicon))
    q[:3] = 0.57, 1.0, 0.0
    said = np.concatenate([np.full(int(k), value) for k, value in zip(n, q, strict=True)])
    outcomes = np.concatenate([np.repeat([1.0, 0.0], [int(b), int(a - b)]) for a, b in zip(n, y, strict=True)])
    made = scores_of_numbers(n[None], y[None], q[None], bins)
    assert made["brier"][0] == pytest.approx(np.mean((said - outcomes) ** 2))
    assert made["brier_of_means"] == pytest.approx(made["brier"])
    assert made["accuracy"][0] == pytest.approx(np.mean((said > 0.5) == outcomes))
    place = np.minimum((said * 100 + 1e-9).astype(int), 99)
    ece = sum(abs((outcomes - said)[place == m].sum()) for m in range(100)) / len(said)
    assert made["ece"][0] == pytest.approx(ece)
    # Of the words that hedge, also where the number in their place does not.
    hedged = (bins.mean > 0) & (bins.mean < 1)
    assert made["word_error"][0] == pytest.approx(np.abs(y - n * q)[hedged].sum() / n[hedged].sum())


def test_a_word_taken_for_its_mean_is_a_number(lexicon, draw):
    bins = bin_phrases(lexicon)
    n, y = draw(lexicon, 300, lambda m: m**2)
    as_numbers = scores_of_numbers(n[None], y[None], bins.mean[None], bins)
    assert scores(n, y, bins)["brier_of_means"] == pytest.approx(as_numbers["brier"][0])


@pytest.mark.parametrize(("n", "bins"), [(10, 2), (59, 2), (61, 3), (5000, 10)])
def test_there_is_a_bin_for_every_twenty_statements_within_bounds(n, bins):
    mean = np.arange(100) / 100
    said = np.full(100, n / 100)
    made = numbers("histogram", said[None], (said * mean)[None], mean)
    assert len(np.unique(made)) == bins


@pytest.mark.parametrize("method", FITS)
def test_without_statements_words_keep_their_means(method):
    mean = np.array([0.2, 0.7])
    made = numbers(method, np.array([[0.0, 0.0], [5.0, 5.0]]), np.array([[0.0, 0.0], [1.0, 1.0]]), mean)
    np.testing.assert_array_equal(made[0], mean)
    assert made.shape == (2, 2)
    assert (made[1] != mean).any()


@pytest.mark.parametrize("shrunk", [0.5, 0.9])
def test_intervals_hold_the_true_score_of_numbers(shrunk):
    """Of 100 speakers of numbers, the Brier scores in truth: of what they say, and of histogram binning.

    That of histogram binning is its mean over 300 other speakers alike.
    """
    mean = np.arange(11) / 10
    bins = bin_phrases([point(f"{m:.1f}", m) for m in mean.tolist()])
    rate = 0.5 + shrunk * (mean - 0.5)

    def speaker(rng, size):
        n = rng.multinomial(size, np.full(11, 1 / 11)).astype(float)
        return n, rng.binomial(n.astype(int), rate).astype(float)

    def risk(q):
        return float(np.mean((q - rate) ** 2 + rate * (1 - rate)))

    rng = np.random.default_rng(9)
    others = [np.array(x) for x in zip(*(speaker(rng, 150) for _ in range(300)), strict=True)]
    true = {"none": risk(mean), "histogram": risk(numbers("histogram", *others, mean))}
    covered = {method: [] for method in true}
    for _ in range(100):
        n, y = speaker(rng, 300)
        n, y = halved(np.stack([n - y, y], axis=1), POSITIVE, rng)
        for method, expected in true.items():
            q = np.tile(mean, (len(n), 1)) if method == "none" else numbers(method, n[:, 0], y[:, 0], mean)
            found = estimate(scores_of_numbers(n[:, 1], y[:, 1], q, bins)["brier"], 0.95)
            covered[method].append(found.low <= expected <= found.high)
    assert min(np.mean(inside) for inside in covered.values()) >= 0.9


def test_intervals_hold_the_true_score_of_words(lexicon, draw):
    """Of 60 authors whose words are too strong by half, the Brier score of today's words in truth."""
    bins = bin_phrases(lexicon)

    def rate(m):
        return 0.5 + (m - 0.5) / 2

    true, covered = rate(bins.mean), []
    for seed in range(60):
        n, y = draw(lexicon, 200, rate, seed)
        halves = halved(np.stack([n - y, y], axis=1), POSITIVE, np.random.default_rng(seed))
        found = estimate(scores(*(x[:, 1] for x in halves), bins)["brier"], 0.95)
        variance = bins.second - bins.mean**2
        expected = n @ ((true - bins.mean) ** 2 + true * (1 - true) + variance) / n.sum()
        covered.append(found.low <= expected <= found.high)
    assert np.mean(covered) >= 0.9


def test_an_estimate_is_the_mean_with_its_corrected_error():
    values = np.array([0.1, 0.2, 0.3, 0.4])
    found = estimate(values, 0.95, -1.0)
    assert found.value == pytest.approx(0.25)
    assert found.high - found.value == pytest.approx(3.182446 * np.sqrt(1.25 * np.var(values, ddof=1)))
    assert found.low == pytest.approx(found.value - (found.high - found.value))
    assert estimate(values, 0.95).low == 0
    assert estimate(1 - values, 0.95).high == 1
    assert estimate(np.array([0.3, 0.3]), 0.95) == (0.3, 0.3, 0.3)
