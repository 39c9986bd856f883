"""The estimator: what a sentence says of certainty, read by likeness to sentences whose reading is known.

A sentence is masked down to its words of certainty (:mod:`radcal.lab.hedges.tokens`) and compared with known ones by
the phrases that both have.  The estimate is the posterior mean of a Gaussian process over them: sum_i a_i k(x, x_i) + c
with k the mean of two Gaussian kernels, one on single words, one on runs of up to three (Rasmussen and Williams,
Gaussian Processes for Machine Learning, 2006, chapter 2).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from radcal.lab import abstaining
from radcal.lab.hedges.stated import Stated, stated
from radcal.lab.hedges.tokens import ASKS, MASK, SIGNS, Token, Words, plain_words, sentences_of, without_names
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import EMPTY, Text
from radcal.words.languages import ENGLISH, UNKNOWN, Recognised, names, recognise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = Any
    """A scipy.sparse.csr_array."""

Kind = Literal["hedged", "plain", "abstention"]


@dataclass(frozen=True, slots=True)
class SentenceEstimate:
    """The confidence that people read from a sentence, as the mean of several readers, in 0-1.

    value: the estimate;  low, high: an interval that holds nine in ten readings of such sentences, ``value`` included
    words: what it rests on, as written, in the order of the sentence; () for a plain statement
    kind: "plain" where no word speaks of certainty, "abstention" where no answer is given
    """

    value: float
    low: float
    high: float
    words: tuple[str, ...]
    kind: Kind = "hedged"


_LONGEST = 3
"""Words of the longest run that is compared."""


class Likeness:
    """Compares sentences with known ones: the mean of exp(-|x - y|^2) for single words and for runs of up to three.

    x and y are tf-idf weights (1 + log n) (log((1 + N) / (1 + df)) + 1) of the runs that the known sentences have, as
    vectors of length 1, or 0 where nothing is known; equal sentences have likeness 1.

    Args:
        known: words of each sentence.
    """

    def __init__(self, known: Sequence[Sequence[str]]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import

        self._weighed = [
            TfidfVectorizer(analyzer=partial(_runs, longest=longest), sublinear_tf=True) for longest in (1, _LONGEST)
        ]
        self._known = [weighed.fit_transform(known) for weighed in self._weighed]

    def to(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """(sentences, known) likeness in 0-1."""
        return self._compared(weighed.transform(sentences) for weighed in self._weighed)

    def among(self) -> NDArray[np.float64]:
        """(known, known) likeness in 0-1, symmetric."""
        return self._compared(self._known)

    def _compared(self, vectors: Iterable[Matrix]) -> NDArray[np.float64]:
        from sklearn.metrics.pairwise import rbf_kernel

        likeness, *more = (rbf_kernel(a, b, gamma=1) for a, b in zip(vectors, self._known, strict=True))
        for one in more:
            likeness += one
        likeness /= 1 + len(more)
        return np.asarray(likeness, np.float64)


def _runs(words: Sequence[str], longest: int) -> list[str]:
    padded = ["<", *words, ">"]
    lengths = range(1, longest + 1)
    return [" ".join(padded[i : i + n]) for n in lengths for i in range(len(padded) - n + 1)]


_SHIPPED = "hedges", "model.json"
NO_TEXT = Text("There is no text.")
_NOTHING = 0.02
"""The highest reading of an abstention."""
_ABSTAINS = 0.5
"""Least share of abstentions among like sentences from which a sentence counts as one."""
_ENGLISH_SHARE = 0.25
"""Share of words of certainty from which a text is English, whatever its other words say."""
_TELLING = 4
"""So many words in lower case hardly come without one that is known to be English; and a word of so many letters is
hardly one of another language, too."""
_ONLY_ENGLISH = "after before between during he her his she their they when where which who"
_ENGLISH_WORDS = frozenset(_ONLY_ENGLISH.split())
"""Words of no other language, by which a plain sentence is known to be English."""
_ENGLISH_ENDING = re.compile(r"..(?:ed|ing|tion|ght)$")
_CONTENT = frozenset((MASK, *SIGNS)) - {ASKS}
PLAIN = f"{MASK} ."
"""A plain statement, masked."""
_BATCH = 500
_AROUND = 0.1
"""Nine in ten readings lie within so much of a probability that a sentence states."""


@dataclass(frozen=True, eq=False)
class Readings:
    """Known sentences, masked and each only once, with their readings.

    sentences: words separated by a space;  scores: (n,) mean reading in 0-1
    abstentions: (n,) share that gives no answer
    counts: (n,) how many sentences look like this one when masked
    """

    sentences: tuple[str, ...]
    scores: NDArray[np.float64]
    abstentions: NDArray[np.float64]
    counts: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HedgeEstimator:
    """Reads sentences; a pure function of its data.

    words: the words of certainty, which are not masked
    readings: the sentences that RadCal's own text has
    known: those that are compared with;  weights: (len(known), 2) of the sum for reading and abstention
    centre: c, the reading far from everything known
    band: (m, 3) estimate, and the 0.05 and 0.95 quantiles of reading minus estimate around it
    """

    words: Words
    readings: Readings
    known: tuple[str, ...]
    weights: NDArray[np.float64]
    centre: float
    band: NDArray[np.float64]

    def estimate(self, sentences: Sequence[str]) -> list[SentenceEstimate | Text]:
        """One estimate a sentence, or why it has none, as of :func:`why_not`.

        Of a text of several sentences, each is read, remarks such as "I'm not sure." with the one before (or behind);
        value, low and high are the means.  A probability that a sentence states is its estimate
        (:mod:`radcal.lab.hedges.stated`).
        """
        parts: list[list[Token]] = []
        owners: list[int] = []
        reasons = [why_not(sentence, self) for sentence in sentences]
        for place, (sentence, reason) in enumerate(zip(sentences, reasons, strict=True)):
            if not reason:
                units = self._units(sentence)
                parts += units
                owners += [place] * len(units)
        found: list[list[int]] = [[] for _ in sentences]
        for part, owner in enumerate(owners):
            found[owner].append(part)
        values, abstains = self.read([masked(part) for part in parts])
        abstains |= np.array([abstaining.abstains(sentence) for sentence in sentences], bool)[owners]
        values = np.where(abstains, np.minimum(values, _NOTHING), values)
        low, high = self._interval(values)
        numbers: list[list[Stated]] = [[] for _ in sentences]
        for at, (unit, owner) in enumerate(zip(parts, owners, strict=True)):
            number = stated(sentences[owner][unit[0].start : unit[-1].end])
            if number:
                values[at], abstains[at] = number.value, False
                low[at], high[at] = max(number.value - _AROUND, 0.0), min(number.value + _AROUND, 1.0)
                numbers[owner].append(number.moved(unit[0].start))
        return [
            reason or self._whole(sentence, values[own], low[own], high[own], abstains[own], said)
            for sentence, reason, own, said in zip(sentences, reasons, found, numbers, strict=True)
        ]

    def read(self, alike: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """(n,) the reading in 0-1 and (n,) whether it is an abstention, of sentences that are masked already."""
        if not alike:
            return np.empty(0), np.empty(0, bool)
        different = {text: n for n, text in enumerate(dict.fromkeys(alike))}
        split = [text.split() for text in different]
        each = (self._likeness.to(split[n : n + _BATCH]) @ self.weights for n in range(0, len(split), _BATCH))
        sums = np.concatenate(list(each))[[different[text] for text in alike]]
        return np.clip(sums[:, 0] + self.centre, 0.0, 1.0), sums[:, 1] >= _ABSTAINS

    def _units(self, text: str) -> list[list[Token]]:
        units: list[list[Token]] = []
        joins = False
        for start, end in sentences_of(text):
            found = [Token(t.word, t.start + start, t.end + start) for t in self.words.tokens(text[start:end])]
            if not found:
                continue
            is_remark = all(t.word != MASK for t in found)
            if units and (joins or is_remark):
                units[-1] += found
                joins = joins and is_remark
            else:
                units.append(found)
                joins = is_remark
        return units

    def _interval(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low, high = (values + np.interp(values, self.band[:, 0], self.band[:, n]) for n in (1, 2))
        return np.clip(low, 0, values), np.clip(high, values, 1)

    def _whole(
        self,
        sentence: str,
        values: NDArray[np.float64],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        abstains: NDArray[np.bool_],
        said: Sequence[Stated],
    ) -> SentenceEstimate:
        spans = _joined([*self.words.spans(sentence), *((number.start, number.end) for number in said)])
        words = tuple(sentence[start:end] for start, end in spans)
        kind: Kind = "abstention" if abstains.all() else "hedged" if words else "plain"
        return SentenceEstimate(float(values.mean()), float(low.mean()), float(high.mean()), words, kind)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness([text.split() for text in self.known])


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def why_not(text: str, estimator: HedgeEstimator) -> Text:
    """Why a text has no estimate; empty if it has one."""
    if not any(c.isalnum() for c in text):
        return NO_TEXT
    kept = sum(t.word not in _CONTENT for t in estimator.words.tokens(text))
    said = without_names(text)
    words = sum(part[:1].isalpha() for part in said.split())
    language = recognise(said)
    if language.code != ENGLISH and kept < _ENGLISH_SHARE * words:
        return Text("It is written in {language}, and only English is read.", language=names()[language.code])
    if not kept and language == Recognised(ENGLISH, 0.0) and _looks_foreign(text, estimator.words):
        return Text("It is written in {language}, and only English is read.", language=names()[UNKNOWN])
    return EMPTY


def _looks_foreign(text: str, words: Words) -> bool:
    """Whether a text without a word known to be English has too many words, or letters, for a plain answer."""
    plain = plain_words(text)
    if plain & _ENGLISH_WORDS or any(map(_ENGLISH_ENDING.search, plain)):
        return False
    if any(len(word) >= _TELLING for word in plain & words.weak):
        return False
    common = [word for n, word in enumerate(text.split()) if word.isalpha() and (n == 0 or word.islower())]
    return len(common) >= _TELLING or any(not word.isascii() for word in common)


@cache
def shipped() -> HedgeEstimator:
    """The estimator that ships, made from surveys and sentences of RadCal's own alone.

    Raises:
        InputError: its file is missing or damaged.
    """
    return load(resource(*_SHIPPED))


@cache
def shipped_hash() -> str:
    """SHA-256 of the file behind :func:`shipped`."""
    return hashlib.sha256(resource(*_SHIPPED).read_bytes()).hexdigest()


def load(path: Path) -> HedgeEstimator:
    """An estimator from a file written by :func:`as_plain`.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        own = Readings(
            tuple(plain["sentences"]), *(np.array(plain[part], float) for part in ("scores", "abstentions", "counts"))
        )
        return HedgeEstimator(
            Words(*(frozenset(plain[part]) for part in ("strong", "weak", "idioms"))),
            own,
            own.sentences,
            np.array(plain["weights"], float),
            float(plain["centre"]),
            np.array(plain["band"], float),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("The file {name} of RadCal cannot be read. Install RadCal again.", name=path.name) from error


def as_plain(estimator: HedgeEstimator) -> Mapping[str, Any]:
    """What :func:`load` reads, of an estimator that knows its own sentences alone."""
    own = estimator.readings
    return {
        "strong": sorted(estimator.words.strong),
        "weak": sorted(estimator.words.weak),
        "idioms": sorted(estimator.words.idioms),
        "centre": estimator.centre,
        "band": estimator.band.round(4).tolist(),
        "sentences": list(own.sentences),
        "scores": own.scores.round(4).tolist(),
        "abstentions": own.abstentions.round(4).tolist(),
        "counts": own.counts.tolist(),
        "weights": estimator.weights.round(5).tolist(),
    }


def masked(found: Sequence[Token]) -> str:
    """What is compared: words and signs, content masked; all plain statements are alike."""
    words = [token.word for token in found]
    return " ".join(words) if any(word not in _CONTENT for word in words) else PLAIN
