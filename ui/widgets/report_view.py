"""A report's text with its statements marked: colour for certainty, line style for hedging, outline if current."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit

from radcal.words.records import ABSENT, PRESENT
from ui.theme import certainty_colour, faded, in_use
from ui.words import say

if TYPE_CHECKING:
    from radcal.findings.records import Finding
    from radcal.reports.records import Sentence

_TINT, _TINT_DARK = 0.26, 0.42
_LINE_HEIGHT = 145.0
"""Percent of the font's line height, with room for the outlines."""
_MEASURE = 110
"""Maximum characters per line, for readability."""
_UNDER = QTextCharFormat.UnderlineStyle


class Statement(Protocol):
    """A finding to mark.  struck: crossed out;  strong: its term in bold"""

    @property
    def finding(self) -> Finding: ...
    @property
    def struck(self) -> bool: ...
    @property
    def strong(self) -> bool: ...


def shown_text(text: str) -> str:
    """The text as displayed; every character keeps its offset in the report."""
    plain = text.replace("\r\n", " \n").replace("\r", "\n")
    # Qt counts characters beyond the Basic Multilingual Plane as two.
    return plain if plain.isascii() else "".join(c if ord(c) < 0x10000 else "\ufffd" for c in plain)


class ReportView(QTextEdit):
    """Shows one report; ``pressed`` carries the clicked text position."""

    pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setAccessibleName(say("The report"))
        self.document().setDocumentMargin(12)
        self._means: dict[str, float] = {}
        self._items: Sequence[Statement] = ()
        self._current: Statement | None = None
        self._sentence: Sentence | None = None
        self._text = ""
        self._below = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        widest = _MEASURE * self.fontMetrics().averageCharWidth()
        if event.size().width() > widest:
            self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
            self.setLineWrapColumnOrWidth(widest)
        else:
            self.setLineWrapMode(QTextEdit.LineWrapMode.WidgetWidth)
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()

    def set_means(self, means: dict[str, float]) -> None:
        """Set the certainty of each phrase, 0-1."""
        self._means = means

    def show_report(self, text: str, below: str = "") -> None:
        """Show another report from the top; ``below``: a muted text that belongs to it without being part of it."""
        shown = shown_text(f"{text.rstrip()}\n\n{below}" if below else text)
        self._below = len(shown) - len(shown_text(below))
        if shown != self._text:
            self._text = shown
            self.setPlainText(shown)
            lines = QTextBlockFormat()
            lines.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.mergeBlockFormat(lines)
        self.verticalScrollBar().setValue(0)

    def show_items(self, items: Sequence[Statement], current: Statement | None, sentence: Sentence | None) -> None:
        """Mark these statements, outline the current one, and highlight a sentence being added to."""
        self._items, self._current, self._sentence = items, current, sentence
        self._mark()
        if sentence is not None:
            self._bring_into_view(sentence.start, sentence.end)
        elif current is not None:
            self._bring_into_view(current.finding.start, current.finding.end)

    # --- marking -----------------------------------------------------------------------------------

    def _mark(self) -> None:
        marks = []
        if self._below < len(self._text):
            muted = QTextCharFormat()
            muted.setForeground(QColor(in_use().muted))
            muted.setFontItalic(True)
            marks.append(self._selection(self._below, len(self._text), muted))
        if self._sentence is not None:
            chosen = QTextCharFormat()
            chosen.setBackground(QColor(in_use().selection))
            marks.append(self._selection(self._sentence.start, self._sentence.end, chosen))
        for item in self._items:
            term, cue = self._formats(item)
            f = item.finding
            marks.append(self._selection(f.term_start, f.term_end, term))
            if 0 <= f.cue_start < f.cue_end:
                marks.append(self._selection(f.cue_start, f.cue_end, cue))
        self.setExtraSelections(marks)
        self.viewport().update()

    def _formats(self, item: Statement) -> tuple[QTextCharFormat, QTextCharFormat]:
        """The formats of a statement's term and cue."""
        term, cue = QTextCharFormat(), QTextCharFormat()
        if item.struck:
            for made in (term, cue):
                made.setForeground(QColor(in_use().muted))
                made.setFontStrikeOut(True)
            return term, cue
        phrase = item.finding.phrase
        colour = certainty_colour(in_use(), self._means.get(phrase, 0.5))
        for made in (term, cue):
            made.setBackground(faded(colour, _TINT_DARK if in_use().dark else _TINT))
            made.setUnderlineColor(colour)
            made.setUnderlineStyle(underline(phrase))
        if item.strong:
            term.setFontWeight(QFont.Weight.DemiBold)
        return term, cue

    def _selection(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        last = max(len(self._text), 0)
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        made.cursor, made.format = cursor, form
        return made

    def _bring_into_view(self, start: int, end: int) -> None:
        boxes = list(self._boxes(start, end))
        if not boxes:
            return
        bar, height, room = self.verticalScrollBar(), self.viewport().height(), 32
        top, bottom = boxes[0].top() - room, boxes[-1].bottom() + room
        if top < 0:
            bar.setValue(bar.value() + round(top))
        elif bottom > height:
            bar.setValue(bar.value() + round(min(bottom - height, top)))

    def _boxes(self, start: int, end: int) -> Iterator[QRectF]:
        """The rectangles, one per line, around a text span, in viewport coordinates."""
        document, at = self.document(), QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        block = document.findBlock(start)
        while block.isValid() and block.position() < end:
            layout, origin = block.layout(), document.documentLayout().blockBoundingRect(block).topLeft()
            for i in range(layout.lineCount()):
                line = layout.lineAt(i)
                first = max(start - block.position(), line.textStart())
                last = min(end - block.position(), line.textStart() + line.textLength())
                if first < last:
                    left, right = _x(line.cursorToX(first)), _x(line.cursorToX(last))
                    corner = origin + QPointF(left, line.y()) - at
                    yield QRectF(corner.x(), corner.y(), right - left, line.height())
            block = block.next()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._current is None or self._sentence is not None:
            return
        f = self._current.finding
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(in_use().accent), 2))
        spans = [(f.term_start, f.term_end)]
        if 0 <= f.cue_start < f.cue_end:
            spans.append((f.cue_start, f.cue_end))
        for start, end in spans:
            # A frame is wider than its words only where a space leaves room: it would hide a full stop.
            sides = self._text[max(start - 1, 0) : start], self._text[end : end + 1]
            before, after = (-0.75 if side.strip() else 2.0 for side in sides)
            for box in self._boxes(start, end):
                painter.drawRoundedRect(box.adjusted(-before, -1, after, 1), 3, 3)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.pressed.emit(self.cursorForPosition(event.position().toPoint()).position())


def underline(phrase: str) -> QTextCharFormat.UnderlineStyle:
    """The underline of a statement: solid if present, dotted if absent, dashed if hedged."""
    if phrase == PRESENT:
        return _UNDER.SingleUnderline
    return _UNDER.DotLine if phrase == ABSENT else _UNDER.DashUnderline


def _x(value: object) -> float:
    """``QTextLine.cursorToX``, which in some versions returns the position as well."""
    place = value[0] if isinstance(value, tuple) else value
    return float(place)  # type: ignore[arg-type]  # the stubs say object
