"""The window's pages, one visible: each is created on demand, the rest in idle moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from ui.stages import RESULTS

if TYPE_CHECKING:
    from ui.pages.stage import StagePage
    from ui.shell import Shell
    from ui.stages import Stage


FIRST = RESULTS
"""What is shown once a workspace is open: made while it opens."""
_EVERY_MS = 50
"""Between two steps towards the remaining pages: what the user does comes in between."""


class PageStack(QStackedWidget):
    """made: key and page of a stage, before the page is filled."""

    made = Signal(object, object)

    def __init__(self, shell: Shell, stages: Mapping[str, Stage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Messages take space from the page instead of enlarging the window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._shell, self._stages = shell, stages
        self._pages: dict[str, StagePage] = {}
        self._empty: set[str] = set()
        self._steps = self._all_steps()
        self._making = QTimer(self, interval=_EVERY_MS)
        self._making.timeout.connect(self._make_next)

    def hasHeightForWidth(self) -> bool:
        # A page has the room there is.  The layouts around would ask all pages, hidden ones too, what they need.
        return False

    def page(self, key: str) -> Any:
        """The page of a stage, created on demand."""
        self._make(key)
        page = self._pages[key]
        if key in self._empty:
            self._empty.discard(key)
            page.begin()
        return page

    def made_pages(self) -> list[StagePage]:
        """The pages that exist."""
        return list(self._pages.values())

    def is_made(self, key: str) -> bool:
        """Whether the page exists."""
        return key in self._pages

    @Slot(object)
    def make_the_rest(self, _after: object = None) -> None:
        """Create the remaining pages one by one in idle moments."""
        self._making.start()

    def stop_making(self) -> None:
        """Stop creating pages when idle."""
        self._making.stop()

    @Slot()
    def _make_next(self) -> None:
        """Take one more step towards the next page."""
        step = next(self._steps, None)
        if step is None:
            self._making.stop()
        else:
            step()

    def _make(self, key: str) -> None:
        """Create the page of a stage, if need be, without filling it."""
        if key not in self._pages:
            stage = self._stages[key]
            page = self._pages[key] = stage.make(self._shell, self)
            self._empty.add(key)
            self.addWidget(page)
            page.kinds = stage.kinds
            page.setProperty("key", key)
            self.made.emit(key, page)

    def _prepare(self, key: str) -> None:
        self.page(key).prepare()

    def _all_steps(self) -> Iterator[Callable[[], object]]:
        """Import, create, fill and prepare the pages: the first at once, the others while no short work is done.

        Beside that a page takes longer, and the window stands still meanwhile; a long reading is not waited for.
        """
        for key in sorted(self._stages, key=lambda key: key != FIRST):
            while key != FIRST and not self._shell.tasks.has_room:
                yield _wait
            if key not in self._pages:
                yield self._stages[key].load
                yield partial(self._make, key)
                yield partial(self.page, key)
                yield partial(self._prepare, key)


def _wait() -> None:
    """No step: the worker is busy."""
