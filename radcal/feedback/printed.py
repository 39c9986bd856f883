"""What is printed for each author and for the department, from the input of the feedback pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from radcal.feedback.records import USUAL_SHEET, FeedbackInput, PageChoice, Sheet
from radcal.system import exports
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.workspace.context import Context


class Printed(ABC):
    """Makes and writes PDF files; methods may take a second and must not run in the GUI thread."""

    WHAT: ClassVar[str]
    """One author's, in the audit log."""
    WHAT_OF_DEPARTMENT: ClassVar[str]
    """The department's, in the audit log."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @abstractmethod
    def input(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> FeedbackInput:
        """The input for an author, from the examinations in the date range.

        Raises:
            InputError: an author without statements in this workspace, or an empty date range.
            DataError: there is no analysis yet.
            Cancelled: by ``progress``.
        """

    @abstractmethod
    def inputs(self, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Iterator[FeedbackInput]:
        """The input for every author, by name; errors as for :meth:`input`."""

    @abstractmethod
    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """The PDF for an author's input; see :meth:`pdf`."""

    @abstractmethod
    def department_pdf_of(self, inputs: Iterable[FeedbackInput], sheet: Sheet = USUAL_SHEET) -> bytes:
        """The PDF for the inputs of all authors; see :meth:`department_pdf`."""

    def pdf(
        self,
        author: str,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> bytes:
        """The author's PDF; the same input gives the same bytes.

        Args:
            choice: contents of the feedback pages; None for the stored choice.
            days: date range of the examinations.
            sheet: paper, standard and language.

        Raises:
            InputError: unknown author, paper, standard or language, or an empty date range.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
            EngineError: typesetting failed.
            Cancelled: by ``progress``.
        """
        data = self.input(author, days, progress)
        progress.raise_if_cancelled()
        return self.pdf_of(data, choice, sheet)

    def department_pdf(
        self, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> bytes:
        """The department's PDF; arguments and errors as for :meth:`pdf`."""
        inputs = tuple(self.inputs(days, progress))
        progress.raise_if_cancelled()
        return self.department_pdf_of(inputs, sheet)

    def export(
        self, data: FeedbackInput, sheet: Sheet = USUAL_SHEET, choice: PageChoice | None = None
    ) -> exports.Export:
        """The PDF for an author's input, for a file."""
        return exports.data(self.pdf_of(data, choice, sheet), self.WHAT, to=data.pseudonym)

    def department_export(self, inputs: Iterable[FeedbackInput], sheet: Sheet = USUAL_SHEET) -> exports.Export:
        """The PDF for the inputs of all authors, for a file."""
        return exports.data(self.department_pdf_of(inputs, sheet), self.WHAT_OF_DEPARTMENT)

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
        """Write the author's PDF; arguments and errors as for :meth:`pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        data = self.input(author, days, progress)
        progress.raise_if_cancelled()
        export = self.export(data, sheet, choice)
        progress.raise_if_cancelled()
        return self._context.exports.write(out, export)

    def write_department(
        self, out: Path, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> Path:
        """Write the department's PDF; arguments and errors as for :meth:`department_pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        inputs = tuple(self.inputs(days, progress))
        progress.raise_if_cancelled()
        export = self.department_export(inputs, sheet)
        progress.raise_if_cancelled()
        return self._context.exports.write(out, export)
