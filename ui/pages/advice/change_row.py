"""One what-if change: another word instead of this one in so many of 10 cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSlider, QSpinBox, QToolButton, QWidget

from ui.kit.layout import hbox
from ui.kit.text import label
from ui.pages.advice.changes import ALL, Change
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

_WITH_SLIDER = 640
"""Width from which a change has a slider beside its number."""


class ChangeRow(QWidget):
    """One change.  ``changed``: by the user only;  ``removed``"""

    changed = Signal(object)
    removed = Signal()

    def __init__(self, number: int, said: Sequence[tuple[str, float]], words: Sequence[str]) -> None:
        super().__init__()
        self.target, self.source = QComboBox(), QComboBox()
        for word in words:
            self.target.addItem(word, word)
        for word, n in said:
            self.source.addItem(say("{word}  ({n})", word=word, n=whole(n)), word)
        self.tenths, self.bar = QSpinBox(), QSlider(Qt.Orientation.Horizontal)
        self.tenths.setSuffix(say(" of 10"))
        for part in (self.tenths, self.bar):
            part.setRange(0, ALL)
        for widget, name in (
            (self.source, say("Change {n}: the word that was said", n=number)),
            (self.target, say("Change {n}: the word to say instead", n=number)),
            (self.tenths, say("Change {n}: in how many of 10 cases", n=number)),
            (self.bar, say("Change {n}: in how many of 10 cases, as a slider", n=number)),
        ):
            widget.setAccessibleName(name)
        for box in (self.source, self.target):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(7)
        remove = QToolButton()
        remove.setText("\u00d7")
        remove.setToolTip(say("Remove this change"))
        remove.setAccessibleName(say("Remove change {n}", n=number))
        remove.clicked.connect(self.removed)
        hbox(
            label(say("Instead of")),
            (self.source, 5),
            label(say("say")),
            (self.target, 5),
            label(say("in")),
            self.tenths,
            (self.bar, 2),
            remove,
            parent=self,
        )
        self.bar.valueChanged.connect(self.tenths.setValue)
        self.tenths.valueChanged.connect(self._moved)
        self.source.currentIndexChanged.connect(self._tell)
        self.target.currentIndexChanged.connect(self._tell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show only the number when space is tight."""
        super().resizeEvent(event)
        self.bar.setVisible(self.width() >= _WITH_SLIDER)

    def show_change(self, change: Change) -> None:
        """Show it without a signal."""
        blockers = [QSignalBlocker(part) for part in (self.source, self.target, self.tenths, self.bar)]
        self.source.setCurrentIndex(self.source.findData(change.source))
        self.target.setCurrentIndex(self.target.findData(change.target))
        self.tenths.setValue(change.tenths)
        self.bar.setValue(change.tenths)
        del blockers

    @Slot(int)
    def _moved(self, value: int) -> None:
        with QSignalBlocker(self.bar):
            self.bar.setValue(value)
        self._tell()

    @Slot()
    def _tell(self, *_: object) -> None:
        self.changed.emit(Change(self.source.currentData(), self.target.currentData(), self.tenths.value()))
