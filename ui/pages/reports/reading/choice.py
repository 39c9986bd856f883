"""What reads the reports, with its model and options, before the settings are stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QRadioButton, QWidget

from radcal.system import policy
from radcal.system.settings import SECOND, Settings
from ui.kit.action import enable, push_button
from ui.kit.files import ask_open
from ui.kit.form import choice
from ui.kit.layout import hbox, panel, vbox
from ui.kit.text import caption, wrapped
from ui.pages.reports.reading.server import ServedForm
from ui.words import say, typographic

if TYPE_CHECKING:
    from ui.pages.reports.reading.verdict import Verdict
    from ui.shell import Shell

ENGINES = RULES, MODEL, SERVED = ("rules", "llama", "served")
_INDENT = 24
_SPAN = re.compile(r"(\d)-(\d)")
"""The hyphen of an interval such as 0.97-0.99."""
_FILE = "file"
"""What stands in the list of second readers for a model file."""


class EngineChoice(QWidget):
    """The rules with a second reader, or another way to read, with the measured accuracy of what ships.

    changed: something was chosen;  ``values`` are the unsaved settings by name
    """

    changed = Signal()

    def __init__(self, shell: Shell, verdict: Verdict) -> None:
        super().__init__()
        self._stored: dict[str, Any] = {}
        self._kept_second = Settings().second
        self._group = QButtonGroup(self)
        self.engines: dict[str, QRadioButton] = {
            RULES: QRadioButton(say("R&ules, checked by a second reader")),
            MODEL: QRadioButton(say("A &language model alone")),
            SERVED: QRadioButton(say("A ser&ver of your hospital alone")),
        }
        """The buttons, by engine."""
        for made in self.engines.values():
            self._group.addButton(made)
        about = wrapped(
            say("Where it disagrees with the rules, the finding goes to Review and counts in no figure until then."),
            role="muted",
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
        self.second.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the dialog
        self.second.activated.connect(self._second_chosen)
        self._accuracy = ""
        self.known = wrapped(role="muted")
        row = hbox(caption(say("Second reader"), self.second), self.second, None)
        self.second_row = panel(vbox(row, about, margins=(_INDENT, 0, 0, 0), spacing=2))
        self.model = QLineEdit(placeholderText="model.gguf")
        self.model.setAccessibleName(say("Model file"))
        self.model.editingFinished.connect(self.changed)
        self.browse = push_button(say("Browse\u2026"), self._ask_model)
        self._model_row = panel(hbox((self.model, 1), self.browse))
        self.served = ServedForm(shell, verdict)
        self.served.changed.connect(self.changed)
        ways = (self.engines[RULES], self.second_row, self.engines[MODEL], self.engines[SERVED])
        parts = (self._model_row, self.served, self.known)
        vbox(*ways, *parts, None, parent=self, spacing=8)
        self._group.idClicked.connect(self._chosen)
        self._show_parts()

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

    @property
    def engine(self) -> str:
        """The engine that is chosen."""
        return next((engine for engine, made in self.engines.items() if made.isChecked()), RULES)

    @property
    def reader(self) -> str:
        """The model that reads, alone or beside the rules: one of SECOND, or "file"."""
        return str({MODEL: _FILE, SERVED: "served"}.get(self.engine, self.second.currentData()))

    def set_settings(self, settings: Settings) -> None:
        """Show the stored settings without a signal."""
        self.engines[settings.engine].setChecked(True)
        self._kept_second = second = settings.second
        self.second.setCurrentIndex(self.second.findData(second if second in SECOND else _FILE))
        self.model.setText(settings.model if settings.engine != RULES or second in SECOND else second)
        self.served.set_values({name: getattr(settings, name) for name in self.served.values()})
        self._stored = self.values()
        self._show_parts()

    def set_known(self, accuracies: Mapping[str, str]) -> None:
        """Show the accuracy measured for the rules with the second reader that ships."""
        self._accuracy = accuracies.get(RULES, "")
        self._show_parts()

    def values(self) -> dict[str, Any]:
        """The choice as settings by name; of a second reader's model file that is not named yet, ''."""
        engine, path = self.engine, self.model.text().strip()
        return {
            "engine": engine,
            "second": self._kept_second if engine != RULES else path if self.reader == _FILE else self.reader,
            "model": path if engine == MODEL else "",
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
        for widget in (self.second_row, self._model_row, self.served):
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
        is_measured = self.reader == SECOND[0] and bool(self._accuracy)
        if is_measured:
            said = say(
                "How well it reads, from 0 to 1: {accuracy}.",
                accuracy=_SPAN.sub("\\1\u2013\\2", typographic(self._accuracy)),
            )
        else:
            said = say("Nobody has measured how well it reads: review some reports before you rely on it.")
        self.known.setText(said)
        self.second_row.setVisible(self.engine == RULES)
        self.served.setVisible(self.is_served)
        self._model_row.setVisible(self.reader == _FILE)

    @Slot()
    def _ask_model(self) -> None:
        ask_open(self, say("Model file"), ("GGUF (*.gguf)",), self.take_model)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Enter the path of a model file."""
        self.model.setText(path)
        self.changed.emit()
