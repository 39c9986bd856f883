"""Rates that borrow strength: what an author's other topics, and other authors on the topic, tell of an author's words.

The deviations of group g from what words mean, in log odds, are a part that the groups have in common and one of its
own, both with the covariance C of a single group (:mod:`radcal.advise.rates`):

    f_g = u + d_g,    u ~ Normal(0, rho C),    d_g ~ Normal(0, (1 - rho) C)

Given the statements of all groups but one, u is normal with mean and covariance in closed form, once each group's
likelihood is taken as normal around its mode (Laplace).  That is the prior of the group left out: its own statements
are never counted twice, and halves of them can be judged by it.  rho is not known; each of ``SHARES`` is weighed by the
probability of the others' statements, and then by that of the group's own, so that an author unlike all others keeps
rates of his own.  Of both kinds of others together, the parts in common add: f = u + v + d, with what is left of C.

Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006), 2.7, 3.4 and 5.2 (the pooled prior of
several groups is theirs of several outputs).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from radcal.advise.rates import Borrowed, Covariance, at_mode, prior_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SHARES = (0.0, 0.3, 0.6, 0.9)
"""Of a group's variance, what it may have in common with the others."""
_LEAST_LEFT = 0.05
"""Of the variance, what stays a group's own at least."""
_LEAST_WEIGHT = 1e-9
"""Weight of a word that hardly tells anything."""

Others = tuple["Array", "Array"]
"""n, y (G, K) of other groups: statements and confirmed ones."""


def borrowed(sources: Sequence[Others], used: NDArray[np.bool_], mean: Array) -> Borrowed | None:
    """The prior of a group, given other groups of one or more kinds.

    Args:
        sources: for each kind of others, such as the author's other topics, their statements; kinds of no group or
            without statements are left out.
        used: (K,) the words that the group itself uses.
        mean: (K,) E[S|k].

    Returns:
        None without any others.
    """
    kinds = [(n, y) for n, y in sources if n.size and n.sum() > 0]
    if not kinds:
        return None
    x, priors = prior_of(mean)
    made: list[tuple[Covariance, float, Array, Array, float]] = []
    for prior in priors:
        told = [_common(n, y, x, prior, used) for n, y in kinds]
        for shares in product(SHARES, repeat=len(kinds)):
            left = 1 - sum(shares)
            if left < _LEAST_LEFT:
                continue
            parts = [kind[SHARES.index(share)] for kind, share in zip(told, shares, strict=True)]
            mean_of_all = np.sum([part[0] for part in parts], axis=0)
            common = np.hstack([part[1] for part in parts])
            made.append((prior, left, mean_of_all, common, sum(part[2] for part in parts)))
    return Borrowed(*(tuple(column) for column in zip(*made, strict=True)))


def _common(
    n: Array, y: Array, x: Array, prior: Covariance, used: NDArray[np.bool_]
) -> list[tuple[Array, Array, float]]:
    """For each of SHARES, mean (K,) of u, a factor (K, R) of its covariance, and log P(y) of all groups.

    With weights W_g at the mode and z_g the mode's working response, z_g ~ Normal(u, W_g^-1 + (1 - rho) C), so that

        precision of u = (rho C)^-1 + sum_g M_g,    M_g = (W_g^-1 + (1 - rho) C)^-1,    mean = cov(u) sum_g M_g z_g
    """
    f, weight, pull, fit = at_mode(n, y, x, prior)
    words = np.flatnonzero(used | (n.sum(axis=0) > 0))
    whole = prior.common[words] @ prior.common[words].T + prior.own**2 * np.eye(len(words))
    root = np.sqrt(np.maximum(weight[:, words], _LEAST_WEIGHT))
    z = f[:, words] + pull[:, words] / root**2
    at_rest = float(fit.sum() + ((pull[:, words] / root) ** 2).sum() / 2)
    told = []
    for share in SHARES:
        inner = np.eye(len(words)) + root[:, :, None] * (1 - share) * whole * root[:, None, :]
        solved = np.linalg.solve(inner, np.concatenate([root[:, :, None] * np.eye(len(words)), (root * z)[..., None]], 2))
        precision = root[:, :, None] * solved[:, :, :-1]
        each = root * solved[:, :, -1]
        log = at_rest - np.linalg.slogdet(inner)[1].sum() / 2 - (z * each).sum() / 2
        total, drawn = precision.sum(axis=0), each.sum(axis=0)
        mean, factor = np.zeros(len(x)), np.zeros((len(x), len(words) if share else 0))
        if share:
            gain = np.eye(len(words)) + share * whole @ total
            left = np.linalg.solve(gain, share * whole)
            mean[words] = left @ drawn
            values, vectors = np.linalg.eigh((left + left.T) / 2)
            factor[words] = vectors * np.sqrt(np.maximum(values, 0))
            log += drawn @ mean[words] / 2 - np.linalg.slogdet(gain)[1] / 2
        told.append((mean, factor, float(log)))
    return told
