"""Files dragged over the window: they are welcome everywhere, whatever lies under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from radcal.system.exports import CONTESTS_SUFFIX, WORKSPACE_SUFFIX
from ui.kit.layout import hbox, vbox
from ui.kit.text import label
from ui.words import say


class Welcome(QFrame):
    """Lies over the window while files are dragged over it, and says what happens when they are dropped.

    It looks at what the system sends to the window, before text fields and pictures below the pointer can take it.

    Args:
        window: what it lies over;  take: called with the paths that were dropped.
    """

    def __init__(self, window: QWidget, take: Callable[[list[Path]], None]) -> None:
        super().__init__(window)
        self._window, self._take = window, take
        self.setObjectName("welcome")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text = label(role="title")
        vbox(None, hbox(None, self.text, None), None, parent=self)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._watch()

    def _watch(self) -> None:
        if (native := self._window.windowHandle()) is not None:
            native.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Show and watched is self._window:
            self._watch()
        elif kind == QEvent.Type.DragLeave:
            self.hide()
        elif isinstance(event, QDropEvent) and (paths := _files_of(event)):  # entering, moving and dropping
            event.acceptProposedAction()
            if kind == QEvent.Type.Drop:
                self.hide()
                self._take(paths)
            elif self.isHidden():
                self.text.setText(_told(paths))
                self.setGeometry(self._window.rect())
                self.show()
                self.raise_()
            return True
        return False


def _files_of(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


def _told(paths: Sequence[Path]) -> str:
    suffixes = [path.suffix.lower() for path in paths]
    if WORKSPACE_SUFFIX in suffixes:
        return say("Drop to open {name}", name=paths[suffixes.index(WORKSPACE_SUFFIX)].name)
    if all(suffix == CONTESTS_SUFFIX for suffix in suffixes):
        return say("Drop to take in the contests")
    return say("Drop to import")
