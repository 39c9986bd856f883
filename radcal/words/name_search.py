"""Incremental search for a pathology or phrase by any of its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_EVERY_FROM = 3
"""Letters from which on a beginning of other names is looked for; shorter ones, as "pe", have to be whole names."""
_WHOLE, _BEGUN, _IN_PIECES, _NOT = range(4)


@dataclass(frozen=True, slots=True)
class Found:
    """A matching name; ``words`` is the synonym that matched, '' if the name itself did."""

    name: str
    words: str = ""


def _plain(text: str) -> str:
    """Words normalised for comparison, with a space before each of them."""
    return "".join(f" {piece}" for piece in text.casefold().replace("-", " ").split())


def _rank(words: str, typed: str, pieces: Sequence[str]) -> int:
    """Whether words are what was typed, begin with it, or have all its pieces as beginnings of words."""
    if words.startswith(typed):
        return _WHOLE if words == typed else _BEGUN
    for piece in pieces:
        if piece not in words:
            return _NOT
    return _IN_PIECES


class Names:
    """Names with synonyms, searchable as the user types.

    Args:
        names: in their order.
        synonyms: other words for them, by name.
    """

    def __init__(self, names: Sequence[str], synonyms: Mapping[str, Sequence[str]] | None = None) -> None:
        self.names = tuple(names)
        self._of = {
            name: (_plain(name), [(_plain(words), words) for words in (synonyms or {}).get(name, ())])
            for name in self.names
        }

    def find(self, text: str) -> tuple[Found, ...]:
        """The names matching the typed text, best first; all if it is empty.

        A name is meant where every typed piece begins one of its words, or one of the words of a synonym.  First come
        names that begin with the text, then other names, then those of synonyms that are the text, begin with it, or
        have its pieces, those of fewer words first; among equals in the order of the names.  Capitals, hyphens and
        spaces do not matter.
        """
        typed = _plain(text)
        pieces = [f" {piece}" for piece in typed.split()]
        ranked = []
        for place, (name, (own, others)) in enumerate(self._of.items()):
            if (rank := _rank(own, typed, pieces)) != _NOT:
                ranked.append(((int(rank == _IN_PIECES), 0, place), Found(name)))
                continue
            matching = (
                (rank, words.count(" "), len(shown), shown)
                for words, shown in others
                if (rank := _rank(words, typed, pieces)) != _NOT
            )
            rank, n, _, shown = min(matching, default=(_NOT, 0, 0, ""))
            if rank == _WHOLE or (rank != _NOT and len(typed) > _EVERY_FROM):
                ranked.append(((2 + rank, n, place), Found(name, shown)))
        return tuple(found for _, found in sorted(ranked, key=lambda pair: pair[0]))
