"""Keyboard shortcuts of review: the actions, the strip always visible, and the full list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from ui.widgets.flow import FlowLayout
from ui.widgets.labels import label, wrapped
from ui.words import translate

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
"""The key that looks for a phrase, wherever a keyboard has it."""


def is_plain(event: QKeyEvent) -> bool:
    """Whether a key was pressed alone or with Shift, keypad included."""
    return event.modifiers() & ~_KEYPAD in (_PLAIN, _SHIFT)


def act_of(event: QKeyEvent) -> str:
    """A key's action while the report or the findings have the focus; '' for none or a phrase."""
    key = event.key()  # not every letter has a name in Qt.Key
    if act := _WITH_MODIFIERS.get((key, event.modifiers() & ~_KEYPAD)):
        return act
    if event.text() == "?":
        return "keys"
    if event.text() == SEARCH:
        return "find phrase"
    return _PLAINLY.get(key, "") if is_plain(event) else ""


def all_keys() -> tuple[tuple[str, str], ...]:
    """Every key with its action."""
    return (
        (translate("review", "J, K or \u2193, \u2191"), translate("review", "next and previous finding")),
        (translate("review", "Enter or A"), translate("review", "accept the finding")),
        (translate("review", "U"), translate("review", "unsure: leave it out of every figure")),
        (translate("review", "Delete"), translate("review", "remove: the report does not say so")),
        (
            translate("review", "0, 9 and the letters beside the phrases"),
            translate("review", "correct the phrase at once; 0 is absent, 9 is present"),
        ),
        (translate("review", "C"), translate("review", "go to the list of phrases")),
        (translate("review", "/"), translate("review", "find a phrase by typing the report\u2019s words")),
        (translate("review", "P"), translate("review", "choose another pathology by typing any word for it")),
        (
            translate("review", "N"),
            translate("review", "add a finding: choose the sentence with \u2193 and \u2191, press Enter, type"),
        ),
        (
            translate("review", "Ctrl+Enter"),
            translate("review", "the report is done; what was not judged is accepted; on to the next report"),
        ),
        (translate("review", "Ctrl+Shift+Enter"), translate("review", "take a finished report up again")),
        (translate("review", "\u2190 and \u2192"), translate("review", "previous and next report")),
        (translate("review", "Space and Shift+Space"), translate("review", "scroll the report")),
        (translate("review", "Ctrl+Z and Ctrl+Shift+Z"), translate("review", "undo and redo")),
        (translate("review", "Escape"), translate("review", "back to the report")),
        (translate("review", "?"), translate("review", "this list")),
    )


class KeyStrip(QWidget):
    """A button with its key for every action."""

    def __init__(self, slots: Mapping[str, Callable[[], None]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        flow = FlowLayout(self)
        for name, key, text, tip in _actions():
            made = QToolButton()
            made.setText(translate("review", "{what}  {key}").format(what=text, key=key))
            made.setToolTip(tip)
            made.setAccessibleName(text)
            made.setAccessibleDescription(tip)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(slots[name])
            flow.addWidget(made)
            self.buttons[name] = made


def _actions() -> tuple[tuple[str, str, str, str], ...]:
    """Name, key, text and tooltip of every button."""
    enter, again = translate("review", "Ctrl+Enter"), translate("review", "Ctrl+Shift+Enter")
    done = translate("review", "What was not judged is accepted; on to the next report")
    return (
        ("accept", "A", translate("review", "Accept"), translate("review", "Enter or A")),
        ("unsure", "U", translate("review", "Unsure"), translate("review", "Leave it out of every figure")),
        (
            "remove",
            translate("review", "Del"),
            translate("review", "Remove"),
            translate("review", "The report does not say so"),
        ),
        ("phrase", "C", translate("review", "Phrase"), translate("review", "Or the key beside the phrase")),
        ("pathology", "P", translate("review", "Pathology"), translate("review", "Choose another by typing")),
        ("add", "N", translate("review", "Add"), translate("review", "Add a finding at a sentence")),
        ("done", enter, translate("review", "Done"), done),
        ("reopen", again, translate("review", "Take up again"), translate("review", "Not done after all")),
        ("keys", "?", translate("review", "All keys"), translate("review", "Everything that keys do here")),
    )


class KeysDialog(QDialog):
    """The list of keys; deleted on close."""

    def __init__(self, keys: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("review", "Keys for reviewing"))
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (key, meaning) in enumerate(keys):
            grid.addWidget(label(key, role="strong"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(wrapped(meaning), row, 1)
        grid.setRowStretch(len(keys), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inner)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(scroll, 1)
        layout.addWidget(buttons)
        self.resize(640, 520)
