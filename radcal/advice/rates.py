"""Estimates of an author's true confirmed rates from small samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.system.intervals import tails

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.reliability.records import Pooling

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

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
_TERMS = 34
"""Of the series of what lies smoothly along the scale: the next one is below 1e-13."""
_NEGLIGIBLE = 1e-11
"""Variance, of the largest one, below which a direction of it is left out."""
_STEPS = 60
_HALVINGS = 21
"""Of the range in which a quantile lies: it is found to a millionth."""
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

    def interval(self, confidence: float, *at: Index) -> tuple[Array, Array]:
        """Ends of the central interval of this coverage (0-1), of the words at the indices ``at`` into (..., K)."""
        shape = np.broadcast_shapes(*(i.shape for i in at))
        ends = []
        for q in tails(confidence):
            low, high = np.zeros(shape), np.ones(shape)
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                short = 1 - self.above(middle, *at) < q
                low, high = np.where(short, middle, low), np.where(short, high, middle)
            ends.append((low + high) / 2)
        return ends[0], ends[1]

    def above(self, limit: Array, *at: Index) -> Array:
        """P(true rate > limit), for limits in 0-1, of the words at the indices ``at`` into (..., K)."""
        from scipy.special import betaincc

        total = np.zeros(np.broadcast_shapes(limit.shape, *(i.shape for i in at)))
        for weight, part, spread in zip(self.weight, self.part, self.spread, strict=True):
            rate = part[at]
            size = np.maximum(rate * (1 - rate) / np.maximum(spread[at], 1e-12) - 1, 1e-3)
            total += weight[at[:-1]] * betaincc(
                np.maximum(rate * size, 1e-9), np.maximum((1 - rate) * size, 1e-9), limit
            )
        return total


def posterior_rates(n: Array, y: Array, mean: Array, borrowed: Borrowed | None = None) -> Rates:
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
        borrowed: what other groups tell of f, in place of the priors; None where they are not asked.

    Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006), 3.4.
    """
    x, priors = prior_of(mean)
    nodes, weights = _integration()
    flat = n.reshape(-1, len(x)), y.reshape(-1, len(x))
    evidence, parts, spreads = [], [], []
    told = borrowed.priors if borrowed is not None else [Told(np.zeros(len(x)), prior, 0.0) for prior in priors]
    for common, covariance, said in told:
        centre = x + common
        f, variance, log_probability = _posterior(*flat, centre, covariance)
        rates = _rate(centre + f + nodes[:, None, None] * np.sqrt(variance))
        rate = np.tensordot(weights, rates, 1)
        evidence.append(log_probability + said)
        parts.append(rate.reshape(n.shape))
        spreads.append(np.tensordot(weights, (rates - rate) ** 2, 1).reshape(n.shape))
    likely = np.exp(np.array(evidence) - np.max(evidence, axis=0))
    weight = (likely / likely.sum(axis=0)).reshape(len(parts), *n.shape[:-1])
    return Rates(weight, np.array(parts), np.array(spreads))


@cache
def _integration() -> tuple[Array, Array]:
    """Where a function of a standard normal number is asked, and the weights of what is found there."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    return nodes, weights / weights.sum()


def prior_of(mean: Array) -> tuple[Array, tuple[Covariance, ...]]:
    """The log odds x (K,) of the words' meanings (K,), and the covariance of f under each of PRIORS."""
    return _prior_of(tuple(mean.tolist()))


@lru_cache(maxsize=16)  # that of one lexicon is asked for again with every group, and every half of it
def _prior_of(mean: tuple[float, ...]) -> tuple[Array, tuple[Covariance, ...]]:
    meaning = np.clip(mean, PLAIN, 1 - PLAIN)
    x = np.log(meaning / (1 - meaning))
    line = np.stack([np.full(len(x), SHIFT), SLOPE * x], axis=1)
    near = _along_the_scale(meaning)
    return x, tuple(Covariance(np.hstack([line, curve * near]), own) for curve, own in PRIORS)


