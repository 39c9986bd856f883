"""What every table of every page keeps, whatever it lists."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from radcal.system.exports import ExamTime, ReportNumber
from ui.kit.column import EXPORT, SORT
from ui.kit.table import DataTable
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


def test_tables_can_be_sorted_exported_and_read_out(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    tables: dict[str, list[DataTable]] = {}
    for key in (*window.rail.offered(), "evidence", "audit"):
        window.show_page(key)
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        tables[key] = window.page(key).findChildren(DataTable)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    found = {(key, table._key): faults(table) for key, made in tables.items() for table in made}
    assert {place: said for place, said in found.items() if said} == {}
    keys = [table._key for table in itertools.chain(*tables.values())]
    assert len(keys) > 25
    assert len({*keys}) == len(keys), "each remembers its own layout"
