"""Annotated report sets: readers' actions and answers, and the results derived from them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import nan
from typing import NamedTuple, Protocol

from radcal.findings.records import Finding
from radcal.reports.records import Modality, Sentence
from radcal.words.records import ABSENT, PRESENT, Phrase

DEFAULT_SIZE = 150
ENOUGH = 30
"""Reports that must have been read before the accuracy measured on them takes the place of the published one."""
GRAINS = ("mention", "assertion", "graded phrase", "hedged mention", "hedged graded")
"""How finely statements are compared; :mod:`radcal.review.evaluation` says what each takes for the same."""


class Draw(StrEnum):
    """How the reports of a gold set were selected."""

    RANDOM = "random"
    WORST_FIRST = "worst first"
    """The reports on which the engines disagree most or are least sure: to find faults, not to measure accuracy."""
    IMPORTED = "imported"


class Verdict(StrEnum):
    """A reader's verdict on a statement."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    ADDED = "added"
    UNSURE = "unsure"
    """The reader is unsure: this pathology of this report is left out of every figure."""
    REMOVED = "removed"

    @property
    def holds(self) -> bool:
        """Whether the report states it, according to the reader."""
        return self in (Verdict.ACCEPTED, Verdict.CORRECTED, Verdict.ADDED)


def new_name() -> str:
    """A unique name for an action or decision."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Mark:
    """A verdict on one statement.

    key: names the statement within its report: 'engine 3' for the engine's finding at place 3
    finding: the statement as the reader has it
    """

    key: str
    verdict: Verdict
    finding: Finding


@dataclass(frozen=True, slots=True)
class Action:
    """A reader's action on a report, in one step.

    name: unique;  done: the report was finished (True) or taken up again (False); None if neither
    blind: done while the engine's findings were hidden
    apart: the review file that it was done in, by its number; '' for the workspace
    taken_in: when it came from there, UTC in ISO 8601
    """

    name: str
    report_id: str
    marks: tuple[Mark, ...] = ()
    done: bool | None = None
    blind: bool = False
    apart: str = ""
    taken_in: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The adjudicated answer on a pathology in a report on which readers differ.

    statements: what the report states, () for nothing;  left_out: that cannot be decided
    """

    name: str
    report_id: str
    pathology: str
    statements: tuple[Finding, ...] = ()
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """One reader's answers on one report.

    marks: by key, in the order in which the statements were first marked
    in_sight: something was answered with the engine's findings in sight, or changed after they had been seen, or
        it is not known
    """

    done: bool = False
    marks: Mapping[str, Mark] = field(default_factory=dict)
    in_sight: bool = False

    @property
    def statements(self) -> tuple[Finding, ...]:
        """What the report states."""
        return tuple(mark.finding for mark in self.marks.values() if mark.verdict.holds)

    @property
    def unsure(self) -> frozenset[str]:
        """Pathologies the reader is unsure about."""
        return frozenset(m.finding.pathology for m in self.marks.values() if m.verdict is Verdict.UNSURE)

    @property
    def accepted(self) -> int:
        """Answers that repeat the engine's, given with its findings in sight."""
        return sum(m.verdict is Verdict.ACCEPTED for m in self.marks.values()) if self.in_sight else 0


@dataclass(frozen=True, slots=True)
class GoldReport:
    """A report of a gold set as its readers see it.

    findings: the engine's, None where it has not read the report
    changed: the report came with another text since it was drawn, so that it can no longer be read for this set
    """

    report_id: str
    modality: Modality
    text: str
    sentences: tuple[Sentence, ...]
    findings: tuple[Finding, ...] | None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A gold set; ``seed`` and ``drawn`` make the draw reproducible.

    engine, version: of the run whose findings the readers judge
    """

    number: int
    made: str
    drawn: Draw
    seed: int
    engine: str
    version: str
    report_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A gold set for one reader: its reports and the reader's answers so far.

    actions: each with whether it is undone;  synonyms: other words for each pathology
    apart: whether it is the gold set of a review file, which has nothing to compare with afterwards
    """

    gold: GoldSet
    reader: str
    reports: tuple[GoldReport, ...]
    actions: tuple[tuple[Action, bool], ...]
    pathologies: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    apart: bool = False


