"""The settings to try out: sliders with instant response, and buttons to keep or discard them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QSlider, QWidget

from ui.kit.action import push_button
from ui.kit.layout import vbox
from ui.kit.text import caption, label, wrapped
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.system.settings import Settings

_SURE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.999)
_DEPARTURES = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
_STEPS = tuple(float(n) for n in range(1, 21))
_LEAST = (*(float(n) for n in range(1, 31)), 35.0, 40.0, 50.0, 60.0, 80.0, 100.0, 150.0, 200.0, 300.0, 500.0)
_WHOLE = ("max_steps", "min_phrase_n")


class Slider(QWidget):
    """A slider over a list of values, showing the chosen one; a value in between gets its own stop.

    ``moved``: the value, by the user only
    """

    moved = Signal(object)

    def __init__(self, name: str, tip: str, values: Sequence[float]) -> None:
        super().__init__()
        self._base = tuple(values)
        self.values = self._base
        """The stops, ascending."""
        self.figure = label(role="strong")
        self.figure.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.bar = QSlider(Qt.Orientation.Horizontal)
        self.bar.setAccessibleName(name.replace("&", ""))
        self.bar.setPageStep(3)
        heading = caption(name, self.bar)
        heading.setWordWrap(True)
        for part in (self, self.bar, heading):
            part.setToolTip(tip)
        self.bar.setAccessibleDescription(tip)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(8)
        layout.setVerticalSpacing(2)
        layout.addWidget(heading, 0, 0)
        layout.addWidget(self.figure, 0, 1, Qt.AlignmentFlag.AlignBottom)
        layout.addWidget(self.bar, 1, 0, 1, 2)
        layout.setColumnStretch(0, 1)
        self.bar.valueChanged.connect(self._moved)
        self.set_value(self._base[0])

    @property
    def value(self) -> float:
        """The current value."""
        return self.values[self.bar.value()]

    def set_value(self, value: float) -> None:
        """Show the value without a signal."""
        self.values = tuple(sorted({*self._base, value}))
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, len(self.values) - 1)
            self.bar.setValue(self.values.index(value))
        self.figure.setText(QLocale().toString(float(value), "g", 6))

    @Slot(int)
    def _moved(self, _place: int) -> None:
        self.figure.setText(QLocale().toString(float(self.value), "g", 6))
        self.moved.emit(self.value)


class Controls(QFrame):
    """The settings to try out.

    changed: names of settings with the values to try, those that differ from the department's
    keep_wanted: the same, to be made the department's
    """

    changed = Signal(object)
    keep_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self._department: Settings | None = None
        self._read_only = False
        self.solver = QComboBox()
        self.solver.addItem(say("In the order of the words"), "ordered")
        self.solver.addItem(say("As published (transport)"), "paper")
        self.solver.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.solver.setMinimumContentsLength(16)
        self.solver.setAccessibleName(say("Method"))
        self.sliders = {
            "sure": Slider(
                say("How s&ure to be"),
                say("A word is advised if it is nearer to the true rate with at least this probability."),
                _SURE,
            ),
            "tau2": Slider(
                say("Price of another &use of words (tau2)"),
                say("The published method: the higher, the closer tomorrow\u2019s words stay to today\u2019s."),
                _DEPARTURES,
            ),
            "max_steps": Slider(
                say("Most s&teps up or down the scale"),
                say("How far from a word its replacement may lie, in words of the scale."),
                _STEPS,
            ),
            "min_phrase_n": Slider(
                say("&Fewest uses of a word"),
                say("A word that was said less often than this gets no advice."),
                _LEAST,
            ),
        }
        self.keep = push_button(say("Use these for &all"), self._keep)
        self.reset = push_button(say("R&eset"), self._reset)
        self.note = wrapped(role="muted")
        vbox(
            label(say("Try other settings"), role="strong"),
            caption(say("&Method"), self.solver),
            self.solver,
            *self.sliders.values(),
            self.note,
            self.keep,
            self.reset,
            parent=self,
            margins=(12, 8, 12, 12),
        )
        for slider in self.sliders.values():
            slider.moved.connect(self._tell)
        self.solver.currentIndexChanged.connect(self._tell)
        self._show_state()

    def show_department(self, settings: Settings, *, read_only: bool) -> None:
        """Set the department's settings; those being tried stay."""
        tried = self.overrides()
        first = self._department is None
        self._department, self._read_only = settings, read_only
        self.set_overrides({} if first else tried)

    def forget(self) -> None:
        """Reset for another department."""
        self._department = None

    def overrides(self) -> dict[str, Any]:
        """The settings being tried, by name, where they differ from the department's."""
        if self._department is None:
            return {}
        values: dict[str, Any] = {"solver": self.solver.currentData()}
        for name, slider in self.sliders.items():
            values[name] = int(slider.value) if name in _WHOLE else slider.value
        return {name: value for name, value in values.items() if getattr(self._department, name) != value}

    def set_overrides(self, overrides: dict[str, Any]) -> None:
        """Show these values without emitting a signal; the department's for any not given."""
        if self._department is None:
            return
        with QSignalBlocker(self.solver):
            self.solver.setCurrentIndex(max(self.solver.findData(overrides.get("solver", self._department.solver)), 0))
        for name, slider in self.sliders.items():
            slider.set_value(float(overrides.get(name, getattr(self._department, name))))
        self._show_state()

    def _show_state(self) -> None:
        paper = self.solver.currentData() == "paper"
        self.sliders["tau2"].setVisible(paper)
        self.sliders["sure"].setVisible(not paper)
        self.sliders["max_steps"].setVisible(not paper)
        tried = bool(self.overrides())
        self.reset.setEnabled(tried)
        self.keep.setEnabled(tried and not self._read_only)
        self.keep.setProperty("primary", tried and not self._read_only)
        self.keep.style().unpolish(self.keep)
        self.keep.style().polish(self.keep)
        self.keep.setToolTip(
            say("The workspace is open to read only: settings cannot be changed here.")
            if self._read_only
            else say("Make these the department\u2019s settings: all advice is worked out again.")
        )
        self.note.setText(
            say("Tried here only. Pages and PDFs still use the department\u2019s settings.")
            if tried
            else say("These are the department\u2019s settings.")
        )

    @Slot()
    def _tell(self, *_: object) -> None:
        self._show_state()
        self.changed.emit(self.overrides())

    @Slot()
    def _reset(self) -> None:
        self._go_on()
        self.set_overrides({})
        self.changed.emit({})

    @Slot()
    def _keep(self) -> None:
        self._go_on()
        self.keep_wanted.emit(self.overrides())

    def _go_on(self) -> None:
        """Keep the focus here: the focused button is about to be disabled."""
        if self.keep.hasFocus() or self.reset.hasFocus():
            self.solver.setFocus()
