"""Bounds on confirmed rates where only some of the statements were followed by a CT.

Only patients with a CT in the window enter the statistics, and who gets a CT depends on what the X-ray report says.
Nothing is assumed about the others: of n_k + u_k statements worded with phrase k, u_k without a verdict, between

    y_k / (n_k + u_k)    and    (y_k + u_k) / (n_k + u_k)

would have been confirmed, the ends being "none of them" and "all of them".

Source: Manski, "Partial Identification of Probability Distributions", 2003, chapter 1; Begg and Greenes,
"Assessment of diagnostic tests when disease verification is subject to selection bias", Biometrics 1983;39:207-215.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.records import VerifiedRate
from radcal.system.errors import DataError
from radcal.system.intervals import jeffreys
from radcal.words.phrases import agreeing_rates, expected_rates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.words.records import Phrase

    Array = NDArray[np.float64]


def verified_rates(
    phrases: Sequence[Phrase], judged: Array, positives: Array, unverified: Array, confidence: float
) -> tuple[VerifiedRate, ...]:
    """Bounds of the K phrases that were said at all, in the order given.

    A verdict is given only where it holds whatever the unverified statements were, sampling error included: with
    [low, high] the bounds widened by the Jeffreys intervals of their ends, "stronger" (than CT supported) where high
    lies below what the phrase may mean (``expected_rates``), "weaker" where low lies above it.  "within" takes the
    bounds themselves, because an interval of few statements would leave every range.  All else is "open".

    Args:
        phrases: K phrases; the ranges are those of ``agreeing_rates``.
        judged, positives, unverified: (K,), n_k, y_k (0 <= y_k <= n_k, fractional where CT was unsure) and u_k.
        confidence: coverage of the intervals.

    Raises:
        DataError: a count is negative, no number, or more was confirmed than judged.
    """
    n, y, u = (np.asarray(a, dtype=np.float64) for a in (judged, positives, unverified))
    if not (n.shape == y.shape == u.shape == (len(phrases),)):
        raise DataError("Each phrase needs its counts of judged, confirmed and unverified statements.")
    if not (np.isfinite(n + y + u).all() and (np.minimum(y, u) >= 0).all() and (y <= n).all()):
        raise DataError("A count of statements is negative or no number, or more were confirmed than judged.")
    said = n + u
    share_low, share_high = jeffreys(n, said, confidence)
    rate_low, rate_high = jeffreys(y, n, confidence)
    low, _ = jeffreys(y, said, confidence)
    _, high = jeffreys(y + u, said, confidence)
    made = []
    for k in np.flatnonzero(said > 0).tolist():
        phrase = phrases[k]
        lowest, highest = float(y[k] / said[k]), float((y[k] + u[k]) / said[k])
        verdict, meant = "", agreeing_rates(phrase)
        if n[k] > 0:
            verdict = _verdict((lowest, highest), (float(low[k]), float(high[k])), meant, expected_rates(phrase))
        made.append(
            VerifiedRate(
                phrase=phrase.name,
                said=float(said[k]),
                judged=float(n[k]),
                positives=float(y[k]),
                unverified=float(u[k]),
                share_low=float(share_low[k]),
                share_high=float(share_high[k]),
                rate_low=float(rate_low[k]),
                rate_high=float(rate_high[k]),
                lowest=lowest,
                highest=highest,
                low=float(low[k]),
                high=float(high[k]),
                meaning_low=meant[0],
                meaning_high=meant[1],
                verdict=verdict,
                spans=lowest <= meant[0] and highest >= meant[1] and highest > lowest,
            )
        )
    return tuple(made)


def _verdict(
    bounds: tuple[float, float],
    widened: tuple[float, float],
    meant: tuple[float, float],
    expected: tuple[float, float],
) -> str:
    if widened[1] < expected[0]:
        return "stronger"
    if widened[0] > expected[1]:
        return "weaker"
    return "within" if meant[0] <= bounds[0] and bounds[1] <= meant[1] else "open"
