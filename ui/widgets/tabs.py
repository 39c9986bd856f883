"""Pages behind tabs, any of which can be hidden."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget


class Tabs(QTabWidget):
    """A QTabWidget in which a tab that is shown again is really there.

    name: for screen readers;  document: without a frame around the pages
    """

    def __init__(self, name: str, *, document: bool = True) -> None:
        super().__init__()
        self.setDocumentMode(document)
        for part in (self, self.tabBar()):
            part.setAccessibleName(name)

    def setTabVisible(self, index: int, visible: bool) -> None:
        # Qt forgets that its tabs must be laid out anew when it is told of one of them what is so already.
        if visible != self.isTabVisible(index):
            super().setTabVisible(index, visible)
