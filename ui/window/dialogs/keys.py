"""The list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from ui.kit.dialog import Dialog
from ui.kit.keyboard import LOCK, QUIT, TOUR
from ui.kit.layout import ScrollArea
from ui.kit.text import label, wrapped
from ui.theme import px
from ui.words import say


class KeysDialog(Dialog):
    """Lists the window's shortcuts; ``stages`` are the stage names in order of their numbers."""

    def __init__(self, stages: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(say("Keyboard shortcuts"), parent)
        self.setMinimumSize(px(520), px(420))
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
        scroll = ScrollArea()
        scroll.setObjectName("framed")
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        scroll.setAccessibleName(self.windowTitle())
        self.lay_out((scroll, 1))
        self.buttons.buttons()[0].setFocus()


def native(key: str | QKeySequence.StandardKey) -> str:
    """A key in the platform's notation."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def _keys(stages: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    standard = QKeySequence.StandardKey
    return [
        (say("Pages"), [(native(f"Ctrl+{n}"), name) for n, name in enumerate(stages[:9], start=1)]),
        (
            say("Everywhere"),
            [
                (native(standard.Open), say("Open a workspace")),
                (native(standard.New), say("New from report files")),
                (native(standard.Save), say("Save the page as PDF")),
                (f"{native(standard.Undo)}  {native(standard.Redo)}", say("Undo, redo")),
                (native(standard.Find), say("Search in the table")),
                (native(standard.HelpContents), say("Help")),
                (native(TOUR), say("The tour")),
                (native("F6"), say("To the message, the task under way, and back")),
                (native("Esc"), say("Back")),
                (native(LOCK), say("Lock")),
                (native(QUIT), say("Quit")),
            ],
        ),
        (
            say("Tables and pictures"),
            [
                (native(standard.Copy), say("Copy the selected rows")),
                ("Enter", say("Open the row, or what the mark stands for")),
                ("\u2190 \u2192", say("The mark or case before, the next one")),
                ("C", say("Contest the finding, or take that back")),
            ],
        ),
        (
            say("Feedback"),
            [
                (native(standard.Print), say("Print the pages")),
                (f"{native('Ctrl++')}  {native('Ctrl+-')}  {native('Ctrl+0')}", say("Larger, smaller, fit the width")),
                (f"{native('Ctrl+PgDown')}  {native('Ctrl+PgUp')}", say("The next page, the one before")),
                (f"{native('F8')}  {native('Ctrl+Return')}", say("The next suggestion in a draft, use it")),
            ],
        ),
    ]
