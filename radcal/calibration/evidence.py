"""What the findings of each group tell of the true rates of its words: the likelihood of the department's model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.calibration.reference import references
from radcal.calibration.repeats import design_effects, told_share
from radcal.system.intervals import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.calibration.records import Tables
    from radcal.calibration.reference import Reference
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

UNREAD = 1.0
"""By how much, in log odds, the rate of what was left unread may differ from that of what was read (a standard
deviation)."""


class Seen(NamedTuple):
    """What a reference that hedges or errs said of the findings of B samples.

    counts: (B, K, L) of each outcome;  absent, present: (B, L), P(outcome | not there) and P(outcome | there)
    """

    counts: Array
    absent: Array
    present: Array


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of B samples of K words.

    n, y: (B, K) findings, and how many of them are there as far as the reference tells;  weight: (B, K) in 0-1, what a
    finding tells of the rate, relative to one that stands by itself
    seen: where the reference hedges or errs; the likelihood is then that of its outcomes
    """

    n: Array
    y: Array
    weight: Array
    seen: Seen | None = None

    def of(self, samples: Index | slice) -> Evidence:
        """That of some of the samples."""
        seen = None if self.seen is None else Seen(*(part[samples] for part in self.seen))
        return Evidence(self.n[samples], self.y[samples], self.weight[samples], seen)

    def words(self, wanted: NDArray[np.bool_]) -> Evidence:
        """That of some of the words (K,)."""
        seen = None if self.seen is None else self.seen._replace(counts=self.seen.counts[:, wanted])
        return Evidence(self.n[:, wanted], self.y[:, wanted], self.weight[:, wanted], seen)

    @property
    def told(self) -> Array:
        """(B, K) findings judged by a plain statement of a perfect CT that would tell as much of the rate r.

        n c, and with a reference that hedges or errs r (1 - r) sum_l (P(l | there) - P(l | not there))^2 / P(l) of it.
        """
        told: Array = self.n * self.weight
        if self.seen is None:
            return told
        rate = ((self.y + 0.5) / (self.n + 1))[:, :, None]
        absent, present = self.seen.absent[:, None], self.seen.present[:, None]
        said = np.maximum(rate * present + (1 - rate) * absent, 1e-12)
        share: Array = (rate * (1 - rate) * (present - absent) ** 2 / said).sum(axis=-1)
        return told * share

    def at_most(self, information: float) -> Evidence:
        """As if no word told more of its h than this."""
        less = np.minimum(1, information / np.maximum(self.information, 1e-9))
        return Evidence(self.n, self.y, self.weight * less, self.seen)

    @property
    def information(self) -> Array:
        """(B, K) Fisher's, of h: r (1 - r) times the findings that :attr:`told` counts, at r = (y + 1/2) / (n + 1)."""
        rate = (self.y + 0.5) / (self.n + 1)
        return self.told * rate * (1 - rate)

    def log_likelihood(self, rows: tuple[Index, Index], h: Array) -> Array:
        """(R, H) of words at these indices, at h (H,) or (R, H); 0 at the most likely h of the grid.

        c (y h - n log(1 + e^h)), or with the outcomes l of a reference that hedges or errs, r the rate at h,
        c sum_l t_l log(r P(l | there) + (1 - r) P(l | not there)).
        """
        if self.seen is None:
            y, n = (x[rows][:, None] for x in (self.y, self.n))
            log = y * h - n * np.logaddexp(0, h)
        else:
            from scipy.special import expit, xlogy

            counts = self.seen.counts[rows]
            rate = expit(h)
            log = np.zeros((len(counts), h.shape[-1]))
            for outcome in np.flatnonzero(counts.any(axis=0)).tolist():
                there, absent = (p[rows[0], outcome][:, None] for p in (self.seen.present, self.seen.absent))
                log += xlogy(counts[:, outcome, None], rate * there + (1 - rate) * absent)
        log = self.weight[rows][:, None] * log
        return np.asarray(log - log.max(axis=1, keepdims=True))


def evidence_of(tables: Tables, settings: Settings, read: Array | None = None) -> Evidence:
    """The evidence of all groups of the tables.

    The mean outcome of findings of which the share r is there is e0 + (e1 - e0) r, with e0 and e1 the mean outcomes
    where a finding is not there and where it is (:class:`radcal.calibration.reference.Reference`), so that

        y = n (mean outcome - e0) / (e1 - e0),  within 0 to n

    The weight is what is told by findings of patients seen again (:func:`radcal.calibration.repeats.told_share`).

    Errors of reading take the place of the reference's where they are carried on: y is n times the rate as written, and
    the weight that of a sample whose rate is as uncertain.  Of the share u of statements left unread, the log odds may
    differ by UNREAD from those of the others, which adds (u UNREAD)^2 to the variance of the group's log odds.

    Args:
        tables: of Q groups and K words, with their design effects and statements left unread.
        settings: errors of the CT.
        read: (3, Q, K) rates with errors of reading and the ends of their intervals; NaN where none are carried on.

    Source: Rogan and Gladen, Am. J. Epidemiol. 1978;107:71-76.
    """
    made, own = references(tables, settings)
    n, confirmed = tables.counts.sum(axis=2), tables.counts @ tables.positive
    expected = np.array([reference.expected for reference in made])[own]
    low, high = expected[:, :1], expected[:, 1:]
    y = n * np.clip((confirmed / np.maximum(n, 1) - low) / (high - low), 0, 1)
    weight = np.ones_like(n)
    seen = None
    if read is None and not all(reference.expected == (0, 1) for reference in made):
        chances = [[_chances(reference, tables.positive, r) for r in (0.0, 1.0)] for reference in made]
        seen = Seen(tables.counts, *np.array(chances)[own].swapaxes(0, 1))
    if read is not None:
        rate, least, most = read
        known = np.isfinite(least + most)
        centre = (np.where(known, rate, 0.5) * n + 0.5) / (n + 1)
        deviation = np.maximum((most - least) / (2 * normal_quantile(settings.confidence)), 1e-6)
        with np.errstate(invalid="ignore", divide="ignore"):
            worth = np.clip((centre * (1 - centre) / deviation**2 - 1) / n, 1 / np.maximum(n, 1), 1)
        y, weight = np.where(known, rate * n, y), np.where(known, worth, weight)
    if tables.by_patient:
        weight = weight * told_share(n, design_effects(tables), settings.confidence)
    evidence = Evidence(n, y, weight, seen)
    if tables.unread:
        left = np.array([tables.unread.get(group, 0.0) for group in tables.groups])
        share = left / np.maximum(left + n.sum(axis=1), 1)
        evidence = Evidence(n, y, weight / (1 + (UNREAD * share[:, None]) ** 2 * evidence.information), seen)
    return evidence


def _chances(reference: Reference, outcomes: Array, certainty: float) -> Array:
    """(L,) how likely the reference is to say each outcome of a finding that is there with this certainty."""
    known = dict(zip(reference.outcomes.tolist(), reference.chances(certainty).tolist(), strict=True))
    return np.array([known.get(outcome, 0.0) for outcome in outcomes.tolist()])
