"""Keyboard: window-wide shortcuts, and the initial focus of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

Keys = QKeySequence.StandardKey | Qt.Key | str
LOCK = "Ctrl+L"
TOUR = "Shift+F1"
QUIT = "Ctrl+Q"
"""On every platform: Windows has no standard key to quit."""


def add_shortcuts(window: QWidget, calls: Iterable[tuple[Keys, Callable[[], object]]]) -> None:
    """Bind callables to keys throughout the window."""
    for keys, call in calls:
        shortcut = QShortcut(window)
        # Platforms differ in their bindings, and may have several.
        several = QKeySequence.keyBindings(keys) if isinstance(keys, QKeySequence.StandardKey) else [QKeySequence(keys)]
        if keys == QKeySequence.StandardKey.Redo:
            several = list(dict.fromkeys((*several, QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))))
        shortcut.setKeys(several)
        shortcut.activated.connect(call)


def focus(page: QWidget | None) -> None:
    """Focus a page: its last focus widget, else the first control below the head."""
    if page is not None and (control := _begins_at(page)) is not None:
        control.setFocus(Qt.FocusReason.OtherFocusReason)


def is_about_to_escape(event: QEvent) -> bool:
    """Whether the window is about to handle Escape; a widget that needs it accepts the event."""
    return (
        event.type() == QEvent.Type.ShortcutOverride
        and isinstance(event, QKeyEvent)
        and event.key() == Qt.Key.Key_Escape
        and not event.modifiers()
    )


def takes_escape(event: QEvent) -> bool:
    """Accept the event if the window is about to handle Escape, so that the widget gets the key; whether it was so."""
    escapes = is_about_to_escape(event)
    if escapes:
        event.accept()
    return escapes


def press_by_enter(event: QKeyEvent) -> bool:
    """Click the focused button on Enter, which most systems leave to Space; returns whether it did."""
    button = QApplication.focusWidget()
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier and not event.isAutoRepeat()
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not plain:
        return False
    if not isinstance(button, (QPushButton, QToolButton)) or not button.isEnabled():
        return False
    button.click()
    return True


def is_in(part: QWidget) -> bool:
    """Whether a control or a child has the focus, or will when its window is active again."""
    focused = part.window().focusWidget()
    return focused is not None and (focused is part or part.isAncestorOf(focused))


def _begins_at(page: QWidget) -> QWidget | None:
    def takes_keys(widget: QWidget) -> bool:
        tabbed = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        return tabbed and widget.isEnabled() and widget.isVisibleTo(page) and page.isAncestorOf(widget)

    last = page.focusWidget()
    if last is not None and takes_keys(last):
        return last
    # In order of creation, which is the tab order.  Not along Qt's focus chain: it leads through the whole window, and
    # widgets that Python has seen there are freed too early.
    controls = [widget for widget in page.findChildren(QWidget) if takes_keys(widget)]
    # Controls in the head are direct children of the page.
    content = (control for control in controls if control.parentWidget() is not page)
    return next(content, controls[0] if controls else None)
