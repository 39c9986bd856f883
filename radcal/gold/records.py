"""Gold sets as records, and what follows from them alone: a reader's answers, and the gold that readers agree on.

What a reader does is an :class:`Action`.  Answers are a function of the actions that are not undone, so that
undoing one is nothing more than leaving it out.
"""

from __future__ import annotations

import re
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import nan

from radcal.records import ABSENT, OTHER, PRESENT, Finding, Modality, Sentence

DEFAULT_SIZE = 150
ENOUGH = 30
"""Reports that must have been read before the accuracy measured on them takes the place of the published one."""


class Draw(StrEnum):
    """How the reports of a gold set were chosen."""

    RANDOM = "random"
    WORST_FIRST = "worst first"
    """The reports on which the engines disagree most or are least sure: to find faults, not to measure accuracy."""
    IMPORTED = "imported"


class Verdict(StrEnum):
    """What a reader says of a statement."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    ADDED = "added"
    UNSURE = "unsure"
    """The reader cannot tell: this pathology of this report is left out of every figure."""
    REMOVED = "removed"

    @property
    def holds(self) -> bool:
        """Whether the report states it, as the reader sees it."""
        return self in (Verdict.ACCEPTED, Verdict.CORRECTED, Verdict.ADDED)


def new_name() -> str:
    """A name that no other action or decision has."""
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
    """Something that a reader did to a report, in one step.

    name: unique;  done: the report was finished (True) or taken up again (False); None if neither
    """

    name: str
    report_id: str
    marks: tuple[Mark, ...] = ()
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to hold of a pathology in a report on which readers differ.

    statements: what the report states, () for nothing;  left_out: that cannot be told
    """

    name: str
    report_id: str
    pathology: str
    statements: tuple[Finding, ...] = ()
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """What one reader says of one report.

    marks: by key, in the order in which the statements were first marked
    late: something was changed after the report had been finished, so with the engine's findings in view
    """

    done: bool = False
    marks: Mapping[str, Mark] = field(default_factory=dict)
    late: bool = False

    @property
    def statements(self) -> tuple[Finding, ...]:
        """What the report states."""
        return tuple(mark.finding for mark in self.marks.values() if mark.verdict.holds)

    @property
    def unsure(self) -> frozenset[str]:
        """Pathologies of which the reader cannot tell."""
        return frozenset(m.finding.pathology for m in self.marks.values() if m.verdict is Verdict.UNSURE)


