"""Constrained decoding: a guide lists the tokens allowed next, so that a model can only give valid answers.

A token without an alternative needs no evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


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
