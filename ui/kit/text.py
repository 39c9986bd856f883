"""Texts on screen: plain labels of one line or several, elided where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

_NARROWEST = 160


class Label(QLabel):
    """Remembers its height for each width.

    Nested layouts ask a wrapped text for it dozens of times each time that a page is laid out, and QLabel lays the text
    out anew for each answer.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self._heights: dict[int, int] = {}

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = super().heightForWidth(width)
        return height

    def setText(self, text: str) -> None:
        self._heights.clear()
        super().setText(text)

    def setWordWrap(self, on: bool) -> None:
        self._heights.clear()
        super().setWordWrap(on)

    def clear(self) -> None:
        self._heights.clear()
        super().clear()

    def changeEvent(self, event: QEvent) -> None:
        self._heights.clear()
        super().changeEvent(event)


def label(text: str = "", *, role: str = "") -> Label:
    """A plain-text label; report text is never read as markup."""
    made = Label(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


def caption(text: str, field: QWidget, *, role: str = "") -> Label:
    """The label of a field, with its mnemonic; it also names a field without an accessible name."""
    made = Label(text)
    if role:
        made.setProperty("role", role)
    made.setBuddy(field)
    if not field.accessibleName():
        field.setAccessibleName(text.replace("&", ""))
    return made


def wrapped(text: str = "", *, role: str = "") -> Label:
    """A multi-line label with selectable text."""
    made = label(text, role=role)
    _wrap(made)
    return made


def _wrap(made: Label) -> None:
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)


def show_text(part: QLabel, text: str) -> None:
    """Show the text, or hide the label if there is none."""
    part.setText(text)
    part.setVisible(bool(text))


def tell(part: QLabel, text: str, *, error: bool = False, role: str = "") -> None:
    """Show the text as an error or in a role, or hide the label if there is none."""
    part.setProperty("role", "error" if error else role)
    part.style().polish(part)
    show_text(part, text)


class ElidedLabel(QLabel):
    """One line of plain text, elided in the middle (``elide``), with the full text as tooltip."""

    elide = Qt.TextElideMode.ElideMiddle

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), self.elide, self.width())
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), self.alignment(), shown)
        painter.end()


class WrappedText(Label):
    """Plain muted text.  QLabel would request the height for its minimum width."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "muted")
        _wrap(self)

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROWEST, self.heightForWidth(max(self.width(), _NARROWEST)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def clear(layout: QLayout) -> None:
    """Delete the widgets of a layout.

    Not by ``takeAt``: the item that it returns would have to be freed by the caller, which Python cannot do.
    """
    widgets = [item.widget() for i in range(layout.count()) if (item := layout.itemAt(i)) is not None]
    for widget in widgets:
        if widget is not None:
            layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()


class ElidedComboBox(QComboBox):
    """Under a style sheet Qt clips long text mid-letter; this elides it."""

    def shown_text(self) -> str:
        """The current text as drawn."""
        option = self._option()
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        # The style sets the text in by 1 px at each end.
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option
