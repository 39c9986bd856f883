"""Observations, and how an author's words agreed with the reference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

# At run time too: results are stored and read back by their annotations.
import numpy as np
from numpy.typing import NDArray

from radcal.review.records import ReadingErrors
from radcal.system.estimates import Estimate
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    import pandas as pd


OBSERVATION_COLUMNS: Mapping[str, str] = {
    "author": "str",
    "topic": "str: the pathology, or a language model's question set",
    "phrase": "str: canonical",
    "reference_phrase": "str: what the reference said, canonical; or instead",
    "outcome": "float in 0-1: whether the reference confirmed it",
}
VERIFIED_COLUMNS: Mapping[str, str] = {
    "verified": "bool: whether there is a reference; where it is False, there is no outcome",
    "site": "str: where the statement was made; used where ``verified`` tells the share with a reference",
}
"""Of a file of observations that holds what was said without a reference, too."""
EVIDENCE_COLUMNS: Mapping[str, str] = {
    "xray_id": "str: report_id",
    "ct_id": "str: report_id",
    "verbatim": "str: the author's own certainty words",
    "xray_sentence": "str",
    "xray_cue_start": "int: span of the certainty words in xray_sentence, -1 for none",
    "xray_cue_end": "int",
    "ct_sentence": "str: '' where the CT is silent",
    "ct_pathology": "str: the CT pathology that decided, '' where the CT is silent",
    "xray_time": "datetime64[ns]",
    "patient": "int: a number for each patient of an analysis, -1 where there are none",
}

# What statements of an author on a topic are counted as.
ENTERED = "entered"
SILENT_ABSENT = "ct silent, taken as absent"
DECIDED = "decided by a person"
"""These two are among those that entered."""
SILENT_LEFT_OUT = "ct silent, left out"
UNMENTIONED = Text("not mentioned on X-ray, found on CT")
UNKNOWN_PHRASE = "phrase not in the lexicon"
UNREAD_LEFT_OUT = "beside words that were not understood, left out"
CONTESTED_LEFT_OUT = "contested, left out"


@dataclass(frozen=True, eq=False)
class Matching:
    """Observations (OBSERVATION_COLUMNS and EVIDENCE_COLUMNS) and counts of statements that did not become one.

    counts: rows (author, topic, what, n) where author is that of the X-ray report and what is ENTERED, SILENT_ABSENT,
            DECIDED, SILENT_LEFT_OUT, UNMENTIONED, UNKNOWN_PHRASE or UNREAD_LEFT_OUT
    """

    observations: pd.DataFrame
    counts: pd.DataFrame


class Mix(NamedTuple):
    """How often the reference used each outcome on a topic, whatever was said before: (J,) in 0-1, and counts (J,)."""

    outcomes: NDArray[np.float64]
    n: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tables:
    """Contingency tables of all groups at once.

    counts:   (Q, K, L), how often phrase k met reference l in group q
    positive: (L,), p_l, the probability that reference l means "confirmed"
    groups:   Q pairs (author, topic)
    unknown:  words that are in no lexicon, and how many observations were left out for them
    mixes:    by topic, the reference's use of outcomes where these tables hold a part of the statements; a topic that
              is not named has that of its groups here
    errors:   of reading on the gold set, to be carried on; None where none are known
    by_patient: of the groups, and of those that ``pooled`` makes of them, (K, 3) sums over patients of m^2, m y and
              y^2, of m findings with one phrase and y confirmed among them; empty where no patients are known
    unread:   by group, how many of its statements were left out as unread
    """

    groups: tuple[tuple[str, str], ...]
    phrases: tuple[str, ...]
    references: tuple[str, ...]
    counts: NDArray[np.float64]
    positive: NDArray[np.float64]
    unknown: Mapping[str, int] = field(default_factory=dict)
    mixes: Mapping[str, Mix] = field(default_factory=dict)
    errors: ReadingErrors | None = None
    by_patient: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    unread: Mapping[tuple[str, str], float] = field(default_factory=dict)


LEVEL = 0.05
"""Of tests: what has a smaller p-value, or a smaller q-value where there are several tests, is said to differ."""
Verdict = Literal["matches", "stronger", "weaker", "undecided", "too few"]
"""On a word, from the posterior of its rate and the range that readers take it to mean: with a probability of SURE at
least the rate lies in the range ('matches'), below it (the word is 'stronger' than CT supported) or above it
('weaker'); of words with too few uses nothing is said."""
SURE = 0.95
"""Least probability of what is said of a word: so at most 5 % of all that is said, on whatever page, is expected to be
false."""
OFF = 0.05
"""Least distance, in 0-1, of all hedged words together from what they mean that is worth saying."""
ALL_AUTHORS = "all radiologists"
"""In place of an author: everybody's statements on a topic together."""
Pool = Literal["author", "topic"]
"""How groups are put together: all topics of an author, or all authors on a topic."""
POOLS: tuple[Pool, ...] = ("author", "topic")


