"""Records used only by plots: plain values, made in the worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.calibration.records import PhraseRate


@dataclass(frozen=True, slots=True)
class FlowWord:
    """A word with its certainty (0-1), how often it is said today and tomorrow, and how often CT confirmed it."""

    name: str
    mean: float
    today: float
    tomorrow: float
    rate: PhraseRate | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """The share (0-1) of the ``n`` uses of ``source`` today that ``target`` takes tomorrow."""

    source: str
    target: str
    share: float
    n: float

    @property
    def changes(self) -> bool:
        """Whether it leads to another word."""
        return self.source != self.target


@dataclass(frozen=True, slots=True)
class FlowPlan:
    """A plan as a flow from today's words to tomorrow's."""

    words: tuple[FlowWord, ...] = ()
    flows: tuple[Flow, ...] = ()


@dataclass(frozen=True, eq=False)
class Ridge:
    """A phrase with the distribution of its meaning to readers.

    shape: (B,) height of the distribution on equal bins of [0, 1], the highest 1; all 0 for a point mass
    mean, spread, low, high: in 0-1;  fixed: it cannot be moved
    """

    name: str
    mean: float
    spread: float
    low: float
    high: float
    shape: NDArray[np.float64]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class SizePoint:
    """A score with a set of so many words.  best: chosen for the model, else evenly spread; value, low, high in 0-1"""

    size: int
    best: bool
    words: tuple[str, ...]
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SetSizes:
    """A score over the number of words that may be used.

    score: its name;  is_share: more is better, and it is shown in per cent
    levels: values to compare with, by name
    """

    score: str
    is_share: bool
    points: tuple[SizePoint, ...]
    levels: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """What one kind of reader answered to an expression: shares of 0, 5, ..., 100 %, and their mean in percent.

    n: answers, or statements that a model was asked about
    """

    shares: tuple[float, ...]
    mean: float
    n: int


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Expressions, the first at the top, as read by one or two kinds of readers, each in a panel of its own."""

    panels: tuple[str, ...] = ()
    rows: tuple[tuple[str, tuple[Answered, ...]], ...] = ()
