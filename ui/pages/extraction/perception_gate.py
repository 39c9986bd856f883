"""Before a language model may read reports: does it read certainty words as radiologists do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFrame

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, wrapped
from ui.widgets.perception_sentences import in_a_sentence
from ui.words import say

if TYPE_CHECKING:
    from ui.pages.extraction.work import Asked


class PerceptionGate(QFrame):
    """The question, its answer if there is one, and the way to it or past it.

    ask: somebody wants to ask the model;  passed: whether it may read without having been asked
    """

    ask = Signal()
    passed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.answer = wrapped()
        self.link = push_button("", self.ask)
        self.all_the_same = QCheckBox(say("Let it r&ead without that"))
        self.all_the_same.setToolTip(
            say(
                "What its words mean is set under Words; but a model that takes them otherwise may find them otherwise."
            )
        )
        self.all_the_same.clicked.connect(self.passed)
        question = label(say("Does this model read certainty words as radiologists do?"), role="strong")
        row = hbox((self.answer, 1), self.link, self.all_the_same, spacing=12)
        vbox(question, row, parent=self, margins=(16, 12, 16, 12), spacing=4)
        self.is_open = True
        """Whether the engine may read."""
        self.hide()

    def show_rules(self) -> None:
        """No language model is chosen, or not yet which."""
        self.is_open = True
        self.hide()

    def show_looking(self) -> None:
        """It is being looked up."""
        self.is_open = False
        self.answer.setText(say("Looking up whether it was asked\u2026"))
        self.link.hide()
        self.all_the_same.hide()
        self.show()

    def show_asked(self, asked: Asked) -> None:
        """Show the kept answer, or that there is none."""
        self.is_open = asked.shipped or asked.kept is not None or asked.may_read
        if asked.kept is not None:
            text = in_a_sentence(asked.kept)
        elif asked.shipped:
            text = say(
                "The small Llama only finds the words, by the list that it was trained on; what they mean is set under"
                " Words."
            )
        else:
            text = say("It was not asked yet.")
        self.answer.setText(text)
        self.link.setText(say("See &how") if asked.kept is not None else say("Ask &it\u2026"))
        self.link.show()
        with QSignalBlocker(self.all_the_same):
            self.all_the_same.setChecked(asked.may_read)
        self.all_the_same.setVisible(asked.kept is None and not asked.shipped)
        self.show()

    def why_closed(self) -> str:
        """Why the model may not read yet; '' if it may."""
        if self.is_open:
            return ""
        return say("Ask first whether the model reads certainty words as radiologists do, or let it read without that.")
