"""What may be read instead of what is said: against brute force, other libraries, and speakers of known truth."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from radcal.advice.judge import halved
from radcal.advice.numbers import numbers, scores_of_numbers
from radcal.lab import recalibrating
from radcal.lab.recalibrating import METHODS, TOGETHER, Halves, Recalibrated, best_in_turn, recalibrated
from radcal.system.errors import Cancelled, EngineError
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.phrases import central_half, load_lexicon, mean_of, point
from radcal.words.records import Phrase
from radcal.words.speech import speech_of

Array = NDArray[np.float64]
LEXICON = load_lexicon().phrases
SETTINGS = Settings()
NUMBERS = tuple(point(f"{k / 10:.12g}", k / 10) for k in range(11))


def beta(mean: float, size: float) -> Phrase:
    a, b = mean * size, (1 - mean) * size
    return Phrase(f"Beta({a:.12g}, {b:.12g})", a, b, *central_half(a, b))


SPEAKERS = {
    "numbers": NUMBERS[1:-1],
    "words": tuple(p for p in LEXICON if 0 < mean_of(p) < 1),
    "distributions": tuple(beta(k / 10, 12.0) for k in range(1, 10)),
}


def speaker(words: tuple[Phrase, ...], n: int, rate: Callable[[Array], Array], seed: int = 1) -> Array:
    """(K, 2) wrong and right answers of a speaker whose words come true at a rate that depends on their meaning."""
    rng = np.random.default_rng(seed)
    said = rng.multinomial(n, np.full(len(words), 1 / len(words)))
    right = rng.binomial(said, rate(np.array([mean_of(p) for p in words])))
    return np.stack([said - right, right], axis=1).astype(np.float64)


def run(words: tuple[Phrase, ...], counts: Array, seed: int = 0) -> Recalibrated:
    used = np.flatnonzero(counts.sum(axis=1))
    return recalibrated(halves([words[k] for k in used], counts[used], seed), SETTINGS)


def halves(said: Sequence[Phrase], counts: Array, seed: int = 0) -> Halves:
    return Halves.of(said, counts, LEXICON, SETTINGS, np.random.default_rng(seed))


# --- known speakers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SPEAKERS)
def test_every_method_recalibrates_a_speaker_who_is_much_too_sure(kind: str) -> None:
    counts = speaker(SPEAKERS[kind], 3000, lambda m: 0.5 + 0.35 * (m - 0.5))
    made = run(SPEAKERS[kind], counts)
    assert not made.failed
    assert set(made.methods) == set(METHODS)
    before = made.methods["none"]
    for method in METHODS[1:]:
        after = made.methods[method]
        assert after.brier.value < before.brier.low, method
        if method != "transport" and kind != "words":  # costs of one change at a time; wide words flatten the curve
            assert after.ece.value < before.ece.value, method
    # The best that is possible knows the rates.
    mean = np.array([mean_of(p) for p in SPEAKERS[kind]])
    best = (counts.sum(axis=1) * (r := 0.5 + 0.35 * (mean - 0.5)) * (1 - r)).sum() / counts.sum()
    for method in ("platt", "histogram", *(("ordered",) if kind == "numbers" else ())):
        assert made.methods[method].brier.value < best + 0.01  # type: ignore[index]


@pytest.mark.parametrize("kind", SPEAKERS)
def test_a_calibrated_speaker_is_left_alone(kind: str) -> None:
    made = run(SPEAKERS[kind], speaker(SPEAKERS[kind], 3000, lambda m: m))
    for method in ("advice", "ordered"):
        # Narrower words of the same meaning serve better, and are no harm.
        assert made.methods[method].brier.value < made.methods["none"].brier.value + 0.003  # type: ignore[index]
    assert all(mapped.advice == mapped.source for mapped in made.mappings)
    if kind == "numbers":
        assert max(abs(float(mapped.ordered) - mapped.mean) for mapped in made.mappings) < 0.051
        assert made.methods["ordered"].ece.value < made.methods["none"].ece.value + 0.015
        assert max(abs(mapped.platt - mapped.mean) for mapped in made.mappings) < 0.06


def test_numbers_are_mapped_to_numbers_and_words_to_words() -> None:
    names = {p.name for p in LEXICON}
    for kind, words in SPEAKERS.items():
        made = run(words, speaker(words, 1500, lambda m: 0.4 + 0.2 * m))
        targets = {m.ordered for m in made.mappings} | {m.advice for m in made.mappings}
        targets |= {to for m in made.mappings for to, _ in m.transport}
        assert all((name in names) == (kind == "words") for name in targets)
        assert all(name.startswith("Beta(") == (kind == "distributions") for name in targets)
        assert {speech_of(p, names) for p in words} == {kind}


# --- each part against another computation -----------------------------------------------------------


def test_scores_are_those_of_the_halves_that_nothing_was_fitted_to() -> None:
    counts = speaker(NUMBERS, 600, lambda m: 0.3 + 0.5 * m)
    made = run(NUMBERS, counts, seed=4)
    n, y = halved(counts, np.array([0.0, 1.0]), np.random.default_rng(4))
    bins = bin_phrases(NUMBERS)
    said = np.tile(bins.mean, (len(n), 1))
    for method, numbers_said in (("none", said), ("platt", numbers("platt", n[:, 0], y[:, 0], bins.mean))):
        scores, found = scores_of_numbers(n[:, 1], y[:, 1], numbers_said, bins), made.methods[method]  # type: ignore[index]
        for name in ("ece", "brier", "accuracy"):
            score = getattr(found, name)
            assert score.value == pytest.approx(scores[name].mean())
            assert score.low <= score.value <= score.high


def test_words_taken_for_their_means_are_scored_as_numbers() -> None:
    words = SPEAKERS["words"]
    counts = speaker(words, 900, lambda m: 0.2 + 0.5 * m)
    found = run(words, counts).methods["none"]
    n, y = halved(counts, np.array([0.0, 1.0]), np.random.default_rng(0))
    mean = np.array([mean_of(p) for p in words])
    ece, brier = [], []
    for said, right in zip(n[:, 1], y[:, 1], strict=True):
        cell = np.minimum((mean * 100).astype(int), 99)
        gaps = [abs((right - said * mean)[cell == m].sum()) for m in range(100)]
        ece.append(sum(gaps) / said.sum())
        brier.append((right * (1 - mean) ** 2 + (said - right) * mean**2).sum() / said.sum())
    assert found.ece_of_means.value == pytest.approx(np.mean(ece))
    assert found.brier_of_means.value == pytest.approx(np.mean(brier))
    assert found.brier.value > found.brier_of_means.value  # a word has a width


def test_given_the_true_rates_the_methods_of_all_together_are_the_best_words_and_numbers() -> None:
    words, truth = NUMBERS[1:-1], np.linspace(0.35, 0.55, 9)
    counts = np.round(np.stack([600 * (1 - truth), 600 * truth], axis=1))
    made = halves(words, counts)
    rates = np.tile(truth, (len(made.known[0]) + 1, 1))
    found = recalibrated(made, SETTINGS, rates=rates)
    assert set(found.methods) == {*METHODS, *TOGETHER}
    best = (truth * (1 - truth)).mean()
    assert found.methods["department_rates"].brier.value == pytest.approx(best, abs=1e-3)
    assert found.methods["department"].brier.value == pytest.approx(best, abs=2e-3)  # multiples of 0.05
    for mapped, rate in zip(found.mappings, truth, strict=True):
        assert mapped.department_rate == pytest.approx(rate)
        assert abs(float(mapped.department) - rate) <= 0.025 + 1e-9


def test_words_join_a_set_in_the_order_in_which_they_help() -> None:
    rng = np.random.default_rng(3)
    cost = rng.random((4, 7, 6))
    order = best_in_turn(cost)
    for b in range(4):
        assert sorted(order[b].tolist()) == list(range(6))
        pairs = {pair: cost[b][:, pair].min(axis=1).sum() for pair in itertools.combinations(range(6), 2)}
        assert tuple(order[b, :2].tolist()) == min(pairs, key=pairs.__getitem__)
        for size in range(2, 6):
            so_far = order[b, :size].tolist()
            nexts = {f: cost[b][:, [*so_far, f]].min(axis=1).sum() for f in range(6) if f not in so_far}
            assert order[b, size] == min(nexts, key=nexts.__getitem__)
    assert best_in_turn(cost[:, :, :1]).shape == (4, 1)


def test_more_words_serve_at_least_as_well_and_a_set_is_what_it_says() -> None:
    words = SPEAKERS["words"]
    made = run(words, speaker(words, 4000, lambda m: 0.2 + 0.6 * m))
    best = [s for s in made.sizes if s.choice == "best"]
    assert [len(s.words) for s in best] == list(range(2, len(LEXICON) + 1))
    assert best[-1].scores.brier.value <= best[0].scores.brier.value
    assert best[-1].scores == made.methods["ordered"]
    even = {len(s.words): s for s in made.sizes if s.choice == "even"}
    assert all(s.scores.brier.value <= even[len(s.words)].scores.brier.value + 0.01 for s in best[:-1])
    order = [p.name for p in LEXICON]
    for s in made.sizes:
        assert [order.index(w) for w in s.words] == sorted(order.index(w) for w in s.words)
    assert even[2].words == (order[0], order[-1])


# --- many numbers, and what does not depend on what --------------------------------------------------


@pytest.mark.slow
def test_many_different_numbers_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of one hundredth are replaced alike, and nearly as well as if each were a word of its own."""
    rng = np.random.default_rng(8)
    stated = np.sort(rng.integers(0, 100, 40) / 100 + rng.random(40) / 100)
    words = tuple(point(f"{p:.12g}", float(f"{p:.12g}")) for p in stated)
    right = rng.binomial(20, 0.5 + 0.2 * (stated - 0.5)).astype(np.float64)
    counts = np.stack([20 - right, right], axis=1)
    monkeypatch.setattr(recalibrating, "MOST_SAID", 39)
    made = run(words, counts)
    assert made.methods["ordered"].brier.value < made.methods["none"].brier.low
    assert len(made.mappings) == 40
    of_hundredth: dict[int, set[str]] = {}
    for mapped in made.mappings:
        of_hundredth.setdefault(int(100 * mapped.mean), set()).add(mapped.ordered)
    assert len(of_hundredth) < 40
    assert {len(targets) for targets in of_hundredth.values()} == {1}
    monkeypatch.setattr(recalibrating, "MOST_SAID", 40)
    apart = run(words, counts)
    assert apart.methods["none"] == made.methods["none"]
    assert apart.methods["ordered"].brier.value == pytest.approx(made.methods["ordered"].brier.value, abs=0.005)


