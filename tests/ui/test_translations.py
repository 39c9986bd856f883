"""The German translation: complete for the code as it is, faithful in its details, and shown without clipping."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from ui import language, translations, words
from ui.window.main_window import MainWindow

TS = translations.FOLDER / "radcal_de.ts"

_NAMES_OF_THINGS = re.compile(
    r"(?:\{\w+\}|[\W\d_]|\b(?:n|F1|CT|PDF|CSV|Excel|TSV|xlsx|tsv|csv|pdf|ECE|MiB|GiB|s|h|in)\b)*"
)
"""Placeholders, signs and units: the same in every language."""
_ALIKE = frozenset(
    {"A4", "C", "Esc", "Import", "J", "Konte&xt", "Llama", "N", "Name", "P", "Pa&use", "Plan", "RadCal", "Threads", "U"}
    | {"&Passphrase", "Passphrase", "&Start", "T&hreads", "US Letter", "model.gguf"}
)
"""Words that German writes alike."""


@pytest.fixture(name="german")
def german_fixture(qapp: QApplication) -> Iterator[None]:
    language.choose("de")
    language.use(qapp, "de")
    yield
    language.choose("")
    language.use(qapp, "en")


def _messages(ts: Path) -> dict[tuple[str, str, str], tuple[str, str]]:
    """(context, source, comment) -> (translation, what Qt Linguist says of it)."""
    found = {}
    for context in ET.parse(ts).getroot().findall("context"):  # noqa: S314 - our own file
        name = context.findtext("name", "")
        for message in context.findall("message"):
            told = message.find("translation")
            assert told is not None
            key = (name, message.findtext("source", ""), message.findtext("comment", ""))
            found[key] = (told.text or "", told.get("type", ""))
    return found


MESSAGES = _messages(TS)


def test_the_translation_has_all_texts_of_the_code_and_no_others(tmp_path: Path) -> None:
    copy = tmp_path / TS.name
    shutil.copy(TS, copy)
    translations.collect(copy)
    now = _messages(copy)
    assert now.keys() - MESSAGES.keys() == set(), "run 'make translations' and translate what is new"
    assert MESSAGES.keys() - now.keys() == set(), "run 'make translations'"


def test_nothing_is_unfinished_or_empty() -> None:
    assert [key for key, (text, state) in MESSAGES.items() if state or not text] == []


def test_placeholders_and_keys_are_kept() -> None:
    wrong = []
    for (context, source, _), (text, _) in MESSAGES.items():
        if Counter(re.findall(r"\{\w*\}", source)) != Counter(re.findall(r"\{\w*\}", text)):
            wrong.append((context, source, text))
        if len(re.findall(r"&(?=\w)", source)) != len(re.findall(r"&(?=\w)", text)) and "&{" not in source:
            wrong.append((context, source, text))
        if (source[:1] == " ", source[-1:] == " ") != (text[:1] == " ", text[-1:] == " "):
            wrong.append((context, source, text))
    assert wrong == []


def test_no_english_is_left() -> None:
    same = [source for (_, source, _), (text, _) in MESSAGES.items() if source == text]
    assert [s for s in same if s not in _ALIKE and _NAMES_OF_THINGS.fullmatch(s) is None] == []


def test_quotation_marks_and_percent_signs_are_german() -> None:
    texts = [text for text, _ in MESSAGES.values()]
    assert [t for t in texts if "\u201d" in t or t.count("\u201e") != t.count("\u201c")] == []
    assert [t for t in texts if re.search(r"[\d}] %", t)] == []


def test_the_compiled_translation_is_up_to_date(tmp_path: Path, qapp: QApplication) -> None:
    made = tmp_path / "made.qm"
    translations.compile_file(TS, made)
    shipped, fresh = QTranslator(), QTranslator()
    assert shipped.load(str(TS.with_suffix(".qm")))
    assert fresh.load(str(made))
    for (context, source, comment), (text, _) in MESSAGES.items():
        key = (context, source, comment or None)
        assert shipped.translate(*key) == fresh.translate(*key) == text


@pytest.mark.usefixtures("german")
def test_numbers_and_dates_are_written_as_in_german() -> None:
    assert QLocale().name() == "de_DE"
    assert words.whole(2662) == "2.662"
    assert words.decimal_interval(0.14, 0.1, 0.19) == "0,14 (0,10\u20130,19)"
    assert words.months(datetime(2026, 3, 1), datetime(2026, 5, 1)) == "M\u00e4rz\u2013Mai 2026"
    assert QLocale().toString(date(2026, 3, 31), QLocale.FormatType.ShortFormat) == "31.03.26"
    assert words.listed(["a", "b", "c"]) == "a, b und c"


@pytest.mark.usefixtures("german")
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
