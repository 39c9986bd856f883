"""A picture in its place on a page: in a card, with summary, legend and readout; or a text instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from ui.widgets.labels import label, show_text, wrapped
from ui.widgets.layouts import vbox
from ui.widgets.pictures import PictureCard
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.plots.base import Picture
    from ui.widgets.file_dialogs import FileSaver
    from ui.widgets.key import Key

Plot = TypeVar("Plot", bound="Picture")
_CARD = 1000
"""Stretch of the picture, over that of the space below it."""


class PictureView(QWidget, Generic[Plot]):
    """A picture that is made when it is first wanted, because its library is slow to import; or a text instead.

    waiting: the text until there is a picture
    key: the legend;  read_below: the readout stands below the picture
    """

    def __init__(
        self,
        files: FileSaver,
        make: Callable[[], Plot],
        waiting: str,
        key: Key[Any] | None = None,
        *,
        read_below: bool = False,
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
        self._below: QWidget = self.readout if read_below else self.text
        legend = () if key is None else (key,)
        # The last stretch is the space below a plot of few rows.
        self._layout = vbox(self.about, *legend, self.readout, (self.text, _CARD), None, parent=self)
        for part in (self.about, *legend, self.readout):
            part.hide()

    def picture(self) -> Plot:
        """The picture, made if this is the first time."""
        if self.plot is None:
            self.plot = self._make()
            self.plot.hovered.connect(self.show_readout)
            self.card = PictureCard(self.plot, self._files)
            self.card.withhold(self._withheld)
            self._layout.insertWidget(self._layout.indexOf(self._below), self.card, _CARD)
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