@pytest.mark.parametrize("kind", SPEAKERS)
def test_the_order_of_the_words_does_not_matter(kind: str) -> None:
    words = SPEAKERS[kind]
    counts = speaker(words, 400, lambda m: m**2)
    turned = np.random.default_rng(2).permutation(len(words))
    first, second = run(words, counts), run(tuple(words[k] for k in turned), counts[turned])
    assert first.methods == second.methods
    assert first.mappings == second.mappings
    assert first.sizes == second.sizes


def test_a_speaker_who_is_always_right_and_one_who_says_one_thing() -> None:
    made = run((NUMBERS[9],), np.array([[0.0, 60.0]]))
    assert made.methods["none"].brier.value == pytest.approx(0.01)
    assert made.mappings[0].platt > 0.95
    made = run((NUMBERS[10],), np.array([[30.0, 30.0]]))
    assert made.methods["platt"].brier.value == pytest.approx(0.25, abs=0.03)
    assert made.methods["ordered"].brier.value == pytest.approx(0.25, abs=0.03)


def test_where_the_transport_fails_the_others_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise EngineError("There is no plan.")

    monkeypatch.setattr(recalibrating, "semi_relaxed_plans", none)
    made = run(NUMBERS, speaker(NUMBERS, 300, lambda m: m))
    assert made.failed == {"transport": "There is no plan."}
    assert set(made.methods) == set(METHODS) - {"transport"}
    assert all(mapped.transport == () and mapped.ordered for mapped in made.mappings)


def test_somebody_may_stop_it(onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        recalibrated(halves(NUMBERS, np.ones((11, 2))), SETTINGS, onlooker(looks=0))
