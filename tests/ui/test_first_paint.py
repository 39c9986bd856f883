"""The first paint is signalled once, whether or not the window itself has anything to paint."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.first_paint import FirstPaint
from ui.kit.layout import vbox


def test_a_window_that_is_covered_by_its_parts_tells_it_once(qtbot: QtBot) -> None:
    window, emitted = QWidget(), list[bool]()
    qtbot.addWidget(window)
    cover = QWidget()
    cover.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    vbox(cover, parent=window)
    window.resize(200, 100)  # one without any size is not drawn
    first = FirstPaint(window)
    first.painted.connect(lambda: emitted.append(True))
    window.show()
    qtbot.waitUntil(lambda: emitted == [True])
    window.hide()
    window.show()
    qtbot.wait(50)
    assert emitted == [True]


def test_a_window_that_goes_before_it_is_drawn_is_not_told(qtbot: QtBot) -> None:
    window, emitted = QWidget(), list[bool]()
    FirstPaint(window).painted.connect(lambda: emitted.append(True))
    window.show()
    window.close()
    window.deleteLater()
    qtbot.wait(50)
    assert emitted == []
