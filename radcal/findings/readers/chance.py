"""The chance that the rules have read a finding right, in 0-1.

It is combined of what the second reader says of the same words, how the rules came to their reading, and words around
it that are unusual in reports: a logistic regression, whose weights ``python -m tools.chance.fit`` makes of annotated
reports, for each kind of second reader.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from radcal.findings.readers.pairs import HEDGED, NOT_STATED, Certainty, Named, assertions, by_words
from radcal.findings.rules.tokens import Token
from radcal.system.errors import InputError, reason_of
from radcal.system.resources import resource
from radcal.words.records import ABSENT, PRESENT, UNREAD

FEATURES: Mapping[str, str] = {
    "certainty": "ln(p / (1 - p)), p the second reader's probability of what the rules assert",
    "hedged": "the second reader's probability of a hedge, where the rules read none",
    "not stated": "the second reader's probability that nothing is stated",
    "entropy": "of the second reader's probabilities of present, absent, hedged and not stated; 1 if they are equal",
    "same phrase": "1 if the second reader gives the same phrase",
    "words alone": "1 if the words for certainty, without regard to scope, assert the same",
    "plain": "1 if nothing governs the finding, so that it is present by default",
    "organ": "1 if it is the state of an organ",
    "doubted": "1 if the rules read a hedge",
    "unusual word": "1 / (1 + n) of the rarest word of the sentence, n how often it stood where the rules read right",
    "cues unused": "hedges and negations of the sentence that govern nothing, up to 3",
    "words between": "words between the finding and its cue, up to 10",
    "length": "ln(1 + words of the sentence)",
    "run on": "words for each comma, colon or stop of the sentence",
    "both": "1 if the sentence asserts something else of the same pathology as well",
}
"""What the chance goes by."""
Kind = Literal["bundled", "model", "choice"]
"""The second reader: the model that ships, another model, or one that gives its choice and no probabilities."""
KINDS: tuple[Kind, ...] = ("bundled", "model", "choice")
_FILE = "chance.json"
_WORDS = "ordinary_words.txt"
_WORD = re.compile(r"[a-z]{3,}")
_DOUBTING = frozenset({"hedge", "negation", "instead"})
_PAUSES = re.compile(r"[,.:;]")
_LEAST = 0.002
"""Least probability that is told from none."""
_MOST_UNUSED, _MOST_BETWEEN = 3, 10


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules read of a pathology in a sentence.

    phrase:    canonical
    term, cue: spans in the sentence; no cue for a statement that nothing governs
    """

    pathology: str
    phrase: str
    term: tuple[int, int]
    cue: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted regression for one kind of second reader.

    unread_below: the least chance at which a finding is taken as it was read, where a department sets none
    """

    intercept: float
    weights: tuple[float, ...]
    unread_below: float

    def chance(self, features: NDArray[np.float64]) -> float:
        """The chance that a reading with these features, shape (len(FEATURES),), is right."""
        return float(1 / (1 + np.exp(-(self.intercept + features @ np.array(self.weights)))))


def asserted(phrase: str) -> str:
    """What a phrase asserts: PRESENT, ABSENT or HEDGED."""
    return phrase if phrase in (PRESENT, ABSENT) else HEDGED


class ReadSentence:
    """A sentence with all that the rules read in it.

    Args:
        flat: the flattened sentence.
        tokens: its tokens, the END included.
        readings: all of its findings.
        ordinary: how often words stood in sentences that the rules read right.
        certainty: its words for certainty.
    """

    def __init__(
        self,
        flat: str,
        tokens: Sequence[Token],
        readings: Sequence[Reading],
        ordinary: Mapping[str, int],
        certainty: Certainty,
    ) -> None:
        self._certainty = certainty
        self._states = [(t.start, t.end) for t in tokens if t.state is not None]
        self._words = [m.start() for m in _WORD.finditer(flat)]
        rarest = min((ordinary.get(word, 0) for word in words_between_tokens(flat, tokens)), default=math.inf)
        self._unusual = 1 / (1 + rarest)
        governing = {r.cue[0] for r in readings if r.cue}
        self._unused = sum(t.kind in _DOUBTING and t.start not in governing for t in tokens)
        self._pauses = 1 + len(_PAUSES.findall(flat))
        self._asserted: dict[str, set[str]] = {}
        for r in readings:
            if r.phrase != UNREAD:
                self._asserted.setdefault(r.pathology, set()).add(asserted(r.phrase))

    def features(
        self, reading: Reading, phrases: Sequence[str], chances: NDArray[np.float64], second: str
    ) -> NDArray[np.float64]:
        """The values of FEATURES for a reading, in their order.

        Args:
            phrases, chances: the second reader's closed list and its probabilities for the reading's pathology.
            second: the phrase that it gives.
        """
        mass = assertions(phrases, chances)
        said = self._asserted[reading.pathology]
        p = min(max(sum(mass[name] for name in said), _LEAST), 1 - _LEAST)
        (first, last), mine = reading.term, asserted(reading.phrase)
        organ = any(first <= start and end <= last for start, end in self._states)
        between = 0
        if reading.cue:
            near, far = sorted((reading.term, reading.cue))
            between = sum(near[1] <= word < far[0] for word in self._words)
        n = len(self._words)
        values = (
            math.log(p / (1 - p)),
            mass[HEDGED] if mine != HEDGED else 0.0,
            mass[NOT_STATED],
            -sum(m * math.log(m) for m in mass.values() if m > 0) / math.log(len(mass)),
            second == reading.phrase,
            by_words(self._certainty, Named(reading.pathology, *reading.term)) == mine,
            reading.cue is None and not organ,
            organ and mine != HEDGED,
            mine == HEDGED,
            self._unusual,
            min(self._unused, _MOST_UNUSED),
            min(between, _MOST_BETWEEN),
            math.log1p(n),
            n / self._pauses,
            len(said) > 1,
        )
        return np.array(values, dtype=float)


def words_between_tokens(flat: str, tokens: Sequence[Token]) -> set[str]:
    """The words of a flattened sentence that have no meaning for the rules."""
    covered = [(t.start, t.end) for t in tokens]
    return {m.group() for m in _WORD.finditer(flat) if not any(start <= m.start() < end for start, end in covered)}


def kind_of(kind: Kind, chances: NDArray[np.float64]) -> Kind:
    """The kind of an answer: a reader that is sure of one phrase beyond any doubt gave a mere choice."""
    return "choice" if chances.max() == 1 else kind


@cache
def fitted() -> Mapping[Kind, Weights]:
    """The weights that ship, by the kind of second reader.

    Raises:
        InputError: the file is missing or malformed.
    """
    return read_weights(resource("reading", _FILE))


def read_weights(path: Path) -> Mapping[Kind, Weights]:
    """The weights of a file.

    Raises:
        InputError: it is missing or malformed; names the file and what is to be done.
    """
    try:
        readers = json.loads(_content(path))["readers"]
        return {
            kind: Weights(
                float(readers[kind]["intercept"]),
                tuple(float(readers[kind]["weights"][name]) for name in FEATURES),
                float(readers[kind]["unread_below"]),
            )
            for kind in KINDS
        }
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "{name} does not hold the weights of every kind of second reader. Restore the shipped file, or make it "
            "anew: python -m tools.chance.fit.",
            name=path.name,
        ) from error


@cache
def ordinary_words() -> Mapping[str, int]:
    """How often words stood in sentences of our own texts that the rules read right, by word.

    Raises:
        InputError: the file is missing or malformed.
    """
    try:
        rows = (line.split() for line in _content(resource("reading", _WORDS)).splitlines())
        return {word: int(n) for word, n in rows}
    except ValueError as error:
        raise InputError(
            "{name} must have a word and a number on each line. Restore the shipped file.", name=_WORDS
        ) from error


@cache
def chance_hash() -> str:
    """Short SHA-256 of all that chances depend on besides the readers.

    Raises:
        InputError: a file is missing.
    """
    contents = [_content(resource("reading", name)) for name in (_FILE, _WORDS)]
    return sha256("".join(contents).encode()).hexdigest()[:16]


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "{name} cannot be read ({reason}). Restore the shipped file.", name=path.name, reason=reason_of(error)
        ) from error
