"""How probable each number is after a text, and the embedding of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from radcal.llama.native import Model, Outcome, Step

NUMBERS = range(101)
_TEXT = 102
"""The sequence that holds the text; 1 to 101 are its continuations."""


class StoppedError(Exception):
    """The stop flag ended the evaluation."""


class TooLongError(Exception):
    """The text does not fit into the context."""


def number_distribution(model: Model, text: str, used: int, digits: NDArray[np.intp]) -> NDArray[np.float64]:
    """(101,) P(the text goes on with the number k | it goes on with one from 0 to 100), exact.

    The numbers are a tree of tokens, decoded at once: each token belongs to the sequences of all numbers that
    begin with it.  A number ends where the next token is no digit.

    Args:
        used: tokens of the context that other sequences occupy.
        digits: the model's :func:`digit_tokens`.

    Raises:
        StoppedError: by the stop flag.
        TooLongError: the text does not fit.
    """
    begun = model.tokens(text, begin=True)
    branches = []
    for k in NUMBERS:
        whole = model.tokens(f"{text}{k}" if text[-1:].isspace() else f"{text} {k}", begin=True)
        branches.append(tuple(whole))
    # Where the number changes how the end of the text is cut, the common beginning of all is the text.
    common = min(len(begun), *(_common(begun, b) for b in branches))
    head, numbers = begun[:common], [b[common:] for b in branches]
    if not head:
        raise TooLongError("The text has no tokens before the number.")
    nodes: dict[tuple[int, ...], list[int]] = {}
    for k, tokens in enumerate(numbers):
        for depth in range(1, len(tokens) + 1):
            nodes.setdefault(tokens[:depth], []).append(k + 1)
    if used + len(head) + len(nodes) > model.cells or max(map(len, numbers)) > 16:
        raise TooLongError(f"The text has {len(head)} tokens, which is more than the context has room for.")
    try:
        size = model.batch  # it adapts to the pace
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
        # A chunk never asks for more scores than the context has room for; parents come before their children.
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
        goes_on = min(float(np.exp(following[tokens][digits]).sum()), 1.0)
        logs[k] += np.log(max(1.0 - goes_on, 1e-300))
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def embedding(model: Model, text: str, used: int) -> NDArray[np.float64]:
    """(width,) mean of the last hidden states over the text's tokens, of length 1.

    Raises:
        StoppedError: by the stop flag.
        TooLongError: the text does not fit, or has no tokens.
    """
    tokens = model.tokens(text, begin=True)
    if not tokens or used + len(tokens) > model.cells:
        raise TooLongError(f"The text has {len(tokens)} tokens; there must be some, and no more than the context has.")
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
        raise TooLongError("The context has no room for the text.")


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    logs = scores.astype(np.float64)
    logs -= logs.max()
    return np.asarray(logs - np.log(np.exp(logs).sum()))


def digit_tokens(model: Model) -> NDArray[np.intp]:
    """The tokens that begin with a digit, and so go on with a number."""
    return np.array([t for t in range(model.words) if model.written([t])[:1].isdigit()], np.intp)
