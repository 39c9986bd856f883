"""Controls of the trend: whose words, which period, and when feedback was given."""

from __future__ import annotations

from PySide6.QtCore import QDate, QLocale, QObject, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDateEdit, QHBoxLayout, QWidget

from ui.widgets.labels import caption
from ui.widgets.layouts import hbox
from ui.words import say


class TimeControls(QObject):
    """Holds the controls; ``rows`` is their layout.

    asked: another radiologist or period;  dated: the user changed when feedback was given
    """

    asked = Signal()
    dated = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.who = choice(say("Radiologist"))
        self.unit = choice(say("Period"))
        self.unit.addItem(say("by quarter"), "quarter")
        self.unit.addItem(say("by month"), "month")
        self.given = QCheckBox(say("&Feedback was given on"))
        self.day = QDateEdit()
        self.day.setCalendarPopup(True)
        self.day.setDisplayFormat(_day_format())
        self.day.setAccessibleName(say("Day on which feedback was given"))
        self.day.setDate(QDate.currentDate())
        self.day.setKeyboardTracking(False)
        self.who.currentIndexChanged.connect(self.asked)
        self.unit.currentIndexChanged.connect(self.asked)
        self.given.toggled.connect(self.dated)
        self.day.dateChanged.connect(self.dated)
        self.rows = (
            hbox(labelled(say("Rad&iologist"), self.who), labelled(say("P&eriod"), self.unit), None),
            hbox(self.given, self.day, None),
        )


def _day_format() -> str:
    """The locale's short date format with a four-digit year."""
    pattern = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    return pattern if "yyyy" in pattern else pattern.replace("yy", "yyyy")


def choice(name: str) -> QComboBox:
    """A combo box as wide as its items."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return box


def labelled(text: str, widget: QWidget) -> QHBoxLayout:
    """A control with its label before it and a gap behind it."""
    return hbox(caption(text, widget), widget, 8)
