"""What a model may answer: its choices are narrowed token by token, so that nothing is invented.

A guide names the tokens that may come next; where there is only one, nobody needs to ask the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


class Guide(Protocol):
    """The answers that are allowed, token by token."""

    @property
    def done(self) -> bool:
        """Whether the answer has ended."""
        ...

    def allowed(self) -> Sequence[int]:
        """The tokens that may come next, in ascending order; never empty before the end."""
        ...

    def advance(self, token: int) -> None:
        """Take one of them."""
        ...


class Trie:
    """Token sequences, none of which is the beginning of another, each with what it means."""

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
