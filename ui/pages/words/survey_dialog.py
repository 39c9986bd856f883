"""A respondent rates each word by a key for each range; every answer is saved at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QProgressBar, QPushButton, QStackedWidget, QWidget

from radcal.words.responses import RANGES, SKIPPED
from ui.kit.action import push_button
from ui.kit.layout import hbox, scrolled, vbox
from ui.kit.text import label, wrapped
from ui.words import percent_range, quoted, say

if TYPE_CHECKING:
    from radcal.words.responses import Response


_WIDTH = 560
_MARGINS = (24, 20, 24, 16)
_FIRST, _QUESTION, _LAST = range(3)
"""The pages of the dialog."""
_CHOICE = (
    "QPushButton { text-align: left; padding: 0 16px; min-height: 32px; }"
    "QPushButton:focus { padding: 0 15px; min-height: 30px; }"
    "QPushButton:checked { font-weight: 600; }"
)


def range_names() -> tuple[str, ...]:
    """The names of the ranges, as in the published survey."""
    return (
        say("not there"),
        say("very low"),
        say("low"),
        say("in between"),
        say("high"),
        say("very high"),
        say("certain"),
    )


class SurveyDialog(QDialog):
    """Asks for each phrase; keys 1 to 7 answer, Backspace goes back, S skips.

    named: a new respondent's name, '' if anonymous; answer with ``ask``
    answered: the Response after each answer
    """

    named = Signal(object)
    answered = Signal(object)

    def __init__(self, response: Response | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("What do these words mean?"))
        self.setModal(True)
        self._response = response
        self._place = response.next if response is not None else 0
        self._stack = QStackedWidget()
        self._stack.addWidget(self._first_page())
        self._stack.addWidget(self._question_page())
        self._stack.addWidget(self._last_page())
        vbox(scrolled(self._stack, sideways=True), parent=self)  # for low screens
        room = self.screen().availableSize()
        self.resize(min(_WIDTH, room.width() - 40), min(self._stack.sizeHint().height() + 8, room.height() - 80))
        self._show()

    # --- building ----------------------------------------------------------------------------------

    def _first_page(self) -> QWidget:
        page = QWidget()
        self.name = QLineEdit()
        self.name.setPlaceholderText(say("Anonymous"))
        self.name.setMaxLength(80)
        self.name.setAccessibleName(say("Your name, if you like"))
        self.begin = push_button(say("&Begin"), self._begin, primary=True)
        self.begin.setDefault(True)
        close = push_button(say("Cancel"), self.reject)
        close.setAutoDefault(False)
        explanation = say(
            "You see one word after the other, as in a colleague\u2019s report. Choose how sure it sounds to you."
            " There is no right answer."
        )
        privacy = say("Answers stay in this workspace. You can stop at any time and go on later.")
        vbox(
            label(say("What do these words mean?"), role="title"),
            wrapped(explanation),
            label(say("Your name, if you like")),
            self.name,
            wrapped(privacy, role="muted"),
            None,
            hbox(None, close, self.begin),
            parent=page,
            margins=_MARGINS,
        )
        return page

    def _question_page(self) -> QWidget:
        page = QWidget()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(say("How far you are"))
        self.count = label(role="muted")
        self.count.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.word = label(role="title")
        self.question = wrapped()
        self.answers: list[QPushButton] = []
        for i, ((low, high), name) in enumerate(zip(RANGES, range_names(), strict=True)):
            text = say("&{key}   {range}   {name}", key=i + 1, range=percent_range(low, high), name=name)
            button = push_button(text, partial(self.answer, i))
            button.setStyleSheet(_CHOICE)
            button.setCheckable(True)
            button.setAutoDefault(False)
            self.answers.append(button)
        self.back = push_button(say("Bac&k"), self.go_back)
        self.skip = push_button(say("&Skip: I never use it"), self.skip_word)
        self.stop = push_button(say("Stop for &now"), self.accept)
        for button in (self.back, self.skip, self.stop):
            button.setAutoDefault(False)
        vbox(
            self.progress,
            self.count,
            self.word,
            self.question,
            4,
            *self.answers,
            4,
            hbox(self.back, self.skip, None, self.stop),
            parent=page,
            margins=_MARGINS,
            spacing=6,
        )
        return page

    def _last_page(self) -> QWidget:
        page = QWidget()
        self.thanks = wrapped()
        self.close_button = push_button(say("&Close"), self.accept, primary=True)
        buttons = hbox(None, self.close_button)
        vbox(label(say("Thank you"), role="title"), self.thanks, None, buttons, parent=page, margins=_MARGINS)
        return page

    # --- showing -----------------------------------------------------------------------------------

    @property
    def response(self) -> Response | None:
        """The answers so far, None before the first question."""
        return self._response

    def ask(self, response: Response) -> None:
        """Ask these questions, from the first unanswered one."""
        self._response, self._place = response, response.next
        self._show()

    def _show(self) -> None:
        r = self._response
        if r is None:
            self._stack.setCurrentIndex(_FIRST)
            self.name.setFocus()
            return
        if self._place >= len(r.order):
            self.thanks.setText(
                say("You answered {n} of {all} words. Your answers are saved.", n=r.answered, all=len(r.order))
            )
            self._stack.setCurrentIndex(_LAST)
            self.close_button.setFocus()
            return
        phrase = r.order[self._place]
        self._stack.setCurrentIndex(_QUESTION)
        self.progress.setMaximum(len(r.order))
        self.progress.setValue(self._place)
        self.count.setText(say("{n} of {all}", n=self._place + 1, all=len(r.order)))
        self.word.setText(quoted(phrase))
        self.question.setText(say("A report uses this word. How likely is the finding?"))
        given = r.answers.get(phrase)
        for i, button in enumerate(self.answers):
            button.setChecked(i == given)
        self.back.setEnabled(self._place > 0)
        if given is not None and given >= 0:
            self.answers[given].setFocus()
        else:
            self.count.setFocus()  # a focused answer would look like a suggestion

    # --- answering ---------------------------------------------------------------------------------

    @Slot()
    def _begin(self) -> None:
        self.begin.setEnabled(False)
        self.named.emit(self.name.text())

    def answer(self, number: int) -> None:
        """Record the number of a range, or SKIPPED, for the current word and show the next."""
        r = self._response
        if r is None or self._place >= len(r.order):
            return
        self._response = r.with_answer(r.order[self._place], number)
        self._place += 1
        self.answered.emit(self._response)
        self._show()

    @Slot()
    def skip_word(self) -> None:
        """Skip the word."""
        self.answer(SKIPPED)

    @Slot()
    def go_back(self) -> None:
        """Show the previous word."""
        if self._response is not None and self._place > 0:
            self._place -= 1
            self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._stack.currentIndex() != _QUESTION:
            super().keyPressEvent(event)
            return
        key, focused = event.key(), self.focusWidget()
        if Qt.Key.Key_1 <= key < Qt.Key.Key_1 + len(RANGES):
            self.answer(key - Qt.Key.Key_1)
        elif key == Qt.Key.Key_Backspace:
            self.go_back()
        elif key == Qt.Key.Key_S:
            self.skip_word()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._focus_neighbour(1 if key == Qt.Key.Key_Down else -1)
        elif key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(focused, QPushButton):
            focused.click()

    def _focus_neighbour(self, step: int) -> None:
        places = [i for i, button in enumerate(self.answers) if button is self.focusWidget()]
        place = (places[0] + step) if places else 0
        self.answers[min(max(place, 0), len(self.answers) - 1)].setFocus()
