"""One change: another word instead of this one in so many of 10 cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from ui.kit.action import tool_button
from ui.kit.form import choice
from ui.kit.layout import hbox
from ui.kit.text import label
from ui.pages.results.what_if.changes import ALL, Change
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence


class ChangeRow(QWidget):
    """One change.  ``changed``: by the user only;  ``removed``"""

    changed = Signal(object)
    removed = Signal()

    def __init__(self, number: int, said: Sequence[tuple[str, float]], words: Sequence[str]) -> None:
        super().__init__()
        used = [(f"{word}  ({whole(n)})", word) for word, n in said]
        self.source = choice(say("Change {n}: the word that was said", n=number), *used)
        self.target = choice(say("Change {n}: the word to say instead", n=number), *((word, word) for word in words))
        self.tenths = QSpinBox()
        self.tenths.setSuffix(say(" of 10"))
        self.tenths.setRange(0, ALL)
        self.tenths.setAccessibleName(say("Change {n}: in how many of 10 cases", n=number))
        for box in (self.source, self.target):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(7)
            box.currentIndexChanged.connect(self._tell)
        self.tenths.valueChanged.connect(self._tell)
        remove = tool_button("\u00d7", self.removed, tip=say("Remove change {n}", n=number))
        words_ = (label(say("Instead of")), (self.source, 5), label(say("say")), (self.target, 5), label(say("in")))
        hbox(*words_, self.tenths, remove, (None, 2), parent=self)

    def show_change(self, change: Change) -> None:
        """Show it without a signal."""
        blockers = [QSignalBlocker(part) for part in (self.source, self.target, self.tenths)]
        self.source.setCurrentIndex(self.source.findData(change.source))
        self.target.setCurrentIndex(self.target.findData(change.target))
        self.tenths.setValue(change.tenths)
        del blockers

    @Slot()
    def _tell(self, *_: object) -> None:
        self.changed.emit(Change(self.source.currentData(), self.target.currentData(), self.tenths.value()))
