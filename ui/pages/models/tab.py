"""What the Models page tells its tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from ui.records import Opened
    from ui.shell import Shell


class ModelsTab(QWidget):
    """A tab of the Models page; it knows the shell, and what it does not care for it leaves as it is here.

    filled: the tab itself, once the workspace has something to be seen on it
    """

    filled = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell

    def show_department(self, opened: Opened) -> None:
        """A workspace was opened, or its results changed."""

    def arrive(self, **where: Any) -> None:
        """The tab came into view: with the page, or on it; ``where`` as given to ``shell.go``."""

    def leave(self) -> None:
        """The tab went out of view."""
