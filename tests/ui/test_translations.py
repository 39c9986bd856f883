"""The window in German: numbers and dates as they are written there, and whole words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from radcal.system.language.catalogue import languages
from radcal.system.text import Text
from ui import language, words
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("german")


def test_numbers_and_dates_are_written_as_in_german() -> None:
    assert QLocale().name() == "de_DE"
    assert words.whole(2662) == "2.662"
    assert words.decimal_interval(0.14, 0.1, 0.19) == "0,14 (0,10\u20130,19)"
    assert words.months(datetime(2026, 3, 1), datetime(2026, 5, 1)) == "M\u00e4rz\u2013Mai 2026"
    assert words.day(date(2026, 3, 31)) == "31.03.26"
    assert words.listed(["a", "b", "c"]) == "a, b und c"
    assert words.quoted("likely") == "\u201elikely\u201c"
    assert language.preferred() == language.spoken().code == "de"


def test_the_window_and_the_pages_speak_the_same_languages() -> None:
    assert set(language.LANGUAGES) == set(languages())


def test_decimals_are_written_as_the_locale_does(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Text("F1 {f1:.2f} ({low:.2f}\u2013{high:.2f})", f1=0.9, low=0.85, high=0.95)
    assert "0,90 (0,85\u20130,95)" in words.typographic(figures)
    monkeypatch.setattr(language, "_locale", lambda code: QLocale("de_CH"))
    language.use(qapp, "de")
    assert "0.90 (0.85\u20130.95)" in words.typographic(figures)


def test_every_page_shows_whole_words_in_german(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    window.resize(1280, 720)
    clipped = []
    for key in window.stages:
        window.show_page(key)
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        QApplication.sendPostedEvents()
        clipped += [(key, text) for text in _clipped(window)]
    assert clipped == []


def _clipped(window: QWidget) -> list[str]:
    """The texts of visible buttons, labels and tabs that do not have the width they need."""
    buttons = [b for b in window.findChildren(QAbstractButton) if b.isVisible() and b.text()]
    lines = [
        label
        for label in window.findChildren(QLabel)
        if label.isVisible()
        and label.textFormat() != Qt.TextFormat.RichText
        and not label.wordWrap()
        and label.toolTip() != label.text()  # cut short on purpose, and shown whole by the pointer
    ]
    tabs = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
    return [
        *(b.text() for b in buttons if b.width() < b.minimumSizeHint().width()),
        *(x.text() for x in lines if x.fontMetrics().horizontalAdvance(x.text().replace("&", "")) > x.width() + 1),
        *(bar.tabText(0) for bar in tabs if bar.sizeHint().width() > bar.width() + 1),
    ]
