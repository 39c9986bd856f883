"""The options of a Llama engine, before they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from radcal.settings import Settings
from ui.widgets.file_dialogs import ask_folder
from ui.widgets.labels import label
from ui.words import say

INDENT = 24
_FIELD = 420
"""Most width of an option: wider, its name and its value would stand far apart."""


class LlamaOptions(QWidget):
    """A form with one option per row.

    changed: an option was changed by the user;  ``rows``: the fields, each with what it is for
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[tuple[QWidget, str]] = []
        self._form = QFormLayout(self)
        self._form.setContentsMargins(INDENT, 4, 0, 4)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._add_resources()
        self._add_prompts()
        self._add_chance()
        for box in self.findChildren(QAbstractSpinBox):
            box.setKeyboardTracking(False)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page

    # --- building ----------------------------------------------------------------------------------

    def _add_resources(self) -> None:
        """The machine's resources that extraction may use."""
        by_machine = say("by the machine")
        self.context = _whole("llama_context", step=512, unit=say(" tokens"))
        self.gpu_layers = _whole("llama_gpu_layers", special=say("all that fit"))
        self.parallel = _whole("llama_parallel", special=by_machine)
        self.threads = _whole("llama_threads", special=by_machine)
        self.seconds = _whole("llama_report_seconds", step=60, unit=say(" s"))
        self._add(
            say("Conte&xt"),
            self.context,
            say(
                "What the prompt, one report and its answer may take together. Longer reports are read in parts."
                " More needs more memory."
            ),
        )
        self._add(
            say("Layers on the &GPU"),
            self.gpu_layers,
            say("More is faster, as far as the GPU\u2019s memory goes; 0 uses the processor only."),
        )
        self._add(
            say("Reports at a t&ime"),
            self.parallel,
            say("Several at a time are faster and need more memory; results are the same."),
        )
        self._add(
            say("T&hreads"),
            self.threads,
            say("Processor threads that the model may use."),
        )
        self._add(
            say("Longest time &for a report"),
            self.seconds,
            say("A report that takes longer, twice, is set aside and listed below."),
        )
        for box in (self.context, self.gpu_layers, self.parallel, self.threads, self.seconds):
            box.valueChanged.connect(self._edited)

    def _add_prompts(self) -> None:
        """How the model is prompted."""
        self.prompt = QComboBox()
        for text, value in (
            (say("the model\u2019s template, if it has one"), "auto"),
            (say("plain"), "base"),
            (say("the model\u2019s chat template"), "chat"),
        ):
            self.prompt.addItem(text, value)
        self.prompts = QLineEdit()
        self.prompts.setPlaceholderText(say("those of RadCal"))
        self.browse_prompts = QPushButton(say("Browse\u2026"))
        self.browse_prompts.setToolTip(say("Choose a folder with prompt files of your own"))
        self._add(
            say("Prompt st&yle"),
            self.prompt,
            say("Models that follow instructions have a chat template; base models have none."),
        )
        self._add(
            say("Prompt fil&es"),
            self.prompts,
            say("A folder with prompt templates and worked examples of your own."),
            self.browse_prompts,
        )
        self.prompt.activated.connect(self._edited)
        self.prompts.editingFinished.connect(self._edited)
        self.browse_prompts.clicked.connect(self._ask_prompts)

    def _add_chance(self) -> None:
        """Sampling and seed."""
        self.temperature = QDoubleSpinBox()
        self.temperature.setRange(*_bounds("llama_temperature"))
        self.temperature.setSingleStep(0.1)
        self.temperature.setSpecialValueText(say("0: the most probable answer"))
        self.seed = QDoubleSpinBox()  # up to 2^32, which is more than a QSpinBox holds
        self.seed.setDecimals(0)
        self.seed.setRange(*_bounds("llama_seed"))
        self._add(
            say("Te&mperature"),
            self.temperature,
            say("Above 0, answers are drawn by chance; the same seed draws the same."),
        )
        self._add(say("See&d"), self.seed, say("Of drawn answers."))
        for box in (self.temperature, self.seed):
            box.valueChanged.connect(self._edited)

    def _add(self, text: str, field: QWidget, why: str, button: QPushButton | None = None) -> None:
        name = label(text)
        name.setBuddy(field)
        name.setToolTip(why)
        field.setToolTip(why)
        field.setAccessibleName(text.replace("&", ""))
        shown = field if button is None else beside(field, button)
        shown.setMaximumWidth(_FIELD)
        self._form.addRow(name, shown)
        self.rows.append((field, why))

    # --- the options -------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """The options shown, as settings by name."""
        return {
            "llama_context": self.context.value(),
            "llama_gpu_layers": self.gpu_layers.value(),
            "llama_parallel": self.parallel.value(),
            "llama_threads": self.threads.value(),
            "llama_report_seconds": float(self.seconds.value()),
            "llama_prompt": str(self.prompt.currentData()),
            "llama_prompts": self.prompts.text().strip(),
            "llama_temperature": round(self.temperature.value(), 2),
            "llama_seed": int(self.seed.value()),
        }

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show settings without a signal."""
        blockers = [QSignalBlocker(field) for field, _ in self.rows]
        self.context.setValue(values["llama_context"])
        self.gpu_layers.setValue(values["llama_gpu_layers"])
        self.parallel.setValue(values["llama_parallel"])
        self.threads.setValue(values["llama_threads"])
        self.seconds.setValue(round(values["llama_report_seconds"]))
        self.prompt.setCurrentIndex(self.prompt.findData(values["llama_prompt"]))
        self.prompts.setText(values["llama_prompts"])
        self.temperature.setValue(values["llama_temperature"])
        self.seed.setValue(values["llama_seed"])
        del blockers

    @Slot()
    def _edited(self) -> None:
        self.changed.emit()

    @Slot()
    def _ask_prompts(self) -> None:
        ask_folder(self, say("Choose a folder with prompt files"), self.take_prompts)

    @Slot(str)
    def take_prompts(self, path: str) -> None:
        """Select a folder of prompt files."""
        self.prompts.setText(path)
        self.changed.emit()


def beside(field: QWidget, button: QWidget, *, indent: int = 0) -> QWidget:
    """A field with its button in one row."""
    holder = QWidget()
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(indent, 0, 0, 0)
    layout.setSpacing(8)
    layout.addWidget(field, 1)
    layout.addWidget(button)
    return holder


@cache
def _bounds(name: str) -> tuple[float, float]:
    """The range of a setting."""
    found = next(f for f in fields(Settings) if f.name == name)
    return found.metadata["low"], found.metadata["high"]


def _whole(name: str, *, step: int = 1, special: str = "", unit: str = "") -> QSpinBox:
    box = QSpinBox()
    low, high = _bounds(name)
    box.setRange(round(low), round(high))
    box.setSingleStep(step)
    box.setSpecialValueText(special)
    box.setSuffix(unit)
    box.setGroupSeparatorShown(True)
    return box
