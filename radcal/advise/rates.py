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
    from scipy.optimize import isotonic_regression

    base = (y.sum() + 1) / (n.sum() + 2)
    order = np.argsort(mean, kind="stable")
    drawn = (y + (mean + base) / 2) / (n + 1)
    prior = np.empty_like(mean)
    prior[order] = isotonic_regression(drawn[order], weights=n[order] + 1e-3).x
    prior = np.clip(prior, 0.01, 0.99)
    total = n + PRIOR_STRENGTH
    rate = (y + PRIOR_STRENGTH * prior) / total
    return rate, rate * (1 - rate) / (total + 1)
