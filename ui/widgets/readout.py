"""A line below a plot with the values at the pointer, or a hint; and a column layout."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLayout, QWidget

from ui.widgets.labels import label
from ui.widgets.layouts import vbox
from ui.widgets.pictures import PictureCard
from ui.widgets.tables import DataTable


class Readout(QWidget):
    """Connected to a plot's readout signal."""

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self.text = label(hint, role="muted")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.text.setMinimumHeight(2 * self.fontMetrics().height())
        vbox(self.text, parent=self)

    @Slot(object)
    def read(self, text: str) -> None:
        """Show the values, '' for none."""
        self.text.setText(text or self._hint)


def column(*parts: QWidget | QLayout) -> QWidget:
    """The parts in a column; plots and tables take the extra space."""
    made = QWidget()
    stretched = [(part, 1) if isinstance(part, PictureCard | DataTable) else part for part in parts]
    vbox(*stretched, parent=made, margins=(0, 8, 0, 0))
    return made
