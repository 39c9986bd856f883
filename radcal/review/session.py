"""One reader's session on a gold set: the current report, the reader's answers, and the pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

from radcal.reports.records import Section
from radcal.review.answers import answers_of
from radcal.review.records import Action, Answers, Draw, GoldReport, Mark, Reading, Verdict, new_name
from radcal.review.statements import new_statement, with_pathology, with_phrase
from radcal.words.phrases import mean_of
from radcal.words.records import OTHER

if TYPE_CHECKING:
    from radcal.findings.records import Finding
    from radcal.reports.records import Sentence

_PACE, _LATEST = 3, 10
"""From how many reports on the pace is told, and from how many of the latest it is taken."""


@dataclass(frozen=True, slots=True)
class Item:
    """A statement as listed.

    verdict: the reader's, None if not given yet;  engine: the engine's statement, None if the engine has none
    compared: a statement of the engine alone, shown once the reader's own were given blind
    missed: a statement of the reader, given blind, of which the engine has nothing or ``engine`` instead
    """

    key: str
    finding: Finding
    verdict: Verdict | None
    engine: Finding | None
    compared: bool = False
    missed: bool = False

    @property
    def struck(self) -> bool:
        """Whether the reader removed it."""
        return self.verdict is Verdict.REMOVED

    @property
    def strong(self) -> bool:
        """Whether it is one of the reader's own."""
        return not self.compared


