"""Buttons with text, tooltip and action, and calls that wait, made in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QToolButton

Call = Callable[..., Any] | SignalInstance


def push_button(text: str = "", call: Call | None = None, *, tip: str = "", primary: bool = False) -> QPushButton:
    """A push button; ``primary`` marks the main action of a page or dialog."""
    made = QPushButton(text)
    made.setToolTip(tip)
    if primary:
        made.setProperty("primary", True)
    if call is not None:
        made.clicked.connect(call)
    return made


def enable(made: QAbstractButton, why_not: str, tip: str = "") -> None:
    """Enable a button, with its tooltip, or give the reason why not in the tooltip."""
    made.setEnabled(not why_not)
    made.setToolTip(why_not or tip)


def tool_button(text: str, call: Call, *, tip: str, flat: bool = False) -> QToolButton:
    """A tool button whose tooltip is also its accessible name; ``flat``: without a border until it is used."""
    made = QToolButton()
    made.setText(text)
    made.setAutoRaise(flat)
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    made.clicked.connect(call)
    return made


def later(parent: QObject, call: Callable[..., Any], wait_ms: int = 0) -> QTimer:
    """A timer that calls once, so many milliseconds after its last start."""
    made = QTimer(parent)
    made.setSingleShot(True)
    made.setInterval(wait_ms)
    made.timeout.connect(call)
    return made


def menu_button(text: str, name: str, entries: Iterable[tuple[str, Callable[[], object]]] = ()) -> QToolButton:
    """A tool button that opens a menu of (text, action); ``name`` is its accessible name."""
    made = QToolButton()
    made.setText(text)
    made.setAccessibleName(name)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(made)
    for entry, call in entries:
        menu.addAction(entry, call)
    made.setMenu(menu)
    return made
