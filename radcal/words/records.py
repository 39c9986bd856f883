"""What certainty words mean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

# At run time too: results are stored and read back by their annotations.
import numpy as np
from numpy.typing import NDArray

from radcal.system.text import Text

SPEECH: tuple[Speech, ...] = ("words", "numbers", "distributions")


Speech = Literal["words", "numbers", "distributions"]
"""How a model says how certain it is."""

ABSENT = "absent"
PRESENT = "present"
OTHER = "other"
"""The canonical phrase of a hedge that is in no list; the finding's ``verbatim`` keeps its words."""
UNREAD = "unread"
"""In place of a phrase: beside the finding stand words of doubt that were not understood; they are its ``verbatim``."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A certainty phrase and what readers take it to mean: Beta(alpha, beta) on [0, 1].

    ``alpha == 0`` is a point mass at 0 ("absent"), ``beta == 0`` a point mass at 1 ("present"), and with ``is_point``
    all of it lies at alpha / (alpha + beta), as with a number; these are limits of the Beta distribution, so that the
    mean is alpha / (alpha + beta) throughout.
    ``low`` and ``high``, in 0-1, are the range of its meaning: it holds the mean, and at least half of the answers
    (the survey's ranges around the mean, or the central half of the distribution).
    asked: how many people were asked about the words;  answers: how many answers there are on this one, and
    within: how many of them are in the range; all 0 where that is not known and the distribution is taken as exact
    advised: whether advice may propose it where a department chose no words itself; others are read only
    """

    name: str
    alpha: float
    beta: float
    low: float
    high: float
    synonyms: tuple[str, ...] = ()
    source: str = ""
    asked: int = 0
    answers: int = 0
    within: int = 0
    is_point: bool = False
    advised: bool = True


@dataclass(frozen=True, slots=True)
class Remark:
    """A warning about a file of words: its name, the line (0 for all of it), and a sentence on what is odd there."""

    file: str
    line: int
    text: Text


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What a department's folder of words adds to the shipped ones.

    pathologies: that are not shipped
    terms, organs, cues, confirmations: number of lines in force
    remarks: warnings about single lines, by file and line
    """

    pathologies: tuple[str, ...]
    terms: int
    organs: int
    cues: int
    confirmations: int
    remarks: tuple[Remark, ...]


Kind = Literal["finding", "diagnosis", "descriptor"]


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Which CT statement confirms an X-ray statement, and what a silent CT means.

    ``ct`` lists the CT pathologies that confirm ``xray`` (itself included), and refute that there is none;
    ``explained_by`` further ones that bear out that there is ``xray``, and do not refute that there is none;
    ``refuted_by`` those without which there is no ``xray``, so that a CT that denies one of them denies it.
    ``silence_is_absent`` says that a CT report that does not mention any of them counts as "absent" rather than being
    left out.  Of a descriptor, which says what a film shows, CT names the cause.
    """

    xray: str
    ct: tuple[str, ...]
    silence_is_absent: bool
    explained_by: tuple[str, ...] = ()
    refuted_by: tuple[str, ...] = ()
    kind: Kind = "finding"


@dataclass(frozen=True, slots=True, eq=False)
class PhraseBins:
    """K phrases binned on M equal-width bins of [0, 1]; the last bin is closed.

    weight:  (K, M), W[k, m] = P(S in I_m | k); rows add to 1
    moment:  (K, M), G[k, m] = E[S 1{S in I_m} | k]; rows add to ``mean``
    mean:    (K,), E[S | k];   second: (K,), E[S^2 | k];   above_half: (K,), P(S > 1/2 | k)
    """

    phrases: tuple[str, ...]
    edges: NDArray[np.float64]
    weight: NDArray[np.float64]
    moment: NDArray[np.float64]
    mean: NDArray[np.float64]
    second: NDArray[np.float64]
    above_half: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScaleWord:
    """Words of a scale of certainty, and the probabilities (0-1) that the scale states for them."""

    words: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scale:
    """A published scale of certainty, which a department may choose as its vocabulary.

    key: as in the settings;  name: short;  title: in full;  source: where it was published
    words: weakest first;  established: words for an established diagnosis only;  avoid: words to avoid
    """

    key: str
    name: str
    title: str
    source: str
    words: tuple[ScaleWord, ...]
    established: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VocabularyUse:
    """How often hedged X-ray findings were worded within a scale and outside of it, by what was literally written.

    Of all hedged findings of the X-ray reports that make a pair, whether or not CT decides on them.

    author: '' for all;  start, end: of the period, ``end`` exclusive, None for all dates
    n = within + established + outside;  avoided: those of ``outside`` with words that the scale says to avoid
    *_low, *_high: Wilson interval of the share (0-1) of n; NaN for n = 0
    words: those outside, with their counts, the most frequent first
    """

    scale: str
    author: str
    n: int
    within: int
    established: int
    outside: int
    avoided: int
    outside_low: float
    outside_high: float
    avoided_low: float
    avoided_high: float
    words: tuple[tuple[str, int], ...]
    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """What a reference means by an expression.

    places:  (V,) in percent, ascending;  weights: (V,) their shares, which sum to 1
    n:       answers behind it;  asked: people asked, 0 if not known
    """

    expression: str
    places: NDArray[np.float64]
    weights: NDArray[np.float64]
    n: int
    asked: int = 0
