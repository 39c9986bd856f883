"""The engine that reads the reports, with its model and options, before the settings are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QButtonGroup, QComboBox, QFrame, QLabel, QLineEdit, QRadioButton, QToolButton

from radcal.system.settings import Settings
from ui.kit.action import push_button
from ui.kit.files import ask_open
from ui.kit.layout import Item, hbox, panel, vbox
from ui.kit.text import caption, label, wrapped
from ui.kit.undoing import Edit
from ui.pages.extraction.models import accuracy_words
from ui.pages.extraction.options import INDENT, LlamaOptions, beside
from ui.pages.extraction.served_form import ServedForm
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

RULES, BUNDLED, OWN, SERVED = range(4)
Draft = tuple[int, dict[str, Any]]
"""The number of an engine, and unsaved settings by name."""


class EngineChoice(QFrame):
    """The available engines with their measured accuracy.

    changed: something was chosen;  ``values`` are the unsaved settings by name
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self._stored: dict[str, Any] = {}
        usual = Settings()
        self._asks, self._second = usual.cascade_asks, usual.cascade_second
        self._group = QButtonGroup(self)
        self.engines: list[QRadioButton] = []
        self.known: list[QLabel] = []
        parts: list[Item] = [label(say("What reads the reports"), role="strong")]
        for number, (name, about) in enumerate(
            (
                (say("R&ules"), say("Word lists and grammar; thousands of reports a minute, nothing to set.")),
                (
                    say("The small &Llama that ships with RadCal"),
                    say("Reads sentence by sentence, and says how sure it is of each finding."),
                ),
                (
                    say("A Llama of your &own"),
                    say("A GGUF file on this computer, such as Llama 3; nothing is downloaded."),
                ),
                (
                    say("A ser&ver of your hospital"),
                    say("A language model on a server that your hospital runs; reports are sent there to be read."),
                ),
            )
        ):
            engine, known = QRadioButton(name), wrapped(role="muted")
            engine.setAccessibleDescription(about)
            self._group.addButton(engine, number)
            self.engines.append(engine)
            self.known.append(known)
            texts = vbox(wrapped(about), known, margins=(INDENT, 0, 0, 4), spacing=0)
            parts.append(vbox((engine, 0, Qt.AlignmentFlag.AlignLeft), texts, margins=(0, 4, 0, 0), spacing=4))
        self.model = QLineEdit(placeholderText=say("model.gguf"))
        self.model.setAccessibleName(say("Model file"))
        self.model.editingFinished.connect(self.changed)
        self.browse = push_button(say("&Browse\u2026"), self._ask_model, tip=say("Choose the model file"))
        self._model_row = beside(self.model, self.browse, indent=INDENT)
        self.reads = QComboBox()
        for text, asks in (
            (say("every report, instead of the rules"), ""),
            (say("what the rules leave unread"), "unread"),
            (say("what the rules leave unread or hedged"), "hedged"),
            (say("every report, beside the rules"), "all"),
        ):
            self.reads.addItem(text, asks)
        self.reads.setAccessibleName(say("What it reads"))
        self.reads.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls the page
        self.reads.activated.connect(self._reads_chosen)
        about_both = say(
            "Beside the rules, it stands in for what they left unread; elsewhere theirs counts, and what it reads"
            " otherwise is for review."
        )
        reads_row = hbox(caption(say("It reads"), self.reads), (self.reads, 1))
        self.stays = wrapped(say("Other reports are not sent to the server."), role="muted")
        explained = vbox(wrapped(about_both, role="muted"), self.stays, spacing=0)
        self._reads_part = panel(vbox(reads_row, explained, margins=(INDENT, 0, 0, 4)))
        self.expand = QToolButton(autoRaise=True, arrowType=Qt.ArrowType.RightArrow)
        self.expand.setText(say("Options of the Ll&ama"))
        self.expand.setCheckable(True)
        self.expand.setProperty("autoRaise", True)
        self.expand.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.expand.toggled.connect(self._expanded)
        self.options = LlamaOptions()
        self.options.changed.connect(self.changed)
        self.served = ServedForm()
        self.served.changed.connect(self.changed)
        parts += [self._model_row, self._reads_part, self.expand, self.options, self.served, None]
        vbox(*parts, parent=self, margins=(16, 12, 16, 12), spacing=4)
        self._group.idClicked.connect(self._engine_chosen)
        self._show_parts()

    # --- the choice --------------------------------------------------------------------------------

    def set_settings(self, settings: Settings) -> None:
        """Show the stored settings."""
        number = OWN if settings.model else BUNDLED
        if not settings.uses_model_file:
            number = SERVED if settings.reads_at_server else RULES
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
        self._asks, self._second = values["cascade_asks"], values["cascade_second"]
        if number != RULES:
            self.reads.setCurrentIndex(self.reads.findData(self._asks if values["engine"] == "cascade" else ""))
        self.options.set_values(values)
        self.served.set_values(values)
        self._show_parts()

    def set_known(self, accuracies: Mapping[str, str]) -> None:
        """Show the accuracy measured for the shipped engines."""
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
        for number in (OWN, SERVED):
            self.known[number].setText(say("Not measured: review some of what it reads before you rely on it."))

    def values(self) -> dict[str, Any]:
        """The choice as settings by name."""
        engine = self._group.checkedId()
        alone = "served" if engine == SERVED else "llama"
        chosen = "rules" if engine == RULES else "cascade" if self.reads.currentData() else alone
        return {
            "engine": chosen,
            "cascade_asks": self._asks,
            "cascade_second": alone if chosen == "cascade" else self._second,  # which IT may have set
            "model": self.model.text().strip() if engine == OWN else "",
            **self.options.values(),
            **self.served.values(),
        }

    @property
    def is_changed(self) -> bool:
        """True if the choice differs from the stored settings."""
        return self.values() != self._stored

    @property
    def misses_model(self) -> bool:
        """True if a custom model is selected without a file."""
        return self._group.checkedId() == OWN and not self.model.text().strip()

    @property
    def is_served(self) -> bool:
        """True if a server is selected."""
        return self._group.checkedId() == SERVED

    def set_locked(self, why: str) -> None:
        """Lock the choice, with the reason in a tooltip; unlock it for ''."""
        for widget in (*self.engines, self._model_row, self._reads_part, self.options, self.served):
            widget.setEnabled(not why)
        self.setToolTip(why)

    @Slot(int)
    def _engine_chosen(self, number: int) -> None:
        self._show_parts()
        if number == OWN and not self.model.text().strip():
            self.model.setFocus()
        if number == SERVED and not self.served.url.text().strip():
            self.served.url.setFocus()
        self.changed.emit()

    @Slot()
    def _reads_chosen(self) -> None:
        self._asks = self.reads.currentData() or self._asks
        self._show_parts()
        self.changed.emit()

    @Slot(bool)
    def _expanded(self, shown: bool) -> None:
        self.expand.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self._show_parts()

    def _show_parts(self) -> None:
        llama = self._group.checkedId() in (BUNDLED, OWN)
        self.served.setVisible(self.is_served)
        self._model_row.setVisible(self._group.checkedId() == OWN)
        self._reads_part.setVisible(llama or self.is_served)
        self.stays.setVisible(self.is_served and self.reads.currentData() in ("unread", "hedged"))
        self.expand.setVisible(llama)
        self.options.setVisible(llama and self.expand.isChecked())

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
        if isinstance(self.after[1].get(name), str):
            return False
        self.after = other.after
        return True

    def _changed(self) -> list[str]:
        (number, values), (before, were) = self.after, self.before
        options = [name for name in values if name != "engine" and values[name] != were[name]]
        return ["engine", *options] if number != before else options
