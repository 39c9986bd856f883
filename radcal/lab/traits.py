"""Which traits of a context go with a source's distance from the reference there.

As in appendix B of "Predict the Next Word" (Ilia and Aziz, EACL 2024): Bayesian regression with automatic relevance
determination of the distances of a source from the reference on what the contexts are like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.lab.variability import Variability
    from radcal.lab.word_counts import Answers

FEWEST = 30
"""Contexts below which a regression tells nothing."""
TRAITS = ("reference_entropy", "source_entropy", "control_tvd", "context_length")
"""Entropies in bits; distance of the reference from itself; words of the context."""


@dataclass(frozen=True, slots=True)
class Trait:
    """How a distance goes with a trait, the others held: per unit of it, and per standard deviation in low-high (95 %,
    of the posterior); 0 where the trait was found to be of no relevance."""

    name: str
    coefficient: float
    standardised: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Traits:
    """Of one source: its contexts, and the traits; reason: why there are none."""

    source: str
    n: int
    traits: tuple[Trait, ...] = ()
    reason: Text = EMPTY


def traits(answers: Answers, found: Variability) -> tuple[Traits, ...]:
    """The traits behind each source's distances, over the contexts where the reference has a control.

    Args:
        found: the comparison of these answers with a reference that is named.
    """
    known = {c.context: c for c in found.contexts if c.control_tvd is not None}
    own = answers.sources.index(found.reference)
    rows: dict[str, list[tuple[float, ...]]] = {s.source: [] for s in found.sources}
    for c, _, weights in answers.by_context():
        context = known.get(answers.contexts[c])
        if context is None or context.control_tvd is None:
            continue
        for source, distance in context.tvd.items():
            each = _entropy(weights[own]), _entropy(weights[answers.sources.index(source)])
            rows[source].append((*each, context.control_tvd, len(context.context.split()), distance))
    return tuple(_of(source, np.array(its)) for source, its in rows.items())


def _entropy(weights: NDArray[np.float64]) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


def _of(source: str, rows: NDArray[np.float64]) -> Traits:
    """The regression on (C, 5) traits and distances."""
    from sklearn.linear_model import ARDRegression

    if len(rows) < FEWEST:
        few = Text("{n} contexts have a control; {fewest} are needed.", n=len(rows), fewest=FEWEST)
        return Traits(source, len(rows), reason=few)
    x, y = rows[:, :-1], rows[:, -1]
    scale = x.std(axis=0)
    varies = scale > 0
    fit = ARDRegression().fit((x - x.mean(axis=0))[:, varies] / scale[varies], y)
    mean, deviation = np.zeros(len(scale)), np.zeros(len(scale))
    mean[varies] = fit.coef_
    deviation[np.flatnonzero(varies)[fit.lambda_ < fit.threshold_lambda]] = np.sqrt(np.diag(fit.sigma_))
    per_unit = np.divide(mean, scale, out=np.zeros_like(mean), where=varies)
    return Traits(source, len(rows), _named(per_unit, mean, 1.96 * deviation))


def _named(per_unit: NDArray[np.float64], mean: NDArray[np.float64], half: NDArray[np.float64]) -> tuple[Trait, ...]:
    each = zip(TRAITS, *np.stack((per_unit, mean, mean - half, mean + half)).tolist(), strict=True)
    return tuple(Trait(*values) for values in each)
