"""Evidence that a word lies outside of its range, which stays honest however often it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit, logsumexp, ndtri

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_SCALE = 0.8
"""Of the distances from the end of a range that are thought of, on the scale of log odds."""
_POINTS = 40


def log_evidence(y: Array, n: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Log e-values that the rate lies below ``low``, and above ``high``.

    The likelihood ratio of rates q beyond an end p against the end itself, averaged over half-normal distances from p
    on the scale of log odds (40 quantiles of standard deviation 0.8):

        e = mean over q of (q / p)^y ((1 - q) / (1 - p))^(n - y)

    Where every finding is confirmed with a probability of at least ``low``, whatever came before it, the first is a
    supermartingale that starts at 1 as findings come in, and so is the second where none is above ``high``.  So it
    reaches 1 / a at any time, looked at how often ever, with a probability of at most a (Ville); it is not to be
    started anew after a look.  Outcomes between 0 and 1 are allowed: each factor is then at most
    x q / p + (1 - x) (1 - q) / (1 - p), whose expectation is at most 1, by the means of geometry and arithmetic.  For
    the same reason m findings of one patient may count as a single one with their mean, however alike they are; n is
    then the number of patients.

    Args:
        y: (Q, K), of n statements, how many were confirmed, 0 <= y <= n, fractions included.
        n: (Q, K), statements, or patients.
        low, high: (K,) or (Q, K), ends of the ranges, 0-1.

    Returns:
        (Q, K) each; -inf where an end is 0 or 1, beyond which there is nothing, 0 without statements otherwise.

    Source: Ville, "Etude critique de la notion de collectif", 1939; Robbins, "Statistical methods related to the law of
    the iterated logarithm", Ann. Math. Stat. 1970;41:1397; Waudby-Smith and Ramdas, "Estimating means of bounded random
    variables by betting", J. R. Statist. Soc. B 2024;86:1-27.
    """
    return _below(y, n, low), _below(n - y, n, 1 - high)


def _below(y: Array, n: Array, end: Array) -> Array:
    inside = (end > 0) & (end < 1)
    p = np.where(inside, end, 0.5)
    distances = -_SCALE * ndtri((np.arange(_POINTS) + 0.5) / (2 * _POINTS))
    logs = []
    for distance in distances.tolist():
        q = expit(logit(p) - distance)
        logs.append(y * np.log(q / p) + (n - y) * np.log((1 - q) / (1 - p)))
    average: Array = np.where(inside, logsumexp(logs, axis=0) - np.log(_POINTS), -np.inf)
    return average
