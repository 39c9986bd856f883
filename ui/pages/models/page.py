"""Language models as users of certainty words: one tab for each question that may be asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.layout import Tabs
from ui.pages.models.answers_tab import AnswersTab
from ui.pages.models.asking_tab import AskingTab
from ui.pages.models.perception_tab import PerceptionTab
from ui.pages.stage import StagePage
from ui.words import say

if TYPE_CHECKING:
    from ui.pages.models.tab import ModelsTab
    from ui.records import Opened
    from ui.shell import Shell


class ModelsPage(StagePage):
    """Its tabs hear of the department, the colours, and of coming and going."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here = False
        self._on_show: ModelsTab | None = None
        self._department: object = None
        self._filled: set[ModelsTab] = set()
        self._chosen = False
        """Whether the user has turned to a tab; until then one is shown that has something to be seen."""
        self.title.setText(say("Models"))
        self.tabs = Tabs(say("Views"))
        self.answers = AnswersTab(shell)
        self.perception = PerceptionTab(shell)
        self.asking = AskingTab(shell)
        self.parts: tuple[ModelsTab, ...] = (self.answers, self.perception, self.asking)
        names = (say("&Answers"), say("&Meaning of words"), say("As&k a model"))
        for tab, name in zip(self.parts, names, strict=True):
            self.tabs.addTab(tab, name)
            tab.filled.connect(self._show_filled)
        self.tabs.currentChanged.connect(self._turned)
        self.body.addWidget(self.tabs, 1)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        if opened is None:
            self.show_closed(
                say("Models"), say("Open a workspace, or the sample, to see how language models use certainty words.")
            )
            return
        self.show_content()
        if opened.department is not self._department:
            self._department, self._chosen = opened.department, False
            self._filled.clear()
            self._turn_to(self.answers)
        self.sentence.setText(say("How sure language models say they are, and how often they are right."))
        for tab in self.parts:
            tab.show_department(opened)

    def arrive(self, *, tab: int | str = -1, **where: Any) -> None:
        """Show a tab, by its number or by "perception", else the last one; ``where`` is passed on to it."""
        self._here = True
        place = self.parts.index(self.perception) if tab == "perception" else int(tab)
        if place >= 0:
            self._chosen = True
            with QSignalBlocker(self.tabs):  # the tab is told once, with ``where``
                self.tabs.setCurrentIndex(place)
        self._came_into_view(where)

    def leave(self) -> None:
        self._here = False
        if self._on_show is not None:
            self._on_show.leave()
        self._on_show = None

    @Slot(int)
    def _turned(self, _index: int) -> None:
        self._chosen = True
        self._came_into_view()

    @Slot(object)
    def _show_filled(self, tab: ModelsTab) -> None:
        """Turn to a tab that has something to be seen from one that has nothing, unless the user chose that."""
        self._filled.add(tab)
        if not self._chosen and self.parts[self.tabs.currentIndex()] not in self._filled:
            self._turn_to(tab)

    def _turn_to(self, tab: ModelsTab) -> None:
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentWidget(tab)
        self._came_into_view()

    def _came_into_view(self, where: dict[str, Any] | None = None) -> None:
        """Tell the tab that came into view, and the one before it."""
        tab = self.parts[self.tabs.currentIndex()]
        if not self._here or (tab is self._on_show and not where):
            return
        if self._on_show is not None and self._on_show is not tab:
            self._on_show.leave()
        self._on_show = tab
        tab.arrive(**(where or {}))
