"""Edits that lead from one value to another."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QUndoStack

from ui.kit.undoing import Edit


def test_an_edit_shows_the_value_after_and_undone_the_one_before(qapp: Any) -> None:
    shown: list[tuple[str, ...]] = []
    stack = QUndoStack()
    stack.push(Edit("add b", ("a",), ("a", "b"), shown.append))
    stack.push(Edit("take a", ("a", "b"), ("b",), shown.append))
    assert shown == [("a", "b"), ("b",)]
    assert stack.undoText() == "take a"
    stack.undo()
    stack.undo()
    assert shown[2:] == [("a", "b"), ("a",)]
    stack.redo()
    assert shown[4:] == [("a", "b")]
    assert (stack.undoText(), stack.redoText()) == ("add b", "take a")
