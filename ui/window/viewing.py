"""Enters whose results were looked at, and on which page, in the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.kit.action import later

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.progress import Progress
    from ui.shell import Shell

VIEWED = "viewed"
_ALL_ON = {"department", "habits"}
"""Pages that show all radiologists whatever is selected."""
_WAIT_MS = 1000
"""Entries are made together, once the page has been painted; the department makes the last ones when it is closed."""


class Viewing(QObject):
    """Notes each radiologist once for each page while a workspace is open; in the log they have their pseudonyms.

    Nothing is noted of the sample and of files that cannot be written.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._shell = shell
        self._page, self._selects = "", False
        self._noted: set[str] = set()
        self._runs = 0
        self._department: object = None
        self._timer = later(self, self.enter, _WAIT_MS)
        shell.selection_changed.connect(self._look)
        shell.opened_changed.connect(self._look)

    def show_page(self, key: str, *, selects: bool) -> None:
        """A page is on show; ``selects``: it shows who is selected."""
        self._page, self._selects = key, selects
        self._look()

    @Slot()
    def _look(self, *_: object) -> None:
        opened, selection = self._shell.opened, self._shell.selection
        if opened is None or opened.kind or opened.read_only or opened.sample or not opened.groups:
            return
        if self._department is not opened.department:
            self._department = opened.department
            self._noted.clear()
        if self._page in _ALL_ON:
            who = "all radiologists"
        elif not self._selects or selection is None or selection.author in opened.models:
            return
        else:
            who = opened.pseudonyms.get(selection.author, "all radiologists")
        what = f"viewed {self._page} of {who}"
        if what not in self._noted:
            self._noted.add(what)
            opened.department.looked_at(what)
            self._timer.start()

    @Slot()
    def enter(self) -> None:
        """Enter what was noted, in the worker."""
        if self._shell.opened is None or self._shell.opened.department is not self._department:
            return
        self._runs += 1
        operation = f"{VIEWED} {self._runs}"
        self._shell.run(operation, _enter, _nothing, failed=_nothing, stopped=lambda: None)


def _enter(department: Department, _progress: Progress) -> None:
    department.enter_looks()


def _nothing(_result: object) -> None:
    """What was looked at is entered where it can be."""
