"""What reads the reports, with its model and options, before the settings are stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel, QUndoCommand
from PySide6.QtWidgets import QButtonGroup, QFrame, QLineEdit, QRadioButton, QToolButton, QVBoxLayout

from radcal.system import policy
from radcal.system.settings import SECOND, Settings
from ui.kit.action import enable, push_button
from ui.kit.files import ask_open
from ui.kit.form import choice
from ui.kit.layout import hbox, panel, vbox
from ui.kit.text import caption, label, wrapped
from ui.kit.undoing import Edit
from ui.pages.extraction.models import accuracy_words
from ui.pages.extraction.options import INDENT, LlamaOptions, beside
from ui.pages.extraction.served_form import ServedForm
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

ENGINES = RULES, MODEL, SERVED = ("rules", "llama", "served")
Draft = dict[str, Any]
"""Unsaved settings by name; of a second reader's model file that is not named yet, ''."""
_FILE = "file"
"""What stands in the list of second readers for a model file."""


class EngineChoice(QFrame):
    """The rules with a second reader, or another way to read, with the measured accuracy of what ships.

    changed: something was chosen;  ``values`` are the unsaved settings by name
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self._stored: dict[str, Any] = {}
        self._kept_second = Settings().second
        self._group = QButtonGroup(self)
        self.engines: dict[str, QRadioButton] = {}
        """The buttons, by engine."""
        rules = self._add(
            RULES,
            say("R&ules, checked by a second reader"),
            say(
                "What the second reader doubts is left unread: it counts in no figure until somebody decides in Review"
                " what the report says."
            ),
        )
        model = self._add(
            MODEL,
            say("A &language model alone"),
            say("A GGUF file on this computer, such as Llama, Qwen or Gemma; nothing is downloaded."),
        )
        served = self._add(
            SERVED,
            say("A ser&ver of your hospital alone"),
            say("A language model that your hospital runs; reports are sent there to be read."),
        )
        self.second = choice(
            say("Second reader"),
            (say("RadCal\u2019s own small model (recommended)"), SECOND[0]),
            (say("another model, from a file"), _FILE),
            (say("the hospital\u2019s server"), SECOND[2]),
            (say("none: nothing is checked"), SECOND[1]),
        )
        self._refused = {engine: typographic(policy.in_use().why_not(engine=engine)) for engine in self.engines}
        self._refuse_seconds()
        self.second.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
        self.second.activated.connect(self._second_chosen)
        self._accuracy = ""
        self.known = wrapped(role="muted")
        self.known.setContentsMargins(INDENT, 0, 0, 4)
        second = hbox(caption(say("Second reader"), self.second), self.second, None, margins=(INDENT, 0, 0, 4))
        self.second_row = panel(second)
        self.others = _fold(say("Other ways to read"), self._show_parts)
        self._others = panel(vbox(model, served, spacing=4))
        self.model = QLineEdit()
        self.model.setAccessibleName(say("Model file"))
        self.model.editingFinished.connect(self.changed)
        self.browse = push_button(say("&Browse\u2026"), self._ask_model, tip=say("Choose the model file"))
        self._model_row = beside(self.model, self.browse, indent=INDENT)
        self.expand = _fold(say("Options of the l&anguage model"), self._show_parts)
        self.options = LlamaOptions()
        self.options.changed.connect(self.changed)
        self.served = ServedForm()
        self.served.changed.connect(self.changed)
        head = label(say("What reads the reports"), role="strong")
        parts = (self._model_row, self.known, self.expand, self.options, self.served)
        self._details = panel(vbox(*parts, spacing=4))
        """Of what reads; below it."""
        ways = (rules, self.second_row, self._details, self.others, self._others)
        self._column = vbox(head, *ways, None, parent=self, margins=(16, 12, 16, 12), spacing=4)
        self._group.idClicked.connect(self._chosen)
        self._show_parts()

    def _add(self, engine: str, name: str, about: str) -> QVBoxLayout:
        self.engines[engine] = made = QRadioButton(name)
        made.setAccessibleDescription(about)
        self._group.addButton(made)
        texts = vbox(wrapped(about), margins=(INDENT, 0, 0, 4))
        return vbox((made, 0, Qt.AlignmentFlag.AlignLeft), texts, margins=(0, 4, 0, 0), spacing=4)

    def _refuse_seconds(self) -> None:
        """Grey out second readers that IT does not allow."""
        rules = policy.in_use()
        some_file = str(Path(rules.locked.get("models_folder") or "/", "model.gguf"))
        items = cast("QStandardItemModel", self.second.model())
        for place in range(self.second.count()):
            second = self.second.itemData(place)
            if why := rules.why_not(second=some_file if second == _FILE else second):
                items.item(place).setEnabled(False)
                items.item(place).setToolTip(typographic(why))

    # --- the choice --------------------------------------------------------------------------------

    @property
    def engine(self) -> str:
        """The engine that is chosen."""
        return next((engine for engine, made in self.engines.items() if made.isChecked()), RULES)

    @property
    def reader(self) -> str:
        """The model that reads, alone or beside the rules: one of SECOND, or "file"."""
        return str({MODEL: _FILE, SERVED: "served"}.get(self.engine, self.second.currentData()))

    def set_settings(self, settings: Settings) -> None:
        """Show the stored settings."""
        self.set_draft({name: getattr(settings, name) for name in self.values()})
        self._stored = self.values()

    def set_draft(self, draft: Draft) -> None:
        """Show a choice without a signal."""
        self.engines[draft["engine"]].setChecked(True)
        self._kept_second = second = draft["second"]
        self.second.setCurrentIndex(self.second.findData(second if second in SECOND else _FILE))
        self.model.setText(draft["model"] if draft["engine"] != RULES or second in SECOND else second)
        self.options.set_values(draft)
        self.served.set_values(draft)
        if draft["engine"] != RULES:
            self.others.setChecked(True)
        self._show_parts()

    def set_known(self, accuracies: Mapping[str, str]) -> None:
        """Show the accuracy measured for the rules with the second reader that ships."""
        self._accuracy = accuracies.get(RULES, "")
        self._show_parts()

    def values(self) -> Draft:
        """The choice as settings by name."""
        engine, path = self.engine, self.model.text().strip()
        return {
            "engine": engine,
            "second": self._kept_second if engine != RULES else path if self.reader == _FILE else self.reader,
            "model": path if engine == MODEL else "",
            **self.options.values(),
            **self.served.values(),
        }

    @property
    def is_changed(self) -> bool:
        """True if the choice differs from the stored settings."""
        return self.values() != self._stored

    @property
    def file(self) -> str:
        """The model file that is to read, alone or beside the rules; '' for none."""
        return self.model.text().strip() if self.reader == _FILE else ""

    @property
    def foreign(self) -> str:
        """What is to read and does not ship with RadCal: a model file, or a model and its server; '' for none."""
        if not self.is_served:
            return self.file
        model, url = self.served.model.currentText().strip(), self.served.url.text().strip()
        return f"{model} at {url}" if model and url else ""

    @property
    def misses_model(self) -> bool:
        """True if a model file is to read beside the rules and none is named."""
        return self.engine == RULES and self.reader == _FILE and not self.file

    @property
    def is_served(self) -> bool:
        """True if a server reads, alone or beside the rules."""
        return self.reader == "served"

    def set_locked(self, why: str) -> None:
        """Lock the choice, with the reason in a tooltip; unlock it for ''."""
        for engine, button in self.engines.items():
            enable(button, why or self._refused[engine])
        for widget in (self.second_row, self._model_row, self.options, self.served):
            widget.setEnabled(not why)
        self.setToolTip(why)

    @Slot()
    def _second_chosen(self, *_: object) -> None:
        self.engines[RULES].setChecked(True)
        self._chosen()

    @Slot()
    def _chosen(self, *_: object) -> None:
        self._show_parts()
        if self.misses_model:
            self.model.setFocus()
        if self.is_served and not self.served.url.text().strip():
            self.served.url.setFocus()
        self.changed.emit()

    @Slot()
    def _show_parts(self, *_: object) -> None:
        is_local = self.reader in (SECOND[0], _FILE)
        is_measured = self.reader == SECOND[0] and bool(self._accuracy)
        self._column.removeWidget(self._details)
        above = self.second_row if self.engine == RULES else self._others
        self._column.insertWidget(self._column.indexOf(above) + 1, self._details)
        unknown = say("How well it reads was not measured: review some of what it reads before you rely on it.")
        if self.reader == SECOND[1]:
            unknown = say("Faster, but what the rules misread enters the results unnoticed.")
        known = say("How well it reads, from 0 to 1: {accuracy}.", accuracy=accuracy_words(self._accuracy))
        self.known.setText(known if is_measured else unknown)
        self.known.setToolTip(
            say(
                "F1 says how well the findings agree with those that people marked in the same reports: 1 is"
                " perfect agreement. In brackets its 95 % interval."
            )
            if is_measured
            else ""
        )
        self._others.setVisible(self.others.isChecked())
        self.served.setVisible(self.is_served)
        self._model_row.setVisible(self.reader == _FILE)
        self.model.setPlaceholderText(say("RadCal\u2019s own small model") if self.engine == MODEL else "model.gguf")
        self.expand.setVisible(is_local)
        self.options.setVisible(is_local and self.expand.isChecked())

    @Slot()
    def _ask_model(self) -> None:
        ask_open(self, say("Choose the model file"), (say("Models (*.gguf)"),), self.take_model)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Enter the path of a model file."""
        self.model.setText(path)
        self.changed.emit()


class ChooseEngine(Edit[Draft]):
    """Change the unsaved choice; consecutive changes of the same number are merged."""

    def __init__(self, before: Draft, after: Draft, show: Callable[[Draft], None]) -> None:
        super().__init__(say("change the engine"), before, after, show)

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ChooseEngine) or len(self._changed()) != 1 or self._changed() != other._changed():
            return False
        (name,) = self._changed()
        if isinstance(self.after[name], str):
            return False
        self.after = other.after
        return True

    def _changed(self) -> list[str]:
        return [name for name, value in self.after.items() if value != self.before[name]]


def _fold(text: str, call: Callable[..., object]) -> QToolButton:
    """A heading that shows or hides what is below it."""
    made = QToolButton(autoRaise=True, arrowType=Qt.ArrowType.RightArrow)
    made.setText(text)
    made.setCheckable(True)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    made.toggled.connect(lambda on: made.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow))
    made.toggled.connect(call)
    return made
