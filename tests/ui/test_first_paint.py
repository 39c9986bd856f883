"""The first paint is told once, whether or not the window itself has anything to paint."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.first_paint import FirstPaint


class _Told(QObject):
    """Counts how often it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    def tell(self) -> None:
        self.n += 1


def test_a_window_that_is_covered_by_its_parts_tells_it_once(qtbot: QtBot) -> None:
    window, shown = QWidget(), _Told()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    cover = QWidget()
    cover.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    layout.addWidget(cover)
    window.resize(200, 100)  # one without any size is not drawn
    first = FirstPaint(window)
    first.painted.connect(shown.tell)
    window.show()
    qtbot.waitUntil(lambda: shown.n == 1)
    window.hide()
    window.show()
    qtbot.wait(50)
    assert shown.n == 1


def test_a_window_that_goes_before_it_is_drawn_is_not_told(qtbot: QtBot) -> None:
    window, shown = QWidget(), _Told()
    FirstPaint(window).painted.connect(shown.tell)
    window.show()
    window.close()
    window.deleteLater()
    qtbot.wait(50)
    assert shown.n == 0
