"""A department: an open workspace with the steps of the pipeline as methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from radcal.errors import InputError, RadcalError
from radcal.exports import Exports
from radcal.files import free_name
from radcal.progress import SILENT, Progress
from radcal.records import (
    ALL_DAYS,
    USUAL_SHEET,
    Analysis,
    Days,
    ExtractionSummary,
    FeedbackInput,
    Import,
    Pairing,
    Phrase,
    Sheet,
)
from radcal.settings import Settings
from radcal.text import Text, joined
from radcal.workflow.checking import check_passphrase
from radcal.workflow.handing_out.feedback_input import author_names, evidence, feedback_input
from radcal.workflow.imports.importing import Importing, ReportFile, as_files
from radcal.workflow.results.analysis import Analysing
from radcal.workflow.results.days import within
from radcal.workflow.runs.review import review_table

if TYPE_CHECKING:
    import pandas as pd

    from radcal.lexicon.phrases import Lexicon
    from radcal.workflow.advice.advising import Advising
    from radcal.workflow.advice.draft_check import TriedSentence, Trying
    from radcal.workflow.gold_sets.gold_sets import GoldSets
    from radcal.workflow.handing_out.pages import FeedbackPages
    from radcal.workflow.keeping.copies import Copied, Copies
    from radcal.workflow.results.author_results import WithinDays
    from radcal.workflow.results.comparison import Comparison
    from radcal.workflow.results.group_results import Exploration
    from radcal.workflow.runs.runs import Runs
    from radcal.workflow.words.words import Words
    from radcal.workspace import Workspace


class Department:
    """An open workspace with the steps of the pipeline as methods.

    Every step reads from and writes to the workspace, so that a stopped step goes on where it was and
    nothing is done twice.  Steps may take minutes; none may run in the thread that draws a window.
    """

    def __init__(self, workspace: Workspace, title: str, on_close: Callable[[], None] | None = None) -> None:
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
        """Save what the workspace holds, where its file is gone and nobody is there to be asked where to."""
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
        """End the engines, close the workspace and release its lock; closing twice is no error."""
        if "runs" in vars(self):  # made when first wanted
            self.runs.close()
        self._workspace.close()
        if self._on_close is not None:
            self._on_close()
            self._on_close = None

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self._workspace.path

    @property
    def read_only(self) -> bool:
        """Whether the workspace was opened to look only: importing, extracting and analysing are refused."""
        return self._workspace.read_only

    @property
    def up_to_date(self) -> bool:
        """Whether the stored analysis is of all that was imported; if not, the later steps go on where they were."""
        return self._analysing.up_to_date

    @property
    def settings(self) -> Settings:
        """The settings stored in the workspace."""
        return self._workspace.settings

    def save_settings(self, settings: Settings) -> None:
        """Store the department's settings; results made with others are made anew when next asked for."""
        self._workspace.save_settings(settings)

    @property
    def lexicon(self) -> Lexicon:
        """The department's words and what they mean."""
        return self.words.lexicon

    @cached_property
    def words(self) -> Words:
        """The department's words: edited, surveyed, looked for in its reports."""
        from radcal.workflow.words.words import Words

        return Words(self, self._workspace)

    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases that the results on show were made with, weakest first; without results, those of now."""
        return self.words.analysed().phrases

    @cached_property
    def advising(self) -> Advising:
        """Advice looked into: other settings, other days, other words."""
        from radcal.workflow.advice.advising import Advising

        return Advising(self, self._workspace)

    @property
    def compare(self) -> Comparison:
        """Radiologists beside each other, and over time."""
        from radcal.workflow.results.comparison import Comparison

        return Comparison(self, self._workspace)

    # --- the file, and what leaves it

    @cached_property
    def exports(self) -> Exports:
        """Writes what leaves the workspace as a file, and enters it in the audit log unless that is read only."""
        return Exports(None if self.read_only else self._workspace.log, [self.path])

    def change_passphrase(self, current: str, new: str) -> None:
        """Encrypt the workspace anew; copies made before keep their passphrase.

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

    @cached_property
    def backups(self) -> Copies:
        """Backups made by the clock, and pages read."""
        from radcal.workflow.keeping.copies import Copies

        return Copies(self._workspace)

    def copied(self) -> Copied:
        """When the workspace was copied last, what people did in it since, and what is done about it."""
        return self.backups.known()

    def check(self, passphrase: str, progress: Progress = SILENT) -> tuple[str, ...]:
        """Read every byte of the file and say what is wrong, in sentences; () if nothing is.

        Raises:
            WrongPassphrase, NoAccess: there is nothing to check.
            Cancelled: by ``progress``.
        """
        return self._workspace.check(self.path, passphrase, progress)

    # --- files to pairs

    @cached_property
    def importing(self) -> Importing:
        """Reading report files, pairing, and the history of imports."""
        return Importing(self, self._workspace)

    def import_files(
        self,
        reports: Sequence[Path] = (),
        xray: Sequence[Path] = (),
        ct: Sequence[Path] = (),
        mapping: Mapping[str, str] | None = None,
        progress: Progress = SILENT,
        *,
        replaces: bool = False,
    ) -> Import:
        """Read report files into the workspace; rows that cannot be used are listed in the result and stored.

        Files may come in any order: versions of one report are settled with those read before.  A file that
        was imported before and has not changed is left out, so that an import can be repeated.

        Args:
            reports: files that name each report's modality.
            xray, ct: files of one modality.
            mapping: our column names to those of the files, where they are not recognised.
            progress: one part for each file, then one for each report.
            replaces: what an earlier reading of these files gave, and this one does not, is removed.

        Raises:
            InputError: a file that cannot be read at all, a needed column that is missing, or a file that was
                imported before and would have to replace its earlier reading, and may not.
            Cancelled: nothing was imported.
        """
        return self.importing.import_reports(as_files(reports, xray, ct, mapping, replaces=replaces), progress)

    def import_reports(
        self, files: Sequence[ReportFile], progress: Progress = SILENT, *, leave_out: bool = False
    ) -> Import:
        """As :meth:`import_files`, for files that are each read in a way of their own: all of them or none.

        With ``leave_out``, files that cannot be read are listed in ``unread`` of the result; it is an error only if
        no file can be.  Before anything is replaced, a backup is made of what is there.
        """
        notes = []
        if any(file.replaces for file in files):
            try:
                self.backups.back_up_before(progress)
            except InputError as error:
                notes.append(joined([Text("No backup was made before reports were replaced."), error.text]))
        read = self.importing.import_reports(files, progress, leave_out=leave_out)
        return replace(read, notes=(*read.notes, *notes))

    def pair(self, progress: Progress = SILENT) -> Pairing:
        """Pair the X-ray and CT reports of the workspace and store the pairs and the attrition.

        Raises:
            DataError: nothing was imported.
            Cancelled: by ``progress``; nothing was stored.
        """
        return self.importing.pair(progress)

    def attrition(self) -> pd.DataFrame:
        """Where reports dropped out, from rows read to pairs, in records.ATTRITION_COLUMNS."""
        return self._workspace.attrition()

    def audit(self) -> pd.DataFrame:
        """The audit log, oldest entry first: at (UTC), user, radcal (version), what, counts (JSON object)."""
        return self._workspace.audit()

    def rejected(self) -> pd.DataFrame:
        """Rows that could not be used, of all imports, in records.REJECTED_COLUMNS."""
        return self._workspace.rejected()

    # --- pairs to findings

    @cached_property
    def runs(self) -> Runs:
        """The extraction runs: go on, try again, choose, compare."""
        from radcal.workflow.runs.runs import Runs

        return Runs(self, self._workspace)

    def extract(self, progress: Progress = SILENT) -> ExtractionSummary:
        """Extract findings from every paired report that has none yet from the settings' engine.

        Raises:
            EngineError: the engine stopped working.
            Cancelled: the user asked to stop; what was read is kept.
        """
        return self.runs.extract(progress)

    def failures(self) -> pd.DataFrame:
        """Reports that the engine failed on: report_id, failure (the reason)."""
        return self.runs.failures_table()

    def review(self, progress: Progress = SILENT) -> pd.DataFrame:
        """Statements that a person should look at, worst first: what the settings' engine and the rules read.

        Where the rules are the engine, nothing is listed: they know no probability and have no second opinion.

        Returns:
            REVIEW_COLUMNS, a row a statement.
        """
        return review_table(*self.runs.two_opinions(progress), self.settings.review_below)

    # --- findings to reliability and advice

    @cached_property
    def _analysing(self) -> Analysing:
        """The analysis: made, stored and read back."""
        return Analysing(self, self._workspace)

    def analyse(self, progress: Progress = SILENT) -> Analysis:
        """Reliability and advice of every author on every topic; stored, and reloaded if nothing has changed.

        Raises:
            DataError: no X-ray statement met a CT statement.
        """
        return self._analysing.analyse(progress)

    def analysis(self) -> Analysis | None:
        """The analysis made last, None if there is none."""
        return self._analysing.last()

    @property
    def analysis_key(self) -> str | None:
        """Names the analysis on show: changes with everything that it depends on; None while there is none."""
        return self._analysing.key

    def evidence(self, author: str, topic: str, phrase: str | None = None) -> pd.DataFrame:
        """The observations of an author on a topic, with the sentences behind them, the latest first.

        Columns: records.OBSERVATION_COLUMNS, ``outcome`` included, and records.EVIDENCE_COLUMNS.

        Raises:
            DataError: there is no analysis yet.
        """
        return evidence(self._analysing.observations_of(author), topic, phrase)

    def observations(self) -> pd.DataFrame:
        """All statements of the statistics: author, topic, phrase, reference_phrase, outcome, xray_time.

        The words are categories.  The same frame until another analysis is made.

        Raises:
            DataError: there is no analysis yet.
        """
        return self.explore.all_statements()

    @cached_property
    def explore(self) -> Exploration:
        """One group within dates, the findings behind it, and those that no CT decided on."""
        from radcal.workflow.results.group_results import Exploration

        return Exploration(self, self._workspace)

    # --- advice to paper

    def authors(self) -> tuple[str, ...]:
        """The radiologists of the analysis, by name.

        Raises:
            DataError: there is no analysis yet.
        """
        return author_names(self._analysing.required())

    def pseudonyms(self) -> dict[str, str]:
        """A pseudonym for every author; the same every time for this workspace and these authors."""
        return self._pseudonyms(self._analysing.required())

    def _pseudonyms(self, analysis: Analysis) -> dict[str, str]:
        from radcal.feedback import pseudonyms

        return pseudonyms(author_names(analysis), self._workspace.pseudonym_seed)

    @cached_property
    def within(self) -> WithinDays:
        """One author's part of the analysis, of all days or of some."""
        from radcal.workflow.results.author_results import WithinDays

        return WithinDays(self, self._workspace)

    def feedback(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> FeedbackInput:
        """All that an author's pages are made of, worked out from the examinations of these days alone.

        Raises:
            InputError: nobody of that name has statements in this workspace, or the range of days is empty.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """
        analysis = self.within.analysis(author, days, progress)
        observations = self._analysing.observations_of(author)
        observations = observations[within(observations["xray_time"], days)]
        # What somebody contested as wrongly read is no example to print, whether or not it counts.
        contested = {(c.xray_id, c.topic) for c in self.explore.contested() if c.author == author}
        keys = zip(observations["xray_id"], observations["topic"], strict=True)
        shown = observations.loc[[key not in contested for key in keys]]
        return feedback_input(author, analysis, shown, self.pseudonyms()[author], self.phrases(), days)

    def feedbacks(self, progress: Progress = SILENT, days: Days = ALL_DAYS) -> Iterator[FeedbackInput]:
        """The input of every author's pages, by name."""
        for author in self.authors():
            progress.raise_if_cancelled()
            yield self.feedback(author, days, progress)

    def write_feedback(
        self,
        author: str,
        out: Path,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write an author's pages as a PDF, from the examinations of these days alone.

        Raises:
            InputError: no such author, an empty range of days, or the file cannot be written.
            DataError: there is no analysis yet.
        """
        return self.pages.write(author, out, days=days, sheet=sheet, progress=progress)

    @cached_property
    def gold(self) -> GoldSets:
        """The gold sets: reports drawn for people to read, and how well engines and readers agree with them."""
        from radcal.workflow.gold_sets.gold_sets import GoldSets

        return GoldSets(self, self._workspace)

    @cached_property
    def pages(self) -> FeedbackPages:
        """The radiologists' pages: what goes in, as PDF and as pictures, one by one or all."""
        from radcal.workflow.handing_out.pages import FeedbackPages

        return FeedbackPages(self, self._workspace)

    @property
    def personal(self) -> str:
        """The only radiologist whose results the workspace holds, where it is a personal file; otherwise ''."""
        return ""

    def write_packet(self, author: str, out: Path, passphrase: str) -> Path:
        """Write a personal file: a workspace with the results and the evidence of one radiologist and nobody else.

        Raises:
            InputError: no such author, the file exists already or cannot be written, or an unfit passphrase.
            DataError: there is no analysis yet.
        """
        from radcal.workflow.handing_out.packets import Packet, write_packet

        check_passphrase(passphrase, out.stem, author)
        analysis = self.within.analysis(author)  # refuses whom it does not know before there is a file
        packet = Packet(
            author,
            self.pseudonyms()[author],
            analysis,
            self._analysing.observations_of(author),
            self.within.counts(author),
            self.words.analysed(),
        )
        entered = partial(self.exports.enter, "personal file", out)
        return write_packet(self._workspace, packet, out, passphrase, entered)

    def try_sentence(self, text: str, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> TriedSentence:
        """The certainty words of a draft with what the author's results of these days say of each; nothing is kept.

        Raises:
            InputError: nobody of that name has statements in this workspace, or the range of days is empty.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """
        return self._trying.read(text, author, days, progress)

    @cached_property
    def _trying(self) -> Trying:
        from radcal.workflow.advice.draft_check import Trying

        return Trying(self)