@dataclass(frozen=True, slots=True)
class ImportedGold:
    """A gold set made from a file; ``missing`` are reports of the file that the workspace does not have."""

    gold_set: GoldSet
    reports: int
    statements: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pathology on which two readers differ in a report that both have finished.

    first, second: what each says the report states, () for nothing;  decision: None while it waits for one
    unsure: whether the first, the second is unsure
    """

    report_id: str
    pathology: str
    first: tuple[Finding, ...]
    second: tuple[Finding, ...]
    unsure: tuple[bool, bool]
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Gold:
    """The statements agreed on, or decided where readers differ.

    reports: finished by at least one reader;  statements: what they state
    left_out: (report, pathology) of which nothing can be said: readers are unsure, or differ and wait for a decision
    waiting: how many of these wait for a decision;  unsure: how many are left out because readers are unsure
    in_sight: the reports that a reader answered with the engine's findings in sight
    answers: of all readers, of which ``accepted`` repeat the engine's, given with its findings in sight
    """

    reports: tuple[str, ...]
    statements: tuple[Finding, ...]
    left_out: frozenset[tuple[str, str]]
    waiting: int
    unsure: int
    in_sight: frozenset[str] = frozenset()
    answers: int = 0
    accepted: int = 0


class Statement(Protocol):
    """A report's statement on a pathology: a Finding, a GoldRow, a FoundRow."""

    @property
    def report_id(self) -> str: ...
    @property
    def pathology(self) -> str: ...
    @property
    def phrase(self) -> str: ...


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One annotated statement; ``cue`` holds the words that carry the certainty, '' for none.

    Without a pathology it says no more than that the report was annotated, also where it states nothing.
    blind: the report was read with the engine's findings hidden, as far as is known
    line: that of its file, 0 for none;  neither counts in comparisons
    """

    report_id: str
    sentence_number: int = 0
    pathology: str = ""
    phrase: str = ""
    cue: str = ""
    blind: bool = field(default=False, compare=False)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One statement of an engine, as read from its file of findings."""

    report_id: str
    pathology: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Score:
    """Agreement of an engine with the gold: of everything at one grain, of one pathology, or of one phrase.

    gold, found, hits: statements of the gold, of the engine, and of both
    precision: hits / found, recall: hits / gold, with Wilson intervals
    f1: their harmonic mean, with a bootstrap interval over reports or, where all resamples are alike, that of the
    limits of precision and recall;  macro_f1: mean of f1 over the pathologies of the gold
    All in 0-1, NaN where there is nothing to divide by.
    """

    name: str
    gold: int
    found: int
    hits: int
    precision: float = nan
    precision_low: float = nan
    precision_high: float = nan
    recall: float = nan
    recall_low: float = nan
    recall_high: float = nan
    f1: float = nan
    f1_low: float = nan
    f1_high: float = nan
    macro_f1: float = nan


@dataclass(frozen=True, slots=True)
class PathologyScore:
    """Agreement on one pathology: counts and F1 of the assertion and the graded phrase (NaN without gold)."""

    pathology: str
    gold: int
    found: int
    assertion_f1: float
    graded_f1: float


@dataclass(frozen=True, slots=True)
class Confusion:
    """Where both mention a pathology: how often gold's phrase met the engine's; '' for none left to meet."""

    gold: str
    found: str
    n: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One statement on which gold and engine differ; '' on the side that says nothing (more)."""

    report_id: str
    pathology: str
    gold: str
    found: str


@dataclass(frozen=True, slots=True)
class GoldScore:
    """An engine's findings compared with annotated statements, at all GRAINS."""

    reports: int
    confidence: float
    seed: int
    grains: tuple[Score, ...]
    pathologies: tuple[PathologyScore, ...]
    confusion: tuple[Confusion, ...]
    disagreements: tuple[Disagreement, ...]

    def grain(self, name: str) -> Score:
        """The score at one of GRAINS.

        Raises:
            KeyError: no such grain.
        """
        return {score.name: score for score in self.grains}[name]


