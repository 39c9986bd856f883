"""An open workspace: :class:`Results`, its read-only part, and :class:`Department`, which also changes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from radcal.errors import DataError, RadcalError
from radcal.exports import Exports
from radcal.files import free_name
from radcal.progress import SILENT, Progress
from radcal.records import Analysis, Phrase
from radcal.settings import Settings
from radcal.text import EMPTY, Text
from radcal.workflow.checking import check_passphrase
from radcal.workflow.context import ANALYSED_FILES, COUNTS_BY_DAY, IMPORTED_FILES, Context
from radcal.workflow.results.analysis import StoredAnalysis
from radcal.workflow.results.contests import Contests

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.workflow.advice.alternatives import Alternatives
    from radcal.workflow.advice.draft_check import DraftCheck
    from radcal.workflow.gold_sets.gold_sets import GoldSets
    from radcal.workflow.handing_out.batch import Batch
    from radcal.workflow.handing_out.packets import Packets
    from radcal.workflow.handing_out.pages import FeedbackPages
    from radcal.workflow.imports.importing import Importing
    from radcal.workflow.keeping.schedule import Copies
    from radcal.workflow.results.author_results import AuthorResults
    from radcal.workflow.results.group_results import GroupResults
    from radcal.workflow.results.radiologists import Comparisons
    from radcal.workflow.results.verification import Verifications
    from radcal.workflow.runs.runs import Runs
    from radcal.workflow.words.words import Words
    from radcal.workspace import Workspace


class Results:
    """Computed results read from an open workspace; all that a personal file offers.

    Reading may take seconds; nothing of it may run in the thread that draws a window.
    """

    def __init__(self, workspace: Workspace, title: str, on_close: Callable[[], None] | None = None) -> None:
        self._workspace = workspace
        self._context = Context(workspace)
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
        """Save the workspace's contents beside its file where the file itself is gone."""
        from radcal.workspace import WorkspaceGone

        if not isinstance(error, WorkspaceGone):
            return
        copy = free_name(self.path.with_stem(f"{self.path.stem}-rescued"))
        try:
            self.backup(copy)
        except RadcalError:  # the first error says what is the matter
            return
        raise WorkspaceGone(
            "{name} was deleted, moved or replaced while it was open, perhaps by a program that "
            "synchronises its folder. Everything in it was saved as {name2} beside it: go on "
            "with that file.",
            name=self.path.name,
            name2=copy.name,
        ) from error

    def close(self) -> None:
        """Close the workspace and release its lock; closing twice is no error."""
        self._workspace.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    # --- the file

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self._context.path

    @property
    def read_only(self) -> bool:
        """Whether the workspace was opened for reading only."""
        return self._workspace.read_only

    @property
    def personal(self) -> str:
        """The only radiologist whose results the workspace holds, where it is a personal file; otherwise ''."""
        return self._context.personal

    @property
    def settings(self) -> Settings:
        """The settings stored in the workspace."""
        return self._context.settings

    @property
    def lexicon(self) -> Lexicon:
        """The department's words and what they mean."""
        return self._context.lexicon

    @property
    def exports(self) -> Exports:
        """Writes files of the workspace, and enters them in its audit log unless it is open for reading only."""
        return self._context.exports

    def change_passphrase(self, current: str, new: str) -> None:
        """Re-encrypt the workspace; existing copies keep their passphrase.

        Raises:
            WrongPassphrase, UnfitPassphrase, NoAccess, DiskFull: nothing was changed.
        """
        check_passphrase(new, self.path.stem)
        self._workspace.change_passphrase(current, new)

    def backup(self, path: Path, progress: Progress = SILENT) -> None:
        """Write a verified copy of the workspace, under the same passphrase.

        Raises:
            WorkspaceExists, NoSuchWorkspace, NoAccess, DiskFull, DamagedWorkspace: there is no copy.
            Cancelled: by ``progress``; there is no copy.
        """
        self._workspace.backup(path, progress)

    def check(self, passphrase: str, progress: Progress = SILENT) -> tuple[str, ...]:
        """Read every byte of the file and say what is wrong, in sentences; () if nothing is.

        Raises:
            WrongPassphrase, NoAccess: there is nothing to check.
            Cancelled: by ``progress``.
        """
        return self._workspace.check(self.path, passphrase, progress)

    def audit(self) -> pd.DataFrame:
        """The audit log, oldest entry first: at (UTC), user, radcal (version), what, counts (JSON object)."""
        return self._workspace.audit()

    def attrition(self) -> pd.DataFrame:
        """Where reports dropped out, from rows read to pairs, in records.ATTRITION_COLUMNS."""
        return self._workspace.attrition()

    def rejected(self) -> pd.DataFrame:
        """Rows that could not be used, of all imports, in records.REJECTED_COLUMNS."""
        return self._workspace.rejected()

    # --- the analysis

    @property
    def up_to_date(self) -> bool:
        """Whether the stored analysis covers all that was imported."""
        return self._workspace.get_meta(ANALYSED_FILES) == (self._workspace.get_meta(IMPORTED_FILES) or "")

    def analysis(self) -> Analysis | None:
        """The analysis made last, None if there is none."""
        return self._stored.last()

    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases that the analysis was made with, weakest first; without an analysis, those of now."""
        return self._stored.phrases

    def authors(self) -> tuple[str, ...]:
        """The radiologists of the analysis, by name.

        Raises:
            DataError: there is no analysis yet.
        """
        return self._stored.authors()

    def pseudonyms(self) -> dict[str, str]:
        """A pseudonym for every author; the same every time for this workspace and these authors.

        Raises:
            DataError: there is no analysis yet.
        """
        return self._stored.pseudonyms()

    @cached_property
    def contests(self) -> Contests:
        """Findings contested as misread."""
        return Contests(self._context)

    @cached_property
    def groups(self) -> GroupResults:
        """One author on one topic within days, and the findings behind it."""
        from radcal.workflow.results.group_results import GroupResults

        return GroupResults(self._context, self._stored, self.contests)

    @cached_property
    def author_results(self) -> AuthorResults:
        """One author's part of the analysis, of all days or of some."""
        from radcal.workflow.results.author_results import AuthorResults

        return AuthorResults(self._context, self._stored, self.groups, self._counts)

    @cached_property
    def alternatives(self) -> Alternatives:
        """Advice under other settings, for some days, or with another use of words."""
        from radcal.workflow.advice.alternatives import Alternatives

        return Alternatives(self._context, self._stored, self.groups)

    @cached_property
    def draft_check(self) -> DraftCheck:
        """Drafts, with what the author's results say of each certainty word in them."""
        from radcal.workflow.advice.draft_check import DraftCheck

        return DraftCheck(self._context, self._stored, self.author_results)

    @cached_property
    def pages(self) -> FeedbackPages:
        """The radiologists' pages: what goes in, as PDF and as pictures."""
        from radcal.workflow.handing_out.pages import FeedbackPages

        return FeedbackPages(self._context, self._stored, self.author_results, self.contests)

    @cached_property
    def _stored(self) -> StoredAnalysis:
        return StoredAnalysis(self._context, self._own_accuracy)

    def _own_accuracy(self) -> Text:
        """The accuracy measured on the department's own gold set; a personal file has it in its analysis."""
        return EMPTY

    def _counts(self, author: str) -> pd.DataFrame:
        """What the analysis counts of an author on each day, as :func:`counts_by_day` returns it."""
        stored = self._workspace.load_frame(COUNTS_BY_DAY)
        if stored is None:
            raise DataError(
                "This personal file was written by an earlier RadCal and does not tell on which days its examinations "
                "were made. Choose all dates, or ask for a new file."
            )
        return stored


