"""The layout that wraps: its height for a width, which it remembers until its parts change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.kit.layout import FlowLayout

SIDE, GAP = 40, 4
ONE_ROW, TWO_ROWS = SIDE, 2 * SIDE + GAP


@pytest.fixture
def whole(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


@pytest.fixture
def flow(whole: QWidget) -> FlowLayout:
    """Two squares on a widget that is shown."""
    made = FlowLayout(whole, GAP)
    for _ in range(2):
        one_more(made)
    return made


def square() -> QWidget:
    made = QWidget()
    made.setFixedSize(SIDE, SIDE)
    return made


def one_more(flow: FlowLayout) -> None:
    made = square()
    flow.addWidget(made)
    made.show()  # as the loop of events would


def part(flow: FlowLayout) -> QWidget:
    item = flow.itemAt(0)
    assert item is not None
    return item.widget()


def test_parts_that_have_no_room_beside_each_other_are_below_each_other(flow: FlowLayout) -> None:
    assert flow.heightForWidth(2 * SIDE + GAP) == ONE_ROW
    assert flow.heightForWidth(2 * SIDE + GAP - 1) == TWO_ROWS


@pytest.mark.parametrize(
    ("change", "height"),
    [
        (one_more, TWO_ROWS),
        (lambda flow: part(flow).setFixedWidth(SIDE + 1), TWO_ROWS),
        (lambda flow: part(flow).setFixedHeight(SIDE + 1), ONE_ROW + 1),
        (lambda flow: flow.setSpacing(GAP + 1), TWO_ROWS + 1),
    ],
)
def test_a_change_of_its_parts_changes_the_height(
    flow: FlowLayout, change: Callable[[FlowLayout], None], height: int
) -> None:
    assert flow.heightForWidth(2 * SIDE + GAP) == ONE_ROW
    change(flow)
    assert flow.heightForWidth(2 * SIDE + GAP) == height


def test_what_is_hidden_takes_no_room_until_it_is_shown_again(flow: FlowLayout) -> None:
    assert flow.heightForWidth(SIDE) == TWO_ROWS
    part(flow).hide()
    assert flow.heightForWidth(SIDE) == ONE_ROW
    part(flow).show()
    assert flow.heightForWidth(SIDE) == TWO_ROWS
