"""Tables: search, sorting, copying, export, columns that are remembered."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from radcal.system import policy
from radcal.system.exports import Export, Exports
from ui.kit.column import Column, RecordModel, banded, count, estimated, settled, to_five_points, with_ends
from ui.kit.table import DataTable
from ui.shell import Shell
from ui.words import rate

ROWS = [("likely", 87, 0.471), ("may", 60, 0.32), ("present", 1040, 0.83), ("unlikely", 25, 0.08)]


def _model() -> RecordModel:
    model = RecordModel(
        (
            Column("phrase", lambda r: r[0], width=120),
            Column("said", lambda r: f"{r[1]:,}", number=True, value=lambda r: r[1], width=80),
            Column("rate", lambda r: f"{100 * r[2]:.0f} %", number=True, value=lambda r: r[2]),
        )
    )
    model.set_rows(ROWS)
    return model


Tabled = Callable[..., DataTable]


@pytest.fixture
def tabled(qtbot: QtBot, make_shell: Callable[..., Shell]) -> Tabled:
    """Makes a table of a model."""

    def make(model: RecordModel, **options: Any) -> DataTable:
        made = DataTable("test", "Phrases", model, make_shell(), **options)
        model.setParent(made)
        qtbot.addWidget(made)
        return made

    return make


@pytest.fixture
def table(tabled: Tabled) -> DataTable:
    made = tabled(_model())
    made.show()
    return made


def export(table: DataTable, path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Export the table to a file, whatever would be asked; the name that is suggested."""
    asked: list[str] = []

    def save(_title: str, name: str, _kinds: object, make: Callable[[str], Export]) -> None:
        asked.append(name)
        Exports().write(path, make(path.suffix))

    monkeypatch.setattr(table._files, "save_file", save)
    table.ask_export()
    [name] = asked
    return name


def _shown(table: DataTable) -> list[str]:
    return [str(table.proxy.index(r, 0).data()) for r in range(table.proxy.rowCount())]


def test_search_finds_all_words_in_any_cell(table: DataTable, qtbot: QtBot) -> None:
    assert table.count.text() == "4 rows"
    qtbot.keyClicks(table.search, "LIKELY 47")
    qtbot.waitUntil(lambda: _shown(table) == ["likely"])
    assert table.count.text() == "1 of 4 rows"
    table.search.clear()
    qtbot.waitUntil(lambda: len(_shown(table)) == 4)


def test_numbers_are_sorted_as_numbers_and_texts_as_texts(table: DataTable) -> None:
    table.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert _shown(table) == ["present", "likely", "may", "unlikely"]
    table.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert _shown(table) == ["likely", "may", "present", "unlikely"]


def test_rows_are_named_by_their_place_in_the_model(table: DataTable, qtbot: QtBot) -> None:
    table.view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    shown: list[int] = []
    table.activated.connect(shown.append)
    table.select_row(2)
    assert table.current_row() == 2
    qtbot.keyClick(table.view, Qt.Key.Key_Return)
    assert shown == [2]


def test_the_keyboard_goes_through_the_bar_to_the_rows(table: DataTable) -> None:
    first, second = QPushButton("First", table), QPushButton("Second", table)
    table.add_to_bar(first)
    table.add_to_bar(second)
    stops, at = [], table.search
    for _ in range(5):
        stops.append(at)
        at = at.nextInFocusChain()
        while at.focusPolicy() == Qt.FocusPolicy.NoFocus or at is table:
            at = at.nextInFocusChain()
    assert stops == [table.search, first, second, table.more, table.view]


