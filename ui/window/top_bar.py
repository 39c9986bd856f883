"""The window's head: the open department, ways to another, and the selectors."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from radcal.system.kinds import FileKind
from ui.kit.keyboard import LOCK, QUIT, TOUR
from ui.kit.layout import hbox
from ui.records import Opened
from ui.theme import px
from ui.window.selector_bar import SelectorBar
from ui.words import say

HEIGHT = 48
_LONGEST = 44


class TopBar(QFrame):
    """Holds the ``selectors``.  ``shortcuts`` are the menu's actions, to be added to the window."""

    open_workspace = Signal()
    new_from_files = Signal()
    open_sample = Signal()
    tour_wanted = Signal()
    keys_wanted = Signal()
    about_wanted = Signal()
    faults_wanted = Signal()
    lock_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self.setFixedHeight(px(HEIGHT))
        self.selectors = SelectorBar()
        self.department = QToolButton()
        self.department.setAutoRaise(True)
        self.department.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.department)
        self.shortcuts: list[QAction] = []
        for text, keys, signal in (
            (say("&Open a workspace\u2026"), QKeySequence.StandardKey.Open, self.open_workspace),
            (say("&New from report files\u2026"), QKeySequence.StandardKey.New, self.new_from_files),
            (say("Open the &sample"), None, self.open_sample),
        ):
            action = menu.addAction(text)
            action.triggered.connect(signal)
            if keys is not None:
                action.setShortcut(keys)
                self.shortcuts.append(action)
        self._ways_in = menu.actions()
        menu.addSeparator()
        self.tour = menu.addAction(say("Take the &tour"), self.tour_wanted.emit)
        self.tour.setShortcut(QKeySequence(TOUR))
        self.shortcuts.append(self.tour)
        listing = menu.addAction(say("&Keyboard shortcuts"), self.keys_wanted.emit)
        listing.setShortcut(QKeySequence("Ctrl+/"))
        listing.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # shown here, handled by the window
        menu.addAction(say("Log of &faults\u2026"), self.faults_wanted.emit)
        menu.addAction(say("&About RadCal"), self.about_wanted.emit)
        menu.addSeparator()
        self.lock = menu.addAction(say("&Lock now"), self.lock_wanted.emit)
        self.lock.setShortcut(QKeySequence(LOCK))
        self.shortcuts.append(self.lock)
        leave = menu.addAction(say("&Quit RadCal"), self.quit_wanted.emit)
        leave.setShortcut(QKeySequence(QUIT))
        leave.setMenuRole(QAction.MenuRole.QuitRole)
        self.shortcuts.append(leave)
        self.department.setMenu(menu)
        hbox(self.department, None, self.selectors, parent=self, margins=(8, 8, 8, 8), spacing=-1)
        self.show_department(None)

    def show_department(self, opened: Opened | None) -> None:
        """Name the department."""
        title = window_title(opened)
        self.lock.setEnabled(opened is not None and not opened.sample)
        self.tour.setVisible(opened is None or opened.kind is FileKind.DEPARTMENT)
        # The window title shows a long name in full.
        shown = title if len(title) <= _LONGEST else f"{title[: _LONGEST - 12]}\u2026{title[-11:]}"
        self.department.setText(f"{shown}  \u25be".replace("&", "&&"))
        self.department.setToolTip(title if shown != title else "")
        self.department.setAccessibleName(say("{title}, menu", title=title))

    def set_busy(self, busy: bool) -> None:
        """Disable opening while something is being opened."""
        for action in (*self._ways_in, self.tour):
            action.setEnabled(not busy)


def window_title(opened: Opened | None) -> str:
    """'RadCal - Chest 2026 Q1 (encrypted)'."""
    if opened is None:
        return "RadCal"
    # Only the sample's name is translated.
    name = say("Sample department") if opened.sample else opened.title
    if opened.read_only:
        name = say("{name} (encrypted, read only)", name=name)
    elif not opened.sample:
        name = say("{name} (encrypted)", name=name)
    return f"RadCal \u2013 {name}"
