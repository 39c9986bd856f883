"""How an engine fits this machine, and its progress."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from ui.plots.sparkline import Sparkline
from ui.widgets.labels import clear, label, wrapped
from ui.widgets.pictures import PictureCard
from ui.words import duration, say, typographic, whole

if TYPE_CHECKING:
    from radcal.workflow.runs.engines import EngineFit
    from ui.shell import Shell
    from ui.tasks import Advance
    from ui.theme import Colours

_GIB = 1 << 30
_MIB = 1 << 20
_POINTS = 240
_EVERY = 0.5
"""Seconds between two points of the pace."""
_OVER = 8.0
"""Seconds over which a pace is taken."""


def memory(n: int) -> str:
    """A size in bytes as text: '12 MiB', '4.7 GiB'."""
    if n < 1000 * _MIB:
        return say("{n} MiB", n=whole(max(round(n / _MIB), 1)))
    return say("{n} GiB", n=QLocale().toString(n / _GIB, "f", 1))


class FitCard(QFrame):
    """Which of the machine's resources an engine would use, and why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(label(say("On this computer"), role="strong"))
        self.verdict = wrapped()
        layout.addWidget(self.verdict)
        self.unverified = wrapped()
        self.unverified.hide()
        layout.addWidget(self.unverified)
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        layout.addWidget(self._table)
        self.reasons = wrapped(role="muted")
        layout.addWidget(self.reasons)
        layout.addStretch(1)
        self._table.hide()

    def show_waiting(self) -> None:
        """The hardware is being checked."""
        self.verdict.setProperty("role", "")
        self.verdict.setText(say("Looking at what fits\u2026"))
        self._restyle()
        self._table.hide()
        self.unverified.hide()
        self.reasons.setText("")

    def show_missing_model(self) -> None:
        """A custom model is selected, but no file."""
        self.show_waiting()
        self.verdict.setText(say("Choose a model file to see whether it fits."))

    def show_fit(self, fit: EngineFit) -> None:
        """Show how an engine would run, or why it cannot."""
        self.verdict.setProperty("role", "error" if fit.problem else "")
        if fit.problem:
            self.verdict.setText(typographic(fit.problem))
        elif fit.engine == "rules":
            self.verdict.setText(say("Runs everywhere: no model, hardly any memory."))
        elif fit.gpu_layers > 0 and fit.gpu_layers >= fit.layers:
            self.verdict.setText(say("{model} fits, all of it on the GPU {gpu}.", model=fit.model, gpu=fit.gpu_name))
        elif fit.gpu_layers > 0:
            self.verdict.setText(
                say(
                    "{model} fits, {n} of {total} layers on the GPU {gpu}.",
                    model=fit.model,
                    n=whole(fit.gpu_layers),
                    total=whole(fit.layers),
                    gpu=fit.gpu_name,
                )
            )
        else:
            self.verdict.setText(say("{model} fits; the processor does all the work.", model=fit.model))
        self._restyle()
        self.unverified.setText(typographic(fit.unverified))
        self.unverified.setVisible(bool(fit.unverified))
        self._show_table(fit)
        # What the table has already need not be read twice.
        reasons = [typographic(r) for r in fit.reasons if not r.startswith(("Main memory", "GPU "))]
        self.reasons.setText("\n".join(reasons))

    def rows(self) -> list[tuple[str, str]]:
        """The table as shown."""
        found = []
        for row in range(self._grid.rowCount()):
            cells = [self._grid.itemAtPosition(row, column) for column in (0, 1)]
            texts = [w.text() for c in cells if c is not None and isinstance(w := c.widget(), QLabel)]
            if len(texts) == 2:
                found.append((texts[0], texts[1]))
        return found

    def _show_table(self, fit: EngineFit) -> None:
        clear(self._grid)
        rows: list[tuple[str, str]] = []
        if not fit.problem and fit.weights:
            rows = [
                (say("Weights"), memory(fit.weights)),
                (say("Keys and values"), memory(fit.keys_and_values)),
                (say("Computing"), memory(fit.computing)),
                (say("In main memory"), _of(fit.main, fit.main_free)),
            ]
            if fit.gpu:
                rows.append((say("On the GPU"), _of(fit.gpu, fit.gpu_free)))
        for number, (name, value) in enumerate(rows):
            amount = label(value)
            amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(label(name), number, 0)
            self._grid.addWidget(amount, number, 1)
        self._table.setVisible(bool(rows))

    def _restyle(self) -> None:
        self.verdict.style().unpolish(self.verdict)
        self.verdict.style().polish(self.verdict)


