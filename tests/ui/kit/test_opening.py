"""A heading that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.kit.layout import panel, vbox
from ui.kit.opening import Opening

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def _shown(qtbot: QtBot, opening: Opening) -> Opening:
    qtbot.addWidget(opening)
    opening.show()
    qtbot.waitExposed(opening)
    return opening


def test_it_opens_by_the_keyboard_and_remembers_what_the_user_chose(qtbot: QtBot) -> None:
    field = QLineEdit()
    opening = _shown(qtbot, Opening("&Backups", panel(vbox(field)), name="test.backups"))
    assert opening.heading.accessibleName() == "Backups"
    assert not opening.is_open
    assert not field.isVisible()
    opening.heading.setFocus()
    qtbot.keyClick(opening.heading, Qt.Key.Key_Space)
    assert opening.is_open
    assert field.isVisible()

    assert _shown(qtbot, Opening("&Backups", QWidget(), name="test.backups")).is_open
    assert not _shown(qtbot, Opening("&Names", QWidget(), name="test.names")).is_open
    opening.unfold(False)  # by the program: not what the user chose
    assert _shown(qtbot, Opening("&Backups", QWidget(), name="test.backups")).is_open


def test_what_takes_long_is_made_when_it_is_first_opened(qtbot: QtBot) -> None:
    made: list[QWidget] = []

    def make() -> QWidget:
        made.append(QWidget())
        return made[-1]

    opening = _shown(qtbot, Opening("Audit log", make))
    assert not made
    for _ in range(2):
        opening.unfold()
        opening.unfold(False)
    assert len(made) == 1
    assert not made[0].isVisible()
