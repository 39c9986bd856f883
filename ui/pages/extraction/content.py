"""The content of a tab, or the reason why there is none; tables whose actions can be locked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.layout import vbox
from ui.kit.text import label, wrapped

if TYPE_CHECKING:
    from ui.kit.table import DataTable


class TabContent(QWidget):
    """Content below an optional heading, or a text instead of it."""

    def __init__(self, content: QWidget, otherwise: str = "", *, heading: str = "") -> None:
        super().__init__()
        self.content = content
        self.otherwise = wrapped(otherwise, role="muted")
        self.otherwise.hide()
        head = (label(heading, role="strong"),) if heading else ()
        placed = (self.otherwise, 0, Qt.AlignmentFlag.AlignTop)
        vbox(*head, (content, 1), placed, parent=self, margins=(0, 12, 0, 0), spacing=-1)

    def show_content(self, there: bool) -> None:
        """Show the content, or say why there is none."""
        self.content.setVisible(there)
        self.otherwise.setVisible(not there)


class TableContent(TabContent):
    """A table with buttons for its rows; ``show_buttons`` of a subclass enables them."""

    def __init__(self, table: DataTable, otherwise: str = "", *, heading: str = "") -> None:
        super().__init__(table, otherwise, heading=heading)
        self.table = table
        self.locked = ""
        table.view.selectionModel().selectionChanged.connect(self.show_buttons)

    def set_locked(self, why: str) -> None:
        """Lock the buttons for this reason, or unlock them for ''."""
        self.locked = why
        self.show_buttons()

    @Slot()
    def show_buttons(self, *_: object) -> None:
        """Enable the buttons that apply to the selected rows."""
