"""Columns give way before a table has to be moved sideways, and come back where there is room again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.kit.column import Column
from ui.kit.table import DataTable, shares
from ui.shell import Shell

PIXELS = st.integers(48, 600)


@given(columns=st.lists(st.tuples(PIXELS, PIXELS), min_size=1, max_size=9), room=st.integers(0, 3000))
def test_no_column_gives_what_it_needs_and_none_gives_for_nothing(columns: list[tuple[int, int]], room: int) -> None:
    wanted, needed = [want for want, _ in columns], [need for _, need in columns]
    given_ = shares(wanted, needed, room)
    least = [min(want, need) for want, need in columns]
    assert all(low <= width <= want for low, width, want in zip(least, given_, wanted, strict=True))
    if sum(wanted) <= room:
        assert given_ == wanted
    elif sum(least) >= room:
        assert given_ == least
    else:
        # It fits, and at most a pixel a column is given away by rounding.
        assert room - len(columns) < sum(given_) <= room


def test_columns_give_in_proportion_to_what_they_can_spare() -> None:
    assert shares([200, 100, 60], [100, 50, 60], 285) == [150, 75, 60]


@pytest.fixture
def table(make_shell: Callable[..., Shell], qtbot: QtBot) -> DataTable:
    return _table(make_shell, qtbot, (200, 150))


def _table(make_shell: Callable[..., Shell], qtbot: QtBot, widths: tuple[int, ...]) -> DataTable:
    columns = (
        Column("name", lambda r: r[0], width=widths[0]),
        Column("n", lambda r: f"{r[1]}", number=True, width=widths[1]),
        Column("why", lambda r: r[2]),
    )
    table = DataTable("fitted", "Phrases", columns, make_shell())
    table.model.set_rows([("likely to represent", 41, "stronger"), ("may", 19, "as read")])
    qtbot.addWidget(table)
    table.resize(700, 300)
    table.show()
    return table


def sizes(table: DataTable) -> list[int]:
    header = table.view.horizontalHeader()
    return [header.sectionSize(column) for column in range(header.count())]


def test_a_narrow_table_is_not_moved_sideways_and_a_wide_one_is_as_before(table: DataTable, qtbot: QtBot) -> None:
    view = table.view
    assert sizes(table)[:2] == [200, 150]
    assert sum(sizes(table)) == view.viewport().width()
    table.resize(320, 300)
    assert view.horizontalScrollBar().maximum() == 0
    assert sizes(table)[0] < 200
    names = [view.horizontalHeader().fontMetrics().horizontalAdvance(name) for name in ("name", "n", "why")]
    contents = [view.sizeHintForColumn(column) for column in range(3)]
    assert all(size >= max(need) for size, *need in zip(sizes(table), names, contents, strict=True))
    table.resize(100, 300)  # less than the contents need: nothing is cut off, the table can be moved
    assert view.horizontalScrollBar().maximum() > 0
    table.resize(700, 300)
    assert sizes(table)[:2] == [200, 150]


def test_what_the_user_makes_a_column_is_what_is_wanted(
    table: DataTable, make_shell: Callable[..., Shell], qtbot: QtBot
) -> None:
    table.view.horizontalHeader().resizeSection(0, 260)
    table.resize(320, 300)
    assert sizes(table)[0] < 260
    table.resize(700, 300)
    assert sizes(table)[:2] == [260, 150]
    table.resize(320, 300)
    table.hide()
    QApplication.processEvents()
    again = _table(make_shell, qtbot, (200, 150))  # as when the program is started again, in a wide window
    assert sizes(again)[:2] == [260, 150]


def test_a_hidden_column_leaves_its_room_to_others(table: DataTable, qtbot: QtBot) -> None:
    table.resize(320, 300)
    narrow = sizes(table)[0]
    table.show_column(1, False)
    qtbot.waitUntil(lambda: narrow < sizes(table)[0] <= 200)
    table.show_column(1, True)
    qtbot.waitUntil(lambda: sizes(table)[0] == narrow)
    assert table.view.horizontalScrollBar().maximum() == 0


def test_longer_contents_get_their_room_when_they_come(table: DataTable, qtbot: QtBot) -> None:
    table.resize(320, 300)
    before = sizes(table)
    table.proxy.sourceModel().set_rows([("likely", 41_000_000_000, "stronger")])  # type: ignore[attr-defined]  # a list
    qtbot.waitUntil(lambda: sizes(table)[1] > before[1])
    assert sizes(table)[1] >= table.view.sizeHintForColumn(1)


def test_the_last_column_is_shown_whole_where_the_others_leave_it_room(table: DataTable, qtbot: QtBot) -> None:
    long = "stronger than CT supported, whatever the others were"
    table.proxy.sourceModel().set_rows([("likely", 41, long)])  # type: ignore[attr-defined]  # a list
    table.resize(480, 300)
    qtbot.waitUntil(lambda: sizes(table)[2] >= table.view.sizeHintForColumn(2))
    assert sizes(table)[0] < 200
    assert table.view.horizontalScrollBar().maximum() == 0
