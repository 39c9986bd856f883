"""Labels that remember their height: it is always the one that QLabel would reckon."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.text import Label, WrappedText, label, wrapped

SHORT, LONG = "Likely.", "May represent edema, " * 12
WIDTHS = (80, 200, 640)


def heights(made: Label) -> list[int]:
    """As remembered, asked twice; and as QLabel reckons them."""
    asked = [made.heightForWidth(width) for width in WIDTHS for _ in range(2)]
    assert asked[::2] == asked[1::2] == [QLabel.heightForWidth(made, width) for width in WIDTHS]
    return asked[::2]


@pytest.mark.parametrize("make", [wrapped, WrappedText])
def test_the_height_follows_text_and_font(qtbot: QtBot, make: type[Label]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    made = make()
    made.setParent(window)
    made.setText(SHORT)
    low = heights(made)
    made.setText(LONG)
    high = heights(made)
    assert high[0] > high[1] > high[2] >= low[0]
    font = made.font()
    font.setPixelSize(2 * made.fontInfo().pixelSize())
    window.setFont(font)
    made.setFont(font)
    assert all(now > before for now, before in zip(heights(made), high, strict=True))
    made.setStyleSheet("font-size: 9px; padding: 20px")
    heights(made)
    made.clear()
    assert max(heights(made)) < high[0]


def test_a_line_is_as_high_as_its_lines_once_it_is_wrapped(qtbot: QtBot) -> None:
    made = label(LONG)
    qtbot.addWidget(made)
    line = heights(made)
    made.setWordWrap(True)
    assert heights(made)[0] > line[0]
    made.setWordWrap(False)
    assert heights(made) == line
