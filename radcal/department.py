"""An open workspace: :class:`Results`, its read-only part, and :class:`Department`, which also changes it."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from radcal.advice.alternatives import Alternatives
from radcal.advice.analysis import Analyser
from radcal.advice.author_results import AuthorResults
from radcal.advice.draft_check import DraftCheck
from radcal.advice.sensitivity import Windows
from radcal.advice.stored_analysis import Analysis, StoredAdvice
from radcal.calibration.cases import Cases
from radcal.calibration.comparisons import Comparisons
from radcal.calibration.contests import Contests
from radcal.calibration.department_groups import DepartmentGroups
from radcal.calibration.department_words import Words
from radcal.calibration.effects import effects_in_run
from radcal.calibration.group_results import GroupResults
from radcal.calibration.habits import Counts, HabitCounts, Habits
from radcal.calibration.matched_pairs import counts_by_day
from radcal.calibration.model_answers import ModelAnswers
from radcal.calibration.own_contests import OwnContests
from radcal.calibration.reliability import measure
from radcal.calibration.tables import build_tables
from radcal.calibration.verifications import Verifications
from radcal.calibration.vocabulary_use import Vocabulary
from radcal.feedback.batch import Batch
from radcal.feedback.dictation_macros import DictationMacros
from radcal.feedback.goals import Goals
from radcal.feedback.new_cases import NewCasesOf
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.personal_files import PersonalFiles
from radcal.findings.findings_export import FindingsExport
from radcal.findings.runs import Runs
from radcal.findings.served.agreed import agree
from radcal.findings.served.server import served_host, server_entry
from radcal.replacing_names import replace_names
from radcal.reports.importing import Importing
from radcal.reports.listing import ReportList
from radcal.review.annotating import ReviewFileGold
from radcal.system.errors import InputError, RadcalError
from radcal.system.files import Json, free_name
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import Group
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text
from radcal.words.records import Phrase
from radcal.words.studies import require_same
from radcal.workspace.audit_log import AuditLog
from radcal.workspace.context import (
    ANALYSED_ANSWERS,
    ANALYSED_FILES,
    ANSWERS_KEY,
    COUNTS_BY_DAY,
    CURRENT,
    HABITS,
    HABITS_BY_DAY,
    IMPORTED_FILES,
    WORDINGS_BY_DAY,
    Context,
    no_analysis,
)
from radcal.workspace.errors import WorkspaceGone
from radcal.workspace.log_records import LogHead
from radcal.workspace.passphrases import check_passphrase
from radcal.workspace.schedule import Copies

if TYPE_CHECKING:
    import pandas as pd

    from radcal.advice.outlook import Outlook
    from radcal.feedback.meeting import Meeting
    from radcal.feedback.review_files import ReviewFiles
    from radcal.review.gold_sets import GoldSets
    from radcal.workspace.store import Workspace


class Results(Context):
    """The results in an open workspace, to be read; a personal file offers only these.

    Reading may take seconds and must not run in the GUI thread.
    """

    def __init__(self, workspace: Workspace, title: str, on_close: Callable[[], None] | None = None) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._on_close = on_close
        self.title = title

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is not None:
                self._rescue(error)
        finally:
            self.close()

    def _rescue(self, error: BaseException) -> None:
        """If the workspace's file is gone, save its contents beside it."""
        if not isinstance(error, WorkspaceGone):
            return
        copy = free_name(self.path.with_stem(f"{self.path.stem}-rescued"))
        try:
            self.backup(copy)
        except RadcalError:  # the first error is the one to report
            return
        raise WorkspaceGone(
            "{name} was deleted, moved or replaced while it was open, perhaps by a program that "
            "synchronises its folder. Everything in it was saved as {name2} beside it: go on "
            "with that file.",
            name=self.path.name,
            name2=copy.name,
        ) from error

    def close(self) -> None:
        """Close the workspace and release its lock; may be called twice."""
        self._workspace.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    @property
    def read_only(self) -> bool:
        """True if the workspace was opened read-only."""
        return self._workspace.read_only

    def fits(self, passphrase: str) -> bool:
        """Whether this is the passphrase of the workspace; takes as long as opening it, and reads nothing."""
        return self._workspace.fits(passphrase)

    @property
    def identity(self) -> str:
        """What the workspace and its backups have in common, whatever they are called: the salt of the file."""
        return self._workspace.identity

    def change_passphrase(self, current: str, new: str) -> None:
        """Encrypt the workspace under a new passphrase; existing copies keep the old one.

        Raises:
            WrongPassphrase, UnfitPassphrase, NoAccess, DiskFull: nothing was changed.
        """
        check_passphrase(new, self.path.stem)
        self._workspace.change_passphrase(current, new)

    def backup(self, path: Path, progress: Progress = SILENT) -> LogHead:
        """Write a verified copy of the workspace, under the same passphrase; returns the head of its audit log.

        Raises:
            WorkspaceExists, NoSuchWorkspace, NoAccess, DiskFull, DamagedWorkspace: no copy was made.
            Cancelled: by ``progress``; no copy was made.
        """
        return self._workspace.backup(path, progress)

    def check(self, passphrase: str, progress: Progress = SILENT) -> tuple[str, ...]:
        """Read every byte of the file; returns the faults in sentences, () if there are none.

        Raises:
            WrongPassphrase, NoAccess: the file cannot be opened.
        """
        return self._workspace.check(self.path, passphrase, progress)

    @cached_property
    def audit_log(self) -> AuditLog:
        """The entries of the audit log with their chain, and its verification."""
        return AuditLog(self)

    @property
    def up_to_date(self) -> bool:
        """True if the stored analysis covers all files and answers."""
        meta = self._workspace.get_meta
        covered = meta(ANALYSED_FILES) == (meta(IMPORTED_FILES) or "")
        return covered and (meta(ANALYSED_ANSWERS) or "") == (meta(ANSWERS_KEY) or "")

    def analysis(self) -> Analysis | None:
        """The latest analysis, None if there is none."""
        return self._stored.last()

    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases behind the analysis, weakest first; without an analysis, the current ones."""
        return self._stored.phrases

    def authors(self) -> tuple[str, ...]:
        """As :meth:`StoredAnalysis.authors`."""
        return self._stored.authors()

    def pseudonyms(self) -> dict[str, str]:
        """As :meth:`StoredAnalysis.pseudonyms`."""
        return self._stored.pseudonyms()

    @cached_property
    def contests(self) -> Contests:
        """Findings marked as misread; those made in a personal file are kept beside it."""
        return OwnContests(self) if self.personal else Contests(self)

    @cached_property
    def _answers(self) -> ModelAnswers:
        return ModelAnswers(self)

    @cached_property
    def groups(self) -> GroupResults:
        """Results of one author on one topic in a date range, with the findings behind them."""
        return GroupResults(self, self._stored, self.contests, self._answers)

    @cached_property
    def cases(self) -> Cases:
        """The whole reports behind a finding."""
        return Cases(self, self._run_on_show)

    @cached_property
    def author_results(self) -> AuthorResults:
        """One author's part of the analysis, for all dates or a date range."""
        return AuthorResults(self, self._stored, self.groups, self._counts)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """How often reports keep to the scale of certainty that was chosen."""
        return Vocabulary(self, self._stored, self._wordings)

    @cached_property
    def habits(self) -> Habits:
        """Shares of reports with a hedge, with a standard word and with a recommendation."""
        return Habits(self, self._stored, self._habit_counts, self._habits_of_others)

    @cached_property
    def alternatives(self) -> Alternatives:
        """Advice under other settings, for a date range, or with other wording."""
        return Alternatives(self, self._stored, self.groups, self.author_results)

    @cached_property
    def outlook(self) -> Outlook:
        """What more findings would do for one group."""
        from radcal.advice.outlook import Outlook

        return Outlook(self, self._stored, self.groups)

    @cached_property
    def draft_check(self) -> DraftCheck:
        """Checks the certainty words of a draft against the author's results."""
        return DraftCheck(self, self._stored, self.author_results)

    @cached_property
    def pages(self) -> FeedbackPages:
        """The radiologists' feedback pages, pocket cards and pages on drafts: contents, PDF and images."""
        parts = (self.author_results, self.contests, self.vocabulary, self.goals, self.new_cases)
        return FeedbackPages(self, self._stored, *parts, self._withheld)

    @cached_property
    def goals(self) -> Goals:
        """The radiologists' goals, and what became of them."""
        return Goals(self, self._stored, self.groups)

    @cached_property
    def new_cases(self) -> NewCasesOf:
        """What CT showed since the last feedback."""
        return NewCasesOf(self, self._stored, self.groups, self.contests)

    @cached_property
    def macros(self) -> DictationMacros:
        """Macros of advised words for dictation systems."""
        return DictationMacros(self, self._stored, self.author_results, self.pages)

    @cached_property
    def _stored(self) -> StoredAdvice:
        return StoredAdvice(self, self._quoted_accuracy, self._quoted_errors)

    def _quoted_accuracy(self, stored: Text) -> Text:
        """The engine's accuracy to quote; a personal file stores that of its department with its analysis."""
        return stored

    def _quoted_errors(self, stored: Text) -> Text:
        """Why no errors of reading are carried on; a personal file stores what its department knew."""
        return stored

    def _withheld(self) -> Text:
        """Why feedback is not handed out to single radiologists, '' where it is; a personal file is handed out."""
        return EMPTY

    def _wordings(self, _author: str | None = None) -> pd.DataFrame | None:
        """The words of certainty in all X-ray reports or an author's, as of ``xray_wordings``; None if not known."""
        return self._workspace.load_frame(WORDINGS_BY_DAY)

    def _habit_counts(self, _progress: Progress) -> Counts | None:
        """The counts behind the shares; None in a personal file whose workspace did not know them."""
        frame, told = self._workspace.load_frame(HABITS_BY_DAY), self._workspace.load_result(HABITS, CURRENT)
        return None if frame is None or told is None else Counts(frame, told["scale"], told["chosen"])

    def _habits_of_others(self) -> Json | None:
        """What a personal file tells of all others' shares; None in a department, which works it out."""
        told = self._workspace.load_result(HABITS, CURRENT)
        return {} if told is None else told["others"]

    def _run_on_show(self) -> int | None:
        """The extraction run behind the results; a personal file has none."""
        return None

    def _counts(self, author: str) -> pd.DataFrame:
        """The author's counts by day, as returned by :func:`counts_by_day`."""
        stored = self._workspace.load_frame(COUNTS_BY_DAY)
        if stored is None:
            raise no_analysis()
        return stored


