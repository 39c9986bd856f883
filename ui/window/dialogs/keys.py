"""The list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from ui.kit.dialog import Dialog
from ui.kit.keyboard import LOCK, QUIT, TOUR
from ui.kit.layout import ScrollArea
from ui.kit.text import label, wrapped
from ui.words import say


class KeysDialog(Dialog):
    """Lists the window's shortcuts; ``stages`` are the stage names in order of their numbers."""

    def __init__(self, stages: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(say("Keyboard shortcuts"), parent)
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
        (
            say("Everywhere"),
            [
                (native(standard.Open), say("Open a workspace")),
                (native(standard.New), say("Make a workspace from report files")),
                (native(standard.Save), say("Save the page of the chosen radiologist as PDF")),
                (native(standard.Undo), say("Undo the last change on this page")),
                (native(standard.Redo), say("Do it again")),
                (native(standard.Find), say("Search in the table of this page")),
                (native(standard.HelpContents), say("Help")),
                (native(TOUR), say("The tour: \u2192 and \u2190 go on and back, Esc ends it")),
                (native("Ctrl+/"), say("This list")),
                (native("F6"), say("To the tour, the message above the page, the task under way, and back")),
                (native("Esc"), say("Back")),
                ("Tab", say("To the next control; with Shift to the one before")),
                (native(LOCK), say("Lock: everything is hidden until the passphrase is given")),
                (native(QUIT), say("Quit; work under way is asked about first")),
            ],
        ),
        (
            say("Stages"),
            [(native(f"Ctrl+{n}"), name) for n, name in enumerate(stages[:9], start=1)],
        ),
        (
            say("Selection"),
            [
                ("Alt+R", say("Radiologist")),
                ("Alt+P", say("Pathology")),
                ("\u2191 \u2193", say("The one before, the next one")),
            ],
        ),
        (
            say("Tables"),
            [
                (native(standard.Copy), say("Copy the selected rows, with their header")),
                ("Enter", say("Open the row")),
            ],
        ),
        (
            say("Findings"),
            [
                ("Enter", say("Open both reports")),
                ("\u2190 \u2192", say("The case before, the next one")),
                ("C", say("Contest the finding, or take that back")),
            ],
        ),
        (
            say("Pictures"),
            [
                ("\u2190 \u2192 \u2191 \u2193", say("From mark to mark, reading their numbers")),
                ("Enter", say("Open what the mark stands for, where it leads somewhere")),
            ],
        ),
        (
            say("Advice: what if"),
            [
                ("\u2191 \u2193", say("Choose a band")),
                ("\u2190 \u2192", say("In fewer cases, in more")),
                (f"{native('Shift+Up')}  {native('Shift+Down')}", say("To another word")),
                (native("Del"), say("Take the change back")),
            ],
        ),
        (
            say("Feedback"),
            [
                (native(standard.Print), say("Print the pages")),
                (f"{native('Ctrl++')}  {native('Ctrl+-')}", say("Larger, smaller")),
                (native("Ctrl+0"), say("Fit the width")),
                (f"{native('Ctrl+PgDown')}  {native('Ctrl+PgUp')}", say("The next page, the one before")),
            ],
        ),
        (
            say("Try a sentence"),
            [
                (f"{native('F8')}  {native('Shift+F8')}", say("The next suggestion, the one before")),
                (native("Ctrl+Return"), say("Use the suggestion")),
            ],
        ),
    ]
