"""The window around the pages: stages, dates, undo, files dropped, keys, looks, languages, what is remembered."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QLocale, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from radcal.findings.run_records import RunChoice
from radcal.findings.runs import Runs
from radcal.system.selection import Days, Selection
from ui import language
from ui.kit.layout import panel, scrolled, vbox
from ui.kit.text import ElidedComboBox
from ui.kit.undoing import Edit
from ui.kit.wheel import WheelGuard
from ui.pages.stage import StagePage
from ui.preferences import preferences, switch_lab
from ui.shell import Shell
from ui.stages import stages
from ui.tasks import Advance, TaskState
from ui.theme import CONTRAST, DARK, LIGHT, SCHEMES, Colours, Theme, choose_scale, chosen_scale, in_use
from ui.widgets.dates import DatesButton, _months_before, describe
from ui.widgets.empty import EmptyState
from ui.window.dialogs.about import AboutDialog, versions
from ui.window.dialogs.keys import KeysDialog
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.main_window import MainWindow
from ui.words import moment

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"


# --- stages ----------------------------------------------------------------------------------------


def test_an_empty_page_leads_to_what_is_missing(qtbot: QtBot, make_shell: Callable[..., Shell]) -> None:
    shell = make_shell()
    page = StagePage(shell)
    qtbot.addWidget(page)
    page.show_empty("Nothing has been imported yet.", "&Import reports", "reports")
    assert page.is_empty
    with qtbot.waitSignal(shell.go_wanted) as asked:
        page.empty_button.click()
    assert asked.args == ["reports", {}]
    page.show_content()
    assert not page.is_empty


def test_the_rail_says_what_a_number_counts_and_why_a_page_needs_attention(open_window: Open) -> None:
    window = open_window()
    page, (stage,) = window.page("words"), (b for b in window.rail.findChildren(QPushButton) if b.text() == "Words")
    page.state_changed.emit("18 unknown", "18 words are in no list", "18 unknown words")
    assert window.rail.state("words") == ("18 unknown", "18 words are in no list")
    assert stage.accessibleName() == "Words, 18 unknown words, 18 words are in no list"
    assert stage.toolTip() == "18 unknown words\n18 words are in no list"
    page.state_changed.emit("1,260", "", "1,260 pairs")  # a bare number says nothing
    assert window.rail.state("words") == ("", "")


def test_the_lab_is_in_the_rail_while_it_is_switched_on(open_window: Open) -> None:
    window = open_window()
    assert "lab" not in window.rail.offered()
    switch_lab(True)
    assert window.rail.offered()[-3:] == ["lab", "settings", "help"]
    switch_lab(False)
    assert "lab" not in window.rail.offered()


# --- dates -----------------------------------------------------------------------------------------


def test_dates_are_chosen_and_reach_the_selection(open_window: Open, chest: Path) -> None:
    window = open_window(chest)
    printed: list[Selection] = []
    window.shell.selection_changed.connect(printed.append)
    dates = window.selectors.dates
    dates.click()
    dates.popup.presets[1].click()
    assert (printed[-1].days.first, printed[-1].days.last) == (date(2026, 6, 29), date(2026, 9, 28))
    dates.click()
    dates.popup.presets[0].click()
    assert not printed[-1].days.are_limited
    window.selectors.choose(Selection("Brooks", "edema", Days(date(2026, 3, 1), None)))
    assert printed[-1] == Selection("Brooks", "edema", Days(date(2026, 3, 1), None))


def test_own_days_may_be_given_in_any_order(qtbot: QtBot) -> None:
    button = DatesButton()
    qtbot.addWidget(button)
    button.set_known(date(2026, 1, 3), date(2026, 9, 28))
    button.popup.first.setDate(button.popup.first.date().addDays(100))
    button.popup.last.setDate(button.popup.last.date().addDays(-250))
    with qtbot.waitSignal(button.changed) as printed:
        button.popup.apply.click()
    first, last = printed.args[0]
    assert first < last
    assert button.span() == (first, last)


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(1, 24))
def test_months_before_a_day_end_with_it(last: date, months: int) -> None:
    first, end = _months_before(months, last)
    assert end == last
    assert first is not None
    assert 28 * months - 2 <= (last - first).days + 1 <= 31 * months


def test_dates_in_words() -> None:
    QLocale.setDefault(QLocale("de_DE"))
    assert describe((None, None)) == "All dates"
    assert describe((date(2026, 1, 3), date(2026, 9, 28))) == "03.01.26 \u2013 28.09.26"
    assert describe((date(2026, 1, 3), date(2026, 1, 3))) == "03.01.26"
    assert describe((None, date(2026, 9, 28))) == "until 28.09.26"


# --- undo ------------------------------------------------------------------------------------------


def test_undo_acts_on_the_page_on_show(qtbot: QtBot, open_window: Open) -> None:
    window, shown = open_window(), dict[str, str]()
    for key in ("reports", "help"):
        page = window.page(key)
        page.undo_stack = window.shell.undo_stack(page)
        window.show_page(key)
        page.undo_stack.push(Edit(key, "before", "after", partial(shown.__setitem__, key)))
    window.show_page("reports")
    undo, redo = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_Z, undo)
    assert shown == {"reports": "before", "help": "after"}
    QTest.keyClick(window, Qt.Key.Key_Z, undo | redo)
    assert shown == {"reports": "after", "help": "after"}
    window.show_page("home")
    QTest.keyClick(window, Qt.Key.Key_Z, undo)
    assert shown == {"reports": "after", "help": "after"}


# --- before a workspace is open -----------------------------------------------------------------------


def test_pages_without_a_workspace_say_what_they_need_one_for_and_offer_nothing_else(
    qtbot: QtBot, open_window: Open, chest: Path
) -> None:
    window = open_window()
    needy = [
        key for key in window.stages if window.stages[key].name and key not in ("home", "reports", "settings", "help")
    ]
    assert needy
    for key in needy:
        window.show_page(key)
        page = window.page(key)
        assert page.title.text() == window.stages[key].name
        assert "workspace" in page.empty_text
        buttons = [b for b in page.findChildren(QAbstractButton) if b.isVisible()]
        assert buttons == [page.empty_button], key
        assert buttons[0].text() == "&Open a workspace"
    page.empty_button.click()
    assert window.current_key == "home"
    window.entrance.open_workspace(chest, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    for key, button in (
        ("reports", "primary"),
        ("review", "more"),
        ("words", "survey_button"),
        ("feedback", "save"),
        ("results", "more"),
    ):
        window.show_page(key)
        assert getattr(window.page(key), button).isVisible(), key


def test_enter_presses_the_button_that_has_the_keyboard(open_window: Open) -> None:
    window = open_window()
    stage = next(b for b in window.rail.findChildren(QPushButton) if b.text() == "Words")
    stage.setFocus()
    assert stage.hasFocus()
    QTest.keyClick(stage, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.current_key == "home"
    QTest.keyClick(stage, Qt.Key.Key_Return)
    assert window.current_key == "words"
    button = window.page("words").empty_button
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert window.current_key == "home"


# --- files dropped ---------------------------------------------------------------------------------


def _drag(window: MainWindow, kind: type[Any], data: QMimeData) -> QDropEvent:
    """What the system sends to a window over which something is dragged: entering, then dropping."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place = QPointF(400, 300) if kind is QDropEvent else QPointF(400, 300).toPoint()
    event: QDropEvent = kind(place, copy, data, left, none)
    event.ignore()
    QApplication.sendEvent(window.windowHandle(), event)
    return event