@dataclass(frozen=True, slots=True)
class EngineRun:
    """An engine's run that has read ``reports`` of a gold set's reports; ``model`` is '' for engines without one."""

    run_id: int
    engine: str
    version: str
    model: str
    reports: int


@dataclass(frozen=True, slots=True)
class EngineAccuracy(EngineRun):
    """An engine's accuracy on the gold set.

    reports: read by people and by the engine;  size: of the gold set
    unread: reports that people have read and the engine has not
    in_sight: reports that a reader answered with the engine's findings in sight
    answers, accepted: of the readers, as in Gold
    grains: 'mention', 'assertion' (present, absent or hedged) and 'graded phrase';  pathologies: at the grain
    'assertion';  phrases: statements worded with it
    representative: the reports were drawn at random, or imported, and not picked for their difficulty
    """

    drawn: Draw
    size: int
    unread: int
    statements: int
    unsure: int
    waiting: int
    in_sight: int
    answers: int
    accepted: int
    grains: tuple[Score, ...]
    pathologies: tuple[Score, ...]
    phrases: tuple[Score, ...]
    differing: tuple[Disagreement, ...] = ()
    """Where gold and engine differ; () without detail."""

    @property
    def representative(self) -> bool:
        """Whether the figures speak for the department's reports."""
        return self.drawn is not Draw.WORST_FIRST

    @property
    def quotable(self) -> bool:
        """Whether enough was read for the figures to be quoted on other pages."""
        return self.reports >= ENOUGH and self.representative and self.overall.f1 == self.overall.f1

    @property
    def overall(self) -> Score:
        """Present, absent or hedged: the engine's headline figure."""
        return next(g for g in self.grains if g.name == "assertion")


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two readers on n units.

    what: the units: 'assertion' (not mentioned, absent, hedged, present), 'assertion where both mention it', 'phrase',
    or a pathology
    observed: share of the units on which they agree (weighted, if weights were given);  expected: the share
    that chance alone would give with the same use of the categories, both in 0-1
    value: (observed - expected) / (1 - expected), in -1 to 1, NaN where chance explains everything
    se, low, high: asymptotic standard error, and the interval that follows from it, NaN with the value
    """

    n: int
    observed: float
    expected: float
    value: float
    se: float
    low: float
    high: float
    what: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two readers.

    reports: that both have finished;  categories, table: how often the first reader's category met the second's
    pathologies: kappa of 'assertion' for each pathology that either mentions
    """

    first: str
    second: str
    reports: int
    coefficients: tuple[Kappa, ...]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    pathologies: tuple[Kappa, ...]


NOT_MENTIONED, HEDGED = "not mentioned", "hedged"
STATED = (NOT_MENTIONED, ABSENT, HEDGED, PRESENT)
"""What a report may state of a pathology, in the order of rows and columns of a confusion."""
NEAR = 0.15
"""Phrases whose means are this close, in 0-1, mean nearly the same."""


@dataclass(frozen=True, slots=True)
class Misread:
    """What was written against what was read in the reports of one modality.

    reports: read by people and by the engine
    table: (4, 4) numbers of (report, pathology), as written (rows) and as read (columns), both in the order of STATED;
        the statement that enters the statistics stands for each
    hedged: of those hedged as written and as read, how many have the same phrase, one of nearly the same meaning,
        another one
    """

    reports: int
    table: tuple[tuple[int, ...], ...]
    hedged: tuple[int, int, int]


class Silence(NamedTuple):
    """How the statistics take a CT that is silent on a topic.

    counted: of the statements, how many (0-1) are on topics where it means absent
    share: of the outcome "absent", how much (0-1) is silence
    left_out: for each statement that entered, how many are left out because the CT is silent
    """

    counted: float = 0.0
    share: float = 0.0
    left_out: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadingErrors:
    """The confusion of an engine on a gold set, separately for X-ray and CT.

    silence: by topic, and of all under ALL_TOPICS
    """

    engine: str
    version: str
    xray: Misread
    ct: Misread
    silence: Mapping[str, Silence] = field(default_factory=dict)
