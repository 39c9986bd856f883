"""Words that de-identification left: listed on the Import page, removed or left, never exported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from ui.pages.imports.page import SUSPECTS, ImportStage
from ui.shell import Shell

PASSPHRASE = "correct horse battery"


@pytest.fixture
def page(
    qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Callable[..., ImportStage], chest: Path
) -> ImportStage:
    """The page over a department in whose reports three words are suspected."""
    with open_department(chest, PASSPHRASE) as department:
        ids = department._workspace.reports(("report_id", "text"))
        found = [
            (i, "name", "edema", 0)
            for i, text in ids.itertuples(index=False, name=None)
            if re.search(r"\bedema\b", text)
        ]
        suspects = department.importing.deidentifying.suspects
        suspects.leave(suspects.listed())
        department._workspace.put_suspects(found[:3], [i for i, *_ in found[:3]])
    made = show_page(ImportStage, make_shell(chest))
    qtbot.waitUntil(lambda: made.suspects.model.rowCount() == 3)
    return made


def test_suspects_are_counted_and_each_is_removed_or_left(
    qtbot: QtBot,
    make_shell: Callable[..., Shell],
    show_page: Callable[..., ImportStage],
    page: ImportStage,
    chest: Path,
) -> None:
    looking = show_page(ImportStage, make_shell(chest, read_only=True))
    qtbot.waitUntil(lambda: looking.suspects.model.rowCount() == 3)
    looking.suspects.table.select_row(0)
    assert not looking.suspects.remove.isEnabled()
    assert page.tabs.isTabVisible(SUSPECTS)
    assert page.tabs.tabText(SUSPECTS) == "May be names (3)"
    assert page.sentence.text().endswith("Words left in the reports that may identify somebody: 3.")
    page.arrive(show="suspects")
    panel = page.suspects
    assert not panel.remove.isEnabled()
    assert not panel.table.more.isVisible(), "the list is never exported"
    panel.table.select_row(0)
    first = panel.model.row(0)
    assert first.words in first.sentence
    panel.remove.click()
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    department = page.shell.opened.department
    (text,) = department._workspace.reports(("text",), [first.report_id])["text"]
    assert "edema" not in text
    assert "[name]" in text
    panel.leave.click()
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1)
    assert department.importing.deidentifying.suspects.count() == 1
    panel.leave.click()
    qtbot.waitUntil(lambda: not page.tabs.isTabVisible(SUSPECTS))
    assert "identify" not in page.sentence.text()
