"""Radiologists beside each other, for quality assurance: their words, their groups, their habits, and over time.

Pseudonyms replace names unless the user asks for names, and again once the page is left or another file is opened.
Nobody is ranked: radiologists are ordered by name or by n.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot

from ui.kit.layout import Tabs
from ui.pages.department.groups_tab import GroupsTab
from ui.pages.department.habits_tab import HabitsTab
from ui.pages.department.radiologists_tab import RadiologistsTab
from ui.pages.department.tab import Naming
from ui.pages.department.time_tab import TimeTab
from ui.pages.stage import StagePage
from ui.sentences import workload_warning
from ui.widgets.empty import no_findings_of_topic
from ui.widgets.names_box import NamesBox
from ui.words import counted, say, typographic

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.calibration.comparison_records import Comparison
    from radcal.system.selection import Group, Selection
    from ui.pages.department.tab import Tab
    from ui.records import Opened
    from ui.shell import Shell

TABS = ("radiologists", "groups", "habits", "time")
"""What ``shell.go`` calls the tabs, by their places."""


class DepartmentPage(StagePage):
    """Four tabs on all radiologists, each asked for when it is first seen."""

    uses_selection = True
    selects: tuple[str, ...] = ("topic", "dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._department: object = None
        self._here = False
        self.title.setText(say("Department"))
        self.radiologists = RadiologistsTab(shell)
        self.groups = GroupsTab(shell)
        self.habits = HabitsTab(shell)
        self.time = TimeTab(shell, self.undo_stack)
        self.parts: tuple[Tab[Any, Any], ...] = (self.radiologists, self.groups, self.habits, self.time)
        self.tabs = Tabs(say("Views"))
        names = (say("&Radiologists"), say("&Groups"), say("Ha&bits"), say("Over &time"))
        for part in self.parts:
            self.tabs.addTab(part, names[self.tabs.count()])
            part.wanted.connect(self._ask)
            part.nothing_said.connect(self._nothing_said)
        self.radiologists.came.connect(self._compared)
        self.radiologists.chosen.connect(self._open)
        self.groups.chosen.connect(self._open)
        self.tabs.currentChanged.connect(self._turned)
        self.body.addWidget(self.tabs, 1)
        # Behind the tabs for the keyboard, which must not come to it first.
        self.names = NamesBox(shell)
        self.names.turned.connect(self._show_names)
        self.head.addWidget(self.names, 0, 2, Qt.AlignmentFlag.AlignRight)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department, or its new results."""
        department = None if opened is None else opened.department
        if department is not self._department:
            self._department = department
            self.names.setChecked(False)
            self.undo_stack.clear()
            for part in self.parts:
                part.clear()
        self.time.dates.show_department(opened)
        self._show_names()
        self._show()

    @Slot(object)
    def show_selection(self, _selection: Selection | None) -> None:
        """Show what is selected now."""
        self._show()

    def arrive(self, *, tab: str = "", **_where: Any) -> None:
        """Turn to a tab, by its name in ``TABS``, and ask for what is to be seen, unless that is done."""
        self._here = True
        if tab:
            self.tabs.setCurrentIndex(TABS.index(tab))
        self._ask()

    def leave(self) -> None:
        """Ask for nothing more until somebody comes back."""
        self._here = False

    def _show(self) -> None:
        opened = self.shell.opened
        if opened is None:
            self.show_closed(say("Department"), say("Open a workspace to compare radiologists."))
        elif not opened.of_radiologists:
            self.sentence.clear()
            why = typographic(opened.reason) or say("There is nothing to compare yet.")
            self.show_empty(why, say("Go to &reports"), "reports")
        else:
            self.show_content()
            self._ask()

    @Slot()
    def _show_names(self) -> None:
        naming = Naming(self.shell.opened, self.names.isChecked())
        for part in self.parts:
            part.show_as(naming)
        who = counted(len(naming.people), "{n} radiologist", "{n} radiologists")
        said = say("{who} beside each other.", who=who)
        self.sentence.setText(said if naming.named else f"{said} {workload_warning()}")

    @Slot()
    def _ask(self, *_: object) -> None:
        """Ask for what the tab on show lacks; the words to choose from come with the comparison."""
        selection = self.shell.selection
        if self._here and not self.is_empty and self.shell.opened is not None and selection is not None:
            for part in dict.fromkeys((self.radiologists, self.parts[self.tabs.currentIndex()])):
                part.show_for(part.question_of(selection))

    @Slot(object)
    def _compared(self, compared: Comparison) -> None:
        self.time.offer_words(self.radiologists.words_of(compared), compared.phrase)

    @Slot()
    def _nothing_said(self) -> None:
        opened, selection = self.shell.opened, self.shell.selection
        of_topic = self.tabs.currentWidget() is not self.habits
        if opened is not None and selection is not None and selection.days.are_limited and of_topic:
            self.show_no_findings(no_findings_of_topic(opened, selection))

    @Slot()
    def _turned(self, *_: object) -> None:
        self.selects = ("dates", "run") if self.tabs.currentWidget() is self.habits else ("topic", "dates", "run")
        self.selects_changed.emit()
        self._ask()

    @Slot(object, object)
    def _open(self, group: Group, phrase: str) -> None:
        """The results of a radiologist, or the cases of a word."""
        if self.shell.selection is not None:
            self.shell.choose(replace(self.shell.selection, author=group.author, topic=group.topic))
            self.shell.go("results", **({"phrase": phrase} if phrase else {}))
