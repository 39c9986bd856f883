"""Before a foreign model may read reports: the trial with sentences of RadCal's own, and the one way past it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QProgressBar

from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, wrapped
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.findings.readers.trial import Trial
    from ui.tasks import Advance


class TrialGate(QFrame):
    """The trial of the chosen model: begun by a button, its progress, and what came of it.

    begun, stopped: the trial is to begin, or to stop;  opened: the model may read untested
    """

    begun, stopped, opened = Signal(), Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.model = ""
        """The model that is chosen; '' for none that needs a trial."""
        self._trial: Trial | None = None
        self._untested: set[str] = set()
        """The models that somebody lets read all the same."""
        self.answer = wrapped()
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(say("Can this model read reports?"))
        self.begin = push_button(say("Try it"), self.begun)
        self.stop = push_button(say("Cancel"), self.stopped)
        self.pass_by = push_button(say("Use it untested\u2026"), self.ask)
        row = hbox(self.begin, self.pass_by, self.stop, None)
        self.head = label(role="strong")
        vbox(self.head, self.answer, self.bar, row, parent=self, margins=(16, 12, 16, 12))
        self.hide()

    def show_model(self, model: str) -> None:
        """Another model is chosen, of which it is being looked up whether it was tried; '' for none."""
        self.model, self._trial = model, None
        self._show("")
        for button in (self.begin, self.pass_by):
            button.hide()
        self.setVisible(bool(model))

    def show_trial(self, trial: Trial | None) -> None:
        """Show what came of the trial, or that there was none."""
        self._trial = trial
        text = say("It first reads 30 sentences of RadCal\u2019s own, which takes up to a minute. No report is sent.")
        self._show(text if trial is None else typographic(trial.said))

    def show_failure(self, text: str) -> None:
        """Show why the trial could not be made."""
        self._show(text)

    def show_advance(self, advance: Advance | None) -> None:
        """Show the progress of the trial."""
        self._show("", running=True)
        self.bar.setRange(0, 0)
        if advance is not None and advance.total:
            self.bar.setRange(0, advance.total)
            self.bar.setValue(advance.done)

    def _show(self, text: str, *, running: bool = False) -> None:
        self.answer.setText(text)
        head = say("Can this model read reports?")
        if self._trial is not None:
            head = say("The model passed its trial.") if self._trial.passed else say("The model failed its trial.")
        self.head.setText(head)
        self.bar.setVisible(running)
        self.stop.setVisible(running)
        self.begin.setVisible(not running and self._trial is None)
        self.pass_by.setVisible(not running and not self.is_open)

    def _why(self) -> str:
        if not self.model or (self._trial is not None and self._trial.passed):
            return ""
        return say("Try the model first.") if self._trial is None else say("The model failed its trial.")

    def let(self, model: str) -> None:
        """Let a model read untested."""
        self._untested.add(model)

    @property
    def is_untested(self) -> bool:
        """Whether the model is to read though it was not tried, or failed."""
        return bool(self._why()) and self.model in self._untested

    @property
    def is_open(self) -> bool:
        """Whether the model may read, tried or untested."""
        return not self._why() or self.is_untested

    def why_closed(self) -> str:
        """Why the model may not read yet; '' if it may."""
        return "" if self.is_open else self._why()

    @Slot()
    def ask(self) -> None:
        """Ask whether the model is to read untested."""
        dialog = Dialog(say("Use it untested"), self, width=420)
        text = say(
            "It may read badly, and nobody notices among thousands of reports. Review some of what it reads before you"
            " rely on it."
        )
        dialog.lay_out(wrapped(text), accept=push_button(say("Use it untested")), spacing=12)
        dialog.accepted.connect(self._pass)
        dialog.open()

    @Slot()
    def _pass(self) -> None:
        self.let(self.model)
        self.show_trial(self._trial)
        self.opened.emit()