def test_what_is_chosen_is_copied_with_its_header(table: DataTable, qtbot: QtBot) -> None:
    table.select_row(0)
    qtbot.keyClick(table.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "phrase\tsaid\trate\nlikely\t87\t47 %\n"
    table.view.clearSelection()
    table.copy()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 5


def test_hidden_columns_stay_hidden_and_are_not_exported(
    table: DataTable, tabled: Tabled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.show_column(1, False)
    path = tmp_path / "t.csv"
    export(table, path, monkeypatch)
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["phrase", "rate"], *([phrase, str(rate)] for phrase, _, rate in ROWS)]
    assert tabled(_model()).view.isColumnHidden(1)


def test_remembered_columns_show_the_headers_of_another_language(table: DataTable, tabled: Tabled) -> None:
    table.view.setColumnWidth(0, 200)
    table.view.setColumnWidth(1, 48)
    QApplication.processEvents()
    model = RecordModel(
        (
            Column("Formulierung", lambda r: r[0]),
            Column("wie oft verwendet", lambda r: f"{r[1]:,}", number=True),
            Column("Anteil", lambda r: f"{100 * r[2]:.0f} %", number=True),
        )
    )
    model.set_rows(ROWS)
    header = tabled(model).view.horizontalHeader()
    assert header.sectionSize(0) == 200  # as it was left
    assert header.sectionSize(1) >= header.sectionSizeHint(1) > 48


def test_what_is_kept_of_a_table_with_other_columns_is_left(table: DataTable, tabled: Tabled) -> None:
    table.view.setColumnWidth(0, 200)
    table.show_column(1, False)
    columns = [Column(name, lambda r: r[0]) for name in ("phrase", "said", "rate", "new since")]
    model = RecordModel(columns)
    model.set_rows(ROWS)
    again = tabled(model)
    again.resize(600, 300)
    again.show()
    assert not again.view.isColumnHidden(1)
    for column in range(4):
        assert again.view.columnWidth(column) >= 48
        assert again.view.visualRect(again.proxy.index(0, column)).width() > 0
    assert sum(map(again.view.columnWidth, range(4))) >= again.view.viewport().width()


def test_a_row_is_selected_whatever_keys_are_held(table: DataTable, qtbot: QtBot) -> None:
    QShortcut("Ctrl+Z", table).activated.connect(partial(table.select_row, 2))
    table.activateWindow()
    for _ in range(2):
        qtbot.keyClick(table.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert table.selected_rows() == [2]


def test_the_current_row_stays_in_sight_where_the_table_shrinks(table: DataTable, qtbot: QtBot) -> None:
    table.resize(400, 260)
    table.select_row(3)
    qtbot.waitUntil(lambda: table.view.viewport().height() > 4 * 28)
    table.resize(400, 150)
    view = table.view
    qtbot.waitUntil(lambda: view.viewport().height() < 4 * 28)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center())


def test_numbers_are_exported_as_numbers(table: DataTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert export(table, tmp_path / "t.xlsx", monkeypatch) == "Phrases.csv"
    rows = list(load_workbook(tmp_path / "t.xlsx").active.values)
    assert rows == [("phrase", "said", "rate"), *ROWS]


def test_a_value_is_exported_with_both_ends_of_its_interval(
    tabled: Tabled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = [(0.47, 0.37, 0.57), (0.32, 0.2, 0.45)]
    model = RecordModel((Column("phrase", lambda r: f"word {ends.index(r)}"), estimated("rate", tuple, rate)))
    model.set_rows(ends)
    export(tabled(model), tmp_path / "t.csv", monkeypatch)
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [
            ["phrase", "rate", "rate: low", "rate: high"],
            *([f"word {row}", *map(str, value)] for row, value in enumerate(ends)),
        ]


def test_a_table_goes_with_its_page(make_shell: Callable[..., Shell], qapp: QApplication) -> None:
    page = QWidget()
    model = _model()
    table = DataTable("test", "Phrases", model, make_shell(), parent=page)
    model.setParent(table)
    gone: list[bool] = []
    table.destroyed.connect(lambda: gone.append(True))
    page.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert gone


def _people(*said: int) -> RecordModel:
    """A table of radiologists under pseudonyms."""
    model = RecordModel(
        (
            Column("radiologist", lambda r: r[0], coarse=lambda r: r[0]),
            Column("n", lambda r: str(r[1]), True, lambda r: r[1], coarse=lambda r: banded(r[1])),
            Column("confirmed", lambda r: str(r[1] - 1), True, lambda r: r[1] - 1),
            Column("rate", lambda r: "0.51", True, ends=True, coarse=lambda r: to_five_points(0.512, 0.401, 0.633)),
        )
    )
    model.coarse, model.said = True, lambda r: r[1]
    model.set_rows([(f"Reader {k}", n) for k, n in enumerate(said)])
    return model


def test_people_leave_in_bands_by_name_without_who_said_less_than_five(tabled: Tabled) -> None:
    table = tabled(_people(61, 7, 4, 19, 120, 33))
    table.proxy.sort(1, Qt.SortOrder.DescendingOrder)
    header, *rows = table._exported(range(6))
    assert header == ["radiologist", "n", *with_ends("rate")]
    assert rows == [
        [f"Reader {k}", n, 0.5, 0.4, 0.65]
        for k, n in ((0, "50-99"), (1, "5-9"), (3, "10-19"), (4, "100-199"), (5, "30-49"))
    ]
    table.copy()
    assert "61" not in QGuiApplication.clipboard().text()
    assert "confirmed" not in QGuiApplication.clipboard().text()


def test_fewer_than_five_people_stay_on_the_screen(tabled: Tabled, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("ui.kit.table.QToolTip.showText", lambda _at, text, _of: told.append(text))
    table = tabled(_people(61, 7, 4, 19, 120))
    QGuiApplication.clipboard().setText("before")
    table.copy()
    table.ask_export()
    assert QGuiApplication.clipboard().text() == "before"
    assert len(told) == 2
    assert told[0].startswith("Radiologists under pseudonyms are copied and exported from 5 on")
    menu = table.more.menu()
    menu.aboutToShow.emit()
    assert [action.isEnabled() for action in menu.actions()[:2]] == [False, False]
    assert menu.actions()[1].toolTip() == told[0]
    table.model.coarse = False
    table.copy()
    assert "Reader 2\t4\t3" in QGuiApplication.clipboard().text()
    table.withhold("Not this one.")
    table.ask_export()
    assert told[-1] == "Not this one."


def test_a_missing_figure_does_not_cut_a_band() -> None:
    assert [settled(n, 15) for n in (12, 17, 20)] == [False, False, True]
    assert [settled(n, 10) for n in (9, 10, 19)] == [False, True, True]
    assert to_five_points(0.5, None, 0.6) == to_five_points(None) == ("", "", "")


def test_rows_with_names_stay_where_it_refuses_them(tabled: Tabled, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("ui.kit.table.QToolTip.showText", lambda _at, text, _of: told.append(text))
    rules = policy.Policy(Path("/etc/radcal/policy.toml"), locked={"exports_with_names": "refused"})
    monkeypatch.setattr(policy, "in_use", lambda: rules)
    model = _people(61, 7, 41, 19, 120, 33)
    table = tabled(model)
    assert table.why_kept == "", "under pseudonyms"
    model.show_people(named=True)
    QGuiApplication.clipboard().setText("before")
    table.copy()
    table.ask_export()
    assert QGuiApplication.clipboard().text() == "before"
    assert told == [table.why_kept] * 2
    assert told[0].startswith("Your IT department allows no files and lists with the names of radiologists (")
    model.show_people(named=False)
    table.copy()
    assert QGuiApplication.clipboard().text() != "before"
    model.show_people(named=True)
    monkeypatch.setattr(policy, "in_use", policy.Policy)
    assert table.why_kept == ""


def test_what_is_not_known_is_sorted_first_among_whole_numbers(tabled: Tabled) -> None:
    table = tabled(RecordModel((count("said", lambda n: n),)))
    table.model.set_rows([5, None, 12, 0])
    table.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [table.model.row(row) for row in table.shown_rows()] == [None, 0, 5, 12]
