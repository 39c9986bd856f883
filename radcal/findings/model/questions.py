"""The interface between the worker and the task of a model: prompts, allowed answers and their meaning.

Decoding is constrained: a guide lists the tokens allowed next, so that a model can only give valid answers.  A token
without an alternative needs no evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model


class Guide(Protocol):
    """The allowed answers, token by token."""

    @property
    def done(self) -> bool:
        """True once the answer is complete."""

    def allowed(self) -> Sequence[int]:
        """The tokens allowed next, in ascending order; never empty before the end."""

    def advance(self, token: int) -> None:
        """Append one of the allowed tokens."""


class Trie:
    """Token sequences, none of them a prefix of another, each with its meaning."""

    __slots__ = ("branches", "meaning")

    def __init__(self, options: Iterable[tuple[Sequence[int], Any]] = ()) -> None:
        self.branches: dict[int, Trie] = {}
        self.meaning: Any = None
        for tokens, meaning in options:
            node = self
            for token in tokens:
                node = node.branches.setdefault(token, Trie())
            if node.meaning is None:
                node.meaning = meaning


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt after the shared prefix, with its allowed answers.

    source: data the reader needs to interpret the answer
    """

    tokens: Sequence[int]
    guide: Guide
    source: Any


class Reading(Protocol):
    """The interpretation of an answer for one sentence."""

    @property
    def sentence(self) -> int:
        """Index of the sentence within its report."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""


class Reader(Protocol):
    """Turns the sentences of a report into prompts and interprets the answers."""

    @property
    def prefix(self) -> Sequence[int]:
        """Tokens common to the start of all prompts."""

    @property
    def notes(self) -> Sequence[Text]:
        """What of the model is not as usual, in sentences for the user."""

    @property
    def whole_reports(self) -> bool:
        """True if a prompt holds a report, or as much of it as fits; False if it holds a sentence."""

    def questions(self, sentences: Sequence[str]) -> tuple[Sequence[Question], Sequence[Reading]]:
        """The prompts for a report, and readings known from earlier reports."""

    def readings(self, question: Question, answer: Sequence[int], chances: Sequence[float]) -> Sequence[Reading]:
        """Interpret an answer.

        Args:
            chances: natural logarithm of the probability of each token of the answer.

        Raises:
            ValueError: the answer is implausible; the message is a Text with the reason.
        """


MakeReader: TypeAlias = "Callable[[Model, Mapping[str, Any], int], Reader]"
"""Creates the reader of a model from the task's plain values and the most tokens of prompt, report and answer.

Raises InputError for unsuitable values, and ValueError with a Text for a model that contradicts its metadata.
"""
