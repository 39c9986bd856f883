"""One reader's session on a gold set: current report and statement, and answers; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from radcal.records import ABSENT, OTHER, PRESENT
from radcal.records.gold import Action, Answers, Draw, GoldReport, Mark, Verdict
from radcal.workflow.gold_sets import answers_of, new_statement, with_pathology, with_phrase

if TYPE_CHECKING:
    from radcal.records import Finding, Phrase
    from ui.pages.review.work import Reading

_COMMANDS = frozenset("acjknpux")
"""Letters that do something else."""
_SPARE = "bdefghilmoqrstvwy12345678"


@dataclass(frozen=True, slots=True)
class Item:
    """A statement as listed.

    verdict: the reader's, None where there is none yet;  engine: what the engine says, None if it does not say it
    compared: shown beside the reader's own answers, after these were given blind
    """

    key: str
    finding: Finding
    verdict: Verdict | None
    engine: Finding | None
    compared: bool = False


class ReviewSession:
    """The state of a session; every change is an :class:`Action` that can be undone."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.gold, self.reader, self.reports = reading.gold, reading.reader, reading.reports
        self.place = {r.report_id: i for i, r in enumerate(self.reports)}
        self._actions: dict[str, list[tuple[Action, bool]]] = {}
        self._known: set[str] = set()
        self._answers: dict[str, Answers] = {}
        for action, undone in reading.actions:
            if action.report_id in self.place:
                self._actions.setdefault(action.report_id, []).append((action, undone))
                self._known.add(action.name)
        self._cues = {p.name: (p.name, *p.synonyms) for p in reading.phrases}
        self.means = {p.name: p.alpha / (p.alpha + p.beta) for p in reading.phrases} | {OTHER: 0.5}
        self.current = self.next_open(0)

    # --- what there is -----------------------------------------------------------------------------

    @property
    def report(self) -> GoldReport:
        """The current report."""
        return self.reports[self.current]

    @property
    def readable(self) -> int:
        """How many reports can be read: not those whose text has changed since."""
        return sum(not r.changed for r in self.reports)

    @property
    def finished(self) -> int:
        """How many reports this reader has finished."""
        return sum(self.answers(r.report_id).done for r in self.reports if not r.changed)

    def answers(self, report_id: str) -> Answers:
        """This reader's answers on a report."""
        if report_id not in self._answers:
            self._answers[report_id] = answers_of(self._actions.get(report_id, ()))
        return self._answers[report_id]

    def next_open(self, start: int) -> int:
        """The next unfinished report from ``start``; ``start`` if there is none."""
        n = len(self.reports)
        for i in chain(range(start, n), range(min(start, n))):
            if not self.reports[i].changed and not self.answers(self.reports[i].report_id).done:
                return i
        return min(start, n - 1)

    def hides_engine(self, report: GoldReport) -> bool:
        """Whether the engine's findings are hidden: in a blind set until the report is finished."""
        return self.gold.blind and not self.answers(report.report_id).done

    def items(self, report: GoldReport) -> tuple[Item, ...]:
        """The statements of a report in text order."""
        answers = self.answers(report.report_id)
        found = {} if report.findings is None else {f"engine {i}": f for i, f in enumerate(report.findings)}
        items = []
        if self.gold.blind:
            said = {(f.pathology, f.phrase): f for f in found.values()}
            own = {(m.finding.pathology, m.finding.phrase) for m in answers.marks.values() if m.verdict.holds}
            shown = {} if self.hides_engine(report) else said
            for key, mark in answers.marks.items():
                engine = shown.get((mark.finding.pathology, mark.finding.phrase))
                items.append(Item(key, mark.finding, mark.verdict, engine))
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

    def judged(self, item: Item, verdict: Verdict, name: str) -> Action:
        """A verdict on a statement as it is."""
        return Action(name, self.report.report_id, (Mark(item.key, verdict, item.finding),))

    def accepted(self, item: Item, name: str) -> Action:
        """The statement is right: the engine's version, or the reader's if changed."""
        verdict = Verdict.ADDED if item.engine is None else Verdict.ACCEPTED
        if item.engine is not None and item.engine != item.finding:
            verdict = Verdict.CORRECTED
        return self.judged(item, verdict, name)

    def reworded(self, item: Item, phrase: str, name: str) -> Action:
        """The statement with another phrase; the engine's own phrase restores its statement."""
        finding = with_phrase(item.finding, phrase, self._cues.get(phrase, ()))
        if item.engine is not None and (item.engine.phrase, item.engine.pathology) == (phrase, finding.pathology):
            finding = item.engine
        return self.accepted(replace(item, finding=finding), name)

    def renamed(self, item: Item, pathology: str, name: str) -> Action:
        """The statement with another pathology."""
        finding = with_pathology(item.finding, pathology, self.reading.synonyms.get(pathology, ()))
        if item.engine is not None and (item.engine.pathology, item.engine.phrase) == (pathology, finding.phrase):
            finding = item.engine
        return self.accepted(replace(item, finding=finding), name)

    def added(self, sentence: int, pathology: str, phrase: str, name: str) -> Action:
        """A statement the reader found in a sentence."""
        terms = self.reading.synonyms.get(pathology, ())
        finding = new_statement(self.report, sentence, pathology, phrase, self._cues.get(phrase, ()), terms)
        return Action(name, self.report.report_id, (Mark(f"reader {name}", Verdict.ADDED, finding),))

    def completed(self, name: str) -> Action:
        """The report is done; statements without verdict are accepted."""
        marks = tuple(Mark(i.key, Verdict.ACCEPTED, i.finding) for i in self.open_items(self.report))
        return Action(name, self.report.report_id, marks, done=True)

    def reopened(self, name: str) -> Action:
        """The report is reopened."""
        return Action(name, self.report.report_id, done=False)

    def apply(self, action: Action) -> bool:
        """Do or redo it; returns whether it is new."""
        done = self._actions.setdefault(action.report_id, [])
        self._answers.pop(action.report_id, None)
        if action.name in self._known:
            self._set_undone(done, action, undone=False)
            return False
        self._known.add(action.name)
        done.append((action, False))
        return True

    def kept(self) -> tuple[Action, ...]:
        """Stored answers that the reader can still undo, in order; not those of an imported set."""
        imported = self.gold.drawn is Draw.IMPORTED
        readable = {r.report_id for r in self.reports if not r.changed}
        return tuple(
            action
            for action, undone in self.reading.actions
            if not undone and action.report_id in readable and not (imported and _is_of_a_file(action))
        )

    def take_back(self, action: Action) -> None:
        """Undo it."""
        self._answers.pop(action.report_id, None)
        self._set_undone(self._actions[action.report_id], action, undone=True)

    @staticmethod
    def _set_undone(done: list[tuple[Action, bool]], action: Action, *, undone: bool) -> None:
        done[:] = [(a, undone if a.name == action.name else was) for a, was in done]


def _is_of_a_file(action: Action) -> bool:
    """Whether the answer is from an import: it finishes a report at once, with numbered statements."""
    return bool(action.done) and all(mark.key == f"reader {i}" for i, mark in enumerate(action.marks))


def phrase_keys(phrases: Sequence[Phrase]) -> dict[str, str]:
    """A key per phrase: 0 for absent, 9 for present, Z for a hedge in no list, a letter of theirs for others.

    Short names choose first.
    Phrases beyond the keys that there are have none; they are chosen from the list.
    """
    keys = {ABSENT: "0", PRESENT: "9", OTHER: "z"}
    taken = {*_COMMANDS, *keys.values()}
    names = sorted((p.name for p in phrases if p.name not in keys), key=lambda name: (len(name), name))
    for name in names:
        initials = [word[0].lower() for word in name.split()]
        letters = [c for c in (*initials, *name.lower()) if c.isascii() and c.isalpha()]
        key = next((c for c in (*letters, *_SPARE) if c not in taken), "")
        if key:
            keys[name] = key
            taken.add(key)
    return keys
