"""How sure a sentence sounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from radcal.system.text import Text

Kind = Literal["hedged", "plain", "abstention"]


@dataclass(frozen=True, slots=True)
class SentenceEstimate:
    """The confidence that people read from a sentence, as the mean of several readers, in 0-1.

    value: the estimate;  low, high: an interval that holds nine in ten readings of such sentences, ``value`` included
    words: what it rests on, as written, in the order of the sentence; () for a plain statement
    kind: "plain" where no word speaks of certainty, "abstention" where no answer is given
    """

    value: float
    low: float
    high: float
    words: tuple[str, ...]
    kind: Kind = "hedged"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near estimates come to what readers said, with 95 % intervals; None where there are too few or all alike.

    n: sentences with a score and an estimate;  mse: mean squared error, 0-1
    correlation: Spearman's rank correlation, -1 to 1
    coverage: share of scores within low and high
    """

    n: int
    mse: float | None
    mse_low: float | None
    mse_high: float | None
    correlation: float | None
    correlation_low: float | None
    correlation_high: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A meaning proposed for unknown words: a distribution on 0-1 by its mean and standard deviation.

    source: who proposes it;  mean, spread: in 0-1;  n: what it was made from, sentences or neighbours
    note: what it rests on
    """

    source: Literal["hedges", "model", "neighbours"]
    mean: float
    spread: float
    n: int
    note: Text
