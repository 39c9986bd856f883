"""Language models as users of certainty words: one tab for each question that may be asked of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget

from ui.pages.models.answers_tab import AnswersTab
from ui.pages.models.asking_tab import AskingTab
from ui.pages.models.perception_tab import PerceptionTab
from ui.pages.stage import StagePage
from ui.widgets.tabs import Tabs
from ui.words import say

if TYPE_CHECKING:
    from ui.pages.models.tab import ModelsTab
    from ui.records import Opened
    from ui.shell import Shell
    from ui.theme import Colours


class ModelsPage(StagePage):
    """Its tabs hear of the department, the colours, and of coming and going."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._here = False
        self._on_show: ModelsTab | None = None
        self.title.setText(say("Models"))
        self.tabs = Tabs(say("Views"))
        self.answers = AnswersTab(shell)
        self.perception = PerceptionTab(shell)
        self.asking = AskingTab(shell)
        self.parts: tuple[ModelsTab, ...] = (self.answers, self.perception, self.asking)
        names = (say("&Answers"), say("&Meaning of words"), say("As&k a model"))
        for tab, name in zip(self.parts, names, strict=True):
            self.tabs.addTab(tab, name)
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
        self.sentence.setText(say("How sure language models say they are, and how often they are right."))
        for tab in self.parts:
            tab.show_department(opened)

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        for tab in self.parts:
            tab.set_colours(colours)

    def arrive(self, *, tab: int | str = -1, **where: Any) -> None:
        """Show a tab, by its number or by "perception", else the last one; ``where`` is passed on to it."""
        self._here = True
        place = self.parts.index(self.perception) if tab == "perception" else int(tab)
        if place >= 0:
            with QSignalBlocker(self.tabs):  # the tab is told once, with ``where``
                self.tabs.setCurrentIndex(place)
        self._turned(where=where)

    def leave(self) -> None:
        self._here = False
        if self._on_show is not None:
            self._on_show.leave()
        self._on_show = None

    @Slot(int)
    def _turned(self, _index: int = -1, *, where: dict[str, Any] | None = None) -> None:
        """Tell the tab that came into view, and the one before it."""
        tab = self.parts[self.tabs.currentIndex()]
        if not self._here or (tab is self._on_show and not where):
            return
        if self._on_show is not None and self._on_show is not tab:
            self._on_show.leave()
        self._on_show = tab
        tab.arrive(**(where or {}))
