"""What every page, every table and every control of one keeps, whatever it shows."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system.exports import ExamTime, ReportNumber
from radcal.system.selection import Selection
from ui.kit.column import EXPORT, SORT
from ui.kit.table import DataTable
from ui.pages.stage import StagePage
from ui.shell import Shell
from ui.stages import stages
from ui.window.main_window import MainWindow

PLAIN = (str, int, float, date, datetime, ReportNumber, ExamTime)
ACROSS = Qt.Orientation.Horizontal


def faults(table: DataTable) -> list[str]:
    """What of the contract a table does not keep."""
    model, found = table.model, []
    for checked in (model, table.proxy):
        QAbstractItemModelTester(checked, QAbstractItemModelTester.FailureReportingMode.Fatal, checked)
    headers = [str(model.headerData(c, ACROSS) or "") for c in range(model.columnCount())]
    if not all(headers) or len({*headers}) < len(headers):
        found.append(f"columns without a name of their own: {headers}")
    if not table.view.accessibleName() or not table.search.accessibleName():
        found.append("no name for screen readers")
    for c, header in enumerate(headers):
        cells = [model.index(row, c) for row in range(model.rowCount())]
        keys = [cell.data(SORT) for cell in cells]
        if any(not isinstance(key, str | int | float) for key in keys) or len({isinstance(k, str) for k in keys}) > 1:
            found.append(f"{header!r} cannot be sorted: {keys[:3]}")
        if not all(isinstance(cell.data(), str) for cell in cells):
            found.append(f"{header!r} has cells without text")
        exported = [value if isinstance(value, tuple) else (value,) for value in (cell.data(EXPORT) for cell in cells)]
        names = model.headerData(c, ACROSS, EXPORT) or (header,)
        leaves = not model.coarse or c in model.columns_that_leave()
        if leaves and any(len(parts) != len(names) for parts in exported):
            found.append(f"{header!r} is exported under {names}, with {exported[:1]}")
        if not all(isinstance(part, PLAIN) and part == part for parts in exported for part in parts):
            found.append(f"{header!r} has values that no file can hold: {exported[:3]}")
    lines = table._exported(range(table.proxy.rowCount()))
    if len({len(line) for line in lines}) > 1:
        found.append("exported rows of several lengths")
    return found


def nameless(page: QWidget) -> list[str]:
    """Controls of which a screen reader could say nothing, or which have the mark of a letter in their name."""
    buddies = {label.buddy() for label in page.findChildren(QLabel)}
    whole = (QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView, QTabBar)
    found = []
    for kind in (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QAbstractSpinBox, QTextEdit):
        for control in page.findChildren(kind):
            parent = control.parent()
            inside = isinstance(parent, whole) or parent.metaObject().className().startswith("QComboBox")
            waits = isinstance(control, QAbstractButton) and not control.isVisible()  # its text comes with it
            if inside or waits or control.objectName().startswith("qt_"):
                continue  # a part of another control
            text = control.text() if isinstance(control, QAbstractButton) else ""
            if "&" in control.accessibleName() or not (control.accessibleName() or text or control in buddies):
                found.append(f"{type(control).__name__} {control.objectName()}")
    return found


@pytest.mark.slow
def test_tables_can_be_sorted_and_exported_all_controls_read_out_and_every_number_says_what_it_counts(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    with open_department(chest, "correct horse battery") as department:
        department.gold.draw(4, seed=1)
    window = open_window(chest)
    found: dict[object, list[str]] = {}
    tables: list[DataTable] = []
    for key in window.rail.offered():
        window.show_page(key)
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        page = window.page(key)
        for bar in [None, *page.findChildren(QTabBar)]:
            for tab in range(bar.count() if bar is not None and bar.isVisible() else 1):
                if bar is not None and bar.isTabVisible(tab):
                    bar.setCurrentIndex(tab)
                    qtbot.waitUntil(lambda: window.tasks.is_idle)
                found[key, bar, tab] = nameless(page)
        for table in page.findChildren(DataTable):
            tables.append(table)
            found[key, table._key] = faults(table)
    assert {place: said for place, said in found.items() if said} == {}
    assert len(tables) > 25
    assert len({table._key for table in tables}) == len(tables), "each remembers its own layout"
    numbered = {key: window.rail.state(key)[0] for key in window.rail.offered() if window.rail.state(key)[0]}
    assert {"reports", "review", "words"} <= numbered.keys()
    for key, state in numbered.items():
        button = window.rail._stages[key]
        first = button.toolTip().splitlines()[0]
        number = state.split()[0]
        assert first.startswith(number) or f" {number} " in f" {first} ", (key, state, first)
        assert re.search("[a-z]{4}", first), "what it counts, in words"
        assert first in button.accessibleName()


@pytest.mark.parametrize("key", [stage.key for stage in stages()])
def test_a_page_is_freed(key: str, shell: Shell, qtbot: QtBot, dropped: Callable[..., Any]) -> None:
    def made() -> StagePage:
        page = next(stage for stage in stages() if stage.key == key).make(shell)
        page.begin()
        page.show()
        shell.set_selection(Selection("Avery", "edema"))
        page.arrive()
        qtbot.waitUntil(lambda: shell.tasks.is_idle)
        return page

    gone = dropped(made)
    shell.tasks.changed.emit(None)  # whoever is left over would hear
    qtbot.waitUntil(lambda: gc.collect() >= 0 and gone() is None)
