"""Common to all plots: a titled card with copy, and export as PNG or SVG."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPalette
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from radcal import exports
from ui.widgets.buttons import enable, menu_button
from ui.widgets.labels import ElidedLabel
from ui.widgets.layouts import hbox, vbox
from ui.words import say

if TYPE_CHECKING:
    from radcal.exports import Export
    from ui.widgets.file_dialogs import FileSaver

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
