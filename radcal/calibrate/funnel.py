"""Funnel plots: which differences between authors chance alone would give, by how much each of them said.

Source: Spiegelhalter, "Funnel plots for comparing institutional performance", Statist. Med. 2005;24:1185-1202.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal import scoring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.records import PhraseBins

    Array = NDArray[np.float64]

LIMITS = (0.95, 0.998)
"""Coverage of the inner and outer control limits."""
_WINSORISED = 0.1
"""Share of the authors at either end whose distance is taken to be that of the next."""
_DRAWS = 2000
_SMOOTHED_FROM = 10
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How far authors lie apart: phi is 1 where chance alone parts them, and more where there is more to it.

    p_value: how often chance alone would give as much
    """

    phi: float
    p_value: float


def binomial_limits(rate: float, n: Array, coverage: float) -> tuple[Array, Array]:
    """Limits of the share y / n of y ~ Binomial(n, rate), in 0-1, (...) each.

    A share beyond the upper limit is one with P(Y >= y) < (1 - coverage) / 2, and likewise below the lower one; between
    whole counts the tails are continued by the incomplete beta function,

        P(Y >= y) = I(rate; y, n - y + 1),   P(Y <= y) = I(1 - rate; n - y, y + 1),

    so that the limits are smooth in n and yet exact.  (The source interpolates quantiles, by which the 21 of 21 of
    an author at a rate of 0.9 would lie outside.)

    Args:
        rate: in 0-1.
        n: (...), > 0.
        coverage: in 0-1.
    """
    from scipy.special import betainc

    n, tail = np.asarray(n, dtype=np.float64), (1 - coverage) / 2

    def share(at: float, n: Array) -> Array:
        """The largest share whose upper tail at the rate ``at`` is not below ``tail``."""
        low, high = np.zeros(n.shape), np.ones(n.shape)
        for _ in range(40):
            middle = (low + high) / 2
            y = middle * n
            likely = betainc(np.maximum(y, 1e-12), n - y + 1, at) >= tail
            low, high = np.where(likely, middle, low), np.where(likely, high, middle)
        # All of n, where even that is likely enough, is reached but for rounding.
        return np.where(high == 1, 1.0, low)

    if rate <= 0 or rate >= 1:
        return np.full(n.shape, float(rate)), np.full(n.shape, float(rate))
    return 1 - share(1 - rate, n), share(rate, n)


def rate_dispersion(y: Array, n: Array, rate: float, rng: np.random.Generator) -> Dispersion:
    """Over-dispersion of rates: phi, the mean of z_i^2 with the extreme tenth at either end drawn in.

    z_i = (y_i / n_i - rate) / sqrt(rate (1 - rate) / n_i).  The p-value is the share of 2,000 simulated departments
    of the same n_i and rate whose phi is as large or larger; a tie counts half.

    Args:
        y, n: (A,), n > 0.
        rate: the mean around which the funnel is drawn.
        rng: draws the simulated departments.
    """
    if rate <= 0 or rate >= 1:
        return Dispersion(0.0, 1.0)
    deviation = np.sqrt(rate * (1 - rate) / n)
    phi = float(_phi((y / n - rate) / deviation))
    size = np.maximum(np.rint(n), 1).astype(np.int64)
    drawn = rng.binomial(size, rate, size=(_DRAWS, len(n)))
    simulated = _phi((drawn / size - rate) / np.sqrt(rate * (1 - rate) / size))
    return Dispersion(phi, _share_above(simulated, phi))


def _phi(z: Array) -> Array:
    """(...,) from (..., A)."""
    low, high = np.quantile(z, (_WINSORISED, 1 - _WINSORISED), axis=-1, keepdims=True)
    mean: Array = np.square(np.clip(z, low, high)).mean(axis=-1)
    return mean


def _share_above(simulated: Array, observed: float) -> float:
    tie = 1e-9 * max(1.0, abs(observed))
    above = (simulated > observed + tie).mean()
    return float(above + 0.5 * (np.abs(simulated - observed) <= tie).mean())


@dataclass(frozen=True, slots=True, eq=False)
class ScoreFunnel:
    """How far from its mean chance takes ECE* of n hedged statements: limits by LIMITS, (P,) each, around 0."""

    n: Array
    low: tuple[Array, Array]
    high: tuple[Array, Array]


def score_limits(mix: Array, rate: Array, bins: PhraseBins, n: Array, rng: np.random.Generator) -> ScoreFunnel:
    """Limits of ECE* less its mean, for authors who use the department's words at its rates, by simulation.

    n statements have words ~ Multinomial(n, mix), y_k ~ Binomial(n_k, rate_k).  ECE falls with n by itself, because
    luck leaves less of a mark on many statements, and depends on the words; its mean is therefore taken off, as
    ``score_chance`` gives it for each author's own words.  Limits at ten or more points are smoothed by a parabola in
    1 / sqrt(n), which is how the spread of means falls.

    Args:
        mix: (K,), share of each phrase, adding to 1.
        rate: (K,), the department's confirmed rate of each phrase, in 0-1.
        bins: of the K phrases.
        n: (P,), whole numbers of statements at which to simulate.
        rng: draws the authors.
    """
    tails = [t for coverage in LIMITS for t in ((1 - coverage) / 2, (1 + coverage) / 2)]
    ends = np.empty((len(tails), len(n)))
    for i, size in enumerate(n):
        scores = _simulated(rng.multinomial(int(size), mix, size=_DRAWS), rate, bins, rng)
        ends[:, i] = np.nanquantile(scores, tails) - np.nanmean(scores)
    if len(n) >= _SMOOTHED_FROM:
        powers = np.vander(np.asarray(n, dtype=np.float64) ** -0.5, 3)
        ends = (powers @ np.linalg.lstsq(powers, ends.T, rcond=None)[0]).T
    return ScoreFunnel(np.asarray(n, dtype=np.float64), (ends[0], ends[2]), (ends[1], ends[3]))


def score_chance(n: Array, rate: Array, bins: PhraseBins, rng: np.random.Generator) -> float:
    """The mean ECE* of an author with these words n (K,) and the department's rates (K,), in 0-1."""
    said = np.broadcast_to(np.rint(n).astype(np.int64), (_DRAWS, len(n)))
    return float(np.nanmean(_simulated(said, rate, bins, rng)))


def _simulated(said: NDArray[np.int64], rate: Array, bins: PhraseBins, rng: np.random.Generator) -> Array:
    confirmed = rng.binomial(said, rate).astype(np.float64)
    words = said.astype(np.float64)
    return np.concatenate(
        [scoring.ece_star(words[i : i + _CHUNK], confirmed[i : i + _CHUNK], bins) for i in range(0, len(words), _CHUNK)]
    )