def answers_of(actions: Iterable[tuple[Action, bool]]) -> Answers:
    """The answers that a reader's actions on one report come to, in their order; each with whether it is undone."""
    done = late = finished_once = False
    marks: dict[str, Mark] = {}
    for action, undone in actions:
        if not undone:
            late = late or (finished_once and bool(action.marks))
            marks.update((mark.key, mark) for mark in action.marks)
            done = done if action.done is None else action.done
        finished_once = finished_once or bool(action.done)
    return Answers(done, marks, late)


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
    """A gold set; ``seed`` and ``drawn`` say how to draw it again.

    engine, version: of the run whose findings the readers judge
    """

    number: int
    made: str
    drawn: Draw
    seed: int
    blind: bool
    engine: str
    version: str
    report_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedGold:
    """What an import of a gold set came to; ``missing`` are reports of the file that the workspace does not have."""

    gold_set: GoldSet
    reports: int
    statements: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pathology of a report on which two readers who have both finished it differ.

    first, second: what each says the report states, () for nothing;  decision: None while it waits for one
    unsure: whether the first, the second cannot tell
    """

    report_id: str
    pathology: str
    first: tuple[Finding, ...]
    second: tuple[Finding, ...]
    unsure: tuple[bool, bool]
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Gold:
    """What holds of the reports that were read.

    reports: finished by at least one reader;  statements: what they state
    left_out: (report, pathology) of which nothing can be said: readers are unsure, or differ and wait for a decision
    waiting: how many of these wait for a decision;  unsure: how many are left out because nobody can tell
    late: reports that were changed by a reader of a blind set with the engine's findings in view
    """

    reports: tuple[str, ...]
    statements: tuple[Finding, ...]
    left_out: frozenset[tuple[str, str]]
    waiting: int
    unsure: int
    late: int


def gold_of(
    report_ids: Sequence[str],
    answers: Mapping[str, Mapping[str, Answers]],
    decisions: Mapping[tuple[str, str], Decision],
) -> Gold:
    """The gold that the readers agree on or that was decided.

    Args:
        report_ids: of the gold set.
        answers: by report, then by reader.
        decisions: by report and pathology.
    """
    reports: list[str] = []
    statements: list[Finding] = []
    left_out: set[tuple[str, str]] = set()
    waiting = unsure = late = 0
    for report_id in report_ids:
        finished = [a for a in answers.get(report_id, {}).values() if a.done]
        if not finished:
            continue
        reports.append(report_id)
        late += any(a.late for a in finished)
        said = [by_pathology(a) for a in finished]
        unclear = frozenset[str]().union(*(a.unsure for a in finished))
        for pathology in sorted(unclear.union(*said)):
            decision = decisions.get((report_id, pathology))
            if decision is not None:
                statements += decision.statements
                if decision.left_out:
                    left_out.add((report_id, pathology))
                    unsure += 1
            elif _differ(finished, said, pathology):
                left_out.add((report_id, pathology))
                waiting += 1
            elif pathology in unclear:
                left_out.add((report_id, pathology))
                unsure += 1
            else:
                statements += said[0].get(pathology, ())
    return Gold(tuple(reports), tuple(statements), frozenset(left_out), waiting, unsure, late)


def disputes_of(
    report_ids: Sequence[str],
    answers: Mapping[str, Mapping[str, Answers]],
    decisions: Mapping[tuple[str, str], Decision],
    first: str,
    second: str,
) -> tuple[Dispute, ...]:
    """Where two readers differ, in the order of the reports; arguments as of :func:`gold_of`."""
    return tuple(
        dispute
        for report_id in report_ids
        for dispute in _disputes(
            report_id, [answers.get(report_id, {}).get(r, Answers()) for r in (first, second)], decisions
        )
    )


def _disputes(
    report_id: str, both: Sequence[Answers], decisions: Mapping[tuple[str, str], Decision]
) -> Iterator[Dispute]:
    if not all(a.done for a in both):
        return
    said = [by_pathology(a) for a in both]
    for pathology in sorted(set().union(*said, *(a.unsure for a in both))):
        if _differ(both, said, pathology):
            first, second = (by.get(pathology, ()) for by in said)
            unsure = pathology in both[0].unsure, pathology in both[1].unsure
            yield Dispute(report_id, pathology, first, second, unsure, decisions.get((report_id, pathology)))


def by_pathology(answers: Answers) -> dict[str, tuple[Finding, ...]]:
    """A reader's statements by pathology."""
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in answers.statements:
        found[finding.pathology].append(finding)
    return {pathology: tuple(findings) for pathology, findings in found.items()}


def _differ(answers: Sequence[Answers], said: Sequence[Mapping[str, tuple[Finding, ...]]], pathology: str) -> bool:
    views = {
        (pathology in a.unsure, frozenset(f.phrase for f in by.get(pathology, ())))
        for a, by in zip(answers, said, strict=True)
    }
    return len(views) > 1


# --- statements of readers ----------------------------------------------------------------------------


def new_statement(
    report: GoldReport, sentence: int, pathology: str, phrase: str, cues: Sequence[str] = (), terms: Sequence[str] = ()
) -> Finding:
    """A statement that a reader found in a sentence; its words are marked where they can be found.

    Args:
        sentence: its place in ``report.sentences``, from 0.
        cues: words that the phrase is written in.
        terms: words that stand for the pathology, in lower case.
    """
    said = report.sentences[sentence]
    made = Finding(
        report.report_id, pathology, phrase, "", said.text, said.section, said.start, said.end, said.start, said.end
    )
    return with_phrase(with_pathology(made, pathology, terms), phrase, cues)


def with_pathology(finding: Finding, pathology: str, terms: Sequence[str] = ()) -> Finding:
    """The statement made of another pathology; its term is marked anew where the sentence names it.

    ``terms`` are words that stand for it, in lower case; of those in the sentence the longest is marked.
    """
    said = finding.sentence.lower()
    there = sorted((t for t in terms if all(word in said for word in t.split())), key=len, reverse=True)
    span = _find(finding.sentence, (pathology, *there, *pathology.split()[-1:]))
    if span is None:
        return replace(finding, pathology=pathology)
    return replace(finding, pathology=pathology, term_start=finding.start + span[0], term_end=finding.start + span[1])


