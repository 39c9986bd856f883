"""A picture in its place: a card with copy and export, a legend, a readout, or a text instead."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFrame, QGraphicsView, QSizePolicy, QWidget

from radcal.system import exports
from ui.kit.action import enable, menu_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import ElidedLabel, label, show_text, wrapped
from ui.theme import SMALL, Colours, in_use, sized
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.system.exports import Export
    from ui.kit.files import FileSaver

_SCALE = 2.0


def image_of(widget: QWidget, scale: float = _SCALE) -> QImage:
    """The widget as shown, at ``scale`` times the screen's size."""
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32)
    image.fill(_background(widget))
    painter = QPainter(image)
    _render(widget, painter)
    painter.end()
    return image


def picture(widget: QWidget, title: str, suffix: str) -> Export:
    """The widget as shown, to be written as SVG or PNG by suffix; rendered at once, in memory."""
    kept = QBuffer()
    kept.open(QIODevice.OpenModeFlag.WriteOnly)
    if suffix == ".svg":
        generator = QSvgGenerator()
        generator.setOutputDevice(kept)
        generator.setSize(widget.size())
        generator.setViewBox(widget.rect())
        generator.setTitle(title)
        painter = QPainter(generator)
        painter.fillRect(widget.rect(), _background(widget))
        _render(widget, painter)
        painter.end()
    else:
        image_of(widget).save(kept, "PNG")  # type: ignore[call-overload]  # the stubs want bytes
    return exports.data(bytes(kept.data().data()), "picture as SVG" if suffix == ".svg" else "picture as PNG")


def _background(widget: QWidget) -> Any:
    brush = getattr(widget, "backgroundBrush", None)
    if brush is not None and brush().style() != Qt.BrushStyle.NoBrush:
        return brush().color()
    return widget.palette().color(QPalette.ColorRole.Base)


def _render(widget: QWidget, painter: QPainter) -> None:
    leave: Any = getattr(widget, "hide_pointer", None)  # pointer marks are not part of the picture
    if leave is not None:
        leave()
    if isinstance(widget, QGraphicsView):
        widget.render(painter)  # its scene
    else:
        widget.render(painter, QPoint(0, 0))


