"""Byte-level byte-pair encoding, identical to llama.cpp's tokenizer model "gpt2" with pre-tokenizer "gpt-2"."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_WORD = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
_LONGEST_PIECE = 24


def _printable_bytes() -> dict[int, str]:
    """A printable character for each byte, as in the vocabulary of GPT-2."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in plain]
    return {b: chr(b) for b in plain} | {b: chr(256 + i) for i, b in enumerate(others)}


_BYTES = _printable_bytes()
BASE: tuple[str, ...] = tuple(_BYTES[b] for b in range(256))
"""The first pieces of every vocabulary, one for each byte."""


def words(text: str) -> list[str]:
    """Split a text into words with their preceding spaces, across which pairs are never merged."""
    return _WORD.findall(text)


def train(texts: Iterable[str], size: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Learn pieces and merges from texts by repeatedly merging the most frequent pair of neighbours.

    Ties go to the alphabetically last pair, so that the result depends on the texts alone.

    Args:
        texts: the training texts.
        size: number of pieces, >= 256; fewer are returned once no pair occurs twice.
    """
    count = Counter(w for t in texts for w in words(t))
    split = [[_BYTES[b] for b in w.encode()] for w in count]
    times = list(count.values())
    pairs: Counter[tuple[str, str]] = Counter()
    where: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for i, pieces in enumerate(split):
        for pair in itertools.pairwise(pieces):
            pairs[pair] += times[i]
            where[pair].add(i)
    vocabulary, merges = list(BASE), []
    while len(vocabulary) < size and pairs:
        best, n = max(pairs.items(), key=lambda item: (item[1], item[0]))
        if n < 2:
            break
        merges.append(best)
        vocabulary.append(best[0] + best[1])
        for i in where[best]:
            old = split[i]
            for pair in itertools.pairwise(old):
                if pair in pairs:
                    pairs[pair] -= times[i]
            new = _merge(old, best)
            split[i] = new
            for pair in itertools.pairwise(new):
                if len(pair[0] + pair[1]) <= _LONGEST_PIECE:
                    pairs[pair] += times[i]
                    where[pair].add(i)
        pairs.pop(best, None)
    return vocabulary, merges


def _merge(pieces: list[str], pair: tuple[str, str]) -> list[str]:
    merged, i = [], 0
    while i < len(pieces):
        if i + 1 < len(pieces) and (pieces[i], pieces[i + 1]) == pair:
            merged.append(pieces[i] + pieces[i + 1])
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return merged


class Tokenizer:
    """Maps text to token ids, which are indices of ``pieces``."""

    def __init__(self, pieces: Sequence[str], merges: Sequence[tuple[str, str]]) -> None:
        self.pieces = tuple(pieces)
        self.merges = tuple(merges)
        self._id = {p: i for i, p in enumerate(pieces)}
        self._rank = {pair: i for i, pair in enumerate(merges)}
        self._known: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, never special ones."""
        return [token for word in words(text) for token in self._word(word)]

    def encode_dropping(self, text: str, random: Random, words_dropped: float, merges_dropped: float) -> list[int]:
        """The tokens of a text with a share of its words split finer, equal words alike.

        BPE dropout (Provilkov et al., 2020), for training only: words are also learned from their parts.
        """
        here: dict[str, tuple[int, ...]] = {}
        tokens: list[int] = []
        for word in words(text):
            if word not in here:
                drop = len(word) > 3 and random.random() < words_dropped
                here[word] = self._split(word, random, merges_dropped) if drop else self._word(word)
            tokens.extend(here[word])
        return tokens

    def _word(self, word: str) -> tuple[int, ...]:
        known = self._known.get(word)
        if known is None:
            known = self._split(word, None, 0.0)
            if len(self._known) < 100_000:
                self._known[word] = known
        return known

    def _split(self, word: str, random: Random | None, dropped: float) -> tuple[int, ...]:
        pieces = [_BYTES[b] for b in word.encode()]
        while len(pieces) > 1:
            ranks = [
                (rank, i)
                for i, pair in enumerate(itertools.pairwise(pieces))
                if (rank := self._rank.get(pair)) is not None and not (random and random.random() < dropped)
            ]
            if not ranks:
                break
            _, i = min(ranks)
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
        return tuple(self._id[p] for p in pieces)
