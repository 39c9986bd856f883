"""What is asked before work is stopped."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from ui.words import translate


class StopQuestion(QMessageBox):
    """Asks whether to stop what is under way and close; ``answered`` is called with whether to."""

    def __init__(self, parent: QWidget, title: str, answered: Callable[[bool], None]) -> None:
        super().__init__(parent)
        self._tell = answered
        self.setWindowTitle("RadCal")
        self.setText(translate("window", "RadCal is still at work: {what}.").format(what=title))
        self.setInformativeText(
            translate(
                "window",
                "If you stop now, what is stored so far is kept, and the same work goes on from there. An import that"
                " has not ended begins anew; its files stay as they are.",
            )
        )
        keep = self.addButton(translate("window", "&Keep working"), QMessageBox.ButtonRole.RejectRole)
        self._stop = self.addButton(translate("window", "&Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        self.setDefaultButton(keep)
        self.setEscapeButton(keep)
        self.finished.connect(self._answered)

    def _answered(self, _result: int) -> None:
        self._tell(self.clickedButton() is self._stop)