class PictureCard(QFrame):
    """A card around a plot, with title and menu.

    plot: any widget; its ``hide_pointer()``, if any, is called before copying or saving
    name: title and suggested file name; the plot's accessible name if ''
    """

    def __init__(self, plot: QWidget, files: FileSaver, name: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.plot = plot
        self._files = files
        self.title = ElidedLabel()
        self.title.setText(name)
        self.title.setProperty("role", "strong")
        self.more = menu_button(
            "\u22ef",
            "",
            (
                (say("&Copy the picture"), self.copy),
                (say("Save as &PNG\u2026"), partial(self.ask_save, ".png")),
                (say("Save as &SVG\u2026"), partial(self.ask_save, ".svg")),
            ),
        )
        self.more.setAutoRaise(True)
        self.more.setToolTip(say("Copy or save this picture"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu_at)
        vbox(hbox((self.title, 1), self.more), (plot, 1), parent=self, margins=(8, 4, 8, 8), spacing=4)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """Set the plot's title."""
        self.title.setText(name)
        self.more.setAccessibleName(say("{picture}: copy, save", picture=self.name))

    def withhold(self, why: str) -> None:
        """Offer neither copying nor saving, and say why; '' to offer both."""
        enable(self.more, why, say("Copy or save this picture"))

    @property
    def name(self) -> str:
        """The plot's title."""
        return self.title.text() or self.plot.accessibleName() or say("Picture")

    @Slot()
    def copy(self) -> None:
        """Copy the plot to the clipboard."""
        QGuiApplication.clipboard().setImage(image_of(self.plot))
        self._files.copied("picture")

    def ask_save(self, suffix: str) -> None:
        """Ask for a file and save the plot as shown."""
        kind = "SVG (*.svg)" if suffix == ".svg" else "PNG (*.png)"
        self._files.save_file(
            say("Save the picture"),
            f"{self.name}{suffix}",
            (kind,),
            partial(picture, self.plot, self.name),
        )

    @Slot(object)
    def _menu_at(self, at: QPoint) -> None:
        if self.more.isEnabled():
            self.more.menu().popup(self.mapToGlobal(at))


Mark = TypeVar("Mark")
Draw = Callable[[QPainter, Colours, Mark, int, int], None]
"""Draws a mark 20 pixels wide: painter, colours, mark, x of its left edge and y of its centre."""
_MARK, _GAP = 26, 14
"""Width of a mark with its gap to the text, and gap between entries, in pixels."""
_LINE = 20
_NARROW, _USUAL = 120, 320


class Key(QWidget, Generic[Mark]):
    """Lays out marks with their texts; each plot's legend draws its marks in ``draw``."""

    def __init__(self, draw: Draw[Mark], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draw = draw
        self._entries: tuple[tuple[Mark, str], ...] = ()
        self.setFont(sized(self.font(), SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_entries(self, *entries: tuple[Mark, str]) -> None:
        """Set the entries."""
        self._entries = entries
        self.setAccessibleName(", ".join(text for _, text in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_USUAL, self.heightForWidth(max(self.width(), _USUAL)))

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROW, self._line())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self.places(width)
        return places[-1].bottom() + 1 if places else 0

    def _line(self) -> int:
        return max(self.fontMetrics().height(), _LINE)

    def places(self, width: int) -> list[QRect]:
        """The positions of the entries within ``width``."""
        x = y = 0
        places = []
        for _, text in self._entries:
            wide = _MARK + self.fontMetrics().horizontalAdvance(text) + _GAP
            if x and x + wide - _GAP > width:
                x, y = 0, y + self._line()
            places.append(QRect(x, y, wide, self._line()))
            x += wide
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, c = QPainter(self), in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (mark, text) in zip(self.places(self.width()), self._entries, strict=True):
            painter.save()
            self._draw(painter, c, mark, place.left(), place.center().y())
            painter.restore()
            painter.setPen(QColor(c.muted))
            painter.drawText(place.adjusted(_MARK, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


class Readout(QWidget):
    """Connected to a plot's readout signal."""

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self.text = label(hint, role="muted")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.text.setMinimumHeight(2 * self.fontMetrics().height())
        vbox(self.text, parent=self)

    @Slot(object)
    def read(self, text: str) -> None:
        """Show the values, '' for none."""
        self.text.setText(text or self._hint)


Plot = TypeVar("Plot", bound=QWidget)
"""A picture with a signal ``hovered``, as in ``ui.plots``."""
_CARD = 1000
"""Stretch of the picture, over that of the space below it."""


class PictureView(QWidget, Generic[Plot]):
    """A picture that is made when it is first wanted, because its library is slow to import; or a text instead.

    waiting: the text until there is a picture
    key: the legend
    """

    def __init__(
        self,
        files: FileSaver,
        make: Callable[[], Plot],
        waiting: str,
        key: Key[Any] | None = None,
    ) -> None:
        super().__init__()
        self._files, self._make, self._waiting = files, make, waiting
        self._withheld = ""
        self.plot: Plot | None = None
        self.card: PictureCard | None = None
        self.key = key
        self.about = wrapped()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.text = wrapped(waiting, role="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        legend = () if key is None else (key,)
        # The last stretch is the space below a plot of few rows.
        self._layout = vbox(self.about, *legend, self.readout, (self.text, _CARD), None, parent=self)
        for part in (self.about, *legend, self.readout):
            part.hide()

    def picture(self) -> Plot:
        """The picture, made if this is the first time."""
        if self.plot is None:
            self.plot = self._make()
            plot: Any = self.plot
            plot.hovered.connect(self.show_readout)
            self.card = PictureCard(self.plot, self._files)
            self.card.withhold(self._withheld)
            self._layout.insertWidget(self._layout.indexOf(self.text), self.card, _CARD)
        return self.plot

    def withhold(self, why: str) -> None:
        """As :meth:`PictureCard.withhold`."""
        self._withheld = why
        if self.card is not None:
            self.card.withhold(why)

    def limit(self, height: int) -> None:
        """Limit the height of a picture with few rows."""
        if self.card is not None:
            self.card.setMaximumHeight(height)

    def show_picture(self, name: str, about: str = "", *entries: tuple[Any, str]) -> None:
        """Show the picture, under this accessible name, with summary and the entries of the legend."""
        if self.card is not None:
            self.card.set_name(name)
        if self.key is not None:
            self.key.set_entries(*entries)
        self.show_readout("")
        self._show_parts(picture=True)
        show_text(self.about, typographic(about))

    def show_text(self, text: str) -> None:
        """Show why there is no picture."""
        self.text.setText(text)
        self._show_parts(picture=False)
        self.about.hide()

    def wait(self) -> None:
        """Show that there is no picture yet."""
        self.show_text(self._waiting)

    def _show_parts(self, *, picture: bool) -> None:
        for part in (self.card, self.key, self.readout):
            if part is not None:
                part.setVisible(picture)
        self.text.setVisible(not picture)

    @Slot(object)
    def show_readout(self, text: str) -> None:
        """Show the values under the pointer."""
        self.readout.setText(text or say("Point at the picture, or use the arrow keys on it, to read its numbers."))
