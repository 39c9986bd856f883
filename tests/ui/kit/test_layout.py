"""Areas that scroll, whatever their content asks for."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.kit.layout import scrolled


class Restless(QWidget):
    """Needs 10 pixels more or less as soon as it has the height that it needed."""

    resized = 0

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt names it
        return QSize(50, 310 if self.height() == 300 else 300)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt names it
        self.resized += 1
        super().resizeEvent(event)


def test_content_that_never_fits_is_fitted_a_few_times(qtbot: QtBot) -> None:
    """A QScrollArea does so until the stack is full, and takes the process with it."""
    content = Restless()
    area = scrolled(content)
    qtbot.addWidget(area)
    area.resize(200, 200)
    area.show()
    area.resize(220, 200)
    qtbot.wait(50)
    assert content.height() in (300, 310)
    assert 0 < content.resized < 100
