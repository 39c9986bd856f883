"""Advice: which words would have been closer."""

from __future__ import annotations

from dataclasses import dataclass

# At run time too: results are stored and read back by their annotations.
import numpy as np
from numpy.typing import NDArray

from radcal.records.reliability import PhraseRate, PooledRate
from radcal.text import EMPTY, Text


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
    pooled_rate: PooledRate | None = None
    """Where the advice rests on rates that borrow strength: the one of ``source``."""


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
    train: Judgement | None = None
    test: Judgement | None = None
    order_violations: int = 0
    distinct_phrases: int = 0
    cost: NDArray[np.float64] | None = None


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

    disordered: pairs (weaker, stronger) of words of which the weaker would be put above the stronger
    opposites: (source, target) where a plain statement would become its opposite
    not_allowed: words that the department does not allow
    """

    n: float
    word_error: Changed
    brier: Changed
    ece: Changed
    disordered: tuple[tuple[str, str], ...]
    opposites: tuple[tuple[str, str], ...]
    not_allowed: tuple[str, ...]
