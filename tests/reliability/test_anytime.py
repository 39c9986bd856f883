"""Evidence at any time: against integrals, its own law as findings come in, and simulated looks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit, logit

from radcal.reliability.anytime import log_evidence

LOW, HIGH = np.array([0.05, 0.25, 0.75, 0.9]), np.array([0.25, 0.75, 0.9, 0.97])


def _sides(y: float, n: float, low: float = 0.25, high: float = 0.75) -> tuple[float, float]:
    below, above = log_evidence(np.array([[y]]), np.array([[n]]), np.array([low]), np.array([high]))
    return float(below[0, 0]), float(above[0, 0])


@pytest.mark.parametrize(("y", "n", "low"), [(3, 30, 0.25), (10, 14, 0.75), (20.4, 30, 0.9), (5, 400, 0.05)])
def test_it_is_a_likelihood_ratio_averaged_over_rates_below(y: float, n: float, low: float) -> None:
    def ratio(d: float) -> float:
        q = expit(logit(low) - d)
        log = y * np.log(q / low) + (n - y) * np.log((1 - q) / (1 - low))
        return float(np.exp(log) * stats.halfnorm.pdf(d, scale=0.8))

    expected = integrate.quad(ratio, 0, 8, points=[0.2, 0.8, 2.0])[0]
    assert _sides(y, n, low)[0] == pytest.approx(np.log(expected), abs=0.05)


def test_both_sides_are_mirror_images() -> None:
    rng = np.random.default_rng(0)
    n = rng.integers(0, 60, (5, 4)).astype(float)
    y = n * rng.random((5, 4))
    below, above = log_evidence(y, n, LOW, HIGH)
    mirrored = log_evidence(n - y, n, 1 - HIGH, 1 - LOW)
    assert below == pytest.approx(mirrored[1])
    assert above == pytest.approx(mirrored[0])
    assert below.shape == (5, 4)


def test_beyond_certainty_there_is_nothing() -> None:
    assert _sides(0, 40, 0.0, 1.0) == (-np.inf, -np.inf)
    assert _sides(0, 0) == pytest.approx((0.0, 0.0))


@pytest.mark.parametrize("low", [0.05, 0.25, 0.9])
def test_it_stays_the_same_on_average_at_the_end_and_falls_inside(low: float) -> None:
    """The next finding's expectation, exactly; outcomes that are no plain yes or no can only lower it."""
    for y, n in ((0, 0), (1, 9), (30, 40)):
        now = np.exp(_sides(y, n, low)[0])
        yes, no = (np.exp(_sides(y + x, n + 1, low)[0]) for x in (1, 0))
        assert low * yes + (1 - low) * no == pytest.approx(now, rel=1e-12)
        inside = low + 0.5 * (1 - low)
        assert inside * yes + (1 - inside) * no < now
        apart = min(low, 1 - low) / 2
        assert np.mean([np.exp(_sides(y + low + d, n + 1, low)[0]) for d in (-apart, apart)]) < now


def test_looks_do_not_wear_it_out() -> None:
    """At the end of the range and 24 looks, 20 is reached in at most one of 20, with whole and half outcomes alike."""
    rng = np.random.default_rng(1)
    words, looks = 2000, 24
    new = rng.poisson(12, (looks, words))
    whole = rng.binomial(new, 0.75)
    hedging = 0.8 * whole + 0.2 * 0.75 * new  # CT hedges: outcomes drawn to the rate
    n = new.cumsum(axis=0).astype(float)
    ys = (whole.cumsum(axis=0).astype(float), hedging.cumsum(axis=0))
    sides = [side for y in ys for side in log_evidence(y, n, np.array(0.75), np.array(0.75))]
    reached = [(side.max(axis=0) >= np.log(20)).mean() for side in sides]
    assert max(reached) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / words)
    assert min(reached[:2]) > 0.005, "the bound is no idle one"


def test_patients_count_once_however_alike_their_findings_are() -> None:
    """Five findings of a patient that are all the same: as one, the error is kept; each by itself, it is not."""
    rng = np.random.default_rng(2)
    patients = rng.binomial(1, 0.75, (400, 2000)).cumsum(axis=0)[19::20].astype(float)
    n = np.arange(20, 401, 20.0)[:, None]
    once, (five, _) = (
        log_evidence(patients, n, np.array(0.75), np.array(1.0))[0],
        log_evidence(5 * patients, 5 * n, np.array(0.75), np.array(1.0)),
    )
    assert (once.max(axis=0) >= np.log(20)).mean() <= 0.05
    assert (five.max(axis=0) >= np.log(20)).mean() > 0.1


def test_a_rate_outside_is_found_with_time() -> None:
    rng = np.random.default_rng(3)
    n = np.full(2000, 300.0)
    y = rng.binomial(300, 0.65, 2000).astype(float)
    assert (log_evidence(y, n, np.array(0.75), np.array(0.9))[0] >= np.log(20)).mean() > 0.8
