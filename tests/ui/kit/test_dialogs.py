"""What every dialog keeps: a title, names for its fields, a button for Enter at most, and Escape leaves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDialogButtonBox, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.dialog import Dialog
from ui.pages.review.files_dialog import FilesDialog
from ui.pages.review.keys import show_keys
from ui.pages.review.work import Standing
from ui.pages.settings.file_card import AskPassphraseDialog, NewPassphraseDialog
from ui.pages.words.new_phrase import NewPhraseDialog
from ui.shell import Shell
from ui.widgets.server_question import ServerQuestion
from ui.window.dialogs.about import AboutDialog
from ui.window.dialogs.faults import FaultsDialog
from ui.window.dialogs.keys import KeysDialog
from ui.window.dialogs.new_workspace import NewWorkspaceDialog
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.dialogs.restoring import RestoreDialog

PLACE = Path("there.radcal")
DIALOGS: dict[str, Callable[[Shell, QWidget], Dialog]] = {
    "about": lambda shell, parent: AboutDialog(parent),
    "check": lambda shell, parent: AskPassphraseDialog(parent),
    "faults": lambda shell, parent: FaultsDialog(shell, parent),
    "files": lambda shell, parent: FilesDialog(shell, Standing(None, (), {}, None), parent),
    "keys": lambda shell, parent: KeysDialog(("Import",), parent),
    "keys of review": lambda shell, parent: show_keys(parent),
    "new passphrase": lambda shell, parent: NewPassphraseDialog(parent),
    "new phrase": lambda shell, parent: NewPhraseDialog(parent),
    "new workspace": lambda shell, parent: NewWorkspaceDialog("", lambda *_: None, parent),
    "passphrase": lambda shell, parent: PassphraseDialog(PLACE, parent),
    "restore": lambda shell, parent: RestoreDialog(PLACE, (), shell.tasks, parent),
    "server": lambda shell, parent: ServerQuestion(parent, "llm.hospital.example", 0, lambda: None),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_a_dialog_can_be_read_out_and_left(qtbot: QtBot, make_shell: Callable[..., Shell], name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    dialog = DIALOGS[name](make_shell(), parent)
    assert dialog.windowTitle()
    left: list[int] = []
    dialog.finished.connect(left.append)
    dialog.open()
    fields = [f for kind in (QLineEdit, QComboBox, QAbstractSpinBox) for f in dialog.findChildren(kind)]
    inner = (QComboBox, QAbstractSpinBox)
    fields = [f for f in fields if f.isVisible() and not isinstance(f.parentWidget(), inner)]
    assert all(f.accessibleName() for f in fields)
    buttons = dialog.findChildren(QDialogButtonBox)
    assert len(buttons) == 1
    assert all(b.text() for b in dialog.findChildren(QPushButton) if b.isVisible())
    assert sum(b.isDefault() for b in dialog.findChildren(QPushButton)) <= 1
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert left == [0]
