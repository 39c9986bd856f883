"""Push buttons in one call."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QAbstractButton, QPushButton


def button(
    text: str, press: Callable[[], object] | SignalInstance, tip: str = "", *, primary: bool = False
) -> QPushButton:
    """A push button that calls ``press``, or emits it; ``primary`` marks the main action of its page."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.clicked.connect(press)
    if primary:
        made.setProperty("primary", True)
    return made


def enable(made: QAbstractButton, why_not: str, tip: str = "") -> None:
    """Enable a button, with its tooltip, or give the reason why not in the tooltip."""
    made.setEnabled(not why_not)
    made.setToolTip(why_not or tip)
