"""The window with a personal file: own stages only, all of them at work, nothing asked for that is the department's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from ui.stages import ADVICE, FEEDBACK, HABITS, RELIABILITY, TRY, stages
from ui.window.main_window import MainWindow

HIDDEN = {"import", "extraction", "review", "words", "compare", "models"}


@pytest.fixture
def packet(chest: Path, tmp_path: Path) -> Path:
    """A radiologist's personal file."""
    with open_department(chest, "correct horse battery") as department:
        return department.personal_files.write("Avery", tmp_path / "own.radcal", "own words of hers")


def test_only_the_own_stages_are_there_and_none_asks_for_more(
    qtbot: QtBot, open_window: Callable[..., MainWindow], packet: Path
) -> None:
    window = open_window()
    window.session.open_workspace(packet, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    offered = window.rail.offered()
    assert not HIDDEN & set(offered)
    assert {RELIABILITY, ADVICE, HABITS, FEEDBACK, TRY} <= set(offered)
    for stage in stages():
        window.page(stage.key)  # pages that are not offered are made in the background, too
        if stage.key in offered:
            window.show_page(stage.key)
            qtbot.wait(50)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert window.messages.shown() == ()


def test_its_radiologist_saves_a_pocket_card_and_macros(
    qtbot: QtBot, open_window: Callable[..., MainWindow], packet: Path, tmp_path: Path
) -> None:
    window = open_window()
    window.session.open_workspace(packet, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page(FEEDBACK)
    page = window.page(FEEDBACK)
    qtbot.waitUntil(lambda: page.preview is not None)
    assert [a.isVisible() for a in (page.card, page.macros, page.packet)] == [True, True, False]
    page.hand_outs.save_card(*page._of_whom(), str(tmp_path / "card.pdf"))
    qtbot.waitUntil((tmp_path / "card.pdf").exists)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    page.hand_outs.save_macros(*page._of_whom(), str(tmp_path / "macros.txt"))
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert (tmp_path / "macros.txt").exists() == bool(window.session.current.department.macros.of("Avery").macros)


def test_its_file_name_which_has_the_pseudonym_stands_nowhere_beside_the_name(
    qtbot: QtBot, open_window: Callable[..., MainWindow], packet: Path
) -> None:
    path = packet.rename(packet.with_name("personal-wombat.radcal"))
    window = open_window()
    window.session.open_workspace(path, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page("settings")
    qtbot.waitUntil(lambda: str(path.parent) in window.page("settings").file.where.text())
    shown = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert not [text for text in shown if "wombat" in text]


def test_the_own_use_of_the_vocabulary_is_told_beside_the_advice(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path, tmp_path: Path
) -> None:
    with open_department(chest, "correct horse battery") as department:
        department.words.choose_vocabulary("brigham")
        department.analyse()
        use = department.vocabulary.use_of("Avery")
        path = department.personal_files.write("Avery", tmp_path / "own.radcal", "own words of hers")
    assert use is not None
    window = open_window()
    window.session.open_workspace(path, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page(ADVICE)
    told = window.page(ADVICE).vocabulary
    qtbot.waitUntil(told.isVisible)
    assert f"Of your {use.n} hedged findings, {use.outside} used a word outside the Brigham scale" in told.text()
