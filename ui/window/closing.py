"""Confirmation before work is stopped."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from ui.words import say


class Question(QMessageBox):
    """Asks whether to close anyway; ``answered`` receives the answer."""

    def __init__(
        self, parent: QWidget, answered: Callable[[bool], None], text: str, details: str, stay: str, leave: str
    ) -> None:
        super().__init__(parent)
        self._tell = answered
        self.setWindowTitle("RadCal")
        self.setText(text)
        self.setInformativeText(details)
        keep = self.addButton(stay, QMessageBox.ButtonRole.RejectRole)
        self._stop = self.addButton(leave, QMessageBox.ButtonRole.AcceptRole)
        self.setDefaultButton(keep)
        self.setEscapeButton(keep)
        self.finished.connect(self._answered)

    def _answered(self, _result: int) -> None:
        self._tell(self.clickedButton() is self._stop)


def stop_question(parent: QWidget, title: str, answered: Callable[[bool], None]) -> Question:
    """Whether to stop the running task; ``title`` names it."""
    return Question(
        parent,
        answered,
        say("RadCal is still at work: {what}.", what=title),
        say(
            "If you stop now, what is stored so far is kept, and the same work goes on from there. An import that"
            " has not ended begins anew; its files stay as they are."
        ),
        say("&Keep working"),
        say("&Stop and close"),
    )


def lose_question(parent: QWidget, answered: Callable[[bool], None]) -> Question:
    """Whether to close a workspace whose file is gone, without a backup."""
    return Question(
        parent,
        answered,
        say("The workspace\u2019s file is gone, and no copy has been saved."),
        say(
            "It was deleted, moved or replaced while it was open. Once RadCal is closed, what it held cannot be"
            " read here any more. A copy is saved under Settings, Back up."
        ),
        say("&Back to the workspace"),
        say("&Close without a copy"),
    )
