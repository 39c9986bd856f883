"""Questions put to a language model, its answers, and how far its certainty can be relied on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

# At run time too: results are stored and read back by their annotations.
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Way = Literal["phrase", "probability", "beta", "lc", "lc+", "semantic"]
"""How a model is brought to say how sure it is: it chooses a phrase, a number, or a Beta distribution for its answer;
it hedges a sentence freely, told little (lc) or much (lc+); or its random answers are counted by their meaning."""
Match = Literal["exact", "normalised", "judge"]
"""How an answer is compared with those accepted: letter by letter, up to spelling, or by another model."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the answers that are accepted, and the topic of its question set."""

    text: str
    accepted: tuple[str, ...]
    topic: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A model's answer to a question, and how sure it was.

    answer:     as compared with the accepted ones
    said:       what the model wrote, word for word
    confidence: a phrase, a number in 0-1 or "Beta(a,b)"; None for an abstention, and where nothing tells it
    stated:     the confidence as one number in 0-1, the mean of a phrase or distribution; None without one
    correct:    False for an abstention
    decided:    how that was decided: a Match, "abstained" or "by hand"
    samples:    the random answers that were counted
    """

    question: Question
    way: Way
    answer: str
    said: str
    confidence: str | float | None
    stated: float | None
    correct: bool
    decided: str
    abstained: bool = False
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without a usable answer, and the reason, in a sentence for the user."""

    question: Question
    way: Way
    reason: Text


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; all None where there is not enough data, as ``reason`` says."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class WayFigures:
    """How far a model's certainty can be relied on under one way of asking.

    n:         answers, abstentions included
    abstained: of them abstentions;  unstated: of them answers whose certainty nothing tells, in no ECE or AUROC
    accuracy:  share of correct answers, in 0-1, abstentions counted as not correct
    ece:       expected calibration error, in 0-1, without abstentions;  luck: what it would be on average if each
        answer were correct as often as stated
    auroc:     probability that a correct answer was stated with more certainty than one that was not, in 0-1;
        abstentions count as certainty 0
    """

    way: Way
    n: int
    abstained: int
    unstated: int
    accuracy: Estimate
    ece: Estimate
    luck: float | None
    auroc: Estimate


@dataclass(frozen=True, slots=True)
class Asking:
    """A model asked a set of questions: its answers, the questions without one, and the figures of each way."""

    model: str
    answers: tuple[Answered, ...]
    unanswered: tuple[Unanswered, ...]
    figures: tuple[WayFigures, ...]
    notes: tuple[Text, ...] = ()


class Askable(Protocol):
    """A language model that can be asked; every method may raise EngineError for a single question."""

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        """Its answers to a message, continuing ``lead``: the most probable one, or several ``samples`` at random."""

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> NDArray[np.float64]:
        """(k,) probabilities of the options as continuation of ``lead``, adding up to 1."""

    def numbers(self, message: str, lead: str) -> NDArray[np.float64]:
        """(101,) probabilities of the numbers 0 to 100 as continuation of ``lead``, adding up to 1."""
