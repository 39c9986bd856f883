"""What the reference says where a finding is there and where it is not.

The CT readers' own use of outcomes P(l), over all statements on a topic, with p_l the probability that outcome l leaves
to the finding, gives by Bayes' rule

    P(l | there) proportional to P(l) p_l,        P(l | not there) proportional to P(l) (1 - p_l).

A CT reader with a sensitivity and a specificity below 1 takes some of what is there for absent, and the other way
round. With outcomes of 0 and 1 and a perfect CT, the outcome is the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from radcal.calibration.records import Mix
from radcal.calibration.scoring import corrected
from radcal.system.settings import ALL_TOPICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.calibration.records import Tables
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]
    Numbers = TypeVar("Numbers", NDArray[np.float64], NDArray[np.float32])


@dataclass(frozen=True, eq=False)
class Reference:
    """How the reference answers on one topic.

    outcomes: (J,), p_l, 0 and 1 among them;  present, absent: (J,), P(l | the reader sees it) and P(l | does not)
    sensitivity, specificity: of the reader, their sum above 1
    """

    outcomes: Array
    present: Array
    absent: Array
    sensitivity: float = 1.0
    specificity: float = 1.0

    @classmethod
    def of(cls, mix: Mix, sensitivity: float = 1.0, specificity: float = 1.0) -> Reference:
        """The reference of a mix, with one plain answer of each kind added, so that no answer is unheard of."""
        outcomes, place = np.unique([*mix.outcomes, 0.0, 1.0], return_inverse=True)
        n = np.bincount(place, [*mix.n, 1.0, 1.0])
        present, absent = n * outcomes, n * (1 - outcomes)
        return cls(outcomes, present / present.sum(), absent / absent.sum(), sensitivity, specificity)

    @property
    def is_right(self) -> bool:
        """Whether sensitivity and specificity are 1."""
        return self.sensitivity == 1 and self.specificity == 1

    @cached_property
    def expected(self) -> tuple[float, float]:
        """The mean outcome where the finding is not there, and where it is, in 0-1."""
        absent, present = self.absent @ self.outcomes, self.present @ self.outcomes
        gain = present - absent
        return float(absent + (1 - self.specificity) * gain), float(absent + self.sensitivity * gain)

    def chances(self, certainty: float) -> Array:
        """(J,), how likely each outcome is for a finding that is there with a probability of ``certainty``."""
        seen = (1 - self.specificity) * (1 - certainty) + self.sensitivity * certainty
        return seen * self.present + (1 - seen) * self.absent

    def corrected(self, y: Numbers, n: Numbers) -> Numbers:
        """How many of n findings are there, of which y (fractional) were confirmed; within 0 to n."""
        return corrected(y, n, self.sensitivity, self.specificity)


def reduced(outcomes: Array, chances: Array) -> tuple[Array, Array]:
    """At most four outcomes with the same chances of 0 and 1 and the same first three moments, and their chances.

    Those between 0 and 1 become two, by the Gauss rule of their distribution: with its mean m, variance v and third
    central moment t, m + (t / v -+ sqrt((t / v)^2 + 4 v)) / 2.  Sums of them have the same first three moments, too,
    and are drawn several times faster.

    Source: Golub and Welsch, "Calculation of Gauss quadrature rules", Math. Comput. 1969;23:221-230.
    """
    between = (outcomes > 0) & (outcomes < 1) & (chances > 0)
    if between.sum() > 2:
        x, mass = outcomes[between], chances[between].sum()
        weight = chances[between] / mass
        mean = weight @ x
        variance, third = weight @ (x - mean) ** 2, weight @ (x - mean) ** 3
        lean = third / variance
        apart = np.sqrt(lean**2 + 4 * variance)
        nodes = mean + (lean + apart * np.array([-1.0, 1.0])) / 2
        upper = (mean - nodes[0]) / apart
        outcomes = np.concatenate([nodes, outcomes[~between]])
        chances = np.concatenate([[mass * (1 - upper), mass * upper], chances[~between]])
    kept = chances > 0
    order = np.argsort(-chances[kept], kind="stable")
    return outcomes[kept][order], (chances[kept] / chances[kept].sum())[order]


def references(tables: Tables, settings: Settings) -> tuple[tuple[Reference, ...], NDArray[np.intp]]:
    """The different references, and which of them is each group's, (Q,)."""
    made: dict[tuple[bytes, ...], int] = {}
    kept: list[Reference] = []
    of_topic = {}
    mixes = mixes_of(tables)
    for topic in dict.fromkeys(topic for _, topic in tables.groups):
        reference = Reference.of(mixes[topic], *settings.ct_accuracy_on(topic))
        key = (
            reference.outcomes.tobytes(),
            reference.present.tobytes(),
            reference.absent.tobytes(),
            np.array([reference.sensitivity, reference.specificity]).tobytes(),
        )
        if key not in made:
            made[key] = len(kept)
            kept.append(reference)
        of_topic[topic] = made[key]
    return tuple(kept), np.array([of_topic[topic] for _, topic in tables.groups], dtype=np.intp)


def corrected_counts(tables: Tables, made: Sequence[Reference], own: NDArray[np.intp]) -> Array:
    """(Q, K): how many of each group's findings are there, phrase by phrase, as its own of these references has it."""
    confirmed, n = tables.counts @ tables.positive, tables.counts.sum(axis=2)
    return np.stack([made[r].corrected(row, said) for r, row, said in zip(own, confirmed, n, strict=True)])


def expected_outcomes(made: Sequence[Reference], own: NDArray[np.intp], mean: Array) -> Array:
    """(Q, K): the mean outcome of findings that are there with the probabilities ``mean`` (K,), by group."""
    absent, present = np.array([made[r].expected for r in own]).T[:, :, None]
    expected: Array = absent + (present - absent) * mean
    return expected


def mixes_of(tables: Tables) -> dict[str, Mix]:
    """By topic, and under ALL_TOPICS, how often each outcome was used: as ``tables.mixes`` say, or in the tables."""
    n: dict[str, Array] = {}
    for (_, topic), own in zip(tables.groups, tables.counts.sum(axis=1), strict=True):
        for name in {topic, ALL_TOPICS}:
            n[name] = n[name] + own if name in n else own
    return {topic: Mix(tables.positive, counts) for topic, counts in n.items()} | dict(tables.mixes)
