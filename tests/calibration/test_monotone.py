"""The monotone curve: against all monotone curves there are, the Brier score and calibrated authors."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from radcal.calibration import scoring
from radcal.calibration.records import Tables
from radcal.calibration.reliability import monotone
from radcal.system.errors import DataError
from radcal.system.settings import Settings
from radcal.words.records import Phrase, PhraseBins

WORDS = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("unlikely", 1, 9, 0.05, 0.25),
    Phrase("maybe", 3, 7, 0.05, 0.5),
    Phrase("possible", 6, 6, 0.25, 0.75),
    Phrase("likely", 8, 2, 0.75, 0.9),
    Phrase("diagnostic of", 1, 0, 1, 1),
    Phrase("present", 1, 0, 1, 1),
)


def table(n: list[float], y: list[float]) -> Tables:
    counts = np.stack([np.array(n) - y, y], axis=1)[None].astype(float)
    return Tables((("a", "edema"),), tuple(p.name for p in WORDS), ("no", "yes"), counts, np.array([0.0, 1.0]))


def best_by_brute_force(n: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of all ways to cut the words into blocks of one value, the monotone one of least squared error."""
    least, found = np.inf, y
    for cuts in (c for r in range(len(n)) for c in combinations(range(1, len(n)), r)):
        edges = [0, *cuts, len(n)]
        values = np.concatenate([np.full(b - a, y[a:b].sum() / n[a:b].sum()) for a, b in pairwise(edges)])
        error = (n * (y / n - values) ** 2).sum()
        if (np.diff(values) >= -1e-12).all() and error < least - 1e-12:
            least, found = error, values
    return found


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_best_of_all_monotone_curves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 20, 6).astype(float)
    y = np.floor(n * rng.random(6))
    made = monotone(table([*n, 0], [*y, 0]), WORDS, Settings(bootstrap=20))
    assert made.phrases == tuple(p.name for p in WORDS[:6])
    assert made.fitted == pytest.approx(best_by_brute_force(n, y))
    assert made.rate == pytest.approx(y / n)
    brier = (n * made.mean**2 - 2 * y * made.mean + y).sum() / n.sum()
    assert made.miscalibration - made.discrimination + made.uncertainty == pytest.approx(brier)
    assert made.uncertainty == pytest.approx((y.sum() / n.sum()) * (1 - y.sum() / n.sum()))
    assert min(made.miscalibration, made.discrimination) >= 0
    for weaker, stronger in made.disordered:
        i, j = made.phrases.index(weaker), made.phrases.index(stronger)
        assert made.mean[i] < made.mean[j]
        assert made.rate[i] > made.rate[j]
        assert made.fitted[i] == pytest.approx(made.fitted[j])
    out_of_order = [(i, i + 1) for i in range(5) if made.rate[i] > made.rate[i + 1]]
    assert {(made.phrases[i], made.phrases[j]) for i, j in out_of_order} <= set(made.disordered)


def test_words_of_one_meaning_are_one_forecast() -> None:
    made = monotone(table([0, 0, 0, 0, 10, 5, 15], [0, 0, 0, 0, 6, 5, 12]), WORDS, Settings(bootstrap=20))
    assert made.fitted.tolist() == pytest.approx([0.6, 0.85, 0.85])
    assert made.disordered == ()


def test_the_region_holds_curves_of_calibrated_authors() -> None:
    rng = np.random.default_rng(4)
    n = np.array([10, 40, 40, 40, 40, 10, 10])
    mean = np.array([p.alpha / (p.alpha + p.beta) for p in WORDS])
    held = []
    for _ in range(150):
        made = monotone(table(n.tolist(), rng.binomial(n, mean).tolist()), WORDS, Settings(bootstrap=200))
        held.append((made.low - 1e-9 <= made.fitted) & (made.fitted <= made.high + 1e-9))
    assert (np.mean(held, axis=0) > 0.9).all()


def test_the_score_is_the_brier_score_of_points() -> None:
    n, y = np.array([4.0, 9, 8, 6, 10, 0, 12]), np.array([0.0, 1, 4, 3, 9, 0, 12])
    made = monotone(table(n.tolist(), y.tolist()), WORDS, Settings(bootstrap=0))
    mean = np.array([p.alpha / (p.alpha + p.beta) for p in WORDS])
    nothing = np.zeros((7, 2))
    bins = PhraseBins((), np.zeros(3), nothing, nothing, mean, mean**2, np.zeros(7))
    score = float(scoring.brier(n, y, bins))
    assert made.miscalibration - made.discrimination + made.uncertainty == pytest.approx(score)
    assert np.isnan(made.low).all()


def test_a_group_without_statements_has_none() -> None:
    with pytest.raises(DataError, match="no statements"):
        monotone(table([0] * 7, [0] * 7), WORDS, Settings())
