"""Gold sets as their readers see them: the reports to be read, and the answers, each of which can be undone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from radcal.findings.records import Finding
from radcal.findings.rules.synonyms import pathology_words
from radcal.findings.runs import described
from radcal.findings.to_review import to_findings
from radcal.reports.records import Document, Modality
from radcal.reports.sections import document
from radcal.review.answers import answers_of
from radcal.review.records import Action, Answers, Draw, GoldReport, GoldSet, Reading
from radcal.system.errors import DataError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.confirmations import pathology_names
from radcal.words.records import Phrase
from radcal.words.studies import laid_over
from radcal.workspace.context import BLIND, CURRENT, REVIEW_WORDS, REVIEWER, Context
from radcal.workspace.reviews import StoredAction, StoredGoldSet

READ = "read"
"""Kind of the stored actions that are answers."""


class Annotating:
    """The latest gold set of a file, and what its readers say of its reports."""

    apart = False
    """Whether it is that of a review file."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._workspace = context.workspace
        self._documents: dict[str, Document] = {}
        self._parsed: dict[str, Action] = {}

    def current(self) -> GoldSet | None:
        """The latest gold set, None if there is none."""
        stored = self._workspace.gold_sets()
        return self._gold_set(stored[-1]) if stored else None

    def _gold_set(self, stored: StoredGoldSet) -> GoldSet:
        engine, version = described(self._workspace, stored.run_id), self._workspace.run_of(stored.run_id)[1]
        ids = tuple(self._ids(stored))
        return GoldSet(stored.set_id, stored.made, Draw(stored.drawn), stored.seed, engine, version, ids)

    def _ids(self, stored: StoredGoldSet) -> list[str]:
        return [report_id for report_id, _ in self._workspace.gold_reports(stored.set_id)]

    def _current(self) -> StoredGoldSet:
        stored = self._workspace.gold_sets()
        if not stored:
            raise DataError("There is no gold set yet. Draw one on the page Review of the window.")
        return stored[-1]

    def reports(self, progress: Progress = SILENT) -> tuple[GoldReport, ...]:
        """The reports of the current gold set in order, with the findings to be judged by its readers.

        Raises:
            DataError: there is no gold set.
        """
        return self.reports_of(self._current().set_id, progress)

    def reports_of(self, number: int, progress: Progress = SILENT) -> tuple[GoldReport, ...]:
        """The reports of the gold set of this number, as :meth:`reports`."""
        stored = next(s for s in self._workspace.gold_sets() if s.set_id == number)
        same = dict(self._workspace.gold_reports(stored.set_id))
        read = self._workspace.read_by(stored.run_id, same)
        found: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in to_findings(self._workspace.findings(stored.run_id, same, as_read=True)):
            found[finding.report_id].append(finding)
        frame = self._workspace.reports(("report_id", "modality", "text"), same)
        rows = {i: (modality, text) for i, modality, text in frame.itertuples(index=False, name=None)}
        made = []
        progress.start(len(same), Text("Fetching the reports"))
        for report_id, unchanged in same.items():
            progress.raise_if_cancelled()
            modality, text = rows.get(report_id, (Modality.XRAY.value, ""))
            document = self._document(report_id, text, modality)
            findings = tuple(found[report_id]) if report_id in read else None
            made.append(
                GoldReport(report_id, Modality(modality), text, document.sentences, findings, changed=not unchanged)
            )
            progress.advance()
        return tuple(made)

    def _document(self, report_id: str, text: str, modality: str) -> Document:
        known = self._documents.get(report_id)
        if known is None or known.text != text:
            known = self._documents[report_id] = document(report_id, text, Modality(modality))
        return known

    def pathologies(self) -> tuple[str, ...]:
        """The pathologies of the closed list, by name."""
        return tuple(sorted(pathology_names(laid_over(self._context.settings))))

    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """The synonyms of each pathology known to the rules."""
        return pathology_words(laid_over(self._context.settings))

    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases of the lexicon, weakest first."""
        return self._context.lexicon.phrases

    def readers(self) -> tuple[str, ...]:
        """All readers and adjudicators, in order of registration."""
        return tuple(self._workspace.gold_readers())

    def begin(self, reader: str) -> str:
        """Register a reader; returns the name as stored, which is matched regardless of case.

        Raises:
            DataError: an empty name.
        """
        name = self.known_as(reader)
        self._workspace.add_gold_reader(name)
        return name

    def reading(self, reader: str, progress: Progress = SILENT, *, registers: bool = True) -> Reading | None:
        """The current gold set for a reader, who is registered where the file may be written; None without a set.

        Raises:
            DataError: an empty name.
        """
        if (current := self.current()) is None:
            return None
        name = self.begin(reader) if registers else self.known_as(reader)
        words = self.pathologies(), self.phrases(), self.synonyms()
        return Reading(current, name, self.reports(progress), self.actions(name), *words, apart=self.apart)

    def finished(self) -> dict[str, int]:
        """How many reports of the current gold set each reader has finished, without those who have finished none."""
        counts = {r: sum(answers.done for answers in self.answers(r).values()) for r in self.readers()}
        return {reader: n for reader, n in counts.items() if n}

    def known_as(self, reader: str) -> str:
        """A reader's name as stored; a new name is stripped of spaces."""
        name = reader.strip()
        return next((known for known in self.readers() if known.casefold() == name.casefold()), name)

    def mark(self, reader: str, *actions: Action) -> None:
        """Store a reader's actions on reports of the current gold set; atomic and idempotent.

        Raises:
            DataError: no gold set, an unknown reader, or a report outside the set.
        """
        self._add(READ, reader, [(a.name, a.report_id, a) for a in actions])

    def _add(self, kind: str, reader: str, named: Iterable[tuple[str, str, object]]) -> None:
        stored = [
            StoredAction(name, reader, report_id, kind, json.dumps(record_to_plain(record)))
            for name, report_id, record in named
        ]
        current = self._current()
        self._workspace.add_gold_actions(current.set_id, stored)
        what = "gold report read" if kind == READ else "gold report decided on"
        place = {report_id: number for number, report_id in enumerate(self._ids(current), 1)}
        for action in stored:
            self._context.note_once(what, set=current.set_id, report=place[action.report_id])

    def undo(self, *names: str) -> None:
        """Undo actions or decisions, which remain in the log.

        Raises:
            DataError: an unknown one.
        """
        self._workspace.set_gold_undone(names, undone=True)

    def redo(self, *names: str) -> None:
        """Redo undone actions or decisions.

        Raises:
            DataError: an unknown one.
        """
        self._workspace.set_gold_undone(names, undone=False)

    def actions(self, reader: str) -> tuple[tuple[Action, bool], ...]:
        """A reader's actions on the current gold set in order, each with True if undone."""
        current = self._current()
        stored = self._workspace.gold_actions(current.set_id, READ, reader)
        return tuple((self._action(s), s.undone) for s in stored)

    def _action(self, stored: StoredAction) -> Action:
        """The action as a record, cached.

        Stored actions change only when texts of reports are replaced; ``Department._forget_texts`` then drops this
        object, and the cache with it.
        """
        known = self._parsed.get(stored.action)
        if known is None:
            known = plain_to_record(json.loads(stored.detail), Action)
            self._parsed[stored.action] = known
        return known

    def answers(self, reader: str) -> dict[str, Answers]:
        """A reader's answers by report, for the reports marked by them."""
        return {report: by[reader] for report, by in self._all_answers(reader).items()}

    def _all_answers(self, reader: str | None = None) -> dict[str, dict[str, Answers]]:
        """Answers by report, then by reader, for reports whose text is unchanged since the draw."""
        current = self._current()
        same = dict(self._workspace.gold_reports(current.set_id))
        done: defaultdict[tuple[str, str], list[tuple[Action, bool]]] = defaultdict(list)
        for stored in self._workspace.gold_actions(current.set_id, READ, reader):
            if same[stored.report_id]:
                done[stored.report_id, stored.reader].append((self._action(stored), stored.undone))
        made: defaultdict[str, dict[str, Answers]] = defaultdict(dict)
        for (report_id, name), actions in done.items():
            made[report_id][name] = answers_of(actions)
        return dict(made)


class ReviewFileGold(Annotating):
    """A gold set for one reader, with the words to read it by; nothing else is in the file."""

    apart = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.reader = context.workspace.get_meta(REVIEWER) or ""
        self.blind = context.workspace.get_meta(BLIND) != "no"
        """Whether the file has no findings of an engine."""

    @cached_property
    def _words(self) -> dict[str, Any]:
        return self._workspace.load_result(REVIEW_WORDS, CURRENT) or {"pathologies": [], "synonyms": {}}

    def pathologies(self) -> tuple[str, ...]:
        """The department's pathologies, by name."""
        return tuple(self._words["pathologies"])

    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """The department's synonyms of each pathology."""
        return {name: tuple(words) for name, words in self._words["synonyms"].items()}

    def begin(self, reader: str) -> str:
        """The reader of the file, who alone can read with it."""
        return self.reader

    def known_as(self, reader: str) -> str:
        """The reader of the file."""
        return self.reader
