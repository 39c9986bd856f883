"""The mapping of fields to the columns of a report file: a combo box per field, required ones first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout

from ui.kit.layout import ScrollArea
from ui.kit.text import ElidedComboBox, caption
from ui.words import say

if TYPE_CHECKING:
    from radcal.reports.preview import Preview

_ROOM = 12
"""Pixels beside the longest word of a name, whose first letter may be a wider capital."""


class ColumnsForm(ScrollArea):
    """``chosen`` carries the mapping of fields to columns after the user changed it."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("framed")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.boxes: dict[str, QComboBox] = {}
        self._needed: tuple[tuple[str, ...], ...] = ()
        self._asked: frozenset[str] = frozenset()
        self._filling = False

    def set_file(
        self,
        preview: Preview,
        mapping: Mapping[str, str],
        needed: Sequence[tuple[str, ...]],
        asked: Collection[str] = (),
    ) -> None:
        """Show a file's columns and the guessed mapping, above all the fields that are needed or ``asked`` about."""
        inner = QFrame()
        inner.setAutoFillBackground(False)
        grid = QGridLayout(inner)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        self.boxes, self._needed, self._asked = {}, tuple(needed), frozenset(asked)
        meanings = dict(preview.fields)
        first = list(dict.fromkeys([*(field for group in needed for field in group), *asked]))
        for row, field in enumerate([*first, *(f for f, _ in preview.fields if f not in first)]):
            meaning = meanings[field]
            box = self.boxes[field] = ElidedComboBox()
            name = caption(meaning[:1].upper() + meaning[1:], box)
            name.setWordWrap(True)  # the form scrolls up and down only, so every row must fit its width
            bold = name.font()
            bold.setBold(True)
            name.setMinimumWidth(max(map(QFontMetrics(bold).horizontalAdvance, meaning.split())) + _ROOM)
            name.setProperty("role", "strong" if field in first else "")
            box.addItem("", "")
            for column in dict.fromkeys(preview.columns):
                if column:
                    box.addItem(column, column)
            box.setCurrentIndex(max(0, box.findData(mapping.get(field, ""))))
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setAccessibleName(say("Column of {what}", what=meaning))
            box.currentIndexChanged.connect(partial(self._choose, field))
            grid.addWidget(name, row, 0)
            grid.addWidget(box, row, 1)
        grid.setRowStretch(len(self.boxes), 1)
        old = self.takeWidget()
        self.setWidget(inner)
        if old is not None:
            old.deleteLater()
        self._ask()

    def update_mapping(self, mapping: Mapping[str, str], asked: Collection[str] = ()) -> None:
        """Show the current mapping, and what is still asked about."""
        self._filling, self._asked = True, frozenset(asked)
        for field, box in self.boxes.items():
            box.setCurrentIndex(max(0, box.findData(mapping.get(field, ""))))
        self._filling = False
        self._ask()

    def mapping(self) -> dict[str, str]:
        """The mapping shown."""
        return {field: box.currentData() for field, box in self.boxes.items() if box.currentData()}

    def _choose(self, field: str, *_: object) -> None:
        """A column serves one field: choosing it clears any other use."""
        if self._filling:
            return
        self._filling = True
        column = self.boxes[field].currentData()
        for other, box in self.boxes.items():
            if column and other != field and box.currentData() == column:
                box.setCurrentIndex(0)
        self._filling = False
        self._ask()
        self.chosen.emit(self.mapping())

    def _ask(self) -> None:
        """Ask for a column in each required field that has none; show a dash in the others."""
        chosen = self.mapping()
        asked = {group[0] for group in self._needed if not any(field in chosen for field in group)} | self._asked
        for field, box in self.boxes.items():
            box.setItemText(0, say("choose a column\u2026") if field in asked else "\u2013")
