"""The first page: open a workspace, make one from report files, or look at the sample."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.pages.page import label, wrapped
from ui.words import translate


class StartPage(QWidget):
    """Three ways to begin."""

    open_workspace = Signal()
    new_from_files = Signal()
    open_sample = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(
            label(translate("start", "Do certainty words mean what readers take them to mean?"), role="title")
        )
        column.addSpacing(4)
        column.addWidget(
            wrapped(
                translate(
                    "start",
                    "RadCal compares the words of chest X-ray reports with what CT found within hours, and shows each"
                    " radiologist which words held and which word would have served better.",
                )
            )
        )
        column.addSpacing(20)
        self.buttons: list[QPushButton] = []
        for text, about, signal in (
            (
                translate("start", "&Open a workspace\u2026"),
                translate("start", "An encrypted file that RadCal made earlier. You need its passphrase."),
                self.open_workspace,
            ),
            (
                translate("start", "&New from report files\u2026"),
                translate(
                    "start", "X-ray and CT reports as CSV, TSV, Excel, or a folder of text files with a manifest."
                ),
                self.new_from_files,
            ),
            (
                translate("start", "Open the &sample"),
                translate("start", "An invented department, to see what RadCal does. No patient is in it."),
                self.open_sample,
            ),
        ):
            button = QPushButton(text)
            button.setObjectName("choice")
            button.setAccessibleDescription(about)
            button.clicked.connect(signal)
            self.buttons.append(button)
            column.addWidget(button)
            column.addWidget(label(about, role="muted"))
            column.addSpacing(12)
        column.addSpacing(8)
        column.addWidget(
            wrapped(
                translate(
                    "start",
                    "Nothing leaves this computer. Reports and results stay in one encrypted file that you choose.",
                ),
                role="muted",
            )
        )
        inner = QWidget()
        inner.setLayout(column)
        inner.setFixedWidth(640)
        layout = QHBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(inner, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addStretch(1)

    def set_busy(self, busy: bool) -> None:
        """While something is being opened the choices wait."""
        for button in self.buttons:
            button.setEnabled(not busy)
