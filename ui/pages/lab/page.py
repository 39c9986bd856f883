"""The lab: language models as users of certainty words, from files of their answers or asked here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from ui.kit.layout import Tabs
from ui.pages.lab.answers_tab import AnswersTab
from ui.pages.lab.ask_tab import AskTab
from ui.pages.stage import StagePage
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.records import Opened
    from ui.shell import Shell

TABS = ("answers", "ask")
"""What ``shell.go`` calls the tabs, by their places."""


class LabPage(StagePage):
    """Its tabs hear of the workspace, and the answers when they come into view."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here = False
        self.title.setText(say("Lab"))
        self.tabs = Tabs(say("Views"))
        self.answers, self.asking = AnswersTab(shell), AskTab(shell)
        self.tabs.addTab(self.answers, say("&Answers"))
        self.tabs.addTab(self.asking, say("As&k a model"))
        self.tabs.currentChanged.connect(self._came_into_view)
        self.body.addWidget(self.tabs, 1)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show what the workspace has of models."""
        if opened is None:
            self.show_closed(say("Lab"), say("Open a workspace to see how language models use certainty words."))
            return
        self.show_content()
        self.sentence.setText(say("How sure language models say they are, and how often they are right."))
        self.answers.show_department(opened)
        self.asking.show_department(opened)

    def arrive(self, *, tab: str = "", **_where: Any) -> None:
        """Show a tab, by its name in ``TABS``, else the last one."""
        self._here = True
        if tab:
            self.tabs.setCurrentIndex(TABS.index(tab))
        self._came_into_view()

    def leave(self) -> None:
        self._here = False

    @Slot()
    def _came_into_view(self, *_: object) -> None:
        if self._here and self.tabs.currentWidget() is self.answers:
            self.answers.arrive()
