"""Reports cut into parts that fit a model's context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

OVERLAP = 2
"""Sentences of the previous part that are shown again as context, for words such as "it"."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, or a part of one too long for the context; ``start`` is its place in the sentence."""

    sentence: int
    start: int
    text: str
    tokens: int


def parts_of(sentences: Sequence[str], budget: int, tokens: Callable[[str], int]) -> list[tuple[int, list[Piece]]]:
    """Parts that fit, each with the number of leading pieces that only repeat the previous part.

    Args:
        budget: most tokens of a part.
        tokens: of a sentence as it is shown, the numbering included.
    """
    pieces = [p for i, text in enumerate(sentences) for p in _pieces(i, 0, text, budget, tokens)]
    parts: list[tuple[int, list[Piece]]] = []
    part: list[Piece] = []
    context = used = 0
    for piece in pieces:
        if part and used + piece.tokens > budget:
            parts.append((context, part))
            part = [p for p in part[-OVERLAP:] if p.tokens <= budget // 8]
            context, used = len(part), sum(p.tokens for p in part)
        part.append(piece)
        used += piece.tokens
    if part:
        parts.append((context, part))
    return parts


def _pieces(sentence: int, start: int, text: str, budget: int, tokens: Callable[[str], int]) -> list[Piece]:
    """A sentence, if need be halved at spaces until each piece takes at most half of the budget."""
    if not text.strip():
        return []
    needed = tokens(text)
    if needed <= budget // 2 or len(text) < 2:
        return [Piece(sentence, start, text, needed)]
    middle = len(text) // 2
    space = text.find(" ", middle, middle + 100)
    cut = space if space > 0 else middle
    first = _pieces(sentence, start, text[:cut], budget, tokens)
    return [*first, *_pieces(sentence, start + cut, text[cut:], budget, tokens)]
