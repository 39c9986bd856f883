"""The probability of each number after a text, and text embeddings."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from radcal.text import Text

if TYPE_CHECKING:
    from radcal.llama.native import Model, Outcome, Step

NUMBERS = range(101)
_TEXT = 102
"""Sequence of the text; its continuations are sequences 1 to 101."""


class StoppedError(Exception):
    """The stop flag aborted the evaluation."""


class TooLongError(Exception):
    """The text does not fit into the context."""


def number_distribution(model: Model, text: str, used: int, digits: NDArray[np.intp]) -> NDArray[np.float64]:
    """(101,) exact P(number k follows the text | a number from 0 to 100 follows).

    The numbers form a token tree that is decoded in one go: a token belongs to the sequences of all numbers that
    start with it.  A number ends where the next token is not a digit.

    Args:
        used: tokens of the context occupied by other sequences.
        digits: :func:`digit_tokens` of the model.

    Raises:
        StoppedError: the stop flag was set.
        TooLongError: the text does not fit into the context.
    """
    begun = model.tokens(text, begin=True)
    start = text if text[-1:].isspace() else f"{text} "
    branches = [tuple(model.tokens(f"{start}{k}", begin=True)) for k in NUMBERS]
    # A number may change how the end of the text is tokenised: the prefix common to all stands for the text.
    alike = takewhile(lambda tokens: len(set(tokens)) == 1, zip(begun, *branches, strict=False))
    common = len(list(alike))
    head, numbers = begun[:common], [b[common:] for b in branches]
    if not head:
        raise TooLongError(Text("The text has no tokens before the number."))
    nodes: dict[tuple[int, ...], list[int]] = {}
    for k, tokens in enumerate(numbers):
        for depth in range(1, len(tokens) + 1):
            nodes.setdefault(tokens[:depth], []).append(k + 1)
    if used + len(head) + len(nodes) > model.cells or max(map(len, numbers)) > 16:
        raise TooLongError(Text("The text has {n} tokens, which is more than the context has room for.", n=len(head)))
    try:
        size = model.batch  # adapts to the measured speed
        for first in range(0, len(head), size):
            part = head[first : first + size]
            last = first + len(part) == len(head)
            steps: list[Step] = [(t, first + i, (_TEXT,), False) for i, t in enumerate(part)]
            if last:
                steps[-1] = (*steps[-1][:3], True)
            _require(model.decode(steps))
        following: dict[tuple[int, ...], NDArray[np.float64]] = {}
        following[()] = _log_softmax(model.scores(len(part) - 1))
        for k in NUMBERS:
            model.share(_TEXT, k + 1)
        ordered = sorted(nodes, key=len)
        # No chunk asks for more scores than the context can hold; parents precede their children.
        for first in range(0, len(ordered), model.outputs):
            chunk = ordered[first : first + model.outputs]
            _require(model.decode([(t[-1], len(head) + len(t) - 1, nodes[t], True) for t in chunk]))
            following |= {t: _log_softmax(model.scores(i)) for i, t in enumerate(chunk)}
    finally:
        for sequence in (*(k + 1 for k in NUMBERS), _TEXT):
            model.forget(sequence)
    logs = np.zeros(len(NUMBERS))
    for k, tokens in enumerate(numbers):
        logs[k] = sum(following[tokens[:d]][tokens[d]] for d in range(len(tokens)))
        continued = min(float(np.exp(following[tokens][digits]).sum()), 1.0)
        logs[k] += np.log(max(1.0 - continued, 1e-300))
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def embedding(model: Model, text: str, used: int) -> NDArray[np.float64]:
    """(width,) mean of the last hidden states over the text's tokens, normalised to length 1.

    Raises:
        StoppedError: the stop flag was set.
        TooLongError: the text does not fit into the context, or has no tokens.
    """
    tokens = model.tokens(text, begin=True)
    if not tokens or used + len(tokens) > model.cells:
        raise TooLongError(
            Text("The text has {n} tokens; there must be some, and no more than the context has.", n=len(tokens))
        )
    total = 0.0
    try:
        size = min(model.outputs, model.batch)
        for first in range(0, len(tokens), size):
            part = tokens[first : first + size]
            states = model.embedded([(t, first + i, (_TEXT,), True) for i, t in enumerate(part)])
            if states is None:
                raise StoppedError
            total = total + states.sum(axis=0)
    finally:
        model.forget(_TEXT)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-300))


def _require(outcome: Outcome) -> None:
    if outcome == "stopped":
        raise StoppedError
    if outcome == "full":
        raise TooLongError(Text("The context has no room for the text."))


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    logs = scores.astype(np.float64)
    logs -= logs.max()
    return np.asarray(logs - np.log(np.exp(logs).sum()))


def digit_tokens(model: Model) -> NDArray[np.intp]:
    """The tokens that start with a digit, and so continue a number."""
    return np.array([t for t in range(model.words) if model.written([t])[:1].isdigit()], np.intp)