def with_phrase(finding: Finding, phrase: str, cues: Sequence[str] = ()) -> Finding:
    """The statement worded with another phrase; its cue is marked anew where the sentence has one of ``cues``.

    A plain statement needs no cue; a hedge whose words are not found keeps those of before.
    """
    if phrase == PRESENT:
        return replace(finding, phrase=phrase, verbatim="", cue_start=-1, cue_end=-1)
    words = [*cues] if phrase == OTHER else [phrase, *cues]
    span = _find(finding.sentence, sorted(words, key=len, reverse=True))
    if span is None and phrase == ABSENT:
        return replace(finding, phrase=phrase, verbatim="", cue_start=-1, cue_end=-1)
    if span is None:
        return replace(finding, phrase=phrase)
    start, end = finding.start + span[0], finding.start + span[1]
    verbatim = finding.sentence[span[0] : span[1]]
    return replace(finding, phrase=phrase, verbatim=verbatim, cue_start=start, cue_end=end)


def sentence_of(report: GoldReport, number: int, cue: str) -> int:
    """Where a row of a gold file belongs, from 0: files made elsewhere may count other sentences.

    The sentence of that number (from 1) if it has the cue, else the nearest that has it, else that of the number
    or the last.
    """
    asked = min(max(number - 1, 0), len(report.sentences) - 1)
    if not cue or _find(report.sentences[asked].text, (cue,)):
        return asked
    having = [i for i, s in enumerate(report.sentences) if _find(s.text, (cue,))]
    return min(having, key=lambda i: abs(i - asked), default=asked)


def _find(text: str, words: Iterable[str]) -> tuple[int, int] | None:
    """Where the first of the words that the text has stands in it."""
    for word in words:
        spaced = r"\s+".join(re.escape(part) for part in word.split())
        if spaced and (match := re.search(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE)):
            return match.span()
    return None


# --- figures -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """Agreement of an engine with the gold: of everything at one grain, of one pathology, or of one phrase.

    gold, found, hits: statements of the gold, of the engine, and of both
    precision: hits / found, recall: hits / gold, with Wilson intervals
    f1: their harmonic mean, with a bootstrap interval over reports or, where all resamples are alike, that of the
    limits of precision and recall
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


@dataclass(frozen=True, slots=True)
class EngineRun:
    """An engine's run that has read ``reports`` of a gold set's reports; ``model`` is '' for engines without one."""

    run_id: int
    engine: str
    version: str
    model: str
    reports: int


@dataclass(frozen=True, slots=True)
class Differing:
    """A statement on which gold and engine differ; '' on the side that says nothing (more)."""

    report_id: str
    pathology: str
    gold: str
    engine: str


@dataclass(frozen=True, slots=True)
class Measured:
    """How well an engine reads the reports of the gold set.

    run_id, engine, version, model: what reads
    reports: read by people and by the engine;  size: of the gold set
    unread: reports that people have read and the engine has not
    grains: 'mention', 'assertion' (present, absent or hedged) and 'graded phrase';  pathologies: at the grain
    'assertion';  phrases: statements worded with it
    representative: the reports were drawn at random, or brought along, and not chosen for their difficulty
    """

    run_id: int
    engine: str
    version: str
    model: str
    drawn: Draw
    size: int
    reports: int
    unread: int
    statements: int
    unsure: int
    waiting: int
    late: int
    grains: tuple[Score, ...]
    pathologies: tuple[Score, ...]
    phrases: tuple[Score, ...]
    differing: tuple[Differing, ...] = ()
    """Where gold and engine differ; () without detail."""

    @property
    def representative(self) -> bool:
        """Whether the figures speak for the department's reports."""
        return self.drawn is not Draw.WORST_FIRST

    @property
    def overall(self) -> Score:
        """Present, absent or hedged: the figure that stands for the engine."""
        return next(g for g in self.grains if g.name == "assertion")


@dataclass(frozen=True, slots=True)
class Agreed:
    """A coefficient of agreement on ``n`` units.

    what: 'assertion' (not mentioned, absent, hedged, present), 'assertion where both mention it', or 'phrase'
    value: Cohen's kappa with its interval, NaN where chance explains everything
    observed, expected: shares of agreement in 0-1
    """

    what: str
    n: int
    observed: float
    expected: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well two readers agree.

    reports: that both have finished;  categories, table: how often the first reader's category met the second's
    pathologies: kappa of 'assertion' for each pathology that either mentions
    """

    first: str
    second: str
    reports: int
    coefficients: tuple[Agreed, ...]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    pathologies: tuple[Agreed, ...]
