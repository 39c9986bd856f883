"""Learning from sentences with scores, against other computations and against readers."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from radcal.lab.hedges.estimator import Likeness, Readings, SentenceEstimate, masked, shipped
from radcal.lab.hedges.fitting import AGREEMENT, LEAST, NOISE, OWN_NOISE, agreement, fitted
from radcal.system.errors import DataError

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "hedges" / "hedges_dev.csv"
MADE_UP = [f"Maybe it was {name}." for name in ("Rome", "Ghent", "Cork")] * 4 + [
    f"I reckon {name}." for name in "ABCDEFGHIJ"
]


@pytest.fixture(scope="module")
def read_by_people():
    if not DATA.is_file():
        pytest.skip("the benchmark's sentences are not beside this checkout")
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], np.array([float(row["score"]) for row in rows])


@pytest.fixture(scope="module")
def reckoned():
    """What ships, fitted to people who find what is made up unlikely."""
    return fitted(shipped(), MADE_UP, [0.1] * 22)


@pytest.fixture(scope="module")
def thin():
    """What ships, as if it had been made of every eighth of its sentences."""
    base = shipped()
    own = base.readings
    eighth = Readings(own.sentences[::8], own.scores[::8], own.abstentions[::8], own.counts[::8])
    return replace(base, readings=eighth, known=base.known[::8], weights=base.weights[::8])


def error(found, scores):
    return float(np.mean((np.array([estimate.value for estimate in found]) - scores) ** 2))


@pytest.mark.slow
def test_out_of_the_box_it_errs_less_than_a_large_language_model_asked_directly(read_by_people):
    texts, scores = read_by_people
    found = shipped().estimate(texts)
    assert error(found, scores) <= 0.0185
    covered = np.mean([e.low <= y <= e.high for e, y in zip(found, scores, strict=True)])
    assert covered >= 0.9


@pytest.mark.slow
def test_fitted_to_one_half_it_reads_the_other(read_by_people):
    texts, scores = read_by_people
    first = np.array([int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 0 for text in texts])
    learned = fitted(shipped(), [t for t, f in zip(texts, first, strict=True) if f], scores[first].tolist())
    rest = [text for text, f in zip(texts, first, strict=True) if not f]
    found = learned.estimate(rest)
    assert error(found, scores[~first]) <= 0.0125
    covered = np.mean([e.low <= y <= e.high for e, y in zip(found, scores[~first], strict=True)])
    assert covered >= 0.85


@pytest.mark.slow
def test_it_learns_what_people_say(reckoned):
    before, after = (e.estimate(["I reckon K."])[0].value for e in (shipped(), reckoned))
    assert after < before - 0.2


@pytest.mark.slow
def test_no_fit_promises_more_than_what_ships(reckoned):
    band, before = reckoned.band, shipped().band
    assert np.all(band[:, 1] <= before[:, 1])
    assert np.all(band[:, 2] >= before[:, 2])


@pytest.mark.slow
def test_a_fit_does_not_move_stated_numbers(reckoned):
    [found] = reckoned.estimate(["I'm 70 % sure it was Rome."])
    assert found.value == pytest.approx(0.7)


def test_a_fit_is_the_posterior_mean_of_a_gaussian_process(thin):
    scores = np.linspace(0, 1, 22)
    learned = fitted(thin, MADE_UP, scores.tolist())
    own = thin.readings
    alike = [masked(shipped().words.tokens(text)) for text in MADE_UP]
    rows = [text.split() for text in learned.known]
    # Every row on its own, without putting equal ones together.
    known = [*own.sentences, *alike]
    place = {text: n for n, text in enumerate(learned.known)}
    new = np.array([False] * len(own.sentences) + [True] * len(alike))
    at = [
        n if not new[n] else len(own.sentences) + list(dict.fromkeys(alike)).index(text) for n, text in enumerate(known)
    ]
    assert set(place) >= set(alike)
    gram = Likeness(rows).among()[np.ix_(at, at)] * (1 + (1 / AGREEMENT - 1) * np.outer(new, new))
    noise = np.where(new, NOISE, 0) + np.concatenate([OWN_NOISE / own.counts, np.zeros(len(alike))])
    y = np.concatenate([own.scores, scores]) - learned.centre
    expected = gram @ np.linalg.solve(gram + np.diag(noise), y) + learned.centre
    values, _ = learned.read(alike)
    assert values == pytest.approx(np.clip(expected[new], 0, 1), abs=1e-6)


def test_what_unknown_words_say_is_not_learned_of_plain_statements(thin):
    texts = [f"It was {name}." for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    learned = fitted(thin, [*texts, *(f"Zog it was {name}." for name in "ABCDEFGHIJ")], [0.98] * 26 + [0.3] * 10)
    [found] = learned.estimate(["It was Rome."])
    assert found.value > 0.93
    assert found.low < 0.35
    [found] = fitted(thin, texts, [0.85] * 26).estimate(["It was Rome."])
    assert found.value == pytest.approx(0.85, abs=0.03)


def test_too_few_sentences_are_refused():
    with pytest.raises(DataError, match=str(LEAST)):
        fitted(shipped(), MADE_UP[: LEAST - 1], [0.5] * (LEAST - 1))


def test_likeness_is_one_for_equal_sentences_and_symmetric():
    sentences = [["maybe", "_"], ["i", "think", "_"], ["i", "am", "not", "sure"], ["_"]]
    among = Likeness(sentences).among()
    assert np.diag(among) == pytest.approx(1)
    assert among == pytest.approx(among.T)
    assert np.linalg.eigvalsh(among).min() > -1e-9
    assert Likeness(sentences).to(sentences[1:2]) == pytest.approx(among[1:2])


def estimates(*values):
    return [SentenceEstimate(v, max(v - 0.1, 0), min(v + 0.1, 1), ()) for v in values]


def test_agreement_of_known_numbers():
    found = agreement(estimates(0.1, 0.4, 0.6, 0.9), [0.1, 0.4, 0.8, 0.9])
    assert found.mse == pytest.approx(0.01)
    assert (found.correlation, found.coverage, found.n) == (1, 0.75, 4)
    assert found.mse_low == 0 < found.mse < found.mse_high
    assert found.correlation_low <= 1 == found.correlation_high or found.correlation_high == pytest.approx(1)


def test_agreement_without_enough_to_say():
    assert agreement([], []).mse is None
    one = agreement(estimates(0.5), [0.5])
    assert (one.mse, one.mse_low, one.correlation) == (0, None, None)
    two = agreement(estimates(0.9, 0.5), [0.1, 0.5])
    assert (two.mse_low, two.mse_high) == (None, None)
    four = agreement(estimates(1.0, 1.0, 0.0, 0.5), [0.0, 0.0, 1.0, 0.5])
    assert four.mse_high == 1
    assert agreement(estimates(0.5, 0.5, 0.5, 0.5), [0.1, 0.2, 0.3, 0.4]).correlation is None


def test_intervals_hold_what_they_promise():
    chance = np.random.default_rng(1)
    held = []
    for _ in range(200):
        y = chance.uniform(0.3, 0.7, size=60)
        value = y + chance.normal(0, 0.05, 60)
        found = agreement(estimates(*value), y.tolist())
        held.append(found.mse_low <= 0.0025 <= found.mse_high)
    assert np.mean(held) > 0.9
