"""How sure a sentence sounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from radcal.text import Text

Kind = Literal["hedged", "plain", "abstention"]


@dataclass(frozen=True, slots=True)
class Estimate:
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
