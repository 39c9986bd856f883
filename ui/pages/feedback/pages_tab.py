"""Tabs of pages that nothing is ticked for: the department's, and those on a person's drafts."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.system.selection import ALL_DAYS
from ui.kit.form import choice
from ui.kit.layout import Tabs, hbox, vbox
from ui.kit.text import caption
from ui.pages.feedback import work
from ui.pages.feedback.preview import ReadingPanel
from ui.sentences import author_name
from ui.widgets.messages import Message
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent

    from radcal.feedback.records import Sheet
    from radcal.system.selection import Days
    from ui.shell import Shell
    from ui.tasks import Failure

PEOPLE = "who has drafts"


class PagesTab(QWidget):
    """Pages that are made once they are looked at, from the examinations of the selected dates.

    made: the pages on show, None while there are none;  changed: it is another one
    """

    changed = Signal()

    def __init__(self, shell: Shell, operation: str, pages: work.PagesOf, sheet: Callable[[], Sheet]) -> None:
        """
        Args:
            operation: prefix of the names of the work done for this tab.
            sheet: paper and language of the pages.
        """
        super().__init__()
        self._shell, self._operation, self._pages, self._sheet = shell, operation, pages, sheet
        self._opened = False
        self.made: work.Ready | None = None
        self.reading = ReadingPanel(shell, operation=f"{operation} pictures")
        self._layout = vbox((self.reading, 1), parent=self, margins=(0, 0, 0, 0))

    @property
    def days(self) -> Days:
        """The selected dates."""
        return self._shell.selection.days if self._shell.selection else ALL_DAYS

    def about(self) -> dict[str, Any]:
        """What else the pages depend on, as arguments of the functions that make them."""
        return {}

    def title(self) -> str:
        """Whose pages they are, for the name of the file."""
        return say("Department")

    def whose(self) -> str:
        """The same within a sentence."""
        return say("the department")

    def show_department(self, *, has_results: bool) -> None:
        """Another department, or other results of the same."""
        self._opened = has_results
        self.forget()

    def show_days(self) -> None:
        """Other dates may have been selected."""
        if self.made is not None and self.made.days != self.days:
            self.forget()

    def forget(self) -> None:
        """Make the pages anew."""
        self.made = None
        self.reading.show_preview(None)
        self.changed.emit()
        self._make()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make()

    def writing(self, out: Path) -> work.Call:
        """Writes the pages as a PDF."""
        return partial(work.write_ready, self._pages, days=self.days, sheet=self._sheet(), out=out, **self.about())

    def _can_be_made(self) -> bool:
        return self._opened and self.made is None and self.isVisible()

    @Slot()
    def _make(self) -> None:
        if not self._can_be_made():
            return
        self.reading.note.setText(say("Making the pages\u2026"))
        self._shell.run(
            self._operation,
            partial(work.ready, self._pages, days=self.days, sheet=self._sheet(), **self.about()),
            self._show,
            failed=self._failed,
        )

    def _show(self, made: work.Ready) -> None:
        self.made = made
        self.reading.note.setText("")
        self.reading.show_preview(made)
        self.changed.emit()

    def _failed(self, failure: Failure) -> None:
        self.reading.note.setText("")
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, self._make)


class DraftsTab(PagesTab):
    """The pages of those whose drafts somebody else signed; not shown where there are none."""

    def __init__(self, shell: Shell, sheet: Callable[[], Sheet], tabs: Tabs) -> None:
        super().__init__(shell, "draft pages", work.DRAFTS, sheet)
        self._tabs = tabs
        self._unasked = False
        self.person = choice(say("Whose drafts"))
        self.person.currentIndexChanged.connect(self.forget)
        who = caption(say("Drafts &by"), self.person)
        self._layout.insertLayout(0, hbox(who, self.person, None, margins=(0, 8, 0, 0)))

    def about(self) -> dict[str, Any]:
        return {"person": self.person.currentData()}

    def title(self) -> str:
        return f"{self.person.currentData()} drafts"  # file names are not translated, and have pseudonyms

    def whose(self) -> str:
        return self.person.currentText()

    def show_department(self, *, has_results: bool) -> None:
        self._unasked = has_results
        if not has_results:
            self.show_people(())
        super().show_department(has_results=has_results)

    def ask(self) -> None:
        """Look for people with drafts, once for the same results."""
        if self._unasked:
            self._unasked = False
            self._shell.run(PEOPLE, lambda department, _: department.pages.drafting(), self.show_people)

    def show_people(self, people: Sequence[str]) -> None:
        """List these people; who was chosen stays so."""
        shown = sorted(((author_name(person, self._shell.opened), person) for person in people), key=_by_name)
        if shown != [(self.person.itemText(i), self.person.itemData(i)) for i in range(self.person.count())]:
            before = self.person.currentData()
            self.person.clear()
            for name, person in shown:
                self.person.addItem(name, person)
            self.person.setCurrentIndex(max(self.person.findData(before), 0))
        self._tabs.setTabVisible(self._tabs.indexOf(self), bool(people))

    def _can_be_made(self) -> bool:
        return super()._can_be_made() and bool(self.person.currentText())


def _by_name(shown: tuple[str, str]) -> str:
    return shown[0].casefold()