def _of(used: int, free: int | None) -> str:
    if free is None:
        return memory(used)
    return say("{used} of {free} free", used=memory(used), free=memory(free))


class Pace:
    """Reports per minute over the last seconds of work, excluding pauses."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Reset."""
        self._seen: list[tuple[float, int]] = []
        self._points: list[tuple[float, float]] = []
        self._worked = 0.0
        self._last: float | None = None

    def take(self, done: int, *, paused: bool, now: float | None = None) -> bool:
        """Record how many are done; returns whether there is a new point."""
        now = time.monotonic() if now is None else now
        if self._last is not None and not paused:
            self._worked += now - self._last
        self._last = None if paused else now
        if paused or (self._seen and done < self._seen[-1][1]):
            return False
        if self._seen and self._worked - self._seen[-1][0] < _EVERY:
            return False
        self._seen.append((self._worked, done))
        while len(self._seen) > 2 and self._worked - self._seen[1][0] >= _OVER:
            self._seen.pop(0)
        (began, before), (ended, after) = self._seen[0], self._seen[-1]
        if ended <= began:
            return False
        self._points = [*self._points[-_POINTS + 1 :], (ended, 60 * (after - before) / (ended - began))]
        return True

    @property
    def points(self) -> list[tuple[float, float]]:
        """(seconds of work, reports per minute)."""
        return self._points

    @property
    def rate(self) -> float | None:
        """Current reports per minute, None if unknown."""
        return self._points[-1][1] if self._points else None


class ProgressCard(QFrame):
    """Progress, speed and remaining time of extraction; pause and cancel.

    hold, cancel: the user pressed the button
    """

    hold = Signal()
    cancel = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.pace = Pace()
        self.text = wrapped()
        self.note = wrapped(role="muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(say("Progress of the reading"))
        self.pause_button = QPushButton()
        self.pause_button.clicked.connect(self.hold)
        self.cancel_button = QPushButton(say("Ca&ncel"))
        self.cancel_button.setToolTip(say("What was read is kept; reading goes on from there later."))
        self.cancel_button.clicked.connect(self.cancel)
        self.sparkline = Sparkline()
        self.picture = PictureCard(self.sparkline, shell, say("Reports a minute"))
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.text)
        left.addWidget(self.bar)
        left.addWidget(self.note)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.pause_button)
        buttons.addWidget(self.cancel_button)
        buttons.addStretch(1)
        left.addLayout(buttons)
        left.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(24)
        layout.addLayout(left, 3)
        layout.addWidget(self.picture, 2)

    def set_colours(self, colours: Colours) -> None:
        self.sparkline.set_colours(colours)

    def begin(self) -> None:
        """Start a new run."""
        self.pace.restart()
        self.sparkline.set_points(())
        self.note.setText("")
        self.show_advance(None, paused=False, stopping=False)

    def show_advance(self, advance: Advance | None, *, paused: bool, stopping: bool) -> None:
        """Show the progress."""
        self.pause_button.setText(say("Re&sume") if paused else say("Pau&se"))
        self.pause_button.setEnabled(not stopping)
        self.cancel_button.setEnabled(not stopping)
        if advance is None or advance.total is None:
            self.bar.setRange(0, 0)
            self.text.setText(say("Getting ready\u2026"))
            return
        if self.pace.take(advance.done, paused=paused):
            self.sparkline.set_points(self.pace.points)
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * min(advance.done / max(advance.total, 1), 1)))
        parts = [say("{done} of {total} reports", done=whole(advance.done), total=whole(advance.total))]
        rate = self.pace.rate
        if stopping:
            parts.append(say("stopping"))
        elif paused:
            parts.append(say("paused"))
        elif rate:
            parts.append(say("{n} reports a minute", n=whole(round(rate))))
            left = 60 * (advance.total - advance.done) / rate
            if left > 0:
                parts.append(say("{time} left", time=duration(left)))
        self.text.setText(" \u00b7 ".join(parts))

    @Slot(str)
    def tell(self, text: str) -> None:
        """Show a message below the progress bar."""
        self.note.setText(text)
