"""Terms in words that sound alike: what dictation software made of them ("new motor axe", "car dio megaly")."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from radcal.findings.edits import Edit
from radcal.system.resources import resource

_WORD = re.compile(r"[a-z]+")
_SHORTEST = 6
"""Letters from which a word of a term is looked for."""
_SHORTEST_JOINED = 8
"""The same for terms that several words may stand for."""
_MOST_WORDS = 4
_REMEMBERED = 20_000
_SHORTEST_LAST = 4
"""Letters from which a word that stands for itself may be the last of several that a term was taken for."""
_LIKE = 0.7
"""How much of the letters a word and the term that sounds alike must share, 0-1."""
_LIKE_JOINED = 0.6
_LIKE_SHORT = 0.8
"""The same where only three sounds tell."""
_FEWEST_SOUNDS = 3
_SOUNDS = tuple(
    (re.compile(letters), sound)
    for letters, sound in tomllib.loads(resource("reading", "sounds.toml").read_text(encoding="utf-8"))["sounds"]
)


@lru_cache(_REMEMBERED)
def sounds(word: str) -> str:
    """The consonants of a word as they sound, so that words that sound alike have the same."""
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return word


def _sounds_of(words: Iterable[str]) -> str:
    """The sounds of words that run into each other."""
    heard = ""
    for word in words:
        own = sounds(word)
        heard += own[1:] if own[:1] == heard[-1:] and len(own) > 1 and own[0] != "s" else own
    return heard


class SoundsAlike:
    """Finds, where a word stands that no list knows, the term that it or several words with it sound like.

    Args:
        terms: words that name a pathology by themselves.
        parts: words of terms, which may have been cut into several: "peri cardial".
        known: words that stand for what they are.
    """

    def __init__(self, terms: Iterable[str], parts: Iterable[str], known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self._terms = frozenset(word for word in terms if len(word) >= _SHORTEST)
        self._whole = self._terms | {word for word in parts if len(word) >= _SHORTEST_JOINED}
        self._by_sound: dict[str, list[str]] = {}
        for word in sorted(self._terms):
            self._by_sound.setdefault(sounds(word), []).append(word)
        self._all_sounds = " ".join({sounds(word) for word in self._whole})
        self._may_be_part = lru_cache(_REMEMBERED)(self._are_sounds)

    def forget(self) -> None:
        """Clear the cached words of reports."""
        self._may_be_part.cache_clear()
        sounds.cache_clear()

    def edits(self, flat: str) -> Iterator[Edit]:
        """The terms that stand in a flattened sentence under other words."""
        words = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(flat)]
        reached = 0
        for i, (word, _, _) in enumerate(words):
            if i < reached or word in self.known or not self._may_be_part(word):
                continue
            found = self._alike(words, i, reached, flat)
            if found is not None:
                first, last, term = found
                reached = last + 1
                yield Edit(words[first][1], words[last][2], term)

    def _are_sounds(self, word: str) -> bool:
        """Whether the sounds of a word are among those of a term; where words meet, two of a kind are one."""
        own = sounds(word)
        return own in self._all_sounds or own[1:] in self._all_sounds

    def _alike(self, words: list[tuple[str, int, int]], i: int, reached: int, flat: str) -> tuple[int, int, str] | None:
        """First and last word and the term of the best match that has word i in it, the longest of equals."""
        best, found = 0.0, None
        for first in range(max(reached, i - _MOST_WORDS + 1), i + 1):
            for last in range(i, min(len(words), first + _MOST_WORDS)):
                here = [w for w, _, _ in words[first : last + 1]]
                if last > first and len(here[-1]) < _SHORTEST_LAST and here[-1] in self.known:
                    continue
                if last > first and flat[words[first][1] : words[last][2]].split() != here:
                    continue
                term, likeness = self._one(here)
                if term and (likeness, last - first) > (best, 0):
                    best, found = likeness, (first, last, term)
        return found

    def _one(self, here: list[str]) -> tuple[str, float]:
        joined = "".join(here)
        if len(here) > 1 and joined in self._whole:
            return joined, 1.0
        heard = _sounds_of(here)
        if len(heard) < _FEWEST_SOUNDS:
            return "", 0.0
        terms = [t for t in self._by_sound.get(heard, ()) if len(here) == 1 or len(t) >= _SHORTEST_JOINED]
        least = _LIKE_SHORT if len(heard) == _FEWEST_SOUNDS else _LIKE if len(here) == 1 else _LIKE_JOINED
        likeness, term = max(((SequenceMatcher(None, joined, t).ratio(), t) for t in terms), default=(0.0, ""))
        return (term, likeness) if likeness >= least else ("", 0.0)
