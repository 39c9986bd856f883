"""Keyboard shortcuts of reviewing: actions, a strip of buttons, and the list of all keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from ui.kit.dialog import Dialog
from ui.kit.layout import FlowLayout, panel, scrolled
from ui.kit.text import label, wrapped
from ui.words import say

_Key = Qt.Key
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_KEYPAD, _CTRL = Qt.KeyboardModifier.KeypadModifier, Qt.KeyboardModifier.ControlModifier
_WITH_MODIFIERS: Mapping[tuple[int, Qt.KeyboardModifier], str] = {
    (_Key.Key_Return, _CTRL): "done",
    (_Key.Key_Enter, _CTRL): "done",
    (_Key.Key_Return, _CTRL | _SHIFT): "reopen",
    (_Key.Key_Enter, _CTRL | _SHIFT): "reopen",
    (_Key.Key_Space, _SHIFT): "scroll back",
}
_PLAINLY: Mapping[int, str] = {
    _Key.Key_J: "next finding",
    _Key.Key_Down: "next finding",
    _Key.Key_K: "previous finding",
    _Key.Key_Up: "previous finding",
    _Key.Key_Left: "previous report",
    _Key.Key_Right: "next report",
    _Key.Key_Space: "scroll on",
    _Key.Key_Return: "accept",
    _Key.Key_Enter: "accept",
    _Key.Key_A: "accept",
    _Key.Key_U: "unsure",
    _Key.Key_Delete: "remove",
    _Key.Key_Backspace: "remove",
    _Key.Key_X: "remove",
    _Key.Key_C: "phrase",
    _Key.Key_P: "pathology",
    _Key.Key_N: "add",
    _Key.Key_Escape: "back",
}


SEARCH = "/"
"""The character that starts a phrase search, on any keyboard layout."""


def is_plain(event: QKeyEvent) -> bool:
    """True for a key pressed alone or with Shift, keypad included."""
    return event.modifiers() & ~_KEYPAD in (_PLAIN, _SHIFT)


def act_of(event: QKeyEvent) -> str:
    """A key's action while the report or the findings have the focus; '' for none, or a phrase's key."""
    key = event.key()  # an int: Qt.Key has no name for some letters
    if act := _WITH_MODIFIERS.get((key, event.modifiers() & ~_KEYPAD)):
        return act
    if event.text() == "?":
        return "keys"
    if event.text() == SEARCH:
        return "find phrase"
    return _PLAINLY.get(key, "") if is_plain(event) else ""


def all_keys() -> tuple[tuple[str, str], ...]:
    """All keys with their actions."""
    return (
        (say("J, K or \u2193, \u2191"), say("next and previous finding")),
        (say("Enter or A"), say("accept the finding")),
        (say("U"), say("unsure: leave it out of every figure")),
        (say("Delete"), say("remove: the report does not say so")),
        (say("0, 9 and the letters beside the phrases"), say("correct the phrase at once; 0 is absent, 9 is present")),
        (say("C"), say("go to the list of phrases")),
        (say("/"), say("find a phrase by typing the report\u2019s words")),
        (say("P"), say("choose another pathology by typing any word for it")),
        (say("N"), say("add a finding: choose the sentence with \u2193 and \u2191, then type its pathology")),
        (say("Ctrl+Enter"), say("the report is done, if all in it is judged; then: on to the next report")),
        (say("Ctrl+Shift+Enter"), say("take a finished report up again")),
        (say("\u2190 and \u2192"), say("previous and next report")),
        (say("Space and Shift+Space"), say("scroll the report")),
        (say("Ctrl+Z and Ctrl+Shift+Z"), say("undo and redo")),
        (say("Escape"), say("back to the report")),
        (say("?"), say("this list")),
    )


class KeyStrip(QWidget):
    """A button with its key for every action."""

    def __init__(self, slots: Mapping[str, Callable[[], None]]) -> None:
        super().__init__()
        self.buttons: dict[str, QToolButton] = {}
        flow = FlowLayout(self)
        for name, key, text, tip in _actions():
            made = QToolButton()
            _name(made, key, text, tip)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(slots[name])
            flow.addWidget(made)
            self.buttons[name] = made

    def say_what_done_does(self, text: str, tip: str) -> None:
        """Name the button of Ctrl+Enter by what it does now."""
        _name(self.buttons["done"], say("Ctrl+Enter"), text, tip)


def _name(button: QToolButton, key: str, text: str, tip: str) -> None:
    button.setText(say("{what}  {key}", what=text, key=key))
    button.setToolTip(tip)
    button.setAccessibleName(text)
    button.setAccessibleDescription(tip)


def _actions() -> tuple[tuple[str, str, str, str], ...]:
    """Name, key, text and tooltip of every button."""
    return (
        ("accept", "A", say("Accept"), say("Enter or A")),
        ("unsure", "U", say("Unsure"), say("Leave it out of every figure")),
        ("remove", say("Del"), say("Remove"), say("The report does not say so")),
        ("phrase", "C", say("Phrase"), say("Or the key beside the phrase")),
        ("pathology", "P", say("Pathology"), say("Choose another by typing")),
        ("add", "N", say("Add"), say("Add a finding at a sentence")),
        ("done", say("Ctrl+Enter"), say("Done"), say("All in this report is judged")),
        ("reopen", say("Ctrl+Shift+Enter"), say("Take up again"), say("Not done after all")),
        ("keys", "?", say("All keys"), say("Everything that keys do here")),
    )


class KeysDialog(Dialog):
    """The list of keys; deleted on close."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(say("Keys for reviewing"), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for line, (key, meaning) in enumerate(all_keys()):
            grid.addWidget(label(key, role="strong"), line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(wrapped(meaning), line, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        self.lay_out((scrolled(panel(grid), focusable=True, sideways=True), 1))
        self.resize(640, 520)
