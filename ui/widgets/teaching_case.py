"""A teaching case before it is kept: both excerpts to be read and cut, what to ask, and what it teaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLineEdit, QTextEdit, QWidget

from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.text import caption, wrapped
from ui.sentences import topic_name
from ui.theme import in_use, px
from ui.words import listed, quoted, say

if TYPE_CHECKING:
    from radcal.feedback.records import TeachingCase

_LINES = 5


class TeachingCaseDialog(Dialog):
    """Shows a case; ``keep`` is called with what it has become.

    suspects: words in it that may identify somebody, marked where they stand
    """

    def __init__(
        self,
        case: TeachingCase,
        suspects: Sequence[str],
        keep: Callable[[TeachingCase], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(say("Teaching case"), parent, width=620)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._case, self._keep = case, keep
        about = say("{word} for {topic}", word=quoted(case.phrase), topic=topic_name(case.topic))
        rule = say("Read both texts: nothing in them may tell who the patient or the radiologist is.")
        self.suspects = wrapped(rule)
        if suspects:
            words = listed([quoted(word) for word in suspects])
            self.suspects.setText(
                f"{rule} {say('Look at these words first, they may be names or numbers: {words}.', words=words)}"
            )
            self.suspects.setProperty("role", "error")
        self.xray, self.ct = self._text(case.xray, suspects), self._text(case.ct, suspects)
        self.question, self.point = self._line(case.question), self._line(case.point)
        self.go = push_button(say("Keep the case"), primary=True)
        self.lay_out(
            wrapped(about, role="strong"),
            self.suspects,
            caption(say("The X-ray report says"), self.xray),
            self.xray,
            caption(say("The CT report says"), self.ct),
            self.ct,
            caption(say("A question to the meeting, if you like"), self.question),
            self.question,
            caption(say("What it teaches, if you like"), self.point),
            self.point,
            accept=self.go,
        )
        self.xray.textChanged.connect(self._look)
        self._look()
        self.accepted.connect(self._accept)

    def _text(self, text: str, suspects: Sequence[str]) -> QTextEdit:
        field = QTextEdit()
        field.setAcceptRichText(False)
        field.setTabChangesFocus(True)
        field.setPlainText(text)
        field.setFixedHeight(field.fontMetrics().lineSpacing() * _LINES + px(16))
        look = QTextCharFormat()
        look.setBackground(QColor(in_use().mark))
        look.setFontUnderline(True)
        whole = QTextDocument.FindFlag.FindWholeWords | QTextDocument.FindFlag.FindCaseSensitively
        marks = []
        for word in suspects:
            found = field.document().find(word, 0, whole)
            while not found.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = QTextCursor(found), look
                marks.append(mark)
                found = field.document().find(word, found, whole)
        field.setExtraSelections(marks)
        return field

    def _line(self, text: str) -> QLineEdit:
        from radcal.feedback.meeting import LONGEST  # imports NumPy, which the first paint must not wait for

        field = QLineEdit(text)
        field.setMaxLength(LONGEST)
        return field

    @Slot()
    def _look(self) -> None:
        self.go.setEnabled(bool(self.xray.toPlainText().strip()))

    @Slot()
    def _accept(self) -> None:
        xray, ct, question, point = (
            " ".join(text.split())
            for text in (self.xray.toPlainText(), self.ct.toPlainText(), self.question.text(), self.point.text())
        )
        self._keep(replace(self._case, xray=xray, ct=ct, question=question, point=point))
