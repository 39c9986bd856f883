"""A heading that opens: what a page needs once a month stays closed below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from ui.kit.layout import hbox, vbox
from ui.kit.text import ElidedLabel
from ui.preferences import is_open, note_open

_CLOSED, _OPEN = "\u25b8", "\u25be"


class Opening(QWidget):
    """A heading with a content that it shows and hides, by mouse, Space or Enter.

    opened_changed: whether it is open now

    Args:
        title: the heading, which may have a mnemonic.
        content: below it, or what makes it when it is first opened.
        opened: whether it is open before the user has chosen.
        name: by which the user's choice is remembered on this computer; '' to forget it.
    """

    opened_changed = Signal(object)

    def __init__(
        self, title: str, content: QWidget | Callable[[], QWidget], opened: bool = False, *, name: str = ""
    ) -> None:
        super().__init__()
        self._title, self._content, self._name = title, content, name
        self.heading = QPushButton()
        self.heading.setObjectName("opening")
        self.heading.setCheckable(True)
        self.heading.setAccessibleName(title.replace("&", ""))
        self.heading.toggled.connect(self._turn)
        self.heading.clicked.connect(self._remember)
        self.note = ElidedLabel()
        self.note.setProperty("role", "muted")
        self.note.elide = Qt.TextElideMode.ElideRight
        """Beside the heading: what is below in a few words, for those who leave it closed."""
        self._layout = vbox(hbox(self.heading, (self.note, 1)), parent=self, spacing=4)
        if isinstance(content, QWidget):
            self._put(content)
        self._turn(False)
        self.unfold(is_open(name, opened) if name else opened)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self.heading.isChecked()

    def unfold(self, opened: bool = True) -> None:
        """Show or hide the content; unlike the user's choice, this is not remembered."""
        self.heading.setChecked(opened)

    def reset(self) -> None:
        """Open or close as the user left it."""
        self.unfold(is_open(self._name, False))

    def _put(self, content: QWidget) -> None:
        self._content = content
        self._layout.addWidget(content, 1)

    @Slot(bool)
    def _turn(self, opened: bool) -> None:
        self.heading.setText(f"{_OPEN if opened else _CLOSED} {self._title}")
        if opened and not isinstance(self._content, QWidget):
            self._put(self._content())
        if isinstance(self._content, QWidget):
            self._content.setVisible(opened)
        self.opened_changed.emit(opened)

    @Slot(bool)
    def _remember(self, opened: bool) -> None:
        if self._name:
            note_open(self._name, opened=opened)