class Department(Results):
    """A department's workspace: its results, and the steps of the pipeline that lead to them.

    Every step reads from and writes to the workspace, so that a stopped step goes on where it was and
    nothing is done twice.
    """

    def close(self) -> None:
        if "runs" in vars(self):  # made when first wanted
            self.runs.close()
        super().close()

    def save_settings(self, settings: Settings) -> None:
        """Store the department's settings; the next analysis redoes results made with other settings."""
        self._workspace.save_settings(settings)

    @cached_property
    def backups(self) -> Copies:
        """Scheduled backups and page checks."""
        from radcal.workflow.keeping.schedule import Copies

        return Copies(self._context)

    @cached_property
    def importing(self) -> Importing:
        """Reading report files, pairing, and the history of imports."""
        from radcal.workflow.imports.importing import Importing

        return Importing(self._context, self.contests, self.backups)

    @cached_property
    def runs(self) -> Runs:
        """The extraction runs: resume, retry, select, compare."""
        from radcal.workflow.runs.runs import Runs

        return Runs(self._context)

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """Reliability and advice of every author on every topic; stored, and reloaded if nothing has changed.

        Raises:
            DataError: no X-ray statement met a CT statement.
            Cancelled: by ``progress``; nothing was stored.
        """
        from radcal.workflow.analysis import Analyser

        return Analyser(self._context, self._stored, self.runs, self.contests).analyse(progress)

    @cached_property
    def verification(self) -> Verifications:
        """How many statements were verified by CT."""
        from radcal.workflow.results.verification import Verifications

        return Verifications(self._context, self._stored, self.groups, self.runs)

    @cached_property
    def words(self) -> Words:
        """The department's words: editing, surveys, and their use in its reports."""
        from radcal.workflow.words.words import Words

        return Words(self._context, self._stored, self.runs)

    @cached_property
    def gold(self) -> GoldSets:
        """The gold sets: reports drawn for people to read, and how well engines and readers agree with them."""
        from radcal.workflow.gold_sets.gold_sets import GoldSets

        return GoldSets(self._context, self.runs)

    @property
    def comparison(self) -> Comparisons:
        """Radiologists compared, and trends."""
        from radcal.workflow.results.radiologists import Comparisons

        return Comparisons(self._context, self._stored, self.groups)

    @cached_property
    def packets(self) -> Packets:
        """Personal files, written one by one."""
        from radcal.workflow.handing_out.packets import Packets

        return Packets(self._context, self._stored, self.author_results, self.pages)

    @cached_property
    def handing_out(self) -> Batch:
        """Pages and personal files of many radiologists at once."""
        from radcal.workflow.handing_out.batch import Batch

        return Batch(self._context, self._stored, self.pages, self.packets)

    def _own_accuracy(self) -> Text:
        run = self.runs.shown()
        return EMPTY if run is None else self.gold.accuracy(run)

    def _counts(self, author: str) -> pd.DataFrame:
        from radcal.workflow.results.matched_pairs import counts_by_day

        return counts_by_day(self._workspace, self.runs.on_show(), author, self.settings, self.phrases())
