"""The window's pages, one visible: each is created on demand, the rest in idle moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

if TYPE_CHECKING:
    from ui.pages.stage import StagePage
    from ui.shell import Shell
    from ui.stages import Stage


_LOOK_MS = 100
_WAITS = 100
"""How often it looks for an idle moment before a page is made all the same."""


class PageStack(QStackedWidget):
    """made: key and page of a stage, before the page is filled."""

    made = Signal(object, object)

    def __init__(self, shell: Shell, stages: Mapping[str, Stage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Messages take space from the page instead of enlarging the window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._shell, self._stages = shell, stages
        self._pages: dict[str, StagePage] = {}
        self._imported: set[str] = set()
        self._waited = 0
        self._making = QTimer(self)
        self._making.timeout.connect(self._make_next)

    def page(self, key: str) -> Any:
        """The page of a stage, created on demand."""
        if key not in self._pages:
            stage = self._stages[key]
            page = self._pages[key] = stage.make(self._shell, self)
            self.addWidget(page)
            page.personal = stage.personal
            self.made.emit(key, page)
            page.begin()
        return self._pages[key]

    def is_made(self, key: str) -> bool:
        """Whether the page exists."""
        return key in self._pages

    @Slot(object)
    def make_the_rest(self, _after: object = None) -> None:
        """Create the remaining pages one by one in idle moments."""
        self._making.start(0)

    def stop_making(self) -> None:
        """Stop creating pages when idle."""
        self._making.stop()

    @Slot()
    def _make_next(self) -> None:
        """Import or create one more page.

        Beside work in the worker a page takes several times as long, and the window stands still meanwhile.
        """
        missing = next((key for key in self._stages if key not in self._pages), None)
        if missing is None:
            self._making.stop()
        elif not self._shell.tasks.is_idle and self._waited < _WAITS:
            self._waited += 1
            self._making.setInterval(_LOOK_MS)
        elif missing not in self._imported:
            self._imported.add(missing)
            self._stages[missing].load()
            self._making.setInterval(0)
        else:
            self._waited = 0
            self.page(missing)
