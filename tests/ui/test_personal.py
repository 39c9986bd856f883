"""The window with a personal file: nothing beside the name that has the pseudonym, the own use of the vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from ui.stages import RESULTS, SETTINGS
from ui.window.main_window import MainWindow


def test_its_file_name_stands_nowhere_and_the_own_use_of_the_vocabulary_beside_the_advice(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path, tmp_path: Path
) -> None:
    with open_department(chest, "correct horse battery") as department:
        department.words.choose_vocabulary("brigham")
        department.analyse()
        use = department.vocabulary.use_of("Avery")
        path = department.personal_files.write("Avery", tmp_path / "personal-wombat.radcal", "own words of hers")
    assert use is not None
    window = open_window()
    window.session.open_workspace(path, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page(RESULTS)
    window.page(RESULTS).all.click()
    told = window.page(RESULTS).one.vocabulary
    qtbot.waitUntil(told.isVisible)
    assert f"Of your {use.n} hedged findings, {use.outside} used a word outside the Brigham scale" in told.text()
    window.show_page(SETTINGS)
    qtbot.waitUntil(lambda: str(path.parent) in window.page(SETTINGS).file.where.text())
    shown = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert not [text for text in shown if "wombat" in text], "the name of the file has the pseudonym"
