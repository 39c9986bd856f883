"""What the author's confirmed rates probably are, given that small samples stray."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PRIOR_STRENGTH = 4.0
"""Weight of the prior, in statements."""


def posterior_rates(n: Array, y: Array, mean: Array) -> tuple[Array, Array]:
    """Posterior mean and variance of each phrase's confirmed rate under an empirical-Bayes Beta prior.

    The prior says that stronger words are confirmed at least as often as weaker ones: phrase k has the prior
    Beta(s m_k, s (1 - m_k)) with s = 4 statements and m the weighted isotonic regression over phrases in order of
    strength.  Each phrase enters the regression with one more statement, half of it at the phrase's own meaning
    and half at the overall rate, so that unused words have a value too.

    Args:
        n, y: (K,) statements and how many were confirmed.
        mean: (K,) E[S|k], the strength of the phrases.

    Returns:
        (K,) posterior means in 0-1 and (K,) posterior variances.
    """
    base = (y.sum() + 1) / (n.sum() + 2)
    order = np.argsort(mean, kind="stable")
    drawn = (y + (mean + base) / 2) / (n + 1)
    prior = np.empty_like(mean)
    prior[order] = _isotonic(drawn[order], n[order] + 1e-3)
    prior = np.clip(prior, 0.01, 0.99)
    total = n + PRIOR_STRENGTH
    rate = (y + PRIOR_STRENGTH * prior) / total
    return rate, rate * (1 - rate) / (total + 1)


def _isotonic(value: Array, weight: Array) -> Array:
    """Weighted least-squares non-decreasing fit, by pooling adjacent violators."""
    pools: list[tuple[float, float, int]] = []
    for v, w in zip(value.tolist(), weight.tolist(), strict=True):
        pool = (v, w, 1)
        while pools and pools[-1][0] > pool[0]:
            left = pools.pop()
            both = left[1] + pool[1]
            pool = ((left[0] * left[1] + pool[0] * pool[1]) / both, both, left[2] + pool[2])
        pools.append(pool)
    return np.repeat([p[0] for p in pools], [p[2] for p in pools])
