"""Rates that borrow strength: what an author's other topics, and other authors on the topic, tell of an author's words.

The deviations of group g from what words mean, in log odds, are a part that the groups have in common and one of its
own, both with the covariance C of a single group (:mod:`radcal.advice.rates`):

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

from radcal.advice.rates import Borrowed, Covariance, Told, at_mode, prior_of
from radcal.reliability.records import IN_COMMON, pool_of
from radcal.reliability.scoring import corrected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.reliability.records import Lender, Pooling, Tables
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

SHARES = (0.0, 0.3, 0.6, 0.9)
"""Of a group's variance, what it may have in common with the others."""
_LEAST_LEFT = 0.05
"""Of the variance, what stays a group's own at least."""
_LEAST_WEIGHT = 1e-9
"""Weight of a word that hardly tells anything."""


def borrowed(
    sources: Sequence[tuple[Array, Array]], used: Mask, mean: Array, over: Pooling = "both"
) -> Borrowed | None:
    """The prior of a group, given other groups of one or more kinds.

    Args:
        sources: n, y (G, K), statements and confirmed ones, of each kind of others, such as the author's other topics;
            kinds of no group or without statements are left out.
        used: (K,) the words that the group itself uses.
        mean: (K,) E[S|k].
        over: the name of these kinds.

    Returns:
        None without any others.
    """
    kinds = [(n, y) for n, y in sources if n.size and n.sum() > 0]
    if not kinds:
        return None
    x, priors = prior_of(mean)
    made = []
    for prior in priors:
        told = [_common(n, y, x, prior, used) for n, y in kinds]
        for shares in product(SHARES, repeat=len(kinds)):
            left = 1 - sum(shares)
            if left < _LEAST_LEFT:
                continue
            parts = [kind[SHARES.index(share)] for kind, share in zip(told, shares, strict=True)]
            own = float(np.sqrt(left))
            common = np.hstack([own * prior.common, *(part[1] for part in parts)])
            centre: Array = np.sum([part[0] for part in parts], axis=0)
            made.append(Told(centre, Covariance(common, own * prior.own), sum(part[2] for part in parts)))
    return Borrowed(tuple(made), sum(len(n) for n, _ in kinds), over)


def told_to(
    group: tuple[str, str],
    used: Mask,
    others: Tables,
    phrases: Sequence[str],
    mean: Array,
    settings: Settings,
) -> Borrowed | None:
    """What the other groups of the tables tell of a group's rates, as ``settings.pooling`` asks.

    Args:
        group: author and topic.
        used: (K,) the words that it uses.
        others: tables of any groups; the group itself and those that share neither author nor topic are left out.
        phrases: the K words;  mean: (K,) E[S|k].
        settings: ``pooling``, and the errors of the CT for which the others' counts are corrected.

    Returns:
        None where nothing is borrowed: none is asked for, there are no such groups, or the group is pooled itself.
    """
    kinds = lenders(group, others, settings.pooling)
    if not kinds:
        return None
    place = {name: k for k, name in enumerate(phrases)}
    known = [(place[name], j) for j, name in enumerate(others.phrases) if name in place]
    at, from_ = np.array([k for k, _ in known], dtype=int), np.array([j for _, j in known], dtype=int)
    sources = []
    for places in kinds.values():
        counts = others.counts[places][:, from_]
        n, y = (np.zeros((len(places), len(phrases))) for _ in range(2))
        n[:, at] = counts.sum(axis=2)
        y[:, at] = counts @ others.positive
        for i, q in enumerate(places):
            y[i] = corrected(y[i], n[i], *settings.ct_accuracy_on(others.groups[q][1]))
        sources.append((n, y))
    over: Pooling = "both" if len(kinds) > 1 else next(iter(kinds))
    return borrowed(sources, used, mean, over)


def lenders(group: tuple[str, str], tables: Tables, pooling: Pooling) -> dict[Lender, list[int]]:
    """The places in the tables of the groups that a group borrows from, by kind, where there are any.

    A pooled group borrows from nobody.
    """
    if pool_of(*group) is not None:
        return {}
    found = {
        kind: [q for q, names in enumerate(tables.groups) if names[same] == group[same] and names != group]
        for kind, same in IN_COMMON.items()
        if pooling in (kind, "both")
    }
    return {kind: places for kind, places in found.items() if places}


def _common(n: Array, y: Array, x: Array, prior: Covariance, used: Mask) -> list[tuple[Array, Array, float]]:
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
        solved = np.linalg.solve(
            inner, np.concatenate([root[:, :, None] * np.eye(len(words)), (root * z)[..., None]], 2)
        )
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
