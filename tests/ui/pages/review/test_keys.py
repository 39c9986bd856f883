"""What each key does while a report is read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from ui.pages.review.keys import act_of, is_plain

KEY, MODIFIER = Qt.Key, Qt.KeyboardModifier
PLAIN, SHIFT, CTRL = MODIFIER.NoModifier, MODIFIER.ShiftModifier, MODIFIER.ControlModifier


def _pressed(key: int, modifiers: Qt.KeyboardModifier = PLAIN, text: str = "") -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text)


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "act"),
    [
        (KEY.Key_A, PLAIN, "a", "accept"),
        (KEY.Key_A, SHIFT, "A", "accept"),
        (KEY.Key_Enter, MODIFIER.KeypadModifier, "\r", "accept"),
        (KEY.Key_Enter, MODIFIER.KeypadModifier | CTRL, "\r", "done"),
        (KEY.Key_Return, CTRL | SHIFT, "\r", "reopen"),
        (KEY.Key_Space, PLAIN, " ", "scroll on"),
        (KEY.Key_Space, SHIFT, " ", "scroll back"),
        (KEY.Key_Question, SHIFT, "?", "keys"),
        (KEY.Key_Slash, MODIFIER.AltModifier, "?", "keys"),  # where a layout has it so
        (KEY.Key_Delete, PLAIN, "\x7f", "remove"),
        (KEY.Key_Backspace, PLAIN, "\b", "remove"),
        # Left to the window, or to a phrase.
        (KEY.Key_A, CTRL, "\x01", ""),  # select all
        (KEY.Key_A, MODIFIER.AltModifier, "a", ""),  # a mnemonic
        (KEY.Key_C, CTRL, "\x03", ""),  # copy
        (KEY.Key_Left, MODIFIER.AltModifier, "", ""),
        (KEY.Key_L, PLAIN, "l", ""),  # a phrase
        (KEY.Key_Tab, PLAIN, "\t", ""),
        (0x141, PLAIN, "ł", ""),
    ],
)
def test_what_a_key_does(key, modifiers, text, act):
    assert act_of(_pressed(key, modifiers, text)) == act


def test_only_keys_without_command_modifiers_name_a_phrase():
    assert is_plain(_pressed(KEY.Key_9, MODIFIER.KeypadModifier, "9"))
    assert is_plain(_pressed(KEY.Key_L, SHIFT, "L"))
    assert not any(is_plain(_pressed(KEY.Key_L, m, "l")) for m in (CTRL, MODIFIER.AltModifier, CTRL | SHIFT))
