"""The start page: open a workspace, create one from report files, view the sample, or reopen a recent one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from ui.kit.action import push_button, tool_button
from ui.kit.layout import Item, ScrollArea, hbox, panel, vbox
from ui.kit.text import clear, label, wrapped
from ui.words import say

_WIDTH = 640


class StartPage(ScrollArea):
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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.buttons: list[QPushButton] = []
        self.recent: dict[Path, QPushButton] = {}
        self._away: dict[Path, QToolButton] = {}
        self.backups: dict[Path, QToolButton] = {}
        self._chosen: Path | None = None
        self._busy = False
        self._missing: frozenset[Path] = frozenset()
        self._recent_title = label(say("Opened last"), role="strong")
        self._recent_rows = vbox(spacing=0)
        inner = QWidget()
        inner.setFixedWidth(_WIDTH)
        vbox(
            label(say("Do certainty words mean what readers take them to mean?"), role="title"),
            4,
            wrapped(
                say(
                    "RadCal compares the words of chest X-ray reports with what CT found within hours, and shows each"
                    " radiologist which words held and which word would have been closer."
                )
            ),
            16,
            *self._choices(),
            self._recent_title,
            self._recent_rows,
            8,
            wrapped(
                say(
                    "Nothing leaves this computer, unless you let a server of your hospital read the reports. Reports"
                    " and results stay in one encrypted file that you choose."
                ),
                role="muted",
            ),
            parent=inner,
            margins=None,
            spacing=4,
        )
        whole_page = QWidget()
        hbox(None, (inner, 0, Qt.AlignmentFlag.AlignVCenter), None, parent=whole_page, margins=None, spacing=-1)
        self.setWidget(whole_page)
        self.show_recent(())

    def _choices(self) -> Iterator[Item]:
        for text, about, signal in (
            (
                say("&Open a workspace\u2026"),
                say("An encrypted file that RadCal made earlier. You need its passphrase."),
                self.open_workspace,
            ),
            (
                say("&New from report files\u2026"),
                say(
                    "X-ray and CT reports as CSV, TSV, Excel, HL7, FHIR or DICOM, or a folder of text files with a"
                    " table that names them."
                ),
                self.new_from_files,
            ),
            (
                say("Open the &sample"),
                say("An invented department, to see what RadCal does. No patient is in it."),
                self.open_sample,
            ),
        ):
            button = push_button(text, signal)
            button.setObjectName("choice")
            button.setAccessibleDescription(about)
            self.buttons.append(button)
            beside = self._tour_offer() if signal is self.open_sample else None
            yield from (button if beside is None else hbox((button, 1), beside), wrapped(about, role="muted"))
            yield from (8,) if beside is None else (self._about_tour, 8)

    def _tour_offer(self) -> QWidget:
        self.tour = push_button(say("Take the &tour (two minutes)"), self.tour_wanted, primary=True)
        self.tour.setObjectName("choice")
        about = say("The tour opens it and leads from the reports that came in to one sentence and its evidence.")
        self.tour.setAccessibleDescription(about)
        self._about_tour = wrapped(about, role="muted")
        self.no_tour = tool_button(
            "\u00d7", self.tour_unwanted, tip=say("Do not offer the tour again (Esc); it stays in the menu"), flat=True
        )
        self._offer = panel(hbox(self.tour, self.no_tour, spacing=4))
        return self._offer

    @property
    def offers_tour(self) -> bool:
        """Whether the tour is offered."""
        return not self._offer.isHidden()

    def offer_tour(self, offered: bool) -> None:
        """Offer the tour beside the sample, or no longer."""
        leaves = not offered and self._offer.isAncestorOf(self.focusWidget())
        for part in (self._offer, self._about_tour):
            part.setVisible(offered)
        if leaves:
            self.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def set_busy(self, busy: bool) -> None:
        """Disable the choices while something is being opened; restores the focus afterwards."""
        if busy and not self._busy:
            focused = self.focusWidget()
            self._chosen = next((path for path, button in self.recent.items() if button is focused), None)
        ended, self._busy = self._busy and not busy, busy
        for button in (*self.buttons, self.tour, self.no_tour):
            button.setEnabled(not busy)
        for path, button in self.recent.items():
            button.setEnabled(not busy and path not in self._missing)
            self._away[path].setEnabled(not busy)
            self.backups[path].setEnabled(not busy)
        if ended and self.isVisible():
            recent = self.recent.get(self._chosen) if self._chosen is not None else None
            (recent or self.buttons[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """List the recent workspaces; hidden if there are none."""
        self.setFocusProxy(self.buttons[0])
        clear(self._recent_rows)
        self.recent = {}
        self._away, self.backups = {}, {}
        for path in paths:
            self._recent_rows.addWidget(self._recent_row(path))
        self._recent_title.setVisible(bool(paths))
        self._begin_at_the_latest()
        self.set_busy(self._busy)

    def show_missing(self, missing: frozenset[Path]) -> None:
        """Mark recent workspaces whose file is missing."""
        self._missing = missing
        for path, button in self.recent.items():
            gone = path in missing
            button.setText(_named(path, say("not there any more")) if gone else _named(path))
        self._begin_at_the_latest()
        self.set_busy(self._busy)

    def _begin_at_the_latest(self) -> None:
        """Focus the most recent workspace, usually the one wanted."""
        there = (button for path, button in self.recent.items() if path not in self._missing)
        self.setFocusProxy(next(there, self.buttons[0]))

    def _recent_row(self, path: Path) -> QWidget:
        button = self.recent[path] = push_button(_named(path), _emitting(self.reopen, path), tip=str(path))
        button.setObjectName("recent")
        self.backups[path] = tool_button(
            say("Backups\u2026"),
            _emitting(self.restore, path),
            tip=say("Go back to a backup of {name}", name=path.name),
            flat=True,
        )
        self._away[path] = tool_button(
            "\u00d7",
            _emitting(self.forget, path),
            tip=say("Take {name} off this list; the file stays", name=path.name),
            flat=True,
        )
        row = QWidget()
        hbox((button, 1), self.backups[path], self._away[path], parent=row, spacing=4)
        return row


def _named(path: Path, state: str = "") -> str:
    """'chest - in /data/2026', long folders elided in the middle."""
    folder = str(path.parent)
    if len(folder) > 48:
        folder = f"{folder[:20]}\u2026{folder[-27:]}"
    about = f"{folder}, {state}" if state else folder
    # A single ampersand would mark a mnemonic.
    return f"{path.stem}  \u2013  {about}".replace("&", "&&")


def _emitting(signal: object, path: Path) -> Callable[..., None]:
    """A slot that emits the path, ignoring the button's argument."""

    def send(path: Path, *_: object) -> None:
        signal.emit(path)  # type: ignore[attr-defined]  # a bound Signal, of which PySide has no type

    return partial(send, path)
