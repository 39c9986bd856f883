"""The records that pass between the rooms of RadCal: frozen data and declared columns, no logic.

Tables of many rows are pandas DataFrames whose columns are declared here; single results are frozen
dataclasses.  Arrays inside records are never written to after construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

# At run time too: results are stored and read back by their annotations.
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

    from radcal.progress import Progress

ABSENT = "absent"
PRESENT = "present"
OTHER = "other"
"""The canonical phrase of a hedge that is in no list; the finding's ``verbatim`` keeps its words."""


class Modality(StrEnum):
    """The kind of examination a report is about."""

    XRAY = "xray"
    CT = "ct"


class Section(StrEnum):
    """The part of a report that a sentence stands in."""

    FINDINGS = "findings"
    IMPRESSION = "impression"
    INDICATION = "indication"
    """Indication, history, reason for the examination: asserts nothing."""
    COMPARISON = "comparison"
    TECHNIQUE = "technique"
    OTHER = "other"
    """Addressees, signatures and whatever stands under a heading of no interest."""


# --- words -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phrase:
    """A certainty phrase and what readers take it to mean: Beta(alpha, beta) on [0, 1].

    ``alpha == 0`` is a point mass at 0 ("absent"), ``beta == 0`` a point mass at 1 ("present"); both are
    the limits of the Beta distribution, so that the mean is alpha / (alpha + beta) throughout.
    ``low`` and ``high`` are the range in which most readers place the phrase (the survey's most chosen
    range, or the central half of the distribution), in 0-1.
    """

    name: str
    alpha: float
    beta: float
    low: float
    high: float
    synonyms: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Pathology:
    """A pathology of the closed list, as named in every table and on every page."""

    name: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Which CT statement confirms an X-ray statement, and what a silent CT means.

    ``ct`` lists the CT pathologies that confirm ``xray`` (itself included); ``silence_is_absent`` says
    that a CT report that does not mention any of them counts as "absent" rather than being left out.
    """

    xray: str
    ct: tuple[str, ...]
    silence_is_absent: bool


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


# --- reports ---------------------------------------------------------------------------------------

REPORT_COLUMNS: Mapping[str, str] = {
    "report_id": "str: unique over the workspace, modality and accession joined, e.g. 'xray:A1001'",
    "modality": "str: 'xray' or 'ct'",
    "accession": "str",
    "patient_id": "str",
    "exam": "str: exam code or description as in the source, '' if none",
    "exam_time": "datetime64[ns]: local time of the examination",
    "author": "str: the radiologist that the report is attributed to, '' if nobody",
    "author_rule": "str: which rule attributed it, in words",
    "status": "str: 'final', 'addendum', 'preliminary' or '' if the source has none",
    "text": "str: the whole report",
    "file": "str: name of the source file",
    "row": "int: line of the source file, 1 for the first, header included",
}
PAIR_COLUMNS: Mapping[str, str] = {
    "xray_id": "str: report_id",
    "ct_id": "str: report_id",
    "patient_id": "str",
    "author": "str: of the X-ray report",
    "xray_time": "datetime64[ns]",
    "ct_time": "datetime64[ns]",
    "gap_hours": "float: CT time - X-ray time",
}
REJECTED_COLUMNS: Mapping[str, str] = {
    "file": "str",
    "row": "int: line of the source file, 1 for the first, header included",
    "reason": "str: one of a small set of sentences, so that rows can be counted by reason",
    "remedy": "str: what the user can do",
}
ATTRITION_COLUMNS: Mapping[str, str] = {
    "step": "str: what was asked at this step, e.g. 'has a CT within 12 h'",
    "modality": "str: 'xray', 'ct' or 'both'",
    "kept": "int: reports left after the step",
    "dropped": "int: reports that dropped out here",
    "reason": "str: why, in words",
}


@dataclass(frozen=True, eq=False)
class Import:
    """What was read from files: the reports that can be used and the rows that cannot."""

    reports: pd.DataFrame
    rejected: pd.DataFrame
    rows_read: int
    mapping: Mapping[str, str]
    """Our column names to those of the source."""
    attrition: pd.DataFrame | None = None
    """Where rows dropped out while reading, in ATTRITION_COLUMNS; continued by the pairing's."""
    notes: tuple[str, ...] = ()
    """What was assumed while reading, in sentences for the user."""


@dataclass(frozen=True, eq=False)
class Pairing:
    """X-ray reports joined to CT reports, and where the others went."""

    pairs: pd.DataFrame
    attrition: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a report: ``text == document.text[start:end]``."""

    section: Section
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A report as the extraction engines see it: its text, cut into sentences with their sections."""

    report_id: str
    text: str
    sentences: tuple[Sentence, ...]
    modality: Modality | None = None


