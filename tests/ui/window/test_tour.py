"""The tour over the sample: its stops, the ways through it and out of it, and when it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from radcal.system.errors import DataError
from radcal.system.kinds import FileKind
from ui import operations
from ui.preferences import tour_answered
from ui.theme import DARK, Colours
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow
from ui.window.tour.callout import Callout
from ui.window.tour.spotlight import Spotlight
from ui.window.tour.stops import Stop

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"
PAGES = ["reports", "words", "results", "results"]


def stop_of(window: MainWindow) -> Stop:
    assert window.tour.stop is not None
    return window.tour.stop


def callout_of(window: MainWindow) -> Callout:
    assert window.tour.callout is not None
    return window.tour.callout


def spotlight_of(window: MainWindow) -> Spotlight:
    assert window.tour.spotlight is not None
    return window.tour.spotlight


def points(window: MainWindow) -> bool:
    """Whether text and frame have found the place of the stop."""
    window.tour.look()
    return window.tour._found and not spotlight_of(window).hole.isEmpty()


def begun(qtbot: QtBot, window: MainWindow) -> None:
    """The tour is at its first stop, begun by the button of the start page."""
    window.resize(1280, 720)
    qtbot.mouseClick(window.ways.tour, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.tour.is_on)


def press(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


# --- the stops -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ready_sample")
def test_each_stop_points_at_what_is_there_and_covers_none_of_it(qtbot: QtBot, open_window: Open) -> None:
    """By keyboard alone, from the first stop to the evidence and to where it began; numbers are those of the pages."""
    window = open_window()
    begun(qtbot, window)
    opened = window.session.current
    assert opened is not None
    assert opened.sample
    pages, numbers, texts = [], [], []
    while window.tour.is_on:
        qtbot.waitUntil(lambda: points(window))
        stop, callout = stop_of(window), callout_of(window)
        page = window.page(stop.page)
        for name in stop.landmarks:
            assert page.landmark(name, stop.phrase).isVisible()
        hole = spotlight_of(window).hole
        assert window.rect().contains(hole)
        assert hole.bottom() < callout.mapTo(window, callout.rect().topLeft()).y()
        assert callout.isAncestorOf(QApplication.focusWidget())
        assert stop.text in QAccessible.queryAccessibleInterface(callout).text(QAccessible.Text.Name)
        pages.append(window.current_key)
        numbers.append(callout.place.text())
        texts.append(callout.text.text())
        if window.current_key == "words":
            assert page.meanings.chosen == stop.where["phrase"]
        press(Qt.Key.Key_Return if len(pages) % 2 else Qt.Key.Key_Right)
    assert pages == PAGES
    assert numbers == ["1 of 3", "2 of 3", "3 of 3", "3 of 3"]
    assert f"{opened.attrition[0].kept} rows" in texts[0]
    assert f"{opened.n_pairs} pairs" in texts[0]
    assert window.current_key == "home"
    assert Message.TOUR_LATER not in window.messages.shown()
    assert not window.ways.offers_tour


@pytest.mark.usefixtures("ready_sample")
def test_by_mouse_to_and_fro_and_out_in_the_middle(
    qtbot: QtBot, open_window: Open, wear: Callable[[Colours], None], close: Callable[..., None]
) -> None:
    """Other sizes, colours and pages do not end it; who has gone elsewhere stays there."""
    window = open_window()
    begun(qtbot, window)
    callout = callout_of(window)
    assert not callout.back_button.isEnabled()
    press(Qt.Key.Key_Left)
    assert stop_of(window).number == 1
    for button in (callout.next_button, callout.back_button):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.current_key == "reports"
    qtbot.waitUntil(lambda: points(window))
    for width, height in ((880, 520), (420, 260), (1900, 1000)):
        window.resize(width, height)
        window.tour.look()
        assert spotlight_of(window).geometry() == window.rect()
        assert callout.isVisible()
    wear(DARK)
    assert not spotlight_of(window).grab().isNull()
    assert spotlight_of(window).testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    # To another page: the text waits, and goes on from there.
    window.show_page("settings")
    window.tour.look()
    assert spotlight_of(window).hole.isEmpty()
    assert window.tour.take_keyboard()
    press(Qt.Key.Key_Right)
    assert window.current_key == "words"
    # What is not there is not pointed at.
    qtbot.waitUntil(lambda: points(window))
    window.page("words").meanings.card.hide()
    window.tour.look()
    assert spotlight_of(window).hole.isEmpty()
    assert callout.isVisible()
    window.show_page("department")
    qtbot.mouseClick(callout.end_button, Qt.MouseButton.LeftButton)
    assert not window.tour.is_on
    assert window.current_key == "department"
    # Begun anew within the sample it returns to where it was; Esc ends it wherever the focus is.
    window.tour.start()
    assert window.current_key == "reports"
    QTest.keyClick(window.rail, Qt.Key.Key_Escape)
    assert not window.tour.is_on
    assert window.current_key == "department"
    assert window.messages.shown() == (Message.TOUR_LATER,)
    window.tour.start()
    close(window, MainWindow.close)  # which takes the tour along


# --- what ends it, what it leaves alone ------------------------------------------------------------


@pytest.mark.usefixtures("ready_sample")
def test_a_workspace_of_ones_own_is_closed_only_if_that_is_wanted(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    """The lock hides the question with all else; opening the workspace again ends the tour where it is."""
    window = open_window(chest)
    window.show_page("help")
    qtbot.mouseClick(window.page("help").tour, Qt.MouseButton.LeftButton)
    question = window.tour.question
    assert question is not None
    assert chest.stem in question.informativeText()
    window.locking.lock()
    assert window.locking.is_locked
    assert not question.isVisible()
    window.locking.unlock(PASSPHRASE)
    qtbot.waitUntil(lambda: not window.locking.is_locked)
    assert question.isVisible()
    question.escapeButton().click()
    assert window.tour.question is None
    assert window.session.current is not None
    assert window.session.current.path == chest
    window.top_bar.tour.trigger()
    assert window.tour.question is not None
    next(b for b in window.tour.question.buttons() if b is not window.tour.question.escapeButton()).click()
    qtbot.waitUntil(lambda: window.tour.is_on)
    window.locking.lock()  # the sample has nothing to hide
    assert not window.locking.is_locked
    window.tour.onward()
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: not window.tour.is_on)
    assert window.session.current.path == chest
    assert window.findChildren(Callout) == [] or not window.findChildren(Callout)[0].isVisible()


def test_a_sample_that_does_not_open_is_told_and_waited_for_no_longer(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_progress: object) -> None:
        raise DataError("The sample is not there.")

    window = open_window()
    with monkeypatch.context() as patch:
        patch.setattr(operations, "open_sample", fail)
        window.ways.tour.click()
        qtbot.waitUntil(lambda: Message.SAMPLE_FAILED in window.messages.shown())
    assert not window.tour.is_on
    assert not tour_answered()
    assert not window.tour._waits
    assert window.ways.offers_tour
    window.ways.no_tour.click()  # the cross turns it down
    assert tour_answered()
    assert not window.ways.offers_tour


# --- the offer -------------------------------------------------------------------------------------


def test_it_is_offered_until_it_is_answered(qtbot: QtBot, open_window: Open, close: Callable[..., None]) -> None:
    window = open_window()
    assert window.ways.offers_tour
    assert not tour_answered()
    window.ways.tour.setFocus()
    QTest.keyClick(window.ways.tour, Qt.Key.Key_Escape)
    assert tour_answered()
    assert not window.ways.offers_tour
    assert window.ways.buttons[0].hasFocus()
    assert window.messages.shown() == (Message.TOUR_LATER,)
    close(window)
    again = open_window()
    assert not again.ways.offers_tour
    assert again.top_bar.tour.isVisible()
    assert again.top_bar.tour.shortcut().toString() == "Shift+F1"
    assert again.top_bar.tour in again.top_bar.shortcuts
    assert again.page("help").tour.isVisibleTo(again.page("help"))


def test_only_a_department_has_it(open_window: Open, chest: Path) -> None:
    window = open_window(chest)
    assert not window.ways.offers_tour  # nobody's first visit
    page = window.page("help")
    for kind in FileKind:
        current = replace(window.session.current, kind=kind)
        window.session.current = current
        window.top_bar.show_department(current)
        page.show_department(current)
        has_it = kind is FileKind.DEPARTMENT
        assert window.tour.is_offered == window.top_bar.tour.isVisible() == page.tour.isVisibleTo(page) == has_it, kind
        if not has_it:
            window.tour.start()
            assert window.tour.question is None
            assert not window.tour.is_on
