"""Pocket cards: what a radiologist's words, or the department's, turned out to mean, to be carried along."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from radcal import exports
from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS, USUAL_SHEET, Days, FeedbackInput, PageChoice, Sheet
from radcal.workflow.context import Context
from radcal.workflow.handing_out.pages import FeedbackPages
from radcal.workflow.keeping.receipts import Handed, leave_receipt
from radcal.workflow.words.vocabulary import Vocabulary

CARD = "pocket card as PDF"
"""In the audit log and in receipts."""


class PocketCards:
    """Makes the cards; methods may take a second and must not run in the GUI thread."""

    def __init__(self, context: Context, pages: FeedbackPages, vocabulary: Vocabulary) -> None:
        self._context, self._pages, self._vocabulary = context, pages, vocabulary

    def pdf(
        self,
        author: str,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> bytes:
        """The author's card as PDF; pathologies left out of the pages are left out of it, too.

        Args:
            choice: contents of the pages; None for the stored choice.
            days: date range of the examinations.
            sheet: paper, standard and language.

        Raises:
            InputError: unknown author, paper, standard or language, or an empty date range.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
            EngineError: typesetting failed.
            Cancelled: by ``progress``.
        """
        data = self._pages.input(author, days, progress)
        progress.raise_if_cancelled()
        return self.pdf_of(data, choice, sheet)

    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """The card for an input of pages as PDF; see :meth:`pdf`."""
        from radcal.feedback import Print, card_pdf

        self._pages.require_accuracy()
        how = Print.on(sheet, self._context.settings)
        chosen = self._pages.choice(data.author) if choice is None else choice
        return card_pdf(data, how, self._vocabulary.scale, chosen)

    def export(
        self, data: FeedbackInput, sheet: Sheet = USUAL_SHEET, choice: PageChoice | None = None
    ) -> exports.Export:
        """The card for an input of pages, for a file; see :meth:`pdf`."""
        return exports.data(self.pdf_of(data, choice, sheet), CARD, to=data.pseudonym)

    def department_pdf(
        self, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> bytes:
        """The department's card as PDF: all radiologists together, as coarse as :mod:`radcal.coarse` has it.

        Raises:
            InputError: unknown paper, standard or language, or an empty date range.
            DataError: there is no analysis yet.
            EngineError: typesetting failed.
            Cancelled: by ``progress``.
        """
        inputs = tuple(self._pages.inputs(days, progress))
        progress.raise_if_cancelled()
        return self._department_pdf(inputs, sheet)

    def department_export(self, inputs: Sequence[FeedbackInput], sheet: Sheet = USUAL_SHEET) -> exports.Export:
        """The department's card for inputs of pages, for a file; see :meth:`department_pdf`."""
        return exports.data(self._department_pdf(inputs, sheet), "department's pocket card as PDF")

    def _department_pdf(self, inputs: Sequence[FeedbackInput], sheet: Sheet) -> bytes:
        from radcal.feedback import Print, department_card_pdf

        return department_card_pdf(inputs, Print.on(sheet, self._context.settings), self._vocabulary.scale)

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
        """Write the author's card as a PDF file, and leave a receipt; arguments and errors as for :meth:`pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        data = self._pages.input(author, days, progress)
        progress.raise_if_cancelled()
        written = self._context.exports.write(out, self.export(data, sheet, choice))
        leave_receipt(self._context, out.parent, [Handed(CARD, data.pseudonym)])
        return written

    def write_department(
        self, out: Path, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> Path:
        """Write the department's card as a PDF file; arguments and errors as for :meth:`department_pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        inputs = tuple(self._pages.inputs(days, progress))
        progress.raise_if_cancelled()
        return self._context.exports.write(out, self.department_export(inputs, sheet))