# --- findings --------------------------------------------------------------------------------------

FINDING_COLUMNS: tuple[str, ...] = (
    "report_id",
    "pathology",
    "phrase",
    "verbatim",
    "sentence",
    "section",
    "start",
    "end",
    "engine",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A report states something about a pathology.

    phrase:     canonical: 'absent', 'present', a phrase of the lexicon, or 'other' for a hedge in no list
    verbatim:   the words that carry the certainty; '' for a plain statement
    start, end: the sentence's span in the report's text
    term_start, term_end, cue_start, cue_end: spans of the pathology's and the cue's words in the report's
                text; the cue's are -1 where there is none
    probability: the engine's own probability, None where it has none
    """

    report_id: str
    pathology: str
    phrase: str
    verbatim: str
    sentence: str
    section: Section
    start: int
    end: int
    term_start: int
    term_end: int
    cue_start: int = -1
    cue_end: int = -1
    engine: str = ""
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an engine made of one report: findings, or the reason why there are none to trust."""

    report_id: str
    findings: tuple[Finding, ...]
    failure: str = ""


class Extractor(Protocol):
    """An extraction engine.  Streaming, ordered, and the same for a report whatever its company.

    It advances ``progress`` by one for each report.
    """

    @property
    def name(self) -> str:
        """Such as 'rules'."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever results could."""
        ...

    @property
    def settings_hash(self) -> str:
        """Hash over everything else that results depend on: lexicon, prompt, model, options."""
        ...

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order; a report that fails is an Extraction with its failure."""
        ...


# --- observations and reliability -----------------------------------------------------------------

OBSERVATION_COLUMNS: Mapping[str, str] = {
    "author": "str",
    "topic": "str: the pathology, or a language model's question set",
    "phrase": "str: canonical",
    "reference_phrase": "str: what the reference said, canonical; or instead",
    "outcome": "float in 0-1: whether the reference confirmed it",
}
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
}


@dataclass(frozen=True, eq=False)
class Matching:
    """Observations (OBSERVATION_COLUMNS and EVIDENCE_COLUMNS) and what did not become one.

    counts: rows (author, topic, what, n) where author is that of the X-ray report and what is 'entered',
            'ct silent, taken as absent', 'ct silent, left out', 'not mentioned on X-ray, found on CT',
            'phrase not in the lexicon'
    """

    observations: pd.DataFrame
    counts: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Tables:
    """Contingency tables of all groups at once.

    counts:   (Q, K, L), how often phrase k met reference l in group q
    positive: (L,), p_l, the probability that reference l means "confirmed"
    groups:   Q pairs (author, topic)
    unknown:  words that are in no lexicon, and how many observations were left out for them
    """

    groups: tuple[tuple[str, str], ...]
    phrases: tuple[str, ...]
    references: tuple[str, ...]
    counts: NDArray[np.float64]
    positive: NDArray[np.float64]
    unknown: Mapping[str, int] = field(default_factory=dict)


class PhraseRate(NamedTuple):
    """How often findings worded with one phrase were confirmed: ``positives`` of ``n``, Jeffreys interval.

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


@dataclass(frozen=True, eq=False)
class Curve:
    """The reliability diagram on M bins; NaN where a bin is empty.

    low, high: (M,) bin edges;  rate: (M,) r_m with 95 % interval rate_low, rate_high;
    density: (M,) p_m, share of the statements in the bin;  stated: (M,) g_m, mean stated certainty;
    luck_low, luck_high: (M,) 95 % band of r_m for a perfectly calibrated author using the same words
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


@dataclass(frozen=True, eq=False)
class Reliability:
    """How one author's words on one topic met the reference.

    Every measure is None with ``reason`` set where there is not enough data; ``phrases`` is always there.
    ``*_star`` leave out the first and last bin, where plain present and absent stand.
    """

    author: str
    topic: str
    n: float
    phrases: tuple[PhraseRate, ...]
    reason: str = ""
    curve: Curve | None = None
    ece: float | None = None
    ece_low: float | None = None
    ece_high: float | None = None
    ece_star: float | None = None
    ece_star_low: float | None = None
    ece_star_high: float | None = None
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


@dataclass(frozen=True, slots=True)
class WordShare:
    """How much of a bin of the reliability diagram a phrase makes up: ``share`` of 0-1, said ``n`` times in all."""

    phrase: str
    n: float
    share: float


@dataclass(frozen=True, slots=True)
class VerifiedRate:
    """What the findings that no CT decided on leave open about a phrase.

    said = judged + unverified; of the judged, ``positives`` were confirmed.  The confirmed rate of all that was
    said lies between ``lowest`` (none of the unverified is there) and ``highest`` (all of them are).

    share_low, share_high: Jeffreys interval of judged / said, 0-1
    rate_low, rate_high: Jeffreys interval of positives / judged, 0-1; of nothing where nothing was judged
    low, high: the bounds widened by the sampling error of ``lowest`` and ``highest``
    meaning_low, meaning_high: the range in which readers place the phrase
    verdict: 'stronger' or 'weaker' than CT supported, or 'within' the range, whatever the unverified are;
             'open' where it depends on them;  '' where nothing was judged
    spans: the bounds reach over the whole range, so that no verdict is possible in principle
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
    verdict: str
    spans: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """How much of what an author said on a topic a CT decided on.

    n_reports: the author's X-ray reports in the days chosen;  n_with_ct: those with a CT in the window
    n_unread: those that have not been read yet, so that what they say is not known
    """

    author: str
    topic: str
    n_reports: int
    n_with_ct: int
    n_unread: int
    rates: tuple[VerifiedRate, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """Somebody marked a finding as wrongly read: which, why (``note``) and when (UTC, ISO 8601).

    left_out: whether the results on show were made without it
    """

    xray_id: str
    topic: str
    author: str
    phrase: str
    note: str
    at: str
    left_out: bool = False


# --- advice ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Substitution:
    """Say ``target`` instead of ``source`` in ``share`` of the cases.

    n: how often the author said ``source``;  stability: share of the bootstrap fits that recommend the
    same direction (up, down or keep)
    """

    source: str
    target: str
    share: float
    n: float
    stability: float


@dataclass(frozen=True, slots=True)
class Withheld:
    """No advice on this phrase, and why."""

    phrase: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """One half of the data before and after the advice is followed."""

    n: float
    ece_before: float
    ece_after: float
    brier_before: float
    brier_after: float


@dataclass(frozen=True, slots=True)
class Recommendation:
    """One piece of advice, ready to be read.

    text is one plain sentence group; source_rate is the phrase's rate as in the diagram.
    """

    source: str
    target: str
    share: float
    stability: float
    source_rate: PhraseRate
    text: str


@dataclass(frozen=True, eq=False)
class Advice:
    """Which phrase to use instead, for one author and topic; an empty plan with ``reason`` is an answer.

    cost: (K, L) C[k, l], the change of ECE per use when phrase k is said as l; NaN rows for unused phrases
    plan: every (source, target) of positive share, unchanged ones included
    """

    author: str
    topic: str
    n: float
    solver: str
    phrases: tuple[str, ...]
    plan: tuple[Substitution, ...]
    withheld: tuple[Withheld, ...]
    recommendations: tuple[Recommendation, ...] = ()
    matching: tuple[str, ...] = ()
    """Phrases whose confirmed rate agrees with their meaning."""
    summary: str = ""
    reason: str = ""
    train: Judgement | None = None
    test: Judgement | None = None
    order_violations: int = 0
    distinct_phrases: int = 0
    cost: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """ECE before and after advice on random halves of the statements that the advice was not fitted to.

    halves: how many, each of about half of the statements;  lower: the share of them on which the advice lowered it
    *_low, *_high: between these lie 9 in 10 of the halves
    """

    halves: int
    before: float
    before_low: float
    before_high: float
    after: float
    after_low: float
    after_high: float
    lower: float


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """What one value of a setting comes to on unseen halves.

    kept: share of the mutual information of word and outcome that is left, 0-1; None if there was none
    words: how many words are in use on average
    """

    value: float
    error: HeldOut
    kept: float | None
    words: float


@dataclass(frozen=True, slots=True)
class Frontier:
    """Calibration against information kept, along the values of a setting of the solver.

    setting: its name in Settings;  now: its present value, which is among the points
    bits: mutual information of word and outcome as the words are used now, bits a statement
    """

    setting: str
    now: float
    n: float
    bits: float
    points: tuple[FrontierPoint, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What another use of words would have come to on the same statements; intervals from bootstrap resamples.

    change: ECE after - before, of the same resamples;  lower: the share of resamples in which it is below 0
    kept: share of the mutual information of word and outcome that is left, 0-1; None if there was none
    disordered: pairs (weaker, stronger) of words of which the weaker would be put above the stronger
    opposites: (source, target) where a plain statement would become its opposite
    not_allowed: words that the department does not allow
    """

    n: float
    before: float
    before_low: float
    before_high: float
    after: float
    after_low: float
    after_high: float
    change: float
    change_low: float
    change_high: float
    lower: float
    brier_before: float
    brier_after: float
    kept: float | None
    disordered: tuple[tuple[str, str], ...]
    opposites: tuple[tuple[str, str], ...]
    not_allowed: tuple[str, ...]


# --- feedback --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Days:
    """Whose X-rays count: those from ``first`` to ``last``, both included; None for no limit."""

    first: date | None = None
    last: date | None = None

    @property
    def are_limited(self) -> bool:
        """Whether only some days count."""
        return self.first is not None or self.last is not None


ALL_DAYS = Days()


@dataclass(frozen=True, slots=True)
class Example:
    """A finding of the author with what the CT said of it; spans mark the certainty words."""

    topic: str
    phrase: str
    xray_sentence: str
    cue_start: int
    cue_end: int
    ct_sentence: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """Everything needed to make a result again."""

    engine: str
    engine_version: str
    settings_hash: str
    lexicon: str
    seed: int
    versions: Mapping[str, str]
    first_exam: datetime | None
    last_exam: datetime | None
    n_pairs: int
    created: datetime
    extraction_accuracy: str = ""
    """Accuracy on the gold set with its interval, in words; '' where it was not measured."""


@dataclass(frozen=True, slots=True)
class OthersRate:
    """How often a phrase for a topic was confirmed when any other reader of the department wrote it.

    rate: of all their statements together, with its Jeffreys interval;  readers: how many of them wrote it
    """

    topic: str
    rate: PhraseRate
    readers: int


@dataclass(frozen=True, slots=True)
class PageChoice:
    """What goes into one author's pages; the default is everything that the author's own data give.

    without: pathologies left out, so that one that is new comes in by itself
    diagrams: the diagrams and tables, pathology by pathology;  comparison: the department's other readers together
    note: words of the quality assurance staff for the top of the first page; a blank line parts paragraphs
    """

    without: tuple[str, ...] = ()
    recommendations: bool = True
    diagrams: bool = True
    examples: bool = True
    comparison: bool = False
    note: str = ""


Paper = Literal["a4", "us-letter"]
Standard = Literal["", "a-2a", "a-2b", "a-2u", "a-3a", "a-3b", "a-3u", "a-4", "ua-1"]
"""Standards that pages can be made to conform to: PDF/A for archives, PDF/UA for assistive technology; "" for none."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What pages are printed on and written in.

    paper: "a4" or "us-letter"
    standard: "" for PDF 1.7, or the standard to conform to
    language: "en" or "de", with a region if it matters ("en-GB"); recorded in the file
    """

    paper: Paper = "a4"
    standard: Standard = ""
    language: str = "en"


USUAL_SHEET = Sheet()


@dataclass(frozen=True, eq=False)
class FeedbackInput:
    """All that one author's pages are made of."""

    author: str
    pseudonym: str
    reliabilities: tuple[Reliability, ...]
    advices: tuple[Advice, ...]
    examples: tuple[Example, ...]
    phrases: tuple[Phrase, ...]
    provenance: Provenance
    counts: Mapping[str, int] = field(default_factory=dict)
    """Further counts to state, in words, e.g. 'not mentioned on X-ray, found on CT': 12."""
    others: tuple[OthersRate, ...] = ()
    """How the department's other readers together fared with the same words; () where that is not to be shown."""
    days: Days = ALL_DAYS
    """The days that were asked for: all of the above is made from the examinations of these alone."""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page of a document: its size in points (1/72 inch), and its words in their order."""

    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class PageImage:
    """A page as a picture: ``stride`` bytes a row, four bytes a pixel (blue, green, red, unused).

    number: of the page, from 0;  width, height: in pixels
    """

    number: int
    width: int
    height: int
    stride: int
    data: bytes


Json = dict[str, Any]


# --- the whole chain -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """What a run of an engine over the paired reports came to."""

    n_reports: int
    n_done: int
    n_failed: int
    n_findings: int
    unknown_phrases: tuple[tuple[str, int], ...]
    """Hedges in no list with how often they were found, most frequent first."""


@dataclass(frozen=True, slots=True)
class AuthorPairs:
    """The pairs behind one author's results.

    n_pairs: pairs whose both reports were read;  unread: pairs left out because one of them was not;
    first_exam, last_exam: of the X-rays of the n_pairs, None if there are none
    """

    author: str
    n_pairs: int
    unread: int
    first_exam: datetime | None
    last_exam: datetime | None


@dataclass(frozen=True, eq=False)
class Analysis:
    """Reliability and advice of every author on every topic, with what they were made from.

    counts: rows (author, topic, what, n) as in Matching
    """

    reliabilities: tuple[Reliability, ...]
    advices: tuple[Advice, ...]
    counts: tuple[tuple[str, str, str, int], ...]
    provenance: Provenance
    pairs: tuple[AuthorPairs, ...] = ()
