"""Controls of what is shown over time: whose, and in which periods."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ui.kit.form import choice, labelled, offer
from ui.kit.layout import panel
from ui.words import say

ALL = ""
"""In place of an author: all radiologists together."""


class TimeControls(QObject):
    """Holds the controls; ``parts`` are to be laid out in a row.

    asked: another radiologist or period
    """

    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.who = choice(say("Radiologist"), (say("all radiologists"), ALL))
        self.unit = choice(say("Period"), (say("by quarter"), "quarter"), (say("by month"), "month"))
        self.parts: tuple[QWidget, ...] = (
            panel(labelled(say("Rad&iologist"), self.who)),
            panel(labelled(say("P&eriod"), self.unit)),
        )
        for box in (self.who, self.unit):
            box.currentIndexChanged.connect(self.asked)

    @property
    def author(self) -> str:
        """Whose words are shown over time; ``ALL`` for those of all."""
        return str(self.who.currentData())

    def offer(self, people: Sequence[tuple[str, str]]) -> None:
        """Offer these radiologists, each as called and as author; if the chosen one is not among them, all."""
        if not offer(self.who, ((say("all radiologists"), ALL), *people)):
            self.asked.emit()