def pool_of(author: str, topic: str) -> Pool | None:
    """How a group is put together, by its names; None for one author on one topic."""
    if topic == ALL_TOPICS:
        return "author"
    return "topic" if author == ALL_AUTHORS else None


class PhraseRate(NamedTuple):
    """How often findings worded with one phrase were confirmed: ``positives`` of ``n``.

    rate: as CT confirmed it;  low, high: where the true rate lies, by the department's model
    A tuple, because a department has tens of thousands of them, and a dataclass takes three times as long to make.
    """

    phrase: str
    n: float
    positives: float
    rate: float
    low: float
    high: float
    mean: float
    """What the phrase means: the mean of its distribution."""
    meant_low: float = math.nan
    meant_high: float = math.nan
    """The range of meaning that the verdict compares with, 0-1."""
    verdict: Verdict = "undecided"
    probability: float = math.nan
    """Of what the verdict says; of an undecided word, of the likeliest of the three."""
    expected: float = math.nan
    """The true rate as the model expects it; the centre of ``low`` to ``high``."""
    read_rate: float | None = None
    read_low: float | None = None
    read_high: float | None = None
    """The rate and its interval with reading errors, None where none are carried on."""

    @property
    def differs(self) -> bool:
        """Whether the phrase was stronger or weaker than CT supported."""
        return self.verdict in ("stronger", "weaker")


class Together(NamedTuple):
    """What the hedged words of a group come to together, each counted as often as it was used.

    n: uses;  stated: what they mean on average;  rate: as CT confirmed them
    expected: the true rate by the department's model;  deviation: standard deviation of expected - stated
    verdict: 'stronger' than CT supported where expected lies OFF or more below stated with a probability of SURE, and
    'weaker' where it lies so far above; else, or where words that match are half of the uses or more, 'undecided'
    """

    n: float
    stated: float
    rate: float
    expected: float
    deviation: float
    verdict: Verdict
    probability: float


