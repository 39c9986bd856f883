"""Item delegates: a rate with its interval on a scale, and a sentence with highlighted words."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from ui.theme import certainty_colour, in_use

Index = QModelIndex | QPersistentModelIndex
_PAD = 8
BARS = Qt.ItemDataRole.UserRole
"""A rate on a scale: (rate, low, high, meaning low, meaning high), each 0-1; None if unknown."""
CERTAINTY = Qt.ItemDataRole.UserRole + 1
"""The mean certainty of a phrase, 0-1."""
SPAN = Qt.ItemDataRole.UserRole + 2
"""(start, end) of the certainty words in a sentence, None if there are none."""


class _Delegate(QStyledItemDelegate):
    def _background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(in_use().selection))


class PhraseDelegate(_Delegate):
    """A phrase preceded by a chip in its certainty's colour."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._background(painter, option)
        rect = option.rect.adjusted(_PAD, 0, -4, 0)
        certainty = index.data(CERTAINTY)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if certainty is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(certainty_colour(in_use(), certainty))
            painter.drawRoundedRect(QRectF(rect.left(), rect.center().y() - 5, 4, 11), 2, 2)
        painter.setPen(QColor(in_use().text))
        text = QFontMetricsF(option.font).elidedText(
            index.data(), Qt.TextElideMode.ElideRight, float(rect.width() - 12)
        )
        painter.drawText(rect.adjusted(12, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(_PAD + 4, 0)


class RateDelegate(_Delegate):
    """'47 % (37-57)', then on a scale of 0-1: the meaning as a block, the interval as a line, the rate as a dot."""

    text_width = 112

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._background(painter, option)
        rect = option.rect.adjusted(_PAD, 0, -_PAD, 0)
        painter.save()
        painter.setPen(QColor(in_use().text))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, index.data())
        scale = QRectF(rect.adjusted(self.text_width, 0, -4, 0))
        if (bars := index.data(BARS)) is not None and scale.width() > 40:
            self._scale(painter, scale, *bars)
        painter.restore()

    def _scale(
        self, painter: QPainter, area: QRectF, rate: float, low: float, high: float, meant_low: float, meant_high: float
    ) -> None:
        c, middle = in_use(), area.center().y()

        def x(share: float) -> float:
            return area.left() + share * area.width()

        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(c.line), 1))
        painter.drawLine(QPointF(x(0), middle), QPointF(x(1), middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.line))
        width = max(x(meant_high) - x(meant_low), 4.0)
        left = min(max(x((meant_low + meant_high) / 2) - width / 2, x(0)), x(1) - width)
        painter.drawRoundedRect(QRectF(left, middle - 7, width, 14), 2, 2)
        painter.setPen(QPen(QColor(c.curve), 1.5))
        painter.drawLine(QPointF(x(low), middle), QPointF(x(high), middle))
        for end in (low, high):
            painter.drawLine(QPointF(x(end), middle - 3), QPointF(x(end), middle + 3))
        painter.setBrush(QColor(c.curve))
        painter.drawEllipse(QPointF(x(rate), middle), 3, 3)


class MarkedTextDelegate(_Delegate):
    """A wrapped sentence with its certainty words bold, underlined and highlighted."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._background(painter, option)
        layout = self._layout(option.font, index, option.rect.width() - 2 * _PAD)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setPen(QColor(in_use().text))
        layout.draw(painter, QPointF(option.rect.left() + _PAD, option.rect.top() + _PAD))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as the text is in this column, and as wide as its widest word, so that none need be broken."""
        table = option.widget
        width = table.columnWidth(index.column()) if isinstance(table, QTableView) else option.rect.width()
        layout = self._layout(option.font, index, width - 2 * _PAD)
        metrics = QFontMetricsF(option.font)
        widest = max(map(metrics.horizontalAdvance, (index.data() or "").split()), default=0.0)
        return QSizeF(widest + 2 * _PAD + 1, layout.boundingRect().height() + 2 * _PAD).toSize()

    def _layout(self, font: QFont, index: Index, width: int) -> QTextLayout:
        layout = QTextLayout(index.data() or "", font)
        wrap = QTextOption()
        wrap.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(wrap)
        if (span := index.data(SPAN)) is not None:
            mark = QTextCharFormat()
            mark.setBackground(QColor(in_use().mark))
            mark.setFontWeight(QFont.Weight.DemiBold)
            mark.setFontUnderline(True)
            piece = QTextLayout.FormatRange()
            piece.start, piece.length, piece.format = span[0], span[1] - span[0], mark
            layout.setFormats([piece])
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 40))
            line.setPosition(QPointF(0, height))
            height += line.height() + 2
        layout.endLayout()
        return layout
