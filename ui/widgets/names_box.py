"""A box that shows names in place of pseudonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QCheckBox

from ui.words import say

if TYPE_CHECKING:
    from ui.records import Opened


class _Names(Protocol):
    """What knows whether names are known: the shell."""

    @property
    def opened(self) -> Opened | None: ...

    def tell_names_missing(self) -> None: ...


class NamesBox(QCheckBox):
    """Shows names, not pseudonyms, until it is out of sight; where names are not known, it stays clear and says why.

    turned: names are shown now, or pseudonyms again
    """

    turned = Signal()

    def __init__(self, shell: _Names) -> None:
        super().__init__(say("Show &names"))
        self._shell = shell
        self.setToolTip(say("Real names in place of pseudonyms, until you leave this page or untick this"))
        self.toggled.connect(self._toggled)

    def hideEvent(self, event: QHideEvent) -> None:
        """Return to pseudonyms: real names are shown for one visit only; to minimise the window is no end of it."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.setChecked(False)

    @Slot()
    def _toggled(self, *_: object) -> None:
        opened = self._shell.opened
        if self.isChecked() and opened is not None and opened.names_missing:
            self.setChecked(False)
            self._shell.tell_names_missing()
        else:
            self.turned.emit()
