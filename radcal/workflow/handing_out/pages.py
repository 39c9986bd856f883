"""The radiologists' pages: what goes into them, as PDF and as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.records import (
    ALL_DAYS,
    USUAL_SHEET,
    Days,
    FeedbackInput,
    PageChoice,
    PageImage,
    PdfPage,
    Sheet,
)
from radcal.workflow.context import PAGE_CHOICE
from radcal.workflow.handing_out.feedback_input import feedback_input
from radcal.workflow.results.days import within

if TYPE_CHECKING:
    from radcal.workflow.context import Context
    from radcal.workflow.results.analysis import StoredAnalysis
    from radcal.workflow.results.author_results import AuthorResults
    from radcal.workflow.results.contests import Contests

LONGEST_NOTE = 2000


class FeedbackPages:
    """The radiologists' pages; every method may take a second, none may run in the GUI thread."""

    def __init__(self, context: Context, stored: StoredAnalysis, authors: AuthorResults, contests: Contests) -> None:
        self._context = context
        self._stored = stored
        self._authors = authors
        self._contests = contests

    # --- what goes in

    def choice(self, author: str) -> PageChoice:
        """The stored contents of the author's pages; everything by default."""
        stored = self._context.workspace.load_result(PAGE_CHOICE, author)
        return PageChoice() if stored is None else page_choice(stored)

    def keep_choice(self, author: str, choice: PageChoice) -> None:
        """Store the contents of the author's pages.

        Raises:
            InputError: the note is too long, or the workspace is open for reading only.
        """
        if len(choice.note) > LONGEST_NOTE:
            raise InputError(
                "The note has {n:,} characters, and there is room for {longest_note:,}. Shorten it.",
                n=len(choice.note),
                longest_note=LONGEST_NOTE,
            )
        self._context.workspace.save_result(PAGE_CHOICE, author, asdict(choice), {})

    def input(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> FeedbackInput:
        """The input of an author's pages, from the examinations of these days alone.

        Raises:
            InputError: nobody of that name has statements in this workspace, or the range of days is empty.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """
        analysis = self._authors.analysis(author, days, progress)
        observations = self._stored.observations_of(author)
        observations = observations[within(observations["xray_time"], days)]
        # What somebody contested as wrongly read is no example to print, whether or not it counts.
        contested = {(c.xray_id, c.topic) for c in self._contests.all() if c.author == author}
        keys = zip(observations["xray_id"], observations["topic"], strict=True)
        shown = observations.loc[[key not in contested for key in keys]]
        return feedback_input(author, analysis, shown, self._stored.pseudonyms()[author], self._stored.phrases, days)

    def inputs(self, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """The input of every author's pages, by name."""
        for author in self._stored.authors():
            progress.raise_if_cancelled()
            yield self.input(author, days, progress)

    # --- pages

    def pdf(
        self,
        author: str,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> bytes:
        """The author's pages, worked out from the examinations of these days; the same input gives the same bytes.

        Args:
            author: whose pages.
            choice: what goes in; None for what was stored.
            days: whose examinations count.
            sheet: what they are printed on and written in.
            progress: asked whether to stop.

        Raises:
            InputError: no such author, an empty range of days, an unknown paper, standard or language.
            DataError: there is no analysis yet.
            EngineError: the pages could not be typeset.
            Cancelled: by ``progress``.
        """
        data = self.input(author, days, progress)
        progress.raise_if_cancelled()
        return self.pdf_of(data, choice, sheet)

    def pdf_pages(self, pdf: bytes) -> tuple[PdfPage, ...]:
        """Size and text of each page of a PDF."""
        from radcal.feedback.raster import pdf_pages

        return pdf_pages(pdf)

    def images(self, pdf: bytes, numbers: Sequence[int], dpi: float, progress: Progress = SILENT) -> list[PageImage]:
        """Pages of a PDF as pictures.

        Raises:
            Cancelled: by ``progress``.
        """
        from radcal.feedback.raster import page_images

        pictures = []
        progress.raise_if_cancelled()
        for image in page_images(pdf, numbers, dpi):
            progress.raise_if_cancelled()
            pictures.append(image)
        return pictures

    def write(
        self,
        author: str,
        out: Path,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write the author's pages as a PDF; arguments as of :meth:`pdf`.

        Raises:
            InputError: no such author, or the file cannot be written.
            DataError: there is no analysis yet.
        """
        pdf = self.pdf(author, choice, days=days, sheet=sheet, progress=progress)
        progress.raise_if_cancelled()
        return self._context.exports.write(out, exports.data(pdf, "pages as PDF"))

    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """The pages of an input as PDF; see :meth:`pdf`."""
        from radcal.feedback import Print, feedback_pdf

        chosen = self.choice(data.author) if choice is None else choice
        if chosen.comparison:
            data = replace(data, others=self._authors.others(data.author, data.days))
        return feedback_pdf(data, Print.on(sheet, self._context.settings), chosen)


def page_choice(stored: Mapping[str, Any]) -> PageChoice:
    """A stored choice; fields unknown to an older RadCal have their defaults."""
    known = {f.name: stored[f.name] for f in fields(PageChoice) if f.name in stored}
    return PageChoice(**known | {"without": tuple(known.get("without", ()))})
