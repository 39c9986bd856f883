"""Printing: the system's print dialog, and pages rendered for the printer in the worker."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, QSizeF, Qt, Slot
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog

from radcal.system.errors import Cancelled, InputError
from radcal.system.text import EMPTY
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.department import Department
    from radcal.feedback.records import PdfPage
    from radcal.system.progress import Progress
    from radcal.system.selection import Days
    from ui.shell import Shell

PRINT = "print"
_MOST_DPI = 600.0


class Printing(QObject):
    """Asks for a printer without blocking, and prints."""

    def __init__(self, shell: Shell, window: QWidget) -> None:
        super().__init__(window)
        self._shell, self._window = shell, window
        self.dialog: QPrintDialog | None = None

    def ask(
        self, name: str, pdf: bytes, pages: tuple[PdfPage, ...], author: str = "", days: Days | None = None
    ) -> None:
        """Open the system's print dialog.

        Args:
            name: appears in the print queue.
            author: whose pages they are;  days: of a radiologist's feedback, the dates that it is of.
        """
        if self.dialog is not None or not pages:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(name)
        printer.setCreator("RadCal")
        set_paper(printer, pages[0])
        dialog = self.dialog = QPrintDialog(printer, self._window)
        dialog.setMinMax(1, len(pages))
        dialog.accepted.connect(partial(self._print, printer, name, pdf, pages, author, days))
        dialog.finished.connect(self._closed)
        QDialog.open(dialog)  # QPrintDialog.open wants a receiver

    @Slot()
    def _closed(self, *_: object) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def _print(
        self,
        printer: QPrinter,
        name: str,
        pdf: bytes,
        pages: tuple[PdfPage, ...],
        author: str,
        days: Days | None,
        *_: object,
    ) -> None:
        """The dialog's signal of this name passes the printer again."""
        chosen = chosen_pages(printer, len(pages))
        self._shell.run(
            PRINT,
            partial(print_pages, printer=printer, pdf=pdf, numbers=chosen, author=author, days=days),
            _printed,
            title=say("Printing {name}", name=name),
        )


def set_paper(printer: QPrinter, page: PdfPage) -> None:
    """Use the pages' paper size without margins: the pages have their own."""
    size = QPageSize(QSizeF(page.width, page.height), QPageSize.Unit.Point)
    printer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    printer.setFullPage(True)


def chosen_pages(printer: QPrinter, n: int) -> tuple[int, ...]:
    """The page range selected in the dialog, from 0."""
    first, last = printer.fromPage() or 1, printer.toPage() or n
    numbers = tuple(range(first - 1, min(last, n)))
    return numbers[::-1] if printer.pageOrder() == QPrinter.PageOrder.LastPageFirst else numbers


def print_pages(
    department: Department,
    progress: Progress,
    *,
    printer: QPrinter,
    pdf: bytes,
    numbers: tuple[int, ...],
    author: str = "",
    days: Days | None = None,
) -> int:
    """Print pages at the printer's resolution in turn; returns their number.  Runs in the worker.

    author: whose pages they are, '' for the department's;  days: of a radiologist's feedback, the dates that it is of

    Raises:
        InputError: the printer does not respond.
        Cancelled: the job was cancelled.
    """
    dpi = min(float(printer.resolution()), _MOST_DPI)
    painter = QPainter()
    if not painter.begin(printer):
        raise InputError(
            "The printer does not answer, or the file cannot be written. Choose another one, or save the pages as PDF."
        )
    try:
        department.pages.enter_printed(author, len(numbers))
        if days is not None:
            department.pages.note_handed_out(author, days)
        progress.start(len(numbers), EMPTY)
        for place, number in enumerate(numbers):
            if place:
                printer.newPage()
            [image] = department.pages.images(pdf, (number,), dpi, progress)
            picture = QImage(image.data, image.width, image.height, image.stride, QImage.Format.Format_RGB32)
            paper = printer.pageLayout().fullRectPixels(printer.resolution()).size()
            painter.drawImage(_within(QSizeF(paper), QSizeF(picture.size())), picture)
            progress.advance()
    except Cancelled:
        printer.abort()
        raise
    finally:
        painter.end()
    return len(numbers)


def _within(paper: QSizeF, page: QSizeF) -> QRectF:
    """The page's rectangle on other paper: as large as fits, same aspect ratio, centred."""
    size = page.scaled(paper, Qt.AspectRatioMode.KeepAspectRatio)
    return QRectF(QPointF((paper.width() - size.width()) / 2, (paper.height() - size.height()) / 2), size)


def _printed(_n: int) -> None:
    """No message: the system reports on printing."""