@dataclass(frozen=True, slots=True, eq=False)
class Covariance:
    """C = U U' + own^2, with U (K, R): what takes R columns for K words is O(K R^2), however many words there are."""

    common: Array
    own: float

    def times(self, v: Array) -> Array:
        """C v of B vectors (B, K)."""
        result: Array = (v @ self.common) @ self.common.T + self.own**2 * v
        return result

    def shrunk(self, weight: Array, v: Array) -> Array:
        """(W^-1 + C)^-1 v for weights W and vectors v (B, K) of B samples; 0 where the weight is."""
        single, inner = self._inner(weight)
        pulled = np.linalg.solve(inner, ((single * v) @ self.common)[:, :, None])[:, :, 0]
        result: Array = single * (v - pulled @ self.common.T)
        return result

    def left(self, weight: Array) -> tuple[Array, Array]:
        """Diagonal (B, K) of (C^-1 + W)^-1, and log det(1 + W C) (B,)."""
        _, inner = self._inner(weight)
        own = 1 + self.own**2 * weight
        common = np.einsum("kr,brk->bk", self.common, np.linalg.solve(inner, self.common.T[None]))
        return self.own**2 / own + common / own**2, np.log(own).sum(axis=1) + np.linalg.slogdet(inner)[1]

    def _inner(self, weight: Array) -> tuple[Array, Array]:
        """S = (W^-1 + own^2)^-1 (B, K), and 1 + U' S U (B, R, R)."""
        single = weight / (1 + self.own**2 * weight)
        return single, np.eye(self.common.shape[1]) + (self.common.T * single[:, None, :]) @ self.common


class Told(NamedTuple):
    """A prior of f that rests on others: mean (K,) and covariance, and the log probability of what they said."""

    mean: Array
    covariance: Covariance
    evidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Borrowed:
    """What other groups tell of a group's deviations f before its own statements are seen: a mixture of priors.

    groups: how many others told of it;  over: which kind of others they are
    """

    priors: tuple[Told, ...]
    groups: int
    over: Pooling


def _along_the_scale(m: Array) -> Array:
    """(K, R) U with (U U')[k, l] = exp(-(m_k - m_l)^2 / (2 REACH^2)), but for 1e-10.

    With u = (m - 1/2) / REACH, exp(-(u - v)^2 / 2) is the sum over j of p_j(u) p_j(v), p_j(u) = exp(-u^2 / 2) u^j /
    sqrt(j!); directions of hardly any variance are left out.
    """
    u = (m - 0.5) / REACH
    terms = [np.exp(-(u**2) / 2)]
    for j in range(1, _TERMS):
        terms.append(terms[-1] * u / np.sqrt(j))
    left, values, _ = np.linalg.svd(np.stack(terms, axis=1), full_matrices=False)
    kept = values**2 > _NEGLIGIBLE * values[0] ** 2
    result: Array = left[:, kept] * values[kept]
    return result


def at_mode(n: Array, y: Array, x: Array, cov: Covariance) -> tuple[Array, Array, Array, Array]:
    """Of G groups (G, K) at the modes of their posteriors: f, the likelihood's curvature n r (1 - r) and slope
    y - n r, all (G, K), and log p(y | f) (G,).
    """
    f, _, _ = _posterior(n, y, x, cov)
    rate = _rate(x + f)
    return f, n * rate * (1 - rate), y - n * rate, _log_posterior(n, y, x, f, np.zeros(f.shape))


def _posterior(n: Array, y: Array, x: Array, cov: Covariance) -> tuple[Array, Array, Array]:
    """Mode and variance (B, K) of f for B samples, by Newton's method, and log P(y) (B,) up to a constant."""
    f, a = np.zeros(n.shape), np.zeros(n.shape)
    value = _log_posterior(n, y, x, f, a)
    active = np.arange(len(n))
    for _ in range(_STEPS):
        rate = _rate(x + f[active])
        weight = n[active] * rate * (1 - rate)
        pull = weight * f[active] + y[active] - n[active] * rate
        # a = C^-1 f throughout, without inverting C.
        step_a = pull - cov.shrunk(weight, cov.times(pull)) - a[active]
        step_f = cov.times(step_a)
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
    variance, volume = cov.left(n * rate * (1 - rate))
    return f, variance, value - volume / 2


def _log_posterior(n: Array, y: Array, x: Array, f: Array, a: Array) -> Array:
    """log p(y | f) + log p(f) up to constants, with a = C^-1 f."""
    h = x + f
    result: Array = (y * h - n * np.logaddexp(0, h)).sum(axis=-1) - (a * f).sum(axis=-1) / 2
    return result


def _rate(h: Array) -> Array:
    # Where millions of findings contradict their words, a step towards the mode may overflow exp.
    return np.asarray(1 / (1 + np.exp(-np.maximum(h, _LEAST_LOG_ODDS))))
