"""Verdicts on words, and the part of a curve where hedged words lie."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from radcal.reliability.records import PhraseRate, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.reliability.records import Curve


def verdict_on(low: float, high: float, least: float, most: float, meant_low: float, meant_high: float) -> Verdict:
    """The verdict on a word with the interval [low, high] of its confirmed rate.

    'agrees' if it lies inside [least, most], the range of :func:`agreeing_rates`; 'differs' if it does not meet
    [meant_low, meant_high], that of :func:`expected_rates`; 'undecided' otherwise.  So what is not known of a word's
    meaning speaks for neither.
    """
    if high < meant_low or low > meant_high:
        return "differs"
    return "agrees" if least <= low and high <= most else "undecided"


def hedged_uses(rates: Iterable[PhraseRate]) -> float:
    """Number of hedged statements: the basis of a curve and ECE*."""
    return sum(r.n for r in rates if 0.0 < r.mean < 1.0)


def hedged_bins(curve: Curve, rates: Iterable[PhraseRate]) -> NDArray[np.bool_]:
    """(B,) mask of the bins where hedged words lie: their middle is in the range that a hedged word in use means.

    Elsewhere the curve is made of the tails of words that mean something else, and in the end bins of plain statements.
    """
    import numpy as np

    middle, said = (curve.low + curve.high) / 2, [r for r in rates if r.n > 0]
    lie = np.zeros(len(middle), dtype=bool)
    for r in said:
        if 0.0 < r.mean < 1.0:
            lie |= (r.meant_low <= middle) & (middle <= r.meant_high)
    lie[0] &= all(r.mean > 0.0 for r in said)
    lie[-1] &= all(r.mean < 1.0 for r in said)
    return lie & np.isfinite(curve.rate)
