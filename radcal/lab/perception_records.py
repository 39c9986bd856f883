"""What people and language models take certainty words to mean, against a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from radcal.system.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

RESPONSE_COLUMNS = ("participant", "expression", "response", "statement_true")
"""Of answers: response in percent, 0-100; statement_true is True or False, None where it is not known."""
FIGURES = ("mode_pa", "pa", "mae", "w1")
"""The figures of an Agreement, in order."""
Resampled = Literal["participants", "answers", "statements", ""]
"""What the bootstrap draws anew: participants, the answers of a single one, or a model's statements; '' for none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its bootstrap interval; None where it is not known."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How answers agree with a reference: on one expression, or averaged over all (expression '').

    n:              answers, or the statements that a model was asked about;  participants: who gave them
    reference_n:    answers behind the reference
    mean:           of the answers, in percent;  reference_mean: of the reference
    mode_pa:        share of the reference, 0-1, in the bin that is answered most
    pa:             proportional agreement, 0-1;  mae, w1: in points of percent
    histogram, reference_histogram: (21,) shares of the bins 0, 5, ..., 100; () where averaged
    """

    expression: str
    n: int
    participants: int
    reference_n: int
    mean: Estimate
    reference_mean: float
    mode_pa: Estimate
    pa: Estimate
    mae: Estimate
    w1: Estimate
    histogram: tuple[float, ...] = ()
    reference_histogram: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class KnowledgeBias:
    """How much higher the answers are on true statements than on false ones.

    difference: mean of the paired differences, true minus false, in points; None without pairs
    p_value:    one-sided Wilcoxon signed-rank test;  n: pairs: participants, or a model's pairs of statements
    """

    difference: float | None = None
    p_value: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Perception:
    """Answers against a reference.

    overall:     the mean over the expressions;  expressions: each, from the weakest to the strongest of the reference
    unanswered:  expressions of the reference that nobody answered
    """

    overall: Agreement
    expressions: tuple[Agreement, ...]
    knowledge_bias: KnowledgeBias
    resampled: Resampled
    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody was asked about: whether ``statement`` (a clause) is true.

    true: None where nobody but the speaker can know;  pair: number shared by a true statement and its false twin, or ''
    """

    speaker: str
    statement: str
    true: bool | None = None
    pair: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """A language model's chances for each percentage, on each statement.

    private:     (S, 101) by expression, on statements that cannot be verified
    true, false: (P,) mean answer in percent to the two statements of each pair, over the expressions
    """

    private: Mapping[str, NDArray[np.float64]]
    true: NDArray[np.float64]
    false: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ModelMeaning:
    """What a language model takes an expression to mean: its chances of 0, 1, ..., 100 percent, which sum to 1."""

    expression: str
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Perceived:
    """How a language model, or the people behind a file, read certainty words.

    who:        name of the model's file, or of the file of people's answers
    model_hash: SHA-256 of the model file; '' for people
    reference:  'radiologists', 'public' or the name of a file
    perception: against the reference;  when: local time, ISO 8601
    meanings:   of a model: of every expression it was asked about
    questions:  hash of what a model was asked, and how;  shots: worked answers that it was shown: 0 or 2
    statements, pairs: how many it was asked about: private ones, and pairs of a true and a false one
    notes:      on the model, or what of the file was left out, in sentences
    """

    who: str
    model_hash: str
    reference: str
    perception: Perception
    when: str
    meanings: tuple[ModelMeaning, ...] = ()
    questions: str = ""
    shots: int = 0
    statements: int = 0
    pairs: int = 0
    notes: tuple[Text, ...] = ()
