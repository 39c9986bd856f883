"""Advice: which words would have been closer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# At run time too: results are stored and read back by their annotations.
import numpy as np
from numpy.typing import NDArray

from radcal.calibration.records import PhraseRate
from radcal.system.estimates import Estimate
from radcal.system.text import EMPTY, Text


@dataclass(frozen=True, slots=True)
class Substitution:
    """Say ``target`` instead of ``source`` in ``share`` of the cases.

    n: how often the author said ``source``
    sure: probability that ``target`` is nearer to the true confirmed rate than ``source``; 1 where they are the same
    """

    source: str
    target: str
    share: float
    n: float
    sure: float


@dataclass(frozen=True, slots=True)
class Withheld:
    """No advice on this phrase, and why."""

    phrase: str
    reason: Text


@dataclass(frozen=True, slots=True)
class Judgement:
    """Halves of the data before and after advice is followed that was made of one half each.

    n: statements of a half;  the scores are means over the halves
    """

    n: float
    ece_before: float
    ece_after: float
    brier_before: float
    brier_after: float
    word_error_before: float
    word_error_after: float


Method = Literal["none", "advice", "ordered", "transport", "platt", "histogram", "isotonic"]
"""What becomes of what was said: it stays; the words of the ordered plan, as they are advised; those of the ordered
plan without the guards of advice; those of the published transport; or numbers, by Platt scaling, histogram binning or
isotonic regression."""
NUMBERS: tuple[Method, ...] = ("histogram", "platt", "isotonic")


@dataclass(frozen=True, slots=True)
class Baseline:
    """How a method does on halves of the statements to which it was not fitted; None where a score is not defined.

    brier_of_means: each word taken for its mean, as if it had no width
    gain: by how much its Brier score lies below that of today's words
    beyond_plan: by how much it lies below that of the plan;  beyond_means: the same with words taken for their means
    """

    method: Method
    brier: Estimate | None
    brier_of_means: Estimate | None
    ece: Estimate | None
    word_error: Estimate | None
    gain: Estimate | None
    beyond_plan: Estimate | None
    beyond_means: Estimate | None


@dataclass(frozen=True, slots=True)
class Baselines:
    """Words beside numbers, for one author and topic.

    n: statements of a half;  reason: why the published transport is not among the methods
    """

    n: float
    methods: tuple[Baseline, ...]
    reason: Text = EMPTY

    @property
    def best_numbers(self) -> Baseline | None:
        """Of the methods with numbers, the one of the lowest Brier score; None where none has one."""
        numbers = [m for m in self.methods if m.method in NUMBERS and m.brier]
        return min(numbers, key=lambda m: m.brier or (1.0,), default=None)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """One piece of advice, ready to be read.

    text is one plain sentence group; source_rate is the phrase's rate as in the diagram.
    share: of the uses of ``source``, 1 but for the published solver;  sure: as in Substitution
    """

    source: str
    target: str
    share: float
    sure: float
    source_rate: PhraseRate
    text: Text


@dataclass(frozen=True, eq=False)
class Advice:
    """Which phrase to use instead, for one author and topic; an empty plan with ``reason`` is an answer.

    cost: (K, L) C[k, l], the change of ECE per use when phrase k is said as l; NaN rows for unused phrases
    plan: every (source, target) of positive share, unchanged ones included
    """

    author: str
    topic: str
    n: float
    solver: str
    phrases: tuple[str, ...]
    plan: tuple[Substitution, ...]
    withheld: tuple[Withheld, ...]
    recommendations: tuple[Recommendation, ...] = ()
    agreeing: tuple[str, ...] = ()
    """Phrases whose confirmed rate agrees with their meaning, and that stay."""
    summary: Text = EMPTY
    reason: Text = EMPTY
    closed: bool = False
    """Whether no advice is given here whatever the numbers, so that none of all pathologies holds here either."""
    train: Judgement | None = None
    test: Judgement | None = None
    order_violations: int = 0
    distinct_phrases: int = 0
    cost: NDArray[np.float64] | None = None
    baselines: Baselines | None = None
    """Words beside numbers, where that was asked for and there are enough findings."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A score before and after another use of words; change_low, change_high: interval of after - before."""

    before: float
    after: float
    change_low: float
    change_high: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What another use of words would have made of the same statements; intervals from bootstrap resamples.

    distance: mean distance of the confirmed rate from what the words mean, 0-1, over all words, plain ones as well:
        over hedged words alone, it would fall where a plain statement that was right is hedged
    disordered: pairs (weaker, stronger) of changed words of which the weaker would be put above the stronger
    opposites: (source, target) where a plain statement would become its opposite
    not_allowed: words that the department does not allow
    """

    n: float
    distance: Changed
    brier: Changed
    ece: Changed
    disordered: tuple[tuple[str, str], ...]
    opposites: tuple[tuple[str, str], ...]
    not_allowed: tuple[str, ...]
