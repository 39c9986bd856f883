"""What a child process is asked about texts that belong together: prompts, allowed answers and what these mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from radcal.llama.guides import Guide

if TYPE_CHECKING:
    from radcal.llama.native import Model


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt: the tokens behind the shared ones, and what may be answered.

    source: whatever the reader needs to understand the answer
    """

    tokens: Sequence[int]
    guide: Guide
    source: Any


class Reading(Protocol):
    """What an answer says of a sentence."""

    @property
    def sentence(self) -> int:
        """The sentence's place among those asked about together."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        ...


class Reader(Protocol):
    """Asks about the sentences of a report and understands the answers."""

    @property
    def prefix(self) -> Sequence[int]:
        """The tokens that every prompt begins with."""
        ...

    @property
    def whole_reports(self) -> bool:
        """Whether a prompt holds a report, or as much of it as fits; otherwise a sentence."""
        ...

    def questions(self, sentences: Sequence[str]) -> tuple[Sequence[Question], Sequence[Reading]]:
        """The prompts about a report, and what needs none because it was read before."""
        ...

    def readings(self, question: Question, answer: Sequence[int], chances: Sequence[float]) -> Sequence[Reading]:
        """What the answer to one of them says.

        Args:
            chances: the natural logarithm of the probability of each token of the answer.

        Raises:
            ValueError: the answer cannot be trusted; the message says why.
        """
        ...


MakeReader: TypeAlias = "Callable[[Model, Mapping[str, Any], int], Reader]"
"""Makes the reader of a model, from its task's plain values and the tokens that prompt, report and answer may take.

Raises InputError where other values would do, and ValueError where the model is not what its metadata say.
"""
