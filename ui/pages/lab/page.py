"""The lab: language models as users of certainty words, from files of their answers or asked here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Slot

from ui.kit.layout import Tabs
from ui.pages.lab.answers_tab import AnswersTab
from ui.pages.lab.ask_tab import AskTab
from ui.pages.stage import StagePage
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.pages.lab.tab import LabTab
    from ui.records import Opened
    from ui.shell import Shell

TABS = ("answers", "ask")
"""What ``shell.go`` calls the tabs, by their places."""


class LabPage(StagePage):
    """Opens on the tab that has something to be seen, unless the user chose another."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here = self._chosen = False
        self._department: object = None
        self._filled: set[LabTab] = set()
        self.title.setText(say("Lab"))
        self.tabs = Tabs(say("Views"))
        self.answers, self.asking = AnswersTab(shell), AskTab(shell)
        self.parts: tuple[LabTab, ...] = (self.answers, self.asking)
        for tab, name in zip(self.parts, (say("&Answers"), say("As&k a model")), strict=True):
            self.tabs.addTab(tab, name)
            tab.filled.connect(self._show_filled)
        self.tabs.currentChanged.connect(self._turned)
        self.body.addWidget(self.tabs, 1)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show what the workspace has of models."""
        if opened is None:
            self.show_closed(say("Lab"), say("Open a workspace to see how language models use certainty words."))
            return
        self.show_content()
        if opened.department is not self._department:
            self._department, self._chosen = opened.department, False
            self._filled.clear()
            self._turn_to(self.answers)
        self.sentence.setText(say("How sure language models say they are, and how often they are right."))
        for tab in self.parts:
            tab.show_department(opened)

    def arrive(self, *, tab: str = "", **_where: Any) -> None:
        """Show a tab, by its name in ``TABS``, else the last one."""
        self._here = True
        if tab:
            self.tabs.setCurrentIndex(TABS.index(tab))
        self._came_into_view()

    def leave(self) -> None:
        self._here = False

    @Slot(int)
    def _turned(self, _index: int) -> None:
        self._chosen = True
        self._came_into_view()

    @Slot(object)
    def _show_filled(self, tab: LabTab) -> None:
        self._filled.add(tab)
        if not self._chosen and self.parts[self.tabs.currentIndex()] not in self._filled:
            self._turn_to(tab)

    def _turn_to(self, tab: LabTab) -> None:
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentWidget(tab)
        self._came_into_view()

    def _came_into_view(self) -> None:
        if self._here:
            self.parts[self.tabs.currentIndex()].arrive()