def _files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_files_dropped_anywhere_are_imported_and_a_workspace_is_opened(open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    field = QPlainTextEdit(window.page("home"))  # takes every text that is dropped, paths among them
    field.setGeometry(window.rect())
    field.show()
    file = tmp_path / "march.csv"
    file.write_text("accession,text\n1,No edema.\n", encoding="utf-8")
    assert _drag(window, QDragEnterEvent, _files(file)).isAccepted()
    assert window.welcome.isVisible()
    assert window.welcome.text.text() == "Drop to import"
    QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())
    assert window.welcome.isHidden()
    _drag(window, QDragEnterEvent, _files(file))
    _drag(window, QDropEvent, _files(file))
    assert window.welcome.isHidden()
    assert window.current_key == "reports"
    assert field.toPlainText() == ""
    _drag(window, QDropEvent, _files(tmp_path / "chest.radcal"))
    assert any(dialog.isVisible() for dialog in window.findChildren(PassphraseDialog))


def test_the_wheel_scrolls_and_changes_no_field(qtbot: QtBot, qapp: QApplication) -> None:
    guard = WheelGuard(qapp)
    box, spin = QComboBox(), QSpinBox()
    box.addItems(["a", "b", "c"])
    inner = panel(vbox(box, spin, *(QLabel("line") for _ in range(80))))
    area = scrolled(inner)
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    qtbot.waitExposed(area)
    guard.watch(area.windowHandle())
    for field in (box, spin):
        area.verticalScrollBar().setValue(0)
        at = field.mapTo(area, field.rect().center())
        event = QWheelEvent(
            QPointF(at), QPointF(area.mapToGlobal(at)), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        field.setFocus()
        QApplication.sendEvent(area.windowHandle(), event)
        assert area.verticalScrollBar().value() > 0
    assert (box.currentIndex(), spin.value()) == (0, 0)
    qapp.focusWindowChanged.disconnect(guard.watch)
    guard.deleteLater()


# --- another language, another text size -------------------------------------------------------------


@pytest.mark.slow
def test_another_language_and_size_act_at_once_and_nothing_under_way_ends(
    qtbot: QtBot, qapp: QApplication, open_window: Open, chest: Path
) -> None:
    window = open_window(chest)
    window.show_page("department")
    window.selectors.choose(Selection("Brooks", "edema"))
    go_on, done = threading.Event(), list[object]()
    window.tasks.start("work", lambda _: go_on.wait(), done=done.append, failed=print, title="Reading", keeps=True)
    before, plain = window.page("department"), window.rail.width()
    try:
        window.speak("de")
        qtbot.waitUntil(lambda: window.page("department") is not before)
        assert window.current_key == "department"
        assert window.rail_names()[-1] == "Hilfe"
        assert window.shell.selection == window.selectors.current() == Selection("Brooks", "edema")
        qtbot.waitUntil(window.task_bar.button.isVisible)  # what is under way is still on show
        second = window.page("department")
        window.resize_text(150)
        qtbot.waitUntil(lambda: window.page("department") is not second)
        qtbot.waitUntil(lambda: window.rail.width() >= round(1.4 * plain))
        assert window.font().pixelSize() == 20
        assert shiboken6.isValid(before)  # as long as work is under way that may be for it
        go_on.set()
        qtbot.waitUntil(lambda: done == [True])
        qtbot.waitUntil(lambda: not shiboken6.isValid(before) and not shiboken6.isValid(second))
    finally:
        go_on.set()
        window.resize_text(100)
        window.speak("en")
        qtbot.waitUntil(lambda: window.rail_names()[-1] == "Help")
        language.choose("")


@pytest.mark.slow
def test_the_tabs_of_a_page_stay_where_they_are(qtbot: QtBot, open_window: Open, chest: Path) -> None:
    window = open_window(chest)
    seen = 0
    for key in window.rail.offered():
        window.show_page(key)
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        for bar in window.page(key).findChildren(QTabBar):
            places = set()
            for tab in range(bar.count()):
                if bar.isVisible() and bar.isTabVisible(tab):
                    bar.setCurrentIndex(tab)
                    qtbot.waitUntil(lambda: window.tasks.is_idle)
                    QApplication.processEvents()
                    places.add(bar.mapTo(window, QPoint()).y())
            assert len(places) <= 1, key
            seen += bool(places)
    assert seen > 3


# --- keys, about -----------------------------------------------------------------------------------


def test_every_stage_is_reached_by_its_number_and_the_keys_are_listed(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    named = [stage.key for stage in stages() if stage.name and stage.key != "lab"]
    assert window.rail.offered() == named
    for number, key in enumerate(named[:9], start=1):
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        assert window.current_key == key
    window.show_keys()
    (dialog,) = (d for d in window.findChildren(KeysDialog) if d.isVisible())
    texts = [text.text() for text in dialog.findChildren(QLabel)]
    assert texts[texts.index("Ctrl+1") + 1] == window.rail_names()[0]
    assert any(text.startswith("Ctrl+Z") for text in texts)


@pytest.mark.slow
def test_about_names_every_part_with_its_licence(qtbot: QtBot, find: Callable[..., Any]) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    assert dialog.text.toPlainText().splitlines() == versions()
    assert any(line.startswith("numpy 2") and "BSD" in line for line in versions())
    find(dialog, QPushButton, "Copy").click()
    assert QGuiApplication.clipboard().text().startswith("RadCal ")
    dialog.tabs.setCurrentWidget(dialog.licences)
    texts = dialog.licences.toPlainText()
    assert "Redistribution and use in source and binary forms" in texts
    assert texts.count("GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 3") == 1
    assert "SIL OPEN FONT LICENSE" in texts


# --- looks and languages ---------------------------------------------------------------------------


def _luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.1."""
    c = QColor(colour)
    parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c.redF(), c.greenF(), c.blueF())]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _contrast(a: str, b: str) -> float:
    bright, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", SCHEMES.values(), ids=SCHEMES.keys())
def test_text_stands_out_from_its_ground(colours: Colours) -> None:
    least = 7.0 if colours is CONTRAST else 4.5
    for ground in (colours.window, colours.surface, colours.raised):
        assert _contrast(colours.text, ground) >= least
    for text in (colours.muted, colours.note, colours.warning, colours.error, colours.accent):
        assert _contrast(text, colours.surface) >= least
    assert _contrast(colours.muted, colours.window) >= 4.5
    assert min(_contrast(colours.accent, colours.window), _contrast(colours.curve, colours.surface)) >= 3
    assert _contrast(colours.on_accent, colours.accent) >= least
    assert _contrast(colours.text, colours.selection) >= least
    assert _contrast(colours.text, colours.mark) >= 4.5


def test_a_chosen_look_is_remembered(qtbot: QtBot, qapp: QApplication) -> None:
    theme = Theme(qapp)
    try:
        theme.choose("contrast")
        assert in_use() is CONTRAST
        assert Theme(qapp).colours is CONTRAST
        theme.choose("")
        assert theme.colours in (LIGHT, DARK)
        choose_scale(150)
        assert chosen_scale() == 150
        preferences().setValue("scale", "9999")
        assert chosen_scale() == 300
    finally:
        preferences().clear()
        for made in qapp.children():
            if isinstance(made, Theme):
                made.deleteLater()


# --- the foot --------------------------------------------------------------------------------------


def test_the_foot_pauses_and_lets_go_on(qtbot: QtBot, open_window: Open) -> None:
    bar = open_window().task_bar
    state = TaskState("Extracting findings", "extract", Advance(1, "Extracting findings", 10, 100), False, True)
    bar.show_task(state)
    assert bar.hold.isVisible()
    assert bar.hold.text() == "Pause"
    with qtbot.waitSignal(bar.pause) as printed:
        bar.hold.click()
    assert printed.args == ["extract"]
    bar.show_task(TaskState("Extracting findings", "extract", state.advance, False, True, True, 2))
    assert bar.hold.text() == "Resume"
    assert bar.label.text() == "Extracting findings: 10 of 100 \u00b7 paused \u00b7 2 more to do"
    with qtbot.waitSignal(bar.resume):
        bar.hold.click()


def test_the_place_of_the_window_is_remembered(open_window: Open, close: Callable[..., None]) -> None:
    window = open_window()
    window.resize(1000, 600)
    close(window)
    assert open_window().height() == 600  # the width is that of the screen here


class Shown(QObject):
    """Notes what is shown as a window of its own, however shortly."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.append(type(watched).__name__)
        return False


def test_no_widget_is_shown_as_a_window_of_its_own(qtbot: QtBot, open_window: Open, qapp: QApplication) -> None:
    shown = Shown()
    qapp.installEventFilter(shown)
    window = open_window()
    for stage in stages():
        window.show_page(stage.key)
    qapp.removeEventFilter(shown)
    # A stack without a parent, say, would show what it is given, and take the keyboard from the window.
    assert shown.kinds == ["MainWindow"]
    assert [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not window] == []


def test_the_name_of_a_page_goes_before_what_stands_beside_it(qtbot: QtBot, make_shell: Callable[..., Shell]) -> None:
    page = StagePage(make_shell())
    qtbot.addWidget(page)
    page.title.setText("Larkspurling, Cosmo \u2013 pleural effusion")
    page.meta.setText("139 findings \u00b7 " + "a long story of what read the reports " * 4)
    page.resize(900, 300)
    page.show()
    assert page.title.width() >= page.title.sizeHint().width()
    assert page.meta.width() < page.meta.sizeHint().width()
    page.grab()  # painted, it knows that it was cut short
    assert page.meta.toolTip() == page.meta.text()
    page.resize(300, 300)
    assert page.meta.width() >= 150
    assert page.title.width() >= 80


def test_the_empty_state_is_never_cut_off(qtbot: QtBot, make_shell: Callable[..., Shell]) -> None:
    page = StagePage(make_shell())
    qtbot.addWidget(page)
    page.resize(1100, 600)
    page.show()
    text = page.findChildren(EmptyState)[0].text
    for words in (4, 8, 9, 10, 12, 40):
        page.show_empty("something " * words)
        qtbot.waitUntil(lambda: text.height() >= text.heightForWidth(text.width()))


# --- the selector bar ------------------------------------------------------------------------------


def test_pages_show_the_parts_of_the_bar_that_they_go_by(open_window: Open, chest: Path) -> None:
    window = open_window(chest)
    bar = window.selectors
    window.show_page("results")
    assert bar.author.isVisible()
    assert bar.topic.isVisible()
    assert not bar.run.isVisible()  # there is but one
    window.show_page("department")
    assert not bar.author.isVisible()
    window.show_page("help")
    assert not bar.isVisible()


def test_a_name_that_is_too_long_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    box = ElidedComboBox()
    qtbot.addWidget(box)
    name = "Featherstonehaugh-Cholmondeley, Maximiliana"
    box.addItem(name)
    box.resize(2000, 32)
    assert box.shown_text() == name
    box.resize(160, 32)
    shown = box.shown_text()
    assert shown.endswith("\u2026")
    assert name.startswith(shown[:-1])
    assert not box.grab().isNull()


def test_readings_of_one_day_are_told_apart_by_their_time(
    open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = datetime(2026, 11, 20, 9, tzinfo=UTC)
    runs = (
        RunChoice(3, "rules", "", begun + timedelta(hours=1), True),
        RunChoice(2, "llama", "tiny.gguf", begun, False),
        RunChoice(1, "rules", "", begun, False),
    )
    monkeypatch.setattr(Runs, "choices", lambda _runs: runs)
    window = open_window(chest)
    names = [window.selectors.run.itemText(i) for i in range(3)]
    assert len(set(names)) == 3
    assert moment(runs[0].begun) in names[0]
    assert moment(begun) in names[2]
    assert moment(begun) not in names[1]


@pytest.mark.slow
def test_another_reading_of_the_reports_is_chosen(qtbot: QtBot, open_window: Open, read_twice: Path) -> None:
    window = open_window(read_twice)
    window.show_page("results")
    bar = window.selectors
    assert bar.run.isVisible()
    shown = window.shell.opened.shown_run
    other = next(i for i in range(bar.run.count()) if i != bar.run.currentIndex())
    bar.run.setCurrentIndex(other)
    bar.run.activated.emit(other)
    qtbot.waitUntil(lambda: window.tasks.is_idle and window.shell.opened.shown_run == bar.run.itemData(other))
    assert window.shell.opened.shown_run != shown
    assert window.current_key == "results"  # results made anew do not turn the page
