"""Alt and a letter means one thing: no two controls on show share a letter, on any page, in any language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QGroupBox, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from ui import language
from ui.pages.reports.reading.choice import MODEL, SERVED
from ui.tasks import TaskState
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"
Settle = Callable[[MainWindow], None]


@pytest.fixture(
    params=[pytest.param(code, marks=() if code == "en" else pytest.mark.slow) for code in language.LANGUAGES]
)
def spoken(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    language.use(qapp, request.param)
    yield request.param
    language.use(qapp, "en")


def texts(widget: QWidget) -> list[str]:
    """What a control that is on show offers with a letter of its own."""
    if isinstance(widget, QLabel):
        return [widget.text()] if widget.buddy() is not None else []
    if isinstance(widget, QAbstractButton):
        return [widget.text()]
    if isinstance(widget, QGroupBox):
        return [widget.title()]
    if isinstance(widget, QTabBar):
        return [widget.tabText(i) for i in range(widget.count()) if widget.isTabVisible(i)]
    return []


def on_show(widget: QWidget) -> Iterator[QWidget]:
    """What can be seen of a widget's parts, and of theirs."""
    for child in widget.children():
        if isinstance(child, QWidget) and child.isVisible():
            yield child
            yield from on_show(child)


def shared(window: QWidget) -> dict[str, list[str]]:
    """Letters that more than one control on show has, with their texts."""
    having: dict[str, list[str]] = defaultdict(list)
    for widget in on_show(window):
        for text in texts(widget):
            if not (key := QKeySequence.mnemonic(text)).isEmpty():
                having[key.toString()].append(text)
    return {key: said for key, said in having.items() if len(said) > 1}


def views(page: QWidget) -> Iterator[str]:
    """Turn to each tab of a page in turn, and back to the first."""
    for bar in page.findChildren(QTabBar):
        if not bar.isVisible():
            continue
        first = bar.currentIndex()
        for i in range(bar.count()):
            if i != first and bar.isTabVisible(i) and bar.isTabEnabled(i):
                bar.setCurrentIndex(i)
                yield bar.tabText(i)
        bar.setCurrentIndex(first)


class Look:
    """Looks at a window and notes where controls on show share a letter."""

    def __init__(self, settle: Settle, window: MainWindow) -> None:
        self._settle = settle
        self._window = window
        self.found: dict[str, dict[str, list[str]]] = {}
        self.looked: list[str] = []

    def at(self, where: str) -> None:
        """What is on show now."""
        self.looked.append(where)
        # The bar at the foot as while reports are read: with both of its buttons.
        self._window.task_bar.show_task(TaskState("Reading", "read", None, stopping=False, shares=True))
        if both := shared(self._window):
            self.found[where] = both
        self._window.task_bar.show_task(None)

    def pages(self) -> None:
        """Each page of the open department, with each of its tabs."""
        for key in self._window.rail.offered():
            self._window.show_page(key)
            self._settle(self._window)
            page = self._window.page(key)
            self.at(key)
            for view in views(page):
                self._settle(self._window)
                self.at(f"{key}, {view}")


@pytest.mark.slow
def test_no_two_controls_share_a_letter(
    qtbot: QtBot, open_window: Callable[..., MainWindow], settle: Settle, chest: Path, spoken: str
) -> None:
    """Nothing open, and a department with reports that were not read, a reading under way, and a gold set."""
    window = open_window()
    look = Look(settle, window)
    look.at("home, nothing open yet")
    for key in window.rail.offered():
        window.show_page(key)
        look.at(f"{key}, nothing open")
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    settle(window)
    look.pages()
    window.show_page("reports", {"engine": True})
    settle(window)
    engine = window.page("reports").engine
    for chosen in (MODEL, SERVED):
        engine.choice.engines[chosen].click()
        engine.server.off.show()
        if both := shared(engine):
            look.found[f"engine, {chosen}"] = both
    engine.reject()
    window.show_page("review")
    review = window.page("review")
    review.draw_panel.size_field.setValue(4)
    review.draw_panel.draw.click()
    settle(window)
    look.at("review, who reads")
    review.reader_panel.name.setEditText("R")
    review.reader_panel.begin.click()
    settle(window)
    look.at("review, reading")
    assert look.found == {}
    assert len(look.looked) > 30
    assert len(set(look.looked)) == len(look.looked)


def test_a_shared_letter_is_seen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    title = QLabel("Pape&r", window)
    title.setBuddy(QWidget(window))
    group = QGroupBox("&Radiologist", window)
    hidden = QGroupBox("&Rest", window)
    hidden.hide()
    QLabel("no buddy, no &reach", window)
    window.show()
    assert shared(window) == {"Alt+R": [title.text(), group.title()]}
