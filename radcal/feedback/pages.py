"""The radiologists' feedback pages: contents, PDF and images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, ClassVar

from radcal.advice.author_results import AuthorResults
from radcal.advice.records import Advice
from radcal.advice.stored_analysis import Analysis
from radcal.feedback.department import judged_together
from radcal.feedback.printed import Printed
from radcal.feedback.records import USUAL_SHEET, Example, FeedbackInput, PageChoice, PageImage, PdfPage, Sheet
from radcal.reliability.contests import Contests
from radcal.reliability.days import within
from radcal.reliability.records import (
    CONTESTED_LEFT_OUT,
    SILENT_ABSENT,
    SILENT_LEFT_OUT,
    UNKNOWN_PHRASE,
    UNMENTIONED,
    UNREAD_LEFT_OUT,
)
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.reliability.vocabulary_use import Vocabulary
from radcal.system.errors import DataError, InputError
from radcal.system.files import plain_to_record
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase
from radcal.workspace.context import PAGE_CHOICE, Context

if TYPE_CHECKING:
    import pandas as pd


# --- the input of an author's feedback pages, from the analysis

EXAMPLES = 4
"""Examples printed for each phrase with advice."""
UNREAD = Text("pairs left out because one of their reports could not be read")
COUNTS_IN_WORDS: Mapping[str, str] = {
    UNMENTIONED: UNMENTIONED,
    SILENT_ABSENT: Text("not mentioned on CT, taken as absent"),
    SILENT_LEFT_OUT: Text("not mentioned on CT, left out"),
    UNKNOWN_PHRASE: Text("worded in a phrase of no list, left out"),
    UNREAD_LEFT_OUT: Text("beside words of doubt that were not understood, left out"),
    CONTESTED_LEFT_OUT: Text("contested as misread, left out"),
}
"""The counts of Analysis printed on a page, and their wording there."""


def feedback_input(
    author: str,
    analysis: Analysis,
    observations: pd.DataFrame,
    pseudonym: str,
    phrases: tuple[Phrase, ...],
    days: Days,
    silence: Mapping[str, str],
) -> FeedbackInput:
    """The input of an author's pages.

    Args:
        analysis: the author's part of the analysis in the date range.
        observations: the author's, in the date range; those that may be printed as examples.
        pseudonym, phrases, days: as in FeedbackInput.
        silence: by pathology, why a CT report that says nothing of it counts as absent.
    """
    (pairs,) = analysis.pairs
    return FeedbackInput(
        author=author,
        pseudonym=pseudonym,
        reliabilities=analysis.reliabilities,
        advices=analysis.advices,
        examples=_examples(observations, analysis.advices, phrases, silence),
        phrases=phrases,
        provenance=analysis.provenance,
        counts=_counts(analysis) | ({UNREAD: pairs.unread} if pairs.unread else {}),
        days=days,
        pooled=next(iter(analysis.pooled), None),
        pooled_advice=next(iter(analysis.pooled_advices), None),
    )


def _counts(analysis: Analysis) -> dict[str, int]:
    """Non-zero totals over all topics, and that of UNMENTIONED in any case."""
    totals = dict.fromkeys(COUNTS_IN_WORDS, 0)
    for _author, _topic, what, n in analysis.counts:
        if what in totals:
            totals[what] += n
    return {COUNTS_IN_WORDS[what]: n for what, n in totals.items() if n or what == UNMENTIONED}


def _examples(
    observations: pd.DataFrame, advices: Sequence[Advice], phrases: Sequence[Phrase], silence: Mapping[str, str]
) -> tuple[Example, ...]:
    """The latest findings behind each recommendation, first those to which the word suggested is closer."""
    mean = {p.name: mean_of(p) for p in phrases}
    examples: list[Example] = []
    for topic, recommendation in ((a.topic, r) for a in advices for r in a.recommendations):
        own = (observations["topic"] == topic) & (observations["phrase"] == recommendation.source)
        found = observations[own].sort_values("xray_time", ascending=False, kind="stable", ignore_index=True)
        source, target = mean[recommendation.source], mean[recommendation.target]
        closer = (found["outcome"] - target).abs() < (found["outcome"] - source).abs()
        chosen = found[closer].head(EXAMPLES - 1)
        others = found[~closer].head(EXAMPLES - len(chosen))
        examples.extend(
            Example(
                topic=topic,
                phrase=recommendation.source,
                xray_sentence=str(row["xray_sentence"]),
                cue_start=int(row["xray_cue_start"]),
                cue_end=int(row["xray_cue_end"]),
                ct_sentence=str(row["ct_sentence"]),
                outcome=float(row["outcome"]),
                day=row["xray_time"].date(),
                silence="" if row["ct_sentence"] else silence.get(topic, ""),
            )
            for row in (*chosen.to_dict("records"), *others.to_dict("records"))
        )
    return tuple(examples)


LONGEST_NOTE = 2000
DRAFTING = "somebody who drafts reports"
"""In the audit log, whoever has no pseudonym because no report is attributed to them."""


class FeedbackPages(Printed):
    """The radiologists' feedback pages; methods may take a second and must not run in the GUI thread."""

    WHAT: ClassVar[str] = "pages as PDF"
    WHAT_OF_DEPARTMENT: ClassVar[str] = "department's pages as PDF"

    def __init__(
        self,
        context: Context,
        stored: StoredAnalysis,
        authors: AuthorResults,
        contests: Contests,
        vocabulary: Vocabulary,
        withheld: Callable[[], Text],
    ) -> None:
        """``withheld``: why feedback is not handed out to single radiologists, '' where it is."""
        super().__init__(context)
        self._stored = stored
        self._authors = authors
        self._contests = contests
        self._vocabulary = vocabulary
        self.withheld = withheld

    def require_accuracy(self) -> None:
        """Refuse feedback to single radiologists where the reports are read too badly for it.

        Raises:
            DataError: with the reason.
        """
        if why := self.withheld():
            raise DataError(why)

    def choice(self, author: str) -> PageChoice:
        """The contents chosen for the author's pages; the defaults if none were."""
        stored = self._context.workspace.load_result(PAGE_CHOICE, author)
        return PageChoice() if stored is None else plain_to_record(stored, PageChoice)

    def keep_choice(self, author: str, choice: PageChoice) -> None:
        """Store the contents of the author's pages.

        Raises:
            InputError: the note is too long, or the workspace is open read-only.
        """
        if len(choice.note) > LONGEST_NOTE:
            raise InputError(
                "The note has {n:,} characters, and there is room for {longest_note:,}. Shorten it.",
                n=len(choice.note),
                longest_note=LONGEST_NOTE,
            )
        self._context.workspace.save_result(PAGE_CHOICE, author, asdict(choice), {})

    def input(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> FeedbackInput:
        """The input of an author's pages, from the examinations in the date range.

        Raises:
            InputError: an author without statements in this workspace, or an empty date range.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """
        from radcal.reliability.observation_codes import entered
        from radcal.reliability.wordings import wordings
        from radcal.words.confirmations import silence_reasons

        analysis = self._authors.analysis(author, days, progress)
        observations = self._stored.observations_of(author)
        observations = observations[within(observations["xray_time"], days)]
        # A contested finding is never printed as an example, even if it is included in the statistics.
        contested = {(c.xray_id, c.topic) for c in self._contests.all() if c.author == author}
        keys = zip(observations["xray_id"], observations["topic"], strict=True)
        shown = observations.loc[[key not in contested for key in keys]]
        counted, settings = observations[entered(observations, self._contests.left_out())], self._context.settings
        pseudonym, phrases = self._stored.pseudonyms()[author], self._stored.phrases
        made = feedback_input(author, analysis, shown, pseudonym, phrases, days, silence_reasons(settings))
        if self._context.masking.leaves_days_out:  # whoever needs the day has it in the window or the personal file
            made = replace(made, examples=tuple(replace(e, day=None) for e in made.examples))
        return replace(
            made,
            wordings=wordings(counted, settings.confidence, settings.seed),
            vocabulary=self._vocabulary.use_of(author, days),
            name=self._name_of(author),
        )

    def _name_of(self, author: str) -> str:
        """The name that the pages have; '' where nothing but the pseudonym is known."""
        name, names = self._context.names.name_of(author), self._context.names
        return "" if names.kept_apart and name == author else name

    def inputs(self, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """The input of every author's pages, by name."""
        for author in self._stored.authors():
            progress.raise_if_cancelled()
            yield self.input(author, days, progress)

    def pdf_pages(self, pdf: bytes) -> tuple[PdfPage, ...]:
        """Size and text of each page of a PDF."""
        from radcal.feedback.raster import pdf_pages

        return pdf_pages(pdf)

    def images(self, pdf: bytes, numbers: Sequence[int], dpi: float, progress: Progress = SILENT) -> list[PageImage]:
        """Pages of a PDF as images.

        Raises:
            Cancelled: by ``progress``.
        """
        from radcal.feedback.raster import page_images

        progress.raise_if_cancelled()
        made = []
        for image in page_images(pdf, numbers, dpi):
            progress.raise_if_cancelled()
            made.append(image)
        return made

    def enter_printed(self, author: str, pages: int) -> None:
        """Enter in the audit log that pages are printed.

        Args:
            author: whose pages they are, '' for the department's.
            pages: how many.
        """
        # Whoever only drafts has no pseudonym.
        to = self._stored.pseudonyms().get(author, DRAFTING) if author else ""
        self._context.exports.enter("printed pages" if to else "pages to a printer", to=to, pages=pages)

    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """The pages for an input; see :meth:`pdf`."""
        from radcal.feedback.pdf import Print, feedback_pdf

        self.require_accuracy()
        chosen = self.choice(data.author) if choice is None else choice
        if chosen.comparison:
            data = replace(data, others=self._authors.others(data.author, data.days))
        return feedback_pdf(data, Print.on(sheet, self._context.settings), chosen)

    def department_pdf_of(self, inputs: Iterable[FeedbackInput], sheet: Sheet = USUAL_SHEET) -> bytes:
        """The department's page, all radiologists under their pseudonyms; see :meth:`department_pdf`."""
        from radcal.feedback.pdf import Print, department_pdf

        return department_pdf(judged_together(inputs), Print.on(sheet, self._context.settings))
