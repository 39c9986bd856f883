"""What the findings of each group tell of the true rates of its words: the likelihood of the department's model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.reference import references
from radcal.reliability.repeats import design_effects, told_share
from radcal.system.intervals import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.reliability.records import Tables
    from radcal.reliability.reference import Reference
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

UNREAD = 1.0
"""By how much, in log odds, the rate of what was left unread may differ from that of what was read (a standard
deviation)."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of B samples of K words.

    n, y: (B, K) findings, and how many of them are there as far as the reference tells;  weight: (B, K) in 0-1, what a
    finding tells of the rate, relative to one that stands by itself, is read without error and judged by a plain
    statement of a perfect CT
    """

    n: Array
    y: Array
    weight: Array

    @property
    def information(self) -> Array:
        """(B, K) that of h: n c r (1 - r) at r = (y + 1/2) / (n + 1)."""
        rate = (self.y + 0.5) / (self.n + 1)
        told: Array = self.n * self.weight * rate * (1 - rate)
        return told

    def log_likelihood(self, rows: tuple[Index, ...], h: Array) -> Array:
        """(R, H) of words at these indices, at h (H,) or (R, H); 0 at the most likely h of the grid."""
        y, n, weight = (x[rows][:, None] for x in (self.y, self.n, self.weight))
        log = weight * (y * h - n * np.logaddexp(0, h))
        log -= log.max(axis=1, keepdims=True)
        return np.asarray(log)


def evidence_of(tables: Tables, settings: Settings, read: Array | None = None) -> Evidence:
    """The evidence of all groups of the tables.

    The mean outcome of findings of which the share r is there is e0 + (e1 - e0) r, with e0 and e1 the mean outcomes
    where a finding is not there and where it is (:class:`radcal.reliability.reference.Reference`), so that

        y = n (mean outcome - e0) / (e1 - e0),  within 0 to n
        weight = r (1 - r) (e1 - e0)^2 / Var(outcome)        at r = (y + 1/2) / (n + 1)

    times what is told by findings of patients seen again (:func:`radcal.reliability.repeats.told_share`).

    Errors of reading take the place of both where they are carried on: y is n times the rate as written, and the weight
    that of a sample whose rate is as uncertain.  Of the share u of statements left unread, the log odds may differ by
    UNREAD from those of the others, which adds (u UNREAD)^2 to the variance of the group's log odds.

    Args:
        tables: of Q groups and K words, with their design effects and statements left unread.
        settings: errors of the CT.
        read: (3, Q, K) rates with errors of reading and the ends of their intervals; NaN where none are carried on.

    Source: Rogan and Gladen, Am. J. Epidemiol. 1978;107:71-76.
    """
    made, own = references(tables, settings)
    n, seen = tables.counts.sum(axis=2), tables.counts @ tables.positive
    y, weight = np.empty_like(n), np.empty_like(n)
    for i, reference in enumerate(made):
        its = own == i
        y[its], weight[its] = _there(n[its], seen[its], reference)
    if read is not None:
        rate, low, high = read
        known = np.isfinite(low + high)
        centre = (np.where(known, rate, 0.5) * n + 0.5) / (n + 1)
        deviation = np.maximum((high - low) / (2 * normal_quantile(settings.confidence)), 1e-6)
        with np.errstate(invalid="ignore", divide="ignore"):
            worth = np.clip((centre * (1 - centre) / deviation**2 - 1) / n, 1 / np.maximum(n, 1), 1)
        y, weight = np.where(known, rate * n, y), np.where(known, worth, weight)
    if tables.by_patient:
        weight = weight * told_share(n, design_effects(tables), settings.confidence)
    evidence = Evidence(n, y, weight)
    if tables.unread:
        left = np.array([tables.unread.get(group, 0.0) for group in tables.groups])
        share = left / np.maximum(left + n.sum(axis=1), 1)
        evidence = Evidence(n, y, weight / (1 + (UNREAD * share[:, None]) ** 2 * evidence.information))
    return evidence


def _there(n: Array, seen: Array, reference: Reference) -> tuple[Array, Array]:
    """y and weight (G, K) of n findings of which the reference saw so many."""
    absent, present = reference.expected
    gain = present - absent
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(n > 0, seen / n, 0.5)
    y = n * np.clip((mean - absent) / gain, 0, 1)
    if gain > 1 - 1e-12:
        return y, np.ones_like(n)
    rate = (y + 0.5) / (n + 1)
    squares = np.array([reference.chances(r) @ reference.outcomes**2 for r in (0.0, 1.0)])
    variance = squares[0] + rate * (squares[1] - squares[0]) - (absent + gain * rate) ** 2
    return y, np.clip(rate * (1 - rate) * gain**2 / np.maximum(variance, 1e-12), 1e-6, 1)
