"""The engine that reads the reports, with its model and options, before the settings are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.pages.extraction.models import accuracy_words
from ui.pages.extraction.options import INDENT, LlamaOptions, beside
from ui.widgets.file_dialogs import ask_open
from ui.widgets.labels import label, wrapped
from ui.widgets.undoing import Edit
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.settings import Settings

RULES, BUNDLED, OWN = range(3)
Draft = tuple[int, dict[str, Any]]
"""The number of an engine, and settings by name, as they are about to be stored."""


class EngineChoice(QFrame):
    """The available engines with what is known of each.

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
        self._layout.addWidget(label(say("What reads the reports"), role="strong"))
        self._group = QButtonGroup(self)
        self.engines: list[QRadioButton] = []
        self.known: list[QLabel] = []
        for number, (name, about) in enumerate(
            (
                (
                    say("R&ules"),
                    say("Word lists and grammar; thousands of reports a minute, nothing to set."),
                ),
                (
                    say("The small &Llama that ships with RadCal"),
                    say("Reads sentence by sentence, and says how sure it is of each finding."),
                ),
                (
                    say("A Llama of your &own"),
                    say("A GGUF file on this computer, such as Llama 3; nothing is downloaded."),
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
        row.setContentsMargins(INDENT, 0, 0, 4)
        row.setSpacing(0)
        row.addWidget(wrapped(about))
        row.addWidget(known)
        self._layout.addSpacing(4)
        self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addLayout(row)

    def _add_model(self) -> None:
        self.model = QLineEdit()
        self.model.setPlaceholderText(say("model.gguf"))
        self.model.setAccessibleName(say("Model file"))
        self.browse = QPushButton(say("&Browse\u2026"))
        self.browse.setToolTip(say("Choose the model file"))
        self._model_row = beside(self.model, self.browse, indent=INDENT)
        self._layout.addWidget(self._model_row)
        self.model.editingFinished.connect(self._edited)
        self.browse.clicked.connect(self._ask_model)

    def _add_options(self) -> None:
        self.expand = QToolButton()
        self.expand.setText(say("Options of the Ll&ama"))
        self.expand.setCheckable(True)
        self.expand.setAutoRaise(True)
        self.expand.setProperty("autoRaise", True)
        self.expand.setArrowType(Qt.ArrowType.RightArrow)
        self.expand.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.expand.toggled.connect(self._expanded)
        self._layout.addWidget(self.expand)
        self.options = LlamaOptions()
        self.options.changed.connect(self.changed)
        self._layout.addWidget(self.options)

    # --- the choice --------------------------------------------------------------------------------

    def set_settings(self, settings: Settings) -> None:
        """Show the stored settings."""
        number = RULES if settings.engine == "rules" else OWN if settings.model else BUNDLED
        self.set_draft((number, {name: getattr(settings, name) for name in self.values()}))
        if settings.engine == "rules":
            self.model.setText(settings.model)
        self._stored = self.values()

    @property
    def draft(self) -> Draft:
        """The state shown: index of the engine, and settings by name."""
        return self._group.checkedId(), self.values()

    def set_draft(self, draft: Draft) -> None:
        """Show a choice without a signal."""
        number, values = draft
        with QSignalBlocker(self._group):
            self.engines[number].setChecked(True)
        if number == OWN:
            self.model.setText(values["model"])
        self.options.set_values(values)
        self._show_parts()

    def set_known(self, accuracies: Mapping[str, str]) -> None:
        """Show the accuracy measured for the engines as shipped."""
        for number, engine in ((RULES, "rules"), (BUNDLED, "llama")):
            accuracy = accuracies.get(engine, "")
            text = say("Measured: {accuracy}.", accuracy=accuracy_words(accuracy))
            self.known[number].setText(text if accuracy else say("With these words: not measured."))
            self.known[number].setToolTip(
                say(
                    "F1 says how well the findings agree with those that people marked in the same reports: 1 is"
                    " perfect agreement. In brackets its 95 % interval."
                )
                if accuracy
                else ""
            )
        self.known[OWN].setText(say("Not measured: review some of what it reads before you rely on it."))

    def values(self) -> dict[str, Any]:
        """The choice as settings by name."""
        engine = self._group.checkedId()
        return {
            "engine": "rules" if engine == RULES else "llama",
            "model": self.model.text().strip() if engine == OWN else "",
            **self.options.values(),
        }

    @property
    def is_changed(self) -> bool:
        """Whether the choice differs from the stored settings."""
        return self.values() != self._stored

    @property
    def misses_model(self) -> bool:
        """Whether a custom model is selected without a file."""
        return self._group.checkedId() == OWN and not self.model.text().strip()

    def set_enabled(self, enabled: bool, why: str = "") -> None:
        """Enable the choice, or give the reason in a tooltip."""
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
        kinds = (say("Models (*.gguf)"),)
        ask_open(self, say("Choose the model file"), kinds, self.take_model)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Select a model file."""
        self.model.setText(path)
        self.changed.emit()


class ChooseEngine(Edit[Draft]):
    """Change the unsaved choice; consecutive steps of one number are merged."""

    def __init__(self, before: Draft, after: Draft, show: Callable[[Draft], None]) -> None:
        super().__init__(say("change the engine"), before, after, show)

    def id(self) -> int:
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
