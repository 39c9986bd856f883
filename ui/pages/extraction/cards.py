"""Cards: an engine's fit to this machine or what its server says, and the progress of reading."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QProgressBar

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.picture import PictureCard
from ui.kit.text import label, show_text, tell, wrapped
from ui.plots.sparkline import Sparkline
from ui.sentences import BUNDLED, served_name
from ui.words import duration, say, typographic, whole

if TYPE_CHECKING:
    from radcal.findings.engines import EngineFit
    from radcal.findings.served.server import ServerCheck
    from ui.shell import Shell
    from ui.tasks import Advance

_GIB = 1 << 30
_MIB = 1 << 20
_POINTS = 240
_EVERY = 0.5
"""Seconds between two points of the plot."""
_OVER = 8.0
"""Seconds over which the pace is averaged."""


def memory(n: int) -> str:
    """A size in bytes as text: '12 MiB', '4.7 GiB'."""
    if n < 1000 * _MIB:
        return say("{n:,} MiB", n=max(round(n / _MIB), 1))
    return say("{n:.1f} GiB", n=n / _GIB)


class FitCard(QFrame):
    """The resources of this machine that an engine would use, and why; or what the server that reads says of itself."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.verdict, self.unverified, self.reasons = wrapped(), wrapped(), wrapped(role="muted")
        self.needs = wrapped()
        self.head = label(say("On this computer"), role="strong")
        parts = (self.head, self.verdict, self.unverified, self.needs, self.reasons, None)
        vbox(*parts, parent=self, margins=(16, 12, 16, 12))
        self.show_text("")

    def show_text(self, text: str, *, error: bool = False, host: str = "") -> None:
        """Show a text instead of a fit; ``host``: of the server that it is about."""
        self.head.setText(say("At {host}", host=host) if host else say("On this computer"))
        tell(self.verdict, text, error=error)
        show_text(self.needs, "")
        self.unverified.hide()
        self.reasons.setText("")

    def show_fit(self, fit: EngineFit) -> None:
        """Show how an engine would run, or why it cannot."""
        self.show_text(_verdict(fit), error=bool(fit.problem))
        self.unverified.setText(typographic(fit.unverified))
        self.unverified.setVisible(bool(fit.unverified))
        needs = [say("In main memory: {amount}", amount=_of(fit.main, fit.main_free))] if fit.weights else []
        if fit.gpu and not fit.problem:
            needs.append(say("On the GPU: {amount}", amount=_of(fit.gpu, fit.gpu_free)))
        show_text(self.needs, "" if fit.problem else "\n".join(needs))
        # Leave out what is said already, and options of what ships, which nobody has to choose.
        told = fit.reasons if fit.model != BUNDLED else ()
        reasons = [typographic(r) for r in told if not r.startswith(("Main memory", "GPU "))]
        self.reasons.setText("\n".join(reasons))

    def show_unchecked(self, host: str) -> None:
        """The server has not been asked with these settings."""
        self.show_text(say("Not checked yet. Check the server before it reads."), host=host)
        self.reasons.setText(say("This computer needs neither a model nor much memory."))

    def show_check(self, check: ServerCheck) -> None:
        """What the server answered, or why it cannot read."""
        sentences = [typographic(sentence) for sentence in check.sentences if sentence != check.problem]
        if check.reachable and not check.model:
            self.show_text(say("The server answers. Choose one of its models."), host=check.host)
        elif check.problem:
            self.show_text(typographic(check.problem), error=True, host=check.host)
        else:
            self.show_text(say("The server answers, and {model} reads there.", model=check.model), host=check.host)
        self.reasons.setText("\n".join(sentences))


def _verdict(fit: EngineFit) -> str:
    if fit.problem:
        return typographic(fit.problem)
    if fit.engine == "rules" and not fit.model:
        return say("Runs everywhere: no model, hardly any memory.")
    model = served_name(fit.model)
    if not fit.gpu_layers:
        return say("{model} fits; the processor does all the work.", model=model)
    if fit.gpu_layers >= fit.layers:
        return say("{model} fits, all of it on the GPU {gpu}.", model=model, gpu=fit.gpu_name)
    return say(
        "{model} fits, {n} of {total} layers on the GPU {gpu}.",
        model=model,
        n=whole(fit.gpu_layers),
        total=whole(fit.layers),
        gpu=fit.gpu_name,
    )


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
        """Record the number of reports done; returns whether there is a new point."""
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

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.setObjectName("card")
        self.pace = Pace()
        self.text, self.note = wrapped(), wrapped(role="muted")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(say("Progress of the reading"))
        kept = say("What was read is kept; reading goes on from there later.")
        self.pause_button = push_button("", self.hold)
        self.cancel_button = push_button(say("Ca&ncel"), self.cancel, tip=kept)
        self.sparkline = Sparkline()
        self.picture = PictureCard(self.sparkline, shell, say("Reports a minute"))
        buttons = hbox(self.pause_button, self.cancel_button, None)
        left = vbox(self.text, self.bar, self.note, buttons, None)
        hbox((left, 3), (self.picture, 2), parent=self, margins=(16, 12, 16, 12), spacing=24)

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
    def show_text(self, text: str) -> None:
        """Show a message below the progress bar."""
        self.note.setText(text)
