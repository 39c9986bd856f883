"""Estimates of an author's true confirmed rates from small samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SHIFT = 1.0
SLOPE = 0.7
"""Prior standard deviations, in log odds, of an author's deviation from the words' meaning that is the same for all
words, and of the one that grows with the meaning's log odds (Cox's intercept and slope)."""
PRIORS = ((0.7, 0.4), (0.15, 0.1))
"""What is left to the words: prior standard deviations smoothly along the scale, and of each word alone.  Each is as
probable as the other beforehand: there are authors whose words follow one line, and authors with habits of their own.
Chosen on simulated authors, see benchmarks/bench_advise.py."""
REACH = 0.2
"""Distance on the scale of meaning, 0-1, at which the deviations of two words are nearly independent."""
PLAIN = 0.03
"""Plain statements have the log odds of this rate, or of one less this rate."""
_STEPS = 60
_SETTLED = 1e-6
"""Change of log odds at which the search for the mode ends."""
_LEAST_LOG_ODDS = -700.0
"""Lower log odds are clipped to these, a rate of 1e-304."""


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Posterior of confirmed rates: a mixture of Beta distributions, one for each prior.

    weight: (P, ...) probability of each prior;  part, spread: (P, ..., K) posterior mean and variance under it
    """

    weight: Array
    part: Array
    spread: Array

    @property
    def mean(self) -> Array:
        """(..., K) posterior mean, in 0-1."""
        mean: Array = (self.weight[..., None] * self.part).sum(axis=0)
        return mean

    def above(self, limit: Array) -> Array:
        """(..., K, L) P(true rate of word k > limit[k, l]), for limits (K, L) in 0-1."""
        from scipy.special import betaincc

        size = np.maximum(self.part * (1 - self.part) / np.maximum(self.spread, 1e-12) - 1, 1e-3)
        a, b = (np.maximum(share * size, 1e-9)[..., None] for share in (self.part, 1 - self.part))
        result: Array = (self.weight[..., None, None] * betaincc(a, b, limit)).sum(axis=0)
        return result


def posterior_rates(n: Array, y: Array, mean: Array) -> Rates:
    """Posterior of each phrase's confirmed rate; words of similar strength have similar rates.

        y_k ~ Binomial(n_k, 1 / (1 + exp(-h_k))),    h = x + f,    x_k = log(m_k / (1 - m_k)),    f ~ Normal(0, C)
        C[k, l] = SHIFT^2 + SLOPE^2 x_k x_l + curve^2 exp(-(m_k - m_l)^2 / (2 REACH^2)) + own^2 [k = l]

    m is the phrase's mean, kept PLAIN away from 0 and 1: the prior is centred on a calibrated author.  (curve, own) is
    one of PRIORS, weighed by the probability of the data under each.  The posterior of h is approximated by a normal
    distribution around its mode (Laplace), which gives that probability, too; mean and variance of the rate are
    integrals over it.

    Args:
        n, y: (..., K) statements and confirmed ones, fractional where the reference was.
        mean: (K,) E[S|k], the strength of the phrases.

    Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006), 3.4.
    """
    meaning = np.clip(mean, PLAIN, 1 - PLAIN)
    x = np.log(meaning / (1 - meaning))
    line = SHIFT**2 + SLOPE**2 * x[:, None] * x
    near = np.exp(-((meaning[:, None] - meaning) ** 2) / (2 * REACH**2))
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    weights = weights / weights.sum()
    flat = n.reshape(-1, len(x)), y.reshape(-1, len(x))
    evidence, parts, spreads = [], [], []
    for curve, own in PRIORS:
        f, variance, log_probability = _posterior(*flat, x, line + curve**2 * near + own**2 * np.eye(len(x)))
        rates = _rate(x + f + nodes[:, None, None] * np.sqrt(variance))
        rate = np.tensordot(weights, rates, 1)
        evidence.append(log_probability)
        parts.append(rate.reshape(n.shape))
        spreads.append(np.tensordot(weights, (rates - rate) ** 2, 1).reshape(n.shape))
    likely = np.exp(np.array(evidence) - np.max(evidence, axis=0))
    weight = (likely / likely.sum(axis=0)).reshape(len(PRIORS), *n.shape[:-1])
    return Rates(weight, np.array(parts), np.array(spreads))


def _posterior(n: Array, y: Array, x: Array, cov: Array) -> tuple[Array, Array, Array]:
    """Mode and variance (B, K) of f for B samples, by Newton's method, and log P(y) (B,) up to a constant."""
    f, a = np.zeros(n.shape), np.zeros(n.shape)
    value = _log_posterior(n, y, x, f, a)
    active = np.arange(len(n))
    for _ in range(_STEPS):
        rate = _rate(x + f[active])
        weight = n[active] * rate * (1 - rate)
        pull = weight * f[active] + y[active] - n[active] * rate
        # a = C^-1 f throughout, without inverting C.
        step_a = pull - _shrunk(weight, cov, pull @ cov) - a[active]
        step_f = step_a @ cov
        left = np.arange(len(active))
        for _ in range(_STEPS):
            at = active[left]
            tried = _log_posterior(n[at], y[at], x, f[at] + step_f[left], a[at] + step_a[left])
            left = left[tried < value[at] - 1e-9]
            if not len(left):
                break
            step_f[left] /= 2
            step_a[left] /= 2
        f[active] += step_f
        a[active] += step_a
        value[active] = _log_posterior(n[active], y[active], x, f[active], a[active])
        active = active[np.abs(step_f).max(axis=1) > _SETTLED]
        if not len(active):
            break
    rate = _rate(x + f)
    weight = n * rate * (1 - rate)
    kept = np.diag(cov) - np.einsum("kl,blk->bk", cov, _shrunk(weight, cov, np.tile(cov, (len(n), 1, 1))))
    root = np.sqrt(weight)
    volume = np.linalg.slogdet(root[:, :, None] * cov * root[:, None, :] + np.eye(len(x)))[1]
    return f, np.maximum(kept, 0), value - volume / 2


def _shrunk(weight: Array, cov: Array, columns: Array) -> Array:
    """W^1/2 (1 + W^1/2 C W^1/2)^-1 W^1/2 c for the weights W (B, K) of B samples and columns c (B, K) or (B, K, L)."""
    root = np.sqrt(weight)
    inner = root[:, :, None] * cov * root[:, None, :]
    place = np.arange(len(cov))
    inner[:, place, place] += 1
    single = columns.ndim == 2
    wide = columns[:, :, None] if single else columns
    solved = root[:, :, None] * np.linalg.solve(inner, root[:, :, None] * wide)
    return np.asarray(solved[:, :, 0] if single else solved)


def _log_posterior(n: Array, y: Array, x: Array, f: Array, a: Array) -> Array:
    """log p(y | f) + log p(f) up to constants, with a = C^-1 f."""
    h = x + f
    result: Array = (y * h - n * np.logaddexp(0, h)).sum(axis=-1) - (a * f).sum(axis=-1) / 2
    return result


def _rate(h: Array) -> Array:
    # Where millions of findings contradict their words, a step towards the mode may overflow exp.
    return np.asarray(1 / (1 + np.exp(-np.maximum(h, _LEAST_LOG_ODDS))))
