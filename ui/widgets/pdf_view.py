"""Pages of a PDF in a column, with scrolling and zoom by mouse and keyboard; images are rendered elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QImage, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.kit.action import later
from ui.theme import in_use, px
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from radcal.feedback.records import PageImage, PdfPage

_MARGIN, _GAP = 16, 16
_LINE = 48
_WAIT_MS = 40
POINTS = 72.0
AS_PRINTED = 96.0
"""Screen resolution at 100 %, in dpi."""
_STEPS = (0.25, 0.33, 0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


class PdfView(QAbstractScrollArea):
    """Shows pages whose images are supplied on request.

    images_wanted: numbers of visible pages without an image of the right size, and the resolution in dpi
    place_changed: number of the most visible page, from 0, and the zoom (1 = printed size)
    """

    images_wanted = Signal(object, object)
    place_changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: tuple[PdfPage, ...] = ()
        self._images: dict[int, QImage] = {}
        self._drawn: dict[int, float] = {}
        self._fits = True
        self._zoom = 1.0
        self._announced: tuple[int, float] = (-1, 0.0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(say("Preview of the printed pages"))
        self.setMinimumSize(px(240), px(200))
        self.verticalScrollBar().setSingleStep(_LINE)
        self.horizontalScrollBar().setSingleStep(_LINE)
        self.verticalScrollBar().valueChanged.connect(self._moved)
        self._waiting = later(self, self._ask, _WAIT_MS)
        for name, keys, call in (
            (say("Zoom in"), (QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")), self.zoom_in),
            (say("Zoom out"), (QKeySequence("Ctrl+-"),), self.zoom_out),
            (say("Fit the width"), (QKeySequence("Ctrl+0"),), self.fit_width),
        ):
            action = QAction(name, self)
            action.setShortcuts(list(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(call)
            self.addAction(action)

    # --- pages and images --------------------------------------------------------------------------

    def set_pages(self, pages: Sequence[PdfPage]) -> None:
        """Show other pages; old images stay until the new ones arrive, and the position is kept."""
        if not self._pages:
            self.verticalScrollBar().setValue(0)
        sizes = [(p.width, p.height) for p in pages]
        if sizes != [(p.width, p.height) for p in self._pages][: len(sizes)]:
            self._images.clear()
        self._images = {n: image for n, image in self._images.items() if n < len(sizes)}
        self._drawn.clear()
        self._pages = tuple(pages)
        self._announced = (-1, 0.0)
        self._lay_out()
        self._moved()

    @Slot(object)
    def set_images(self, images: Sequence[PageImage]) -> None:
        """Show the requested images."""
        for image in images:
            if image.number >= len(self._pages):
                continue
            # Copied: the bytes belong to the record.
            picture = QImage(image.data, image.width, image.height, image.stride, QImage.Format.Format_RGB32).copy()
            self._images[image.number] = picture
            self._drawn[image.number] = image.width
        self.viewport().update()

    @property
    def page(self) -> int:
        """The most visible page, from 0; -1 without pages."""
        top = self.verticalScrollBar().value()
        middle = top + self.viewport().height() // 3
        places = [r.top() for r in self._rects()]
        return max((n for n, y in enumerate(places) if y <= max(middle, places[0])), default=-1) if places else -1

    @property
    def zoom(self) -> float:
        """1 = printed size."""
        return self._zoom

    def has_picture(self, number: int) -> bool:
        """Whether the page's own image is shown at the right size."""
        rect = self._rects()[number] if number < len(self._pages) else QRect()
        return abs(self._drawn.get(number, 0) - rect.width() * self.devicePixelRatioF()) <= 2

    # --- zoom and place ----------------------------------------------------------------------------

    @Slot()
    def zoom_in(self) -> None:
        """Go to the next larger step."""
        self.set_zoom(next((z for z in _STEPS if z > self._zoom * 1.01), _STEPS[-1]))

    @Slot()
    def zoom_out(self) -> None:
        """Go to the next smaller step."""
        self.set_zoom(next((z for z in reversed(_STEPS) if z < self._zoom * 0.99), _STEPS[0]))

    @Slot()
    def fit_width(self) -> None:
        """Fit the width, also when resized."""
        self._fits = True
        self._lay_out()

    def set_zoom(self, zoom: float) -> None:
        """Set the zoom; the top of the view stays."""
        self._fits = False
        self._zoom = zoom
        self._lay_out()

    def go_to_page(self, number: int) -> None:
        """Scroll to the top of the page."""
        rects = self._rects()
        if rects:
            self.verticalScrollBar().setValue(rects[min(max(number, 0), len(rects) - 1)].top() - _GAP // 2)

    def _lay_out(self) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        # Keep the position at the top of the view.
        before = bar.value() / max(1, bar.maximum() + height)
        if self._fits and self._pages:
            widest = max(p.width for p in self._pages)
            self._zoom = max(self.viewport().width() - 2 * _MARGIN, 80) / (widest * AS_PRINTED / POINTS)
            self._zoom = min(self._zoom, 2.0)
        rects = self._rects()
        total = rects[-1].bottom() + _MARGIN if rects else 0
        widest_shown = max((r.width() for r in rects), default=0) + 2 * _MARGIN
        bar.setPageStep(height)
        bar.setRange(0, max(0, total - height))
        across = self.horizontalScrollBar()
        across.setPageStep(self.viewport().width())
        across.setRange(0, max(0, widest_shown - self.viewport().width()))
        bar.setValue(round(before * (bar.maximum() + height)))
        self._moved()
        self.viewport().update()

    def _rects(self) -> list[QRect]:
        """Each page's rectangle in the whole document."""
        scale = self._zoom * AS_PRINTED / POINTS
        widest = max((round(p.width * scale) for p in self._pages), default=0)
        room = max(self.viewport().width(), widest + 2 * _MARGIN)
        y, rects = _MARGIN, []
        for p in self._pages:
            width, height = round(p.width * scale), round(p.height * scale)
            rects.append(QRect((room - width) // 2, y, width, height))
            y += height + _GAP
        return rects

    def _seen(self) -> list[int]:
        top = self.verticalScrollBar().value()
        seen = QRect(0, top, 1 << 20, self.viewport().height())
        return [n for n, r in enumerate(self._rects()) if r.top() < seen.bottom() and r.bottom() > seen.top()]

    @Slot()
    def _moved(self, *_: object) -> None:
        self._waiting.start()
        place = (self.page, self._zoom)
        if place != self._announced:
            self._announced = place
            if 0 <= place[0] < len(self._pages):
                self.setAccessibleDescription(
                    say(
                        "Page {page} of {pages}. {text}",
                        page=whole(place[0] + 1),
                        pages=whole(len(self._pages)),
                        text=self._pages[place[0]].text,
                    )
                )
            self.place_changed.emit(*place)
        self.viewport().update()

    @Slot()
    def _ask(self) -> None:
        missing = tuple(n for n in self._seen() if not self.has_picture(n))
        if missing and self.isVisible():
            self.images_wanted.emit(missing, self._zoom * AS_PRINTED * self.devicePixelRatioF())

    # --- events ------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, c = QPainter(self.viewport()), in_use()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.viewport().rect(), QColor(c.raised))
        offset = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        rects = self._rects()
        for n in self._seen():
            rect = rects[n].translated(-offset)
            painter.fillRect(rect, Qt.GlobalColor.white)
            if (image := self._images.get(n)) is not None:
                painter.drawImage(QRectF(rect), image, QRectF(image.rect()))
            painter.setPen(QPen(QColor(c.line), 1))
            painter.drawRect(rect)
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.accent), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Show):
            self._moved()
        return super().viewportEvent(event)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]  # the stubs name the event's own class
        self.viewport().update()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]  # the same
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar, across, key = self.verticalScrollBar(), self.horizontalScrollBar(), event.key()
        tops = [r.top() - _GAP // 2 if n else 0 for n, r in enumerate(self._rects())]
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            bar.setValue(bar.value() + (_LINE if key == Qt.Key.Key_Down else -_LINE))
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_Space):
            bar.setValue(bar.value() + bar.pageStep() - _LINE)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_Backspace):
            bar.setValue(bar.value() - bar.pageStep() + _LINE)
        elif key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif key == Qt.Key.Key_Right:
            if across.maximum() and across.value() < across.maximum():
                across.setValue(across.value() + _LINE)
            else:
                bar.setValue(next((y for y in tops if y > bar.value()), bar.maximum()))
        elif key == Qt.Key.Key_Left:
            if across.value() > 0:
                across.setValue(across.value() - _LINE)
            else:
                bar.setValue(next((a for a, b in pairwise([*tops, 1 << 30]) if b >= bar.value() > a), 0))
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            (self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out)()
            event.accept()
        else:
            super().wheelEvent(event)
