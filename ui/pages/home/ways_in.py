"""Ways in: open a workspace, make one from report files, the sample with its tour, and what was opened last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from ui.kit.action import menu_button, push_button, tool_button
from ui.kit.layout import hbox, panel, vbox
from ui.kit.text import Label, clear, label, wrapped
from ui.theme import px
from ui.words import say


class WaysIn(QWidget):
    """Three ways to begin, beside the last a tour while it is offered, and the recent workspaces.

    reopen, forget, restore: path of the workspace to open, to remove from the list, or to restore from a backup
    """

    open_workspace = Signal()
    new_from_files = Signal()
    open_sample = Signal()
    tour_wanted = Signal()
    tour_unwanted = Signal()
    reopen = Signal(object)
    forget = Signal(object)
    restore = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.recent: dict[Path, QPushButton] = {}
        self._more: dict[Path, QToolButton] = {}
        self._chosen: Path | None = None
        self._busy = False
        self._missing: frozenset[Path] = frozenset()
        self._abouts: list[Label] = []
        self.tour = push_button(say("Take the &tour (two minutes)"), self.tour_wanted, primary=True)
        self.tour.setObjectName("choice")
        self.no_tour = tool_button(
            "\u00d7", self.tour_unwanted, tip=say("Do not offer the tour again (Esc); it stays in the menu"), flat=True
        )
        self._offer = panel(hbox(self.tour, self.no_tour, spacing=4))
        self._recent_title = label(say("Opened last"), role="strong")
        self._recent_rows = vbox(spacing=0)
        self.setMaximumWidth(px(640))
        about = say("An encrypted file that RadCal made earlier. You need its passphrase.")
        opens, opening = self._choice(say("&Open a workspace\u2026"), about, self.open_workspace)
        about = say("X-ray and CT reports as CSV, Excel, HL7, FHIR, DICOM or text files.")
        makes, making = self._choice(say("&New from report files\u2026"), about, self.new_from_files)
        about = say("An invented department, to see what RadCal does. No patient is in it.")
        shows, showing = self._choice(say("Open the &sample"), about, self.open_sample)
        self.buttons = [opens, makes, shows]
        vbox(
            *(opens, opening, 8, makes, making, 8, hbox((shows, 1), self._offer), showing, 8),
            *(self._recent_title, self._recent_rows),
            parent=self,
            spacing=4,
        )
        self.show_recent(())

    def _choice(self, text: str, about: str, signal: object) -> tuple[QPushButton, Label]:
        button = push_button(text, signal)  # type: ignore[arg-type]  # a bound Signal, of which PySide has no type
        button.setObjectName("choice")
        button.setAccessibleDescription(about)
        self._abouts.append(wrapped(about, role="muted"))
        return button, self._abouts[-1]

    def explain(self, explained: bool) -> None:
        """Say under each way what it is for, or leave that out."""
        for about in self._abouts:
            about.setVisible(explained)

    @property
    def offers_tour(self) -> bool:
        """Whether the tour is offered."""
        return not self._offer.isHidden()

    def offer_tour(self, offered: bool) -> None:
        """Offer the tour beside the sample, or no longer."""
        leaves = not offered and self._offer.isAncestorOf(self.focusWidget())
        self._offer.setVisible(offered)
        if leaves:
            self.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def set_busy(self, busy: bool) -> None:
        """Disable the choices while something is being opened; restores the focus afterwards."""
        if busy and not self._busy:
            focused = self.focusWidget()
            self._chosen = next((path for path, button in self.recent.items() if button is focused), None)
        ended, self._busy = self._busy and not busy, busy
        for button in (*self.buttons, self.tour, self.no_tour, *self._more.values()):
            button.setEnabled(not busy)
        for path, button in self.recent.items():
            button.setEnabled(not busy and path not in self._missing)
        if ended and self.isVisible():
            recent = self.recent.get(self._chosen) if self._chosen is not None else None
            (recent or self.buttons[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """List the recent workspaces; hidden if there are none."""
        clear(self._recent_rows)
        self.recent, self._more = {}, {}
        for path in paths:
            self._recent_rows.addWidget(self._recent_row(path))
        self._recent_title.setVisible(bool(paths))
        self._begin_at_the_latest()
        self.set_busy(self._busy)

    def show_missing(self, missing: frozenset[Path]) -> None:
        """Mark recent workspaces whose file is missing."""
        self._missing = missing
        for path, button in self.recent.items():
            button.setText(_named(path, say("not there any more")) if path in missing else _named(path))
        self._begin_at_the_latest()
        self.set_busy(self._busy)

    def _begin_at_the_latest(self) -> None:
        """Focus the most recent workspace, usually the one wanted."""
        there = (button for path, button in self.recent.items() if path not in self._missing)
        self.setFocusProxy(next(there, self.buttons[0]))

    def _recent_row(self, path: Path) -> QWidget:
        button = self.recent[path] = push_button(_named(path), lambda: self.reopen.emit(path), tip=str(path))
        button.setObjectName("recent")
        entries = (
            (say("Go back to a &backup\u2026"), partial(self.restore.emit, path)),
            (say("&Take off this list (the file stays)"), partial(self.forget.emit, path)),
        )
        more = self._more[path] = menu_button("\u25be", say("More on {name}", name=path.name), entries)
        more.setAutoRaise(True)
        return panel(hbox((button, 1), more, spacing=4))

    def menu_of(self, path: Path) -> QToolButton:
        """What else can be done with a recent workspace: go back to a backup, take it off the list."""
        return self._more[path]


def _named(path: Path, state: str = "") -> str:
    """'chest - in /data/2026', long folders elided in the middle."""
    folder = str(path.parent)
    if len(folder) > 48:
        folder = f"{folder[:20]}\u2026{folder[-27:]}"
    about = f"{folder}, {state}" if state else folder
    # A single ampersand would mark a mnemonic.
    return f"{path.stem}  \u2013  {about}".replace("&", "&&")
