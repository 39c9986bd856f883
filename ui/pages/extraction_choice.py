"""What reads the reports: the engine, its model and its options, as the user is about to set them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from radcal.settings import Settings
from ui.file_dialogs import ask_folder, ask_open
from ui.models.runs import accuracy_words
from ui.pages.page import label, wrapped
from ui.undoing import Edit
from ui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.settings import Settings as SettingsType

RULES, BUNDLED, OWN = range(3)
_INDENT = 24
_FIELD = 420
"""Most width of an option: wider, its name and its value would stand far apart."""


@cache
def _bounds(name: str) -> tuple[float, float]:
    """The bounds of a setting."""
    found = next(f for f in fields(Settings) if f.name == name)
    return found.metadata["low"], found.metadata["high"]


Draft = tuple[int, dict[str, Any]]
"""The number of an engine, and settings by name, as they are about to be stored."""


class EngineChoice(QFrame):
    """The engines to choose from, with what is known of each.

    changed: something was chosen;  ``values`` are settings by name, not stored yet
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._stored: dict[str, Any] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 12, 16, 12)
        self._layout.setSpacing(4)
        self._layout.addWidget(label(translate("extraction", "What reads the reports"), role="strong"))
        self._group = QButtonGroup(self)
        self.engines: list[QRadioButton] = []
        self.known: list[QLabel] = []
        for number, (name, about) in enumerate(
            (
                (
                    translate("extraction", "R&ules"),
                    translate("extraction", "Word lists and grammar; thousands of reports a minute, nothing to set."),
                ),
                (
                    translate("extraction", "The small &Llama that ships with RadCal"),
                    translate("extraction", "Reads sentence by sentence, and says how sure it is of each finding."),
                ),
                (
                    translate("extraction", "A Llama of your &own"),
                    translate("extraction", "A GGUF file on this computer, such as Llama 3; nothing is downloaded."),
                ),
            )
        ):
            self._add_engine(number, name, about)
        self._add_model()
        self._add_options()
        self._layout.addStretch(1)
        self._group.idClicked.connect(self._engine_chosen)
        self._show_parts()

    # --- building ----------------------------------------------------------------------------------

    def _add_engine(self, number: int, name: str, about: str) -> None:
        button = QRadioButton(name)
        button.setAccessibleDescription(about)
        self._group.addButton(button, number)
        self.engines.append(button)
        known = wrapped(role="muted")
        self.known.append(known)
        row = QVBoxLayout()
        row.setContentsMargins(_INDENT, 0, 0, 4)
        row.setSpacing(0)
        row.addWidget(wrapped(about))
        row.addWidget(known)
        self._layout.addSpacing(4)
        self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addLayout(row)

    def _add_model(self) -> None:
        self.model = QLineEdit()
        self.model.setPlaceholderText(translate("extraction", "model.gguf"))
        self.model.setAccessibleName(translate("extraction", "Model file"))
        self.browse = QPushButton(translate("extraction", "&Browse\u2026"))
        self.browse.setToolTip(translate("extraction", "Choose the model file"))
        self._model_row = _row(self.model, self.browse, indent=_INDENT)
        self._layout.addWidget(self._model_row)
        self.model.editingFinished.connect(self._edited)
        self.browse.clicked.connect(self._ask_model)

    def _add_options(self) -> None:
        self.expand = QToolButton()
        self.expand.setText(translate("extraction", "Options of the Ll&ama"))
        self.expand.setCheckable(True)
        self.expand.setAutoRaise(True)
        self.expand.setProperty("autoRaise", True)
        self.expand.setArrowType(Qt.ArrowType.RightArrow)
        self.expand.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.expand.toggled.connect(self._expanded)
        self._layout.addWidget(self.expand)
        self.options = QWidget()
        form = QFormLayout(self.options)
        form.setContentsMargins(_INDENT, 4, 0, 4)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        by_machine = translate("extraction", "by the machine")
        self.context = _whole("llama_context", step=512, unit=translate("extraction", " tokens"))
        self.gpu_layers = _whole("llama_gpu_layers", special=translate("extraction", "all that fit"))
        self.parallel = _whole("llama_parallel", special=by_machine)
        self.threads = _whole("llama_threads", special=by_machine)
        self.seconds = _whole("llama_report_seconds", step=60, unit=translate("extraction", " s"))
        self.temperature = QDoubleSpinBox()
        self.temperature.setRange(*_bounds("llama_temperature"))
        self.temperature.setSingleStep(0.1)
        self.temperature.setSpecialValueText(translate("extraction", "0: the most probable answer"))
        self.seed = QDoubleSpinBox()  # up to 2^32, which is more than a QSpinBox holds
        self.seed.setDecimals(0)
        self.seed.setRange(*_bounds("llama_seed"))
        self.prompt = QComboBox()
        for text, value in (
            (translate("extraction", "the model's template, if it has one"), "auto"),
            (translate("extraction", "plain"), "base"),
            (translate("extraction", "the model's chat template"), "chat"),
        ):
            self.prompt.addItem(text, value)
        self.prompts = QLineEdit()
        self.prompts.setPlaceholderText(translate("extraction", "those of RadCal"))
        self.browse_prompts = QPushButton(translate("extraction", "Browse\u2026"))
        self.browse_prompts.setToolTip(translate("extraction", "Choose a folder with prompt files of your own"))
        self._rows: list[tuple[str, QWidget, str]] = [
            (
                translate("extraction", "Conte&xt"),
                self.context,
                translate(
                    "extraction",
                    "What the prompt, one report and its answer may take together. Longer reports are read in parts."
                    " More needs more memory.",
                ),
            ),
            (
                translate("extraction", "Layers on the &GPU"),
                self.gpu_layers,
                translate("extraction", "More is faster, as far as the GPU's memory goes; 0 uses the processor only."),
            ),
            (
                translate("extraction", "Reports at a t&ime"),
                self.parallel,
                translate("extraction", "Several at a time are faster and need more memory; results are the same."),
            ),
            (
                translate("extraction", "T&hreads"),
                self.threads,
                translate("extraction", "Processor threads that the model may use."),
            ),
            (
                translate("extraction", "Longest time &for a report"),
                self.seconds,
                translate("extraction", "A report that takes longer, twice, is set aside and listed below."),
            ),
            (
                translate("extraction", "Prompt st&yle"),
                self.prompt,
                translate("extraction", "Models that follow instructions have a chat template; base models have none."),
            ),
            (
                translate("extraction", "Prompt fil&es"),
                self.prompts,
                translate("extraction", "A folder with prompt templates and worked examples of your own."),
            ),
            (
                translate("extraction", "Te&mperature"),
                self.temperature,
                translate("extraction", "Above 0, answers are drawn by chance; the same seed draws the same."),
            ),
            (translate("extraction", "See&d"), self.seed, translate("extraction", "Of drawn answers.")),
        ]
        for text, field, why in self._rows:
            name = label(text)
            name.setBuddy(field)
            name.setToolTip(why)
            field.setToolTip(why)
            field.setAccessibleName(text.replace("&", ""))
            shown = _row(field, self.browse_prompts) if field is self.prompts else field
            shown.setMaximumWidth(_FIELD)
            form.addRow(name, shown)
        self._layout.addWidget(self.options)
        for box in (
            self.context,
            self.gpu_layers,
            self.parallel,
            self.threads,
            self.seconds,
            self.temperature,
            self.seed,
        ):
            box.setKeyboardTracking(False)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
            box.valueChanged.connect(self._edited)
        self.prompt.activated.connect(self._edited)
        self.prompts.editingFinished.connect(self._edited)
        self.browse_prompts.clicked.connect(self._ask_prompts)

    # --- the choice --------------------------------------------------------------------------------

    def set_settings(self, settings: SettingsType) -> None:
        """Show the stored settings."""
        number = RULES if settings.engine == "rules" else OWN if settings.model else BUNDLED
        self.set_draft((number, {name: getattr(settings, name) for name in self.values()}))
        if settings.engine == "rules":
            self.model.setText(settings.model)
        self._stored = self.values()

    @property
    def draft(self) -> Draft:
        """What is on show: the number of the engine, and the settings by name."""
        return self._group.checkedId(), self.values()

    def set_draft(self, draft: Draft) -> None:
        """Show a choice, without telling."""
        number, values = draft
        blockers = [QSignalBlocker(w) for w in (self._group, *(field for _, field, _ in self._rows))]
        self.engines[number].setChecked(True)
        if number == OWN:
            self.model.setText(values["model"])
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
        self._show_parts()

    def set_known(self, accuracies: Mapping[str, str]) -> None:
        """Show what was measured of the engines as they ship."""
        for number, engine in ((RULES, "rules"), (BUNDLED, "llama")):
            told = accuracies.get(engine, "")
            text = translate("extraction", "Measured: {accuracy}.").format(accuracy=accuracy_words(told))
            self.known[number].setText(text if told else translate("extraction", "With these words: not measured."))
            self.known[number].setToolTip(
                translate(
                    "extraction",
                    "F1 says how well the findings agree with those that people marked in the same reports: 1 is"
                    " perfect agreement. In brackets its 95 % interval.",
                )
                if told
                else ""
            )
        self.known[OWN].setText(
            translate("extraction", "Not measured: review some of what it reads before you rely on it.")
        )

    def values(self) -> dict[str, Any]:
        """What is chosen, as settings by name."""
        engine = self._group.checkedId()
        return {
            "engine": "rules" if engine == RULES else "llama",
            "model": self.model.text().strip() if engine == OWN else "",
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

    @property
    def is_changed(self) -> bool:
        """Whether something else is chosen than is stored."""
        return self.values() != self._stored

    @property
    def misses_model(self) -> bool:
        """Whether a model of one's own is chosen, but not which."""
        return self._group.checkedId() == OWN and not self.model.text().strip()

    def set_enabled(self, enabled: bool, why: str = "") -> None:
        """Let the choice be changed, or say in a tooltip why not."""
        for widget in (*self.engines, self._model_row, self.options):
            widget.setEnabled(enabled)
        self.setToolTip("" if enabled else why)

    @Slot(int)
    def _engine_chosen(self, number: int) -> None:
        self._show_parts()
        if number == OWN and not self.model.text().strip():
            self.model.setFocus()
        self.changed.emit()

    @Slot()
    def _edited(self) -> None:
        self.changed.emit()

    @Slot(bool)
    def _expanded(self, shown: bool) -> None:
        self.expand.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self._show_parts()

    def _show_parts(self) -> None:
        llama = self._group.checkedId() in (BUNDLED, OWN)
        self._model_row.setVisible(self._group.checkedId() == OWN)
        self.expand.setVisible(llama)
        self.options.setVisible(llama and self.expand.isChecked())

    @Slot()
    def _ask_model(self) -> None:
        kinds = (translate("extraction", "Models (*.gguf)"),)
        ask_open(self, translate("extraction", "Choose the model file"), kinds, self.take_model)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Choose a model file."""
        self.model.setText(path)
        self.changed.emit()

    @Slot()
    def _ask_prompts(self) -> None:
        ask_folder(self, translate("extraction", "Choose a folder with prompt files"), self.take_prompts)

    @Slot(str)
    def take_prompts(self, path: str) -> None:
        """Choose a folder of prompt files."""
        self.prompts.setText(path)
        self.changed.emit()


class ChooseEngine(Edit[Draft]):
    """From one choice, not stored yet, to another; steps of the same number in a row are one."""

    def __init__(self, before: Draft, after: Draft, show: Callable[[Draft], None]) -> None:
        super().__init__(translate("extraction", "change the engine"), before, after, show)

    def id(self) -> int:
        """Commands of one number may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ChooseEngine) or len(self._changed()) != 1 or self._changed() != other._changed():
            return False
        (name,) = self._changed()
        if isinstance(self.after[1].get(name), str):
            return False
        self.after = other.after
        return True

    def _changed(self) -> list[str]:
        (number, values), (before, were) = self.after, self.before
        options = [name for name in values if name != "engine" and values[name] != were[name]]
        return ["engine", *options] if number != before else options


def _whole(name: str, *, step: int = 1, special: str = "", unit: str = "") -> QSpinBox:
    box = QSpinBox()
    low, high = _bounds(name)
    box.setRange(round(low), round(high))
    box.setSingleStep(step)
    box.setSpecialValueText(special)
    box.setSuffix(unit)
    box.setGroupSeparatorShown(True)
    return box


def _row(field: QWidget, button: QWidget, *, indent: int = 0) -> QWidget:
    holder = QWidget()
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(indent, 0, 0, 0)
    layout.setSpacing(8)
    layout.addWidget(field, 1)
    layout.addWidget(button)
    return holder