class ReviewSession:
    """The state of a session; every change is an :class:`Action` that can be undone.

    blind: the engine's findings are hidden until a report is done
    apart: in a review file, which read blind has no findings of an engine at all
    """

    def __init__(self, reading: Reading, *, blind: bool = True) -> None:
        self.reading, self.blind, self.apart = reading, blind, reading.apart
        self.gold, self.reader, self.reports = reading.gold, reading.reader, reading.reports
        self.place = {r.report_id: i for i, r in enumerate(self.reports)}
        self._actions: dict[str, dict[str, tuple[Action, bool]]] = {}
        """The actions on each report by name, in order, and whether each is undone."""
        self._answers: dict[str, Answers] = {}
        for action, undone in reading.actions:
            if action.report_id in self.place:
                self._set(action, undone=undone)
        self._cues = {p.name: (p.name, *p.synonyms) for p in reading.phrases}
        self.means = {p.name: mean_of(p) for p in reading.phrases} | {OTHER: 0.5}
        self._took: list[float] = []
        """Seconds for each report finished in this session."""
        self._since = monotonic()
        self.current = self.next_open(0)

    # --- what there is -----------------------------------------------------------------------------

    @property
    def report(self) -> GoldReport:
        """The current report."""
        return self.reports[self.current]

    @property
    def readable(self) -> int:
        """Number of reports to read: without those whose text has changed since the draw."""
        return sum(not r.changed for r in self.reports)

    @property
    def finished(self) -> int:
        """Number of reports that this reader has finished."""
        return sum(self.answers(r.report_id).done for r in self.reports if not r.changed)

    @property
    def seconds_left(self) -> float | None:
        """How long the other reports will take at the reader's pace; None while that is unknown, and at the end."""
        left = self.readable - self.finished
        return left * median(self._took[-_LATEST:]) if left and len(self._took) >= _PACE else None

    def answers(self, report_id: str) -> Answers:
        """This reader's answers on a report."""
        if report_id not in self._answers:
            self._answers[report_id] = answers_of(self._actions.get(report_id, {}).values())
        return self._answers[report_id]

    def next_open(self, start: int) -> int:
        """The next unfinished report from ``start``; ``start`` if there is none."""
        n = len(self.reports)
        for i in chain(range(start, n), range(min(start, n))):
            if not self.reports[i].changed and not self.answers(self.reports[i].report_id).done:
                return i
        return min(start, n - 1)

    def hides_engine(self, report: GoldReport) -> bool:
        """True while the engine's findings are hidden: read blind, until the report is finished."""
        return self.blind and not self.answers(report.report_id).done

    def items(self, report: GoldReport) -> tuple[Item, ...]:
        """The statements of a report in text order."""
        answers = self.answers(report.report_id)
        found = {} if report.findings is None else {f"engine {i}": f for i, f in enumerate(report.findings)}
        items = []
        if self.blind:
            said = {(f.pathology, f.phrase): f for f in found.values()}
            own = {(m.finding.pathology, m.finding.phrase) for m in answers.marks.values() if m.verdict.holds}
            compares = not self.hides_engine(report) and not self.apart and report.findings is not None
            for key, mark in answers.marks.items():
                engine = said.get((mark.finding.pathology, mark.finding.phrase)) if compares else None
                missed = compares and engine is None and mark.verdict.holds
                if missed:
                    engine = next((f for f in found.values() if f.pathology == mark.finding.pathology), None)
                items.append(Item(key, mark.finding, mark.verdict, engine, missed=missed))
            if not self.hides_engine(report):
                items += [
                    Item(key, f, None, f, compared=True)
                    for key, f in found.items()
                    if (f.pathology, f.phrase) not in own
                ]
        else:
            for key, f in found.items():
                made = answers.marks.get(key)
                items.append(Item(key, made.finding if made else f, made.verdict if made else None, f))
            items += [Item(k, m.finding, m.verdict, None) for k, m in answers.marks.items() if k not in found]
        return tuple(sorted(items, key=lambda i: (i.finding.start, i.finding.term_start, i.key)))

    def open_items(self, report: GoldReport) -> tuple[Item, ...]:
        """The statements without verdict."""
        return tuple(i for i in self.items(report) if i.verdict is None and not i.compared)

    # --- what a reader does ------------------------------------------------------------------------

    def _action(self, *marks: Mark, name: str = "", done: bool | None = None) -> Action:
        report = self.report.report_id
        finished = any(action.done for action, _ in self._actions.get(report, {}).values())
        seen = not self.blind or (finished and not self.apart)
        return Action(name or new_name(), report, marks, done, blind=not seen)

    def judged(self, item: Item, verdict: Verdict) -> Action:
        """A verdict on a statement as it is."""
        return self._action(Mark(item.key, verdict, item.finding))

    def accepted(self, item: Item) -> Action:
        """The statement is right: the engine's version, or the reader's if changed."""
        if item.engine is None:
            return self.judged(item, Verdict.ADDED)
        return self.judged(item, Verdict.ACCEPTED if item.engine == item.finding else Verdict.CORRECTED)

    def reworded(self, item: Item, phrase: str) -> Action:
        """The statement with another phrase."""
        return self._changed(item, with_phrase(item.finding, phrase, self._cues.get(phrase, ())))

    def renamed(self, item: Item, pathology: str) -> Action:
        """The statement with another pathology."""
        terms = self.reading.synonyms.get(pathology, ())
        return self._changed(item, with_pathology(item.finding, pathology, terms))

    def _changed(self, item: Item, finding: Finding) -> Action:
        """The statement changed to ``finding``; the engine's own if it names the same pathology and phrase."""
        e = item.engine
        if e is not None and (e.pathology, e.phrase) == (finding.pathology, finding.phrase):
            finding = e
        return self.accepted(replace(item, finding=finding))

    def added(self, sentence: int, pathology: str, phrase: str) -> Action:
        """A statement that the reader found in a sentence."""
        name, terms = new_name(), self.reading.synonyms.get(pathology, ())
        finding = new_statement(self.report, sentence, pathology, phrase, self._cues.get(phrase, ()), terms)
        return self._action(Mark(f"reader {name}", Verdict.ADDED, finding), name=name)

    def completed(self) -> Action:
        """The report is done."""
        return self._action(done=True)

    def reopened(self) -> Action:
        """The report is reopened."""
        return self._action(done=False)

    def apply(self, action: Action) -> bool:
        """Do or redo it; returns whether it is new."""
        new = action.name not in self._actions.get(action.report_id, {})
        if new and action.done:
            now = monotonic()
            self._took.append(now - self._since)
            self._since = now
        self._set(action, undone=False)
        return new

    def take_back(self, action: Action) -> None:
        """Undo it."""
        self._set(action, undone=True)

    def holds(self, action: Action) -> bool:
        """True if it was done and is not undone."""
        return self._actions.get(action.report_id, {}).get(action.name) == (action, False)

    def _set(self, action: Action, *, undone: bool) -> None:
        self._actions.setdefault(action.report_id, {})[action.name] = (action, undone)
        self._answers.pop(action.report_id, None)

    def kept(self) -> tuple[Action, ...]:
        """Stored answers that the reader can still undo, in order; not those imported with the set."""
        imported = self.gold.drawn is Draw.IMPORTED
        readable = {r.report_id for r in self.reports if not r.changed}
        return tuple(
            action
            for action, undone in self.reading.actions
            if not undone and action.report_id in readable and not (imported and _is_of_a_file(action))
        )


def _is_of_a_file(action: Action) -> bool:
    """True for an imported answer: it finishes a report at once, with numbered statements."""
    return bool(action.done) and all(mark.key == f"reader {i}" for i, mark in enumerate(action.marks))


def first_of_findings(sentences: Sequence[Sentence]) -> int:
    """The first sentence of the findings, else of the impression, else of the report."""
    for section in (Section.FINDINGS, Section.IMPRESSION):
        for i, sentence in enumerate(sentences):
            if sentence.section is section:
                return i
    return 0
