"""Funnel plots: differences between authors expected by chance, given their n.

An author is part of the department, and the more so the fewer there are: limits around the department's rate as if
that were known hide whoever moves it.  Here each author is compared with all others instead, given what all of them
come to together.  If the N findings of the department, Y of them confirmed, are dealt out by chance, an author of n
gets y ~ Hypergeometric(N, Y, n).  That is Fisher's exact test of the author's y / n against the (Y - y) / (N - n) of
all others, whose own uncertainty it includes; and because it depends on n alone, one funnel around Y / N shows it for
all authors.  Its standard error is sqrt(rate (1 - rate) (1 / n - 1 / N)) but for a factor of sqrt(N / (N - 1)).

Source: Spiegelhalter, "Funnel plots for comparing institutional performance", Statist. Med. 2005;24:1185-1202, for
limits, over-dispersion and winsorising; the reference without the institution itself is his "cross-validation".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability import scoring
from radcal.system.intervals import tails

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.words.records import PhraseBins

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
    """Dispersion between authors: phi is 1 under chance alone, larger with over-dispersion.

    p_value: how often chance alone would give as much
    """

    phi: float
    p_value: float


def chance_limits(positives: float, total: float, n: Array, coverage: float) -> tuple[Array, Array]:
    """Limits of the share y / n of y ~ Hypergeometric(total, positives, n), in 0-1, (...) each.

    A share beyond the upper limit is one with P(Y >= y) < (1 - coverage) / 2, and likewise below the lower one; between
    whole counts the logarithm of the tail is taken to be straight.  With n = total the limits meet.

    Args:
        positives: confirmed findings of all authors together; rounded to a whole number.
        total: findings of all authors together, whole.
        n: (...), whole, 1 to total: of one author.
        coverage: in 0-1.
    """
    n, tail = np.asarray(n, dtype=np.float64), (1 - coverage) / 2
    ends = [_upper_count(round(total), round(yes), n.ravel(), tail) for yes in (total - positives, positives)]
    low, high = (end.reshape(n.shape) / n for end in ends)
    return 1 - low, high


def _upper_count(total: int, positives: int, n: Array, tail: float) -> Array:
    """(P,): where P(Y >= y) of Y ~ Hypergeometric(total, positives, n) falls below ``tail``; n if it never does."""
    from scipy.special import gammaln

    limits = np.empty(n.shape)
    for i, size in enumerate(n.tolist()):
        least, most = max(0.0, size - (total - positives)), min(size, positives)
        mean = size * positives / total
        reach = 10 * (mean * (1 - positives / total) * (1 - size / total)) ** 0.5 + 20
        y = np.arange(max(least, np.floor(mean - reach)), min(most, np.ceil(mean + reach)) + 1)
        parts = np.stack([y, positives - y, size - y, total - positives - size + y])
        log_p = -gammaln(parts + 1).sum(axis=0)
        p = np.exp(log_p - log_p.max())
        above = np.cumsum(p[::-1])[::-1] / p.sum()  # P(Y >= y)
        rare = int((above >= tail).sum())
        if rare == len(y):
            limits[i] = y[-1]
        else:
            before, after = np.log(above[rare - 1]), np.log(above[rare])
            limits[i] = y[rare - 1] + (before - np.log(tail)) / (before - after)
    return limits


def rate_dispersion(y: Array, n: Array, rng: np.random.Generator) -> Dispersion:
    """Over-dispersion of rates: phi, the mean of z_i^2 with 10 % winsorised at either end.

    z_i = (y_i / n_i - rate) / sqrt(rate (1 - rate) (1 / n_i - 1 / N) N / (N - 1)), rate = Y / N: of author i against
    all others, in standard errors.  The p-value is the share of 2,000 departments with the same n_i and Y, dealt out
    by chance, whose phi is as large or larger; a tie counts half.

    Args:
        y, n: (A,), confirmed and all findings of A >= 2 authors, n > 0.
        rng: deals out.
    """
    size = np.rint(n).astype(np.int64)
    total, positives = int(size.sum()), round(float(y.sum()))
    rate = positives / total
    if rate <= 0 or rate >= 1:
        return Dispersion(0.0, 1.0)
    error = np.sqrt(rate * (1 - rate) * (1 / size - 1 / total) * total / (total - 1))
    phi = float(_phi((y / n - y.sum() / n.sum()) / error))
    dealt = rng.multivariate_hypergeometric(size, positives, size=_DRAWS)
    return Dispersion(phi, _share_above(_phi((dealt / size - rate) / error), phi))


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
    """Chance deviation of the word error of n hedged statements from its mean: limits by LIMITS, (P,) each."""

    low: tuple[Array, Array]
    high: tuple[Array, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Totals over all authors: said and confirmed (K,) of each phrase, as whole numbers."""

    said: NDArray[np.int64]
    confirmed: NDArray[np.int64]
    bins: PhraseBins

    @classmethod
    def of(cls, said: Array, confirmed: Array, bins: PhraseBins) -> Together:
        """From sums (K,) over all authors."""
        whole = np.rint(said).astype(np.int64)
        return cls(whole, np.minimum(np.rint(confirmed).astype(np.int64), whole), bins)


def score_limits(together: Together, n: Array, rng: np.random.Generator) -> ScoreFunnel:
    """Limits of the word error minus its mean when the department's statements are dealt to authors at random.

    n statements are drawn from all of them without replacement, words and confirmations alike.  It falls with n by
    itself, because luck leaves less of a mark on many statements, and depends on the words; its mean is therefore taken
    off, as ``score_chance`` gives it for each author's own words.  Limits at ten or more points are smoothed by a cubic
    in sqrt(1 / n - 1 / N), N the statements of all, which is how the spread of means falls, down to 0 at n = N.

    Args:
        together: what all authors hedged.
        n: (P,), whole numbers of statements at which to simulate, at most N.
        rng: deals out.
    """
    below = [share for coverage in LIMITS for share in tails(coverage)]
    ends = np.empty((len(below), len(n)))
    for i, size in enumerate(n):
        scores = _dealt(together, rng.multivariate_hypergeometric(together.said, int(size), size=_DRAWS), rng)
        ends[:, i] = np.nanquantile(scores, below) - np.nanmean(scores)
    if len(n) >= _SMOOTHED_FROM:
        spread = np.sqrt(1 / np.asarray(n, dtype=np.float64) - 1 / together.said.sum())
        powers = np.stack([spread, spread**2, spread**3], axis=1)
        ends = (powers @ np.linalg.lstsq(powers, ends.T, rcond=None)[0]).T
    return ScoreFunnel((ends[0], ends[2]), (ends[1], ends[3]))


def score_chance(n: Array, together: Together, rng: np.random.Generator) -> float:
    """The mean word error of an author with these words n (K,), at the department's confirmed rates, in 0-1.

    Which of the department's uses of a phrase are the author's is left to chance: y_k ~ Hypergeometric(N_k, Y_k, n_k).
    """
    own = np.minimum(np.rint(n).astype(np.int64), together.said)
    return float(np.nanmean(_dealt(together, np.broadcast_to(own, (_DRAWS, len(n))), rng)))


def _dealt(together: Together, said: NDArray[np.int64], rng: np.random.Generator) -> Array:
    """Word errors (D,) of authors dealt (D, K) statements."""
    confirmed = rng.hypergeometric(together.confirmed, together.said - together.confirmed, said).astype(np.float64)
    words = said.astype(np.float64)
    chunks = [slice(i, i + _CHUNK) for i in range(0, len(words), _CHUNK)]
    return np.concatenate([scoring.word_error(words[i], confirmed[i], together.bins) for i in chunks])
