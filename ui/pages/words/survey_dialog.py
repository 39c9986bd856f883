"""A respondent rates each word by a key for each range; every answer is saved at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from radcal.lexicon.responses import RANGES, SKIPPED
from ui.widgets.labels import label, wrapped
from ui.words import percent_range, quoted, say, whole

if TYPE_CHECKING:
    from radcal.lexicon.responses import Response


_WIDTH = 560
_CHOICE = (
    "QPushButton { text-align: left; padding: 0 16px; min-height: 32px; }"
    "QPushButton:focus { padding: 0 15px; min-height: 30px; }"
    "QPushButton:checked { font-weight: 600; }"
)


def range_names() -> tuple[str, ...]:
    """The ranges in words, as in the published survey."""
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

    named: the respondent's name, '' for anonymous, when a new colleague begins: hand the questions to ``ask``
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
        area = QScrollArea()  # for low screens
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._stack)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
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
        self.begin = QPushButton(say("&Begin"))
        self.begin.setProperty("primary", True)
        self.begin.setDefault(True)
        self.begin.clicked.connect(self._begin)
        close = QPushButton(say("Cancel"))
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.begin)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(label(say("What do these words mean?"), role="title"))
        layout.addWidget(
            wrapped(
                say(
                    "You see one word after the other, as it would stand in a colleague\u2019s report. Choose how"
                    " certain you take the finding to be. There is no right answer: what counts is how you read it."
                )
            )
        )
        layout.addWidget(label(say("Your name, if you like")))
        layout.addWidget(self.name)
        layout.addWidget(
            wrapped(
                say("Answers are kept in this workspace alone. You can stop at any time and go on later."),
                role="muted",
            )
        )
        layout.addStretch(1)
        layout.addLayout(buttons)
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
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(6)
        layout.addWidget(self.progress)
        layout.addWidget(self.count)
        layout.addWidget(self.word)
        layout.addWidget(self.question)
        layout.addSpacing(4)
        for i, ((low, high), name) in enumerate(zip(RANGES, range_names(), strict=True)):
            text = say("&{key}   {range}   {name}", key=i + 1, range=percent_range(low, high), name=name)
            button = QPushButton(text)
            button.setStyleSheet(_CHOICE)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.clicked.connect(self._clicked)
            button.setProperty("answer", i)
            self.answers.append(button)
            layout.addWidget(button)
        self.back = QPushButton(say("Bac&k"))
        self.skip = QPushButton(say("&Skip: I do not use it"))
        self.stop = QPushButton(say("Stop for &now"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button, what in ((self.back, self.go_back), (self.skip, self.skip_word), (self.stop, self.accept)):
            button.setAutoDefault(False)
            button.clicked.connect(what)
            buttons.addWidget(button)
        buttons.insertStretch(2, 1)
        layout.addSpacing(4)
        layout.addLayout(buttons)
        return page

    def _last_page(self) -> QWidget:
        page = QWidget()
        self.thanks = wrapped()
        self.close_button = QPushButton(say("&Close"))
        self.close_button.setProperty("primary", True)
        self.close_button.clicked.connect(self.accept)
        again = QPushButton(say("Bac&k"))
        again.setAutoDefault(False)
        again.clicked.connect(self.go_back)
        buttons = QHBoxLayout()
        buttons.addWidget(again)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.addWidget(label(say("Thank you"), role="title"))
        layout.addWidget(self.thanks)
        layout.addStretch(1)
        layout.addLayout(buttons)
        return page

    # --- showing -----------------------------------------------------------------------------------

    @property
    def response(self) -> Response | None:
        """The answers so far, None before the questions are set."""
        return self._response

    def ask(self, response: Response) -> None:
        """Ask these questions, from the first unanswered one."""
        self._response, self._place = response, response.next
        self._show()

    def _show(self) -> None:
        r = self._response
        if r is None:
            self._stack.setCurrentIndex(0)
            self.name.setFocus()
            return
        if self._place >= len(r.order):
            self.thanks.setText(
                say(
                    "You gave {n} of {all} words a range. Your answers are kept.",
                    n=whole(r.answered),
                    all=whole(len(r.order)),
                )
            )
            self._stack.setCurrentIndex(2)
            self.close_button.setFocus()
            return
        phrase = r.order[self._place]
        self._stack.setCurrentIndex(1)
        self.progress.setMaximum(len(r.order))
        self.progress.setValue(self._place)
        self.count.setText(say("{n} of {all}", n=whole(self._place + 1), all=whole(len(r.order))))
        self.word.setText(quoted(phrase))
        self.question.setText(
            say("A report states a finding with this word. How likely is it that the finding is there?")
        )
        given = r.answers.get(phrase)
        for i, button in enumerate(self.answers):
            button.setChecked(i == given)
        self.back.setEnabled(self._place > 0)
        if given is not None and given >= 0:
            self.answers[given].setFocus()
        else:
            self.count.setFocus()  # on no answer: the one in focus would suggest itself

    # --- answering ---------------------------------------------------------------------------------

    @Slot()
    def _begin(self) -> None:
        self.begin.setEnabled(False)
        self.named.emit(self.name.text())

    @Slot()
    def _clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.answer(int(sender.property("answer")))

    def answer(self, number: int) -> None:
        """Answer the current word with that range's number, or SKIPPED, and go on."""
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
        if self._stack.currentIndex() == 1:
            key = event.key()
            if Qt.Key.Key_1 <= key < Qt.Key.Key_1 + len(RANGES):
                self.answer(key - Qt.Key.Key_1)
                return
            if key == Qt.Key.Key_Backspace:
                self.go_back()
                return
            if key == Qt.Key.Key_S:
                self.skip_word()
                return
            if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self._focus_neighbour(1 if key == Qt.Key.Key_Down else -1)
                return
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                focused = self.focusWidget()
                if isinstance(focused, QPushButton):
                    focused.click()
                return
        super().keyPressEvent(event)

    def _focus_neighbour(self, step: int) -> None:
        places = [i for i, button in enumerate(self.answers) if button is self.focusWidget()]
        place = (places[0] + step) if places else 0
        self.answers[min(max(place, 0), len(self.answers) - 1)].setFocus()
