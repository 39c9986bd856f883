"""The unsaved options of a language model on this computer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPushButton, QSpinBox, QWidget

from radcal.system.settings import Settings
from ui.kit.action import push_button
from ui.kit.files import ask_folder
from ui.kit.layout import hbox, panel
from ui.kit.text import caption
from ui.words import say

INDENT = 24
_FIELD = 420
"""Maximum width of an option, so that its value stays near its name."""


class LlamaOptions(QWidget):
    """A form with one option per row.

    changed: the user changed an option;  ``rows``: the fields, each with its purpose
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[QWidget, str]] = []
        self._form = QFormLayout(
            self,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
            fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow,
        )
        self._form.setContentsMargins(INDENT, 4, 0, 4)
        self._add_resources()
        self._add_prompts()
        self._numbers: dict[str, tuple[QSpinBox, type[int | float]]] = {
            "llama_context": (self.context, int),
            "llama_gpu_layers": (self.gpu_layers, int),
            "llama_threads": (self.threads, int),
            "llama_report_seconds": (self.seconds, float),
        }
        """The fields of numbers by setting, each with the setting's type."""
        for box, _ in self._numbers.values():
            box.setKeyboardTracking(False)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
            box.valueChanged.connect(self.changed)

    # --- building ----------------------------------------------------------------------------------

    def _add_resources(self) -> None:
        """The machine's resources that extraction may use."""
        by_machine = say("by the machine")
        self.context = whole_field("llama_context", step=512, unit=say(" tokens"))
        self.gpu_layers = whole_field("llama_gpu_layers", special=say("all that fit"))
        self.threads = whole_field("llama_threads", special=by_machine)
        self.seconds = whole_field("llama_report_seconds", step=60, unit=say(" s"))
        self._add(
            say("Conte&xt"),
            self.context,
            say("What the prompt and one sentence may take together. More needs more memory."),
        )
        self._add(
            say("Layers on the &GPU"),
            self.gpu_layers,
            say("More is faster, as far as the GPU\u2019s memory goes; 0 uses the processor only."),
        )
        self._add(say("T&hreads"), self.threads, say("Processor threads that the model may use."))
        self._add(
            say("Longest time &for a report"),
            self.seconds,
            say("A report that takes longer, twice, is set aside and listed below."),
        )

    def _add_prompts(self) -> None:
        """How the model is prompted."""
        self.prompts = QLineEdit(placeholderText=say("those of RadCal"))
        self.prompts.editingFinished.connect(self.changed)
        about_browsing = say("Choose a folder with prompt files of your own")
        self.browse_prompts = push_button(say("Browse\u2026"), self._ask_prompts, tip=about_browsing)
        self._add(
            say("Prompt fil&es"),
            self.prompts,
            say("A folder with prompt templates and worked examples of your own."),
            self.browse_prompts,
        )

    def _add(self, text: str, field: QWidget, why: str, browse: QPushButton | None = None) -> None:
        name = caption(text, field)
        for shown in (name, field):
            shown.setToolTip(why)
        field.setAccessibleName(text.replace("&", ""))
        cell = field if browse is None else beside(field, browse)
        cell.setMaximumWidth(_FIELD)
        self._form.addRow(name, cell)
        self.rows.append((field, why))

    # --- the options -------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """The options shown, as settings by name."""
        return {
            **{name: kind(box.value()) for name, (box, kind) in self._numbers.items()},
            "llama_prompts": self.prompts.text().strip(),
        }

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show settings without a signal."""
        blockers = [QSignalBlocker(field) for field, _ in self.rows]
        for name, (box, _) in self._numbers.items():
            box.setValue(round(values[name]))
        self.prompts.setText(values["llama_prompts"])
        del blockers

    @Slot()
    def _ask_prompts(self) -> None:
        ask_folder(self, say("Choose a folder with prompt files"), self.take_prompts)

    @Slot(str)
    def take_prompts(self, path: str) -> None:
        """Enter the path of a folder with prompt files."""
        self.prompts.setText(path)
        self.changed.emit()


def beside(field: QWidget, browse: QWidget, *, indent: int = 0) -> QWidget:
    """A field with its button in one row."""
    return panel(hbox((field, 1), browse, margins=(indent, 0, 0, 0)))


@cache
def _bounds(name: str) -> tuple[float, float]:
    """The range of a setting."""
    found = next(f for f in fields(Settings) if f.name == name)
    return found.metadata["low"], found.metadata["high"]


def whole_field(name: str, *, step: int = 1, special: str = "", unit: str = "") -> QSpinBox:
    """A field for a whole number within the bounds of a setting; ``special``: what the lowest is called."""
    low, high = map(round, _bounds(name))
    box = QSpinBox(minimum=low, maximum=high, singleStep=step, suffix=unit)
    box.setSpecialValueText(special)
    box.setGroupSeparatorShown(True)
    return box
