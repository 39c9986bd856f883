"""Keyboard shortcuts of reviewing: actions, a strip of buttons, and the list of all keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from radcal.words.records import ABSENT, OTHER, PRESENT, Phrase
from ui.kit.dialog import Dialog
from ui.kit.layout import FlowLayout
from ui.kit.text import wrapped
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


_COMMANDS = frozenset("acjknpux")
"""Letters assigned to other actions."""
_SPARE = "bdefghilmoqrstvwy12345678"
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


def phrase_keys(phrases: Sequence[Phrase]) -> dict[str, str]:
    """A key per phrase: 0 for absent, 9 for present, Z for an unlisted hedge, a letter of the name for others.

    Short names come first.  Once all keys are taken, phrases have none and are chosen from the list.
    """
    keys = {ABSENT: "0", PRESENT: "9", OTHER: "z"}
    taken = {*_COMMANDS, *keys.values()}
    names = sorted((p.name for p in phrases if p.name not in keys), key=lambda name: (len(name), name))
    for name in names:
        initials = [word[0].lower() for word in name.split()]
        letters = [c for c in (*initials, *name.lower()) if c.isascii() and c.isalpha()]
        key = next((c for c in (*letters, *_SPARE) if c not in taken), "")
        if key:
            keys[name] = key
            taken.add(key)
    return keys


class KeyStrip(QWidget):
    """A button with its key for every action."""

    def __init__(self, slots: Mapping[str, Callable[[], None]]) -> None:
        super().__init__()
        self.buttons: dict[str, QToolButton] = {}
        flow = FlowLayout(self)
        for name, (key, text) in _actions().items():
            made = QToolButton()
            _name(made, key, text)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(slots[name])
            flow.addWidget(made)
            self.buttons[name] = made

    def say_what_done_does(self, text: str) -> None:
        """Name the button of Ctrl+Enter by what it does now."""
        _name(self.buttons["done"], say("Ctrl+Enter"), text)


def _name(button: QToolButton, key: str, text: str) -> None:
    button.setText(f"{text}  {key}")
    button.setAccessibleName(text)


def _actions() -> Mapping[str, tuple[str, str]]:
    """Key and text of every button, by the name of its action."""
    return {
        "accept": ("A", say("Accept")),
        "unsure": ("U", say("Unsure")),
        "remove": (say("Del"), say("Remove")),
        "phrase": ("C", say("Phrase")),
        "pathology": ("P", say("Pathology")),
        "add": ("N", say("Add")),
        "done": (say("Ctrl+Enter"), say("Done")),
        "reopen": (say("Ctrl+Shift+Enter"), say("Reopen")),
        "keys": ("?", say("All keys")),
    }


def show_keys(parent: QWidget) -> Dialog:
    """Show the keys that no button names, beside the page."""
    dialog = Dialog(say("All keys"), parent, width=560)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setModal(False)
    told = say(
        "J, K or \u2193, \u2191: next and previous finding\n"
        "Enter: accept the finding\n"
        "0, 9 and the letters beside the phrases: correct the phrase; 0 is absent, 9 is present\n"
        "/: find a phrase by the report\u2019s words\n"
        "N: add a finding: choose its sentence with \u2193 and \u2191, then type its pathology\n"
        "\u2190 and \u2192: previous and next report\n"
        "Space and Shift+Space: scroll the report\n"
        "Ctrl+Z and Ctrl+Shift+Z: undo and redo\n"
        "Escape: back to the report\n"
        "The other keys stand on the buttons below the report."
    )
    dialog.lay_out(wrapped(told))
    dialog.open()
    return dialog