class ReviewFile(Results):
    """A review file: a gold set for one reader, and the reader's answers."""

    def change_passphrase(self, current: str, new: str) -> None:
        """Refused: whoever merges the file knows the passphrase that was drawn for it, and no other.

        Raises:
            InputError: always.
        """
        raise InputError("The passphrase of a review file stays as it is: whoever merges the answers knows no other.")

    @cached_property
    def gold(self) -> ReviewFileGold:
        """The gold set."""
        return ReviewFileGold(self)


_WITHOUT_NAMES = ("runs", "_looks")
"""Parts that know no names and stay when names are replaced: the runs may be reading, the looks are not entered yet."""


class Department(Results):
    """A department's workspace: its results, and the pipeline steps that produce them.

    Every step reads from and writes to the workspace, so that an interrupted step resumes and nothing is done twice.
    """

    def close(self) -> None:
        if "runs" in vars(self):  # created on first use
            self.runs.close()
        self.enter_looks()
        self.note("workspace closed")
        super().close()

    def save_settings(self, settings: Settings, *, agrees: bool = True) -> None:
        """Store the department's settings, which take effect with the next analysis.

        ``agrees``: whoever chose a server that was not in use before agrees to it.

        Raises:
            InputError: they are of another study.
        """
        before = self.settings
        require_same(settings.study, before)
        self._workspace.save_settings(settings)
        if entry := server_entry(before, settings):
            self._workspace.log(entry)
            if agrees:
                agree(served_host(settings))
        if settings.deidentify != before.deidentify:
            self._workspace.log(f"de-identification of imports switched {settings.deidentify}")

    @cached_property
    def backups(self) -> Copies:
        """Backups on a schedule, and checks of the file's pages."""
        return Copies(self)

    @cached_property
    def importing(self) -> Importing:
        """Import of report files, pairing, and the history of imports."""
        return Importing(self, self.backups, self.contests.reports, self._forget_texts)

    def _forget_texts(self) -> None:
        """Read anew what gold sets keep of texts that were replaced."""
        vars(self).pop("gold", None)

    def replace_names(self, file: Path, progress: Progress = SILENT) -> int:
        """As :func:`radcal.replacing_names.replace_names`."""
        found = replace_names(self, self._stored, self.backups, file, progress)
        for name, _ in inspect.getmembers(type(self), lambda part: isinstance(part, cached_property)):
            if name not in _WITHOUT_NAMES and not hasattr(Context, name):
                vars(self).pop(name, None)  # what was put together with the former names
        return found

    @cached_property
    def runs(self) -> Runs:
        """The extraction runs."""
        return Runs(self, partial(effects_in_run, self))

    @cached_property
    def report_list(self) -> ReportList:
        """All reports with what became of them."""
        return ReportList(self, self.runs.own_if_usable)

    @cached_property
    def findings_export(self) -> FindingsExport:
        """Findings for other programs."""
        return FindingsExport(self, self.runs)

    @property
    def answers(self) -> ModelAnswers:
        """Answers of language models that were taken in."""
        return self._answers

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """As :meth:`Analyser.analyse`."""
        return self._analyser.analyse(progress)

    def entered(self, progress: Progress = SILENT) -> pd.DataFrame:
        """As :meth:`Analyser.entered`."""
        return self._analyser.entered(progress)

    @property
    def _analyser(self) -> Analyser:
        parts = (self, self._stored, self.runs, self.contests, lambda: self.gold, self.answers)
        return Analyser(*parts)

    @property
    def windows(self) -> Windows:
        """What another pairing window would make of the results."""
        return Windows(self, self._analyser, self.runs, self.importing.is_to_be_paired)

    @cached_property
    def verification(self) -> Verifications:
        """The share of statements verified by CT."""
        return Verifications(self, self._stored, self.groups, self.runs)

    @cached_property
    def words(self) -> Words:
        """The department's lexicon: editing, surveys, and its use in the reports."""
        return Words(self, self._stored, self.runs)

    @cached_property
    def gold(self) -> GoldSets:
        """Gold sets: reports annotated by readers, and the agreement of engines and readers with them."""
        from radcal.review.gold_sets import GoldSets

        return GoldSets(self, self.runs)

    @property
    def comparison(self) -> Comparisons:
        """Comparisons between radiologists, and trends."""
        return Comparisons(self, self._stored, self.groups, self._advised)

    def _advised(self, half: pd.DataFrame, progress: Progress) -> set[Group]:
        """The groups that one half of some statements would bring advice; it needs half as many as all of them."""
        from radcal.advice.advice import advise

        least = {name: max(getattr(self.settings, name) // 2, 1) for name in ("min_phrase_n", "min_group_n")}
        phrases, settings = self._stored.phrases, self.settings.changed(bootstrap=0, **least)
        tables = build_tables(half, phrases)
        advices = advise(tables, measure(tables, phrases, settings, progress), phrases, settings, progress)
        return {Group(a.author, a.topic) for a in advices if a.recommendations}

    @cached_property
    def department_groups(self) -> DepartmentGroups:
        """Findings by site, shift, age and the like, and radiologists compared for the same mix of cases."""
        return DepartmentGroups(self, self._stored, self.groups)

    @cached_property
    def personal_files(self) -> PersonalFiles:
        """Personal files, written one by one, and the answers that come back."""
        return PersonalFiles(
            self,
            self._stored,
            self.author_results,
            self.pages,
            self.contests,
            self._wordings,
            self._habit_counts,
            self.goals,
            self.new_cases,
        )

    @cached_property
    def meeting(self) -> Meeting:
        """Teaching cases, and slides of them."""
        from radcal.feedback.meeting import Meeting

        return Meeting(self, self._stored, self.groups)

    def looked_at(self, what: str) -> None:
        """Something was looked at; it is entered by :meth:`enter_looks`, at the latest on closing.  Takes no time."""
        self._looks.append(what)

    def enter_looks(self) -> None:
        """Enter in the audit log what was looked at, each once while the workspace is open, as :meth:`Context.note`."""
        while self._looks:
            self.note_once(self._looks.popleft())

    @cached_property
    def _looks(self) -> deque[str]:
        return deque()

    @cached_property
    def handing_out(self) -> Batch:
        """Feedback pages and personal files of many radiologists at once."""
        return Batch(self, self._stored, self.pages, self.personal_files, self.macros)

    @cached_property
    def review_files(self) -> ReviewFiles:
        """Gold sets for readers who have no access to the workspace."""
        from radcal.feedback.review_files import ReviewFiles

        return ReviewFiles(self, lambda: self.gold)

    def _quoted_accuracy(self, stored: Text) -> Text:
        run = self.runs.shown()
        return stored if run is None else self.gold.accuracy(run, stored)

    def _quoted_errors(self, stored: Text) -> Text:
        run = self.runs.shown()
        if run is None or self.settings.reading_errors == "stated":
            return stored
        # What two engines tell of the errors stands behind it.
        first = self.gold.not_carried(run)
        return stored.with_values(t0=first) if stored.template.startswith("{t0}") else first

    def _withheld(self) -> Text:
        run = self.runs.shown()
        return EMPTY if run is None else self.gold.too_inaccurate(run)

    def _run_on_show(self) -> int | None:
        return self.runs.on_show()

    def _counts(self, author: str) -> pd.DataFrame:
        return counts_by_day(self._workspace, self.runs.on_show(), author, self.settings, self.phrases())

    def _wordings(self, author: str | None = None) -> pd.DataFrame | None:
        return self._workspace.xray_wordings(self.runs.on_show(), author)

    @cached_property
    def habit_counts(self) -> HabitCounts:
        """Counts of reports by radiologist and day, behind the shares; made once."""
        return HabitCounts(self, self._stored, self.runs)

    def _habit_counts(self, progress: Progress) -> Counts | None:
        return self.habit_counts(progress)

    def _habits_of_others(self) -> Json | None:
        return None
