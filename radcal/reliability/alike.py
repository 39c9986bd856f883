"""Whether groups of findings were confirmed alike, word by word: an exact test for groups of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.records import LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_LEAST_SKEW, _NO_VARIANCE = 1e-4, 1e-12


def homogeneity(
    names: Sequence[str], counts: Array, positive: Array, mean: Array, least: float
) -> tuple[float | None, tuple[Part, ...]]:
    """Whether the parts of a pooled group were confirmed alike, word by word, and which differ from the rest.

    Each part against the rest, stratified by word.  If the outcomes of word k do not depend on the part, the n_gk of
    part g are a draw without replacement from all N_k.  T_g = sum_k w_k (y_gk - n_gk Y_k / N_k) then has the mean 0,
    and a variance and a skewness in closed form; p-values are those of a Pearson type III distribution with these
    moments, two-sided.  There are two such tests: w_k = 1 asks whether the words were confirmed more or less often,
    w_k = E[S|k] less its mean whether strong and weak words lay further apart; the smaller of the two p-values is
    doubled.  With w_k = 1 and outcomes of 0 and 1 this is the Cochran-Mantel-Haenszel test.

    The part with the least p-value differs from the rest if that, times the number of parts tested, is below LEVEL.
    It then leaves the rest, which is tested again, until no part differs: otherwise one odd part of many statements
    would make all others differ from a rest that it dominates.

    Args:
        names: of G parts.
        counts: (G, K, L), t[g, k, l].
        positive: (L,), p_l in 0-1.
        mean: (K,), E[S|k] in 0-1.
        least: parts of fewer statements are in the rest, but are not tested themselves.

    Returns:
        The p-value of the first step, adjusted: that all parts are alike; None where nothing could be tested.  And the
        parts, the largest first, with adjusted p-values, NaN where not tested.

    Source: Mantel and Haenszel, JNCI 1959;22:719-748; Mielke and Berry, Permutation Methods (2007).
    """
    power = counts @ np.stack([np.ones_like(positive), positive, positive**2, positive**3], axis=1)
    return alike(names, power, mean, least)


def alike(names: Sequence[str], power: Array, mean: Array, least: float) -> tuple[float | None, tuple[Part, ...]]:
    """As :func:`homogeneity`, from the sums of the outcomes to the powers 0 to 3, (G, K, 4).

    K may be strata of words, in each of which the parts are compared, with the mean of its word.
    """
    size = power[:, :, 0].sum(axis=1)
    rest = np.ones(len(size), dtype=bool)
    p_values, differs = np.full(len(size), np.nan), np.zeros(len(size), dtype=bool)
    overall: float | None = None
    reached = 0.0
    while rest.sum() > 1 and (tested := np.flatnonzero(rest & (size >= least))).size:
        # Of two parts, each is the other's rest: that is one test, and it is the smaller one that leaves.
        two = rest.sum() == 2
        p = _against_rest(power[rest], mean)[(size >= least)[rest]]
        adjusted = np.maximum(np.minimum(p * (1 if two else len(p)), 1.0), reached)
        overall = float(adjusted.min()) if overall is None else overall
        p_values[tested] = adjusted
        reached = float(adjusted.min())
        if not reached < LEVEL:
            break
        out = np.flatnonzero(rest)[size[rest].argmin()] if two else tested[adjusted.argmin()]
        p_values[out], differs[out], rest[out] = reached, True, False
    order = sorted(range(len(names)), key=lambda g: (-size[g], names[g]))
    return overall, tuple(Part(names[g], float(size[g]), float(p_values[g]), bool(differs[g])) for g in order)


def _against_rest(power: Array, mean: Array) -> Array:
    """(G,) p-values of each part; ``power`` (G, K, 4): sums of the outcomes to the powers 0 to 3."""
    n, y = power[:, :, 0], power[:, :, 1]
    total = power.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = total[:, 0]
        first, second, third = (np.where(whole > 0, total[:, i] / whole, 0.0) for i in (1, 2, 3))
        drawn = n * (whole - n)
        # Of what is drawn without replacement from a finite number of outcomes.
        variance = np.where(whole > 1, drawn / (whole - 1) * np.maximum(second - first**2, 0.0), 0.0)
        cubed = third - 3 * first * second + 2 * first**3
        skew = np.where(whole > 2, drawn * (whole - 2 * n) / ((whole - 1) * (whole - 2)) * cubed, 0.0)
    beyond = y - n * first
    at_hand = variance.sum()
    centred = mean - (variance.sum(axis=0) @ mean / at_hand if at_hand > 0 else 0.0)
    weights = [np.ones_like(mean), centred]
    p = [_two_sided(beyond @ w, variance @ w**2, skew @ w**3) for w in weights]
    asked = 1 + bool((variance @ centred**2 > _NO_VARIANCE).any())
    least: Array = np.minimum(np.min(p, axis=0) * asked, 1.0)
    return least


def _two_sided(t: Array, variance: Array, third: Array) -> Array:
    """Twice the smaller tail of the Pearson type III distribution of mean 0 with these moments; 1 without variance."""
    from scipy.special import gammainc, gammaincc

    known = variance > _NO_VARIANCE
    v = np.where(known, variance, 1.0)
    skew = np.where(known, third, 0.0) / v**1.5
    shape = 4 / np.maximum(np.abs(skew), _LEAST_SKEW) ** 2
    # In the direction of the skew it is a gamma distribution, moved to the mean 0.
    along = np.maximum(shape + np.where(skew < 0, -t, t) / np.sqrt(v) * np.sqrt(shape), 0.0)
    tail = np.minimum(gammaincc(shape, along), gammainc(shape, along))
    p: Array = np.where(known, np.minimum(2 * tail, 1.0), 1.0)
    return p


