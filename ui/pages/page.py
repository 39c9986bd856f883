"""What all pages have in common: a title, one sentence that says what the page shows, and a primary action."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QSizePolicy, QVBoxLayout, QWidget

MARGIN = 16
_META = 200
"""Pixels that are kept for what stands beside the title."""


class Page(QWidget):
    """A page with its head; the content goes into ``body``, further controls into ``head`` at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _Title()
        self.title.setProperty("role", "title")
        self.meta = _Meta()
        self.meta.setProperty("role", "muted")
        self.meta.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.sentence = label()
        self.sentence.setWordWrap(True)
        self.head = QGridLayout()
        self.head.setContentsMargins(0, 0, 0, 0)
        self.head.setHorizontalSpacing(8)
        self.head.setVerticalSpacing(4)
        self.head.addWidget(self.title, 0, 0)
        self.head.addWidget(self.meta, 0, 1)
        self.head.addWidget(self.sentence, 1, 0, 1, 2)
        self.head.setColumnStretch(1, 1)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(12)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 12, MARGIN, 12)
        layout.setSpacing(12)
        layout.addLayout(self.head)
        layout.addLayout(self.body, 1)


def clear(layout: QLayout) -> None:
    """Let go of the widgets of a layout.

    Not by ``takeAt``: the item that it returns would have to be freed by the caller, which Python cannot do.
    """
    widgets = [item.widget() for i in range(layout.count()) if (item := layout.itemAt(i)) is not None]
    for widget in widgets:
        if widget is not None:
            layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()


class ElidedLabel(QLabel):
    """One line of plain text; where it is too long its middle (``elide``) gives way, and the tooltip has the whole."""

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


class _Title(ElidedLabel):
    """Gives way only where what stands beside it has done so already."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, super().minimumSizeHint().height())


class _Meta(ElidedLabel):
    """What stands beside the title: gives way to it, but for its beginning."""

    elide = Qt.TextElideMode.ElideRight

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setMinimumWidth(min(self.fontMetrics().horizontalAdvance(text) + 4, _META) if text else 0)


def label(text: str = "", *, role: str = "") -> QLabel:
    """A plain-text label; report text is never read as markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


def wrapped(text: str = "", *, role: str = "") -> QLabel:
    """A label of several lines whose text can be selected."""
    made = label(text, role=role)
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
