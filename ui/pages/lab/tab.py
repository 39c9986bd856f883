"""What the Lab page tells its tabs, and the Ask tab its panes."""

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


class LabTab(QWidget):
    """A tab of the Lab page; it knows the shell, and what it does not care for it leaves as it is here.

    filled: the tab itself, once the workspace has something to be seen on it
    """

    filled = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell

    def show_department(self, opened: Opened) -> None:
        """A workspace was opened, or its results changed."""

    def arrive(self) -> None:
        """The tab came into view: with the page, or on it."""


class Pane(LabTab):
    """What a model is asked about, and what it answered.

    changed: something was chosen, or the asking began or ended
    """

    changed = Signal()
    with_shipped = True
    """Whether RadCal's own small model can be asked."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.is_asking = False

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
