"""The list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ui.widgets.keyboard import QUIT
from ui.widgets.labels import label, wrapped
from ui.words import translate


class KeysDialog(QDialog):
    """Lists the window's shortcuts; ``stages`` are the stage names in order of their numbers."""

    def __init__(self, stages: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("keys", "Keyboard shortcuts"))
        self.setMinimumSize(520, 420)
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        row = 0
        for heading, keys in _keys(stages):
            grid.addWidget(label(heading, role="strong"), row, 0, 1, 2)
            row += 1
            for key, what in keys:
                grid.addWidget(label(key), row, 0)
                grid.addWidget(wrapped(what), row, 1)
                row += 1
            grid.setRowMinimumHeight(row, 8)
            row += 1
        grid.setRowStretch(row, 1)
        scroll = QScrollArea()
        scroll.setObjectName("framed")
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        scroll.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox()
        close = QPushButton(translate("keys", "&Close"))
        buttons.addButton(close, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(scroll, 1)
        layout.addWidget(buttons)
        close.setFocus()


def native(key: str | QKeySequence.StandardKey) -> str:
    """A key in the platform's notation."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def _keys(stages: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    standard = QKeySequence.StandardKey
    return [
        (
            translate("keys", "Everywhere"),
            [
                (native(standard.Open), translate("keys", "Open a workspace")),
                (native(standard.New), translate("keys", "Make a workspace from report files")),
                (native(standard.Save), translate("keys", "Save the page of the chosen radiologist as PDF")),
                (native(standard.Undo), translate("keys", "Undo the last change on this page")),
                (native(standard.Redo), translate("keys", "Do it again")),
                (native(standard.Find), translate("keys", "Search in the table of this page")),
                (native(standard.HelpContents), translate("keys", "Help")),
                (native("Ctrl+/"), translate("keys", "This list")),
                (native("F6"), translate("keys", "To the message above the page, to the task under way, and back")),
                (native("Esc"), translate("keys", "Back")),
                ("Tab", translate("keys", "To the next control; with Shift to the one before")),
                (native(QUIT), translate("keys", "Quit; work under way is asked about first")),
            ],
        ),
        (
            translate("keys", "Stages"),
            [(native(f"Ctrl+{n}"), name) for n, name in enumerate(stages[:9], start=1)],
        ),
        (
            translate("keys", "Selection"),
            [
                ("Alt+R", translate("keys", "Radiologist")),
                ("Alt+P", translate("keys", "Pathology")),
                ("\u2191 \u2193", translate("keys", "The one before, the next one")),
            ],
        ),
        (
            translate("keys", "Tables"),
            [
                (native(standard.Copy), translate("keys", "Copy the selected rows, with their header")),
                ("Enter", translate("keys", "Open the row")),
            ],
        ),
        (
            translate("keys", "Pictures"),
            [
                ("\u2190 \u2192 \u2191 \u2193", translate("keys", "From mark to mark, reading their numbers")),
                ("Enter", translate("keys", "Open what the mark stands for, where it leads somewhere")),
            ],
        ),
        (
            translate("keys", "Advice: what if"),
            [
                ("\u2191 \u2193", translate("keys", "Choose a band")),
                ("\u2190 \u2192", translate("keys", "In fewer cases, in more")),
                (f"{native('Shift+Up')}  {native('Shift+Down')}", translate("keys", "To another word")),
                (native("Del"), translate("keys", "Take the change back")),
            ],
        ),
        (
            translate("keys", "Feedback"),
            [
                (native(standard.Print), translate("keys", "Print the pages")),
                (f"{native('Ctrl++')}  {native('Ctrl+-')}", translate("keys", "Larger, smaller")),
                (native("Ctrl+0"), translate("keys", "Fit the width")),
                (f"{native('Ctrl+PgDown')}  {native('Ctrl+PgUp')}", translate("keys", "The next page, the one before")),
            ],
        ),
        (
            translate("keys", "Try a sentence"),
            [
                (f"{native('F8')}  {native('Shift+F8')}", translate("keys", "The next suggestion, the one before")),
                (native("Ctrl+Return"), translate("keys", "Use the suggestion")),
            ],
        ),
    ]
