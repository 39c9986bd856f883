"""The help: its sections, the way to each, and what a radiologist's own file leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from radcal.system.kinds import FileKind
from ui.pages.help.page import HelpPage
from ui.pages.help.text import sections
from ui.shell import Shell
from ui.stages import stages


@pytest.fixture
def page(shell: Shell, show_page: Callable[..., HelpPage]) -> HelpPage:
    made = show_page(HelpPage, shell)
    made.resize(900, 420)
    return made


def names(page: HelpPage) -> list[str]:
    return [page.list.item(row).text() for row in range(page.list.count())]


def test_every_page_has_its_section_and_a_way_there(page: HelpPage) -> None:
    titles = {s.key: s.title for s in sections(FileKind.DEPARTMENT)}
    for stage in stages():
        if stage.name and stage.key != "help":
            page.show_section(stage.key)
            assert names(page)[page.list.currentRow()] == titles[stage.key] == stage.name


def test_the_list_is_walked_with_the_keys_and_the_text_follows(page: HelpPage) -> None:
    page.arrive()
    page.list.setFocus()
    places = []
    for _ in range(5):
        places.append(page.text.verticalScrollBar().value())
        QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert places == sorted(places)
    assert places[-1] > 0


def test_what_is_unknown_leads_to_the_beginning(page: HelpPage) -> None:
    page.show_section("department")
    assert page.list.currentRow() > 0
    page.show_section("nothing of the kind")
    assert page.list.currentRow() == 0
    assert page.text.verticalScrollBar().value() == 0


def test_ones_own_file_has_help_on_its_own_pages_only(page: HelpPage) -> None:
    assert "Words" in names(page)
    page.show_department(replace(page.shell.opened, personal="Avery", kind=FileKind.PERSONAL))
    assert names(page) == [s.title for s in sections(FileKind.PERSONAL)]
    assert "Words" not in names(page)
    assert "pseudonym" not in page.text.toPlainText()


def test_narrow_windows_have_all_room_for_the_text(page: HelpPage) -> None:
    assert page.list.isVisible()
    page.resize(500, 400)
    assert not page.list.isVisible()
