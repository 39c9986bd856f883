"""The one sentence of the page, large, with what would have been closer, and the ways to why and to its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import wrapped
from ui.theme import TITLE, sized
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.advice.judged_records import JudgedWord, Said


class SaidCard(QFrame):
    """Built once around the page's sentence.

    cases_wanted: the filter of the cases that the sentence is about
    """

    cases_wanted = Signal(object)

    def __init__(self, sentence: QLabel) -> None:
        super().__init__()
        self.setObjectName("card")
        self._show = "all"
        self.sentence = sentence
        sentence.setFont(sized(self.font(), TITLE))
        self.closer = wrapped()
        self.why = QPushButton(say("Why?"))
        self.why.setCheckable(True)
        self.why.setToolTip(say("How is this worked out?"))
        self.cases = push_button("", lambda: self.cases_wanted.emit(self._show))
        vbox(sentence, hbox((self.closer, 1), self.why, self.cases), parent=self, margins=(16, 8, 12, 8), spacing=4)

    def show_said(self, said: Said) -> None:
        """Show the sentence, with the way to its cases where there are some."""
        self.sentence.setText(typographic(said.sentence))
        self.closer.setText(" ".join(typographic(part) for part in (said.closer, said.rest) if part))
        self._show = "all" if said.word is None else telling(said.word)
        n = 0.0 if said.word is None else _telling_cases(said.word)
        self.cases.setVisible(n >= 1)
        if self._show == "confirmed":
            self.cases.setText(say("The {n} that CT &found", n=whole(round(n))))
        else:
            self.cases.setText(say("The {n} not con&firmed", n=whole(round(n))))

    def show_text(self, text: str) -> None:
        """Show why there is no sentence yet."""
        self.sentence.setText(text)
        self.closer.clear()
        self.cases.hide()


def telling(j: JudgedWord) -> str:
    """The filter of the cases that speak against the word: those not confirmed, of a denial those that CT found."""
    return "confirmed" if j.against else "not confirmed"


def _telling_cases(j: JudgedWord) -> float:
    return j.rate.positives if j.against else j.rate.n - j.rate.positives
