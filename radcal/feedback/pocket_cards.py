"""Pocket cards: what a radiologist's words, or the department's, turned out to mean, to be carried along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from radcal.feedback.pages import FeedbackPages
from radcal.feedback.printed import Printed
from radcal.feedback.records import USUAL_SHEET, FeedbackInput, PageChoice, Sheet
from radcal.reliability.vocabulary_use import Vocabulary
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.workspace.context import Context


class PocketCards(Printed):
    """The cards; what is left out of an author's pages is left out of the card, too.

    The department's has all radiologists together, as coarse as :mod:`radcal.system.coarse` has it.
    """

    WHAT: ClassVar[str] = "pocket card as PDF"
    WHAT_OF_DEPARTMENT: ClassVar[str] = "department's pocket card as PDF"

    def __init__(self, context: Context, pages: FeedbackPages, vocabulary: Vocabulary) -> None:
        super().__init__(context)
        self._pages, self._vocabulary = pages, vocabulary

    def input(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> FeedbackInput:
        """As :meth:`FeedbackPages.input`."""
        return self._pages.input(author, days, progress)

    def inputs(self, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """As :meth:`FeedbackPages.inputs`."""
        return self._pages.inputs(days, progress)

    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """The card for an input of pages; see :meth:`pdf`."""
        from radcal.feedback.pdf import Print, card_pdf

        self._pages.require_accuracy()
        how = Print.on(sheet, self._context.settings)
        chosen = self._pages.choice(data.author) if choice is None else choice
        return card_pdf(data, how, self._vocabulary.scale, chosen)

    def department_pdf_of(self, inputs: Iterable[FeedbackInput], sheet: Sheet = USUAL_SHEET) -> bytes:
        """The department's card for inputs of pages; see :meth:`department_pdf`."""
        from radcal.feedback.pdf import Print, department_card_pdf

        return department_card_pdf(tuple(inputs), Print.on(sheet, self._context.settings), self._vocabulary.scale)
