"""What reads the reports: the rules with a second reader, a model file or a server, chosen in a dialog."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QPushButton

from ui.kit.action import enable, later, push_button
from ui.kit.dialog import Dialog
from ui.kit.layout import panel, scrolled, vbox
from ui.pages.reports.reading import work
from ui.pages.reports.reading.choice import EngineChoice
from ui.pages.reports.reading.trial_gate import TrialGate
from ui.pages.reports.reading.verdict import Verdict
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from radcal.findings.engines import EngineFit
    from radcal.findings.readers.trial import Trial
    from ui.pages.reports.reading.control import Reading
    from ui.pages.reports.reading.work import Extractions
    from ui.shell import Shell
    from ui.tasks import Failure, TaskState

FIT, TRIAL = "extraction fit", "trial of a model"
"""The operations in the worker."""
_SIZE = (620, 540)
_WAIT_MS = 250


class EngineDialog(Dialog):
    """Chooses the engine and lets it read; nothing is stored before."""

    def __init__(self, page: QWidget, shell: Shell, reading: Reading) -> None:
        super().__init__(say("What reads the reports"), page)
        self._shell, self._reading = shell, reading
        self._seen: Extractions | None = None
        self._fit: EngineFit | None = None
        self._trying = False
        self.verdict, self.gate = Verdict(), TrialGate()
        self.choice = EngineChoice(shell, self.verdict)
        self.server = self.choice.served
        self.read = push_button(say("&Read the reports"), primary=True)
        content = panel(vbox(self.choice, self.verdict, self.gate, None, spacing=12))
        self.area = scrolled(content)
        self.lay_out((self.area, 1), accept=self.read, spacing=12)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter ends a field, and reads nothing
        self.resize(*_SIZE)
        self._waiting: QTimer = later(self, self._look_at_fit, _WAIT_MS)
        self.choice.changed.connect(self._chosen)
        self.server.off_wanted.connect(reading.switch_off)
        self.server.looked.connect(self._look_at_gate)
        self.server.looked.connect(self._show_buttons)
        self.gate.begun.connect(self._try_model)
        self.gate.stopped.connect(partial(shell.tasks.cancel, TRIAL))
        self.gate.opened.connect(self._show_buttons)
        self.accepted.connect(self._start)
        reading.changed.connect(self.show_reading)
        shell.tasks.changed.connect(self._follow)

    def begin(self) -> None:
        """Open with the settings as they are stored."""
        self._seen = None
        self.open()
        self.show_reading()

    @Slot()
    def show_reading(self) -> None:
        """Show the settings as they are stored, if they are others now, and whether they can be changed."""
        if self.isHidden():
            return
        before, self._seen = self._seen, self._reading.seen
        seen = self._seen
        if seen is None:
            self.reject()
            return
        self.server.off.setVisible(bool(seen.served))
        self.choice.set_known(seen.accuracies)
        if before is None or before.settings != seen.settings:
            self.choice.set_settings(seen.settings)
            if seen.settings.untested == "allowed":
                self.gate.let(self.choice.foreign)
            self._look_at_gate()
            self._look_at_fit()
        self._show_buttons()

    @Slot()
    def _chosen(self) -> None:
        self._look_at_gate()
        self._waiting.start()
        self._show_buttons()

    @Slot()
    def _look_at_fit(self) -> None:
        self._fit = None
        values = self.choice.values()
        if self.choice.is_served:
            self.server.look(values)
        elif self.choice.misses_model:
            self.verdict.show_text(say("Choose a model file first."))
        else:
            self.verdict.show_text("")
            job = partial(work.fit, values)
            self._shell.run(FIT, job, self._fitted, failed=self.verdict.show_failure)
        self._show_buttons()

    @Slot(object)
    def _fitted(self, fit: EngineFit) -> None:
        if not self.choice.is_served:
            self._fit = fit
            self.verdict.show_fit(fit)
            self._show_buttons()

    @Slot()
    def _look_at_gate(self) -> None:
        """Look up whether the selected model was tried, unless that is known, or its server cannot be used yet."""
        model = self.choice.foreign
        if self.choice.is_served and self.server.why_not(self.choice.values()):
            model = ""
        if model == self.gate.model:
            return
        self._shell.tasks.cancel(TRIAL)
        self.gate.show_model(model)
        if model:
            self._run_trial(work.tried)

    @Slot()
    def _try_model(self) -> None:
        self._trying = True
        self.gate.show_advance(None)
        title = say("Trying {model}", model=Path(self.choice.file).name or self.choice.foreign)
        self._run_trial(work.try_model, title=title, shares=True, long=True)

    def _run_trial(self, job: Callable[..., Trial | None], **how: Any) -> None:
        stopped = partial(self._trial_known, None)
        job = partial(job, self.choice.values())
        self._shell.run(TRIAL, job, self._trial_known, failed=self._trial_failed, stopped=stopped, **how)

    @Slot(object)
    def _trial_known(self, trial: Trial | None) -> None:
        self._trying = False
        self.gate.show_trial(trial)
        self._show_buttons()

    @Slot(object)
    def _trial_failed(self, failure: Failure) -> None:
        self._trying = False
        self.gate.show_failure(typographic(failure.text) or failure.technical.splitlines()[0])

    @Slot(object)
    def _follow(self, state: TaskState | None) -> None:
        if self._trying and state is not None and state.operation == TRIAL:
            self.gate.show_advance(state.advance)

    @Slot()
    def _start(self) -> None:
        values = self.choice.values()
        if self.choice.foreign:
            values["untested"] = "allowed" if self.gate.is_untested else "refused"
        self._reading.read(values, self.server.host if self.choice.is_served else "")

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        why = self._reading.why_locked()
        self.choice.set_locked(why)
        enable(self.read, why or self._why_not_read())

    def _why_not_read(self) -> str:
        if self.choice.misses_model:
            return say("Choose a model file first.")
        if self.choice.is_served and (why := self.server.why_not(self.choice.values())):
            return why
        if self._fit is not None and self._fit.problem:
            return typographic(self._fit.problem)
        if why := self.gate.why_closed():
            return why
        if not self.choice.is_changed and self._seen is not None and not self._seen.status.n_pending:
            return say("This engine has read all paired reports.")
        return ""
