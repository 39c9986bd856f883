"""A preview of a radiologist's pages, rendered from the PDF at a given place and size, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.kit import keyboard
from ui.kit.action import tool_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import label
from ui.pages.feedback import work
from ui.widgets.empty import EmptyState, all_dates
from ui.widgets.pdf_view import PdfView
from ui.words import percent, say

if TYPE_CHECKING:
    from ui.shell import Shell

IMAGES = "feedback pictures"
Shown = work.Preview | work.Ready


class ReadingPanel(QWidget):
    """Requests images of the visible pages.  ``all_dates_wanted``: leave a date range without findings.

    note: label of the work in progress
    """

    all_dates_wanted = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None, *, operation: str = IMAGES) -> None:
        super().__init__(parent)
        self._shell, self._operation = shell, operation
        self._preview: Shown | None = None
        self.view = PdfView()
        self.view.images_wanted.connect(self._draw)
        self.view.place_changed.connect(self._show_place)
        self.nothing = EmptyState()
        self.nothing.pressed.connect(self.all_dates_wanted)
        self.place = label(role="muted")
        self.note = label(role="muted")
        self.smaller = tool_button("\u2212", self.view.zoom_out, tip=say("Zoom out (Ctrl+\u2212)"))
        self.larger = tool_button("+", self.view.zoom_in, tip=say("Zoom in (Ctrl++)"))
        self.fit = tool_button(say("Fit"), self.view.fit_width, tip=say("Fit the width (Ctrl+0)"))
        self._bar = QWidget()
        hbox(self.place, 12, (self.note, 1), self.smaller, self.larger, self.fit, parent=self._bar, spacing=4)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.nothing)
        vbox(self._bar, (self._stack, 1), parent=self, margins=(0, 0, 0, 0), spacing=4)

    def show_preview(self, preview: Shown | None) -> None:
        """Show these pages; None while they are being made."""
        self._preview = preview
        self.view.set_pages(preview.pages if preview is not None else ())
        leaves = keyboard.is_in(self.nothing)
        self._stack.setCurrentWidget(self.view)
        if leaves:
            self.view.setFocus()
        self._bar.setVisible(True)

    def show_no_findings(self, text: str) -> None:
        """Say that the date range has no findings; the button selects all dates."""
        self.show_preview(None)
        self.nothing.show_text(text, all_dates())
        self._stack.setCurrentWidget(self.nothing)
        self._bar.setVisible(False)

    def turn(self, step: int) -> None:
        """Scroll by ``step`` pages."""
        self.view.go_to_page(self.view.page + step)

    @Slot(object, object)
    def _draw(self, numbers: tuple[int, ...], dpi: float) -> None:
        if self._preview is not None:
            pdf = self._preview.pdf
            self._shell.run(
                self._operation,
                lambda department, progress: department.pages.images(pdf, numbers, dpi, progress),
                self.view.set_images,
            )

    @Slot(object, object)
    def _show_place(self, page: int, zoom: float) -> None:
        n = len(self._preview.pages) if self._preview else 0
        text = say("Page {page:,} of {pages:,} \u00b7 {zoom}", page=page + 1, pages=n, zoom=percent(zoom)) if n else ""
        self.place.setText(text)
