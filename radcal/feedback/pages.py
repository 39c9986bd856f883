"""The radiologists' feedback pages, pocket cards and pages on drafts: contents, PDF and images.

This is the one module that talks to PDFium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.advice.author_results import AuthorResults
from radcal.advice.stored_analysis import Analysis
from radcal.calibration.cases import Drafts
from radcal.calibration.contests import Contests
from radcal.calibration.days import within
from radcal.calibration.observation_codes import entered
from radcal.calibration.records import (
    CONTESTED_LEFT_OUT,
    DECIDED,
    SILENT_ABSENT,
    SILENT_LEFT_OUT,
    UNKNOWN_PHRASE,
    UNMENTIONED,
    UNREAD_LEFT_OUT,
)
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.calibration.vocabulary_use import Vocabulary
from radcal.calibration.wordings import wordings
from radcal.feedback.goals import Goals
from radcal.feedback.new_cases import NewCasesOf, example_of
from radcal.feedback.records import USUAL_SHEET, Example, FeedbackInput, PageChoice, PageImage, PdfPage, Sheet
from radcal.system import exports
from radcal.system.errors import DataError, EngineError, InputError
from radcal.system.files import plain_to_record
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.words.confirmations import silence_reasons
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase
from radcal.workspace.context import PAGE_CHOICE, Context

if TYPE_CHECKING:
    import pandas as pd
    import pypdfium2


# --- the input of an author's feedback pages, from the analysis

EXAMPLES = 4
"""Examples printed for each phrase with advice."""
UNREAD = Text("pairs left out because one of their reports could not be read")
COUNTS_IN_WORDS: Mapping[str, str] = {
    UNMENTIONED: UNMENTIONED,
    SILENT_ABSENT: Text("not mentioned on CT, taken as absent"),
    DECIDED: Text("left unread at first, decided by a person"),
    SILENT_LEFT_OUT: Text("not mentioned on CT, left out"),
    UNKNOWN_PHRASE: Text("worded in a phrase of no list, left out"),
    UNREAD_LEFT_OUT: Text("not read with enough certainty, left out"),
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
        examples=_examples(observations, analysis, phrases, silence),
        phrases=phrases,
        provenance=analysis.provenance,
        counts=_counts(analysis) | ({UNREAD: pairs.unread} if pairs.unread else {}),
        days=days,
        pooled=next(iter(analysis.pooled), None),
        pooled_advice=next(iter(analysis.pooled_advices), None),
        unread=next((u for u in analysis.unread if u.topic == ALL_TOPICS), None),
    )


def _counts(analysis: Analysis) -> dict[str, int]:
    """Non-zero totals over all topics, and that of UNMENTIONED in any case."""
    totals = dict.fromkeys(COUNTS_IN_WORDS, 0)
    for _author, _topic, what, n in analysis.counts:
        if what in totals:
            totals[what] += n
    return {COUNTS_IN_WORDS[what]: n for what, n in totals.items() if n or what == UNMENTIONED}


def _examples(
    observations: pd.DataFrame, analysis: Analysis, phrases: Sequence[Phrase], silence: Mapping[str, str]
) -> tuple[Example, ...]:
    """The latest findings behind each recommendation, first those to which the word suggested is closer.

    Recommendations over all pathologies rest on those that do not merely describe the film.  Words that differ without
    a recommendation follow, as if what CT showed were recommended.
    """
    mean = {p.name: mean_of(p) for p in phrases}
    advices = (*analysis.advices, *analysis.pooled_advices)
    diagnosed = ~observations["topic"].isin([a.topic for a in advices if a.closed])
    asked = {(a.topic, r.source): mean[r.target] for a in advices for r in a.recommendations}
    for topic, p in ((r.topic, p) for r in analysis.reliabilities for p in r.phrases if p.differs and p.phrase in mean):
        asked.setdefault((topic, p.phrase), p.rate)
    examples: list[Example] = []
    for (topic, source), target in asked.items():
        of_topic = diagnosed if topic == ALL_TOPICS else observations["topic"] == topic
        own = of_topic & (observations["phrase"] == source)
        found = observations[own].sort_values("xray_time", ascending=False, kind="stable", ignore_index=True)
        closer = (found["outcome"] - target).abs() < (found["outcome"] - mean[source]).abs()
        chosen = found[closer].head(EXAMPLES - 1)
        others = found[~closer].head(EXAMPLES - len(chosen))
        rows = (*chosen.to_dict("records"), *others.to_dict("records"))
        examples.extend(example_of(row, silence) for row in rows)
    return tuple(dict.fromkeys(examples))


LONGEST_NOTE = 2000
DRAFTING = "somebody who drafts reports"
"""In the audit log, whoever has no pseudonym because no report is attributed to them."""
_PAGES, _CARD = "pages as PDF", "pocket card as PDF"
"""In the audit log."""
POINTS_PER_INCH = 72.0
MOST_PIXELS = 60_000_000
"""A page larger than this is drawn as large as this allows; 600 dpi on A4 are 35 million."""
_BGRX = 3
"""FPDFBitmap_BGRx."""


@dataclass(eq=False, repr=False)
class FeedbackPages:
    """The feedback pages and pocket cards of radiologists and of the department, and pages on drafts.

    What is left out of an author's pages is left out of the card, too.  Methods may take a second and must not run in
    the GUI thread; those that read a PDF are for the worker only, since PDFium may be used by one thread at a time.

    withheld: why feedback is not handed out to single radiologists, '' where it is
    """

    _context: Context
    _stored: StoredAnalysis
    _authors: AuthorResults
    _contests: Contests
    _vocabulary: Vocabulary
    _goals: Goals
    _cases: NewCasesOf
    withheld: Callable[[], Text]

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
        """
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
            goal=self._goals.said(author),
            new=self._cases.of(author, days),
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

    # --- PDF files

    def pdf(
        self,
        author: str,
        choice: PageChoice | None = None,
        *,
        card: bool = False,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> bytes:
        """The author's pages or pocket card, or with '' the department's; the same input gives the same bytes.

        The department's pages have all radiologists under their pseudonyms, its card has all of them together.

        Args:
            choice: contents of the author's pages; None for the stored choice.
            card: the pocket card in place of the pages.
            days: date range of the examinations.
            sheet: paper, standard and language.

        Raises:
            InputError: unknown author, paper, standard or language, or an empty date range.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
            EngineError: typesetting failed.
        """
        data = self.input(author, days, progress) if author else tuple(self.inputs(days, progress))
        progress.raise_if_cancelled()
        return self._pdf(data, choice, sheet, card=card)

    def write(
        self,
        author: str,
        out: Path,
        choice: PageChoice | None = None,
        *,
        card: bool = False,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write the PDF; arguments and errors as for :meth:`pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        pdf = self.pdf(author, choice, card=card, days=days, sheet=sheet, progress=progress)
        progress.raise_if_cancelled()
        to = self._stored.pseudonyms()[author] if author else ""
        written = self._context.exports.write(out, _export(pdf, card=card, to=to))
        if author and not card:
            self.note_handed_out(author, days)
        return written

    def note_handed_out(self, author: str, days: Days = ALL_DAYS) -> None:
        """Remember that an author's pages were handed out: their cases are not new any more, and the goal was told."""
        self._cases.note_shown(author, days)
        self._goals.note_told(author)

    def export(
        self,
        data: FeedbackInput | Iterable[FeedbackInput],
        sheet: Sheet = USUAL_SHEET,
        choice: PageChoice | None = None,
        *,
        card: bool = False,
    ) -> exports.Export:
        """The PDF for an author's input, or the department's for those of all; the rest is as of :meth:`pdf`."""
        to = data.pseudonym if isinstance(data, FeedbackInput) else ""
        return _export(self._pdf(data, choice, sheet, card=card), card=card, to=to)

    def _pdf(
        self, data: FeedbackInput | Iterable[FeedbackInput], choice: PageChoice | None, sheet: Sheet, *, card: bool
    ) -> bytes:
        from radcal.feedback import pdf

        how, scale = pdf.Print.on(sheet, self._context.settings), self._vocabulary.scale
        if not isinstance(data, FeedbackInput):
            inputs = tuple(data)
            return pdf.department_card_pdf(inputs, how, scale) if card else pdf.department_pdf(inputs, how)
        self.require_accuracy()
        chosen = self.choice(data.author) if choice is None else choice
        if card:
            return pdf.card_pdf(data, how, scale, chosen)
        if chosen.comparison:
            data = replace(data, others=self._authors.others(data.author, data.days))
        return pdf.feedback_pdf(data, how, chosen)

    # --- pages on one person's drafts and the wording that was signed

    def drafting(self) -> tuple[str, ...]:
        """The people with drafts, also those to whom no report is attributed, as :meth:`Drafts.people`."""
        return Drafts(self._context).people()

    def drafts_pdf(
        self, person: str, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> bytes:
        """A person's pages on drafts; the same drafts and analysis give the same bytes.

        Raises:
            InputError: somebody without drafts, an unknown paper, standard or language, or an empty date range.
            DataError, EngineError, Cancelled: as for :meth:`pdf`.
        """
        from radcal.feedback.pdf import Print, drafts_pdf

        self.require_accuracy()
        created = self._stored.required().provenance.created
        own = Drafts(self._context).of(person, days, progress)
        own = replace(own, dated=not self._context.masking.leaves_days_out)
        return drafts_pdf(own, created, Print.on(sheet, self._context.settings))

    def write_drafts(
        self,
        person: str,
        out: Path,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write the pages on drafts; arguments and errors as for :meth:`drafts_pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        pdf = self.drafts_pdf(person, days=days, sheet=sheet, progress=progress)
        to = self._stored.pseudonyms().get(person, DRAFTING)
        return self._context.exports.write(out, exports.data(pdf, "pages on drafts as PDF", to=to))

    # --- on the screen and to a printer

    @staticmethod
    def pdf_pages(pdf: bytes) -> tuple[PdfPage, ...]:
        """Size and text of each page of a PDF.

        Raises:
            EngineError: the bytes are no PDF.
        """
        with _opened(pdf) as document:
            pages = []
            for page in document:
                text = page.get_textpage()
                width, height = page.get_size()
                pages.append(PdfPage(width, height, text.get_text_bounded()))
                text.close()
                page.close()
            return tuple(pages)

    @staticmethod
    def images(pdf: bytes, numbers: Sequence[int], dpi: float, progress: Progress = SILENT) -> list[PageImage]:
        """Pages of a PDF as pictures on white.

        Args:
            numbers: which pages, from 0.
            dpi: dots per inch of paper, above 0; less where a page would have more than MOST_PIXELS.

        Raises:
            EngineError: the bytes are no PDF, or a page cannot be drawn.
        """
        progress.raise_if_cancelled()
        made = []
        with _opened(pdf) as document:
            for number in numbers:
                page = document[number]
                width, height = page.get_size()
                scale = dpi / POINTS_PER_INCH
                scale *= min(1.0, (MOST_PIXELS / (width * height * scale * scale)) ** 0.5)
                # Four bytes a pixel, blue first, the fourth unused: what screens and printers take without a copy.
                bitmap = page.render(scale=scale, prefer_bgrx=True, rev_byteorder=False, force_bitmap_format=_BGRX)
                made.append(PageImage(number, bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer)))
                bitmap.close()
                page.close()
                progress.raise_if_cancelled()
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


def _export(pdf: bytes, *, card: bool, to: str = "") -> exports.Export:
    """A PDF for a file, of whoever has the pseudonym ``to`` or of the department."""
    what = _CARD if card else _PAGES
    return exports.data(pdf, what if to else f"department's {what}", to=to)


@contextmanager
def _opened(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError:
        raise EngineError(
            "The pages could not be read back to be shown. Make them again; if that does not help, save them as PDF "
            "and open the file in another program."
        ) from None
    try:
        yield document
    finally:
        document.close()
