"""The text of a stop with its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, wrapped
from ui.words import say, whole

if TYPE_CHECKING:
    from ui.window.tour.stops import Stop


class Callout(QFrame):
    """A strip at the foot of the window.  Buttons have no mnemonics, which could collide with the page's.

    onward, back: to the next view of the tour, to the one before;  left: the tour is to end
    """

    onward = Signal()
    back = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("callout")
        self.title, self.place = label(role="strong"), label(role="muted")
        self.text = wrapped()
        self.end_button = push_button(say("End the tour"), self.left, tip=say("Esc"))
        self.back_button = push_button(say("Back"), self.back, tip="\u2190")
        self.next_button = push_button("", self._go_on, tip="\u2192", primary=True)
        self._is_last = False
        hbox(
            (vbox(hbox(self.title, self.place, None), self.text, spacing=4), 1),
            *(self.end_button, self.back_button, self.next_button),
            parent=self,
            margins=(16, 12, 16, 12),
            spacing=12,
        )
        # The focus starts at the way on.
        for before, after in ((self.next_button, self.back_button), (self.back_button, self.end_button)):
            QWidget.setTabOrder(before, after)
        for key, call in ((Qt.Key.Key_Right, self._go_on), (Qt.Key.Key_Left, self._go_back)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def show_stop(self, stop: Stop, total: int, *, is_first: bool, is_last: bool) -> None:
        """Show the text of a stop, of so many in total, and tell it to screen readers."""
        self._is_last = is_last
        self.title.setText(stop.title)
        self.place.setText(say("{n} of {total}", n=whole(stop.number), total=whole(total)))
        self.text.setText(stop.text)
        self.back_button.setEnabled(not is_first)
        self.next_button.setText(say("Finish") if is_last else stop.onward or say("Next"))
        self.end_button.setVisible(not is_last)
        told = f"{self.place.text()}: {stop.title}. {stop.text}"
        self.setAccessibleName(told)
        self.next_button.setAccessibleDescription(told)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, told))

    def take_keyboard(self) -> None:
        """Focus the way on."""
        self.next_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _go_on(self) -> None:
        (self.left if self._is_last else self.onward).emit()

    @Slot()
    def _go_back(self) -> None:
        if self.back_button.isEnabled():
            self.back.emit()
