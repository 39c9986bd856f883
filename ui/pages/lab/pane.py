"""What a model can be asked about, each in a pane of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.words import say

if TYPE_CHECKING:
    from pathlib import Path

    from ui.records import Opened
    from ui.shell import Shell

MODELS, TABLES = "GGUF (*.gguf)", "CSV, JSON (*.csv *.tsv *.txt *.jsonl *.ndjson *.json)"
"""Kinds of files, as file dialogs list them."""


def which_model() -> str:
    """What to do without a model."""
    return say("Choose a model file: a chat or base model in GGUF.")


class Pane(QWidget):
    """What a model is asked about, and what it answered.

    changed: something was chosen, or the asking began or ended
    """

    changed = Signal()
    with_shipped = True
    """Whether RadCal's own small model can be asked."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell
        self.is_asking = False

    def show_department(self, opened: Opened) -> None:
        """Look up what was asked in this workspace."""
        raise NotImplementedError

    def why_not(self) -> str:
        """What is missing before a model can be asked, '' if nothing."""
        return ""

    def ask(self, model: Path) -> None:
        """Ask a model."""
        raise NotImplementedError

    def begin(self) -> None:
        """The asking has begun."""
        self.is_asking = True
        self.changed.emit()

    def end(self) -> None:
        """The asking is over."""
        self.is_asking = False
        self.changed.emit()
