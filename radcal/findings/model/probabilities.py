"""The probability of each number or other continuation after a text, and text embeddings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.beginnings import Beginnings, StoppedError, TooLongError, require
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model

NUMBERS = range(101)
_TOGETHER = 101
"""Continuations at a time, in sequences 1 to 101."""
_LONGEST_NUMBER, _LONGEST_OPTION = 16, 128
"""Most tokens of a number, and of another continuation."""

Encode: TypeAlias = "Callable[[str], list[int]]"
"""The tokens of a prompt and of a text that continues it."""


def number_distribution(
    texts: Beginnings, text: str, used: int, digits: NDArray[np.intp], encode: Encode | None = None
) -> NDArray[np.float64]:
    """(101,) exact P(number k follows the text | a number from 0 to 100 follows).

    A number ends where the next token is not a digit.

    Args:
        used: tokens of the context occupied by other sequences.
        digits: :func:`digit_tokens` of the model.
        encode: the tokens of a text; by default those of plain text from its beginning.

    Raises:
        StoppedError: the stop flag was set.
        TooLongError: the text does not fit into the context.
    """
    encode = encode or (lambda whole: texts.model.tokens(whole, begin=True))
    start = text if text[-1:].isspace() else f"{text} "
    branches = [encode(f"{start}{k}") for k in NUMBERS]
    return _chances(texts, encode(text), branches, used, _LONGEST_NUMBER, digits)


def option_distribution(texts: Beginnings, options: Sequence[str], used: int, encode: Encode) -> NDArray[np.float64]:
    """(k,) exact P(option follows the prompt | one of the options follows).

    Args:
        options: texts of which none begins with another; close them with a quotation mark or a line break.
        used: tokens of the context occupied by other sequences.
        encode: the tokens of the prompt and of a text that continues it.

    Raises:
        StoppedError: the stop flag was set.
        TooLongError: prompt and options do not fit into the context.
    """
    return _chances(texts, encode(""), [encode(option) for option in options], used, _LONGEST_OPTION)


def _chances(
    texts: Beginnings,
    begun: Sequence[int],
    branches: Sequence[Sequence[int]],
    used: int,
    longest: int,
    unending: NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """(k,) probability of each continuation of a text, given that it is one of them.

    The continuations form a token tree that is decoded in one go: a token belongs to the sequences of all that start
    with it.

    Args:
        begun: tokens of the text alone;  branches: of the text with each continuation
        longest: most tokens of a continuation.
        unending: tokens that may not come after a continuation.
    """
    model = texts.model
    # A continuation may change how the end of the text is tokenised: the prefix common to all stands for the text.
    alike = list(takewhile(lambda tokens: len(set(tokens)) == 1, zip(begun, *branches, strict=False)))
    common = min(len(alike), *(len(branch) - 1 for branch in branches))
    head, tails = list(begun[:common]), [tuple(branch[common:]) for branch in branches]
    if not head:
        raise TooLongError(Text("The text has no tokens before the number."))
    trees = [_tree(tails[first : first + _TOGETHER]) for first in range(0, len(tails), _TOGETHER)]
    if used + len(head) + max(map(len, trees)) > model.cells or max(map(len, tails)) > longest:
        raise TooLongError(Text("The text has {n} tokens, which is more than the context has room for.", n=len(head)))
    children: dict[tuple[int, ...], set[int]] = {}
    for node in set().union(*trees):
        children.setdefault(node[:-1], set()).add(node[-1])
    logs: dict[tuple[int, ...], float] = {}  # of a token after those before it, and of the end after a continuation

    def note(node: tuple[int, ...], scores: NDArray[np.float32]) -> None:
        row = _log_softmax(scores)
        for token in children.get(node, ()):
            logs[*node, token] = float(row[token])
        if node in ends and unending is not None:
            ends[node] = float(np.log(max(1.0 - min(float(np.exp(row[unending]).sum()), 1.0), 1e-300)))

    ends = dict.fromkeys(tails, 0.0)
    try:
        text, scores = texts.decode(head, used, max(map(len, trees)))
        note((), scores)
        for tree in trees:
            for k in range(1, _TOGETHER + 1):
                model.share(text, k)
            ordered = sorted(tree, key=len)
            # No chunk asks for more scores than the context can hold; parents precede their children.
            for first in range(0, len(ordered), model.outputs):
                chunk = ordered[first : first + model.outputs]
                require(model.decode([(t[-1], len(head) + len(t) - 1, tree[t], True) for t in chunk]))
                for i, node in enumerate(chunk):
                    note(node, model.scores(i))
            for k in range(1, _TOGETHER + 1):
                model.forget(k)
    finally:
        for k in range(1, _TOGETHER + 1):
            model.forget(k)
    total = np.array([sum(logs[tail[:d]] for d in range(1, len(tail) + 1)) + ends[tail] for tail in tails])
    chances = np.exp(total - total.max())
    return np.asarray(chances / chances.sum())


def _tree(tails: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    """The tokens of continuations, by the way to them, each with the sequences of those that share it."""
    nodes: dict[tuple[int, ...], list[int]] = {}
    for sequence, tokens in enumerate(tails, 1):
        for depth in range(1, len(tokens) + 1):
            nodes.setdefault(tokens[:depth], []).append(sequence)
    return nodes


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
            states = model.embedded([(t, first + i, (1,), True) for i, t in enumerate(part)])
            if states is None:
                raise StoppedError
            total = total + states.sum(axis=0)
    finally:
        model.forget(1)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-300))


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    logs = scores.astype(np.float64)
    logs -= logs.max()
    return np.asarray(logs - np.log(np.exp(logs).sum()))


def digit_tokens(model: Model) -> NDArray[np.intp]:
    """The tokens that start with a digit, and so continue a number."""
    return np.array([t for t in range(model.words) if model.written([t])[:1].isdigit()], np.intp)
