"""The date range: all examinations, the last months, or from one day to another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

from PySide6.QtCore import QDate, QLocale, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QDateEdit, QFormLayout, QFrame, QPushButton, QToolButton, QWidget

from ui.kit.action import push_button
from ui.kit.layout import vbox
from ui.words import day, say

Span = tuple[date | None, date | None]


class DatesButton(QToolButton):
    """Shows the date range; a click opens the choice.  ``changed``: (first, last), None for no limit."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._span: Span = (None, None)
        self._known: tuple[date, date] | None = None
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.clicked.connect(self._open)
        self.popup = _Popup(self)
        self.popup.chosen.connect(self._choose)
        self._show()

    def set_known(self, first: date | None, last: date | None) -> None:
        """Set the first and last examination dates; presets count back from the last."""
        self._known = (first, last) if first is not None and last is not None else None
        self.setEnabled(self._known is not None)
        if self._known is not None:
            self.popup.set_known(*self._known)

    def span(self) -> Span:
        """The selected first and last day, None for no limit."""
        return self._span

    def set_span(self, span: Span) -> None:
        """Select days without a signal."""
        self._span = span
        self.popup.set_span(span)
        self._show()

    @Slot()
    def _open(self) -> None:
        at = self.mapToGlobal(self.rect().bottomRight())
        self.popup.adjustSize()
        at.setX(at.x() - self.popup.width())
        self.popup.move(at)
        self.popup.show()
        self.popup.focus_first()

    @Slot(object)
    def _choose(self, span: Span) -> None:
        self.popup.hide()
        if span != self._span:
            self.set_span(span)
            self.changed.emit(span)

    def _show(self) -> None:
        text = describe(self._span)
        self.setText(f"{text} \u25be")
        self.setAccessibleName(say("Examinations: {which}", which=text))
        self.setToolTip(say("Which examinations count on this page"))


class _Popup(QFrame):
    """Presets and a custom range."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self._last = date(2000, 1, 1)
        self.presets: list[QPushButton] = []
        for text, span in (
            (say("&All examinations"), lambda _last: (None, None)),
            (say("Last &3 months"), partial(_months_before, 3)),
            (say("Last &6 months"), partial(_months_before, 6)),
            (say("Last &12 months"), partial(_months_before, 12)),
        ):
            self.presets.append(push_button(text, partial(self._preset, span)))
        form = QFormLayout()
        form.setContentsMargins(0, 8, 0, 4)
        self.first, self.last = QDateEdit(), QDateEdit()
        for text, box in ((say("&From"), self.first), (say("&To"), self.last)):
            box.setCalendarPopup(True)
            box.setDisplayFormat(_format())
            form.addRow(text, box)
        self.apply = push_button(say("&Show these days"), self._own, primary=True)
        vbox(*self.presets, form, self.apply, parent=self, margins=(12, 12, 12, 12), spacing=4)

    def focus_first(self) -> None:
        self.presets[0].setFocus()

    def set_known(self, first: date, last: date) -> None:
        self._last = last
        for box in (self.first, self.last):
            with QSignalBlocker(box):
                box.setDateRange(_qdate(first), _qdate(last))
        with QSignalBlocker(self.first), QSignalBlocker(self.last):
            self.first.setDate(_qdate(first))
            self.last.setDate(_qdate(last))

    def set_span(self, span: Span) -> None:
        for box, end in zip((self.first, self.last), span, strict=True):
            if end is not None:
                box.setDate(_qdate(end))

    def _preset(self, span: Callable[[date], Span], *_: object) -> None:
        self.chosen.emit(span(self._last))

    @Slot()
    def _own(self) -> None:
        days = sorted((_date(self.first.date()), _date(self.last.date())))
        self.chosen.emit((days[0], days[1]))


def describe(span: Span) -> str:
    """'All dates', '3 Jan 2026 - 28 Sep 2026', 'since ...', or a single day, in the user's format."""
    first, last = span
    if first is not None and last is not None:
        return " \u2013 ".join(dict.fromkeys((day(first), day(last))))
    if first is not None:
        return say("since {day}", day=day(first))
    return say("All dates") if last is None else say("until {day}", day=day(last))


def _months_before(months: int, last: date) -> Span:
    first = _qdate(last).addMonths(-months).addDays(1)
    return _date(first), last


def _format() -> str:
    """The locale's short date format with a four-digit year."""
    pattern = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    return pattern if "yyyy" in pattern else pattern.replace("yy", "yyyy")


def _qdate(when: date) -> QDate:
    return QDate(when.year, when.month, when.day)


def _date(when: QDate) -> date:
    return date(when.year(), when.month(), when.day())
