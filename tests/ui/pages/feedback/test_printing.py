"""Pages on paper other than that which they were made for."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMarginsF, QPoint, QRect
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrinter
from pytestqt.qtbot import QtBot

from radcal.calibration.analysis_records import Provenance
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.pdf import feedback_pdf
from radcal.feedback.records import FeedbackInput, PageImage
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT
from ui.pages.feedback.printing import print_pages

MADE = datetime(2026, 10, 2, tzinfo=UTC)


@pytest.fixture(scope="module")
def pages() -> bytes:
    """One page of A4."""
    made = Provenance("rules", "1.0", "0123456789abcdef", "2026.1", 0, {}, None, None, 0, MADE)
    return feedback_pdf(FeedbackInput("Dr. Jane Halloway", "Avery", (), (), (), (), made))


def ink(image: PageImage) -> QRect:
    """The smallest rectangle with everything that is not white."""
    pixels = np.frombuffer(image.data, np.uint8).reshape(image.height, image.stride // 4, 4)[:, : image.width, :3]
    rows, columns = np.nonzero(pixels.min(axis=2) < 200)
    return QRect(QPoint(int(columns.min()), int(rows.min())), QPoint(int(columns.max()), int(rows.max())))


@pytest.mark.parametrize("size", [QPageSize.PageSizeId.Legal, QPageSize.PageSizeId.Letter, QPageSize.PageSizeId.A5])
@pytest.mark.parametrize("orientation", [QPageLayout.Orientation.Portrait, QPageLayout.Orientation.Landscape])
def test_pages_keep_their_shape_on_other_paper(
    qtbot: QtBot, pages: bytes, tmp_path: Path, size: QPageSize.PageSizeId, orientation: QPageLayout.Orientation
) -> None:
    """Everything is there, as large as fits, in the middle, and nothing is stretched."""
    entered: list[tuple[str, int]] = []
    department = SimpleNamespace(
        pages=SimpleNamespace(
            images=lambda pdf, numbers, dpi, _progress: list(FeedbackPages.images(pdf, numbers, dpi)),
            enter_printed=lambda author, n: entered.append((author, n)),
        ),
    )
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printer.setResolution(150)
    printer.setPageLayout(QPageLayout(QPageSize(size), orientation, QMarginsF(0, 0, 0, 0)))
    printer.setFullPage(True)
    assert print_pages(department, SILENT, printer=printer, pdf=pages, numbers=(0,)) == 1
    assert entered == [("", 1)]
    [paper] = FeedbackPages.images((tmp_path / "printed.pdf").read_bytes(), (0,), 100)
    [screen] = FeedbackPages.images(pages, (0,), 100)
    printed, made = ink(paper), ink(screen)
    scale = min(paper.width / screen.width, paper.height / screen.height)
    assert printed.width() == pytest.approx(scale * made.width(), rel=0.02)
    assert printed.height() == pytest.approx(scale * made.height(), rel=0.02)
    assert printed.center().x() == pytest.approx(paper.width / 2, abs=0.02 * paper.width)
    assert printed.top() == pytest.approx(
        (paper.height - scale * screen.height) / 2 + scale * made.top(), abs=0.02 * paper.height
    )


@pytest.mark.qt_log_ignore("QPainter::begin")
def test_nothing_is_entered_where_the_printer_takes_nothing_and_printing_is_stopped(
    qtbot: QtBot, pages: bytes, tmp_path: Path, onlooker: Any
) -> None:
    entered: list[str] = []
    of = SimpleNamespace(images=FeedbackPages.images, enter_printed=lambda author, _n: entered.append(author))
    department = SimpleNamespace(pages=of)
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "nowhere" / "printed.pdf"))
    with pytest.raises(InputError, match="The printer does not answer"):
        print_pages(department, SILENT, printer=printer, pdf=pages, numbers=(0,))
    assert entered == []
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    with pytest.raises(Cancelled):
        print_pages(department, onlooker(looks=0), printer=printer, pdf=pages, numbers=(0,))
