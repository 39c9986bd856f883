"""What is said of one word of a draft, with its suggestion and the way to its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import label, wrapped
from ui.pages.feedback import checked as words
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QMouseEvent

    from radcal.advice.draft_check import CheckedWord


class WordCard(QFrame):
    """The assessment of one word.

    looked_at: it has the focus;  use_wanted: apply its suggestion;  findings_wanted: list what its numbers count
    """

    looked_at = Signal()
    use_wanted = Signal()
    findings_wanted = Signal()

    def __init__(self, word: CheckedWord, min_n: int) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name, kind, text = words.name(word), words.kind(word), words.sentence(word, min_n)
        title, body = wrapped(name, role="strong"), wrapped(text)
        for part in (title, body):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        head = hbox((title, 1), (label(kind, role="muted"), 0, Qt.AlignmentFlag.AlignTop))
        written = words.as_written(word)
        layout = vbox(head, body, parent=self, margins=(12, 8, 12, 10), spacing=4)
        if written:
            layout.addWidget(wrapped(written, role="muted"))
        below = hbox()
        self.button: QPushButton | None = None
        if word.replacement:
            self.button = push_button(
                words.edit(word).replace("&", "&&"),
                self.use_wanted,
            )
            self.button.installEventFilter(self)
            self.button.setAccessibleDescription(text)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its button takes the focus
            below.addWidget(self.button)
        elif word.judged.closer:
            layout.addWidget(wrapped(words.by_hand(word), role="muted"))
        self.findings: QPushButton | None = None
        if word.judged.rate.n > 0 and word.judged.phrase is not None:
            n = round(word.judged.rate.n)
            self.findings = push_button(
                say("Read the {n:,} finding", many="Read the {n:,} findings", n=n),
                self.findings_wanted,
                tip=say("Leaves this page, and the draft with it"),
            )
            self.findings.installEventFilter(self)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            below.addWidget(self.findings)
        if below.count():
            below.addStretch(1)
            layout.addLayout(below)
        self.setAccessibleName(" ".join(filter(None, (f"{name}. {kind}. {text}", written))))

    def set_usable(self, usable: bool) -> None:
        """Set whether the suggestion still fits the draft."""
        if self.button is not None:
            self.button.setEnabled(usable)

    def set_current(self, current: bool) -> None:
        """Highlight the current word's card."""
        self.setProperty("current", current)
        self.setFrameShape(QFrame.Shape.StyledPanel if current else QFrame.Shape.NoFrame)
        self.style().unpolish(self)
        self.style().polish(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.looked_at.emit()
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.looked_at.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.looked_at.emit()