@dataclass(frozen=True, slots=True)
class Level:
    """What all other groups of a department tell of one: a normal prior of its shift a and slope b."""

    author: str
    topic: str
    shift: float
    slope: float
    shift_sd: float
    slope_sd: float
    correlation: float


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the words of a department's readers stray, in log odds; see :mod:`radcal.calibration.model`.

    shift, slope: standard deviations of what all of a group's words share
    near, plain: of each hedged and each plain word;  far: of a private one;  private: the share of these
    common: by word, what all readers of the department mean beyond what the survey says;  doubt: its standard deviation
    of_reader, of_pathology: the share of a group's variance that its reader, and its pathology, have in common
    groups: from how many groups it was learned, 0 for what RadCal ships with
    """

    shift: float
    slope: float
    near: float
    plain: float
    far: float
    private: float
    groups: int = 0
    common: Mapping[str, float] = field(default_factory=dict)
    doubt: Mapping[str, float] = field(default_factory=dict)
    of_reader: float = 0.0
    of_pathology: float = 0.0
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, eq=False)
class Curve:
    """The reliability diagram on M bins; NaN where a bin is empty.

    low, high: (M,) bin edges;  rate: (M,) r_m;  rate_low, rate_high: (M,) 95 % band, which holds the whole curve;
    density: (M,) p_m, share of the statements in the bin;  stated: (M,) g_m, mean stated certainty;
    luck_low, luck_high: (M,) band that holds the whole curve of 95 % of perfectly calibrated authors who said
        the same words
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    rate: NDArray[np.float64]
    rate_low: NDArray[np.float64]
    rate_high: NDArray[np.float64]
    density: NDArray[np.float64]
    stated: NDArray[np.float64]
    luck_low: NDArray[np.float64]
    luck_high: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Wording:
    """How often the words that an author really wrote for a phrase were confirmed; Jeffreys interval.

    words: as written, in small letters;  differs: the wordings of the phrase were not confirmed equally often
    """

    topic: str
    phrase: str
    words: str
    n: float
    positives: float
    rate: float
    low: float
    high: float
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pooled group: a pathology of an author, or an author on a pathology.

    probability: that the rate of its word that lies farthest from that of the other parts does so by 5 points or more
    differs: whether that is SURE
    phrase: that word, '' where it is not worth naming;  positives of said: there;  others_...: in the other parts
    """

    name: str
    n: float
    probability: float = 0.0
    differs: bool = False
    phrase: str = ""
    said: float = 0.0
    positives: float = 0.0
    others_said: float = 0.0
    others_positives: float = 0.0


@dataclass(frozen=True, eq=False)
class Monotone:
    """The curve of confirmed rates that keeps the order of the words (isotonic regression), word by word.

    phrases: weakest first;  mean, n, rate: (K,) of the words;  fitted: (K,) the monotone curve
    low, high: (K,) consistency region: where 95 % of such curves of a calibrated author lie
    miscalibration - discrimination + uncertainty = Brier score of the words' means
    disordered: pairs (weaker, stronger) of words that the curve had to join because their rates were out of order

    Source: Dimitriadis, Gneiting and Jordan, PNAS 2021;118:e2016191118.
    """

    phrases: tuple[str, ...]
    mean: NDArray[np.float64]
    n: NDArray[np.float64]
    rate: NDArray[np.float64]
    fitted: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    miscalibration: float
    discrimination: float
    uncertainty: float
    disordered: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class VerifiedRate:
    """The bounds on a phrase's confirmed rate that findings without a deciding CT leave open.

    said = judged + unverified; of the judged, ``positives`` were confirmed.  The confirmed rate of all that was
    said lies between ``lowest`` (none of the unverified is there) and ``highest`` (all of them are).

    share_low, share_high: Jeffreys interval of judged / said, 0-1
    rate_low, rate_high: Jeffreys interval of positives / judged, 0-1; of nothing where nothing was judged
    low, high: the bounds widened by the sampling error of ``lowest`` and ``highest``
    meaning_low, meaning_high: the range in which readers place the phrase
    weighted: the rate of all that was said, if in each stratum those without a CT are like those with one; tilted: that
        rate with odds of those without a CT ``verified.ODDS`` times lower, and higher; None where nothing was judged
    verdict: that holds for all that was said;  closed: the findings with a CT decide on the word, and that need not
    """

    phrase: str
    said: float
    judged: float
    positives: float
    unverified: float
    share_low: float
    share_high: float
    rate_low: float
    rate_high: float
    lowest: float
    highest: float
    low: float
    high: float
    meaning_low: float
    meaning_high: float
    weighted: Estimate | None = None
    tilted: tuple[float, float] | None = None
    closed: bool = False
    verdict: Verdict = "undecided"


@dataclass(frozen=True, slots=True)
class Verification:
    """How much of what an author said on a topic was decided by a CT.

    share: of the statements that a CT decided, with its interval; None where nothing was judged
    rate: the confirmed rate of all that was said, weighted by word and stratum; None where that is not known
    n_reports: the author's X-ray reports in the days chosen;  n_with_ct: those with a CT in the window
    n_unread: those that have not been read yet, so that what they say is not known
    """

    author: str
    topic: str
    rates: tuple[VerifiedRate, ...]
    share: Estimate | None = None
    rate: Estimate | None = None
    n_reports: int = 0
    n_with_ct: int = 0
    n_unread: int = 0


@dataclass(frozen=True, eq=False)
class Said:
    """Statements of X-ray reports, with and without a CT.

    reports: by author: all of them, those paired and those unread
    counts: author, topic, phrase, stratum (where and how the X-ray was taken) and n
    """

    reports: pd.DataFrame
    counts: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Reliability:
    """How one author's words on one topic agreed with the reference.

    Every measure is None with ``reason`` set where there is not enough data; ``phrases`` is always there.
    ``word_error`` is the headline: sum_k n_k |y_k / n_k - E[S|k]| / N over hedged words.  ``intercept`` and ``slope``
    are those of logit P(confirmed) = a + b logit E[S|k].  ``*_star`` leave out the first and last bin, where plain
    present and absent stand; ``ece_width`` is the part of the ECE that is due to the words' width alone.
    """

    author: str
    topic: str
    n: float
    phrases: tuple[PhraseRate, ...]
    reason: Text = EMPTY
    curve: Curve | None = None
    word_error: float | None = None
    word_error_low: float | None = None
    word_error_high: float | None = None
    luck_word_mean: float | None = None
    luck_word_p95: float | None = None
    p_value_word: float | None = None
    q_value_word: float | None = None
    """Benjamini-Hochberg over all groups of the same call, of ``p_value_word``."""
    intercept: float | None = None
    intercept_low: float | None = None
    intercept_high: float | None = None
    slope: float | None = None
    slope_low: float | None = None
    slope_high: float | None = None
    ece: float | None = None
    ece_low: float | None = None
    ece_high: float | None = None
    ece_star: float | None = None
    ece_star_low: float | None = None
    ece_star_high: float | None = None
    ece_width: float | None = None
    ece_star_width: float | None = None
    mce: float | None = None
    brier: float | None = None
    brier_low: float | None = None
    brier_high: float | None = None
    accuracy: float | None = None
    accuracy_low: float | None = None
    accuracy_high: float | None = None
    auroc: float | None = None
    resolution: float | None = None
    sharpness: float | None = None
    luck_mean: float | None = None
    luck_p95: float | None = None
    p_value: float | None = None
    luck_star_mean: float | None = None
    luck_star_p95: float | None = None
    p_value_star: float | None = None
    q_value_star: float | None = None
    """Benjamini-Hochberg over all groups of the same call, of ``p_value_star``."""
    together: Together | None = None
    """Its hedged words together; None where these are not several with enough uses."""
    parts: tuple[Part, ...] = ()
    """Of a pooled group, its parts and which of them differ from the others."""
    read_word_error: float | None = None
    read_word_error_low: float | None = None
    read_word_error_high: float | None = None
    """The word error with reading errors, None where none are carried on."""
    read_p_value_word: float | None = None
    plain_p_value_word: float | None = None
    """That a calibrated author does as badly, with and without reading errors; ``p_value_word`` is the larger one."""
    verification: Verification | None = None
    """How much of all that was said on the topic had a CT; None where that is not known."""

    @property
    def differs(self) -> bool | None:
        """Whether hedged words were stronger or weaker than CT supported, one of them or all together.

        None where none was used often enough.
        """
        judged = [p.differs for p in self.phrases if 0 < p.mean < 1 and p.verdict != "too few"]
        off = self.together is not None and self.together.verdict != "undecided"
        return off or any(judged) if judged else None


@dataclass(frozen=True, slots=True)
class WordShare:
    """The share (0-1) of a phrase in a bin of the reliability diagram, and how often it was said in all."""

    phrase: str
    n: float
    share: float


@dataclass(frozen=True, slots=True)
class Contest:
    """A finding marked as wrongly read: which, why (``note``) and when (UTC, ISO 8601).

    left_out: whether the results on show were made without it
    by: the radiologist, where the contest came from a personal file;  said: when it was made there, by that clock
    """

    xray_id: str
    topic: str
    author: str
    phrase: str
    note: str
    at: str
    left_out: bool = False
    by: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class OthersRate:
    """How often a phrase for a topic was confirmed when any other reader of the department wrote it.

    rate: of about ``n`` statements together, with its Jeffreys interval, as coarse as :mod:`radcal.system.coarse` says
    readers: how many of them wrote it
    """

    topic: str
    rate: PhraseRate
    readers: int
