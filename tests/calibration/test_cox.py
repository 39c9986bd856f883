"""Intercept and slope of calibration: against a general optimiser, and authors whose slope is known."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, logit
from scipy.stats import chi2

from radcal.calibration.cox import calibration_line

MEAN = np.array([0.0, 0.03, 0.09, 0.3, 0.45, 0.77, 0.92, 1.0])
PLAIN = np.array([[0.0, 1.0]])


def posterior(at: np.ndarray, n: np.ndarray, y: np.ndarray, expected: np.ndarray) -> float:
    """Minus the log posterior, in a plain loop."""
    total = (at[0] ** 2 + (at[1] - 1) ** 2) / (2 * 3.0**2)
    for k in range(1, 7):
        there = np.clip(expit(at[0] + at[1] * logit(MEAN[k])), 1e-300, 1 - 1e-16)
        q = expected[0] + (expected[1] - expected[0]) * there
        total -= y[k] * np.log(q) + (n[k] - y[k]) * np.log(1 - q)
    return float(total)


def best_of(n: np.ndarray, y: np.ndarray, expected: np.ndarray) -> optimize.OptimizeResult:
    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000}
    return optimize.minimize(posterior, [0, 1], (n, y, expected), "Nelder-Mead", options=options)


def profile_end(i: int, side: int, n: np.ndarray, y: np.ndarray, expected: np.ndarray) -> float:
    best = best_of(n, y, expected)

    def fallen(value: float) -> float:
        other = optimize.minimize_scalar(
            lambda v: posterior(np.array([value, v] if i == 0 else [v, value]), n, y, expected), bracket=(-1, 1)
        )
        return 2 * float(other.fun - best.fun) - float(chi2.ppf(0.95, 1))

    return float(optimize.brentq(fallen, best.x[i], best.x[i] + side * 7))


@pytest.mark.parametrize("expected", [(0.0, 1.0), (0.08, 0.9)])
def test_it_agrees_with_a_general_optimiser(expected: tuple[float, float]) -> None:
    n = np.array([[5, 12, 8, 30, 25, 40, 10, 9], [0, 0, 3, 0, 0, 4, 0, 90], [0, 90, 70, 0, 0, 0, 80, 0]], dtype=float)
    y = np.array([[1, 0, 1.5, 14, 10, 29.2, 10, 9], [0, 0, 3, 0, 0, 0, 0, 80], [0, 0, 0, 0, 0, 0, 80, 0]], dtype=float)
    made = calibration_line(n, y, MEAN, np.tile(expected, (3, 1)), 0.95)
    for q in range(3):
        best = best_of(n[q], y[q], np.array(expected)).x
        for i, name in enumerate(("intercept", "slope")):
            assert made[name][q] == pytest.approx(best[i], abs=1e-4)
            for side, end in ((-1, "_low"), (1, "_high")):
                wanted = profile_end(i, side, n[q], y[q], np.array(expected))
                assert made[name + end][q] == pytest.approx(wanted, abs=1e-3), (q, name, end)


def test_one_hedged_word_has_no_slope() -> None:
    n = np.array([[3, 0, 0, 9, 0, 0, 0, 9], [0, 0, 0, 0, 0, 0, 0, 20.0], [0, 2, 0, 0, 0, 0, 7, 0]])
    made = calibration_line(n, n / 2, MEAN, np.tile(PLAIN, (3, 1)), 0.95)
    assert all(np.isnan(values).tolist() == [True, True, False] for values in made.values())


@pytest.mark.parametrize("slope", [0.6, 1.0, 1.6])
def test_the_interval_holds_the_slope_that_authors_have(slope: float) -> None:
    rng = np.random.default_rng(2)
    said = np.tile([0, 20, 30, 20, 30, 30, 20, 0], (600, 1))
    y = rng.binomial(said, expit(slope * logit(np.clip(MEAN, 1e-9, 1 - 1e-9)))).astype(float)
    made = calibration_line(said.astype(float), y, MEAN, np.tile(PLAIN, (600, 1)), 0.95)
    for name, truth in (("slope", slope), ("intercept", 0.0)):
        held = (made[f"{name}_low"] <= truth) & (truth <= made[f"{name}_high"])
        assert 0.92 <= held.mean() <= 0.98


def test_it_reaches_the_top_from_wherever_the_counts_put_it() -> None:
    """Random tables of few and of very many statements, most of them far from calibrated: all around it is lower."""
    rng = np.random.default_rng(7)
    n = rng.integers(1, 10.0 ** rng.uniform(0.5, 5, (300, 1)), (300, 8)).astype(float)
    y = rng.binomial(n.astype(int), rng.beta(0.2, 0.2, (300, 8))).astype(float)
    made = calibration_line(n, y, MEAN, np.tile(PLAIN, (300, 1)), 0.95)
    top = np.stack([made["intercept"], made["slope"]], axis=1)
    assert (made["slope_low"] < top[:, 1]).all()
    assert (top[:, 1] < made["slope_high"]).all()
    for at, *counts in zip(top, n, y, strict=True):
        around = [at + 1e-3 * np.array(move) for move in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        best = posterior(at, *counts, PLAIN[0])
        assert all(posterior(other, *counts, PLAIN[0]) > best for other in around)
