"""Tabbed views of which only the current one determines the height."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QTabBar, QWidget

from ui.widgets.layouts import vbox


class Views(QWidget):
    """Widgets behind a tab bar.  Unlike in a QTabWidget, hidden ones request no height.

    changed: index of the current view
    """

    changed = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QTabBar()
        self.bar.setAccessibleName(name)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        self._views: list[QWidget] = []
        self._layout = vbox(self.bar, parent=self, spacing=0)
        self.bar.currentChanged.connect(self._turn)

    def add(self, view: QWidget, name: str) -> None:
        """Add a tab."""
        self._layout.addWidget(view, 1)
        view.setVisible(not self._views)
        self._views.append(view)
        self.bar.addTab(name)

    @property
    def current(self) -> int:
        """The index of the current view."""
        return self.bar.currentIndex()

    def turn_to(self, number: int) -> None:
        """Show a view."""
        self.bar.setCurrentIndex(number)

    @Slot(int)
    def _turn(self, number: int) -> None:
        for i, view in enumerate(self._views):
            if i != number:
                view.hide()
        if 0 <= number < len(self._views):
            self._views[number].show()
            self.changed.emit(number)
