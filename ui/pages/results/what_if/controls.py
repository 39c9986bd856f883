"""The settings of the advice to try out, and buttons to keep or discard them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from ui.kit.action import enable, push_button
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, vbox
from ui.kit.text import wrapped
from ui.sentences import read_only_reason
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.system.settings import Settings

VALUES: dict[str, Sequence[float | int]] = {
    "sure": (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.999),
    "tau2": (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    "max_steps": range(1, 21),
    "min_phrase_n": (*range(1, 31), 40, 50, 80, 100, 150, 200, 300, 500),
}
"""What can be chosen of each setting, besides the department's own value."""


class Controls(QWidget):
    """The settings to try out.

    changed: names of settings with the values to try, those that differ from the department's
    keep_wanted: the same, to be made the department's
    """

    changed = Signal(object)
    keep_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._department: Settings | None = None
        self._read_only = False
        ordered, paper = (say("In the order of the words"), "ordered"), (say("As published (transport)"), "paper")
        self.boxes: dict[str, QComboBox] = {"solver": choice(say("Method"), ordered, paper)}
        for name, text in (
            ("sure", say("How sure to be")),
            ("tau2", say("Price of another use of words (tau2)")),
            ("max_steps", say("Most steps up or down the scale")),
            ("min_phrase_n", say("Fewest uses of a word")),
        ):
            self.boxes[name] = choice(text)
        self._form = QFormLayout()
        for box in self.boxes.values():
            self._form.addRow(box.accessibleName(), box)
            box.currentIndexChanged.connect(self._tell)
        self.keep = push_button(say("Use these for &all"), self._keep)
        self.reset = push_button(say("R&eset"), self._reset)
        self.note = wrapped(
            say("Tried here only. Pages and PDFs still use the department\u2019s settings."), role="muted"
        )
        vbox(self._form, self.note, hbox(self.keep, self.reset, None), parent=self)

    def show_department(self, settings: Settings, *, read_only: bool) -> None:
        """Set the department's settings; those being tried stay."""
        tried = self.overrides()
        self._department, self._read_only = settings, read_only
        self.set_overrides(tried)

    def forget(self) -> None:
        """Reset for another department."""
        self._department = None

    def overrides(self) -> dict[str, Any]:
        """The settings being tried, by name, where they differ from the department's."""
        if self._department is None:
            return {}
        values = {name: box.currentData() for name, box in self.boxes.items()}
        return {name: value for name, value in values.items() if getattr(self._department, name) != value}

    def set_overrides(self, overrides: dict[str, Any]) -> None:
        """Show these values without emitting a signal; the department's for any not given."""
        if self._department is None:
            return
        for name, box in self.boxes.items():
            value = overrides.get(name, getattr(self._department, name))
            if name in VALUES:
                offer(box, ((QLocale().toString(float(v), "g", 6), v) for v in sorted({*VALUES[name], value})), value)
            else:
                with QSignalBlocker(box):
                    box.setCurrentIndex(box.findData(value))
        self._show_state()

    def _show_state(self) -> None:
        paper = self.boxes["solver"].currentData() == "paper"
        for name, shown in (("tau2", paper), ("sure", not paper), ("max_steps", not paper)):
            self._form.setRowVisible(self.boxes[name], shown)
        tried = bool(self.overrides())
        self.note.setVisible(tried)
        if not tried and (self.keep.hasFocus() or self.reset.hasFocus()):
            self.boxes["solver"].setFocus()  # the focused button is about to be disabled
        self.reset.setEnabled(tried)
        enable(
            self.keep,
            read_only_reason() if self._read_only else "",
            say("Make these the department\u2019s settings: all advice is worked out again."),
        )
        self.keep.setEnabled(tried and not self._read_only)

    @Slot()
    def _tell(self, *_: object) -> None:
        self._show_state()
        self.changed.emit(self.overrides())

    @Slot()
    def _reset(self) -> None:
        self.set_overrides({})
        self.changed.emit({})

    @Slot()
    def _keep(self) -> None:
        self.keep_wanted.emit(self.overrides())
