"""Texts that begin alike are decoded from where they differ: the context keeps those that were decoded last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model, Outcome, Step

FIRST = 102
"""First sequence of texts; what continues them is in sequences 1 to 101."""
_LEAST = 8
"""Fewest tokens for which a beginning is worth being shared."""


class StoppedError(Exception):
    """The stop flag aborted the evaluation."""


class UnanswerableError(Exception):
    """The model cannot answer; the message is a Text with the reason."""


class TooLongError(UnanswerableError):
    """The text does not fit into the context."""


class Beginnings:
    """Decodes texts, each from where it differs from the one of those kept that it is most like.

    Messages made of one form share the words of the form.  As many texts are kept as there are sequences and room for;
    those used longest ago go first.  Results are those of separate evaluations, up to rounding.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.decoded = 0
        """Tokens evaluated so far."""
        self._kept: dict[int, list[int]] = {}
        """The tokens of each sequence, those used longest ago first."""

    def forget(self) -> None:
        """Keep nothing of what was decoded, to leave all room to others."""
        for sequence in list(self._kept):
            self._drop(sequence)

    def decode(self, tokens: Sequence[int], used: int, more: int = 0) -> tuple[int, NDArray[np.float32]]:
        """Evaluate a text; the sequence that holds it until the next one is decoded, and (words,) scores of the token
        after it, valid until the next evaluation.

        Args:
            used: tokens of the context occupied by others.
            more: tokens behind the text for which there must be room.

        Raises:
            StoppedError: the stop flag was set.
            TooLongError: the context is full.
        """
        sequence, known = self._sequence(tokens, used + more)
        try:
            scores = self._evaluate(tokens, known, sequence)
        except BaseException:
            self.model.forget(sequence)
            raise
        self._kept[sequence] = list(tokens)
        return sequence, scores

    def _sequence(self, tokens: Sequence[int], others: int) -> tuple[int, int]:
        """A sequence with the beginning of a text that is known, and the number of its tokens."""
        alike = {sequence: _alike(kept, tokens) for sequence, kept in self._kept.items()}
        source = max(alike, key=lambda sequence: alike[sequence], default=0)
        if alike.get(source, 0) < _LEAST:
            source = 0
        while not self._has_room(others + len(tokens)):
            oldest = next((sequence for sequence in self._kept if sequence != source), None)
            if oldest is None:
                break
            self._drop(oldest)
        if not source:
            target = self._free()[0]
            return target, self._cut(target, 0)
        if self._has_room(others + len(tokens)):
            target = self._free()[0]
            self.model.share(source, target)
            self._kept[source] = self._kept.pop(source)
        else:
            target = source
            del self._kept[source]
        return target, self._cut(target, alike[source])

    def _free(self) -> list[int]:
        return [sequence for sequence in range(FIRST, self.model.sequences) if sequence not in self._kept]

    def _has_room(self, tokens: int) -> bool:
        return bool(self._free()) and tokens + sum(map(len, self._kept.values())) <= self.model.cells

    def _cut(self, sequence: int, length: int) -> int:
        """Cut a sequence to a length; the length it has then: the memory of some models cannot be cut."""
        if length and self.model.forget(sequence, length):
            return length
        self.model.forget(sequence)
        return 0

    def _drop(self, sequence: int) -> None:
        del self._kept[sequence]
        self.model.forget(sequence)

    def _evaluate(self, tokens: Sequence[int], known: int, sequence: int) -> NDArray[np.float32]:
        size = self.model.batch  # adapts to the measured speed
        row = 0
        for first in range(known, len(tokens), size):
            part = tokens[first : first + size]
            steps: list[Step] = [(t, first + i, (sequence,), False) for i, t in enumerate(part)]
            row = len(part) - 1
            steps[row] = (*steps[row][:3], True)
            require(self.model.decode(steps))
            self.decoded += len(part)
        return self.model.scores(row)


def _alike(kept: Sequence[int], tokens: Sequence[int]) -> int:
    """Number of tokens with which both begin, without the last: its scores are wanted."""
    return min(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(kept, tokens, strict=False))), len(tokens) - 1
    )


def require(outcome: Outcome) -> None:
    """Insist on a complete evaluation; errors as of :meth:`Beginnings.decode`."""
    if outcome == "stopped":
        raise StoppedError
    if outcome == "full":
        raise TooLongError(Text("The context has no room for the text."))
